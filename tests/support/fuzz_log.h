// fuzz_log.h - what the fuzz targets of all log formats do with their input
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_FUZZ_LOG_H
#define PMON_TESTS_FUZZ_LOG_H

#include "format/format.h"

// Open the bytes with a format (NULL: the detected one), read them, rewind, read again, and once
// more without some of the series. Besides crashes, it checks that samples are consistent, that
// readings are identical, and that no loss is reported twice; otherwise it aborts. options may be
// NULL.
void fuzz_log(const struct pmon_format *format, const struct pmon_log_options *options,
	      const uint8_t *data, size_t size);

#endif
