// split.c - read a log in parts, one per thread
// SPDX-License-Identifier: MIT
//
// A part is a range of buffers. A record belongs to the part that has its first event; its rest is
// read from the buffers after the part. Each part starts with the log's list of counters, and finds
// instances on its own; joining merges these in the order in which one pass would have found them.
// A part is odd, and ends, where anything would be reported, or where the log continues with a
// different list of counters.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"

#define BYTES_OF_ENTRY 1024 // of the log, to justify one more thread

// ---- Reading a part -------------------------------------------------------------------------

static void
note_oddity(void *ctx, const struct pmon_notice *notice)
{
	struct blg *part = ctx;

	(void)notice;
	part->is_odd = true;
}

// Whether every part already has it.
static bool
is_known(const struct blg *part, const struct blg_record *record)
{
	const struct blg_catalogue *c = part->logs[0].initial;

	if (memcmp(record->log_id, part->logs[0].id, sizeof(record->log_id)) != 0)
		return false;
	switch (record->type) {
	case BLG_CATALOGUE:
		return record->len == c->len && memcmp(record->bytes, c->bytes, c->len) == 0;
	case BLG_NAMES: // those before the first sample were read when the log was opened
		return part->n_decoded == 0 &&
		       record->offset < part->etl.stop * part->etl.header.buffer_bytes;
	default:
		return record->type == BLG_INSTANCES;
	}
}

static enum pmon_status
part_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct blg *part = (struct blg *)source;
	struct blg_record record;
	enum pmon_status status;

	do {
		pmon_blg_sample_expect(part);
		status = pmon_blg_record_next(&part->assembler, &record, err);
		if (status == PMON_OK)
			pmon_report_used(&part->report, record.file_bytes);
		if (status == PMON_OK && record.type == BLG_SAMPLE) {
			status = pmon_blg_sample_load(part, &record, err);
			*sample = &part->sample;
			return part->is_odd || status == PMON_END ? PMON_E_STATE : status;
		}
		if (part->is_odd || (status == PMON_OK && !is_known(part, &record)))
			return PMON_E_STATE;
	} while (status == PMON_OK);
	return status;
}

static enum pmon_status
part_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	return pmon_err_set(err, PMON_E_STATE, 0, "a part can be read only once");
}

static void
free_entries(struct blg *part)
{
	struct blg_catalogue *c = part->n_logs > 0 ? part->logs[0].initial : NULL;

	for (size_t i = 0; c != NULL && i < c->n; i++) {
		struct blg_entry *e = &c->entries[i];

		if (e->form != BLG_FORM_SINGLE)
			pmon_mem_free(part->allocator, e->columns,
				      e->columns_cap * sizeof(*e->columns));
		pmon_blg_many_free(e->many, part->allocator);
	}
	pmon_mem_free(part->allocator, part->logs, part->logs_cap * sizeof(*part->logs));
}

static void
part_close(struct pmon_source *source)
{
	struct blg *part = (struct blg *)source;
	const struct pmon_allocator *allocator = part->allocator;

	free_entries(part);
	pmon_blg_assembler_free(&part->assembler);
	pmon_mem_free(allocator, part->etl.own, part->etl.buffer_cap);
	pmon_mem_free(allocator, part->series, part->series_cap * sizeof(*part->series));
	pmon_mem_free(allocator, part->raw, part->raw_cap * sizeof(*part->raw));
	pmon_mem_free(allocator, part->marks, part->marks_cap * sizeof(*part->marks));
	pmon_mem_free(allocator, part->parents.names,
		      part->parents.cap * sizeof(*part->parents.names));
	pmon_mem_free(allocator, part->text, part->text_cap);
	pmon_schema_free(&part->source.schema);
	pmon_arena_free(&part->arena);
	pmon_mem_free(allocator, part, sizeof(*part));
}

static const struct pmon_source_ops part_ops = {part_next, part_rewind, part_close};

// ---- Splitting ------------------------------------------------------------------------------

// An entry as in the list of counters, without the state from reading.
static bool
copy_entry(struct blg *part, const struct blg_entry *entry, struct blg_entry *out)
{
	const struct blg_many *many = entry->many;

	*out = *entry;
	if (entry->form == BLG_FORM_SINGLE)
		return true;
	out->columns = NULL;
	out->columns_cap = 0;
	if (many != NULL &&
	    !pmon_blg_many_new(&part->arena, out, many->column > 0 ? out - 1 : NULL))
		return false;
	if (entry->n_columns == 0)
		return true;
	if (!pmon_mem_grow(part->allocator, &out->columns, &out->columns_cap, entry->n_columns,
			   sizeof(*out->columns)))
		return false;
	memcpy(out->columns, entry->columns, entry->n_columns * sizeof(*out->columns));
	for (size_t i = 0; i < out->n_columns; i++)
		out->columns[i].stamp = 0;
	return true;
}

static bool
is_all_single(const struct blg_catalogue *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->entries[i].form != BLG_FORM_SINGLE)
			return false;
	return true;
}

// Single values have no such state, so all parts share those of the whole.
static bool
copy_catalogue(struct blg *part, const struct blg_catalogue *c)
{
	struct blg_catalogue *copy = pmon_arena_alloc(&part->arena, sizeof(*copy));

	if (copy == NULL)
		return false;
	*copy = *c;
	part->logs[0].initial = part->logs[0].current = copy;
	if (is_all_single(c))
		return true;
	copy->entries = pmon_arena_alloc(&part->arena, c->n * sizeof(*c->entries));
	copy->n = 0;
	if (copy->entries == NULL)
		return false;
	for (; copy->n < c->n; copy->n++)
		if (!copy_entry(part, &c->entries[copy->n], &copy->entries[copy->n]))
			return false;
	return true;
}

static bool
copy_log(struct blg *part, const struct blg_log *log)
{
	if (!pmon_mem_grow(part->allocator, &part->logs, &part->logs_cap, 1, sizeof(*part->logs)))
		return false;
	part->n_logs = 1;
	part->logs[0] = (struct blg_log){.last_time = PMON_TIME_NONE};
	memcpy(part->logs[0].id, log->id, sizeof(log->id));
	return copy_catalogue(part, log->initial);
}

// The part has the series of the whole, with the same numbers.
static bool
copy_schema(struct blg *part, const struct pmon_schema *schema)
{
	struct pmon_schema *copy = &part->source.schema;

	if (!pmon_mem_grow(part->allocator, &copy->list, &copy->cap, schema->n + 1,
			   sizeof(*copy->list)))
		return false;
	if (schema->n > 0)
		memcpy(copy->list, schema->list, schema->n * sizeof(*copy->list));
	copy->n = part->n_shared = schema->n;
	return true;
}

static bool
open_buffers(struct blg *part, const struct blg_etl *etl, uint64_t from, uint64_t to)
{
	part->etl = *etl;
	part->etl.report = &part->report;
	part->etl.own = pmon_mem_alloc(part->allocator, etl->buffer_cap);
	part->etl.buffer = part->etl.own;
	part->etl.threads = 0;
	part->etl.ahead = NULL;
	part->etl.turn = from;
	part->etl.stop = to;
	part->etl.used = part->etl.pos = 0;
	part->etl.is_bad = false;
	part->etl.has_log_id = from > 0;
	memcpy(part->etl.log_id, part->whole->logs[0].id, sizeof(part->etl.log_id));
	pmon_blg_assembler_init(&part->assembler, &part->etl, part->limits.record_bytes);
	part->assembler.is_behind = from > 0;
	part->assembler.is_begun = from > 0;
	return part->etl.own != NULL;
}

// The part of the log between two buffers, in read order.
static struct blg *
new_part(struct blg *whole, uint64_t from, uint64_t to)
{
	struct blg *part = pmon_mem_alloc0(whole->allocator, sizeof(*part));

	if (part == NULL)
		return NULL;
	part->whole = whole;
	part->source.ops = &part_ops;
	part->source.info.size_bytes = whole->etl.file_bytes;
	part->allocator = whole->allocator;
	part->limits = whole->limits;
	part->want = whole->want;
	part->want_ctx = whole->want_ctx;
	part->hash_seed = whole->hash_seed;
	part->names = whole->names; // they are only read
	part->titles = whole->titles;
	part->report = (struct pmon_report){
		.notice = note_oddity, .notice_ctx = part, .info = &part->source.info};
	pmon_schema_init(&part->source.schema, part->allocator);
	pmon_arena_init(&part->arena, part->allocator);
	if (open_buffers(part, &whole->etl, from, to) && copy_log(part, &whole->logs[0]) &&
	    copy_schema(part, &whole->source.schema))
		return part;
	part_close(&part->source);
	return NULL;
}

// Each part has its own state of the list's entries. If these are a large share of the log, only
// one thread reads it.
static bool
are_entries_few(const struct blg *blg)
{
	return blg->logs[0].initial->n <= blg->etl.file_bytes / BYTES_OF_ENTRY;
}

static bool
can_split(const struct blg *blg)
{
	return blg->etl.turn == 0 && blg->failure == PMON_OK && blg->n_logs == 1 &&
	       blg->logs[0].n_catalogues == 1 && are_entries_few(blg) && !blg->names_damaged &&
	       pmon_file_is_shareable(blg->file);
}

static bool
make_lock(struct blg *blg)
{
	blg->has_lock = blg->has_lock || pmon_lock_init(&blg->lock);
	return blg->has_lock;
}

static enum pmon_status
split(struct pmon_source *source, uint64_t part_bytes, struct pmon_source **parts, size_t *n,
      struct pmon_err *err)
{
	struct blg *blg = (struct blg *)source;
	uint64_t most = part_bytes > 0 ? blg->etl.file_bytes / part_bytes : 0;

	if (most > blg->etl.n_buffers)
		most = blg->etl.n_buffers;
	if (most > *n)
		most = *n;
	*n = 0;
	if (most < 2 || !can_split(blg) || !make_lock(blg))
		return PMON_OK;
	for (; *n < most; (*n)++) {
		struct blg *part = new_part(blg, blg->etl.n_buffers * *n / most,
					    blg->etl.n_buffers * (*n + 1) / most);

		if (part == NULL) {
			while (*n > 0)
				pmon_source_close(parts[--*n]);
			return pmon_err_nomem(err);
		}
		parts[*n] = &part->source;
	}
	return PMON_OK;
}

// ---- Joining --------------------------------------------------------------------------------

// Whether a part begins with a different offset to UTC than the previous one ended with, which may
// have to be reported.
static bool
offset_changes(struct pmon_source *const *parts, size_t n)
{
	const struct blg_log *before = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct blg_log *log = &((const struct blg *)parts[i])->logs[0];

		if (!log->has_offset)
			continue;
		if (before != NULL && before->offset_min != log->first_offset_min)
			return true;
		before = log;
	}
	return false;
}

// If no value had the offset to UTC, it may depend on earlier samples, which a part does not have.
static bool
are_times_right(const struct blg *blg, struct pmon_source *const *parts, size_t n)
{
	const struct blg_zone *zone = &blg->etl.header.zone;
	uint64_t n_clocked = 0;
	uint64_t n_others = 0;

	for (size_t i = 0; i < n; i++) {
		const struct blg *part = (struct blg *)parts[i];

		n_clocked += part->n_clocked;
		if (i > 0)
			n_others += part->logs[0].n_samples - part->n_clocked;
	}
	if (offset_changes(parts, n))
		return false;
	return n_others == 0 || (n_clocked == 0 && !zone->to_daylight.exists);
}

// A part that is being joined.
struct join {
	struct blg *whole;
	struct blg *part;
	uint32_t *map; // its series to those of the whole
	struct pmon_err *err;
};

static bool
is_same_column(const struct blg_column *a, const struct blg_column *b)
{
	return a->title == b->title && a->counter.type == b->counter.type &&
	       a->counter.size_bytes == b->counter.size_bytes &&
	       a->counter.default_scale == b->counter.default_scale &&
	       a->counter.time_base == b->counter.time_base;
}

// The counters of an object: existing ones must be the same; new ones follow.
static enum pmon_status
join_columns(struct blg *blg, struct blg_entry *entry, const struct blg_entry *other)
{
	for (size_t i = 0; i < other->n_columns; i++) {
		if (i < entry->n_columns) {
			if (!is_same_column(&entry->columns[i], &other->columns[i]))
				return PMON_E_STATE;
			continue;
		}
		if (!pmon_mem_grow(blg->allocator, &entry->columns, &entry->columns_cap, i + 1,
				   sizeof(*entry->columns)))
			return PMON_E_NOMEM;
		entry->columns[i] = other->columns[i];
		entry->columns[i].stamp = 0;
		entry->n_columns++;
	}
	return PMON_OK;
}

// A series of a part that is missing from the whole.
static enum pmon_status
take_series(const struct join *join, uint64_t order, uint32_t *id)
{
	uint32_t from = *id;

	if (from == PMON_SERIES_NONE)
		return PMON_OK;
	*id = PMON_SERIES_NONE;
	if (pmon_schema_take(&join->whole->source.schema, join->part->source.schema.list[from],
			     order, join->whole->limits.wanted_series, id) != PMON_OK)
		return PMON_E_STATE;
	join->map[from] = *id;
	return PMON_OK;
}

// The series of the whole for a series of a part: found earlier, or that of the instance with the
// same name and index. BLG_NOT_ASKED if there is none.
static uint32_t
known_series(const struct join *join, const struct blg_roll *roll, const struct blg_instance *to,
	     uint32_t column, uint32_t id)
{
	const struct pmon_path *path = &join->part->source.schema.list[id]->path;
	uint32_t known = join->map[id];

	if (known != PMON_SERIES_NONE)
		return known;
	known = pmon_blg_series_of_namesake(join->whole, roll, to, column);
	return known != PMON_SERIES_NONE && pmon_blg_series_is_of(join->whole, known, path)
		       ? known
		       : BLG_NOT_ASKED;
}

// Join the column of an instance, with its series if the part requested it.
static enum pmon_status
join_column(const struct join *join, const struct blg_entry *entry, struct blg_instance *to,
	    uint32_t column, uint32_t id)
{
	bool is_object = entry->form == BLG_FORM_OBJECT;
	const struct blg_entry *of = is_object ? entry : entry + column;
	bool is_new = column >= to->n_series;
	enum pmon_status status = PMON_OK;

	if (is_new) {
		to->series[column] = BLG_NOT_ASKED;
		to->n_series = column + 1;
	}
	if (id == BLG_NOT_ASKED)
		return PMON_OK;
	if (to->series[column] == BLG_NOT_ASKED && id != PMON_SERIES_NONE && !is_object)
		to->series[column] = known_series(join, entry->many->roll, to, column, id);
	to->is_wanted = to->is_wanted || id != PMON_SERIES_NONE;
	if (to->series[column] == BLG_NOT_ASKED) {
		status = take_series(join, pmon_blg_series_order(of, to, is_object ? column : 0),
				     &id);
		to->series[column] = id;
		to->is_wanted = to->is_wanted || id != PMON_SERIES_NONE;
	} else if ((id == PMON_SERIES_NONE) != (to->series[column] == PMON_SERIES_NONE)) {
		return PMON_E_STATE;
	} else if (id != PMON_SERIES_NONE) {
		join->map[id] = to->series[column];
	}
	return status;
}

// Join an instance of a part. Its series may be at the same index as in the whole.
static enum pmon_status
join_instance(const struct join *join, struct blg_entry *entry, const struct blg_instance *from)
{
	struct blg *blg = join->whole;
	struct blg_roll *roll = entry->many->roll;
	uint32_t number = pmon_blg_roll_take(blg, roll, from);
	struct blg_instance *to = number != BLG_NONE ? &roll->list[number] : NULL;
	enum pmon_status status = PMON_OK;

	if (to == NULL || !pmon_blg_instance_reserve(blg, to, from->n_series))
		return PMON_E_NOMEM;
	for (uint32_t c = 0; c < from->n_series && status == PMON_OK; c++)
		status = join_column(join, entry, to, c, from->series[c]);
	if (status != PMON_OK || entry->form != BLG_FORM_OBJECT)
		return status;
	return pmon_blg_instance_complete(blg, entry, to, join->err);
}

// Join all instances of an entry of a part, and of those that share its roll, in the order in which
// the part found them, which is that of the log.
static enum pmon_status
join_instances(const struct join *join, struct blg_entry *entry, const struct blg_roll *other)
{
	enum pmon_status status = PMON_OK;

	pmon_blg_roll_begin(entry->many->roll);
	for (size_t i = 0; i < other->n && status == PMON_OK; i++)
		status = join_instance(join, entry, &other->list[i]);
	return status;
}

static size_t
n_instances(const struct blg_entry *entry)
{
	return entry->many != NULL ? entry->many->own_roll.n : 0;
}

static bool
has_instances(const struct blg *blg)
{
	const struct blg_catalogue *c = blg->logs[0].initial;

	for (size_t i = 0; i < c->n; i++)
		if (n_instances(&c->entries[i]) > 0)
			return true;
	return false;
}

// Take the first part unchanged: its numbers of series are those that reading the whole log gives.
static enum pmon_status
take_all(const struct join *join)
{
	struct pmon_schema *from = &join->part->source.schema;
	struct blg_catalogue *c = join->whole->logs[0].initial;
	enum pmon_status status = PMON_OK;

	for (size_t i = join->part->n_shared; i < from->n && status == PMON_OK; i++)
		status = pmon_schema_take(&join->whole->source.schema, from->list[i],
					  from->list[i]->order, join->whole->limits.wanted_series,
					  &join->map[i]);
	for (size_t i = 0; i < c->n && status == PMON_OK; i++) {
		struct blg_entry *other = &join->part->logs[0].initial->entries[i];

		status = join_columns(join->whole, &c->entries[i], other);
		if (other->many == NULL)
			continue;
		c->entries[i].many->own_roll = other->many->own_roll;
		c->entries[i].many->layout.stamp = other->many->layout.stamp;
		other->many->own_roll = (struct blg_roll){.n_columns = 0};
	}
	return status;
}

static enum pmon_status
join_each(const struct join *join)
{
	struct blg_catalogue *c = join->whole->logs[0].initial;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < c->n && status == PMON_OK; i++) {
		const struct blg_entry *other = &join->part->logs[0].initial->entries[i];

		if (n_instances(other) == 0)
			continue;
		status = join_columns(join->whole, &c->entries[i], other);
		if (status == PMON_OK)
			status = join_instances(join, &c->entries[i], &other->many->own_roll);
	}
	return status;
}

static enum pmon_status
join_part(const struct join *join)
{
	struct blg *blg = join->whole;

	pmon_arena_take(&blg->arena, &join->part->arena);
	pmon_arena_take(&blg->source.schema.arena, &join->part->source.schema.arena);
	blg->logs[0].n_samples += join->part->logs[0].n_samples;
	blg->has_namesakes = blg->has_namesakes || join->part->has_namesakes;
	if (blg->source.schema.n == join->part->n_shared && !has_instances(blg))
		return take_all(join);
	return join_each(join);
}

// The number of requests of all parts together; it exceeds that of the whole if several parts found
// the same series.
static struct blg_asked
sum_asked(const struct blg *blg, struct pmon_source *const *parts, size_t n)
{
	struct blg_asked sum = blg->asked;

	for (size_t i = 0; i < n; i++) {
		sum.n += ((const struct blg *)parts[i])->asked.n;
		sum.bytes += ((const struct blg *)parts[i])->asked.bytes;
	}
	return sum;
}

// Add up the parts' accounts of bytes. False if the sum does not match.
static bool
join_ledgers(struct blg *blg, struct pmon_source *const *parts, size_t n)
{
	struct pmon_source_info *info = &blg->source.info;
	struct pmon_source_info sum = {.bytes_damaged = blg->etl.bytes_repeated};

	for (size_t i = 0; i < n; i++) {
		sum.bytes_used += parts[i]->info.bytes_used;
		sum.bytes_unused += parts[i]->info.bytes_unused;
	}
	if (sum.bytes_used + sum.bytes_unused + sum.bytes_damaged != blg->etl.file_bytes)
		return false;
	info->bytes_used = sum.bytes_used;
	info->bytes_unused = sum.bytes_unused;
	return true;
}

static enum pmon_status
join(struct pmon_source *source, struct pmon_source *const *parts, size_t n, uint32_t *const *maps,
     struct pmon_err *err)
{
	struct blg *blg = (struct blg *)source;
	struct blg_asked asked = sum_asked(blg, parts, n);
	enum pmon_status status = PMON_OK;

	if (!are_times_right(blg, parts, n))
		return pmon_err_set(err, PMON_E_STATE, 0, "times depend on preceding samples");
	if (!pmon_blg_series_are_few(&asked, &blg->limits))
		return pmon_err_set(err, PMON_E_STATE, 0, "close to the limits");
	if (!join_ledgers(blg, parts, n))
		return pmon_err_set(err, PMON_E_STATE, 0, "the file was not read completely");
	blg->log = &blg->logs[0];
	for (size_t i = 0; i < n && status == PMON_OK; i++)
		status = join_part(&(struct join){blg, (struct blg *)parts[i], maps[i], err});
	if (status != PMON_OK) {
		pmon_blg_catalogues_rewind(blg);
		return status;
	}
	if (((struct blg *)parts[0])->logs[0].n_samples > 0)
		source->info.utc_offset_min = parts[0]->info.utc_offset_min;
	// Everything was read.
	blg->asked = asked;
	blg->etl.turn = blg->etl.n_buffers;
	blg->report.here = BLG_STEP_END;
	source->info.bytes_read = source->info.size_bytes;
	return PMON_OK;
}

const struct pmon_source_split pmon_blg_split = {split, join};
