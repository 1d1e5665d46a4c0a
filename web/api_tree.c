// api_tree.c - the tree of counters, one level at a time, and lists of matching series
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "web/api.h"
#include "web/find.h"
#include "web/series.h"
#include "web/view_private.h"

#define LIMIT_DEFAULT 200
#define LIMIT_MOST    2000

enum level {
	LEVEL_MACHINE,
	LEVEL_OBJECT,
	LEVEL_COUNTER,
	LEVEL_INSTANCE,
};

struct page {
	uint64_t offset;
	uint64_t limit;
};

static bool
read_page(struct call *call, struct page *page)
{
	*page = (struct page){0, LIMIT_DEFAULT};
	return call_number(call, "offset", 0, UINT32_MAX, &page->offset) &&
	       call_number(call, "limit", 1, LIMIT_MOST, &page->limit);
}

static bool
is_on_page(const struct page *page, uint64_t i)
{
	return i >= page->offset && i - page->offset < page->limit;
}

// ---- Names in order -------------------------------------------------------------------------

static int
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

// Take the run of digits at *at, without leading zeros, and move *at past it.
static struct pmon_span
take_digits(struct pmon_span text, size_t *at)
{
	struct pmon_span digits;

	while (*at < text.len && text.ptr[*at] == '0')
		(*at)++;
	digits = (struct pmon_span){text.ptr + *at, 0};
	while (*at < text.len && pmon_is_digit(text.ptr[*at])) {
		(*at)++;
		digits.len++;
	}
	return digits;
}

static int
compare_numbers(struct pmon_span a, struct pmon_span b)
{
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return a.len > 0 ? memcmp(a.ptr, b.ptr, a.len) : 0;
}

static bool
is_total(struct pmon_span name)
{
	return name.len == 6 && pmon_text_same(name, PMON_SPAN("_Total"));
}

// Ignores case and compares numbers by value; "_Total" comes first.
static int
compare_names(struct pmon_span a, struct pmon_span b)
{
	size_t i = 0;
	size_t j = 0;
	int order = (int)is_total(b) - (int)is_total(a);

	while (order == 0 && i < a.len && j < b.len) {
		if (pmon_is_digit(a.ptr[i]) && pmon_is_digit(b.ptr[j])) {
			struct pmon_span x = take_digits(a, &i);

			order = compare_numbers(x, take_digits(b, &j));
		} else {
			order = lower(a.ptr[i++]) - lower(b.ptr[j++]);
		}
	}
	if (order != 0)
		return order;
	return (a.len - i > b.len - j) - (a.len - i < b.len - j);
}

// Orders names that otherwise compare equal, such as "a01" and "a1", so that identical names stay
// adjacent.
static int
compare_bytes(struct pmon_span a, struct pmon_span b)
{
	int order = (a.len > b.len) - (a.len < b.len);

	for (size_t i = 0; order == 0 && i < a.len; i++)
		order = lower(a.ptr[i]) - lower(b.ptr[i]);
	return order;
}

static struct pmon_span
part_of(const struct pmon_series *series, enum level level)
{
	switch (level) {
	case LEVEL_MACHINE:
		return series->path.machine;
	case LEVEL_OBJECT:
		return series->path.object;
	case LEVEL_COUNTER:
		return series->path.counter;
	case LEVEL_INSTANCE:
		break;
	}
	return series->path.instance;
}

static int
compare_at(const struct pmon_series *a, const struct pmon_series *b, enum level level)
{
	int order = compare_names(part_of(a, level), part_of(b, level));

	return order != 0 ? order : compare_bytes(part_of(a, level), part_of(b, level));
}

static int
by_machine(const void *a, const void *b)
{
	return compare_at(*(const struct pmon_series *const *)a,
			  *(const struct pmon_series *const *)b, LEVEL_MACHINE);
}

static int
by_counter(const void *a, const void *b)
{
	return compare_at(*(const struct pmon_series *const *)a,
			  *(const struct pmon_series *const *)b, LEVEL_COUNTER);
}

// Keeps the counters of an object adjacent, so that they can be counted.
static int
by_object(const void *a, const void *b)
{
	int order = compare_at(*(const struct pmon_series *const *)a,
			       *(const struct pmon_series *const *)b, LEVEL_OBJECT);

	return order != 0 ? order : by_counter(a, b);
}

static int
by_instance(const void *a, const void *b)
{
	const struct pmon_series *x = *(const struct pmon_series *const *)a;
	const struct pmon_series *y = *(const struct pmon_series *const *)b;
	int order = compare_names(x->path.instance, y->path.instance);

	if (order == 0)
		order = compare_names(x->path.parent, y->path.parent);
	if (order == 0)
		order = (x->path.index > y->path.index) - (x->path.index < y->path.index);
	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

// ---- A level --------------------------------------------------------------------------------

// The requested part of the tree.
struct place {
	struct pmon_span machine;
	struct pmon_span object;
	struct pmon_span counter;
	enum level level;
};

static bool
read_place(struct call *call, struct place *place)
{
	*place = (struct place){call_param(call, "machine"), call_param(call, "object"),
				call_param(call, "counter"), LEVEL_MACHINE};
	if (place->machine.ptr == NULL && place->object.ptr != NULL) {
		call_fail(call, 400, "object", "the machine of the object is missing");
		return false;
	}
	if (place->object.ptr == NULL && place->counter.ptr != NULL) {
		call_fail(call, 400, "counter", "the object of the counter is missing");
		return false;
	}
	if (place->counter.ptr != NULL)
		place->level = LEVEL_INSTANCE;
	else if (place->object.ptr != NULL)
		place->level = LEVEL_COUNTER;
	else if (place->machine.ptr != NULL)
		place->level = LEVEL_OBJECT;
	return true;
}

static bool
is_below(const struct place *place, const struct pmon_series *series)
{
	return (place->machine.ptr == NULL ||
		pmon_text_same(place->machine, series->path.machine)) &&
	       (place->object.ptr == NULL || pmon_text_same(place->object, series->path.object)) &&
	       (place->counter.ptr == NULL || pmon_text_same(place->counter, series->path.counter));
}

// One node: adjacent series with the same name at this level.
struct node {
	const struct pmon_series *const *series;
	size_t n;
};

static size_t
count_counters(const struct node *node)
{
	size_t n = 1;

	for (size_t i = 1; i < node->n; i++)
		n += !pmon_text_same(node->series[i]->path.counter,
				     node->series[i - 1]->path.counter);
	return n;
}

static void
put_node(struct json *json, const struct node *node, enum level level)
{
	const struct pmon_series *first = node->series[0];
	const struct pmon_path *path = pmon_series_english(first);
	struct pmon_span name = part_of(first, level);

	if (level == LEVEL_INSTANCE) {
		series_put(json, first);
		return;
	}
	json_open(json, '{');
	json_key(json, "name"), json_text(json, name);
	json_key(json, "series"), json_u64(json, node->n);
	if (level == LEVEL_OBJECT) {
		json_key(json, "counters"), json_u64(json, count_counters(node));
		json_key(json, "help"), json_str(json, series_object_help(path->object));
	} else if (level == LEVEL_COUNTER) {
		json_key(json, "type"), json_series_type(json, first);
		json_key(json, "unit"), json_str(json, pmon_series_unit(first));
		json_key(json, "help"),
			json_str(json, series_counter_help(path->object, path->counter));
	}
	json_close(json, '}');
}

// The node that begins at i. Each series is its own instance.
static struct node
node_at(const struct pmon_series *const *list, size_t n, size_t i, enum level level)
{
	size_t end = i + 1;

	while (level != LEVEL_INSTANCE && end < n &&
	       pmon_text_same(part_of(list[i], level), part_of(list[end], level)))
		end++;
	return (struct node){list + i, end - i};
}

static void
put_level(struct json *json, const struct pmon_series *const *list, size_t n, enum level level,
	  const struct page *page)
{
	static const char *const names[] = {"machine", "object", "counter", "instance"};
	struct node node;
	uint64_t total = 0;

	for (size_t i = 0; i < n; i += node.n, total++)
		node = node_at(list, n, i, level);
	json_open(json, '{');
	json_key(json, "level"), json_str(json, names[level]);
	json_key(json, "total"), json_u64(json, total);
	json_key(json, "offset"), json_u64(json, page->offset);
	json_key(json, "nodes"), json_open(json, '[');
	total = 0;
	for (size_t i = 0; i < n; i += node.n, total++) {
		node = node_at(list, n, i, level);
		if (is_on_page(page, total))
			put_node(json, &node, level);
	}
	json_close(json, ']');
	json_close(json, '}');
}

void
api_tree(struct call *call)
{
	static int (*const orders[])(const void *, const void *) = {by_machine, by_object,
								    by_counter, by_instance};
	const struct pmon_series **list;
	struct find find;
	struct place place;
	struct page page;
	struct set *set;
	size_t n;
	size_t kept = 0;

	if (!call_set(call, "set", &set) || !read_place(call, &place) || !read_page(call, &page) ||
	    !find_open(&find, call, false))
		return;
	list = series_all(call, set, &n);
	if (list == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		if (is_below(&place, list[i]) && find_matches(&find, list[i]))
			list[kept++] = list[i];
	qsort(list, kept, sizeof(*list), orders[place.level]);
	put_level(&call->json, list, kept, place.level, &page);
	free(list);
}

void
api_select(struct call *call)
{
	const struct pmon_series **list;
	struct json *json = &call->json;
	struct find find;
	struct page page;
	struct set *set;
	size_t n;
	size_t kept = 0;

	if (!call_set(call, "set", &set) || !read_page(call, &page) ||
	    !find_open(&find, call, true))
		return;
	list = series_all(call, set, &n);
	if (list == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		if (find_matches(&find, list[i]))
			list[kept++] = list[i];
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, kept);
	json_key(json, "offset"), json_u64(json, page.offset);
	json_key(json, "series"), json_open(json, '[');
	for (size_t i = 0; i < kept; i++)
		if (is_on_page(&page, i))
			series_put(json, list[i]);
	json_close(json, ']');
	json_close(json, '}');
	free(list);
}
