// lines.c - a source as a list of lines
// SPDX-License-Identifier: MIT

#include "lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include <pmon/query.h>

#include "t.h"

#include "base/mem.h"

static void
add_line(struct lines *l, const char *text)
{
	assert_true(
		pmon_mem_grow(pmon_mem_allocator(NULL), &l->p, &l->cap, l->n + 1, sizeof(*l->p)));
	l->p[l->n] = malloc(strlen(text) + 1);
	assert_non_null(l->p[l->n]);
	strcpy(l->p[l->n++], text);
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
sort_lines(struct lines *l)
{
	if (l->n > 1)
		qsort(l->p, l->n, sizeof(*l->p), compare_lines);
}

void
free_lines(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->p[i]);
	free(l->p);
	*l = (struct lines){0};
}

static void
sample_line(struct lines *l, const struct pmon_sample *s)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "%" PRId64 " sample, offset %" PRId32, s->time,
		       s->utc_offset_min);
	add_line(l, line);
}

static void
value_line(struct lines *l, const struct pmon_series *series, const struct pmon_sample *s, size_t i)
{
	const struct pmon_raw *r = &s->raw[i];
	size_t size = series->name.len + 256;
	char *line = malloc(size);

	assert_non_null(line);
	(void)snprintf(line, size,
		       "%" PRId64 " %s type %08" PRIX32 " base %" PRId64 " scale %" PRId32
		       " status %08" PRIX32 " time %" PRId64 " %" PRId64 " %" PRId64 " x%" PRIu32,
		       s->time, series->name.ptr, series->counter.type, series->counter.time_base,
		       series->counter.default_scale, r->status, r->time, r->first, r->second,
		       r->multi);
	add_line(l, line);
	free(line);
}

static bool
is_sample(const char *line)
{
	return strstr(line, " sample, ") != NULL;
}

size_t
count_samples(const struct lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += is_sample(l->p[i]);
	return n;
}

void
drop_samples(struct lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (is_sample(l->p[i]))
			free(l->p[i]);
		else
			l->p[n++] = l->p[i];
	l->n = n;
}

struct lines
first_samples(const struct lines *l, size_t n)
{
	struct lines first = {0};

	for (size_t i = 0, seen = 0; i < l->n; i++) {
		seen += is_sample(l->p[i]);
		if (seen > n)
			break;
		add_line(&first, l->p[i]);
	}
	return first;
}

struct lines
read_lines(struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_sample *s;
	struct lines l = {0};
	struct pmon_err err;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &s, &err)) == PMON_OK) {
		sample_line(&l, s);
		for (size_t i = 0; i < s->n; i++)
			value_line(&l, pmon_schema_at(schema, s->series[i]), s, i);
	}
	assert_int_equal(status, PMON_END);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	return l;
}

static size_t
put_value(char *buf, size_t size, const char *name, struct pmon_value v, pmon_time t)
{
	return (size_t)snprintf(buf, size, " %s %a %s %" PRId64, name, v.value,
				pmon_vstat_name(v.status), t);
}

static void
stats_line(struct lines *l, const struct pmon_series *series, const struct pmon_stats *st)
{
	size_t size = series->name.len + 1024;
	char *line = malloc(size);
	size_t n;

	assert_non_null(line);
	n = (size_t)snprintf(line, size, "%s %08" PRIX32, series->name.ptr, series->counter.type);
	n += put_value(line + n, size - n, "min", st->minimum, st->minimum_time);
	n += put_value(line + n, size - n, "max", st->maximum, st->maximum_time);
	n += put_value(line + n, size - n, "avg", pmon_stats_average(st), st->first_raw_time);
	for (size_t i = 0; i < PMON_V_COUNT; i++)
		n += (size_t)snprintf(line + n, size - n, " %" PRIu64, st->count[i]);
	add_line(l, line);
	free(line);
}

struct lines
statistics_lines(const struct pmon_source *source, const struct pmon_statistics *statistics)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct lines l = {0};

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (pmon_statistics_at(statistics, i) != NULL)
			stats_line(&l, pmon_schema_at(schema, i),
				   pmon_statistics_at(statistics, i));
	return l;
}

struct lines
read_statistics(struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_statistics *st;
	const struct pmon_sample *s;
	struct lines l;
	struct pmon_err err;

	assert_int_equal(pmon_statistics_new(schema, NULL, NULL, &st, &err), PMON_OK);
	while (pmon_source_next(source, &s, &err) == PMON_OK)
		assert_int_equal(pmon_statistics_add(st, s, NULL, &err), PMON_OK);
	l = statistics_lines(source, st);
	pmon_statistics_free(st);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	return l;
}

void
same_lines(struct lines *got, struct lines *want)
{
	sort_lines(got);
	sort_lines(want);
	for (size_t i = 0; i < got->n && i < want->n; i++)
		T_EQ_STR_AT(got->p[i], want->p[i], "line");
	if (got->n != want->n)
		print_error("more: %s\n", got->n > want->n ? got->p[want->n] : want->p[got->n]);
	assert_int_equal(got->n, want->n);
	free_lines(got);
	free_lines(want);
}
