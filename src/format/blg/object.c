// object.c - value records of form 0503: a whole performance object
// SPDX-License-Identifier: MIT
//
// The record contains a PERF_DATA_BLOCK with one object. Its definitions list the counters; they
// are usually identical in all samples, so the parsed form is kept (struct blg_layout) and they are
// only compared.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define MAX_LOADS   64   // of parents for one sample; only a malicious file needs more
#define MAX_COLUMNS 4096 // counters of one object; the largest known have a few hundred

void
pmon_blg_layout_free(struct blg_layout *layout, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, layout->definitions, layout->cap);
	pmon_mem_free(allocator, layout->counters,
		      layout->counters_cap * sizeof(*layout->counters));
	pmon_mem_free(allocator, layout->columns, layout->columns_cap * sizeof(*layout->columns));
}

// ---- Columns --------------------------------------------------------------------------------

// A log contains the names of its counters, so a missing one was lost; but in a circular log the
// tables at the beginning may have been overwritten.
static void
report_nameless(struct blg *blg, const struct blg_entry *entry, const char *number)
{
	static const char text[] = "the log has no name for counter %s of %s";
	const char *object = entry->path.object.ptr != NULL ? entry->path.object.ptr : "an object";

	if (blg->etl.header.log_mode & BLG_MODE_CIRCULAR)
		pmon_report_remark(&blg->report, 0, text, number, object);
	else
		pmon_report_missing(&blg->report, 0, 0, text, number, object);
}

// The name of a counter, or "#<index>" if the log has no name for it.
static bool
column_name(struct blg *blg, const struct blg_entry *entry, uint32_t title, struct pmon_span *out)
{
	char buf[PMON_TITLE_SIZE];
	struct pmon_span number;

	*out = pmon_blg_names_find(blg, blg->log->id, entry->path.machine, title);
	if (out->len > 0)
		return true;
	number = pmon_title_number(title, buf);
	report_nameless(blg, entry, number.ptr);
	return pmon_arena_copy(&blg->arena, number, out);
}

static bool
is_same_counter(const struct pmon_counter *a, const struct pmon_counter *b)
{
	return a->type == b->type && a->size_bytes == b->size_bytes &&
	       a->default_scale == b->default_scale && a->time_base == b->time_base;
}

// The column of a definition: one that an earlier layout had, or a new one. A repeated definition
// has two columns.
static enum pmon_status
find_column(struct blg *blg, struct blg_entry *entry, uint32_t title,
	    const struct pmon_counter *counter, uint32_t *out, struct pmon_err *err)
{
	struct blg_column *column;

	for (size_t i = 0; i < entry->n_columns; i++) {
		column = &entry->columns[i];
		if (column->title == title && column->stamp != entry->many->layout.stamp &&
		    is_same_counter(&column->counter, counter)) {
			column->stamp = entry->many->layout.stamp;
			*out = (uint32_t)i;
			return PMON_OK;
		}
	}
	if (entry->n_columns >= MAX_COLUMNS)
		return pmon_blg_sample_damaged(blg, "an object has too many counters");
	if (!pmon_mem_grow(blg->allocator, &entry->columns, &entry->columns_cap,
			   entry->n_columns + 1, sizeof(*entry->columns)))
		return pmon_err_nomem(err);
	column = &entry->columns[entry->n_columns];
	*column = (struct blg_column){
		.title = title,
		.counter = *counter,
		.stamp = entry->many->layout.stamp,
	};
	if (!column_name(blg, entry, title, &column->name))
		return pmon_err_nomem(err);
	*out = (uint32_t)entry->n_columns++;
	return PMON_OK;
}

// ---- Layouts --------------------------------------------------------------------------------

static bool
is_same_layout(const struct blg_layout *layout, const struct pmon_perf_object *object)
{
	return layout->is_known && layout->n_definitions == object->n_counters &&
	       layout->len == object->definitions.len &&
	       layout->block_freq == object->block->perf_freq &&
	       layout->object_freq == object->perf_freq &&
	       (layout->len == 0 ||
		memcmp(layout->definitions, object->definitions.base, layout->len) == 0);
}

static enum pmon_status
add_counter(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_object *object,
	    const struct pmon_perf_counter *definition, struct pmon_err *err)
{
	struct blg_layout *layout = &entry->many->layout;
	uint32_t size = definition->size;
	struct pmon_counter counter = {
		.type = definition->type,
		.size_bytes = (uint8_t)(size == 4 || size == 8 ? size : 0),
		.default_scale = definition->default_scale,
		.time_base = pmon_perf_time_base(definition, object),
	};
	uint32_t column = 0;
	enum pmon_status status;

	if (pmon_perf_is_text(definition->type))
		return PMON_OK;
	status = find_column(blg, entry, definition->title_index, &counter, &column, err);
	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(blg->allocator, &layout->counters, &layout->counters_cap, layout->n + 1,
			   sizeof(*layout->counters)) ||
	    !pmon_mem_grow(blg->allocator, &layout->columns, &layout->columns_cap, layout->n + 1,
			   sizeof(*layout->columns)))
		return pmon_err_nomem(err);
	layout->counters[layout->n] = *definition;
	layout->columns[layout->n++] = column;
	return PMON_OK;
}

static bool
remember_layout(struct blg *blg, struct blg_layout *layout, const struct pmon_perf_object *object)
{
	size_t len = object->definitions.len;

	if (len > 0) {
		if (!pmon_mem_grow(blg->allocator, &layout->definitions, &layout->cap, len, 1))
			return false;
		memcpy(layout->definitions, object->definitions.base, len);
	}
	layout->len = len;
	layout->is_known = true;
	layout->n_definitions = object->n_counters;
	layout->block_freq = object->block->perf_freq;
	layout->object_freq = object->perf_freq;
	return true;
}

static enum pmon_status
load_layout(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_object *object,
	    struct pmon_err *err)
{
	struct pmon_perf_counters counters = pmon_perf_object_counters(object);
	struct pmon_perf_counter counter;
	enum pmon_status status = PMON_OK;

	if (is_same_layout(&entry->many->layout, object))
		return PMON_OK;
	entry->many->layout.n = 0;
	entry->many->layout.is_known = false;
	entry->many->layout.stamp++;
	while (status == PMON_OK && pmon_perf_counters_next(&counters, &counter))
		status = add_counter(blg, entry, object, &counter, err);
	if (status != PMON_OK)
		return status;
	if (!pmon_perf_counters_ok(&counters))
		return pmon_blg_sample_damaged(blg,
					       "the counter definitions of an object are damaged");
	return remember_layout(blg, &entry->many->layout, object) ? PMON_OK : pmon_err_nomem(err);
}

// ---- Parents --------------------------------------------------------------------------------

static bool
add_parent(struct blg *blg, struct pmon_perf_name name)
{
	struct blg_parents *p = &blg->parents;

	if (!pmon_mem_grow(blg->allocator, &p->names, &p->cap, p->n + 1, sizeof(*p->names)))
		return false;
	p->names[p->n++] = name;
	return true;
}

// Collect the instance names of the object with this title from the sample's value records.
static enum pmon_status
load_parents(struct blg *blg, struct pmon_rd values, uint32_t title, struct pmon_err *err)
{
	struct blg_parents *p = &blg->parents;
	struct pmon_perf_instance instance;
	struct pmon_perf_object object;
	struct pmon_perf_block block;
	struct blg_value value;

	p->loads = p->sample == blg->n_decoded ? p->loads + 1 : 1;
	p->n = 0;
	p->title = title;
	p->sample = blg->n_decoded;
	if (p->loads > MAX_LOADS)
		return PMON_OK;
	pmon_rd_skip(&values, 8);
	while (pmon_blg_value_next(&values, &value)) {
		size_t len = pmon_rd_left(&value.rd);

		if (value.form != BLG_FORM_OBJECT ||
		    !pmon_perf_block_init(&block, value.rd.base + value.rd.pos, len, 0) ||
		    !pmon_perf_block_next(&block, &object) || object.title_index != title)
			continue;
		while (pmon_perf_object_next(&object, &instance))
			if (!add_parent(blg, instance.name))
				return pmon_err_nomem(err);
		break;
	}
	return PMON_OK;
}

// The name of an instance's parent. It is known only if the parent's object is in the log too: then
// it is the instance with that number in the same sample.
static enum pmon_status
find_parent(struct blg *blg, const struct pmon_rd *values,
	    const struct pmon_perf_instance *instance, struct pmon_perf_name *out,
	    struct pmon_err *err)
{
	struct blg_parents *p = &blg->parents;
	enum pmon_status status;

	*out = (struct pmon_perf_name){.unit = 2};
	if (instance->parent_object == 0)
		return PMON_OK;
	if (p->sample != blg->n_decoded || p->title != instance->parent_object) {
		status = load_parents(blg, *values, instance->parent_object, err);
		if (status != PMON_OK)
			return status;
	}
	if (instance->parent_instance < p->n)
		*out = p->names[instance->parent_instance];
	return PMON_OK;
}

// ---- Values ---------------------------------------------------------------------------------

// Instances with a number instead of a name: PERF_INSTANCE_DEFINITION.UniqueID.
static void
name_by_number(int32_t number, char buf[16], struct pmon_perf_name *name)
{
	struct pmon_text t = pmon_text_init(buf, 16);

	pmon_text_i64(&t, number);
	*name = (struct pmon_perf_name){.ptr = (const uint8_t *)buf, .len = t.len, .unit = 1};
}

static enum pmon_status
identify(struct blg *blg, struct blg_entry *entry, const struct pmon_rd *values,
	 const struct pmon_perf_instance *in, struct blg_instance **out, struct pmon_err *err)
{
	struct pmon_perf_name name = in->name, parent;
	char number[16];
	enum pmon_status status = find_parent(blg, values, in, &parent, err);

	if (status != PMON_OK)
		return status;
	if (name.ptr != NULL && name.len == 0 && in->unique_id != -1)
		name_by_number(in->unique_id, number, &name);
	return pmon_blg_instances_next(blg, entry, &name, &parent, out, err);
}

static enum pmon_status
load_instance(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_object *object,
	      const struct pmon_perf_instance *in, const struct blg_instance *instance,
	      struct pmon_err *err)
{
	const struct blg_layout *layout = &entry->many->layout;
	struct pmon_raw raw = {.time = object->block->system_time};
	enum pmon_status status;

	if (!instance->is_wanted)
		return PMON_OK;
	status = pmon_blg_sample_reserve(blg, layout->n, err);
	for (size_t i = 0; i < layout->n && status == PMON_OK; i++) {
		uint32_t series = instance->series[layout->columns[i]];
		struct pmon_perf_value value;

		if (series == PMON_SERIES_NONE)
			continue;
		pmon_perf_counter_read(&layout->counters[i], object, in, &value);
		raw.status = value.status;
		raw.multi = value.multi;
		raw.first = value.first;
		raw.second = value.second;
		pmon_blg_sample_add(blg, series, &raw);
	}
	return status;
}

static enum pmon_status
load_instances(struct blg *blg, struct blg_entry *entry, const struct pmon_rd *values,
	       struct pmon_perf_object *object, struct pmon_err *err)
{
	struct pmon_perf_instance in;

	pmon_blg_instances_begin(entry->many->instances, object->rd.len);
	while (pmon_perf_object_next(object, &in)) {
		struct blg_instance *instance;
		enum pmon_status status = identify(blg, entry, values, &in, &instance, err);

		if (status == PMON_OK)
			status = load_instance(blg, entry, object, &in, instance, err);
		if (status != PMON_OK)
			return status;
	}
	if (!pmon_perf_object_ok(object))
		return pmon_blg_sample_damaged(blg, "the instances of an object are damaged");
	return pmon_blg_places_end(blg, entry->many->instances, err);
}

static void
check_code_page(struct blg *blg, const struct pmon_perf_object *object, uint64_t offset)
{
	if (object->code_page == 0 || object->n_instances <= 0 || blg->code_page_told)
		return;
	blg->code_page_told = true;
	pmon_report_remark(
		&blg->report, offset,
		"instance names in code page %d: characters beyond ASCII may come out wrong",
		(int)object->code_page);
}

// Form 0503: at 0x08 a PERF_DATA_BLOCK (model/perfdata.c) with one object, or none if the object
// was unavailable. It differs from the documented structure: SystemTime is local. Source: seen in
// the file of Windows Vista.
enum pmon_status
pmon_blg_object_load(struct blg *blg, struct blg_entry *entry, const struct pmon_rd *values,
		     const struct blg_value *value, struct pmon_err *err)
{
	const uint8_t *bytes = value->rd.base + value->rd.pos;
	struct pmon_perf_object object;
	struct pmon_perf_block block;
	enum pmon_status status;

	if (!pmon_perf_block_init(&block, bytes, pmon_rd_left(&value->rd), value->rd.origin + 8))
		return pmon_blg_sample_damaged(blg, "the head of an object is damaged");
	if (!pmon_time_is_sane(block.system_time))
		block.system_time = blg->sample.time;
	pmon_blg_sample_clock(blg, block.system_time, block.perf_time_100ns);
	pmon_blg_sample_perf(blg, entry, PMON_RAW_VALID, block.perf_time, block.perf_freq);
	if (!pmon_perf_block_next(&block, &object)) {
		if (!pmon_perf_block_ok(&block))
			return pmon_blg_sample_damaged(blg, "an object is damaged");
		return PMON_OK;
	}
	check_code_page(blg, &object, value->rd.origin);
	status = load_layout(blg, entry, &object, err);
	if (status != PMON_OK)
		return status;
	return load_instances(blg, entry, values, &object, err);
}
