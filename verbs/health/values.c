// values.c - values of a look at this machine, and how they are printed
// SPDX-License-Identifier: MIT

#include "verbs/health/values.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "query/statistics.h"
#include "shell/output/number.h"

bool
state_is_of(const struct pmon_series *series, const char *object, const char *counter)
{
	const struct pmon_path *path = pmon_series_english(series);

	return pmon_text_same(path->object, (struct pmon_span){object, strlen(object)}) &&
	       pmon_text_same(path->counter, (struct pmon_span){counter, strlen(counter)});
}

static bool
is_instance_of(const struct pmon_path *a, const struct pmon_path *b)
{
	return pmon_text_same(a->instance, b->instance) && pmon_text_same(a->parent, b->parent) &&
	       a->index == b->index;
}

static uint64_t
hash_of(const struct state_values *values, struct pmon_span object, struct pmon_span counter,
	const struct pmon_path *like)
{
	uint64_t hash = pmon_map_mix_name(values->seed, object);

	hash = pmon_map_mix_name(hash, counter);
	if (like == NULL)
		return hash;
	hash = pmon_map_mix_name(hash, like->parent);
	hash = pmon_map_mix_name(hash, like->instance);
	return pmon_map_mix(hash, (uint32_t)like->index);
}

const struct pmon_series *
state_find(const struct state_values *values, const char *object, const char *counter,
	   const struct pmon_path *like)
{
	const struct pmon_schema *schema = pmon_source_schema(values->j->logs.source);
	uint64_t hash = hash_of(values, (struct pmon_span){object, strlen(object)},
				(struct pmon_span){counter, strlen(counter)}, like);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&values->by_name, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (state_is_of(series, object, counter) &&
		    (like == NULL || is_instance_of(&series->path, like)))
			return series;
	}
	return NULL;
}

static bool
add_series(struct state_values *values, const struct pmon_series *series)
{
	const struct pmon_path *names = pmon_series_english(series);
	uint64_t hash = hash_of(values, names->object, names->counter, NULL);
	size_t at = 0;

	if (pmon_map_next(&values->by_name, hash, &at) == PMON_MAP_NONE &&
	    !pmon_map_put(&values->by_name, pmon_mem_allocator(NULL), hash, series->id))
		return false;
	return pmon_map_put(&values->by_name, pmon_mem_allocator(NULL),
			    hash_of(values, names->object, names->counter, &series->path),
			    series->id);
}

bool
state_values_find(struct state_values *values, const struct judged *j)
{
	const struct pmon_schema *schema = pmon_source_schema(j->logs.source);
	size_t n = pmon_schema_count(schema);

	*values = (struct state_values){.j = j, .seed = pmon_hash_seed()};
	for (size_t i = 0; i < n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!series->of_process && !add_series(values, series))
			return false;
	}
	return true;
}

void
state_values_free(struct state_values *values)
{
	pmon_map_free(&values->by_name, pmon_mem_allocator(NULL));
}

double
state_number_of(struct pmon_value value)
{
	return pmon_vstat_has_value(value.status) ? value.value : (double)NAN;
}

double
state_average_of(const struct judged *j, const struct pmon_series *series)
{
	enum pmon_average_kind kind;

	return series != NULL
		       ? state_number_of(pmon_statistics_average(j->statistics, series->id, &kind))
		       : (double)NAN;
}

// A series that has had no value has no statistics.
double
state_last_of(const struct judged *j, const struct pmon_series *series)
{
	const struct pmon_stats *stats =
		series != NULL ? pmon_statistics_at(j->statistics, series->id) : NULL;

	return stats != NULL ? state_number_of(stats->last) : (double)NAN;
}

double
state_average(const struct state_values *values, const char *object, const char *counter,
	      const struct pmon_path *like)
{
	return state_average_of(values->j, state_find(values, object, counter, like));
}

double
state_last(const struct state_values *values, const char *object, const char *counter,
	   const struct pmon_path *like)
{
	return state_last_of(values->j, state_find(values, object, counter, like));
}

double
state_growth(const struct state_values *values, const char *object, const char *counter,
	     const struct pmon_path *like)
{
	const struct pmon_series *series = state_find(values, object, counter, like);
	const struct pmon_stats *stats =
		series != NULL ? pmon_statistics_at(values->j->statistics, series->id) : NULL;

	return stats != NULL ? state_number_of(stats->last) - state_number_of(stats->minimum)
			     : (double)NAN;
}

// ---- Text -------------------------------------------------------------------------------

struct pmon_text
state_text(char *buf)
{
	struct pmon_text t = pmon_text_init(buf, STATE_TEXT);

	pmon_text_str(&t, "");
	return t;
}

void
state_put_part(struct pmon_text *t, double value, const char *unit, bool hides_0)
{
	char number[DRAW_NUMBER];

	if (!isfinite(value) || (hides_0 && value <= 0))
		return;
	(void)out_number(value, number, sizeof(number));
	pmon_text_str(t, t->len > 0 ? ", " : "");
	pmon_text_str(t, number);
	pmon_text_str(t, unit);
}

void
state_put_percent(struct pmon_text *t, double percent, const char *unit, bool hides_0)
{
	state_put_part(t, percent < 10 ? round(percent * 10) / 10 : round(percent), unit, hides_0);
}

void
state_put_amount(struct pmon_text *t, enum draw_quantity quantity, double value)
{
	const struct draw_multiple *multiple = draw_multiple_for(quantity, value);
	char number[DRAW_NUMBER];

	(void)out_number(value / multiple->size, number, sizeof(number));
	pmon_text_str(t, number);
	pmon_text_char(t, ' ');
	pmon_text_str(t, multiple->name);
}
