// write.c - write a log as JSON lines
// SPDX-License-Identifier: MIT
//
// The keys that `pmon raw` and `pmon values` print come first and are the same byte for byte. They
// are followed by what a reader needs to restore the same samples; facts about a series are on its
// first line only.

#include "format/jsonl/jsonl.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"
#include "model/schema.h"
#include "model/sink.h"
#include "os/outfile.h"

#define MACHINES_MAX (JSONL_LINE_MAX / 2) // size of their ids

struct writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	bool live;
	bool info_told;
	bool has_value; // a counter's line was written
	// the newest line is incomplete, since its end tells whether it is the last
	bool is_open;
	bool is_placed;   // it has its number
	uint64_t n_lines; // lines begun
	uint8_t *told;    // by series: its first line was written
	size_t told_n;
	size_t told_cap;
	uint64_t checked; // bytes
};

// ---- JSON -----------------------------------------------------------------------------------

static void
put(struct writer *w, const char *text)
{
	pmon_outfile_write(w->file, text, strlen(text));
}

static void
put_char(struct writer *w, uint32_t c, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char buf[6] = "\\u";

	if (c == '"' || c == '\\') {
		buf[1] = (char)c;
		pmon_outfile_write(w->file, buf, 2);
	} else if (c >= 0xDC80 && c <= 0xDCFF) { // an invalid UTF-8 byte
		put(w, "\\ufffd");
	} else if (pmon_utf_is_unsafe(c)) { // all of these have four digits
		for (unsigned i = 0; i < 4; i++)
			buf[2 + i] = digits[c >> (12 - 4 * i) & 15];
		pmon_outfile_write(w->file, buf, sizeof(buf));
	} else {
		pmon_outfile_write(w->file, bytes, n);
	}
}

static bool
is_plain(char c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

static void
put_string(struct writer *w, struct pmon_span text)
{
	size_t pos = 0;

	put(w, "\"");
	while (pos < text.len) {
		size_t at = pos;
		uint32_t c;

		while (pos < text.len && is_plain(text.ptr[pos]))
			pos++;
		pmon_outfile_write(w->file, text.ptr + at, pos - at);
		if (pos == text.len)
			break;
		at = pos;
		c = pmon_utf8_next(text, &pos);
		put_char(w, c, text.ptr + at, pos - at);
	}
	put(w, "\"");
}

// Every key except the first is preceded by a comma.
static void
put_key(struct writer *w, const char *key)
{
	put(w, ",\"");
	put(w, key);
	put(w, "\":");
}

static void
put_text(struct writer *w, const char *key, const char *text)
{
	put_key(w, key);
	put_string(w, (struct pmon_span){text, strlen(text)});
}

// Integers that a double cannot represent become strings.
static void
put_digits(struct writer *w, const char *key, const struct pmon_text *digits, bool large)
{
	put_key(w, key);
	put(w, large ? "\"" : "");
	put(w, pmon_text_get(digits));
	put(w, large ? "\"" : "");
}

static void
put_i64(struct writer *w, const char *key, int64_t n)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_i64(&t, n);
	put_digits(w, key, &t, n > INT64_C(9007199254740992) || n < -INT64_C(9007199254740992));
}

static void
put_u64(struct writer *w, const char *key, uint64_t n)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_u64(&t, n);
	put_digits(w, key, &t, n > UINT64_C(9007199254740992));
}

static void
put_time(struct writer *w, const char *key, pmon_time t)
{
	char buf[PMON_TIME_SIZE];

	pmon_time_iso(t, buf);
	if (t != PMON_TIME_NONE) {
		put_text(w, key, buf);
		return;
	}
	put_key(w, key);
	put(w, "null");
}

static void
put_type(struct writer *w, const char *key, uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	char hex[16];
	struct pmon_text t = pmon_text_init(hex, sizeof(hex));

	pmon_text_hex32(&t, word);
	put_text(w, key, type != NULL ? type->name : pmon_text_get(&t));
}

static void
put_unit(struct writer *w, uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	put_text(w, "unit", type != NULL ? type->unit : "");
}

// ---- Lines ----------------------------------------------------------------------------------

static void
end_line(struct writer *w)
{
	if (w->is_open)
		put(w, "}\n");
	w->is_open = false;
}

static void
begin_line(struct writer *w, struct pmon_span path)
{
	end_line(w);
	w->is_open = true;
	w->is_placed = false;
	w->n_lines++;
	put(w, "{\"path\":");
	put_string(w, path);
}

// By name, or hexadecimal if it has none.
static void
put_raw_status(struct writer *w, uint32_t status)
{
	const char *name = pmon_raw_status_name(status);
	char hex[16];
	struct pmon_text t = pmon_text_init(hex, sizeof(hex));

	pmon_text_hex32(&t, status);
	put_text(w, "status", name != NULL ? name : hex);
}

static void
put_time_base(struct writer *w, const struct pmon_series *series)
{
	if (series->counter.time_base != 0) {
		put_i64(w, "time_base", series->counter.time_base);
	} else {
		put_key(w, "time_base");
		put(w, "null");
	}
}

static void
put_raw(struct writer *w, const struct pmon_series *series, const struct pmon_raw *raw)
{
	put_type(w, "type", series->counter.type);
	put_time(w, "time", raw->time);
	put_raw_status(w, raw->status);
	put_i64(w, "first", raw->first);
	put_i64(w, "second", raw->second);
	put_u64(w, "multi", raw->multi);
	put_time_base(w, series);
	put_unit(w, series->counter.type);
}

static void
put_value(struct writer *w, const struct pmon_series *series, pmon_time time,
	  const struct pmon_value *value)
{
	char buf[PMON_NUM_SIZE] = "null";

	if (pmon_vstat_has_value(value->status))
		pmon_num_shortest(value->value, buf);
	put_time(w, "time", time);
	put_key(w, "value");
	put(w, buf);
	put_text(w, "status", pmon_vstat_name(value->status));
	put_unit(w, series->counter.type);
}

// Number the lines, so that readers notice missing ones.
static void
put_place(struct writer *w)
{
	put_u64(w, "line", w->n_lines);
	w->is_placed = true;
}

// The sample that the line belongs to.
static void
put_sample(struct writer *w, const struct pmon_sample *sample, pmon_time time)
{
	put_u64(w, "sample", sample->ordinal);
	if (sample->stream != 0)
		put_u64(w, "stream", sample->stream);
	if (sample->time != time)
		put_time(w, "sample_time", sample->time);
	put_i64(w, "utc_offset_min", sample->utc_offset_min);
	if (sample->preceding) {
		put_key(w, "lead_in");
		put(w, "true");
	}
}

static bool
same_span(struct pmon_span a, struct pmon_span b)
{
	return (a.ptr == NULL) == (b.ptr == NULL) && a.len == b.len &&
	       (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static void
put_part(struct writer *w, const char *key, struct pmon_span part)
{
	if (part.ptr == NULL)
		return;
	put_key(w, key);
	put_string(w, part);
}

// Write the parts of a path if its text alone would be split differently.
static void
put_parts(struct writer *w, const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;
	struct pmon_path read;

	if (pmon_path_parse(series->name, &read, NULL) && same_span(read.machine, path->machine) &&
	    same_span(read.object, path->object) && same_span(read.parent, path->parent) &&
	    same_span(read.instance, path->instance) && read.index == path->index &&
	    same_span(read.counter, path->counter))
		return;
	put_part(w, "machine", path->machine);
	put_part(w, "object", path->object);
	put_part(w, "parent", path->parent);
	put_part(w, "instance", path->instance);
	put_i64(w, "index", path->index);
	put_part(w, "counter", path->counter);
}

// Write what does not follow from the name of the type.
static void
put_counter(struct writer *w, const struct pmon_counter *counter)
{
	const struct pmon_counter_type *type = pmon_type_by_word(counter->type);
	const struct pmon_counter_type *named =
		type != NULL ? pmon_type_by_name((struct pmon_span){type->name, strlen(type->name)})
			     : NULL;

	if (named != NULL && named->word != counter->type)
		put_u64(w, "type_word", counter->type);
	if (counter->size_bytes != 0)
		put_u64(w, "size", counter->size_bytes);
	if (counter->default_scale != 0)
		put_i64(w, "scale", counter->default_scale);
}

// Write as many as fit: the first line must not become too long to be read.
static void
put_machine_ids(struct writer *w)
{
	const struct pmon_source_info *info = w->info;
	size_t bytes = 0;

	if (info->n_machines == 0)
		return;
	put_key(w, "log_machine_ids");
	put(w, "{");
	for (size_t i = 0; i < info->n_machines; i++) {
		const struct pmon_machine *machine = &info->machines[i];
		struct pmon_span name = {machine->name, strlen(machine->name)};

		bytes += 6 * name.len + 40; // as \u and four digits each
		if (bytes > MACHINES_MAX)
			break;
		put(w, i == 0 ? "" : ",");
		put_string(w, name);
		put(w, ":");
		put_string(w, (struct pmon_span){machine->id, strlen(machine->id)});
	}
	put(w, "}");
}

static void
put_info(struct writer *w)
{
	const struct pmon_source_info *info = w->info;

	put_text(w, "log_writer", info->writer);
	if (pmon_source_converter(info)[0] != '\0')
		put_text(w, "log_converter", pmon_source_converter(info));
	if (info->sampled_by_pmon) {
		put_key(w, "log_sampled_by_pmon");
		put(w, "true");
	}
	put_text(w, "log_machine", info->machine);
	put_machine_ids(w);
	put_text(w, "log_zone", info->zone);
	put_time(w, "log_start", info->log_start);
	put_time(w, "log_end", info->log_end);
	if (!w->live) {
		put_key(w, "log_last");
		put(w, "true");
	}
}

// The facts about a series, on its first line.
static void
put_series(struct writer *w, const struct pmon_series *series, bool values)
{
	if (w->told[series->id])
		return;
	w->told[series->id] = 1;
	put_u64(w, "order", series->order);
	put_parts(w, series);
	if (!values)
		put_counter(w, &series->counter);
	if (series->wildcard)
		put_u64(w, "wildcard", 1);
	if (series->formatted)
		put_u64(w, "formatted", 1);
	if (series->formatted && pmon_series_says_type(series))
		put_type(w, "known_type", series->known_type);
	if (values && !series->formatted)
		put_type(w, "known_type", series->counter.type);
}

// The facts about the log, on its first line.
static void
put_log(struct writer *w)
{
	if (!w->info_told)
		put_info(w);
	w->info_told = true;
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
writer_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	(void)err;
	w->schema = schema;
	w->info = info;
	return PMON_OK;
}

static bool
is_value_writer(const struct writer *w)
{
	return (pmon_sink_needs(&w->sink) & PMON_SINK_VALUES) != 0;
}

static bool
grow(struct writer *w)
{
	size_t n = pmon_schema_count(w->schema);

	if (!pmon_mem_grow(w->allocator, &w->told, &w->told_cap, n, sizeof(*w->told)))
		return false;
	if (n > w->told_n)
		memset(w->told + w->told_n, 0, n - w->told_n);
	w->told_n = n;
	return true;
}

// A sample without values has its own line, without a counter.
static void
add_empty(struct writer *w, const struct pmon_sample *sample)
{
	begin_line(w, PMON_SPAN(""));
	put_time(w, "time", sample->time);
	put_sample(w, sample, sample->time);
	put_place(w);
	put_log(w);
}

static enum pmon_status
add(struct writer *w, const struct pmon_sample *sample, const struct pmon_value *values,
    struct pmon_err *err)
{
	if (!grow(w))
		return pmon_err_nomem(err);
	if (sample->n == 0)
		add_empty(w, sample);
	else
		w->has_value = true;
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(w->schema, sample->series[i]);
		pmon_time time = sample->raw[i].time;

		begin_line(w, series->name);
		if (values != NULL)
			put_value(w, series, time, &values[i]);
		else
			put_raw(w, series, &sample->raw[i]);
		put_u64(w, "series", series->id);
		put_sample(w, sample, time);
		if (i == 0)
			put_place(w);
		put_series(w, series, values != NULL);
		put_log(w);
	}
	return pmon_format_check(w->file, &w->checked, err);
}

static enum pmon_status
add_raws(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	 struct pmon_err *err)
{
	(void)values;
	return add((struct writer *)sink, sample, NULL, err);
}

static enum pmon_status
add_values(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	if (sample->preceding)
		return PMON_OK;
	return add((struct writer *)sink, sample, values, err);
}

// A counter that never had a value has a line of its own, without a sample.
static void
add_unused(struct writer *w, const struct pmon_series *series)
{
	begin_line(w, series->name);
	if (!is_value_writer(w)) {
		put_type(w, "type", series->counter.type);
		put_time_base(w, series);
	}
	put_unit(w, series->counter.type);
	put_u64(w, "series", series->id);
	put_series(w, series, is_value_writer(w));
}

static void
add_all_unused(struct writer *w)
{
	for (size_t i = 0; i < w->told_n; i++)
		if (!w->told[i])
			add_unused(w, pmon_schema_at(w->schema, i));
}

static enum pmon_status
writer_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	if (w->live)
		end_line(w);
	return pmon_outfile_flush(w->file, sync, err);
}

static uint64_t
writer_size(const struct pmon_sink *sink)
{
	return pmon_outfile_size(((const struct writer *)sink)->file);
}

static struct pmon_outfile *
writer_file(const struct pmon_sink *sink)
{
	return ((const struct writer *)sink)->file;
}

static enum pmon_status
writer_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	if (pmon_schema_count(w->schema) == 0 && !w->live)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "cannot write JSON lines without counters");
	if (w->has_value && !w->live) {
		if (!grow(w))
			return pmon_err_nomem(err);
		add_all_unused(w);
	}
	if (w->is_open && !w->live) {
		if (!w->is_placed)
			put_place(w);
		put_key(w, "last");
		put(w, "true");
	}
	end_line(w);
	if (!w->has_value && !w->live)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "JSON lines without any %s cannot be written",
				    w->n_lines == 0 ? "sample" : "value");
	return pmon_outfile_commit(w->file, err);
}

static void
writer_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	pmon_outfile_close(w->file);
	pmon_mem_free(w->allocator, w->told, w->told_cap * sizeof(*w->told));
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops raw_ops = {.needs = 0,
					     .begin = writer_begin,
					     .add = add_raws,
					     .finish = writer_finish,
					     .close = writer_close,
					     .flush = writer_flush,
					     .size = writer_size,
					     .file = writer_file};
static const struct pmon_sink_ops value_ops = {.needs = PMON_SINK_VALUES,
					       .begin = writer_begin,
					       .add = add_values,
					       .finish = writer_finish,
					       .close = writer_close,
					       .flush = writer_flush,
					       .size = writer_size,
					       .file = writer_file};

// Lines appended to another writer's output repeat the facts about their series, so both are read
// as one log.
static enum pmon_status
go_on(struct pmon_outfile *file, struct pmon_err *err)
{
	static const char beginning[] = "{\"path\":";
	char head[sizeof(beginning) - 1];

	if (pmon_outfile_read_at(file, 0, head, sizeof(head)) < sizeof(head) ||
	    memcmp(head, beginning, sizeof(head)) != 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the existing file does not contain pmon's JSON lines");
	return pmon_outfile_cut_line(file, err);
}

static enum pmon_status
writer_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	    const struct pmon_create_options *options, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	enum pmon_status status;

	(void)writer;
	w->allocator = pmon_mem_allocator(options->allocator);
	w->live = options->live;
	status = pmon_format_outfile(path, options, &w->file, err);
	return status == PMON_OK && options->append ? go_on(w->file, err) : status;
}

static const struct pmon_writer writers[] = {
	{.name = "jsonl",
	 .endings = {"jsonl", "json", "ndjson"},
	 .reads_as = "JSON lines",
	 .can_name = pmon_names_are_text,
	 .open = writer_open,
	 .sink_bytes = sizeof(struct writer),
	 .ops = &raw_ops,
	 .raw = true,
	 .record = true,
	 .append = true},
	{.name = "jsonl-values",
	 .endings = {"jsonl"},
	 .reads_as = "JSON lines",
	 .can_name = pmon_names_are_text,
	 .open = writer_open,
	 .sink_bytes = sizeof(struct writer),
	 .ops = &value_ops},
};

const struct pmon_format pmon_format_jsonl = {
	.name = "JSON lines",
#ifdef PMON_WITH_JSON
	.probe = pmon_jsonl_probe,
	.open = pmon_jsonl_open,
	.source_bytes = sizeof(struct jsonl),
	.ops = &pmon_jsonl_source_ops,
#endif
	.is_forward = true,
	.writers = writers,
	.n_writers = sizeof(writers) / sizeof(writers[0]),
};
