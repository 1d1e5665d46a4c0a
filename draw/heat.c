// heat.c - the scale of a heat map: from values to colours
// SPDX-License-Identifier: MIT
//
// The scale is that of an axis, so that a value has the same colour whatever surrounds it. Amounts whose largest
// value is more than a hundred times the usual one get powers of ten: otherwise all usual values would be the
// darkest colour. Percentages never do, for their size is known.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/figure.h"
#include "draw/label.h"

#define FAR         100.0 // the largest value divided by the median of those above 0
#define MOST_POWERS 6     // on a logarithmic scale

struct cells {
	double *values; // above 0, in multiples of the unit
	size_t n;
	double least; // of all
};

static size_t
count_cells(const struct draw_figure *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		for (size_t c = 0; f->series[i].columns != NULL && c < f->columns; c++)
			n += f->series[i].columns[c].count > 0;
	return n;
}

static void
take_cells(struct cells *cells, const struct draw_figure *f, const struct draw_panel *panel)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		double factor = s->unit.factor / panel->multiple->size;

		for (size_t c = 0; s->columns != NULL && c < f->columns; c++) {
			double value = s->columns[c].maximum * factor;

			if (s->columns[c].count == 0)
				continue;
			cells->least = fmin(cells->least, value);
			if (value > 0)
				cells->values[cells->n++] = value;
		}
	}
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

// "% Processor Time (logarithmic colours; largest value 36 %)"
static void
write_heading(struct draw_panel *panel, double largest)
{
	char heading[DRAW_LABEL];
	char number[DRAW_NUMBER];
	struct pmon_text t;

	memcpy(heading, panel->heading, sizeof(heading));
	t = pmon_text_init(panel->heading, sizeof(panel->heading));
	draw_number(largest, number, sizeof(number));
	pmon_text_str(&t, heading);
	pmon_text_str(&t, " (logarithmic colours; largest value ");
	draw_with_unit(&t, number, panel->multiple);
	pmon_text_str(&t, ")");
}

// Without memory the scale stays linear.
void
draw_fit_heat(struct draw_figure *figure, struct draw_panel *panel)
{
	struct cells cells = {.values = calloc(count_cells(figure) + 1, sizeof(double))};

	if (cells.values == NULL)
		return;
	if (panel->quantity != DRAW_PERCENT)
		take_cells(&cells, figure, panel);
	if (cells.n > 0 && cells.least >= 0) {
		double largest;
		double median;
		double high;

		qsort(cells.values, cells.n, sizeof(double), ascending);
		median = cells.values[cells.n / 2];
		largest = cells.values[cells.n - 1];
		high = ceil(log10(largest) - 1e-9);
		if (largest > FAR * median) {
			panel->axis = draw_axis_powers(
				(int)fmax(floor(log10(median)), high - MOST_POWERS), (int)high);
			write_heading(panel, largest);
		}
	}
	free(cells.values);
}
