// out.c - tables and their cells
// SPDX-License-Identifier: MIT

#include "shell/output/out.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "os/clock.h"
#include "shell/output/say.h"
#include "shell/output/writer.h"

#define LARGEST_PLAIN_JSON_INT INT64_C(9007199254740992) // 2^53

int32_t
clock_offset(const struct clock *clock, pmon_time t)
{
	switch (clock->mode) {
	case CLOCK_LOCAL:
		return pmon_os_utc_offset_min(t);
	case CLOCK_ZONE:
		return pmon_zone_offset_at(clock->zone, t);
	case CLOCK_LOG:
	case CLOCK_FIXED:
		break;
	}
	return clock->offset_min;
}

pmon_time
clock_utc(const struct clock *clock, pmon_time local)
{
	static const int64_t day = 24 * 60 * PMON_TIME_PER_MIN;
	pmon_time before = local - clock_offset(clock, local - day) * PMON_TIME_PER_MIN;
	pmon_time after = local - clock_offset(clock, local + day) * PMON_TIME_PER_MIN;

	return after + clock_offset(clock, after) * PMON_TIME_PER_MIN == local &&
			       before + clock_offset(clock, before) * PMON_TIME_PER_MIN != local
		       ? after
		       : before;
}

bool
clock_spans_days(const struct clock *clock, pmon_time first, pmon_time last)
{
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];

	if (first > last)
		return false;
	pmon_time_local(first, clock_offset(clock, first), a);
	pmon_time_local(last, clock_offset(clock, last), b);
	return strncmp(a, b, 10) != 0; // "2016-11-26"
}

static const struct out_writer *const writers[] = {
	[OUT_TEXT] = &out_writer_text,
	[OUT_CSV] = &out_writer_csv,
	[OUT_JSON] = &out_writer_json,
	[OUT_MARKDOWN] = &out_writer_markdown,
};

bool
out_is_for_people(enum out_format format)
{
	return format == OUT_TEXT || format == OUT_MARKDOWN;
}

static void
put_cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	out->writer->cell(out, kind, text);
	if (++out->column == out->n_columns) {
		out->column = 0;
		out->rows++;
	}
}

void
out_begin(struct out *out, FILE *stream, enum out_format format, const char *array,
	  const struct out_column *columns, size_t n_columns, const struct clock *clock)
{
	*out = (struct out){.stream = stream,
			    .format = out_is_for_people(format) ? OUT_TEXT : format,
			    .writer = writers[format],
			    .array = array,
			    .columns = columns,
			    .n_columns = n_columns,
			    .clock = clock};
	out->bold_head = out_style(STYLE_BOLD)[0] != '\0' && stream == stdout;
	out->terminal = out_is_terminal(stream);
	if (out->writer->begin != NULL)
		out->writer->begin(out);
}

void
out_text(struct out *out, struct pmon_span text)
{
	put_cell(out, CELL_TEXT, text);
}

void
out_path(struct out *out, struct pmon_span path, const struct pmon_series *series)
{
	struct json json = {.stream = out->stream, .depth = 1, .comma = {true, true}};

	out_text(out, path);
	if (out->format == OUT_JSON && pmon_series_english(series) != &series->path) {
		out_row_write(out);
		json_english(&json, path, series);
	}
}

void
out_str(struct out *out, const char *text)
{
	if (text == NULL)
		out_null(out);
	else
		out_text(out, (struct pmon_span){text, strlen(text)});
}

void
out_null(struct out *out)
{
	put_cell(out, CELL_NULL, (struct pmon_span){"null", 4});
}

static void
out_number_text(struct out *out, const char *number)
{
	put_cell(out, CELL_NUMBER, (struct pmon_span){number, strlen(number)});
}

void
out_double(struct out *out, double value)
{
	char buf[PMON_NUM_SIZE];
	size_t len;

	if (!isfinite(value)) {
		out_null(out);
		return;
	}
	len = out->format == OUT_TEXT ? out_number(value, buf, sizeof(buf))
				      : pmon_num_shortest(value, buf);
	put_cell(out, CELL_NUMBER, (struct pmon_span){buf, len});
}

void
out_value(struct out *out, const struct pmon_counter_type *type, const struct pmon_value *value)
{
	char hex[PMON_HEX_SIZE];

	if (!pmon_vstat_has_value(value->status))
		out_null(out);
	else if (out->format != OUT_JSON && pmon_type_is_hex(type) &&
		 pmon_hex_text(value->value, hex) > 0)
		out_number_text(out, hex);
	else
		out_double(out, value->value);
}

void
out_quantity(struct out *out, const struct pmon_series *series, const struct pmon_value *value)
{
	struct draw_unit unit = {.factor = 1};

	if (out->format == OUT_TEXT)
		unit = draw_unit_of(series);
	out_quantity_in(out, series, &unit, value);
}

void
out_quantity_in(struct out *out, const struct pmon_series *series, const struct draw_unit *unit,
		const struct pmon_value *value)
{
	char text[2 * DRAW_NUMBER];

	if (out->format != OUT_TEXT || out->no_units || !pmon_vstat_has_value(value->status)) {
		out_value(out, pmon_series_type(series), value);
		return;
	}
	(void)out_amount_in(series, unit, value->value, text, sizeof(text));
	out_number_text(out, text);
}

void
out_raw(struct out *out, const struct pmon_series *series, const struct pmon_raw *raw)
{
	struct pmon_span text = pmon_series_text(series, raw);
	char hex[PMON_HEX_SIZE];

	if (text.ptr != NULL) {
		out_text(out, text);
	} else if (out->format == OUT_JSON || !pmon_type_is_hex(pmon_series_type(series))) {
		out_i64(out, raw->first);
	} else {
		(void)pmon_hex_bits(raw->first, hex);
		out_number_text(out, hex);
	}
}

void
out_i64(struct out *out, int64_t value)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	bool large = value > LARGEST_PLAIN_JSON_INT || value < -LARGEST_PLAIN_JSON_INT;

	pmon_text_i64(&t, value);
	put_cell(out, large && out->format == OUT_JSON ? CELL_TEXT : CELL_NUMBER,
		 (struct pmon_span){buf, t.len});
}

void
out_u64(struct out *out, uint64_t value)
{
	char buf[DRAW_NUMBER];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	bool large = value > (uint64_t)LARGEST_PLAIN_JSON_INT;

	if (out->format == OUT_TEXT)
		t.len = out_count(value, buf, sizeof(buf));
	else
		pmon_text_u64(&t, value);
	put_cell(out, large ? CELL_TEXT : CELL_NUMBER, (struct pmon_span){buf, t.len});
}

void
out_time(struct out *out, pmon_time t)
{
	if (t == PMON_TIME_NONE) {
		out_null(out);
		return;
	}
	if (out->time_len == 0 || out->time != t) {
		out->time = t;
		out->time_len =
			out->format == OUT_TEXT
				? pmon_time_local(t, clock_offset(out->clock, t), out->time_text)
				: pmon_time_iso(t, out->time_text);
	}
	put_cell(out, CELL_TEXT, (struct pmon_span){out->time_text, out->time_len});
}

void
out_seconds(struct out *out, pmon_time t, bool with_date)
{
	char buf[PMON_TIME_SIZE];
	size_t len;

	if (t == PMON_TIME_NONE) {
		out_null(out);
		return;
	}
	len = pmon_time_local(t, clock_offset(out->clock, t), buf); // "2016-11-26 13:46:30.874"
	len -= 4;                                                   // the decimals
	if (with_date)
		put_cell(out, CELL_TEXT, (struct pmon_span){buf, len});
	else
		put_cell(out, CELL_TEXT, (struct pmon_span){buf + len - 8, 8});
}

void
out_series_type(struct out *out, const struct pmon_series *series)
{
	if (series->formatted && !series->type_known)
		out_null(out);
	else
		out_type(out, series->formatted ? series->known_type : series->counter.type);
}

void
out_pid(struct out *out, const struct pmon_series *series)
{
	if (series->of_process && series->process_id >= 0)
		out_i64(out, series->process_id);
	else
		out_null(out);
}

const char *
out_unit(const struct pmon_series *series)
{
	return pmon_series_unit(series);
}

char *
out_path_text(const struct pmon_path *path, bool any_instance)
{
	struct pmon_path shown = *path;
	size_t size;
	char *text;

	if (any_instance && path->instance.ptr != NULL) {
		shown.parent = (struct pmon_span){NULL, 0};
		shown.instance = PMON_SPAN("*");
		shown.index = 0;
	}
	size = pmon_path_format(&shown, NULL, 0) + 1;
	text = malloc(size);
	if (text != NULL)
		pmon_path_format(&shown, text, size);
	return text;
}

void
out_type(struct out *out, uint32_t word)
{
	char hex[16];

	out_str(out, json_type_name(word, hex));
}

int
out_end(struct out *out)
{
	if (out->writer->end != NULL)
		out->writer->end(out);
	pmon_mem_free(pmon_mem_allocator(NULL), out->cells, out->cells_cap);
	pmon_mem_free(pmon_mem_allocator(NULL), out->row, out->row_cap);
	if (out->failed)
		return say(EXIT_FAILED, "not enough memory for the table");
	return EXIT_DONE;
}

int
out_check_stdout(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	// If the reader has closed the pipe (head, less), no message is needed.
	if (errno == EPIPE)
		return EXIT_FAILED;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}
