// choose.c - a first selection for an unknown log
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "query/processors.h"

enum instance {
	INSTANCE_NONE,    // the object has no instances
	INSTANCE_TOTAL,   // the sum of all instances
	INSTANCE_BUSIEST, // one of several
	INSTANCE_ANY,     // the busiest, even if there is only one
};

enum measure {
	MOST,  // the largest average
	LEAST, // the smallest minimum: of what is left
};

#define N_OBJECTS  PMON_PROCESSOR_OBJECTS
#define N_COUNTERS 3

// One question and the counters that answer it, best first; one of them is chosen.
struct question {
	const char *objects[N_OBJECTS];
	const char *counters[N_COUNTERS];
	const char *labels[N_COUNTERS]; // of the counters; NULL: that of the first
	enum instance instance;
	enum measure measure;
};

static const struct question questions[] = {
	{{PMON_PROCESSORS}, {PMON_PROCESSOR_LOADS}, {"Processor"}, INSTANCE_TOTAL, MOST},
	{{"Memory"},
	 {"Available MBytes", "Available KBytes", "Available Bytes"},
	 {"Memory available"},
	 INSTANCE_NONE,
	 LEAST},
	{{"PhysicalDisk", "LogicalDisk"},
	 {"Avg. Disk sec/Read"},
	 {"Disk read"},
	 INSTANCE_ANY,
	 MOST},
	{{"PhysicalDisk", "LogicalDisk"},
	 {"Avg. Disk sec/Write"},
	 {"Disk write"},
	 INSTANCE_ANY,
	 MOST},
	{{"Network Interface", "Network Adapter"},
	 {"Bytes Total/sec"},
	 {"Network"},
	 INSTANCE_ANY,
	 MOST},
	{{PMON_PROCESSORS}, {PMON_PROCESSOR_LOADS}, {"Busiest processor"}, INSTANCE_BUSIEST, MOST},
	{{"PhysicalDisk", "LogicalDisk"},
	 {"Disk Bytes/sec", "Disk Transfers/sec", "Avg. Disk Queue Length"},
	 {"Disk bytes", "Disk transfers", "Disk queue"},
	 INSTANCE_ANY,
	 MOST},
	{{"Memory"},
	 {"Pages/sec", "Pages Input/sec"},
	 {"Paging", "Paging, input"},
	 INSTANCE_NONE,
	 MOST},
};

#define N_QUESTIONS (sizeof(questions) / sizeof(questions[0]))

static bool
is(struct pmon_span text, const char *name)
{
	return name != NULL && pmon_text_same(text, (struct pmon_span){name, strlen(name)});
}

// "_Total", and "0,_Total" as the processors of a NUMA node sum up.
static bool
is_total(const struct pmon_path *path)
{
	return pmon_text_match(PMON_SPAN("*_Total"), path->instance);
}

// Linux calls it "lo", Windows "MS TCP Loopback interface" or "Loopback Pseudo-Interface 1". No
// disk and no processor has such a name.
static bool
is_loopback(const struct pmon_path *path)
{
	return is(path->instance, "lo") || pmon_text_match(PMON_SPAN("*loopback*"), path->instance);
}

static bool
is_instance(const struct pmon_path *path, enum instance instance)
{
	switch (instance) {
	case INSTANCE_NONE:
		return path->instance.ptr == NULL;
	case INSTANCE_TOTAL:
		return is(path->instance, "_Total");
	case INSTANCE_BUSIEST:
	case INSTANCE_ANY:
		return path->instance.ptr != NULL && !is_total(path) && !is_loopback(path);
	}
	return false;
}

// A question for one object and one counter.
struct search {
	const struct pmon_schema *schema;
	const struct pmon_statistics *statistics;
	const char *object;
	const char *counter;
	enum instance instance;
	enum measure measure;
};

// The score of a series; false if it has no value.
static bool
rank(const struct pmon_stats *stats, enum measure measure, double *out)
{
	struct pmon_value value;

	if (stats == NULL)
		return false;
	value = measure == LEAST ? stats->minimum : pmon_stats_average(stats);
	*out = measure == LEAST ? -value.value : value.value;
	return pmon_vstat_has_value(value.status) && pmon_vstat_has_value(stats->minimum.status);
}

// The series with the best score; false if there is none.
static bool
best_series(const struct search *s, uint32_t *out)
{
	double best = 0;
	size_t found = 0;

	for (size_t i = 0; i < pmon_schema_count(s->schema); i++) {
		const struct pmon_path *path = pmon_series_english(pmon_schema_at(s->schema, i));
		double r;

		if (!is(path->object, s->object) || !is(path->counter, s->counter) ||
		    !is_instance(path, s->instance) ||
		    !rank(pmon_statistics_at(s->statistics, i), s->measure, &r))
			continue;
		if (found++ == 0 || r > best) {
			best = r;
			*out = (uint32_t)i;
		}
	}
	// With one processor the busiest is the same as the total.
	return found > (s->instance == INSTANCE_BUSIEST ? 1 : 0);
}

static bool
answer(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
       const struct question *q, uint32_t *out)
{
	struct search s = {.schema = schema,
			   .statistics = statistics,
			   .instance = q->instance,
			   .measure = q->measure};

	for (size_t i = 0; i < N_OBJECTS; i++) {
		for (size_t j = 0; j < N_COUNTERS; j++) {
			s.object = q->objects[i];
			s.counter = q->counters[j];
			if (s.object != NULL && s.counter != NULL && best_series(&s, out))
				return true;
		}
	}
	return false;
}

// The series with values that is larger than those chosen before, as far as they can be compared: a counter of which fewer
// were chosen comes first, then the largest average. UINT32_MAX: there are no more.
static uint32_t
next_busiest(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
	     const uint32_t *chosen, size_t n_chosen)
{
	uint32_t best = UINT32_MAX;
	size_t best_same = 0;
	double best_average = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_path *path = pmon_series_english(pmon_schema_at(schema, i));
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);
		size_t same = 0;
		bool is_chosen = false;
		double average;

		if (!pmon_path_ranks(path) || !rank(stats, MOST, &average) ||
		    !(stats->maximum.value > 0))
			continue;
		for (size_t k = 0; k < n_chosen && !is_chosen; k++) {
			const struct pmon_path *other =
				pmon_series_english(pmon_schema_at(schema, chosen[k]));

			is_chosen = chosen[k] == i;
			same += pmon_text_same(path->counter, other->counter) &&
				pmon_text_same(path->object, other->object);
		}
		if (is_chosen ||
		    (best != UINT32_MAX &&
		     (same > best_same || (same == best_same && average <= best_average))))
			continue;
		best = (uint32_t)i;
		best_same = same;
		best_average = average;
	}
	return best;
}

// Where no question can be answered: what was busiest, else the first series with values.
static size_t
choose_busiest(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
	       uint32_t *series, size_t max)
{
	size_t n = 0;
	bool is_any;
	double ignored;

	while (n < max) {
		series[n] = next_busiest(schema, statistics, series, n);
		if (series[n] == UINT32_MAX)
			break;
		n++;
	}
	is_any = n == 0;
	for (size_t i = 0; is_any && i < pmon_schema_count(schema) && n < max; i++)
		if (rank(pmon_statistics_at(statistics, i), MOST, &ignored))
			series[n++] = (uint32_t)i;
	return n;
}

size_t
pmon_choose(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
	    uint32_t *series, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < N_QUESTIONS && n < max; i++)
		if (answer(schema, statistics, &questions[i], &series[n]))
			n++;
	return n > 0 ? n : choose_busiest(schema, statistics, series, max);
}

// The index of a text in a list of names; n if it is missing.
static size_t
place_of(struct pmon_span text, const char *const *names, size_t n)
{
	size_t i = 0;

	while (i < n && !is(text, names[i]))
		i++;
	return i;
}

bool
pmon_choose_could(const struct pmon_path *path, struct pmon_choice *out)
{
	for (size_t i = 0; i < N_QUESTIONS; i++) {
		const struct question *q = &questions[i];
		size_t object = place_of(path->object, q->objects, N_OBJECTS);
		size_t counter = place_of(path->counter, q->counters, N_COUNTERS);

		if (object == N_OBJECTS || counter == N_COUNTERS || !is_instance(path, q->instance))
			continue;
		*out = (struct pmon_choice){
			.question = i,
			.order = object * N_COUNTERS + counter,
			.label = q->labels[q->labels[counter] != NULL ? counter : 0],
			.least = q->measure == LEAST};
		return true;
	}
	return false;
}

const char *
pmon_choose_pattern(size_t i)
{
	static const char *const patterns[] = {
		PMON_HYPERVISOR_PATTERN,
		PMON_INFORMATION_PATTERN,
		PMON_PROCESSOR_PATTERN,
		"\\Memory\\Available *Bytes",
		"\\Memory\\Pages/sec",
		"\\PhysicalDisk(*)\\Avg. Disk sec/Read",
		"\\PhysicalDisk(*)\\Avg. Disk sec/Write",
		"\\PhysicalDisk(*)\\Disk Bytes/sec",
		"\\Network Interface(*)\\Bytes Total/sec",
	};

	return i < sizeof(patterns) / sizeof(patterns[0]) ? patterns[i] : NULL;
}
