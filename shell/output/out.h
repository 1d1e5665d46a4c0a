// out.h - tables as text, CSV and JSON
// SPDX-License-Identifier: MIT
//
// A verb describes its columns once and adds cells; the format determines how they are written.
// Numbers in CSV and JSON read back exactly; in text they are rounded.
//
//	static const struct out_column columns[] = {{"path", "Counter", 40, OUT_LEFT}, ...};
//
//	out_begin(&out, stdout, OUT_JSON, "counters", columns, 2, &clock);
//	out_text(&out, path), out_double(&out, 0.15);     // a row is complete when all cells are put
//	status = out_end(&out);

#ifndef PMON_SHELL_OUTPUT_OUT_H
#define PMON_SHELL_OUTPUT_OUT_H

#include "shell/output/clean.h"
#include "shell/output/number.h"
#include "shell/output/table.h"
#include "shell/output/json.h"

// How many minutes the clock is ahead of UTC at t.
int32_t clock_offset(const struct clock *clock, pmon_time t);

// The time at which the clock shows this local time. Of the hour that it shows twice the first one
// counts; in the hour that it leaves out, it counts as before the change.
pmon_time clock_utc(const struct clock *clock, pmon_time local);

// Are the times on different days of the clock? False if last is before first.
bool clock_spans_days(const struct clock *clock, pmon_time first, pmon_time last);

// Text, also as markdown: rounded numbers with units, headings, no fields that only programs read.
bool out_is_for_people(enum out_format format);

// Print text in a paragraph of markdown: what would be markup is escaped.
void out_markdown(FILE *stream, struct pmon_span text);

// array is NULL for streamed output: JSON lines, or text in columns of the given widths.
void out_begin(struct out *out, FILE *stream, enum out_format format, const char *array,
	       const struct out_column *columns, size_t n_columns, const struct clock *clock);

void out_text(struct out *out, struct pmon_span text);
// The path of a series; must not be the last cell. JSON also gets its English names, if they
// differ.
void out_path(struct out *out, struct pmon_span path, const struct pmon_series *series);
void out_str(struct out *out, const char *text); // NULL: null
void out_double(struct out *out, double value);  // null unless it is finite
// A value of a type, which may be NULL; null if it has no number. HEX types are hexadecimal in text
// and CSV.
void out_value(struct out *out, const struct pmon_counter_type *type,
	       const struct pmon_value *value);
// A value of a series: in text with its unit, such as "61.2 ms"; otherwise like out_value().
void out_quantity(struct out *out, const struct pmon_series *series,
		  const struct pmon_value *value);
// The same for many values of a series; the caller keeps the result of draw_unit_of().
void out_quantity_in(struct out *out, const struct pmon_series *series,
		     const struct draw_unit *unit, const struct pmon_value *value);
// The number of a raw value, likewise; for a text counter, the text.
void out_raw(struct out *out, const struct pmon_series *series, const struct pmon_raw *raw);
void out_i64(struct out *out, int64_t value);
void out_u64(struct out *out, uint64_t value);                  // a count: with commas in text
void out_time(struct out *out, pmon_time t);                    // PMON_TIME_NONE: null
void out_seconds(struct out *out, pmon_time t, bool with_date); // text only: "13:46:30"
void out_type(struct out *out, uint32_t word); // the name, or the word in hexadecimal
void out_series_type(struct out *out, const struct pmon_series *series); // null if unknown
const char *out_unit(const struct pmon_series *series);

// The ID of the process that a series belongs to; null if none.
void out_pid(struct out *out, const struct pmon_series *series);

// A path as text, which the caller frees; NULL if out of memory. any_instance: replace the
// instance, if any, by (*).
char *out_path_text(const struct pmon_path *path, bool any_instance);
void out_null(struct out *out);

// Write names to CSV unchanged from now on. By default, a text that a spreadsheet would interpret
// as a formula (= + - @, possibly after a tab or line end) is prefixed with an apostrophe.
void out_use_raw_names(bool on);

// Finish the table. Returns EXIT_DONE, or EXIT_FAILED if something could not be written.
int out_end(struct out *out);

// Check that all output reached stdout, and print a message if not. Returns an exit status.
int out_check_stdout(int status);

#endif
