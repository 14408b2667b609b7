/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a held call leaves in its Capability's register table, because the state of its Haskell thread is not saved: Sp
 * and Hp, the two registers that a compiled safe call saves, from which a thread that retakes the Capability saves the
 * state (save_thread_state in cbits/held/retake.c), and the function's address with its mark. Compiled code has these
 * registers in the processor, and never reads them from the table. The C function reads the address from there too: all
 * else that it is given is in registers.
 */
#ifndef FERRY_CMM_LEND_H
#define FERRY_CMM_LEND_H

#define LEND_REGISTERS(function)                                                                                       \
	W_[BaseReg + OFFSET_StgRegTable_rR1] = function;                                                               \
	W_[BaseReg + OFFSET_StgRegTable_rSp] = Sp;                                                                     \
	W_[BaseReg + OFFSET_StgRegTable_rHp] = Hp

#endif /* FERRY_CMM_LEND_H */
