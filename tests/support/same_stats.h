// same_stats.h - comparison of all that can be seen of statistics
// SPDX-License-Identifier: MIT
//
// Each stops the test at the first difference, and numbers have to be the same to the last bit.

#ifndef PMON_TESTS_SAME_STATS_H
#define PMON_TESTS_SAME_STATS_H

#include <pmon/counter.h>

void t_same_value(const struct pmon_value *a, const struct pmon_value *b, const char *label);
void t_same_stats(const struct pmon_stats *a, const struct pmon_stats *b);

#endif
