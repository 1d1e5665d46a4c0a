// bounds.c - displayed values that are impossible for their type
// SPDX-License-Identifier: MIT
//
// When a counter goes back between two samples - a driver was reloaded, another process took the
// instance's place - some writers compute its difference modulo 2^32 or 2^64, or as a negative
// number, and log the result: -286331153.2 is -(2^32 + 2) / 15 s, and 1.8e19 is 2^64. Any average
// that includes such a value is useless. The limits, by the formula of the type (N is the counter,
// D the time or the base, neither of them ever below zero):
//
//	rate (N1 - N0) / s          below 0. Of 64 bits above 2^50: counters that count 10^15 a second do not exist (the
//	                            fastest, cycles of 2,048 processors, make 10^13), and one that went back over up to
//	                            2 h gives more: (2^64 - x) / 7200 s > 2^51. Of 32 bits above 2^32, as no interval is
//	                            below 1 s; or above 2^31 / interval, half of what a wrap can give, where intervals
//	                            are of at most 60 s and the first lines are a thousand times below.
//	time of processors, percent below 0. Of one processor above 200: 100 is all of its time, and a writer may be off
//	                            by an interval. Of a process 200 for each processor of the machine, of which
//	                            Windows takes 2,048 where the log does not have all, or where most values of the
//	                            first lines say that it does not.
//	its inverse                 below -100, above 200: 100 * (1 - N / D) is at most 100, and falls below zero by the
//	                            share that the two clocks differ by.
//	other times, percent        below 0, above 10^8: a queue of a million requests is 10^8 percent busy.
//	hits of tries, percent      below 0, above 10^6: that is 10,000 hits a try.
//	seconds an operation        below 0, above 3 * 10^8, which is ten years.
//	bytes an operation          below 0, above 2^50.
//	queue length                below 0, above 2^32: Windows counts requests in 32 bits.
//	fractions, percent          below 0, above 10^8, as other times.
//	a number as it is           beyond 2^63: PDH takes it as signed, so that is a negative one without its sign.
//
// Writers log -1 where they have no value. Where bounds allow it, exactly -1 is left out as well: it is no number
// of things, and no inverse of a time, whose share of the clocks' difference has decimals.
//
// Differences, ages, doubles, and counters of unknown type may have any value.

#include "format/pdhtext/pdhtext.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "model/english.h"

#define TWO_31           2147483648.0
#define TWO_32           4294967296.0
#define TWO_50           1125899906842624.0
#define TWO_63           9223372036854775808.0
#define MOST_PROCESSORS  2048
#define NO_VALUE         (-1) // that writers log for a missing value
#define SLACK            2    // as much as one processor, for intervals that are off by one
#define MOST_PERCENT     1e8
#define MOST_HITS        1e6
#define MOST_SECONDS     3e8
#define LONGEST_INTERVAL (60 * PMON_TIME_PER_SEC)
#define OUTLIER          1000
#define GROUP            64 // the most processors in the object Processor

// ---- Processors of the log ------------------------------------------------------------------

static bool
is(struct pmon_span name, const char *text)
{
	return pmon_text_same(name, (struct pmon_span){text, strlen(text)});
}

static bool
is_object(const struct pmon_path *path, const char *object)
{
	struct pmon_english english;

	if (!pmon_english_of(NULL, path, &english))
		return is(path->object, object);
	return is(pmon_english_path(path, &english, 0).object, object);
}

void
pmon_pdht_note_processor(struct pdht_processors *p, const struct pmon_path *path)
{
	bool is_total = is(path->instance, "_Total");
	uint64_t number = GROUP;
	uint64_t machine;

	(void)pmon_num_parse_u64(path->instance, &number);
	if ((!is_total && number >= GROUP) || !is_object(path, "Processor"))
		return;
	machine = pmon_map_mix_name(1, path->machine);
	p->has_others |= p->machine != 0 && p->machine != machine;
	p->machine = machine;
	p->has_total |= is_total;
	if (!is_total)
		p->seen |= (uint64_t)1 << number;
}

// The number of processors of the only machine, if the log has them all. A group of 64 may not be
// all of them.
static double
count_processors(const struct pdht_processors *p)
{
	unsigned n = 0;

	while (n < GROUP && (p->seen >> n & 1) != 0)
		n++;
	if (!p->has_total || p->has_others || n < 2 || n == GROUP || p->seen >> n != 0)
		return MOST_PROCESSORS;
	return n;
}

// ---- Bounds by type -------------------------------------------------------------------------

// Percent of the time of one processor, or of all. If most values are above what the log's
// processors allow, it does not list all of them.
static double
most_of_processors(const struct pdht *pdht, const struct pmon_series *series, bool are_beyond)
{
	struct pmon_span object = pmon_series_english(series)->object;

	if (is(object, "Processor") || is(object, "Processor Information"))
		return SLACK * 100;
	return SLACK * 100 *
	       (are_beyond ? MOST_PROCESSORS : count_processors(&pdht->columns.processors));
}

static struct pdht_bounds
bounds_of_percent(const struct pdht *pdht, const struct pmon_series *series,
		  const struct pmon_counter_type *type, bool are_beyond)
{
	if (type->second == PMON_SECOND_BASE)
		return (struct pdht_bounds){0, MOST_HITS, NAN};
	if (series->known_type == PMON_PERF_100NSEC_TIMER)
		return (struct pdht_bounds){0, most_of_processors(pdht, series, are_beyond), NAN};
	return (struct pdht_bounds){0, MOST_PERCENT, NAN};
}

// A rate of a 32-bit counter.
static struct pdht_bounds
bounds_of_rate32(const struct pdht *pdht, double largest)
{
	int64_t interval = pdht->style.interval;
	double half;

	if (interval <= 0 || interval > LONGEST_INTERVAL)
		return (struct pdht_bounds){0, TWO_32, NAN};
	half = TWO_31 * PMON_TIME_PER_SEC / (double)interval;
	return (struct pdht_bounds){0, largest * OUTLIER < half ? half : TWO_32, NAN};
}

static struct pdht_bounds
bounds_of(const struct pdht *pdht, const struct pmon_series *series, double largest,
	  bool are_beyond)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct pmon_type_fields fields;

	if (type == NULL || !series->type_known || series->type_inferred)
		return (struct pdht_bounds){-HUGE_VAL, HUGE_VAL, NAN};
	pmon_type_decode(series->known_type, &fields);
	switch (type->formula) {
	case PMON_FORMULA_RATE:
		return fields.size == 0 ? bounds_of_rate32(pdht, largest)
					: (struct pdht_bounds){0, TWO_50, NAN};
	case PMON_FORMULA_RATIO:
		return (struct pdht_bounds){0, type->second == PMON_SECOND_BASE ? TWO_50 : TWO_32,
					    NAN};
	case PMON_FORMULA_PERCENT:
		return bounds_of_percent(pdht, series, type, are_beyond);
	case PMON_FORMULA_PERCENT_INV:
		return (struct pdht_bounds){-100, SLACK * 100, NO_VALUE};
	case PMON_FORMULA_MULTI:
		return (struct pdht_bounds){0, MOST_PERCENT, NAN};
	case PMON_FORMULA_MULTI_INV:
		return (struct pdht_bounds){-MOST_PERCENT, MOST_PERCENT, NO_VALUE};
	case PMON_FORMULA_AVERAGE_TIME:
		return (struct pdht_bounds){0, MOST_SECONDS, NAN};
	case PMON_FORMULA_FRACTION:
		return (struct pdht_bounds){0, MOST_PERCENT, NAN};
	case PMON_FORMULA_COUNT:
		return (struct pdht_bounds){-TWO_63, TWO_63, NO_VALUE};
	default:
		return (struct pdht_bounds){-HUGE_VAL, HUGE_VAL, NAN};
	}
}

void
pmon_pdht_set_bounds(struct pdht *pdht, struct pdht_column *column, double largest, bool are_beyond)
{
	column->bounds = (struct pdht_bounds){-HUGE_VAL, HUGE_VAL, NAN};
	if (column->series != PMON_SERIES_NONE)
		column->bounds =
			bounds_of(pdht, pmon_schema_at(&pdht->source.schema, column->series),
				  largest, are_beyond);
}
