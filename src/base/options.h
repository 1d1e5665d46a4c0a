// options.h - read option structs of callers, which may have been compiled with another version
// SPDX-License-Identifier: MIT
//
// Like Linux's copy_struct_from_user(): an option struct begins with its size, new fields are added
// at its end, and 0 in a field means its default.

#ifndef PMON_BASE_OPTIONS_H
#define PMON_BASE_OPTIONS_H

#include <pmon/base.h>

// Copy the caller's options (NULL: none) into a struct of this version, of own_size bytes. Nothing
// beyond the caller's size is read, and missing fields are 0. The size of the copy is own_size.
// PMON_E_ARG if they have no size, or if a field that this version does not know is not 0; the copy
// is then empty.
PMON_NODISCARD enum pmon_status pmon_options_read(void *own, size_t own_size, const void *theirs,
						  struct pmon_err *err);

// Copy results back, as far as the caller's struct has room for them; its size does not change.
void pmon_options_write(void *theirs, const void *own, size_t own_size);

// PMON_E_ARG if the reserved fields are not 0.
PMON_NODISCARD enum pmon_status pmon_limits_check(const struct pmon_limits *limits,
						  struct pmon_err *err);

#endif
