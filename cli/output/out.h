// out.h - tables as text, CSV and JSON
// SPDX-License-Identifier: MIT
//
// A verb describes its columns once and puts cells; the format decides how they are written. Numbers
// in CSV and JSON read back exactly; in text they are rounded for the eye.
//
//	static const struct out_column columns[] = {{"path", "Counter", 40, OUT_LEFT}, ...};
//
//	out_begin(&out, stdout, OUT_JSON, "counters", columns, 2, &clock);
//	out_text(&out, path), out_double(&out, 0.15);     // a row is complete when all cells are put
//	status = out_end(&out);

#ifndef PMON_CLI_OUTPUT_OUT_H
#define PMON_CLI_OUTPUT_OUT_H

#include "cli/output/clean.h"
#include "cli/output/number.h"
#include "cli/output/table.h"
#include "text/json.h"

// Minutes that the clock is ahead of UTC at a moment.
int32_t clock_offset(const struct clock *clock, pmon_time t);

// Are two moments of different days on the clock? Not if the last is before the first.
bool clock_spans_days(const struct clock *clock, pmon_time first, pmon_time last);

// array is NULL for output that streams: JSON lines, and text in columns of the given widths.
void out_begin(struct out *out, FILE *stream, enum out_format format, const char *array,
	       const struct out_column *columns, size_t n_columns, const struct clock *clock);

void out_text(struct out *out, struct pmon_span text);
// The path of a series, which is not the last cell. JSON has also its English names, where they are others.
void out_path(struct out *out, struct pmon_span path, const struct pmon_series *series);
void out_str(struct out *out, const char *text); // NULL: null
void out_double(struct out *out, double value);  // null unless it is finite
// A value of a type, which may be NULL; null without a number. Text and CSV have HEX types in hexadecimal.
void out_value(struct out *out, const struct pmon_counter_type *type,
	       const struct pmon_value *value);
// A value of a series: in text with its unit, as "61.2 ms", elsewhere as out_value().
void out_quantity(struct out *out, const struct pmon_series *series,
		  const struct pmon_value *value);
// A raw value's own number, likewise; of a text the text.
void out_raw(struct out *out, const struct pmon_series *series, const struct pmon_raw *raw);
void out_i64(struct out *out, int64_t value);
void out_u64(struct out *out, uint64_t value);                  // a count: in text with commas
void out_time(struct out *out, pmon_time t);                    // PMON_TIME_NONE: null
void out_seconds(struct out *out, pmon_time t, bool with_date); // text only: "13:46:30"
void out_type(struct out *out, uint32_t word); // the name, or the word in hexadecimal
void out_series_type(struct out *out, const struct pmon_series *series); // null when not known
const char *out_unit(const struct pmon_series *series);

// The number of the process that a series is of; null where it is of none.
void out_pid(struct out *out, const struct pmon_series *series);

// A path as text, to be freed; NULL when memory is short. any_instance: with (*) for its instance, if it is
// of one.
char *out_path_text(const struct pmon_path *path, bool any_instance);
void out_null(struct out *out);

// Write names into CSV as they are from now on. Otherwise a text that a spreadsheet would take for a formula
// (= + - @, or a tab or the end of a line before it) has an apostrophe before it.
void out_use_raw_names(bool on);

// Finish. Returns EXIT_DONE, or EXIT_FAILED when something could not be written.
int out_end(struct out *out);

// Did everything that was written to stdout arrive? Says so when not. Returns an exit status.
int out_check_stdout(int status);

#endif
