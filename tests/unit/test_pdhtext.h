// test_pdhtext.h - what the tests of text logs share: a log in memory, read into a table
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_PDHTEXT_H
#define PMON_TESTS_PDHTEXT_H

#include "t.h"

#include <math.h>
#include <stdlib.h>

#include <pmon/log.h>

#include "format/format.h"

#define ROWS    128
#define COLUMNS 12

#define HEAD "\"(PDH-CSV 4.0) (UTC)(0)\""
#define A    "\"\\\\SRV\\Memory\\Available MBytes\""
#define B    "\"\\\\SRV\\Processor(_Total)\\% Processor Time\""
#define CRLF "\r\n"
#define T0   "\"07/23/2026 06:04:43.000\""
#define T1   "\"07/23/2026 06:04:44.000\""

// Two counters, two samples.
static const char plain[] = "\"(PDH-CSV 4.0) (Pacific Daylight Time)(420)\"," A "," B CRLF //
	T0 ",\"4112\",\" \"" CRLF T1 ",\"4117.5\",\"11.296813511113458\"" CRLF;

// A log that was read completely. Cells are NAN if a value is missing and INFINITY if it is
// invalid.
struct table {
	struct pmon_source *source;
	size_t n_rows;
	pmon_time time[ROWS];
	int32_t offset_min[ROWS];
	double cell[ROWS][COLUMNS];
	enum pmon_status status; // of opening, or of the end of reading
	struct pmon_err err;
	size_t n_notices;
	size_t n_losses;
	char notices[16384]; // one a line
};

static inline void
keep_notice(void *ctx, const struct pmon_notice *notice)
{
	struct table *t = ctx;
	size_t len = strlen(t->notices);

	t->n_notices++;
	t->n_losses += notice->is_loss;
	(void)snprintf(t->notices + len, sizeof(t->notices) - len, "%s%s\n",
		       notice->is_loss ? "lost: " : "", notice->text);
}

static inline void
keep_sample(struct table *t, const struct pmon_sample *sample)
{
	size_t row = t->n_rows++;

	T_EQ_U64(sample->ordinal, row);
	if (row >= ROWS)
		return;
	t->time[row] = sample->time;
	t->offset_min[row] = sample->utc_offset_min;
	for (size_t i = 0; i < COLUMNS; i++)
		t->cell[row][i] = NAN;
	for (size_t i = 0; i < sample->n; i++) {
		double value;

		T_EQ_I64(sample->raw[i].time, sample->time);
		memcpy(&value, &sample->raw[i].first, sizeof(value));
		if (sample->raw[i].status != PMON_RAW_VALID) {
			assert_true(sample->raw[i].status == PMON_RAW_INVALID ||
				    sample->raw[i].status == PMON_RAW_IMPOSSIBLE);
			value = INFINITY;
		}
		if (sample->series[i] < COLUMNS)
			t->cell[row][sample->series[i]] = value;
	}
}

static inline void
read_rest(struct table *t)
{
	const struct pmon_sample *sample;

	t->n_rows = 0;
	while ((t->status = pmon_source_next(t->source, &sample, &t->err)) == PMON_OK)
		keep_sample(t, sample);
}

static inline void
open_bytes(struct table *t, const void *bytes, size_t len, const struct pmon_log_options *options)
{
	struct pmon_log_options own = {.size = sizeof(own), .notice = keep_notice};
	struct pmon_file *file;

	memset(t, 0, sizeof(*t));
	if (options != NULL)
		own = *options;
	own.notice = keep_notice;
	own.notice_ctx = t;
	assert_int_equal(pmon_file_memory(bytes, len, own.allocator, &file, NULL), PMON_OK);
	t->status = pmon_log_open_file(file, &own, &t->source, &t->err);
}

// Open and read through; the test stops when that fails.
static inline void
read_bytes(struct table *t, const void *bytes, size_t len, const struct pmon_log_options *options)
{
	open_bytes(t, bytes, len, options);
	if (t->status != PMON_OK)
		print_error("%s\n", t->err.msg);
	assert_int_equal(t->status, PMON_OK);
	read_rest(t);
	assert_int_equal(t->status, PMON_END);
}

static inline void
read_text(struct table *t, const char *text)
{
	read_bytes(t, text, strlen(text), NULL);
}

static inline void
close_table(struct table *t)
{
	pmon_source_close(t->source);
	t->source = NULL;
}

static inline const struct pmon_source_info *
info_of(const struct table *t)
{
	return pmon_source_info(t->source);
}

static inline size_t
n_series(const struct table *t)
{
	return pmon_schema_count(pmon_source_schema(t->source));
}

static inline const struct pmon_series *
series_of(const struct table *t, size_t i)
{
	return pmon_schema_at(pmon_source_schema(t->source), i);
}

// Is there a notice with these words?
#define HAS_NOTICE(t, words)                                                                       \
	do {                                                                                       \
		if (strstr((t)->notices, (words)) == NULL)                                         \
			print_error("no \"%s\" in:\n%s", (words), (t)->notices);                   \
		assert_non_null(strstr((t)->notices, (words)));                                    \
	} while (0)

static inline void
no_notices(const struct table *t)
{
	if (t->n_notices > 0)
		print_error("%s", t->notices);
	assert_int_equal(t->n_notices, 0);
}

// "2016-11-26T21:46:30.874Z"
static inline pmon_time
when(const char *iso)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	int y, mo, d, h, mi, s, ms;
	int64_t days;

	assert_int_equal(strlen(iso), sizeof(form) - 1);
	assert_int_equal(sscanf(iso, "%d-%d-%dT%d:%d:%d.%dZ", &y, &mo, &d, &h, &mi, &s, &ms), 7);
	// Days from 1601-01-01, counting years from March.
	y -= mo <= 2;
	mo += mo <= 2 ? 9 : -3;
	days = (int64_t)y * 365 + y / 4 - y / 100 + y / 400 + (mo * 153 + 2) / 5 + d - 1 - 584694;
	return ((((days * 24 + h) * 60 + mi) * 60 + s) * 1000 + ms) * PMON_TIME_PER_MSEC;
}

#endif
