// write.c - write a log as a T-SQL script that fills the tables of Windows' SQL logs
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/sqlserver.md. The script may be run again, and alongside existing logs: a
// log set is deleted before it is filled, and counters already in the database keep their numbers.
// The text is ASCII, so it does not depend on the encoding that a client assumes.

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"
#include "format/format.h"
#include "format/log_sets.h"
#include "format/sqlserver/script.h"
#include "model/schema.h"

#define ROWS_A_BATCH 1000 // the most that VALUES accepts
#define MOST_TEXT    1024 // varchar(1024)
#define MOST_ZONE    32   // char(32)
#define ROW_SIZE     512  // for a row of numbers

struct script {
	struct pmon_sink sink; // must be first, as in every sink
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	char stem[PMON_SET_STEM];
	struct pmon_log_set *sets;
	size_t n_sets;
	size_t sets_cap;
	size_t set;    // index of the batch's log set
	size_t n_rows; // in the batch
	uint64_t checked;
};

// ---- Literals -------------------------------------------------------------------------------

static void
put(struct script *s, const char *text)
{
	pmon_outfile_write(s->file, text, strlen(text));
}

static void
put_int(struct script *s, int64_t n)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_i64(&t, n);
	pmon_outfile_write(s->file, buf, t.len);
}

static void
put_nchar(struct script *s, uint32_t c)
{
	put(s, " + NCHAR(");
	put_int(s, c);
	put(s, ")");
}

// In T-SQL, characters outside the basic plane count as two.
static void
put_other(struct script *s, uint32_t c)
{
	if (c >= 0xDC80 && c <= 0xDCFF) // not valid text
		c = 0xFFFD;
	if (c < 0x10000) {
		put_nchar(s, c);
		return;
	}
	put_nchar(s, 0xD800 + ((c - 0x10000) >> 10));
	put_nchar(s, 0xDC00 + ((c - 0x10000) & 0x3FF));
}

// N'...' + NCHAR(10) + N'...'. A "$" gets its own literal, because sqlcmd replaces "$(name)" even
// inside literals.
static void
put_text(struct script *s, struct pmon_span text)
{
	bool is_open = true;
	size_t pos = 0;

	put(s, "N'");
	while (pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (!pmon_utf_is_ascii(text.ptr[at]) || c == '$') {
			put(s, is_open ? "'" : "");
			is_open = false;
			put_other(s, c);
			continue;
		}
		put(s, is_open ? "" : " + N'");
		is_open = true;
		put(s, c == '\'' ? "'" : "");
		pmon_outfile_write(s->file, text.ptr + at, 1);
	}
	put(s, is_open ? "'" : "");
}

static void
put_text_or_null(struct script *s, struct pmon_span text)
{
	if (text.ptr == NULL)
		put(s, "NULL");
	else
		put_text(s, text);
}

static void
put_c_text(struct script *s, const char *text)
{
	put_text(s, (struct pmon_span){text, strlen(text)});
}

// The halves of a 64-bit number, each as a signed 32-bit integer, the lower one first.
static void
add_halves(struct pmon_text *t, int64_t n)
{
	pmon_text_char(t, ',');
	pmon_text_i64(t, (int32_t)(uint32_t)n);
	pmon_text_char(t, ',');
	pmon_text_i64(t, (int32_t)(uint32_t)((uint64_t)n >> 32));
}

// Always with an exponent: a number without one is a decimal, which is not always converted to the
// nearest float.
static void
add_float(struct pmon_text *t, double number)
{
	char buf[PMON_NUM_SIZE];

	pmon_num_shortest(number, buf);
	pmon_text_str(t, buf);
	pmon_text_str(t, strchr(buf, 'e') == NULL ? "E0" : "");
}

// ---- Counters -------------------------------------------------------------------------------

// Windows puts two backslashes before the name of a machine.
static void
put_machine(struct script *s, struct pmon_span machine)
{
	put(s, machine.ptr != NULL ? "N'\\\\' + " : "");
	put_text(s, machine);
}

static void
put_counter(struct script *s, const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;
	char buf[ROW_SIZE];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	put(s, "(");
	put_int(s, (int64_t)series->id + 1);
	put(s, ",");
	put_machine(s, path->machine);
	put(s, ",");
	put_text(s, path->object);
	put(s, ",");
	put_text(s, path->counter);
	pmon_text_char(&t, ',');
	pmon_text_i64(&t, (int32_t)series->counter.type);
	pmon_text_char(&t, ',');
	pmon_text_i64(&t, series->counter.default_scale);
	pmon_text_char(&t, ',');
	pmon_outfile_write(s->file, buf, t.len);
	put_text_or_null(s, path->instance);
	put(s, ",");
	if (path->instance.ptr != NULL)
		put_int(s, path->index);
	else
		put(s, "NULL");
	put(s, ",");
	put_text_or_null(s, path->parent);
	t = pmon_text_init(buf, sizeof(buf));
	add_halves(&t, series->counter.time_base);
	pmon_outfile_write(s->file, buf, t.len);
	put(s, ")");
}

static void
end_batch(struct script *s)
{
	if (s->n_rows == 0)
		return;
	s->n_rows = 0;
	put(s, ";\nINSERT INTO CounterData (" SCRIPT_DATA_COLUMNS ")\n SELECT '");
	put(s, s->sets[s->set].guid);
	put(s, "', " SCRIPT_DATA_SELECT ";\nDELETE FROM #pmon_data;\nGO\n");
}

// Insert all counters of the log, and get their numbers in the database.
static void
put_counters(struct script *s)
{
	size_t n = pmon_schema_count(s->schema);

	for (size_t i = 0; i < n; i++) {
		bool is_last = i + 1 == n || (i + 1) % ROWS_A_BATCH == 0;

		if (i % ROWS_A_BATCH == 0)
			put(s,
			    "INSERT INTO #pmon_counter (id, " SCRIPT_COUNTER_COLUMNS ") VALUES\n");
		put_counter(s, pmon_schema_at(s->schema, i));
		put(s, is_last ? ";\n" : ",\n");
	}
	put(s, SCRIPT_NUMBER_COUNTERS "GO\n");
}

// ---- Values ---------------------------------------------------------------------------------

static void
put_delete(struct script *s, const char *table, const char *guid)
{
	put(s, "DELETE FROM ");
	put(s, table);
	put(s, " WHERE GUID = '");
	put(s, guid);
	put(s, "';\n");
}

// Find the log set of a sample; the first sample of a stream starts a new one. False if memory runs
// out.
static bool
find_set(struct script *s, const struct pmon_sample *sample, size_t *out)
{
	struct pmon_log_set *set;

	for (*out = 0; *out < s->n_sets; (*out)++)
		if (s->sets[*out].stream == sample->stream)
			return true;
	if (!pmon_mem_grow(s->allocator, &s->sets, &s->sets_cap, s->n_sets + 1, sizeof(*s->sets)))
		return false;
	end_batch(s);
	set = &s->sets[s->n_sets++];
	*set = (struct pmon_log_set){.stream = sample->stream,
				     .first = sample->time,
				     .utc_offset_min = sample->utc_offset_min};
	pmon_log_set_make_guid(set, s->schema, s->info);
	put_delete(s, "DisplayToID", set->guid);
	put_delete(s, "CounterData", set->guid);
	put(s, "GO\n");
	return true;
}

static void
put_value(struct script *s, const struct pmon_sample *sample, size_t i,
	  const struct pmon_value *value)
{
	const struct pmon_series *series = pmon_schema_at(s->schema, sample->series[i]);
	const struct pmon_raw *raw = &sample->raw[i];
	char time[PMON_TIME_SIZE];
	char buf[ROW_SIZE];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_time_local(raw->time != PMON_TIME_NONE ? raw->time : sample->time, 0, time);
	pmon_text_str(&t, s->n_rows == 0 ? "INSERT INTO #pmon_data (" SCRIPT_VALUE_COLUMNS
					   ") VALUES\n("
					 : ",\n(");
	pmon_text_u64(&t, (uint64_t)series->id + 1);
	pmon_text_char(&t, ',');
	pmon_text_u64(&t, s->sets[s->set].records);
	pmon_text_str(&t, ",'");
	pmon_text_str(&t, time);
	pmon_text_str(&t, "',");
	add_float(&t, pmon_log_set_value(series, raw, value));
	add_halves(&t, raw->first);
	add_halves(&t, raw->second);
	pmon_text_char(&t, ',');
	pmon_text_i64(&t, (int32_t)raw->multi);
	pmon_text_char(&t, ')');
	pmon_outfile_write(s->file, buf, t.len);
	if (++s->n_rows == ROWS_A_BATCH)
		end_batch(s);
}

// Windows' tables cannot mark a sample that only precedes the others, or store start values of
// processes.
static enum pmon_status
script_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	struct script *s = (struct script *)sink;
	size_t set;

	if (sample->preceding)
		return PMON_OK;
	if (!find_set(s, sample, &set))
		return pmon_err_nomem(err);
	if (set != s->set)
		end_batch(s);
	s->set = set;
	s->sets[set].records++;
	s->sets[set].last = sample->time;
	for (size_t i = 0; i < sample->n; i++)
		put_value(s, sample, i, values != NULL ? &values[i] : NULL);
	return pmon_format_check(s->file, &s->checked, err);
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
script_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct script *s = (struct script *)sink;

	(void)err;
	s->schema = schema;
	s->info = info;
	put(s, SCRIPT_BEGINNING);
	put_counters(s);
	return PMON_OK;
}

// As much of a zone name as fits in char(32).
static struct pmon_span
cut_zone(const char *zone)
{
	struct pmon_span text = {zone, strlen(zone)};
	size_t pos = 0;
	size_t end = 0;

	while (pos < text.len && pos <= MOST_ZONE) {
		end = pos;
		(void)pmon_utf8_next(text, &pos);
	}
	if (pos > MOST_ZONE)
		text.len = end;
	return text;
}

// Insert a log set into the list once it is complete. Names must be unique, so if another log set
// has the name, the GUID is added.
static void
put_set(struct script *s, size_t i)
{
	const struct pmon_log_set *set = &s->sets[i];
	char name[PMON_SET_NAME];
	char time[PMON_TIME_SIZE];

	pmon_log_set_name(s->stem, i, name);
	put(s, "INSERT INTO DisplayToID (" SCRIPT_SET_COLUMNS ")\n SELECT '");
	put(s, set->guid);
	put(s, "', 0, CASE WHEN EXISTS (SELECT * FROM DisplayToID WHERE DisplayString = ");
	put_c_text(s, name);
	put(s, ")\n THEN ");
	put_c_text(s, name);
	put(s, " + N' ");
	put(s, set->guid);
	put(s, "' ELSE ");
	put_c_text(s, name);
	put(s, " END, '");
	pmon_time_local(set->first, 0, time);
	put(s, time);
	put(s, "', '");
	pmon_time_local(set->last, 0, time);
	put(s, time);
	put(s, "', ");
	put_int(s, (int64_t)set->records);
	put(s, ", ");
	put_int(s, -(int64_t)set->utc_offset_min);
	put(s, ", ");
	put_text(s, cut_zone(s->info->zone));
	put(s, ";\n");
}

static enum pmon_status
script_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct script *s = (struct script *)sink;

	end_batch(s);
	for (size_t i = 0; i < s->n_sets; i++)
		put_set(s, i);
	put(s, SCRIPT_END);
	return pmon_outfile_commit(s->file, err);
}

static void
script_close(struct pmon_sink *sink)
{
	struct script *s = (struct script *)sink;

	pmon_outfile_close(s->file);
	pmon_mem_free(s->allocator, s->sets, s->sets_cap * sizeof(*s->sets));
	pmon_mem_free(s->allocator, s, sizeof(*s));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_SCHEMA | PMON_SINK_VALUES,
	.begin = script_begin,
	.add = script_add,
	.finish = script_finish,
	.close = script_close,
};

static enum pmon_status
script_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	    const struct pmon_create_options *options, struct pmon_err *err)
{
	struct script *s = (struct script *)sink;

	(void)writer;
	s->allocator = pmon_mem_allocator(options->allocator);
	pmon_log_set_stem(strcmp(path, "-") == 0 ? "pmon" : path, s->stem);
	return pmon_format_outfile(path, options, &s->file, err);
}

// T-SQL counts UTF-16 units, which never exceed the number of UTF-8 bytes.
static bool
fits(struct pmon_span text, size_t most)
{
	return text.len <= most;
}

static bool
can_name(const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;

	return pmon_names_are_text(series) && fits(path->machine, MOST_TEXT - 2) &&
	       fits(path->object, MOST_TEXT) && fits(path->counter, MOST_TEXT) &&
	       fits(path->instance, MOST_TEXT) && fits(path->parent, MOST_TEXT);
}

static const struct pmon_writer writer = {
	.name = "sqlserver",
	.endings = {"sql"},
	.open = script_open,
	.sink_bytes = sizeof(struct script),
	.ops = &ops,
	.can_name = can_name,
	.raw = true,
};

const struct pmon_format pmon_format_sqlserver = {
	.name = "SQL Server script", .writers = &writer, .n_writers = 1};
