/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interop construct and its routines (OpenMP 5.2, sections 14 and 18.12; 6.0, section 26). No foreign runtime
 * stands behind the host device, so every object that a program gets is omp_interop_none, and has no property.
 *
 * GCC 12's omp.h has none of this, and GCC 16's has types of its own. So this file declares what the ABI says: an
 * object is as wide as a pointer, and properties and return codes are ints.
 */
#include "openmp/abi/gomp_tasking.h"

#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum {
	NONE = 0,	     /* omp_interop_none */
	PROPERTY_FIRST = -9, /* omp_ipr_first, which is omp_ipr_targetsync */
	PROPERTY_COUNT = 0,  /* properties of an implementation's own, numbered from 0 */
	RC_FIRST = -6,	     /* omp_irc_other */
	RC_OTHER = -6,
	RC_OUT_OF_RANGE = -2,
	RC_EMPTY = -1,
	RC_LAST = 1, /* omp_irc_no_value */
};

/* ---- the construct ----------------------------------------------------------------------------------------------- */

/*
 * The task that the construct makes would be empty, and undeferred where all objects are none. So `nowait` has no
 * effect, and all that is left is to wait for what the construct depends on.
 */
OMP__EXPORT void GOMP_interop(int device, int init_count, uintptr_t **init, const int *kinds, const char **prefer,
			      int use_count, uintptr_t *use, int destroy_count, uintptr_t **destroy, unsigned flags,
			      void **depend)
{
	(void)device;
	(void)kinds;
	(void)prefer;
	(void)use_count;
	(void)use;
	(void)flags;
	if (depend)
		GOMP_taskwait_depend(depend);
	for (int i = 0; i < init_count; i++)
		*init[i] = NONE;
	for (int i = 0; i < destroy_count; i++)
		*destroy[i] = NONE;
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static bool is_property(int property)
{
	return property >= PROPERTY_FIRST && property < PROPERTY_COUNT;
}

/* Say why a property has no value. An object other than none was not made by this runtime. */
static void no_value(uintptr_t object, int property, int *code)
{
	if (code)
		*code = !is_property(property) ? RC_OUT_OF_RANGE : object == NONE ? RC_EMPTY : RC_OTHER;
}

OMP__EXPORT int omp_get_num_interop_properties(uintptr_t object)
{
	(void)object;
	return PROPERTY_COUNT;
}

OMP__EXPORT intptr_t omp_get_interop_int(uintptr_t object, int property, int *code)
{
	no_value(object, property, code);
	return 0;
}

OMP__EXPORT void *omp_get_interop_ptr(uintptr_t object, int property, int *code)
{
	no_value(object, property, code);
	return NULL;
}

OMP__EXPORT const char *omp_get_interop_str(uintptr_t object, int property, int *code)
{
	no_value(object, property, code);
	return NULL;
}

/* The name of a property is that of its constant, without omp_ipr_. */
OMP__EXPORT const char *omp_get_interop_name(uintptr_t object, int property)
{
	static const char *const names[] = { "fr_id",	 "fr_name", "vendor",	      "vendor_name", "device_num",
					     "platform", "device",  "device_context", "targetsync" };

	(void)object;
	return is_property(property) ? names[-1 - property] : NULL;
}

/* The type of a property depends on the foreign runtime; here there is none. */
OMP__EXPORT const char *omp_get_interop_type_desc(uintptr_t object, int property)
{
	(void)object;
	(void)property;
	return NULL;
}

/* libgomp's testsuite compares the sentences for `empty` and `out of range` with libgomp's own. */
OMP__EXPORT const char *omp_get_interop_rc_desc(uintptr_t object, int code)
{
	static const char *const texts[] = {
		"the object was not made by this OpenMP runtime",
		"the property is a string; ask for it with omp_get_interop_str",
		"the property is a pointer; ask for it with omp_get_interop_ptr",
		"the property is an integer; ask for it with omp_get_interop_int",
		"property ID is out of range",
		"provided interoperability object is equal to omp_interop_none",
		"the value was read",
		"the object has no value for this property",
	};

	if (code < RC_FIRST || code > RC_LAST || (code == RC_OTHER && object == NONE))
		return NULL;
	return texts[code - RC_FIRST];
}

/* ---- the same for Fortran: a result of type character(:), pointer is an address and a length --------------------- */

static void give(const char **result, size_t *length, const char *text)
{
	*result = text;
	*length = text ? strlen(text) : 0;
}

OMP__EXPORT void omp_get_interop_str_(const char **result, size_t *length, uintptr_t object, int property, int *code)
{
	give(result, length, omp_get_interop_str(object, property, code));
}

OMP__EXPORT void omp_get_interop_name_(const char **result, size_t *length, uintptr_t object, int property)
{
	give(result, length, omp_get_interop_name(object, property));
}

OMP__EXPORT void omp_get_interop_type_desc_(const char **result, size_t *length, uintptr_t object, int property)
{
	give(result, length, omp_get_interop_type_desc(object, property));
}

OMP__EXPORT void omp_get_interop_rc_desc_(const char **result, size_t *length, uintptr_t object, int code)
{
	give(result, length, omp_get_interop_rc_desc(object, code));
}
