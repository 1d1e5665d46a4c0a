// busy.c - which instances were busy during an episode: the totals of the series that a rule shows
// SPDX-License-Identifier: MIT
//
// Each of these series has a meter, which every sample updates. A run that begins or ends reads the meters of
// its rule and machine; runs of one rule that do so at the same sample share the reading. So memory grows
// with the number of series and open runs, not of samples.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/calc.h"
#include "query/spread.h"
#include "rules/state.h"

struct reading {
	double total;
	double weight; // what the total is summed over: seconds, or operations
};

// The meters of one rule and machine at one time.
struct rules_readings {
	size_t users;
	uint32_t pattern; // index of the pattern that the series match
	size_t n;
	struct reading list[];
};

// ---- Meters ---------------------------------------------------------------------------------

static bool
is_shown(const struct pmon_path *path)
{
	return path->instance.ptr != NULL && pmon_path_ranks(path);
}

// How many ticks of the second raw value make up one operation, or one second. 0: values are
// weighted by the time between samples.
static double
ticks_of(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (series->formatted || type == NULL)
		return 0;
	if (type->second == PMON_SECOND_BASE)
		return 1;
	if (type->second == PMON_SECOND_100NS)
		return PMON_TIME_PER_SEC;
	return type->second == PMON_SECOND_PERFTIME ? (double)series->counter.time_base : 0;
}

// Dividing the sum of displayed values times weights by this gives the total of
// pmon_statistics_total(); 0: there is none.
static double
divisor_of(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	bool of_operations = type != NULL && type->second == PMON_SECOND_BASE;

	if (series->formatted || type == NULL || !of_operations)
		return pmon_spread_divisor(type);
	return type->formula == PMON_FORMULA_PERCENT || type->formula == PMON_FORMULA_PERCENT_INV
		       ? 100
		       : 1;
}

bool
rules_need_meter(struct rules_judge *judge, const struct pmon_series *series)
{
	uint32_t *of_series = &judge->meter_of[series->id];

	if (*of_series != RULES_NONE)
		return true;
	if (!rules_grow(&judge->meters, &judge->cap_meters, judge->n_meters + 1,
			sizeof(*judge->meters)))
		return false;
	judge->meters[judge->n_meters] =
		(struct meter){.series = series,
			       .last = rules_last_of(series),
			       .ticks = ticks_of(series),
			       .is_per_operation = rules_is_per_operation(series)};
	*of_series = (uint32_t)judge->n_meters++;
	return true;
}

bool
rules_add_meter(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
		uint32_t machine)
{
	const struct rules_patterns *shows = &judge->rules->list[rule].shows;
	uint32_t pattern = rules_matching(judge, shows);
	struct on_machine *here;

	if (pattern == RULES_NONE || machine == RULES_NONE || !is_shown(&series->path))
		return true;
	here = &judge->machines[machine].rules[rule];
	if (here->n_shown > 0 && pattern > here->show_pattern)
		return true;
	if (pattern < here->show_pattern)
		here->n_shown = 0;
	here->show_pattern = pattern;
	if (!rules_need_meter(judge, series) ||
	    !rules_grow(&here->shown, &here->cap_shown, here->n_shown + 1, sizeof(*here->shown)))
		return false;
	here->shown[here->n_shown++] = judge->meter_of[series->id];
	return true;
}

// The weight of a displayed value in an average of its type: operations, or else seconds. A gap
// counts as one usual interval.
static double
weight_of(const struct meter *meter, const struct pmon_raw *newer, const struct rules_since *since)
{
	const struct pmon_raw *older = &meter->raw;
	int64_t length_100ns = (int64_t)(pmon_raw_difference(newer->time, older->time) +
					 (uint64_t)since->jumps_100ns);

	if (since->is_first)
		return (double)since->length_100ns / PMON_TIME_PER_SEC;
	if (meter->ticks <= 0 || (since->is_apart && !meter->is_per_operation))
		return length_100ns > 0 ? (double)length_100ns / PMON_TIME_PER_SEC : 0;
	if (newer->second <= older->second)
		return 0;
	return (double)pmon_raw_difference(newer->second, older->second) / meter->ticks;
}

void
rules_meter(struct rules_judge *judge, const struct pmon_sample *sample,
	    const struct pmon_value *values)
{
	judge->metered++;
	for (size_t i = 0; i < judge->layout.n_metered; i++) {
		const struct place *place = &judge->layout.metered[i];
		struct meter *meter = &judge->meters[place->of];
		const struct pmon_raw *raw = &sample->raw[place->at];
		const struct pmon_value *value = &values[place->at];

		if (pmon_vstat_has_value(value->status)) {
			struct rules_since since = rules_since(&meter->last, judge->pace, sample);
			double weight = weight_of(meter, raw, &since);

			meter->total += value->value * weight;
			meter->weight += weight;
		}
		if (!pmon_raw_usable(raw))
			continue;
		rules_seen(&meter->last, judge->pace, sample);
		meter->raw = *raw;
	}
}

// ---- Readings -------------------------------------------------------------------------------

void
rules_forget_readings(struct rules_readings *readings)
{
	if (readings != NULL && --readings->users == 0)
		free(readings);
}

struct rules_readings *
rules_read_meters(struct rules_judge *judge, const struct check *check)
{
	struct on_machine *here = &judge->machines[check->machine].rules[check->rule];
	struct rules_readings *readings = here->readings;

	if (readings == NULL || here->metered != judge->metered) {
		readings = malloc(sizeof(*readings) + here->n_shown * sizeof(readings->list[0]));
		if (readings == NULL)
			return NULL;
		readings->users = 1;
		readings->pattern = here->show_pattern;
		readings->n = here->n_shown;
		for (size_t i = 0; i < readings->n; i++) {
			const struct meter *meter = &judge->meters[here->shown[i]];

			readings->list[i] = (struct reading){meter->total, meter->weight};
		}
		rules_forget_readings(here->readings);
		here->readings = readings;
		here->metered = judge->metered;
	}
	readings->users++;
	return readings;
}

// ---- Who was busy ---------------------------------------------------------------------------

// Insert it into the list of the largest so far, of which there are *n.
static void
insert(struct rules_busy *list, size_t *n, size_t top, const struct rules_busy *busy)
{
	size_t at = *n;

	while (at > 0 && list[at - 1].total < busy->total)
		at--;
	if (at == top)
		return;
	if (*n < top)
		++*n;
	memmove(&list[at + 1], &list[at], (*n - 1 - at) * sizeof(*list));
	list[at] = *busy;
}

bool
rules_busiest(const struct rules_judge *judge, const struct check *check,
	      const struct rules_readings *from, const struct rules_readings *to,
	      struct rules_episode *episode)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct on_machine *here = &judge->machines[check->machine].rules[check->rule];
	double sum = 0;

	if (from == NULL || to == NULL || from->pattern != here->show_pattern ||
	    to->pattern != here->show_pattern || to->n == 0)
		return true;
	episode->who = calloc(rule->show_top, sizeof(*episode->who));
	if (episode->who == NULL)
		return false;
	for (size_t i = 0; i < to->n; i++) {
		struct reading began = {0, 0}; // the series appeared later
		struct rules_busy busy = {.series = judge->meters[here->shown[i]].series};
		double weight;

		if (i < from->n)
			began = from->list[i];
		busy.total = to->list[i].total - began.total;
		weight = to->list[i].weight - began.weight;
		if (weight <= 0 || busy.total <= 0)
			continue;
		busy.average = busy.total / weight;
		sum += busy.total;
		insert(episode->who, &episode->n_who, rule->show_top, &busy);
	}
	for (size_t i = 0; i < episode->n_who; i++) {
		struct rules_busy *busy = &episode->who[i];
		double divisor = divisor_of(busy->series);

		busy->share = busy->total / sum;
		busy->total = divisor > 0 ? busy->total / divisor : (double)NAN;
	}
	return true;
}
