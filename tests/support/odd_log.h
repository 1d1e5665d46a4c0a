// odd_log.h - a log with counters of any type that do everything counters do
// SPDX-License-Identifier: MIT
//
// They increase, stay constant, wrap around, are reset, differ by more than 63 bits, are bad or
// absent.

#ifndef PMON_TESTS_ODD_LOG_H
#define PMON_TESTS_ODD_LOG_H

#include <pmon/model.h>

// A series of type number `seed`, two of other known types and one of no type, in 60 samples from
// T0. Types of doubles have double values.
struct pmon_source *odd_log(uint64_t seed);

#endif
