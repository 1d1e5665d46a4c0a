// explained.h - parse and check explanations
// SPDX-License-Identifier: MIT
//
// Each function fails the test at the first error.

#ifndef PMON_TESTS_EXPLAINED_H
#define PMON_TESTS_EXPLAINED_H

#include <pmon/counter.h>

// Explain a value, and check what holds for every explanation: the value is that of
// pmon_calc_value() or pmon_stats_average(), texts are not cut off, and the arithmetic of the steps
// is right.
void t_explain(const struct pmon_calc *calc, const struct pmon_raw *older,
	       const struct pmon_raw *newer, struct pmon_explanation *e);
void t_explain_average(const struct pmon_stats *stats, struct pmon_explanation *e);

// The formula, the operands, the formula with numbers, and the steps must use the same names.
void t_check_names(const struct pmon_explanation *e);

// The text of an operand or a step, NULL if there is none; the meaning of an operand.
const char *t_operand(const struct pmon_explanation *e, const char *name);
const char *t_step_text(const struct pmon_explanation *e, const char *name);
const char *t_what_of(const struct pmon_explanation *e, const char *name);

// Evaluate a formula with numbers; compare except for rounding.
double t_evaluate(const char *text);
void t_check_near(double got, double want, const char *label);

// A counter with 50 ticks per second.
struct pmon_calc t_calc_of(uint32_t type);

#endif
