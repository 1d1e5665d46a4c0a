// sadf_items.c - the items of the sections of sadf -d, such as processors, and their series
// SPDX-License-Identifier: MIT

#include "format/pdhtext/sadf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

// ---- Paths ----------------------------------------------------------------------------------

static void
append(struct pdht_gathered *g, size_t *n, struct pmon_span text)
{
	memcpy(g->scratch + *n, text.ptr, text.len);
	*n += text.len;
}

// The name of the column of an output: each of those that the last one stands for has a number.
static void
append_counter(struct pdht_gathered *g, size_t *n, const struct sadf_section *section, size_t i,
	       struct pmon_span *out)
{
	size_t last = section->n_outputs - 1;
	size_t column = section->outputs[i < last ? i : last].sum.columns[0];
	char number[16] = "";

	if (section->is_open && i >= last)
		(void)snprintf(number, sizeof(number), " %u", (unsigned)(i - last));
	out->ptr = g->scratch + *n;
	append(g, n, section->columns[section->n_items + column]);
	append(g, n, (struct pmon_span){number, strlen(number)});
	out->len = (size_t)(g->scratch + *n - out->ptr);
	for (size_t k = (size_t)(out->ptr - g->scratch); k < *n; k++)
		if (g->scratch[k] == '\\')
			g->scratch[k] = '_';
}

// The name of the item: the sum of all processors is called as in Windows.
static struct pmon_span
instance_of(const struct sadf_section *section, const struct sadf_item *item)
{
	if (section->n_items == 0)
		return (struct pmon_span){NULL, 0};
	if ((pmon_pdht_is(section->columns[0], "CPU") && pmon_pdht_is(item->text, "-1")) ||
	    (pmon_pdht_is(section->columns[0], "INTR") && pmon_pdht_is(item->text, "sum")))
		return PMON_SPAN("_Total");
	return item->text;
}

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// The path of output i of an item, in scratch. False when memory is short.
static bool
build_path(struct pdht_gathered *g, const struct sadf_section *section,
	   const struct sadf_item *item, size_t i, struct pmon_path *out)
{
	const struct sadf_rule *rule = i < section->n_outputs ? section->outputs[i].rule : NULL;
	struct pmon_span instance = instance_of(section, item);
	size_t n = 0;

	if (!pmon_pdht_gathered_scratch(g, 2 * PDHT_NAME_BYTES + 2 * section->names.len +
						   sizeof("sysstat  4294967295")))
		return false;
	append(g, &n, item->host);
	if (instance.len > 0)
		append(g, &n, instance);
	pmon_pdht_clean(g->scratch, n);
	*out = (struct pmon_path){.machine = {g->scratch, item->host.len}, .instance = instance};
	if (instance.len > 0)
		out->instance.ptr = g->scratch + item->host.len;
	if (rule != NULL) {
		out->object = span_of(rule->object);
		out->counter = span_of(rule->counter);
		if (rule->instance != NULL)
			out->instance = span_of(rule->instance);
		return true;
	}
	out->object.ptr = g->scratch + n;
	append(g, &n, PMON_SPAN("sysstat"));
	if (section->n_items > 0) {
		append(g, &n, PMON_SPAN(" "));
		append(g, &n, section->columns[0]);
	}
	out->object.len = (size_t)(g->scratch + n - out->object.ptr);
	append_counter(g, &n, section, i, &out->counter);
	return true;
}

// ---- Items ----------------------------------------------------------------------------------

static uint64_t
hash_item(uint64_t seed, uint32_t section, struct pmon_span host, struct pmon_span text)
{
	uint64_t hash = pmon_map_mix(seed, section);

	hash = pmon_map_mix_bytes(hash, host.ptr, host.len);
	return pmon_map_mix_bytes(pmon_map_mix(hash, host.len), text.ptr, text.len);
}

const struct sadf_item *
pmon_sadf_item_find(const struct pdht_gathered *g, const struct sadf_sections *sections,
		    uint32_t section, struct pmon_span host, struct pmon_span text)
{
	uint64_t hash = hash_item(g->seed, section, host, text);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&sections->item_map, hash, &at)) != PMON_MAP_NONE) {
		const struct sadf_item *item = &sections->items[i];

		if (item->section == section && item->host.len == host.len &&
		    item->text.len == text.len && memcmp(item->host.ptr, host.ptr, host.len) == 0 &&
		    memcmp(item->text.ptr, text.ptr, text.len) == 0)
			return item;
	}
	return NULL;
}

enum pmon_status
pmon_sadf_item_add(struct pdht_gathered *g, struct sadf_sections *sections, uint32_t number,
		   struct pmon_span host, struct pmon_span text, uint32_t n_values,
		   struct pmon_err *err)
{
	const struct sadf_section *section = &sections->list[number];
	size_t n = section->n_outputs + (n_values - section->n);
	struct sadf_item item = {.section = number, .n_values = n_values};
	uint32_t *series = pmon_arena_alloc(&g->arena, n * sizeof(*series));
	enum pmon_status status = PMON_OK;

	if (series == NULL || !pmon_arena_copy(&g->arena, host, &item.host) ||
	    !pmon_arena_copy(&g->arena, text, &item.text))
		return pmon_err_nomem(err);
	item.series = series;
	for (size_t i = 0; status == PMON_OK && i < n; i++) {
		struct pmon_path path;

		if (!build_path(g, section, &item, i, &path))
			return pmon_err_nomem(err);
		status = pmon_pdht_gathered_path(g, &path, &series[i], err);
	}
	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(g->allocator, &sections->items, &sections->items_cap,
			   sections->n_items + 1, sizeof(*sections->items)) ||
	    !pmon_map_put(&sections->item_map, g->allocator,
			  hash_item(g->seed, number, item.host, item.text),
			  (uint32_t)sections->n_items))
		return pmon_err_nomem(err);
	sections->items[sections->n_items++] = item;
	return PMON_OK;
}
