// series.c - the series of counters
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "path/split.h"

#define ORDER_INSTANCE_SHIFT 16 // above the column numbers, which are smaller (object.c)

// ---- Series ---------------------------------------------------------------------------------

bool
pmon_blg_series_are_few(const struct blg_asked *asked, const struct pmon_limits *limits)
{
	return asked->n <= limits->series && asked->bytes <= limits->path_bytes;
}

static enum pmon_status
count(struct blg *blg, const struct pmon_path *path, struct pmon_err *err)
{
	blg->asked.n++;
	blg->asked.bytes += path->machine.len + path->object.len + path->parent.len +
			    path->instance.len + path->counter.len;
	if (blg->asked.bytes > blg->limits.path_bytes)
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "the counter paths of the log need more than %llu bytes, far "
				    "more than a log of this size should",
				    (unsigned long long)blg->limits.path_bytes);
	if (!pmon_blg_series_are_few(&blg->asked, &blg->limits))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    blg->limits.series);
	return PMON_OK;
}

// The arguments for requesting a series.
struct asked {
	struct pmon_path path;
	const struct pmon_counter *counter;
	uint64_t order;
	bool is_instance;
	const struct blg_entry *entry;
};

// The want function is called by one thread at a time.
static bool
is_wanted(struct blg *blg, const struct pmon_path *path)
{
	bool wanted;

	if (blg->want == NULL)
		return true;
	if (blg->whole == NULL)
		return pmon_schema_wants(&blg->source.schema, blg->want, blg->want_ctx, path);
	pmon_lock_take(&blg->whole->lock);
	wanted = pmon_schema_wants(&blg->source.schema, blg->want, blg->want_ctx, path);
	pmon_lock_give(&blg->whole->lock);
	return wanted;
}

// *series_out is PMON_SERIES_NONE if it is not wanted.
static enum pmon_status
ask(struct blg *blg, const struct asked *asked, uint32_t *series_out, struct pmon_err *err)
{
	struct pmon_schema *schema = &blg->source.schema;
	enum pmon_status status = count(blg, &asked->path, err);

	*series_out = PMON_SERIES_NONE;
	if (status != PMON_OK || !is_wanted(blg, &asked->path))
		return status;
	status = pmon_schema_add(schema, &asked->path, asked->counter, asked->order,
				 blg->limits.wanted_series, series_out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, blg->limits.wanted_series, err);
	schema->list[*series_out]->wildcard = asked->is_instance;
	if (asked->entry->is_formatted)
		pmon_schema_set_formatted(schema, *series_out,
					  asked->entry->type_known ? &asked->entry->known_type
								   : NULL);
	return PMON_OK;
}

enum pmon_status
pmon_blg_series_add(struct blg *blg, const struct blg_entry *entry, uint32_t *series_out,
		    struct pmon_err *err)
{
	struct asked asked = {.path = entry->path,
			      .counter = &entry->columns[0].counter,
			      .order = entry->order,
			      .entry = entry};

	asked.path.counter = entry->columns[0].name;
	return ask(blg, &asked, series_out, err);
}

uint64_t
pmon_blg_series_order(const struct blg_entry *entry, const struct blg_instance *instance,
		      size_t column)
{
	return entry->order |
	       (uint64_t)(instance - entry->many->roll->list) << ORDER_INSTANCE_SHIFT | column;
}

// ---- Instances ------------------------------------------------------------------------------

// The path of an instance, valid until the next name is converted.
static bool
make_path(struct blg *blg, const struct blg_entry *entry, const struct blg_instance *instance,
	  struct pmon_path *path)
{
	struct pmon_span text;

	*path = entry->path;
	path->index = instance->ordinal <= INT32_MAX ? (int32_t)instance->ordinal : INT32_MAX;
	path->parent = path->instance = (struct pmon_span){NULL, 0};
	if (instance->parent.ptr != NULL && (!pmon_blg_utf8(blg, &instance->parent, &text) ||
					     !pmon_arena_copy(&blg->arena, text, &path->parent)))
		return false;
	if (instance->name.ptr == NULL)
		return true;
	if (!pmon_blg_utf8(blg, &instance->name, &path->instance))
		return false;
	pmon_path_split_instance(path);
	return true;
}

bool
pmon_blg_instance_reserve(struct blg *blg, struct blg_instance *instance, uint32_t n)
{
	uint32_t cap = instance->series_cap * 2 > n ? instance->series_cap * 2 : n;
	uint32_t *series;

	if (n <= instance->series_cap)
		return true;
	series = pmon_arena_alloc(&blg->arena, cap * sizeof(*series));
	if (series == NULL)
		return false;
	if (instance->n_series > 0)
		memcpy(series, instance->series, instance->n_series * sizeof(*series));
	instance->series = series;
	instance->series_cap = cap;
	return true;
}

static bool
is_same_text(struct pmon_span a, struct pmon_span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

uint32_t
pmon_blg_series_of_namesake(struct blg *blg, const struct blg_roll *roll,
			    const struct blg_instance *instance, uint32_t column)
{
	uint32_t number = pmon_blg_roll_namesake(roll, instance);
	const struct blg_instance *other = number != BLG_NONE ? &roll->list[number] : NULL;

	if (other == NULL || column >= other->n_series || other->series[column] == BLG_NOT_ASKED)
		return PMON_SERIES_NONE;
	blg->has_namesakes = blg->has_namesakes || other->series[column] != PMON_SERIES_NONE;
	return other->series[column];
}

bool
pmon_blg_series_is_of(const struct blg *blg, uint32_t series, const struct pmon_path *path)
{
	const struct pmon_path *of = &blg->source.schema.list[series]->path;

	return path->index == of->index && is_same_text(path->instance, of->instance) &&
	       is_same_text(path->parent, of->parent);
}

// Request the series of column `at` of an instance, which is column i of the entry.
static enum pmon_status
ask_for_column(struct blg *blg, const struct blg_entry *entry, struct blg_instance *instance,
	       struct asked *asked, size_t i, uint32_t at, struct pmon_err *err)
{
	const struct blg_column *column = &entry->columns[i];
	uint32_t known = PMON_SERIES_NONE;
	enum pmon_status status;

	if (entry->form == BLG_FORM_MULTI)
		known = pmon_blg_series_of_namesake(blg, entry->many->roll, instance, at);
	if (known != PMON_SERIES_NONE && pmon_blg_series_is_of(blg, known, &asked->path)) {
		instance->series[at] = known;
		instance->is_wanted = true;
		return PMON_OK;
	}
	asked->path.counter = column->name;
	asked->counter = &column->counter;
	asked->order = pmon_blg_series_order(entry, instance, i);
	status = ask(blg, asked, &instance->series[at], err);
	if (status == PMON_OK && instance->series[at] != PMON_SERIES_NONE)
		instance->is_wanted = true;
	return status;
}

// Request only the columns of the layout: the first pass did not know the columns of later samples,
// and the second must not find more series than the first.
static enum pmon_status
complete_object(struct blg *blg, const struct blg_entry *entry, struct blg_instance *instance,
		struct pmon_err *err)
{
	const struct blg_layout *layout = &entry->many->layout;
	struct asked asked = {.is_instance = true, .entry = entry};
	enum pmon_status status = PMON_OK;

	if (instance->n_series >= entry->n_columns && instance->stamp == layout->stamp)
		return PMON_OK;
	if (!pmon_blg_instance_reserve(blg, instance, (uint32_t)entry->n_columns) ||
	    !make_path(blg, entry, instance, &asked.path))
		return pmon_err_nomem(err);
	while (instance->n_series < entry->n_columns)
		instance->series[instance->n_series++] = BLG_NOT_ASKED;
	for (size_t i = 0; i < layout->n && status == PMON_OK; i++) {
		uint32_t column = layout->columns[i];

		if (instance->series[column] == BLG_NOT_ASKED)
			status = ask_for_column(blg, entry, instance, &asked, column, column, err);
		if (status != PMON_OK)
			instance->series[column] = BLG_NOT_ASKED;
	}
	if (status == PMON_OK)
		instance->stamp = layout->stamp;
	return status;
}

enum pmon_status
pmon_blg_instance_complete(struct blg *blg, const struct blg_entry *entry,
			   struct blg_instance *instance, struct pmon_err *err)
{
	uint32_t at = entry->many->column;
	struct asked asked = {.is_instance = true, .entry = entry};

	if (entry->form == BLG_FORM_OBJECT)
		return complete_object(blg, entry, instance, err);
	if (!pmon_blg_instance_reserve(blg, instance, entry->many->roll->n_columns))
		return pmon_err_nomem(err);
	while (instance->n_series < entry->many->roll->n_columns)
		instance->series[instance->n_series++] = BLG_NOT_ASKED;
	if (instance->series[at] != BLG_NOT_ASKED)
		return PMON_OK;
	if (!make_path(blg, entry, instance, &asked.path))
		return pmon_err_nomem(err);
	return ask_for_column(blg, entry, instance, &asked, 0, at, err);
}

// ---- Namesakes in one record ----------------------------------------------------------------

// Add another series with the same path.
static enum pmon_status
add_double(struct blg *blg, uint32_t series, uint32_t *out, struct pmon_err *err)
{
	const struct pmon_series *of = blg->source.schema.list[series];
	enum pmon_status status = count(blg, &of->path, err);

	if (status != PMON_OK)
		return status;
	status = pmon_schema_add(&blg->source.schema, &of->path, &of->counter, of->order,
				 blg->limits.wanted_series, out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, blg->limits.wanted_series, err);
	blg->source.schema.list[*out]->wildcard = true;
	if (of->formatted)
		pmon_schema_set_formatted(&blg->source.schema, *out,
					  of->type_known ? &of->known_type : NULL);
	return PMON_OK;
}

static bool
grow_marks(struct blg *blg)
{
	size_t n = blg->source.schema.n;

	if (!pmon_mem_grow(blg->allocator, &blg->marks, &blg->marks_cap, n, sizeof(*blg->marks)))
		return false;
	for (; blg->n_marks < n; blg->n_marks++)
		blg->marks[blg->n_marks] = (struct blg_mark){.next = PMON_SERIES_NONE};
	return true;
}

enum pmon_status
pmon_blg_part_namesakes(struct blg *blg, struct pmon_err *err)
{
	if (!blg->has_namesakes)
		return PMON_OK;
	if (!grow_marks(blg))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < blg->sample.n; i++) {
		uint32_t id = blg->series[i];

		while (blg->marks[id].sample == blg->n_decoded) {
			uint32_t next = blg->marks[id].next;
			enum pmon_status status = PMON_OK;

			// If a part changed this, later parts would not know.
			blg->is_odd = true;
			if (next == PMON_SERIES_NONE)
				status = add_double(blg, id, &next, err);
			if (status == PMON_OK && !grow_marks(blg))
				status = pmon_err_nomem(err);
			if (status != PMON_OK)
				return status;
			blg->marks[id].next = next;
			id = next;
		}
		blg->marks[id].sample = blg->n_decoded;
		blg->series[i] = id;
	}
	return PMON_OK;
}
