/* SPDX-License-Identifier: BSD-3-Clause */
/* GHC's runtime system in a process that is not Haskell's: runtime.c. */
#ifndef FERRY_INGRESS_RUNTIME_H
#define FERRY_INGRESS_RUNTIME_H

/* Start it, unless it runs. Returns NULL, or why it cannot run in this process. */
const char *ferry_haskell_runtime_start(void);

#endif /* FERRY_INGRESS_RUNTIME_H */
