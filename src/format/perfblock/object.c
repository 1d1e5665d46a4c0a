// object.c - the values of a performance object
// SPDX-License-Identifier: MIT
//
// An object is used completely or not at all: it is checked to its end before any value is used.

#include "format/perfblock/perfblock.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

// ---- Parents --------------------------------------------------------------------------------

static bool
add_parent_name(struct perfblock *pb, const struct pmon_perf_name *name)
{
	struct perfblock_parents *p = &pb->parents;

	if (!pmon_mem_grow(pb->allocator, &p->names, &p->names_cap, p->n_names + 1,
			   sizeof(*p->names)))
		return false;
	p->names[p->n_names++] = *name;
	return true;
}

static bool
add_parent(struct perfblock *pb, struct pmon_perf_object *object)
{
	struct perfblock_parents *p = &pb->parents;
	struct pmon_perf_instance instance;
	struct perfblock_parent *parent;

	if (object->n_instances <= 0)
		return true;
	if (!pmon_mem_grow(pb->allocator, &p->list, &p->cap, p->n + 1, sizeof(*p->list)) ||
	    !pmon_map_put(&p->map, pb->allocator,
			  pmon_map_mix(pb->titles.seed, object->title_index), (uint32_t)p->n))
		return false;
	parent = &p->list[p->n++];
	*parent = (struct perfblock_parent){
		.title = object->title_index,
		.script = {object->block->big_endian, object->code_page},
		.first = p->n_names,
	};
	while (pmon_perf_object_next(object, &instance)) {
		if (!add_parent_name(pb, &instance.name))
			return false;
		parent->n++;
	}
	return true;
}

// Gather the instance names of all objects that a machine has in the group.
static bool
load_parents(struct perfblock *pb, uint32_t machine)
{
	struct perfblock_parents *p = &pb->parents;

	p->n = 0;
	p->n_names = 0;
	pmon_map_clear(&p->map);
	for (size_t i = 0; i < pb->n_blocks; i++) {
		struct pmon_perf_block walk = pb->blocks[i].head;
		struct pmon_perf_object object;

		if (pb->blocks[i].machine != machine)
			continue;
		while (pmon_perf_block_next(&walk, &object))
			if (!add_parent(pb, &object))
				return false;
	}
	p->is_loaded = true;
	p->machine = machine;
	return true;
}

static const struct perfblock_parent *
find_parents(const struct perfblock *pb, uint32_t title)
{
	const struct perfblock_parents *p = &pb->parents;
	uint64_t hash = pmon_map_mix(pb->titles.seed, title);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&p->map, hash, &at)) != PMON_MAP_NONE)
		if (p->list[i].title == title)
			return &p->list[i];
	return NULL;
}

// The name of an instance's parent: the instance of that number in the parent's object, which is
// known only if it is in the same sample.
static bool
name_parent(struct perfblock *pb, const struct perfblock_block *block,
	    const struct pmon_perf_instance *instance, struct pmon_span *out)
{
	struct perfblock_parents *p = &pb->parents;
	const struct perfblock_parent *parent;

	*out = (struct pmon_span){NULL, 0};
	if (instance->parent_object == 0)
		return true;
	if ((!p->is_loaded || p->machine != block->machine) && !load_parents(pb, block->machine))
		return false;
	parent = find_parents(pb, instance->parent_object);
	if (parent == NULL || instance->parent_instance >= parent->n)
		return true;
	return pmon_perfblock_utf8(pb, &pb->parent_text,
				   &p->names[parent->first + instance->parent_instance],
				   parent->script, out);
}

// ---- Counters -------------------------------------------------------------------------------

static enum pmon_status
add_counter(struct perfblock *pb, const struct pmon_perf_counter *counter, struct pmon_err *err)
{
	if (pmon_perf_is_text(counter->type) &&
	    !(pb->keeps_texts && counter->type == PMON_PERF_COUNTER_TEXT))
		return PMON_OK;
	if (!pmon_mem_grow(pb->allocator, &pb->counters, &pb->counters_cap, pb->n_counters + 1,
			   sizeof(*pb->counters)) ||
	    !pmon_mem_grow(pb->allocator, &pb->columns, &pb->columns_cap, pb->n_counters + 1,
			   sizeof(*pb->columns)))
		return pmon_err_nomem(err);
	pb->counters[pb->n_counters++] = *counter;
	return PMON_OK;
}

// Read the definitions, and walk to the end of the object. PMON_E_FORMAT if it is damaged.
static enum pmon_status
check_object(struct perfblock *pb, const struct pmon_perf_object *object, struct pmon_err *err)
{
	struct pmon_perf_counters walk = pmon_perf_object_counters(object);
	struct pmon_perf_object rest = *object;
	struct pmon_perf_instance instance;
	struct pmon_perf_counter counter;

	pb->n_counters = 0;
	while (pmon_perf_counters_next(&walk, &counter)) {
		enum pmon_status status = add_counter(pb, &counter, err);

		if (status != PMON_OK)
			return status;
	}
	while (pmon_perf_object_next(&rest, &instance))
		;
	if (!pmon_perf_counters_ok(&walk))
		return pmon_err_set(err, PMON_E_FORMAT, 0, "its counter definitions are damaged");
	if (!pmon_perf_object_ok(&rest))
		return pmon_err_set(err, PMON_E_FORMAT, 0, "its instances are damaged");
	return PMON_OK;
}

static enum pmon_status
find_columns(struct perfblock *pb, const struct perfblock_block *block,
	     const struct pmon_perf_object *object, struct pmon_table *table, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < pb->n_counters; i++) {
		const struct pmon_perf_counter *c = &pb->counters[i];
		struct pmon_counter counter = {
			.type = c->type,
			.size_bytes = (uint8_t)(c->size == 4 || c->size == 8 ? c->size : 0),
			.default_scale = c->default_scale,
			.time_base = pmon_perf_time_base(c, object),
		};
		char buf[PMON_TITLE_SIZE];

		status = pmon_table_column(
			pb->tables, table, c->title_index,
			pmon_perfblock_title(pb, c->title_index, block->foreign, buf), &counter,
			&pb->columns[i], err);
	}
	return status;
}

// ---- Values ---------------------------------------------------------------------------------

// Instances with a number instead of a name: PERF_INSTANCE_DEFINITION.UniqueID.
static struct pmon_span
number_text(int32_t number, char buf[16])
{
	struct pmon_text t = pmon_text_init(buf, 16);

	pmon_text_i64(&t, number);
	return (struct pmon_span){buf, t.len};
}

static enum pmon_status
find_row(struct perfblock *pb, const struct perfblock_block *block,
	 const struct pmon_perf_object *object, const struct pmon_perf_instance *in,
	 struct pmon_table *table, struct pmon_table_row **out, struct pmon_err *err)
{
	struct perfblock_script script = {block->head.big_endian, object->code_page};
	struct pmon_span name, parent;
	char number[16];

	*out = NULL;
	if (!pmon_perfblock_utf8(pb, &pb->name_text, &in->name, script, &name) ||
	    !name_parent(pb, block, in, &parent))
		return pmon_err_nomem(err);
	if (name.ptr != NULL && name.len == 0 && in->unique_id != -1)
		name = number_text(in->unique_id, number);
	return pmon_table_row(pb->tables, table, parent, name, out, err);
}

// Store a text in the table of texts, and return its number.
static enum pmon_status
put_text(struct perfblock *pb, const struct perfblock_block *block,
	 const struct pmon_perf_object *object, const struct pmon_perf_instance *in, size_t i,
	 struct pmon_table *table, struct pmon_table_row *row, struct pmon_err *err)
{
	struct perfblock_script script = {block->head.big_endian, object->code_page};
	struct pmon_perf_name bytes = pmon_perf_text_read(&pb->counters[i], in);
	struct pmon_raw raw = {.time = block->time};
	size_t n_before = pb->tables->n;
	struct pmon_span text;
	enum pmon_status status = PMON_OK;

	if (!pmon_perfblock_utf8(pb, &pb->value_text, &bytes, script, &text))
		return pmon_err_nomem(err);
	if (text.ptr != NULL)
		status = pmon_texts_add(&pb->texts, text, &raw.first);
	if (status == PMON_E_NOMEM)
		return pmon_err_nomem(err);
	if (text.ptr == NULL || status != PMON_OK)
		raw.status = PMON_RAW_INVALID;
	status = pmon_table_put(pb->tables, table, row, pb->columns[i], &raw, err);
	if (status == PMON_OK && pb->tables->n > n_before)
		pmon_schema_set_texts(pb->tables->schema, pb->tables->series[n_before], &pb->texts);
	return status;
}

static enum pmon_status
load_instance(struct perfblock *pb, const struct perfblock_block *block,
	      const struct pmon_perf_object *object, const struct pmon_perf_instance *in,
	      struct pmon_table *table, struct pmon_err *err)
{
	struct pmon_raw raw = {.time = block->time};
	struct pmon_table_row *row;
	enum pmon_status status = find_row(pb, block, object, in, table, &row, err);

	for (size_t i = 0; status == PMON_OK && i < pb->n_counters; i++) {
		struct pmon_perf_value value;

		if (pmon_perf_is_text(pb->counters[i].type)) {
			status = put_text(pb, block, object, in, i, table, row, err);
			continue;
		}
		pmon_perf_counter_read(&pb->counters[i], object, in, &value);
		raw.status = value.status;
		raw.multi = value.multi;
		raw.first = value.first;
		raw.second = value.second;
		status = pmon_table_put(pb->tables, table, row, pb->columns[i], &raw, err);
	}
	return status;
}

static enum pmon_status
load_values(struct perfblock *pb, const struct perfblock_block *block,
	    const struct pmon_perf_object *object, struct pmon_table *table, struct pmon_err *err)
{
	struct pmon_perf_object walk = *object;
	struct pmon_perf_instance in;
	enum pmon_status status;

	pmon_table_begin(pb->tables, table);
	status = find_columns(pb, block, object, table, err);
	while (status == PMON_OK && pmon_perf_object_next(&walk, &in))
		status = load_instance(pb, block, object, &in, table, err);
	return status;
}

static void
tell_damage(struct perfblock *pb, const struct pmon_perf_object *object, struct pmon_span name,
	    const char *why)
{
	pmon_report_loss(&pb->report, object->rd.origin, object->rd.len, "object %.*s: %s",
			 (int)(name.len < 100 ? name.len : 100), name.ptr, why);
}

enum pmon_status
pmon_perfblock_object_load(struct perfblock *pb, const struct perfblock_block *block,
			   const struct pmon_perf_object *object, struct pmon_err *err)
{
	struct pmon_span machine = pb->machines[block->machine].name;
	struct pmon_err why = {.status = PMON_OK};
	size_t n_before = pb->tables->n;
	char buf[PMON_TITLE_SIZE];
	struct pmon_span name = pmon_perfblock_title(pb, object->title_index, block->foreign, buf);
	struct pmon_table *table;
	enum pmon_status status;

	status = check_object(pb, object, &why);
	if (status == PMON_OK)
		status = pmon_tables_find(pb->tables, machine, name, &table, &why);
	if (status == PMON_OK && pmon_table_is_begun(pb->tables, table)) {
		tell_damage(pb, object, name, "is listed twice in a sample; using the first");
		return PMON_OK;
	}
	if (status == PMON_OK)
		status = load_values(pb, block, object, table, &why);
	if (status == PMON_E_FORMAT) {
		pb->tables->n = n_before;
		tell_damage(pb, object, name, why.msg);
		return PMON_OK;
	}
	if (why.offset == 0)
		why.offset = object->rd.origin;
	if (status != PMON_OK && err != NULL)
		*err = why;
	return status;
}
