// columns.c - the columns of text logs, and their series
// SPDX-License-Identifier: MIT
//
// Logs may be concatenated, each with its own header. A column keeps its series as long as its text
// is the same; a second column with the same text is another column.

#include "format/pdhtext/pdhtext.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

// ---- Paths ----------------------------------------------------------------------------------

static const char *
find(struct pmon_span text, size_t from, char c)
{
	return from < text.len ? memchr(text.ptr + from, c, text.len - from) : NULL;
}

// Names of virtual machines and the like may contain an unbalanced parenthesis: then the last `)\`
// ends the instance.
static bool
read_unbalanced(struct pmon_span text, struct pmon_path *out)
{
	const char *end = text.ptr + text.len;
	const char *object = text.ptr + 1;
	const char *open;
	const char *close;

	*out = (struct pmon_path){.index = 0};
	if (text.len < 2 || text.ptr[0] != '\\')
		return false;
	if (text.ptr[1] == '\\') {
		object = find(text, 2, '\\');
		if (object == NULL)
			return false;
		out->machine = (struct pmon_span){text.ptr + 2, (size_t)(object - text.ptr) - 2};
		object++;
	}
	open = find(text, (size_t)(object - text.ptr), '(');
	if (open == NULL || open == object)
		return false;
	for (close = end - 2; close > open; close--)
		if (close[0] == ')' && close[1] == '\\')
			break;
	if (close <= open || close + 2 == end)
		return false;
	out->object = (struct pmon_span){object, (size_t)(open - object)};
	out->instance = (struct pmon_span){open + 1, (size_t)(close - open) - 1};
	out->counter = (struct pmon_span){close + 2, (size_t)(end - close) - 2};
	return true;
}

static bool
read_path(struct pmon_span text, struct pmon_path *out)
{
	return pmon_path_parse(text, out, NULL) || read_unbalanced(text, out);
}

// Are all backslashes doubled, as programs that quote them write?
static bool
are_doubled(struct pmon_span text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '\\')
			continue;
		if (i + 1 == text.len || text.ptr[i + 1] != '\\')
			return false;
		n++;
		i++;
	}
	return n > 1;
}

static struct pmon_span
halve(struct pmon_span text, char *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		scratch[n++] = text.ptr[i];
		i += text.ptr[i] == '\\';
	}
	return (struct pmon_span){scratch, n};
}

// The text with one more leading backslash.
static struct pmon_span
lead(struct pmon_span text, char *scratch)
{
	memmove(scratch + 1, text.ptr, text.len);
	scratch[0] = '\\';
	return (struct pmon_span){scratch, text.len + 1};
}

bool
pmon_pdht_path_read(struct pmon_span text, char *scratch, enum pdht_path_fault *fault,
		    struct pmon_path *out)
{
	struct pmon_path whole;

	*fault = PDHT_PATH_WHOLE;
	if (are_doubled(text)) {
		*fault = PDHT_PATH_DOUBLED;
		text = halve(text, scratch);
	}
	if (text.len > 0 && text.ptr[0] != '\\' && find(text, 0, '\\') != NULL)
		text = lead(text, scratch); // "Memory\Pages/sec", as people shorten it
	if (!read_path(text, out))
		return false;
	// No counter name contains a backslash: "\HOST\Memory\Pages/sec" begins with a machine.
	if (out->machine.len > 0 || find(out->counter, 0, '\\') == NULL ||
	    !read_path(lead(text, scratch), &whole))
		return true;
	*fault = PDHT_PATH_HOST;
	*out = whole;
	return true;
}

// ---- Series ---------------------------------------------------------------------------------

static enum pmon_status
add_series(struct pdht *pdht, const struct pmon_path *path, uint32_t *series_out,
	   struct pmon_err *err)
{
	static const struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	struct pmon_schema *schema = &pdht->source.schema;
	uint32_t word;
	bool is_known;
	enum pmon_status status = pmon_schema_add(schema, path, &counter, pdht->columns.n,
						  pdht->limits.wanted_series, series_out);

	if (status != PMON_OK)
		return pmon_schema_refuse(status, pdht->limits.wanted_series, err);
	is_known = pmon_pdht_known_type(&pdht->types, schema->list[*series_out], &word);
	pmon_schema_set_formatted(schema, *series_out, is_known ? &word : NULL);
	return PMON_OK;
}

// Is the name of a column a damaged counter path? A manually added column has no backslash and no
// invalid bytes, which have become U+FFFD.
static bool
is_damaged(struct pmon_span text)
{
	static const char none[] = "\xEF\xBF\xBD";

	for (size_t i = 0; i + sizeof(none) - 1 <= text.len; i++)
		if (memcmp(text.ptr + i, none, sizeof(none) - 1) == 0)
			return true;
	return find(text, 0, '\\') != NULL;
}

// Add a name to a message's list, if there is room for it.
static void
add_name(char names[PDHT_NAMES_BYTES], struct pmon_span name)
{
	char shown[PDHT_SAMPLE_BYTES + 1];
	size_t len = strlen(names);
	struct pmon_text text = pmon_text_init(names + len, PDHT_NAMES_BYTES - len);

	if (PDHT_NAMES_BYTES - len < sizeof(shown) + sizeof(", \"\""))
		return;
	pmon_text_str(&text, len > 0 ? ", \"" : "\"");
	pmon_text_str(&text, pmon_pdht_show(name, shown));
	pmon_text_char(&text, '"');
}

void
pmon_pdht_column_damaged(struct pdht_columns *c, struct pmon_span text)
{
	c->n_damaged++;
	add_name(c->damaged, text);
}

// A column without a name may just be a separator at the end of the line.
static void
note_strange(struct pdht_columns *c, struct pmon_span text)
{
	if (text.len == 0)
		return;
	if (is_damaged(text)) {
		pmon_pdht_column_damaged(c, text);
		return;
	}
	c->n_strange++;
	add_name(c->strange, text);
}

static enum pmon_status
find_series(struct pdht *pdht, struct pmon_span text, struct pdht_column *out, struct pmon_err *err)
{
	struct pdht_columns *c = &pdht->columns;
	enum pdht_path_fault fault;
	struct pmon_path path;

	out->has_path = text.len > 0 && text.len <= pdht->limits.string_bytes &&
			pmon_pdht_path_read(text, pdht->scratch + text.len, &fault, &path);
	if (!out->has_path) {
		note_strange(c, text);
		return PMON_OK;
	}
	if (pdht->source.info.machine[0] == '\0' && path.machine.len > 0) {
		struct pmon_span machine;

		if (!pmon_arena_copy(&pdht->arena, path.machine, &machine))
			return pmon_err_nomem(err);
		pdht->source.info.machine = machine.ptr;
	}
	c->n_paths++;
	c->n_faults[fault]++;
	pmon_pdht_note_processor(&c->processors, &path);
	if (pdht->want != NULL && !pdht->want(pdht->want_ctx, &path))
		return PMON_OK;
	return add_series(pdht, &path, &out->series, err);
}

// ---- The table of columns -------------------------------------------------------------------

// The head with this text, or PMON_MAP_NONE.
static uint32_t
find_head(const struct pdht_columns *c, uint64_t hash, struct pmon_span text)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&c->heads, hash, &at)) != PMON_MAP_NONE)
		if (c->list[i].text.len == text.len &&
		    memcmp(c->list[i].text.ptr, text.ptr, text.len) == 0)
			return i;
	return PMON_MAP_NONE;
}

void
pmon_pdht_columns_free(struct pdht_columns *c, const struct pmon_allocator *allocator)
{
	pmon_map_free(&c->heads, allocator);
	pmon_mem_free(allocator, c->cells.list, c->cells.cap * sizeof(*c->cells.list));
	pmon_mem_free(allocator, c->list, c->cap * sizeof(*c->list));
}

static enum pmon_status
add_column(struct pdht *pdht, struct pmon_span text, uint32_t *number_out, struct pmon_err *err)
{
	struct pdht_columns *c = &pdht->columns;
	struct pdht_column column = {.series = PMON_SERIES_NONE,
				     .next = PMON_SERIES_NONE,
				     .tallies = PMON_SERIES_NONE,
				     .decimal = pdht->style.usual_decimal};
	enum pmon_status status;

	if (c->n >= pdht->limits.series || c->n >= PMON_SERIES_NONE)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters",
				    pdht->limits.series);
	if (!pmon_mem_grow(pdht->allocator, &c->list, &c->cap, c->n + 1, sizeof(*c->list)) ||
	    !pmon_arena_copy(&pdht->arena, text, &column.text))
		return pmon_err_nomem(err);
	status = find_series(pdht, text, &column, err);
	if (status != PMON_OK)
		return status;
	pmon_pdht_set_bounds(pdht, &column, NAN, false);
	*number_out = (uint32_t)c->n;
	c->list[c->n++] = column;
	return PMON_OK;
}

// The column with this text that this header has not used yet.
static enum pmon_status
next_of_chain(struct pdht *pdht, uint32_t head, uint32_t *number_out, struct pmon_err *err)
{
	struct pdht_columns *c = &pdht->columns;
	uint32_t last = c->list[head].cursor;
	enum pmon_status status;

	if (c->list[head].stamp != c->stamp) {
		*number_out = head;
		return PMON_OK;
	}
	*number_out = c->list[last].next;
	if (*number_out != PMON_SERIES_NONE)
		return PMON_OK;
	status = add_column(pdht, c->list[head].text, number_out, err);
	if (status != PMON_OK)
		return status;
	c->n_twice += c->list[head].has_path;
	c->list[last].next = *number_out;
	return PMON_OK;
}

enum pmon_status
pmon_pdht_column_take(struct pdht *pdht, struct pmon_span text, uint32_t *column_out,
		      struct pmon_err *err)
{
	struct pdht_columns *c = &pdht->columns;
	uint64_t hash = pmon_map_mix_bytes(c->seed, text.ptr, text.len);
	uint32_t head = find_head(c, hash, text);
	enum pmon_status status;

	if (head == PMON_MAP_NONE) {
		if (!pmon_map_reserve(&c->heads, pdht->allocator, 1))
			return pmon_err_nomem(err);
		status = add_column(pdht, text, &head, err);
		if (status != PMON_OK)
			return status;
		pmon_map_add(&c->heads, hash, head);
	}
	status = next_of_chain(pdht, head, column_out, err);
	if (status != PMON_OK)
		return status;
	c->list[head].stamp = c->stamp;
	c->list[head].cursor = *column_out;
	return PMON_OK;
}
