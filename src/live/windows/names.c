// names.c - what Windows calls its objects, and which of them are asked for
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "live/windows/windows.h"
#include "model/english.h"

#define LOCAL       0
#define ENGLISH     1
#define FIRST_BYTES ((size_t)256 << 10)
#define MOST_BYTES  ((size_t)64 << 20) // of a table of names; those of Windows have less than 1 MiB
#define MOST_ASKED  500                // objects; for more all are queried
#define NAME_BYTES  ((size_t)64 << 10)

// ---- Tables ---------------------------------------------------------------------------------

static enum pmon_status
take_table(struct pmon_titles *titles, uint32_t table, const void *bytes, size_t len)
{
	struct pmon_rd r = pmon_rd_init(bytes, len, 0);
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK)
		status = pmon_titles_next(titles, table, &r, NAME_BYTES);
	return status == PMON_E_NOMEM ? status : PMON_OK; // what is whole is taken
}

// A table that Windows does not give is left empty.
static enum pmon_status
load_table(struct live *live, struct pmon_titles *titles, enum win_key key, uint32_t table,
	   struct pmon_err *err)
{
	enum pmon_status status = PMON_E_LIMIT;
	uint8_t *bytes = NULL;
	size_t cap = 0;
	size_t len = 0;

	for (size_t size = FIRST_BYTES; status == PMON_E_LIMIT && size <= MOST_BYTES; size *= 2) {
		if (pmon_mem_grow(live->allocator, &bytes, &cap, size, 1))
			status = pmon_win_query(key, "Counter", bytes, cap, &len, NULL);
		else
			status = PMON_E_NOMEM;
	}
	if (status == PMON_OK)
		status = take_table(titles, table, bytes, len);
	pmon_mem_free(live->allocator, bytes, cap);
	return status == PMON_E_NOMEM ? pmon_err_nomem(err) : PMON_OK;
}

enum pmon_status
pmon_win_load_names(struct live *live, struct pmon_titles *titles, struct pmon_err *err)
{
	enum pmon_status status = load_table(live, titles, WIN_NAMES, LOCAL, err);

	if (status == PMON_OK)
		status = load_table(live, titles, WIN_ENGLISH, ENGLISH, err);
	if (status == PMON_OK && !pmon_titles_translate(titles, &live->source.schema))
		return pmon_err_nomem(err);
	return status;
}

// ---- What is asked for ----------------------------------------------------------------------

// A list of title indexes that grows in a text.
struct list {
	struct pmon_text text;
	size_t n;
};

// Add the objects of this name. A counter of the same name does no harm: Windows ignores its index.
static bool
add_named(struct list *list, const struct pmon_titles *titles, struct pmon_span object)
{
	struct pmon_span name;
	uint32_t index;
	size_t n_before = list->n;

	for (size_t i = 0; pmon_titles_at(titles, i, &index, &name); i++) {
		if (!pmon_text_same(name, object) || list->n == MOST_ASKED)
			continue;
		if (list->n++ > 0)
			pmon_text_char(&list->text, ' ');
		pmon_text_u64(&list->text, index);
	}
	return list->n > n_before;
}

// Is this a name without wildcards, of objects that Windows has?
static bool
add_pattern(struct list *list, const struct pmon_titles *titles, const char *pattern)
{
	struct pmon_path path;

	if (!pmon_pattern_parse((struct pmon_span){pattern, strlen(pattern)}, &path, NULL) ||
	    memchr(path.object.ptr, '*', path.object.len) != NULL ||
	    memchr(path.object.ptr, '?', path.object.len) != NULL)
		return false;
	return add_named(list, titles, path.object) ||
	       add_named(list, titles, pmon_english_object(path.object));
}

enum pmon_status
pmon_win_choose(struct live *live, const struct pmon_titles *titles, const char **out,
		struct pmon_err *err)
{
	const struct pmon_select *select = live->options.select;
	size_t n = select != NULL ? pmon_select_count(select) : 0;
	size_t size = MOST_ASKED * 11 + 1; // a number and a blank
	char *text = pmon_arena_alloc(&live->arena, size);
	struct list list = {.n = 0};
	bool all = n == 0;

	if (text == NULL)
		return pmon_err_nomem(err);
	list.text = pmon_text_init(text, size);
	for (size_t i = 0; i < n && !all; i++)
		all = !add_pattern(&list, titles, pmon_select_pattern(select, i)) ||
		      list.n == MOST_ASKED;
	*out = all ? "Global" : text;
	return PMON_OK;
}
