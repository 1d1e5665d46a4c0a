// sadf_sections.c - the sections of sadf -d: their columns, and the values that are made of these
// SPDX-License-Identifier: MIT

#include "format/pdhtext/sadf.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"

// ---- Lines ----------------------------------------------------------------------------------

bool
pmon_sadf_field(struct pmon_span *text, struct pmon_span *out)
{
	const char *end = text->len > 0 ? memchr(text->ptr, ';', text->len) : NULL;

	if (end == NULL)
		return false;
	*out = (struct pmon_span){text->ptr, (size_t)(end - text->ptr)};
	*text = (struct pmon_span){end + 1, text->len - out->len - 1};
	return true;
}

bool
pmon_sadf_column(struct pmon_span *rest, bool *is_last, struct pmon_span *out)
{
	if (*is_last)
		return false;
	if (!pmon_sadf_field(rest, out)) {
		*out = *rest;
		*is_last = true;
	}
	return true;
}

bool
pmon_sadf_is_names(struct pmon_span line)
{
	return line.len > strlen(SADF_MARK) && memcmp(line.ptr, SADF_MARK, strlen(SADF_MARK)) == 0;
}

// ---- Columns --------------------------------------------------------------------------------

static bool
is_item(struct pmon_span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] < 'A' || name.ptr[i] > 'Z')
			return false;
	return name.len > 0;
}

static bool
find_column(const struct sadf_section *section, const char *name, uint32_t *out)
{
	for (uint32_t i = 0; i < section->n; i++)
		if (pmon_pdht_is(section->columns[section->n_items + i], name)) {
			*out = i;
			return true;
		}
	return false;
}

// The columns of a rule, if the section has them all.
static bool
use_rule(const struct sadf_section *section, const struct sadf_rule *rule, struct sadf_output *out)
{
	struct pdht_sum *sum = &out->sum;

	*out = (struct sadf_output){rule, {{0}, 0, rule->is_rest, rule->factor, rule->divisor}};
	if (section->n_items > 1 ||
	    !(section->n_items == 0 ? rule->item[0] == '\0'
				    : pmon_pdht_is(section->columns[0], rule->item)) ||
	    !pmon_pdht_is(section->columns[section->n_items], rule->first))
		return false;
	for (; sum->n < PDHT_SUM && rule->columns[sum->n] != NULL; sum->n++)
		if (!find_column(section, rule->columns[sum->n], &sum->columns[sum->n]))
			return false;
	return true;
}

static bool
is_kept(const struct sadf_section *section, size_t n_rules, uint32_t column)
{
	for (size_t i = 0; i < n_rules; i++)
		if (section->outputs[i].sum.n == 1 && section->outputs[i].sum.columns[0] == column)
			return true;
	return false;
}

// The values of a line: those of the rules, then the columns that no value keeps alone.
static bool
settle_outputs(struct pdht_gathered *g, struct sadf_section *section)
{
	const struct sadf_rule *rule;
	struct sadf_output output;
	size_t n = section->n;

	for (size_t i = 0; (rule = pmon_sadf_rule(i)) != NULL; i++)
		n += use_rule(section, rule, &output);
	section->outputs = pmon_arena_alloc(&g->arena, n * sizeof(*section->outputs));
	if (section->outputs == NULL)
		return false;
	for (size_t i = 0; (rule = pmon_sadf_rule(i)) != NULL; i++)
		if (use_rule(section, rule, &output))
			section->outputs[section->n_outputs++] = output;
	n = section->n_outputs;
	for (uint32_t i = 0; i < section->n; i++)
		if (!is_kept(section, n, i))
			section->outputs[section->n_outputs++] =
				(struct sadf_output){NULL, {{i}, 1, false, 1, 1}};
	return true;
}

// The columns of a section by their names. *is_good is false if it has no values, or too many columns.
static bool
read_columns(struct pdht_gathered *g, struct sadf_section *section, bool *is_good)
{
	struct pmon_span rest = section->names;
	struct pmon_span column;
	bool is_last = false;
	size_t n = 1;

	*is_good = false;
	for (size_t i = 0; i < rest.len; i++)
		n += rest.ptr[i] == ';';
	if (n > SADF_COLUMNS)
		return true;
	section->columns = pmon_arena_alloc(&g->arena, n * sizeof(*section->columns));
	if (section->columns == NULL)
		return false;
	for (n = 0; pmon_sadf_column(&rest, &is_last, &column); n++) {
		column = pmon_pdht_trim(column);
		section->columns[n] = column;
		if (column.len == 0)
			return true;
		if (section->n_items == n && is_item(column))
			section->n_items++;
	}
	section->n = (uint32_t)n - section->n_items;
	section->is_open = column.ptr[column.len - 1] == '*';
	*is_good = section->n > 0;
	return true;
}

static bool
add(struct pdht_gathered *g, struct sadf_sections *sections, const struct sadf_section *section,
    uint64_t hash)
{
	if (!pmon_mem_grow(g->allocator, &sections->list, &sections->cap, sections->n + 1,
			   sizeof(*sections->list)) ||
	    !pmon_map_put(&sections->map, g->allocator, hash, (uint32_t)sections->n))
		return false;
	sections->list[sections->n++] = *section;
	return true;
}

enum pmon_status
pmon_sadf_section_take(struct pdht_gathered *g, struct sadf_sections *sections,
		       struct pmon_span line, uint32_t *out, struct pmon_err *err)
{
	struct sadf_section section = {.n = 0};
	uint64_t hash;
	size_t at = 0;
	bool is_good;

	line = (struct pmon_span){line.ptr + strlen(SADF_MARK), line.len - strlen(SADF_MARK)};
	hash = pmon_map_mix_bytes(g->seed, line.ptr, line.len);
	while ((*out = pmon_map_next(&sections->map, hash, &at)) != PMON_MAP_NONE)
		if (sections->list[*out].names.len == line.len &&
		    memcmp(sections->list[*out].names.ptr, line.ptr, line.len) == 0)
			return PMON_OK;
	if (!pmon_utf8_valid(line) || line.len > g->limits.string_bytes ||
	    memchr(line.ptr, '\0', line.len) != NULL || memchr(line.ptr, '[', line.len) != NULL)
		return PMON_E_FORMAT;
	if (sections->n >= g->limits.series)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu sections",
				    g->limits.series);
	if (!pmon_arena_copy(&g->arena, line, &section.names) ||
	    !read_columns(g, &section, &is_good))
		return pmon_err_nomem(err);
	if (!is_good)
		return PMON_E_FORMAT;
	if (!settle_outputs(g, &section) || !add(g, sections, &section, hash))
		return pmon_err_nomem(err);
	*out = (uint32_t)sections->n - 1;
	return PMON_OK;
}

void
pmon_sadf_sections_free(struct sadf_sections *sections, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, sections->list, sections->cap * sizeof(*sections->list));
	pmon_mem_free(allocator, sections->items, sections->items_cap * sizeof(*sections->items));
	pmon_map_free(&sections->map, allocator);
	pmon_map_free(&sections->item_map, allocator);
}
