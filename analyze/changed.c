// changed.c - series of two time windows, ranked by difference
// SPDX-License-Identifier: MIT

#include "analyze/changed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/unit.h"
#include "query/statistics.h"

// What differs less is not listed.
#define LEAST_SHARE 0.2  // of the larger median; and of the larger average
#define LEAST_TAIL  0.33 // of the larger 95th percentile, which varies more than a median
#define BAND_ERROR  0.01 // of the ends of a band
#define FEW_SAMPLES 10   // so many on a side double the effect that is asked for
#define MOST_EFFECT 100  // a larger effect counts as this one

// ---- Which series ---------------------------------------------------------------------------

static bool
matches(const char *pattern, struct pmon_span text)
{
	return pmon_text_match((struct pmon_span){pattern, strlen(pattern)}, text);
}

// Identifiers, ages and the like.
static bool
is_number_of_something(const struct pmon_series *series)
{
	static const char *const names[] = {"*ID Process",   "*Process ID", "ID Thread",
					    "Start Address", "Priority *",  "*Peak*"};
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (pmon_type_is_hex(type) || (type != NULL && type->formula == PMON_FORMULA_ELAPSED))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (matches(names[i], pmon_series_english(series)->counter))
			return true;
	return false;
}

// Cached memory, which is as good as free.
static bool
is_standby(const struct pmon_series *series)
{
	return matches("*Standby*", pmon_series_english(series)->counter);
}

bool
changed_is_wanted(const struct changed *c, const struct pmon_series *series)
{
	return !is_number_of_something(series) && (c->named || !is_standby(series));
}

// ---- Rows -----------------------------------------------------------------------------------

// Insignificant differences are hidden unless a counter was named.
static bool
is_large_enough(const struct changed *c, const struct changed_row *row, double difference)
{
	return c->named || draw_is_large(row->series, difference);
}

// The averages must agree with the medians.
static bool
averages_differ(const struct changed_row *row)
{
	double before = row->average[CHANGED_BEFORE].value;
	double after = row->average[CHANGED_AFTER].value;

	return (after - before) * row->comparison.effect > 0 &&
	       fabs(after - before) >= LEAST_SHARE * fmax(fabs(before), fabs(after));
}

// The median and the deviation of few samples are uncertain.
static double
least_effect(const struct changed *c)
{
	uint64_t fewer = c->samples[CHANGED_BEFORE] < c->samples[CHANGED_AFTER]
				 ? c->samples[CHANGED_BEFORE]
				 : c->samples[CHANGED_AFTER];

	return CHANGED_LEAST_EFFECT * (1 + FEW_SAMPLES / (double)(fewer > 0 ? fewer : 1));
}

static bool
medians_differ(const struct changed *c, const struct changed_row *row)
{
	return fabs(row->comparison.effect) >= least_effect(c) &&
	       row->comparison.share >= LEAST_SHARE && averages_differ(row) &&
	       is_large_enough(c, row, row->comparison.after - row->comparison.before);
}

// An hour of trouble in four moves no median. The effect and the share are then those of the 95th percentiles.
static bool
tails_differ(const struct changed *c, struct changed_row *row)
{
	double before = row->p95[CHANGED_BEFORE].value;
	double after = row->p95[CHANGED_AFTER].value;
	double noise = row->comparison.noise;

	if (!c->tails || !pmon_vstat_has_value(row->p95[CHANGED_BEFORE].status) ||
	    !pmon_vstat_has_value(row->p95[CHANGED_AFTER].status) || before == after)
		return false;
	row->tail = true;
	row->comparison.share = fabs(after - before) / fmax(fabs(before), fabs(after));
	row->comparison.effect =
		noise > 0 ? (after - before) / noise : copysign(MOST_EFFECT, after - before);
	return fabs(row->comparison.effect) >= least_effect(c) &&
	       row->comparison.share >= LEAST_TAIL && is_large_enough(c, row, after - before);
}

static void
fill_side(struct changed_row *row, int side, const struct pmon_statistics *statistics, size_t i)
{
	enum pmon_average_kind kind;

	row->average[side] = pmon_statistics_average(statistics, i, &kind);
	row->p95[side] = pmon_statistics_percentile(statistics, i, 95);
	row->p99[side] = pmon_statistics_percentile(statistics, i, 99);
}

// The share of the values that are less than a limit, in thousandths.
static unsigned
thousandths_below(const struct pmon_statistics *statistics, size_t i, double limit)
{
	unsigned low = 0;
	unsigned high = 1000;

	if (pmon_statistics_percentile(statistics, i, 100).value < limit)
		return 1000;
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (pmon_statistics_percentile(statistics, i, middle / 10.0).value < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The usual band is from the 1st to the 99th percentile; what is beyond by less than the error of these is in it.
static double
share_outside(const struct pmon_statistics *statistics, size_t i,
	      const struct pmon_statistics *other, size_t j)
{
	double low = pmon_statistics_percentile(other, j, 1).value;
	double high = pmon_statistics_percentile(other, j, 99).value;
	unsigned below = thousandths_below(statistics, i, low - BAND_ERROR * fabs(low));
	unsigned within = thousandths_below(statistics, i, high + BAND_ERROR * fabs(high));

	return (below + 1000 - (within > below ? within : below)) / 1000.0;
}

static double
factor_of(const struct pmon_value average[2])
{
	for (int side = 0; side < 2; side++)
		if (!pmon_vstat_has_value(average[side].status))
			return NAN;
	return average[CHANGED_BEFORE].value != 0
		       ? average[CHANGED_AFTER].value / average[CHANGED_BEFORE].value
		       : NAN;
}

bool
changed_add(struct changed *c, const struct pmon_series *series,
	    const struct pmon_statistics *before, size_t i, const struct pmon_statistics *after,
	    size_t j)
{
	struct changed_row row = {
		.series = series, .process_id = series->process_id, .thread_id = series->thread_id};
	bool comparable;

	if (pmon_compare(before, i, after, j, NULL, &comparable, &row.comparison) != PMON_OK)
		return false;
	c->compared++;
	fill_side(&row, CHANGED_BEFORE, before, i);
	fill_side(&row, CHANGED_AFTER, after, j);
	if (!comparable || !(medians_differ(c, &row) || tails_differ(c, &row)))
		return true;
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &c->rows, &c->cap, c->n + 1, sizeof(*c->rows)))
		return false;
	row.factor = factor_of(row.average);
	row.outside[CHANGED_BEFORE] = share_outside(before, i, after, j);
	row.outside[CHANGED_AFTER] = share_outside(after, j, before, i);
	row.score = fmin(fabs(row.comparison.effect), MOST_EFFECT) * row.comparison.share;
	c->rows[c->n++] = row;
	return true;
}

void
changed_free(struct changed *c)
{
	pmon_mem_free(pmon_mem_allocator(NULL), c->rows, c->cap * sizeof(*c->rows));
}

// ---- Counters that show the same ------------------------------------------------------------

// The one that comes first stands for the others of its instance.
static const char *const groups[][14] = {
	{"% Processor Time", "% User Time", "% Privileged Time", "% Idle Time",
	 "% Processor Utility", "% Privileged Utility", "% C1 Time", "% C2 Time", "% C3 Time"},
	{"Avg. Disk Queue Length", "% Disk Time", "% Idle Time", "Avg. Disk Read Queue Length",
	 "% Disk Read Time", "Avg. Disk Write Queue Length", "% Disk Write Time",
	 "Current Disk Queue Length"},
	{"Disk Transfers/sec", "Disk Reads/sec", "Disk Writes/sec", "Disk Bytes/sec",
	 "Disk Read Bytes/sec", "Disk Write Bytes/sec"},
	{"IO Data Bytes/sec", "IO Read Bytes/sec", "IO Write Bytes/sec", "IO Data Operations/sec",
	 "IO Read Operations/sec", "IO Write Operations/sec"},
	{"Private Bytes", "Page File Bytes", "Working Set - Private", "Working Set",
	 "Virtual Bytes"},
	{"Committed Bytes", "% Committed Bytes In Use"},
	{"Cache Bytes", "System Cache Resident Bytes"},
	{"Available Bytes", "Available KBytes", "Available MBytes", "Free & Zero Page List Bytes",
	 "Standby*"},
	{"Pages/sec", "Pages Input/sec", "Page Reads/sec", "Page Faults/sec", "Transition *",
	 "Cache Faults/sec"},
	{"Bytes Total/sec", "Bytes Received/sec", "Bytes Sent/sec", "Packets/sec",
	 "Packets Received/sec", "Packets Sent/sec"},
};

#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))
#define N_NAMES  (sizeof(groups[0]) / sizeof(groups[0][0]))

// The index of a counter in a group; N_NAMES if it is not a member.
static size_t
place_in(size_t group, struct pmon_span counter)
{
	for (size_t i = 0; i < N_NAMES && groups[group][i] != NULL; i++)
		if (matches(groups[group][i], counter))
			return i;
	return N_NAMES;
}

// A volume and its disk: "C:" and "0 C:".
static bool
is_volume_of(const struct pmon_series *disk, const struct pmon_series *volume)
{
	const struct pmon_path *of_disk = pmon_series_english(disk);
	const struct pmon_path *of_volume = pmon_series_english(volume);
	char pattern[64];

	if (!pmon_text_same(of_disk->object, PMON_SPAN("PhysicalDisk")) ||
	    !pmon_text_same(of_volume->object, PMON_SPAN("LogicalDisk")) ||
	    !pmon_text_same(of_disk->counter, of_volume->counter) ||
	    !pmon_text_same(disk->path.machine, volume->path.machine))
		return false;
	(void)snprintf(pattern, sizeof(pattern), "* %.*s", (int)volume->path.instance.len,
		       volume->path.instance.ptr);
	return matches(pattern, disk->path.instance);
}

static bool
shows_the_same(const struct changed_row *row, const struct changed_row *other_row)
{
	const struct pmon_series *first = row->series;
	const struct pmon_series *other = other_row->series;
	struct pmon_path path = first->path;

	if (is_volume_of(first, other))
		return true;
	path.counter = other->path.counter;
	if (row->process_id != other_row->process_id || row->thread_id != other_row->thread_id ||
	    !pmon_path_same(&path, &other->path))
		return false;
	for (size_t i = 0; i < N_GROUPS; i++) {
		size_t place = place_in(i, pmon_series_english(other)->counter);

		if (place < N_NAMES && place_in(i, pmon_series_english(first)->counter) < place)
			return true;
	}
	return false;
}

static void
drop_repetitions(struct changed *c)
{
	size_t n = 0;

	// Those that stand for others may be dropped themselves, but not before these.
	for (size_t i = 0; i < c->n; i++) {
		c->rows[i].repeated = false;
		for (size_t k = 0; k < c->n && !c->rows[i].repeated; k++)
			c->rows[i].repeated = shows_the_same(&c->rows[k], &c->rows[i]);
	}
	for (size_t i = 0; i < c->n; i++)
		if (!c->rows[i].repeated)
			c->rows[n++] = c->rows[i];
	c->n = n;
}

// ---- Ranking --------------------------------------------------------------------------------

static int
largest_first(const void *a, const void *b)
{
	const struct changed_row *x = a;
	const struct changed_row *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

void
changed_rank(struct changed *c)
{
	if (!c->named)
		drop_repetitions(c);
	if (c->n > 1)
		qsort(c->rows, c->n, sizeof(*c->rows), largest_first);
}
