// known.c - counter types of all Windows systems, by name
// SPDX-License-Identifier: MIT
//
// A text log does not contain the types of its counters. The table of types (share/names) has those
// that logs and documents confirm. If the name alone implies the type, there is a rule.

#include "format/pdhtext/pdhtext.h"

#include <stdlib.h>
#include <string.h>

#include "model/english.h"

#define TEXT(literal)                                                                              \
	{                                                                                          \
		literal, sizeof(literal) - 1                                                       \
	}
// Objects whose counters have the same types as those of another object.
static const struct {
	struct pmon_span object;
	struct pmon_span like;
} kin[] = {
	{TEXT("Process V2"), TEXT("Process")},
	{TEXT("Processor Information"), TEXT("Processor")},
	{TEXT("Network Adapter"), TEXT("Network Interface")},
	{TEXT("TCPv6"), TEXT("TCPv4")},
};

// Names that imply the type on any object.
static const struct {
	struct pmon_span pattern;
	uint32_t word;
} rules[] = {
	{TEXT("Avg. Disk sec/*"), PMON_PERF_AVERAGE_TIMER},
	{TEXT("Avg. Disk Bytes/*"), PMON_PERF_AVERAGE_BULK},
	{TEXT("*/sec"), PMON_PERF_COUNTER_BULK_COUNT},
};

static int
fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (uint8_t)c;
}

int
pmon_pdht_compare(struct pmon_span a, struct pmon_span b)
{
	for (size_t i = 0; i < a.len && i < b.len; i++)
		if (fold(a.ptr[i]) != fold(b.ptr[i]))
			return fold(a.ptr[i]) < fold(b.ptr[i]) ? -1 : 1;
	return (a.len > b.len) - (a.len < b.len);
}

int
pmon_pdht_compare_types(const void *a, const void *b)
{
	const struct pdht_type *x = a;
	const struct pdht_type *y = b;
	int order = pmon_pdht_compare(x->object, y->object);

	return order != 0 ? order : pmon_pdht_compare(x->counter, y->counter);
}

static bool
find(const struct pdht_type *list, size_t n, struct pmon_span object, struct pmon_span counter,
     uint32_t *word_out)
{
	const struct pdht_type wanted = {.object = object, .counter = counter};
	const struct pdht_type *found = NULL;

	if (n > 0)
		found = bsearch(&wanted, list, n, sizeof(wanted), pmon_pdht_compare_types);
	if (found != NULL)
		*word_out = found->word;
	return found != NULL;
}

// The path with the object whose counters have the same types.
static struct pmon_path
usual(const struct pmon_path *path)
{
	struct pmon_path out = *path;

	for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
		if (pmon_pdht_compare(path->object, kin[i].object) == 0)
			out.object = kin[i].like;
	return out;
}

static bool
find_added(const struct pdht_types *added, const struct pmon_path *path, uint32_t *word_out)
{
	struct pmon_span any = {NULL, 0};

	return find(added->list, added->n, path->object, path->counter, word_out) ||
	       find(added->list, added->n, any, path->counter, word_out);
}

bool
pmon_pdht_known_type(const struct pdht_types *added, const struct pmon_series *series,
		     uint32_t *word_out)
{
	const struct pmon_path *english = pmon_series_english(series);
	struct pmon_path like = usual(english);
	bool inferred;

	if (find_added(added, &series->path, word_out) || find_added(added, english, word_out))
		return true;
	if ((pmon_english_type(&like, word_out, &inferred) && !inferred) ||
	    (pmon_english_type(english, word_out, &inferred) && !inferred))
		return true;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (pmon_text_match(rules[i].pattern, english->counter)) {
			*word_out = rules[i].word;
			return true;
		}
	return false;
}
