// clocks.c - find raw values between which the system clock was set
// SPDX-License-Identifier: MIT

#include "query/clocks.h"

#include "base/mem.h"
#include "core/calc.h"
#include "model/pace.h"

#define DAY_100NS (24 * 3600 * PMON_TIME_PER_SEC)

void
pmon_clocks_init(struct pmon_clocks *clocks, const struct pmon_allocator *allocator,
		 const struct pmon_schema *schema)
{
	*clocks = (struct pmon_clocks){.allocator = allocator, .schema = schema};
}

void
pmon_clocks_free(struct pmon_clocks *clocks)
{
	pmon_mem_free(clocks->allocator, clocks->list, clocks->cap * sizeof(*clocks->list));
	pmon_mem_free(clocks->allocator, clocks->follows,
		      clocks->follows_cap * sizeof(*clocks->follows));
}

void
pmon_clocks_rewind(struct pmon_clocks *clocks)
{
	clocks->n = clocks->n_stepped = 0;
	clocks->first_perf_100ns = clocks->perf_100ns = 0;
	clocks->n_machines = 0;
	clocks->had_steps = false;
}

// The system clock ticks in 100 ns. Types on the 100 ns clock do not need a time base, so writers
// may omit it.
static bool
may_follow(const struct pmon_series *series, const struct pmon_counter_type *type)
{
	int64_t ticks = series->counter.time_base;

	return pmon_type_follows_system_clock(type) &&
	       (type->second == PMON_SECOND_100NS || ticks <= 0 || ticks == PMON_TIME_PER_SEC);
}

// A number for the machine of a series, if that is another one than of the following series before
// it.
static uint32_t
machine_of(struct pmon_clocks *clocks, const struct pmon_series *series)
{
	if (clocks->n_machines == 0 ||
	    !pmon_text_same(series->path.machine,
			    pmon_schema_at(clocks->schema, clocks->newest)->path.machine))
		clocks->n_machines++;
	clocks->newest = clocks->n;
	return clocks->n_machines;
}

// Add new series.
static bool
grow(struct pmon_clocks *clocks)
{
	size_t n = pmon_schema_count(clocks->schema);

	if (!pmon_mem_grow(clocks->allocator, &clocks->list, &clocks->cap, n,
			   sizeof(*clocks->list)) ||
	    !pmon_mem_grow(clocks->allocator, &clocks->follows, &clocks->follows_cap, n,
			   sizeof(*clocks->follows)))
		return false;
	for (; clocks->n < n; clocks->n++) {
		const struct pmon_series *series = pmon_schema_at(clocks->schema, clocks->n);
		const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);

		clocks->follows[clocks->n] = may_follow(series, type);
		if (!clocks->follows[clocks->n])
			continue;
		clocks->list[clocks->n] =
			(struct pmon_clock){.is_elapsed = type->formula == PMON_FORMULA_ELAPSED,
					    .machine = machine_of(clocks, series)};
	}
	return true;
}

// On Linux the clock of a processor counts its ticks since boot, and that of all processors the
// ticks of all: they are never set, and may run at any rate. The system clock is close to the time
// of the sample, in any time zone.
static bool
is_system_clock(int64_t second, pmon_time time)
{
	int64_t apart = (int64_t)pmon_raw_difference(second, time);

	return apart >= -DAY_100NS && apart <= DAY_100NS;
}

// An elapsed time stays wrong as long as its process or system, started before the clock was set,
// is running.
static bool
is_elapsed_wrong(struct pmon_clock *clock, const struct pmon_raw *raw, bool is_set,
		 int64_t wrong_100ns)
{
	int64_t elapsed;

	if (raw->first != clock->start)
		clock->wrong_100ns = 0;
	else if (is_set)
		clock->wrong_100ns =
			(int64_t)((uint64_t)clock->wrong_100ns + (uint64_t)wrong_100ns);
	clock->start = raw->first;
	elapsed = (int64_t)pmon_raw_difference(raw->second, raw->first);
	return is_set || pmon_pace_disagree(elapsed, (int64_t)((uint64_t)elapsed -
							       (uint64_t)clock->wrong_100ns));
}

static void
see(struct pmon_clocks *clocks, struct pmon_clock *clock, const struct pmon_raw *raw,
    const struct pmon_sample *sample)
{
	int64_t perf_100ns = sample->perf_100ns;
	bool is_set = false;
	int64_t system = (int64_t)pmon_raw_difference(raw->second, clock->second);
	int64_t perf = (int64_t)((uint64_t)perf_100ns - (uint64_t)clock->perf_100ns);

	if (perf_100ns > 0 && clock->perf_100ns > 0 && perf >= 0 &&
	    is_system_clock(raw->second, sample->time))
		is_set = pmon_pace_disagree(system, perf);
	clock->is_stepped = is_set;
	if (clock->is_elapsed)
		clock->is_stepped = is_elapsed_wrong(clock, raw, is_set,
						     (int64_t)((uint64_t)system - (uint64_t)perf));
	clocks->n_stepped += clock->is_stepped;
	clock->second = raw->second;
	clock->perf_100ns = perf_100ns;
}

static void
note_sample(struct pmon_clocks *clocks, const struct pmon_sample *sample)
{
	if (clocks->first_perf_100ns == 0) {
		clocks->first_time = sample->time;
		clocks->first_perf_100ns = sample->perf_100ns;
	}
	clocks->time = sample->time;
	clocks->perf_100ns = sample->perf_100ns;
	clocks->had_steps = clocks->had_steps || clocks->n_stepped > 0;
}

// The performance clock of a sample belongs to one machine. If the sample has values of several, it
// is unknown which.
static void
see_all(struct pmon_clocks *clocks, const struct pmon_sample *sample)
{
	uint32_t machine = 0;
	bool is_one = true;

	for (size_t i = 0; i < sample->n; i++) {
		struct pmon_clock *clock = &clocks->list[sample->series[i]];

		if (!clocks->follows[sample->series[i]])
			continue;
		is_one = is_one && (machine == 0 || clock->machine == machine);
		machine = clock->machine;
		clock->is_stepped = false;
		if (pmon_raw_unmarked(sample->raw[i].status) == PMON_RAW_VALID ||
		    sample->raw[i].status == PMON_RAW_NEW)
			see(clocks, clock, &sample->raw[i], sample);
	}
	if (!is_one)
		clocks->n_stepped = 0;
}

// Continue with the state of other clocks of the same series.
static void
follow_clocks(struct pmon_clocks *clocks, const struct pmon_clocks *others)
{
	for (size_t i = 0; i < others->n; i++)
		if (clocks->follows[i])
			clocks->list[i] = others->list[i];
	clocks->had_steps = clocks->had_steps || others->had_steps;
}

bool
pmon_clocks_see(struct pmon_clocks *clocks, const struct pmon_sample *sample)
{
	clocks->n_stepped = 0;
	if (sample->perf_100ns == 0)
		return true;
	if (clocks->n < pmon_schema_count(clocks->schema) && !grow(clocks))
		return false;
	if (sample->clocks != NULL && sample->clocks->schema == clocks->schema)
		follow_clocks(clocks, sample->clocks);
	else
		see_all(clocks, sample);
	note_sample(clocks, sample);
	return true;
}

bool
pmon_clocks_are_apart(const struct pmon_clocks *before, const struct pmon_clocks *part)
{
	int64_t perf;

	if (part->had_steps || before == NULL)
		return part->had_steps;
	perf = part->first_perf_100ns - before->perf_100ns;
	return part->first_perf_100ns > 0 && before->perf_100ns > 0 && perf >= 0 &&
	       pmon_pace_disagree(part->first_time - before->time, perf);
}
