// types_file.c - counter types added by the user
// SPDX-License-Identifier: MIT
//
// A table of "object,counter,type", one counter per line; further columns are ignored. The object
// may be * for any; the type is a word or a name. A first line "object,..." and lines that begin
// with # are skipped.

#include "format/pdhtext/pdhtext.h"

#include <stdlib.h>

#include "base/mem.h"

struct load {
	struct pdht_types *types;
	struct pmon_arena *arena;
	const char *path;
	struct pmon_err *err;
};

// A type in this file must be in the table: nothing can be computed for an unknown word.
static bool
read_type(struct pmon_span text, uint32_t *word_out)
{
	return pmon_type_parse(text, word_out) != PMON_TYPE_FORM_NONE &&
	       pmon_type_by_word(*word_out) != NULL;
}

static struct pmon_span
next_text(struct pdht_fields *fields)
{
	struct pdht_field field;

	(void)pmon_pdht_field_next(fields, &field);
	return pmon_pdht_trim(field.text);
}

static enum pmon_status
refuse(const struct load *load, const struct pdht_row *row, struct pmon_span text)
{
	char shown[PDHT_SAMPLE_BYTES + 1];

	return pmon_err_set(load->err, PMON_E_FORMAT, row->offset,
			    "%s: line %llu: \"%s\" is not a counter type", load->path,
			    (unsigned long long)row->line, pmon_pdht_show(text, shown));
}

static enum pmon_status
take_line(const struct load *load, const struct pdht_row *row)
{
	struct pdht_types *types = load->types;
	struct pdht_fields fields = pdht_fields(row, ',', false);
	struct pdht_type type = {.object = next_text(&fields)};
	struct pmon_span word;

	type.counter = next_text(&fields);
	word = next_text(&fields);
	if (type.object.len == 0 || type.object.ptr[0] == '#' ||
	    (row->line == 1 && pmon_pdht_compare(type.object, PMON_SPAN("object")) == 0))
		return PMON_OK;
	if (!read_type(word, &type.word))
		return refuse(load, row, word);
	if (type.object.len == 1 && type.object.ptr[0] == '*')
		type.object = (struct pmon_span){NULL, 0};
	if (!pmon_mem_grow(load->arena->allocator, &types->list, &types->cap, types->n + 1,
			   sizeof(*types->list)) ||
	    !pmon_arena_copy(load->arena, type.object, &type.object) ||
	    !pmon_arena_copy(load->arena, type.counter, &type.counter))
		return pmon_err_nomem(load->err);
	types->list[types->n++] = type;
	return PMON_OK;
}

static enum pmon_status
take_lines(const struct load *load, struct pdht_input *in)
{
	struct pdht_row row;
	enum pmon_status status = pmon_pdht_input_open(in, NULL, load->err);

	while (status == PMON_OK) {
		status = pmon_pdht_input_row(in, &row, load->err);
		if (status == PMON_OK)
			status = take_line(load, &row);
	}
	return status == PMON_END ? PMON_OK : status;
}

enum pmon_status
pmon_pdht_types_load(struct pdht_types *types, const char *path, struct pmon_arena *arena,
		     const struct pmon_limits *limits, struct pmon_err *err)
{
	struct load load = {types, arena, path, err};
	struct pdht_input in = {.allocator = arena->allocator, .max_row = limits->string_bytes};
	enum pmon_status status = pmon_file_open(path, arena->allocator, &in.file, err);

	if (status != PMON_OK)
		return status;
	status = take_lines(&load, &in);
	pmon_pdht_input_close(&in);
	pmon_file_close(in.file);
	if (status == PMON_OK && types->n > 0)
		qsort(types->list, types->n, sizeof(*types->list), pmon_pdht_compare_types);
	return status;
}

void
pmon_pdht_types_free(struct pdht_types *types, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, types->list, types->cap * sizeof(*types->list));
}
