// write.c - the binary log of Windows' Performance Monitor, as a sink of samples
// SPDX-License-Identifier: MIT

#include "format/blg/write.h"

#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

#define CATALOGUE_LEAD 10 // the catalogue is dated this much before the first sample, in 100 ns
#define UNIX_EPOCH     INT64_C(116444736000000000)

static void
blg_writer_close(struct pmon_sink *sink)
{
	struct blg_writer *w = (struct blg_writer *)sink;
	const struct pmon_allocator *allocator = w->allocator;

	pmon_blg_out_close(&w->out);
	pmon_map_free(&w->entry_map, allocator);
	pmon_map_free(&w->item_map, allocator);
	pmon_map_free(&w->text_map, allocator);
	pmon_mem_free(allocator, w->logs, w->logs_cap * sizeof(*w->logs));
	pmon_mem_free(allocator, w->entries, w->entries_cap * sizeof(*w->entries));
	pmon_mem_free(allocator, w->items, w->items_cap * sizeof(*w->items));
	pmon_mem_free(allocator, w->visits, w->visits_cap * sizeof(*w->visits));
	pmon_mem_free(allocator, w->next, w->next_cap * sizeof(*w->next));
	pmon_mem_free(allocator, w->picks, w->picks_cap * sizeof(*w->picks));
	pmon_mem_free(allocator, w->record.ptr, w->record.cap);
	pmon_clocks_free(&w->clocks);
	if (w->slots.schema != NULL)
		pmon_slots_free(&w->slots);
	pmon_mem_free(allocator, w->planned, w->planned_cap * sizeof(*w->planned));
	pmon_mem_free(allocator, w->plan, w->plan_cap * sizeof(*w->plan));
	pmon_arena_free(&w->arena);
	pmon_mem_free(allocator, w, sizeof(*w));
}

// ---- Beginning ------------------------------------------------------------------------------

static enum pmon_status
blg_writer_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
		 const struct pmon_source_info *info, struct pmon_err *err)
{
	struct blg_writer *w = (struct blg_writer *)sink;

	if (w->schema != NULL)
		return pmon_err_set(err, PMON_E_STATE, 0, "the log has already been started");
	w->schema = schema;
	w->info = info;
	if (pmon_schema_count(schema) == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "cannot write a binary log without counters");
	return pmon_blg_out_learn(w, err);
}

// The id of a log: equal for the same counters and the same first sample, otherwise different.
static void
make_id(struct blg_writer *w, struct blg_out_log *log, int64_t local)
{
	struct pmon_hash128 hash = pmon_hash128(w->record.ptr, w->record.len);
	uint8_t all[28];
	struct pmon_wr out = pmon_wr_init(all, sizeof(all));

	pmon_wr_u64(&out, hash.high);
	pmon_wr_u64(&out, hash.low);
	pmon_wr_u32(&out, log->source);
	pmon_wr_i64(&out, local);
	hash = pmon_hash128(all, sizeof(all));
	pmon_put_le64(log->id, hash.high);
	pmon_put_le64(log->id + 8, hash.low);
	log->id[7] = (uint8_t)((log->id[7] & 0x0F) | 0x40);
	log->id[8] = (uint8_t)((log->id[8] & 0x3F) | 0x80);
}

static enum pmon_status
put_catalogue(struct blg_writer *w, struct blg_out_log *log, pmon_time first, int32_t offset_min,
	      struct pmon_err *err)
{
	struct blg_out_record record = {.type = BLG_CATALOGUE, .log_id = log->id, .utc = first};
	enum pmon_status status = pmon_blg_out_catalogue(w, log, err);

	if (status != PMON_OK)
		return status;
	record.local = blg_out_local(first, offset_min) - CATALOGUE_LEAD;
	record.offset_min = offset_min;
	record.bytes = w->record.ptr;
	record.len = w->record.len;
	return pmon_blg_out_put(&w->out, &record, err);
}

// Ticks per second of the performance clock, from the counters on it.
static int64_t
perf_freq(const struct blg_writer *w)
{
	for (size_t i = 0; i < w->n_entries; i++) {
		const struct pmon_counter *c = &w->entries[i].series->counter;

		if ((c->type & 0x00300C00u) == 0x400 && c->time_base > 0)
			return c->time_base;
	}
	return PMON_TIME_PER_SEC;
}

// Sources without such a time may have left it 0.
static bool
is_known(pmon_time t)
{
	return t > 0;
}

static void
take_facts(struct blg_writer *w, pmon_time first)
{
	const struct pmon_source_info *info = w->info;
	const struct pmon_host *host = info->host;

	w->facts.start = is_known(info->log_start) ? info->log_start : first;
	w->facts.perf_freq = host != NULL && host->perf_freq > 0 ? host->perf_freq : perf_freq(w);
	if (host != NULL) {
		w->facts.boot = is_known(host->boot) ? host->boot : 0;
		w->facts.cpu_mhz = host->cpu_mhz;
	}
	w->facts.zone = w->zone.bytes;
	w->facts.log_id = w->logs[0].id;
	w->facts.path = w->path;
	w->facts.ring_bytes = w->options.ring_bytes;
	w->facts.info = info;
}

// The header and the catalogues, when the time of the first sample is known.
static enum pmon_status
start(struct blg_writer *w, pmon_time first, int32_t offset_min, struct pmon_err *err)
{
	int64_t local = blg_out_local(first, offset_min);
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < w->n_logs && status == PMON_OK; i++) {
		status = pmon_blg_out_catalogue(w, &w->logs[i], err);
		if (status == PMON_OK)
			make_id(w, &w->logs[i], local);
	}
	if (status != PMON_OK)
		return status;
	take_facts(w, first);
	status = pmon_blg_out_begin(&w->out, &w->facts, err);
	for (size_t i = 0; i < w->n_logs && status == PMON_OK; i++)
		status = put_catalogue(w, &w->logs[i], first, offset_min, err);
	if (status == PMON_OK)
		status = pmon_blg_out_close_ring(&w->out, err);
	w->n_written = w->n_entries;
	w->begun = status == PMON_OK;
	return status;
}

// Handle counters added since the list of counters was written: write a list that continues it, or
// report those that must be skipped.
static enum pmon_status
put_news(struct blg_writer *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (w->n_late > 0 && w->n_late < SIZE_MAX) {
		pmon_format_tell_late(&w->options, w->n_late);
		w->n_late = SIZE_MAX;
	}
	if (w->n_written == w->n_entries)
		return PMON_OK;
	w->n_written = w->n_entries;
	return put_catalogue(w, &w->logs[0], sample->time, sample->utc_offset_min, err);
}

// ---- Samples --------------------------------------------------------------------------------

// The zone in the header follows the first log.
static bool
is_in_first_log(const struct blg_writer *w, const struct pmon_sample *sample)
{
	if (w->n_logs == 1)
		return true;
	return sample->n > 0 && w->entries[w->items[sample->series[0]].entry].log == 0;
}

static bool
lacks_perf(const struct blg_writer *w, uint32_t series)
{
	uint32_t entry = w->items[series].entry;

	return entry != BLG_NONE && !w->logs[w->entries[entry].log].has_perf;
}

// Readers compare the system clock with the performance clock. Where no counter of a log has the
// latter, count the values whose interval they will not recognize as wrong.
static bool
count_stepped(struct blg_writer *w, const struct pmon_sample *sample)
{
	if (w->clocks.schema == NULL && w->n_without_perf == 0)
		return true;
	if (w->clocks.schema == NULL)
		pmon_clocks_init(&w->clocks, w->allocator, w->schema);
	if (!pmon_clocks_see(&w->clocks, sample))
		return false;
	for (size_t i = 0; i < sample->n; i++)
		w->n_stepped += (sample->raw[i].status == PMON_RAW_STEPPED ||
				 pmon_clocks_stepped(&w->clocks, sample->series[i])) &&
				lacks_perf(w, sample->series[i]);
	return true;
}

static bool
has_changed(const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++)
		if (sample->raw[i].status == PMON_RAW_CHANGED)
			return true;
	return false;
}

// Readers compare process IDs. Where an instance has none, count the values of another process than
// before.
static bool
count_changed(struct blg_writer *w, const struct pmon_sample *sample)
{
	if (!has_changed(sample))
		return true;
	if (w->slots.schema == NULL)
		pmon_slots_init(&w->slots, w->allocator, w->schema);
	if (!pmon_slots_see(&w->slots, sample))
		return false;
	for (size_t i = 0; i < sample->n; i++)
		w->n_changed += sample->raw[i].status == PMON_RAW_CHANGED &&
				pmon_slot_of(&w->slots, sample->series[i]) == PMON_SLOT_NONE;
	return true;
}

static enum pmon_status
add_sample(struct blg_writer *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	bool zone_changed = false;
	enum pmon_status status = pmon_blg_out_learn(w, err);

	if (status != PMON_OK)
		return status;
	if (!w->begun)
		pmon_blg_out_zone_begin(&w->zone, w->info);
	if (is_in_first_log(w, sample))
		zone_changed =
			pmon_blg_out_zone_add(&w->zone, sample->time, sample->utc_offset_min);
	if (!w->begun)
		status = start(w, sample->time, sample->utc_offset_min, err);
	else if (zone_changed)
		status = pmon_blg_out_patch(&w->out, &w->facts, err);
	if (status == PMON_OK)
		status = put_news(w, sample, err);
	if (status != PMON_OK)
		return status;
	if (!count_stepped(w, sample) || !count_changed(w, sample))
		return pmon_err_nomem(err);
	if (w->last == PMON_TIME_NONE || sample->time > w->last)
		w->last = sample->time;
	return pmon_blg_out_sample(w, sample, err);
}

// After a failure the file cannot be completed: every later call fails in the same way.
static enum pmon_status
failed(const struct blg_writer *w, struct pmon_err *err)
{
	if (err != NULL)
		*err = w->failure_err;
	return w->failure;
}

static enum pmon_status
check_state(const struct blg_writer *w, struct pmon_err *err)
{
	if (w->schema == NULL || w->finished)
		return pmon_err_set(err, PMON_E_STATE, 0, "the log has not been started");
	return PMON_OK;
}

static enum pmon_status
blg_writer_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	       const struct pmon_value *values, struct pmon_err *err)
{
	struct blg_writer *w = (struct blg_writer *)sink;
	enum pmon_status status = check_state(w, err);

	(void)values;
	if (status != PMON_OK)
		return status;
	if (w->failure == PMON_OK)
		w->failure = add_sample(w, sample, &w->failure_err);
	return w->failure == PMON_OK ? PMON_OK : failed(w, err);
}

enum pmon_status
pmon_blg_writer_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	struct blg_writer *w = (struct blg_writer *)sink;
	enum pmon_status status = check_state(w, err);

	if (status != PMON_OK || !w->begun)
		return status;
	if (w->failure == PMON_OK)
		w->failure = pmon_blg_out_flush(&w->out, sync, &w->failure_err);
	return w->failure == PMON_OK ? PMON_OK : failed(w, err);
}

// ---- The end --------------------------------------------------------------------------------

static pmon_time
now(void)
{
	return UNIX_EPOCH + (pmon_time)time(NULL) * PMON_TIME_PER_SEC;
}

// A log without samples has the times of its source, or the current time if there are none.
static enum pmon_status
start_empty(struct blg_writer *w, struct pmon_err *err)
{
	pmon_time first = w->info->log_start;

	if (!is_known(first))
		first = is_known(w->info->log_end) ? w->info->log_end : now();
	w->last = first;
	pmon_blg_out_zone_begin(&w->zone, w->info);
	return start(w, first, w->info->utc_offset_min, err);
}

static void
tell_stepped(const struct blg_writer *w)
{
	char buf[256];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));
	struct pmon_notice notice = {.is_loss = true, .text = buf};

	if (w->n_stepped == 0 || w->options.notice == NULL)
		return;
	pmon_text_str(&text, "the system clock was set before ");
	pmon_text_u64(&text, w->n_stepped);
	pmon_text_str(&text, pmon_text_word(w->n_stepped, " value", " values"));
	pmon_text_str(&text,
		      ", which cannot be stored without a counter that has the performance clock; "
		      "select one too, such as \\System\\Context Switches/sec");
	w->options.notice(w->options.notice_ctx, &notice);
}

static void
tell_changed(const struct blg_writer *w)
{
	char buf[256];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));
	struct pmon_notice notice = {.is_loss = true, .text = buf};

	if (w->n_changed == 0 || w->options.notice == NULL)
		return;
	pmon_text_u64(&text, w->n_changed);
	pmon_text_str(&text, pmon_text_word(w->n_changed, " value is", " values are"));
	pmon_text_str(&text, " of another process than the value before, which cannot be stored "
			     "without `ID Process`; select it too, as in \\Process(*)\\ID Process");
	w->options.notice(w->options.notice_ctx, &notice);
}

static enum pmon_status
finish(struct blg_writer *w, struct pmon_err *err)
{
	enum pmon_status status = w->begun ? PMON_OK : start_empty(w, err);

	if (status != PMON_OK)
		return status;
	tell_stepped(w);
	tell_changed(w);
	w->facts.end = w->last;
	if (is_known(w->info->log_end) && w->info->log_end > w->last)
		w->facts.end = w->info->log_end;
	return pmon_blg_out_finish(&w->out, &w->facts, err);
}

static enum pmon_status
blg_writer_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct blg_writer *w = (struct blg_writer *)sink;
	enum pmon_status status = check_state(w, err);

	if (status != PMON_OK)
		return status;
	if (w->failure == PMON_OK)
		w->failure = finish(w, &w->failure_err);
	if (w->failure != PMON_OK)
		return failed(w, err);
	w->finished = true;
	return PMON_OK;
}

static uint64_t
blg_writer_size(const struct pmon_sink *sink)
{
	const struct blg_writer *w = (const struct blg_writer *)sink;

	return pmon_outfile_size(w->out.file);
}

static struct pmon_outfile *
blg_writer_file(const struct pmon_sink *sink)
{
	return ((const struct blg_writer *)sink)->out.file;
}

// ---- Making one -----------------------------------------------------------------------------

static const struct pmon_sink_ops writer_ops = {
	.needs = PMON_SINK_SCHEMA,
	.begin = blg_writer_begin,
	.add = blg_writer_add,
	.finish = blg_writer_finish,
	.close = blg_writer_close,
	.flush = pmon_blg_writer_flush,
	.size = blg_writer_size,
	.file = blg_writer_file,
};

static enum pmon_status
check_path(const char *path, struct pmon_err *err)
{
	if (strcmp(path, "-") == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "cannot write a binary log to standard output: its header is "
				    "completed at the end");
	return PMON_OK;
}

static enum pmon_status
blg_writer_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
		const struct pmon_create_options *options, struct pmon_err *err)
{
	struct blg_writer *w = (struct blg_writer *)sink;
	struct pmon_span name = {path, strlen(path)};
	enum pmon_status status;

	(void)writer;
	w->allocator = pmon_mem_allocator(options->allocator);
	w->options = *options;
	w->last = PMON_TIME_NONE;
	w->hash_seed = pmon_hash_seed();
	pmon_arena_init(&w->arena, w->allocator);
	status = check_path(path, err);
	if (status == PMON_OK && !pmon_arena_copy(&w->arena, name, &w->path))
		return pmon_err_nomem(err);
	return status == PMON_OK ? pmon_blg_out_open(&w->out, path, options, err) : status;
}

const struct pmon_writer pmon_blg_writer = {
	.name = "blg",
	.alias = "bin",
	.endings = {"blg"},
	.reads_as = "BLG",
	.can_name = pmon_names_are_whole,
	.open = blg_writer_open,
	.sink_bytes = sizeof(struct blg_writer),
	.ops = &writer_ops,
	.raw = true,
	.record = true,
	.ring = true,
};
