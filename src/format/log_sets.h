// log_sets.h - what the tables of Windows' SQL logs need, in whatever database
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_LOG_SETS_H
#define PMON_FORMAT_LOG_SETS_H

#include <pmon/counter.h>
#include <pmon/model.h>

#define PMON_GUID_TEXT 37
#define PMON_SET_STEM  256
#define PMON_SET_NAME  300

// A stream of the source: a log set of PDH, a row of DisplayToID.
struct pmon_log_set {
	uint32_t stream;
	char guid[PMON_GUID_TEXT];
	uint64_t records;
	pmon_time first;
	pmon_time last;
	int32_t utc_offset_min;
};

// A GUID derived from the content, so that the same log always has the same one.
void pmon_log_set_make_guid(struct pmon_log_set *set, const struct pmon_schema *schema,
			    const struct pmon_source_info *info);

// The log sets of a file have its name, without folders and extension; from the second on with a number. i is
// from 0.
void pmon_log_set_stem(const char *path, char stem[PMON_SET_STEM]);
void pmon_log_set_name(const char *stem, size_t i, char name[PMON_SET_NAME]);

// CounterValue: the displayed value; for floating-point types the number itself, because SQL cannot decode its
// bits. 0 if there is none, as Windows writes, because the column must not be NULL.
double pmon_log_set_value(const struct pmon_series *series, const struct pmon_raw *raw,
			  const struct pmon_value *value);

#endif
