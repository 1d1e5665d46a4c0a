// key_numbers.h - the numbers that describe each resource of a log
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_REPORT_KEY_NUMBERS_H
#define PMON_VERBS_REPORT_KEY_NUMBERS_H

#include "analyze/meanings.h"
#include "verbs/report/report.h"

#define KEY_NUMBERS ((size_t)MEANING_RESOURCES * MEANING_KINDS)

struct key_number {
	const struct pmon_series *series;
	const struct meaning *meaning;
};

// One counter for each kind of measure of each resource, in the order of the resources: its total, or the instance
// that is worst. Returns how many there are.
size_t key_numbers(const struct report *r, struct key_number list[KEY_NUMBERS]);

#endif
