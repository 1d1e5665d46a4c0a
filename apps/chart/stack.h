// stack.h - the running sums of a stack, and the rest of its parts as one
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_CHART_STACK_H
#define PMON_APPS_CHART_STACK_H

#include "apps/chart/parts.h"
#include "cli/input/by_series.h"
#include "cli/input/picked.h"

// A part counts with its newest value until it is missing from a sample of its own stream.
struct stack_part {
	double newest; // in the quantity
	size_t slot;   // the series of the figure that it is part of
	uint32_t stream;
	bool here;
	bool counts; // is a part at all
};

// What the values of a series of the figure come to, in the quantity.
struct stack_total {
	double last;
	double least;
	double largest;
	double sum;
	uint64_t n;
};

// Running sums, as a sample of their own.
struct stack {
	struct pmon_sample sample;
	uint32_t ids[DRAW_SERIES];
	struct pmon_value sums[DRAW_SERIES];
	struct stack_total totals[DRAW_SERIES];
	struct by_series by_series; // struct stack_part
};

// Choose the series of the figure from those that match, the largest first: of each counter as many as
// have colours of their own, and one for the rest, which is a sum. Returns an exit status.
int stack_choose(struct chart *chart, const struct pmon_series *const *list, size_t n);

// Sum up while the logs are read. All parts are added to `picked`. stack_end() frees, and fills in the
// values of sums; call it after any stack_begin().
int stack_begin(struct stack *stack, struct chart *chart, struct picked *picked);
enum pmon_status stack_add(struct stack *stack, struct chart *chart,
			   const struct pmon_sample *sample, const struct pmon_value *values,
			   struct pmon_err *err);
void stack_end(struct stack *stack, struct chart *chart);

#endif
