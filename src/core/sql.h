// sql.h - the formulas and rules of the counter types in SQL
// SPDX-License-Identifier: MIT
//
// Databases compute what calc.c and stats.c compute, from the same table of types, in the same
// order of operations. The formulas are written once; each dialect defines the few differences. The
// pieces are expressions over these columns:
//
//	formula is_single divides by_base needs_ticks     of the type (pmon_type)
//	time_base first second multi usable changed       of the raw value
//	first0 second0 n_step d_step                      of its pair; see pmon_sql_step()
//	n d f b                                           the operands, as in formula.h

#ifndef PMON_CORE_SQL_H
#define PMON_CORE_SQL_H

#include <pmon/counter.h>

#include "base/text.h"

// What differs between dialects.
struct pmon_sql_dialect {
	const char *no_type;    // true if the table of types lacks the word
	const char *no_older;   // true if there is no usable raw value before
	const char *is_huge;    // true if `first`, as the bits of a double, is 2^80 or more
	const char *raw_status; // the column with the status of the raw value
	bool searched;          // CASE supports only conditions, no operand
};

// A counter type, as in the table pmon_type.
struct pmon_sql_type {
	const char *formula;
	bool is_single;   // one sample is enough
	bool divides;     // divides by a difference of the second raw value
	bool by_base;     // ... which is a base, not a clock
	bool needs_ticks; // needs the time base
	bool wraps;       // 32 bits wide unless the counter says otherwise
	bool base_wraps;  // the base is
};

// The columns of the table after the type word; BOOLEAN is the dialect's name of that type.
#define PMON_SQL_TYPE_COLUMNS(BOOLEAN)                                                             \
	" name text NOT NULL,\n"                                                                   \
	" unit text NOT NULL,\n"                                                                   \
	" formula text NOT NULL,\n"                                                                \
	" formula_text text NOT NULL,\n"                                                           \
	" average_text text NOT NULL,\n"                                                           \
	" meaning text NOT NULL,\n"                                                                \
	" is_single " BOOLEAN " NOT NULL,\n"                                                       \
	" divides " BOOLEAN " NOT NULL,\n"                                                         \
	" by_base " BOOLEAN " NOT NULL,\n"                                                         \
	" needs_ticks " BOOLEAN " NOT NULL,\n"                                                     \
	" wraps " BOOLEAN " NOT NULL,\n"                                                           \
	" base_wraps " BOOLEAN " NOT NULL"

// The formula of PMON_FORMULA_FRACTION over the operands, if d is not 0.
#define PMON_SQL_FRACTION "100.0 * (n / d)"

// The statuses, as lists of numbers, of usable raw values, and of those that make no pair with the
// preceding one (PMON_RAW_CHANGED, PMON_RAW_STEPPED), for the columns with these names.
#define PMON_SQL_USABLE  "0, 1, 536870913, 536870914, 536870917"
#define PMON_SQL_CHANGED "536870913, 536870917"

// The status after the clock was set (PMON_RAW_STEPPED).
#define PMON_SQL_STEPPED "536870917"

// The status of raw values that are in no sample: only to pair with, not to show
// (PMON_RAW_STARTED).
#define PMON_SQL_STARTED "536870914"

// The status of rows that record which process the values of a series belong to (PMON_RAW_OWNER),
// and by how much the start times of one process may differ, in 100 ns.
#define PMON_SQL_OWNER      "536870915"
#define PMON_SQL_SAME_START "200000"

struct pmon_sql_type pmon_sql_type(const struct pmon_counter_type *type);

const char *pmon_sql_formula_name(enum pmon_formula formula);

// The formula over the operands.
void pmon_sql_put_formula(struct pmon_text *sql, const struct pmon_sql_dialect *dialect);

// How a raw value changed from the preceding one: 0 forward, 1 forward across the wrap at 2^32, 2
// back. wraps is a condition: may it wrap?
void pmon_sql_put_step(struct pmon_text *sql, const char *wraps, const char *newer,
		       const char *older);

// The status of a pair, or of a single value, before its formula is applied.
void pmon_sql_put_status(struct pmon_text *sql, const struct pmon_sql_dialect *dialect);

// Can the differences of a pair be summed? `status0` is the result of pmon_sql_put_status().
void pmon_sql_put_good(struct pmon_text *sql, const struct pmon_sql_dialect *dialect);

// The status of a number x that a formula returned for operands with the status `status0`; and the
// number, NULL if there is none, by that status, `status1`.
extern const char pmon_sql_status_of_x[];
extern const char pmon_sql_number_of_x[];

// For sums over a time and `members` series: the operand n by `formula`, from `last_n` (the
// newest), `total_n` (the sum), `real_n` (the sum of non-integers), `part_n` (the sum of the parts
// of fractions) and `pairs`; and the status, from those, d, b and `wrapped` (did a difference
// wrap?). For fractions d is the sum of the wholes, for groups b is the mean number of units over
// d. Series without pairs do not count as members. docs/reference/counters.md, "Groups".
extern const char pmon_sql_average_n[];
extern const char pmon_sql_average_status[];

// The average from the operands: the formula, except that it is the mean for fractions of one
// series.
void pmon_sql_put_average(struct pmon_text *sql, const struct pmon_sql_dialect *dialect);

#endif
