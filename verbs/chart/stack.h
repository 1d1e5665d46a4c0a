// stack.h - the running sums of a stack, and the sum of its small parts
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_CHART_STACK_H
#define PMON_VERBS_CHART_STACK_H

#include "verbs/chart/parts.h"
#include "shell/input/by_series.h"
#include "shell/input/picked.h"

// The newest value of a part counts until the part is missing from a sample of its own stream.
struct stack_part {
	double newest; // in the chart's quantity
	size_t slot;   // the series of the figure that contains it
	uint32_t stream;
	bool here;
	bool counts; // is it a part at all
};

// The totals of a series of the figure, in the chart's quantity.
struct stack_total {
	double last;
	double least;
	double largest;
	double sum;
	uint64_t n;
};

// Running sums, as a separate sample.
struct stack {
	struct pmon_sample sample;
	uint32_t ids[DRAW_SERIES];
	struct pmon_value sums[DRAW_SERIES];
	struct stack_total totals[DRAW_SERIES];
	struct by_series by_series; // struct stack_part
};

// Choose the series of the figure from the matching ones, the largest first: for each counter as
// many as have a color each, and one for the sum of the rest. Returns an exit status.
int stack_choose(struct chart *chart, const struct pmon_series *const *list, size_t n);

// Sum while the logs are read. All parts are added to `picked`. stack_end() frees, and fills in the
// values of sums; call it after every stack_begin().
int stack_begin(struct stack *stack, struct chart *chart, struct picked *picked);
enum pmon_status stack_add(struct stack *stack, struct chart *chart,
			   const struct pmon_sample *sample, const struct pmon_value *values,
			   struct pmon_err *err);
void stack_end(struct stack *stack, struct chart *chart);

#endif
