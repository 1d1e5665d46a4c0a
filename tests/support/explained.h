// explained.h - explanations, read and checked
// SPDX-License-Identifier: MIT
//
// Each function stops the test at the first thing that is wrong.

#ifndef PMON_TESTS_EXPLAINED_H
#define PMON_TESTS_EXPLAINED_H

#include <pmon/counter.h>

// Explain, and check what holds for every explanation: the value is that of pmon_calc_value() and
// pmon_stats_average(), the texts are whole, the arithmetic of the steps is right.
void t_explain(const struct pmon_calc *calc, const struct pmon_raw *older,
	       const struct pmon_raw *newer, struct pmon_explanation *e);
void t_explain_average(const struct pmon_stats *stats, struct pmon_explanation *e);

// Formula, operands, the formula with numbers, and steps use one set of names.
void t_check_names(const struct pmon_explanation *e);

// The text of an operand or a step, NULL where there is none; what an operand is.
const char *t_operand(const struct pmon_explanation *e, const char *name);
const char *t_step_text(const struct pmon_explanation *e, const char *name);
const char *t_what_of(const struct pmon_explanation *e, const char *name);

// The result of a formula with numbers in it; equality but for rounding.
double t_evaluate(const char *text);
void t_check_near(double got, double want, const char *label);

// A counter with 50 ticks in a second.
struct pmon_calc t_calc_of(uint32_t type);

#endif
