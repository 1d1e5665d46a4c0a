// odd_log.h - a log of counters of any type that do all that counters do
// SPDX-License-Identifier: MIT
//
// They go up, stay constant, wrap, begin anew, exceed 63 bits of difference, are bad or absent.

#ifndef PMON_TESTS_ODD_LOG_H
#define PMON_TESTS_ODD_LOG_H

#include <pmon/model.h>

// A series of type number `seed`, two of other known types and one of none, in 60 samples from T0 on. Types of
// doubles have values that are doubles.
struct pmon_source *odd_log(uint64_t seed);

#endif
