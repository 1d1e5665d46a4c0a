// err.h - fill a struct pmon_err
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_ERR_H
#define PMON_BASE_ERR_H

#include <pmon/base.h>

#if defined(__GNUC__)
#define PMON_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PMON_PRINTF(fmt, args)
#endif

// Fill *err (may be NULL) and return status. Control characters in the result become '?'.
enum pmon_status pmon_err_set(struct pmon_err *err, enum pmon_status status, uint64_t offset,
			      const char *fmt, ...) PMON_PRINTF(4, 5);

// The same with errno; its text follows after a colon.
enum pmon_status pmon_err_sys(struct pmon_err *err, enum pmon_status status, int sys,
			      const char *fmt, ...) PMON_PRINTF(4, 5);

// "not enough memory".
enum pmon_status pmon_err_nomem(struct pmon_err *err);

#endif
