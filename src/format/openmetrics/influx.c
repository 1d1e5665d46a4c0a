// influx.c - write a log as Influx line protocol
// SPDX-License-Identifier: MIT
//
// docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/. A line contains the values of
// one object, instance and time. The measurement is the part of the metric's name for the object, a
// field is the rest: VictoriaMetrics joins them with "_", which results in the names that
// Prometheus has.

#include "format/openmetrics/openmetrics.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/sink.h"
#include "os/outfile.h"

#define UNIX_EPOCH INT64_C(116444736000000000) // as pmon_time
#define NO_HEAD    UINT32_MAX

// The beginning of a line: measurement and tags, escaped.
struct head {
	struct pmon_span text;
	size_t object_len; // of the measurement
};

struct line_series {
	uint32_t head;   // NO_HEAD: the series is not written
	int64_t last_ms; // of the newest point
};

struct lines {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	struct om_registry registry;
	struct line_series *series;
	size_t n;
	size_t cap;
	struct head *heads;
	size_t n_heads;
	size_t heads_cap;
	struct pmon_map head_map;
	char *buf; // the head being assembled
	size_t len;
	size_t buf_cap;
	bool is_short; // out of memory for buf
	// The current line
	uint32_t head; // NO_HEAD: none
	pmon_time time;
	uint64_t checked;
};

// ---- Heads ----------------------------------------------------------------------------------

static void
put(struct lines *w, const char *text, size_t len)
{
	if (w->is_short || !pmon_mem_grow(w->allocator, &w->buf, &w->buf_cap, w->len + len, 1)) {
		w->is_short = true;
		return;
	}
	memcpy(w->buf + w->len, text, len);
	w->len += len;
}

static void
put_text(struct lines *w, const char *text)
{
	put(w, text, strlen(text));
}

// Unicode's symbols for control characters, which tags cannot contain.
static void
put_picture(struct lines *w, uint32_t c)
{
	char text[3] = {'\xE2', '\x90', (char)(c == 0x7F ? 0xA1 : 0x80 + c)};

	put(w, text, sizeof(text));
}

static bool
is_special(char c)
{
	return c == ',' || c == '=' || c == ' ';
}

// A backslash is literal unless the next character makes it an escape. Line protocol cannot express
// that case, so it becomes a fullwidth backslash.
static void
put_backslash(struct lines *w, struct pmon_span text, size_t next)
{
	bool escapes = next == text.len || text.ptr[next] == '\\' || is_special(text.ptr[next]);

	put_text(w, escapes ? "\xEF\xBC\xBC" : "\\");
}

static void
put_escaped(struct lines *w, struct pmon_span text)
{
	size_t pos = 0;

	while (pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c < ' ' || c == 0x7F) {
			put_picture(w, c);
		} else if (c == '\\') {
			put_backslash(w, text, pos);
		} else if (c >= 0xDC80 && c <= 0xDCFF) { // invalid UTF-8
			put_text(w, "\xEF\xBF\xBD");
		} else {
			if (is_special(text.ptr[at]))
				put_text(w, "\\");
			put(w, text.ptr + at, pos - at);
		}
	}
}

static void
put_tag(void *ctx, const char *name, struct pmon_span text)
{
	put_text(ctx, ",");
	put_text(ctx, name);
	put_text(ctx, "=");
	put_escaped(ctx, text);
}

static uint32_t
find_head(const struct lines *w, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&w->head_map, hash, &at)) != PMON_MAP_NONE)
		if (w->heads[i].text.len == w->len &&
		    memcmp(w->heads[i].text.ptr, w->buf, w->len) == 0)
			return i;
	return NO_HEAD;
}

// Store the head in buf. NO_HEAD if out of memory.
static uint32_t
keep_head(struct lines *w, size_t object_len)
{
	uint64_t hash = pmon_map_mix_bytes(w->registry.seed, w->buf, w->len);
	uint32_t i = find_head(w, hash);
	struct head head = {.object_len = object_len};

	if (i != NO_HEAD)
		return i;
	if (!pmon_mem_grow(w->allocator, &w->heads, &w->heads_cap, w->n_heads + 1,
			   sizeof(*w->heads)) ||
	    !pmon_arena_copy(&w->registry.arena, (struct pmon_span){w->buf, w->len}, &head.text) ||
	    !pmon_map_put(&w->head_map, w->allocator, hash, (uint32_t)w->n_heads))
		return NO_HEAD;
	w->heads[w->n_heads] = head;
	return (uint32_t)w->n_heads++;
}

static bool
add_series(struct lines *w, const struct om_track *track)
{
	struct line_series series = {.head = NO_HEAD, .last_ms = -1};
	const char *name;
	size_t object_len;

	if (track->family != OM_NO_FAMILY) {
		name = w->registry.families[track->family].names[OM_MAIN];
		object_len = pmon_om_object_len(track->series, name);
		w->len = 0;
		w->is_short = false;
		put(w, name, object_len);
		pmon_om_labels(track, put_tag, w);
		series.head = w->is_short ? NO_HEAD : keep_head(w, object_len);
		if (series.head == NO_HEAD)
			return false;
	}
	w->series[w->n++] = series;
	return true;
}

static bool
grow(struct lines *w)
{
	if (!pmon_om_registry_grow(&w->registry) ||
	    !pmon_mem_grow(w->allocator, &w->series, &w->cap, w->registry.n_tracks,
			   sizeof(*w->series)))
		return false;
	while (w->n < w->registry.n_tracks)
		if (!add_series(w, w->registry.tracks[w->n]))
			return false;
	return true;
}

// ---- Lines ----------------------------------------------------------------------------------

static void
write_text(struct lines *w, const char *text)
{
	pmon_outfile_write(w->file, text, strlen(text));
}

static void
end_line(struct lines *w)
{
	char buf[32];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	if (w->head == NO_HEAD)
		return;
	pmon_text_char(&t, ' ');
	pmon_text_i64(&t, w->time - UNIX_EPOCH);
	pmon_text_str(&t, w->time == UNIX_EPOCH ? "\n" : "00\n"); // 100 ns to ns
	pmon_outfile_write(w->file, buf, t.len);
	w->head = NO_HEAD;
}

// Begin a field: with the beginning of a line, or a comma.
static void
begin_field(struct lines *w, uint32_t head, pmon_time time)
{
	if (w->head == head && w->time == time) {
		write_text(w, ",");
		return;
	}
	end_line(w);
	pmon_outfile_write(w->file, w->heads[head].text.ptr, w->heads[head].text.len);
	write_text(w, " ");
	w->head = head;
	w->time = time;
}

// The field is the name of the family without the object. A family called "pmon" has nothing left;
// no name has an upper-case letter.
static void
write_key(struct lines *w, const char *name, const struct om_part *part)
{
	const char *rest = name + w->heads[w->head].object_len;

	write_text(w, rest[0] != '\0' ? rest + 1 : "Value");
	write_text(w, pmon_om_is_counter(part) ? "_total=" : "=");
}

static void
write_integer(struct lines *w, int64_t number)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_i64(&t, number);
	pmon_text_char(&t, 'i');
	pmon_outfile_write(w->file, buf, t.len);
}

static void
write_double(struct lines *w, double number)
{
	char buf[PMON_NUM_SIZE];

	pmon_outfile_write(w->file, buf, pmon_num_shortest(number, buf));
}

// A number that its type cannot represent is skipped: line protocol has no NaN, and no integers
// beyond 64 bits.
static void
write_part(struct lines *w, const struct om_track *track, int i, const struct pmon_raw *raw,
	   double number, pmon_time time)
{
	const struct om_family *family = &w->registry.families[track->family];
	const struct om_part *part = &track->plan.parts[i];
	bool is_integer = pmon_om_is_integer(part);
	int64_t integer = 0;

	if (is_integer ? !pmon_om_integer(track, part, raw, &integer) : !isfinite(number))
		return;
	begin_field(w, w->series[track->series->id].head, time);
	write_key(w, family->names[i], part);
	if (is_integer)
		write_integer(w, integer);
	else
		write_double(w, number);
}

static void
write_point(struct lines *w, uint32_t id, const struct pmon_sample *sample,
	    const struct pmon_raw *raw)
{
	const struct om_track *track = w->registry.tracks[id];
	double numbers[OM_PARTS];
	pmon_time time;

	if (!pmon_om_take(w->registry.tracks[id], sample, raw, numbers))
		return;
	time = pmon_om_point_time(sample, raw, &w->series[id].last_ms);
	for (int i = 0; time != PMON_TIME_NONE && i < OM_PARTS; i++)
		if (track->plan.parts[i].from != OM_NOTHING)
			write_part(w, track, i, raw, numbers[i], time);
}

static enum pmon_status
lines_add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	  struct pmon_err *err)
{
	struct lines *w = (struct lines *)sink;

	(void)values;
	if (!grow(w))
		return pmon_err_nomem(err);
	if (sample->preceding && !sample->starts)
		return PMON_OK;
	for (size_t i = 0; i < sample->n; i++)
		write_point(w, sample->series[i], sample, &sample->raw[i]);
	end_line(w);
	return pmon_format_check(w->file, &w->checked, err);
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
lines_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	    const struct pmon_source_info *info, struct pmon_err *err)
{
	(void)info, (void)err;
	((struct lines *)sink)->registry.schema = schema;
	return PMON_OK;
}

static enum pmon_status
lines_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	return pmon_outfile_flush(((struct lines *)sink)->file, sync, err);
}

static uint64_t
lines_size(const struct pmon_sink *sink)
{
	return pmon_outfile_size(((const struct lines *)sink)->file);
}

static struct pmon_outfile *
lines_file(const struct pmon_sink *sink)
{
	return ((const struct lines *)sink)->file;
}

static enum pmon_status
lines_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	return pmon_outfile_commit(((struct lines *)sink)->file, err);
}

static void
lines_close(struct pmon_sink *sink)
{
	struct lines *w = (struct lines *)sink;

	pmon_outfile_close(w->file);
	pmon_mem_free(w->allocator, w->buf, w->buf_cap);
	pmon_mem_free(w->allocator, w->heads, w->heads_cap * sizeof(*w->heads));
	pmon_mem_free(w->allocator, w->series, w->cap * sizeof(*w->series));
	pmon_map_free(&w->head_map, w->allocator);
	pmon_om_registry_close(&w->registry);
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_STARTS,
	.begin = lines_begin,
	.add = lines_add,
	.finish = lines_finish,
	.close = lines_close,
	.flush = lines_flush,
	.size = lines_size,
	.file = lines_file,
};

// Every measurement that pmon writes begins with pmon's name.
static enum pmon_status
cut_last_line(struct pmon_outfile *file, struct pmon_err *err)
{
	static const char beginning[] = "pmon";
	char head[sizeof(beginning) - 1];
	size_t n = pmon_outfile_read_at(file, 0, head, sizeof(head));

	if (n > 0 && (n < sizeof(head) || memcmp(head, beginning, n) != 0))
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the existing file does not contain pmon's line protocol");
	return pmon_outfile_cut_line(file, err);
}

static enum pmon_status
lines_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	   const struct pmon_create_options *options, struct pmon_err *err)
{
	struct lines *w = (struct lines *)sink;
	enum pmon_status status;

	(void)writer;
	w->allocator = pmon_mem_allocator(options->allocator);
	w->head = NO_HEAD;
	pmon_om_registry_open(&w->registry, NULL, w->allocator);
	status = pmon_format_outfile(path, options, &w->file, err);
	return status == PMON_OK && options->append ? cut_last_line(w->file, err) : status;
}

static const struct pmon_writer writers[] = {
	{.name = "influx",
	 .endings = {"lp"},
	 .open = lines_open,
	 .sink_bytes = sizeof(struct lines),
	 .ops = &ops,
	 .raw = true,
	 .record = true,
	 .append = true},
};

const struct pmon_format pmon_format_influx = {
	.name = "Influx line protocol",
	.writers = writers,
	.n_writers = sizeof(writers) / sizeof(writers[0]),
};
