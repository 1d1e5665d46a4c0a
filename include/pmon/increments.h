// increments.h - the rows that tables and databases store: what each interval adds to an average
// SPDX-License-Identifier: MIT
//
// A raw value by itself answers no question: every reader has to find the raw value before it, subtract
// by the rules of the type, and only then can it add. pmon does this once, when it writes. Of each
// raw value there is one row, which has what the interval since the raw value before contributes: an
// operand n and a denominator d. Then the average of a series over any range of time is
//
//    double average = form.add + form.mul * sum_n / sum_d;
//
// where sum_n and sum_d are plain sums over the rows of kind `pair` in the range, and add and mul are
// constants of the series. This holds in any language that can add: SQL, a spreadsheet, PromQL. Rows of
// several series with the same type have the average add + sum(mul * n) / sum(d), each with its own mul.
// Parts of a range can be summed separately, in any order, and added.
//
//	struct pmon_counter disk = {.type = PMON_PERF_AVERAGE_TIMER, .time_base = 14318180};
//	struct pmon_raw raw[] = {{.time = 1}, {.time = 2, .first = 2147727, .second = 1}};
//	struct pmon_increment_form form;
//	struct pmon_increment_sums sums = {.rows = 0};
//	struct pmon_increments rows;
//	struct pmon_calc calc;
//
//	pmon_calc_init(&calc, &disk, NULL);
//	form = pmon_increment_form(&calc);
//	pmon_increments_begin(&rows, &calc);
//	for (size_t i = 0; i < 2; i++) {
//		struct pmon_increment row = pmon_increments_next(&rows, &raw[i]);
//
//		pmon_increment_add(&sums, &form, &row);
//		printf("%s n=%lld d=%lld\n", pmon_increment_kind_name(row.kind), (long long)row.n, (long long)row.d);
//	}
//	printf("%g\n", pmon_increment_average(&form, &sums).value); // 0.15 seconds a read
//
// The kinds of rows:
//
//    pair    counts: n and d are those of the table below
//    start   a usable raw value without a pair: the first of a log, after an absence or a reset, of another
//            process, after a step of the clock. n is its first number and d its second
//    none    no average: a raw value with a bad status, elapsed times, texts, bases. n and d as in `start`
//
// The row of a pair, by the formula of the type (counter.h). N, D and B are as there, dN is N1 - N0, a
// difference that was counted through 2^32 where that is the rule; U is the number of units (`multi`):
//
//    formula       n             d        b   add   mul   one series equals stats   a group equals stats
//    COUNT         N             1        0   0     1     yes                       yes
//    DOUBLE        N in x        1        0   0     1     yes                       yes
//    FRACTION      100 N/B in x  1        B   0     1     yes                       no (1)
//    DELTA         dN            1        0   0     1     yes                       yes
//    RATE          dN            dD       0   0     F     yes                       yes
//    RATIO         dN            dD       0   0     1     yes                       yes
//    PERCENT       dN            dD       0   0     100   yes                       yes
//    PERCENT_INV   dN            dD       0   100   -100  yes                       yes
//    MULTI         dN            U dD     U   0     100   if U is constant (2)      if U is constant (2)
//    MULTI_INV     U dD - dN     dD       U   0     100   if U is constant (2)      if U is constant (2)
//    AVERAGE_TIME  dN            dB       0   0     1/F   yes                       yes
//    ELAPSED       no pair                    0     0     no average (3)            no, nor has stats one
//    NONE          no pair                    0     0     no, nor has stats one     no, nor has stats one
//
// "Equals stats" means pmon_stats_average(), and pmon_stats_gather() for groups: to the last bit for COUNT
// and DELTA, whose sums are integers; otherwise a few roundings, 1e-15, relative to the average, or to
// add for PERCENT_INV and to 100 U for MULTI_INV, which subtract from those.
//
//    (1) The mean of the fractions counts a small disk as much as a large one. A group of stats takes all
//        parts over all wholes, which is 100 * sum(n) / sum(b) over the rows whose b is not 0: n is N in these
//        rows, since the operand is in x. pmon_increment_group_average() does so.
//    (2) The types' average functions take the units of the newest sample for the whole range. Rows have those
//        of their own interval, which is the exact share where processors came or went. A pair without
//        units has no share: it is a `start`.
//    (3) The average of stats is the newest value. For that take (d - n) / F of the newest row, or 0 if n is 0.
//
// Series with different ticks a second, which pmon_stats_gather() refuses, weigh by their ticks: the average
// of rates is then per tick, not per second. AVERAGE_TIME is not affected.
//
// No number is lost: pmon_increment_raw() gives the raw values back, bit for bit, from the rows in their
// order. It leaves the numbers that the formula does not use at 0. A difference or product beyond a
// signed 64-bit integer, which no real counter has, makes a `start` with the status no_data.
//
// A raw value with a bad status is a row, and the next pair spans it. After an absence call
// pmon_increments_gap(). Of options of the calculation only the policy matters; those of the display
// apply to results. The status of a row is that of the displayed value: below_zero and no_data have no
// value, but are pairs, as in stats. Sources: winperf.h, the Platform SDK's "Calculations for Raw
// Counter Data" and docs/reference/counters.md ("Averages", "Groups").

#ifndef PMON_INCREMENTS_H
#define PMON_INCREMENTS_H

#include <pmon/counter.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pmon_increment_kind {
	PMON_INCREMENT_NONE,
	PMON_INCREMENT_START,
	PMON_INCREMENT_PAIR,
};

// "none", "start", "pair". Never NULL.
PMON_API const char *pmon_increment_kind_name(enum pmon_increment_kind kind);

// Which numbers of a pair were counted through 2^32.
#define PMON_INCREMENT_N_WRAPPED 1u
#define PMON_INCREMENT_D_WRAPPED 2u

// One row. n, d and b are integers in the units of the raw value (ticks, bytes, operations); x is a number
// of PERF_DOUBLE_RAW or a percentage, and 0 in all other rows.
struct pmon_increment {
	pmon_time time;
	int64_t n;
	int64_t d;
	int64_t b; // B or U of the table
	double x;  // the operand of a pair instead of n, if the form says is_real
	uint32_t raw_status;
	uint32_t wrapped; // PMON_INCREMENT_*_WRAPPED
	uint32_t multi;   // of `start` and `none`: the raw value's
	enum pmon_vstat status;
	enum pmon_increment_kind kind;
};

// The constants of a series.
struct pmon_increment_form {
	double add;
	double mul;
	bool is_real;                         // the operand is x, not n
	const struct pmon_counter_type *type; // NULL if there is no average; all else is 0 then
};

// The constants of a counter. It has no average if its type has none or is unknown, or if the type needs ticks a
// second and the counter has none.
PMON_API struct pmon_increment_form pmon_increment_form(const struct pmon_calc *calc);

// The state of one series. Plain data.
struct pmon_increments {
	struct pmon_calc calc;
	struct pmon_raw tail; // the newest usable raw value
	bool is_open;         // the next raw value makes a pair with it
};

// Begin with the first raw value of a series. calc is copied.
PMON_API void pmon_increments_begin(struct pmon_increments *rows, const struct pmon_calc *calc);

// Set the raw value that the next one makes a pair with: the last one of an earlier log. It has its row
// there already. Ignored if its status is not usable.
PMON_API void pmon_increments_lead(struct pmon_increments *rows, const struct pmon_raw *raw);

// The series was absent: the next row is a start, unless the type needs one sample only.
PMON_API void pmon_increments_gap(struct pmon_increments *rows);

// The row of the next raw value, in order of time. PMON_RAW_STARTED makes a `start`: what a process had when
// it started is stored like any raw value.
PMON_API struct pmon_increment pmon_increments_next(struct pmon_increments *rows,
						    const struct pmon_raw *raw);

// The inverse of pmon_increments_next(), on a state of its own that began with the same calc: the raw value
// of the next row. false: the row is a pair, but there is no raw value before it.
PMON_API PMON_NODISCARD bool pmon_increment_raw(struct pmon_increments *rows,
						const struct pmon_increment *row,
						struct pmon_raw *raw);

// Exact sums over rows. Begin with {.rows = 0}.
struct pmon_increment_sums {
	struct pmon_sum n; // of n, or of x if the form says is_real
	struct pmon_sum d;
	struct pmon_sum parts;  // of fractions: n
	struct pmon_sum wholes; // of fractions: b
	uint64_t rows;          // pairs
	bool wrapped;           // some of them were counted through 2^32
};

// Add a row: pairs count, others do not, nor does an x of 2^80 or more, which no row has.
PMON_API void pmon_increment_add(struct pmon_increment_sums *sums,
				 const struct pmon_increment_form *form,
				 const struct pmon_increment *row);

// Add the sums of another range of the series, or of another series with the same form.
PMON_API void pmon_increment_merge(struct pmon_increment_sums *sums,
				   const struct pmon_increment_sums *other);

// add + mul * n / d: the average of a series, in the unit of its type. Without a pair: no_data, where stats has the
// commonest reason or the 0 of the clamp policy. If d is 0: base_zero (0) for bases, no_data for clocks. below_zero
// for inverse types.
PMON_API struct pmon_value pmon_increment_average(const struct pmon_increment_form *form,
						  const struct pmon_increment_sums *sums);

// The average of sums of two series or more: the same, but all parts over all wholes for fractions.
PMON_API struct pmon_value pmon_increment_group_average(const struct pmon_increment_form *form,
							const struct pmon_increment_sums *sums);

#ifdef __cplusplus
}
#endif

#endif
