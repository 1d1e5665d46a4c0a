// sql.c - the formulas and rules of the counter types in SQL
// SPDX-License-Identifier: MIT

#include "core/sql.h"

#include "core/calc.h"

// The formulas over the columns n, d, f and b, bracketed as in formula.h.
static const struct {
	enum pmon_formula formula;
	const char *sql;
} formulas[] = {
	{PMON_FORMULA_COUNT, "n"},
	{PMON_FORMULA_DOUBLE, "n"},
	{PMON_FORMULA_FRACTION, PMON_SQL_FRACTION},
	{PMON_FORMULA_ELAPSED, "n / f"},
	{PMON_FORMULA_DELTA, "n"},
	{PMON_FORMULA_RATE, "n / (d / f)"},
	{PMON_FORMULA_RATIO, "n / d"},
	{PMON_FORMULA_PERCENT, "100.0 * (n / d)"},
	{PMON_FORMULA_PERCENT_INV, "100.0 * (1.0 - n / d)"},
	{PMON_FORMULA_MULTI, "(100.0 * (n / d)) / b"},
	{PMON_FORMULA_MULTI_INV, "100.0 * (b - n / d)"},
	{PMON_FORMULA_AVERAGE_TIME, "(n / f) / d"},
};

const char pmon_sql_status_of_x[] = "CASE WHEN x < 0 AND status0 IN ('ok', 'wrapped')\n"
				    "   AND formula IN ('percent_inv', 'multi_inv') THEN "
				    "'below_zero'\n"
				    "  ELSE status0 END";

const char pmon_sql_number_of_x[] = "CASE WHEN status1 IN ('ok', 'wrapped') THEN x\n"
				    "  WHEN status1 = 'base_zero' THEN 0.0 END";

const char pmon_sql_average_n[] = "CASE\n"
				  "  WHEN formula = 'elapsed' THEN last_n\n"
				  "  WHEN formula = 'fraction' AND members > 1 THEN part_n\n"
				  "  WHEN formula IN ('double', 'fraction')\n"
				  "   THEN real_n / pairs\n"
				  "  WHEN formula IN ('count', 'delta') THEN total_n / pairs\n"
				  "  ELSE total_n END";

const char pmon_sql_average_status[] =
	"CASE WHEN pairs = 0 OR formula = 'elapsed' AND members > 1 THEN 'no_data'\n"
	"  WHEN formula = 'fraction' AND members > 1 AND d = 0 THEN 'base_zero'\n"
	"  WHEN formula IN ('elapsed', 'double', 'fraction') THEN 'ok'\n"
	"  WHEN divides AND d = 0 THEN CASE WHEN by_base THEN 'base_zero' ELSE 'no_data' END\n"
	"  WHEN formula IN ('multi', 'multi_inv') AND b = 0 THEN 'no_data'\n"
	"  WHEN wrapped THEN 'wrapped' ELSE 'ok' END";

const char *
pmon_sql_formula_name(enum pmon_formula formula)
{
	static const char *const names[] = {
		[PMON_FORMULA_NONE] = "none",
		[PMON_FORMULA_COUNT] = "count",
		[PMON_FORMULA_DOUBLE] = "double",
		[PMON_FORMULA_FRACTION] = "fraction",
		[PMON_FORMULA_ELAPSED] = "elapsed",
		[PMON_FORMULA_DELTA] = "delta",
		[PMON_FORMULA_RATE] = "rate",
		[PMON_FORMULA_RATIO] = "ratio",
		[PMON_FORMULA_PERCENT] = "percent",
		[PMON_FORMULA_PERCENT_INV] = "percent_inv",
		[PMON_FORMULA_MULTI] = "multi",
		[PMON_FORMULA_MULTI_INV] = "multi_inv",
		[PMON_FORMULA_AVERAGE_TIME] = "average_time",
	};

	return names[formula];
}

struct pmon_sql_type
pmon_sql_type(const struct pmon_counter_type *type)
{
	struct pmon_counter counter = {.type = type->word};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return (struct pmon_sql_type){
		.formula = pmon_sql_formula_name(type->formula),
		.is_single = pmon_formula_is_single(type->formula),
		.divides = pmon_formula_divides(type->formula),
		.by_base = type->second == PMON_SECOND_BASE,
		.needs_ticks = pmon_formula_needs_time_base(type->formula),
		.wraps = calc.wraps_32bit,
		.base_wraps = type->base_32bit,
	};
}

// The pieces of an expression; the last is NULL.
static void
put_pieces(struct pmon_text *sql, const char *const *pieces)
{
	for (; *pieces != NULL; pieces++)
		pmon_text_str(sql, *pieces);
}

void
pmon_sql_put_formula(struct pmon_text *sql, const struct pmon_sql_dialect *dialect)
{
	pmon_text_str(sql, dialect->searched ? "CASE" : "CASE formula");
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		const char *const pieces[] = {"\n  WHEN ",
					      dialect->searched ? "formula = '" : "'",
					      pmon_sql_formula_name(formulas[i].formula),
					      "' THEN ",
					      formulas[i].sql,
					      NULL};

		put_pieces(sql, pieces);
	}
	pmon_text_str(sql, " END");
}

void
pmon_sql_put_step(struct pmon_text *sql, const char *wraps, const char *newer, const char *older)
{
	const char *const pieces[] = {"CASE WHEN ",
				      newer,
				      " >= ",
				      older,
				      " THEN 0\n  WHEN ",
				      wraps,
				      " AND ",
				      newer,
				      " BETWEEN 0 AND 4294967295 AND ",
				      older,
				      " BETWEEN 0 AND 4294967295\n   AND ",
				      newer,
				      " - ",
				      older,
				      " + 4294967296 < 2147483648 THEN 1\n  ELSE 2 END",
				      NULL};

	put_pieces(sql, pieces);
}

void
pmon_sql_put_status(struct pmon_text *sql, const struct pmon_sql_dialect *dialect)
{
	const char *const pieces[] = {
		"CASE WHEN ",
		dialect->no_type,
		" THEN 'unknown_type'\n"
		"  WHEN formula = 'none' THEN 'not_displayed'\n"
		"  WHEN NOT usable THEN 'bad_raw_status'\n"
		"  WHEN (NOT is_single OR formula = 'elapsed') AND ",
		dialect->raw_status,
		" = " PMON_SQL_STEPPED " THEN 'clock_stepped'\n"
		"  WHEN NOT is_single AND changed THEN 'instance_changed'\n"
		"  WHEN NOT is_single AND ",
		dialect->no_older,
		" THEN 'first_sample'\n"
		"  WHEN needs_ticks AND time_base <= 0 THEN 'bad_time_base'\n"
		"  WHEN formula = 'double' THEN\n"
		"   CASE WHEN ",
		dialect->is_huge,
		" THEN 'not_finite' ELSE 'ok' END\n"
		"  WHEN formula = 'elapsed' THEN\n"
		"   CASE WHEN first <> 0 AND second < first THEN 'below_zero' ELSE 'ok' END\n"
		"  WHEN formula = 'fraction' THEN\n"
		"   CASE WHEN second = 0 THEN 'base_zero' WHEN second < 0 THEN 'base_went_back'\n"
		"    ELSE 'ok' END\n"
		"  WHEN is_single THEN 'ok'\n"
		"  WHEN n_step = 2 THEN 'counter_went_back'\n"
		"  WHEN divides AND d_step = 2 THEN\n"
		"   CASE WHEN by_base THEN 'base_went_back' ELSE 'clock_went_back' END\n"
		"  WHEN divides AND d_step = 0 AND second = second0 THEN\n"
		"   CASE WHEN by_base THEN 'base_zero' ELSE 'no_data' END\n"
		"  WHEN formula IN ('multi', 'multi_inv') AND multi = 0 THEN 'no_data'\n"
		"  WHEN n_step = 1 OR divides AND d_step = 1 THEN 'wrapped'\n"
		"  ELSE 'ok' END",
		NULL};

	put_pieces(sql, pieces);
}

void
pmon_sql_put_good(struct pmon_text *sql, const struct pmon_sql_dialect *dialect)
{
	const char *const pieces[] = {"NOT (",
				      dialect->no_type,
				      ") AND formula <> 'none' AND usable AND\n"
				      "  CASE WHEN is_single THEN status0 IN ('ok', 'base_zero')\n"
				      "   ELSE NOT changed AND NOT (",
				      dialect->no_older,
				      ") AND (NOT needs_ticks OR time_base > 0) AND n_step < 2\n"
				      "    AND (NOT divides OR d_step < 2) END",
				      NULL};

	put_pieces(sql, pieces);
}

void
pmon_sql_put_average(struct pmon_text *sql, const struct pmon_sql_dialect *dialect)
{
	pmon_text_str(sql, "CASE WHEN formula = 'fraction' AND members < 2 THEN n ELSE ");
	pmon_sql_put_formula(sql, dialect);
	pmon_text_str(sql, " END");
}
