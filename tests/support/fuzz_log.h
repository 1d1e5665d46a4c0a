// fuzz_log.h - what every fuzz target of a log format does with its input
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_FUZZ_LOG_H
#define PMON_TESTS_FUZZ_LOG_H

#include "format/format.h"

// Open the bytes by the format (NULL: by the one that is found), read them, rewind and read again, and once
// more without some of the series. Beyond not crashing: what a sample says is consistent, each reading gives
// what the first gave, and no loss is reported twice. Aborts when that does not hold. options may be NULL.
void fuzz_log(const struct pmon_format *format, const struct pmon_log_options *options,
	      const uint8_t *data, size_t size);

#endif
