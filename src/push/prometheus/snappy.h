// snappy.h - the calls of snappy
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PROMETHEUS_SNAPPY_H
#define PMON_PUSH_PROMETHEUS_SNAPPY_H

#include <snappy-c.h>

#include "os/library.h"

// clang-format off
#define SNAPPY_CALLS(CALL)                                                                         \
	CALL(snappy_, compress) CALL(snappy_, max_compressed_length)
// clang-format on

struct snappy_calls {
	SNAPPY_CALLS(PMON_OS_CALL)
};

#endif
