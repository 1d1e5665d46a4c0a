// series.c - find the series that rules apply to, and what each is judged with
// SPDX-License-Identifier: MIT

#include "rules/judge.h"
#include "rules/state.h"

#include <stdlib.h>
#include <string.h>

bool
rules_grow(void *list, size_t *cap, size_t n, size_t size)
{
	return pmon_mem_grow(pmon_mem_allocator(NULL), list, cap, n, size);
}

// The index of the machine, added if it is new; RULES_NONE if there are too many. False if memory
// runs out.
static bool
machine_of(struct rules_judge *judge, struct pmon_span name, uint32_t *out)
{
	struct machine m = {.name = name};
	uint64_t hash = pmon_map_mix_name(judge->seed, name);
	size_t at = 0;

	while ((*out = pmon_map_next(&judge->machine_map, hash, &at)) != RULES_NONE)
		if (pmon_text_same(judge->machines[*out].name, name))
			return true;
	if (judge->n_machines == RULES_MACHINES) {
		judge->has_more_machines = true;
		return true;
	}
	if (!rules_grow(&judge->machines, &judge->cap_machines, judge->n_machines + 1, sizeof(m)) ||
	    !pmon_map_reserve(&judge->machine_map, pmon_mem_allocator(NULL), 1))
		return false;
	m.rules = calloc(judge->rules->n + 1, sizeof(*m.rules));
	if (m.rules == NULL)
		return false;
	for (size_t i = 0; i < judge->rules->n; i++)
		m.rules[i].pattern = RULES_NONE;
	*out = (uint32_t)judge->n_machines;
	pmon_map_add(&judge->machine_map, hash, *out);
	judge->machines[judge->n_machines++] = m;
	return true;
}

bool
rules_judge_note_machine(struct rules_judge *judge, struct pmon_span name)
{
	uint32_t machine;

	return machine_of(judge, name, &machine);
}

void
rules_free_machines(struct rules_judge *judge)
{
	for (size_t i = 0; i < judge->n_machines; i++) {
		struct machine *machine = &judge->machines[i];

		for (size_t k = 0; k < judge->rules->n; k++) {
			free(machine->rules[k].shown);
			rules_forget_readings(machine->rules[k].readings);
		}
		free(machine->rules);
	}
	free(judge->machines);
	pmon_map_free(&judge->machine_map, pmon_mem_allocator(NULL));
}

// Count processors in new series. False if memory runs out.
static bool
count_processors(struct rules_judge *judge)
{
	if (!rules_processors_take(&judge->processors, judge->schema))
		return false;
	for (size_t i = 0; i < judge->n_machines; i++) {
		struct machine *machine = &judge->machines[i];
		const struct rules_processors_of *of =
			rules_processors_at(&judge->processors, machine->name);

		if (of == NULL)
			return false;
		machine->processors = of->n;
	}
	return true;
}

static bool
is_excepted(const struct rules_rule *rule, const struct pmon_path *path)
{
	for (size_t i = 0; i < rule->excepts.n; i++)
		if (pmon_text_match(rule->excepts.list[i], path->instance))
			return true;
	return false;
}

uint32_t
rules_matching(const struct rules_judge *judge, const struct rules_patterns *patterns)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (judge->matches[patterns->list[i]->number])
			return (uint32_t)i;
	return RULES_NONE;
}

// Find the patterns, of all rules, that the next series matches.
static void
match_series(struct rules_judge *judge, const struct pmon_series *series)
{
	for (size_t i = 0; i < judge->rules->n_patterns; i++)
		judge->matches[i] = pmon_series_match(&judge->rules->patterns[i]->path, series);
}

bool
rules_limit_fits(const struct rules_limit *limit, struct draw_unit unit)
{
	return !limit->given || limit->threshold.any || limit->threshold.quantity == unit.quantity;
}

// The same for all limits of a rule. With `of`, the limit is a percentage.
static bool
fits(const struct rules_rule *rule, struct draw_unit unit)
{
	for (size_t i = 0; rule->of.n == 0 && i < RULES_LEVELS; i++)
		if (!rules_limit_fits(&rule->limits[i], unit))
			return false;
	return true;
}

static bool
add_check(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
	  uint32_t machine)
{
	const struct rules_rule *r = &judge->rules->list[rule];
	uint32_t pattern = rules_matching(judge, &r->counters);
	struct check check = {.series = series,
			      .rule = rule,
			      .pattern = pattern,
			      .machine = machine,
			      .next = judge->first[series->id],
			      .last = rules_last_of(series),
			      .of = {.series = RULES_NONE, .pattern = RULES_NONE},
			      .when = {.series = RULES_NONE, .pattern = RULES_NONE},
			      .queue = RULES_NONE,
			      .rate = RULES_NONE};

	if (pattern == RULES_NONE || machine == RULES_NONE || is_excepted(r, &series->path))
		return true;
	check.unit = draw_unit_of(series);
	if (!fits(r, check.unit)) {
		judge->machines[machine].rules[rule].unfit = true;
		return true;
	}
	if (!rules_grow(&judge->checks, &judge->cap_checks, judge->n_checks + 1, sizeof(check)))
		return false;
	judge->first[series->id] = (uint32_t)judge->n_checks;
	judge->checks[judge->n_checks++] = check;
	return true;
}

// Record which rules apply to the machine of the series.
static void
note_kind(struct rules_judge *judge, uint32_t machine)
{
	for (size_t i = 0; machine != RULES_NONE && i < judge->rules->n; i++) {
		struct on_machine *here = &judge->machines[machine].rules[i];
		const struct rules_rule *rule = &judge->rules->list[i];

		here->has_with = here->has_with || rules_matching(judge, &rule->with) != RULES_NONE;
		here->has_without =
			here->has_without || rules_matching(judge, &rule->without) != RULES_NONE;
	}
}

bool
rules_take_series(struct rules_judge *judge)
{
	size_t n = pmon_schema_count(judge->schema);
	size_t old_checks = judge->n_checks;
	size_t old_candidates = judge->n_candidates;
	size_t old_rates = judge->rates.n;

	if (!rules_grow(&judge->first, &judge->cap_first, n, sizeof(*judge->first)) ||
	    !rules_grow(&judge->values, &judge->cap_values, n, sizeof(*judge->values)) ||
	    !rules_grow(&judge->is_linked, &judge->cap_is_linked, n, sizeof(*judge->is_linked)) ||
	    !rules_grow(&judge->meter_of, &judge->cap_meter_of, n, sizeof(*judge->meter_of)))
		return false;
	for (; judge->seen < n; judge->seen++) {
		const struct pmon_series *series = pmon_schema_at(judge->schema, judge->seen);
		uint32_t machine;

		if (!machine_of(judge, series->path.machine, &machine))
			return false;
		judge->first[judge->seen] = RULES_NONE;
		judge->meter_of[judge->seen] = RULES_NONE;
		judge->is_linked[judge->seen] = false;
		judge->values[judge->seen] = (struct pmon_value){.status = PMON_V_NO_DATA};
		match_series(judge, series);
		note_kind(judge, machine);
		if (machine != RULES_NONE && !pmon_rates_note(&judge->rates, series))
			return false;
		for (uint32_t i = 0; i < judge->rules->n; i++)
			if (!add_check(judge, series, i, machine) ||
			    !rules_add_candidate(judge, series, i, false) ||
			    !rules_add_candidate(judge, series, i, true) ||
			    !rules_add_meter(judge, series, i, machine))
				return false;
	}
	for (size_t i = judge->n_candidates > old_candidates ? 0 : old_checks; i < judge->n_checks;
	     i++) {
		struct check *check = &judge->checks[i];

		rules_link(judge, check);
		rules_set_quiet(check, &judge->rules->list[check->rule]);
	}
	for (size_t i = judge->rates.n > old_rates ? 0 : old_checks; i < judge->n_checks; i++)
		if (!rules_link_latency(judge, &judge->checks[i]))
			return false;
	return count_processors(judge);
}
