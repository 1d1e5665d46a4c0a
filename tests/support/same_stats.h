// same_stats.h - compare all visible results of statistics
// SPDX-License-Identifier: MIT
//
// Each fails the test at the first difference. Numbers must be equal bit for bit.

#ifndef PMON_TESTS_SAME_STATS_H
#define PMON_TESTS_SAME_STATS_H

#include <pmon/counter.h>

void t_same_value(const struct pmon_value *a, const struct pmon_value *b, const char *label);
void t_same_stats(const struct pmon_stats *a, const struct pmon_stats *b);

#endif
