// select.c - the PromQL for a query
// SPDX-License-Identifier: MIT
//
// Selectors list the values of those labels in which the chosen series differ from the others of
// their family. The combination may select more than was chosen: (A, C:) and (B, D:) give A and B
// with C: and D:. For individual series, the surplus is dropped from the answer; for groups, the
// members are then listed one by one.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "push/prometheus/asking.h"

#define MOST_NAMED 40 // the most values of a label that a selector of individual series lists
#define N_LABELS   5

static const char *const label_names[N_LABELS] = {"machine", "instance", "parent", "index",
						  "duplicate"};

static const struct prom_asking *
asking_of(const struct pmon_query *q)
{
	return ((const struct prom_engine *)q->push)->asking;
}

// ---- Units ----------------------------------------------------------------------------------

struct member {
	uint32_t group;
	uint32_t family;
	uint32_t series;
};

static int
by_unit(const void *a, const void *b)
{
	const struct member *x = a;
	const struct member *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	return (x->series > y->series) - (x->series < y->series);
}

static bool
cut_units(const struct pmon_query *q, const struct member *members, struct prom_units *out)
{
	for (size_t i = 0; i < out->n_series; i++) {
		bool begins = i == 0 || members[i].group != members[i - 1].group ||
			      members[i].family != members[i - 1].family;

		out->series[i] = members[i].series;
		if (begins && !pmon_mem_grow(q->push->allocator, &out->list, &out->cap, out->n + 1,
					     sizeof(*out->list)))
			return false;
		if (begins)
			out->list[out->n++] = (struct prom_unit){.family = members[i].family,
								 .group = members[i].group,
								 .list = &out->series[i]};
		out->list[out->n - 1].n++;
	}
	return true;
}

bool
pmon_prom_units_make(const struct pmon_query *q, const struct pmon_query_ask *ask,
		     struct prom_units *out)
{
	const struct pmon_allocator *allocator = q->push->allocator;
	struct member *members = pmon_mem_alloc0(allocator, (ask->n + 1) * sizeof(*members));
	bool good = members != NULL;

	*out = (struct prom_units){.n_series = ask->n};
	out->series = pmon_mem_alloc0(allocator, (ask->n + 1) * sizeof(*out->series));
	good = good && out->series != NULL;
	for (size_t i = 0; good && i < ask->n; i++)
		members[i] = (struct member){.group = ask->groups != NULL ? ask->groups[i] : 0,
					     .family = asking_of(q)->series[ask->series[i]].family,
					     .series = ask->series[i]};
	if (good) {
		qsort(members, ask->n, sizeof(*members), by_unit);
		good = cut_units(q, members, out);
	}
	if (members != NULL)
		pmon_mem_free(allocator, members, (ask->n + 1) * sizeof(*members));
	if (!good)
		pmon_prom_units_free(q, out);
	return good;
}

void
pmon_prom_units_free(const struct pmon_query *q, struct prom_units *units)
{
	if (units->series != NULL)
		pmon_mem_free(q->push->allocator, units->series,
			      (units->n_series + 1) * sizeof(*units->series));
	pmon_mem_free(q->push->allocator, units->list, units->cap * sizeof(*units->list));
	*units = (struct prom_units){.n = 0};
}

bool
pmon_prom_adds_up(const struct pmon_query *q, const struct pmon_query_ask *ask,
		  const struct prom_unit *unit)
{
	const struct om_family *family = &asking_of(q)->families[unit->family];

	return ask->groups == NULL || unit->n == 1 ||
	       family->plan.type->formula != PMON_FORMULA_ELAPSED;
}

// ---- Labels ---------------------------------------------------------------------------------

static struct pmon_span
number_text(uint64_t n, char buf[24])
{
	struct pmon_text text = pmon_text_init(buf, 24);

	if (n > 0)
		pmon_text_u64(&text, n);
	return (struct pmon_span){buf, text.len};
}

// "" if the series does not have the label.
static struct pmon_span
label_of(const struct pmon_query *q, uint32_t series, int label, char buf[24])
{
	const struct pmon_path *path = &pmon_schema_at(&q->schema, series)->path;

	switch (label) {
	case 0:
		return path->machine;
	case 1:
		return path->instance;
	case 2:
		return path->parent;
	case 3:
		return number_text((uint64_t)path->index, buf);
	default:
		return number_text(asking_of(q)->series[series].duplicate, buf);
	}
}

// The distinct values of a label.
struct values {
	struct value {
		struct pmon_span text;
		char buf[24];
	} * list;
	size_t n;
	size_t cap;
};

// A value's text may be in its own buffer, which moves with it.
static struct pmon_span
text_of(const struct value *value)
{
	return value->text.ptr != NULL ? value->text
				       : (struct pmon_span){value->buf, strlen(value->buf)};
}

static int
by_text(const void *a, const void *b)
{
	return pmon_text_order(text_of(a), text_of(b));
}

static bool
add_value(const struct pmon_query *q, struct values *values, uint32_t series, int label)
{
	struct value value = {.buf = ""};
	struct pmon_span text = label_of(q, series, label, value.buf);

	if (text.ptr != value.buf)
		value.text = text;
	if (!pmon_mem_grow(q->push->allocator, &values->list, &values->cap, values->n + 1,
			   sizeof(value)))
		return false;
	values->list[values->n++] = value;
	return true;
}

static void
unite(struct values *values)
{
	size_t n = 0;

	if (values->n > 0)
		qsort(values->list, values->n, sizeof(*values->list), by_text);
	for (size_t i = 0; i < values->n; i++)
		if (n == 0 || by_text(&values->list[n - 1], &values->list[i]) != 0)
			values->list[n++] = values->list[i];
	values->n = n;
}

static bool
has_value(const struct pmon_query *q, const struct values *values, uint32_t series, int label)
{
	struct value wanted = {.buf = ""};
	struct pmon_span text = label_of(q, series, label, wanted.buf);

	if (text.ptr != wanted.buf)
		wanted.text = text;
	return values->n > 0 &&
	       bsearch(&wanted, values->list, values->n, sizeof(wanted), by_text) != NULL;
}

// ---- Selectors ------------------------------------------------------------------------------

// The labels that describe a unit, with their values.
struct selector {
	struct values values[N_LABELS];
	bool is_named[N_LABELS];
	bool is_exact; // it selects nothing else
};

static void
free_selector(const struct pmon_query *q, struct selector *selector)
{
	for (int i = 0; i < N_LABELS; i++)
		pmon_mem_free(q->push->allocator, selector->values[i].list,
			      selector->values[i].cap * sizeof(struct value));
}

static bool
is_of_family(const struct pmon_query *q, uint32_t series, uint32_t family)
{
	return asking_of(q)->series[series].family == family;
}

static void
name_labels(const struct pmon_query *q, const struct prom_unit *unit, bool names_all,
	    struct selector *selector)
{
	for (int label = 0; label < N_LABELS; label++) {
		const struct values *values = &selector->values[label];
		bool differs = false;

		for (uint32_t i = 0; !differs && i < pmon_schema_count(&q->schema); i++)
			differs =
				is_of_family(q, i, unit->family) && !has_value(q, values, i, label);
		selector->is_named[label] = differs && (names_all || values->n <= MOST_NAMED);
	}
}

static bool
selects(const struct pmon_query *q, const struct selector *selector, uint32_t series)
{
	for (int label = 0; label < N_LABELS; label++)
		if (selector->is_named[label] &&
		    !has_value(q, &selector->values[label], series, label))
			return false;
	return true;
}

// names_all: list the values of a label, however many there are.
static bool
make_selector(const struct pmon_query *q, const struct prom_unit *unit, bool names_all,
	      struct selector *selector)
{
	size_t n_selected = 0;

	*selector = (struct selector){.is_exact = false};
	for (int label = 0; label < N_LABELS; label++) {
		for (size_t i = 0; i < unit->n; i++)
			if (!add_value(q, &selector->values[label], unit->list[i], label))
				return false;
		unite(&selector->values[label]);
	}
	name_labels(q, unit, names_all, selector);
	for (uint32_t i = 0; i < pmon_schema_count(&q->schema); i++)
		n_selected += is_of_family(q, i, unit->family) && selects(q, selector, i);
	selector->is_exact = n_selected == unit->n;
	return true;
}

// Write a label's value in quotes, or as part of a regular expression.
static void
put_value(struct pmon_text *out, struct pmon_span text, bool is_pattern)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (is_pattern && c != '\0' && strchr("\\.+*?()|[]{}^$", c) != NULL)
			pmon_text_str(out, "\\\\");
		if (c == '\\' || c == '"')
			pmon_text_char(out, '\\');
		if (c == '\n')
			pmon_text_str(out, "\\n");
		else
			pmon_text_char(out, c);
	}
}

static void
put_selector(struct pmon_text *out, const struct selector *selector)
{
	bool any = false;

	for (int label = 0; label < N_LABELS; label++) {
		const struct values *values = &selector->values[label];

		if (!selector->is_named[label])
			continue;
		pmon_text_str(out, any ? ", " : "{");
		any = true;
		pmon_text_str(out, label_names[label]);
		pmon_text_str(out, values->n == 1 ? "=\"" : "=~\"");
		for (size_t i = 0; i < values->n; i++) {
			pmon_text_str(out, i > 0 ? "|" : "");
			put_value(out, text_of(&values->list[i]), values->n > 1);
		}
		pmon_text_char(out, '"');
	}
	pmon_text_str(out, any ? "}" : "");
}

// The text of a selector, in the arena; NULL when memory is short.
static const char *
selector_text(struct pmon_arena *arena, const struct selector *selector)
{
	struct pmon_text text = pmon_text_init(NULL, 0);
	char *buf;

	put_selector(&text, selector);
	buf = pmon_arena_alloc(arena, text.len + 1);
	if (buf == NULL)
		return NULL;
	text = pmon_text_init(buf, text.len + 1);
	put_selector(&text, selector);
	return buf;
}

struct selectors {
	const char **list;
	size_t n;
	bool is_exact;
};

static bool
select_each(const struct pmon_query *q, struct pmon_arena *arena, const struct prom_unit *unit,
	    struct selectors *out)
{
	for (size_t i = 0; i < unit->n; i++) {
		struct prom_unit one = {.family = unit->family, .list = &unit->list[i], .n = 1};
		struct selector selector;
		bool good = make_selector(q, &one, true, &selector);

		if (good)
			out->list[i] = selector_text(arena, &selector);
		free_selector(q, &selector);
		if (!good || out->list[i] == NULL)
			return false;
	}
	out->n = unit->n;
	out->is_exact = true;
	return true;
}

// False when memory is short.
static bool
select_unit(const struct pmon_query *q, struct pmon_arena *arena, const struct prom_unit *unit,
	    bool exactly, struct selectors *out)
{
	struct selector selector;
	bool good = make_selector(q, unit, exactly, &selector);

	*out = (struct selectors){.list = pmon_arena_alloc(arena, unit->n * sizeof(char *)),
				  .n = 1,
				  .is_exact = selector.is_exact};
	good = good && out->list != NULL;
	if (good && (selector.is_exact || !exactly))
		good = (out->list[0] = selector_text(arena, &selector)) != NULL;
	else if (good)
		good = select_each(q, arena, unit, out);
	free_selector(q, &selector);
	return good;
}

// ---- Expressions ----------------------------------------------------------------------------

// The first and last millisecond whose samples are in the range.
void
pmon_prom_times(const struct prom_asking *asking, const struct pmon_query_ask *ask,
		int64_t *from_ms, int64_t *to_ms)
{
	*from_ms = PROM_BEGIN_MS;
	*to_ms = asking->end_ms;
	if (ask->from != PMON_TIME_NONE && pmon_om_unix_ms(ask->from) > *from_ms)
		*from_ms = pmon_om_unix_ms(ask->from);
	if (ask->to != PMON_TIME_NONE && pmon_om_unix_ms(ask->to) < *to_ms)
		*to_ms = pmon_om_unix_ms(ask->to);
	if (*to_ms < *from_ms)
		*to_ms = *from_ms;
}

#define TIME_SIZE 32

static void
print_window(int64_t ms, char buf[TIME_SIZE])
{
	if (ms % 1000 == 0)
		(void)snprintf(buf, TIME_SIZE, "%llds", (long long)(ms / 1000));
	else
		(void)snprintf(buf, TIME_SIZE, "%lldms", (long long)ms);
}

static void
print_at(int64_t ms, char buf[TIME_SIZE])
{
	(void)snprintf(buf, TIME_SIZE, " @ %lld.%03lld", (long long)(ms / 1000),
		       (long long)(ms % 1000));
}

static void
put_text(void *ctx, const char *text, size_t len)
{
	pmon_text_span(ctx, (struct pmon_span){text, len});
}

static void
put_asked(const struct pmon_query_ask *ask, const struct om_family *family,
	  const struct om_asked *asked, enum prom_wanted wanted, bool is_exact,
	  struct pmon_text *text)
{
	struct om_out out = {.put = put_text, .ctx = text};
	bool is_answer = wanted == PROM_ANSWER || wanted == PROM_PRINTED;
	bool cuts = is_answer && ask->top > 0 && is_exact && !asked->is_set;

	if (cuts) {
		pmon_text_str(text, "topk(");
		pmon_text_u64(text, ask->top);
		pmon_text_str(text, ", ");
	}
	if (is_answer)
		pmon_om_put_asked(&out, family, asked);
	else if (wanted == PROM_COUNTS)
		pmon_om_put_counted(&out, family, asked);
	else
		pmon_om_put_points(&out, family, asked);
	pmon_text_str(text, cuts ? ")" : "");
}

bool
pmon_prom_put_unit(const struct pmon_query *q, const struct pmon_query_ask *ask,
		   const struct prom_unit *unit, enum prom_wanted wanted, struct pmon_text *out)
{
	const struct prom_asking *asking = asking_of(q);
	bool averages = ask->what == PMON_QUERY_AVERAGES;
	bool is_set = ask->groups != NULL;
	char window[TIME_SIZE];
	char at[TIME_SIZE];
	char lead[TIME_SIZE];
	struct selectors selectors;
	struct pmon_arena arena;
	int64_t from_ms;
	int64_t to_ms;
	bool good;

	pmon_prom_times(asking, ask, &from_ms, &to_ms);
	print_at(to_ms, at);
	print_at(from_ms - 1, lead);
	if (asking->is_half_open || to_ms == from_ms)
		from_ms--;
	print_window(to_ms - from_ms, window);
	pmon_arena_init(&arena, q->push->allocator);
	good = select_unit(q, &arena, unit, is_set || wanted == PROM_PRINTED, &selectors);
	if (good) {
		struct om_asked asked = {.is_average = averages,
					 .is_set = is_set,
					 .matchers = selectors.list,
					 .n_matchers = selectors.n,
					 .window = averages || wanted == PROM_POINTS ? window
										     : OM_LEAD,
					 .at = averages ? at : "",
					 .lead = ask->from != PMON_TIME_NONE ? lead : NULL};

		put_asked(ask, &asking->families[unit->family], &asked, wanted, selectors.is_exact,
			  out);
	}
	pmon_arena_free(&arena);
	return good;
}
