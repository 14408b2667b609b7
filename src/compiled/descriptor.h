/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the descriptors lie that a program of compiled batches has not opened itself. */
#ifndef FERRY_COMPILED_DESCRIPTOR_H
#define FERRY_COMPILED_DESCRIPTOR_H

/* From here on, so that the program's own descriptors have the numbers they always had. */
#define COMPILED__DESCRIPTOR_MIN 512

#endif /* FERRY_COMPILED_DESCRIPTOR_H */
