// heat.c - the scale of a heat map: which value has which colour
// SPDX-License-Identifier: MIT
//
// One large value makes all others dark on a linear scale. So three scales are tried, and the first is
// used that spreads the cells over nearly as many colours as the best one does (their entropy, C. E.
// Shannon, 1948): linear up to the largest value, linear up to what 95 % of the cells are below, and
// logarithmic.

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "draw/figure.h"
#include "draw/label.h"

#define BUCKETS     4096 // of a hundredth of a power of ten each
#define PER_DECADE  100
#define LEAST_POWER (-20)
#define BANDS       10   // colours that people distinguish
#define NEARLY      0.35 // bits
#define MOST        0.95 // of the cells, which a scale that ends early shows
#define FEW         0.02 // of the cells, which may be below a logarithmic scale
#define MOST_POWERS 6    // of a logarithmic scale

struct cells {
	size_t bucket[BUCKETS];
	size_t zero; // and below
	size_t n;
	double least;
	double largest;
};

static double
value_of(size_t bucket)
{
	return pow(10, ((double)bucket + 0.5) / PER_DECADE + LEAST_POWER);
}

static void
add_cell(struct cells *cells, double value)
{
	double place = value > 0 ? floor((log10(value) - LEAST_POWER) * PER_DECADE) : -1;

	cells->least = cells->n == 0 ? value : fmin(cells->least, value);
	cells->largest = cells->n == 0 ? value : fmax(cells->largest, value);
	cells->n++;
	if (place < 0)
		cells->zero++;
	else
		cells->bucket[(size_t)fmin(place, BUCKETS - 1)]++;
}

static void
count_cells(struct cells *cells, const struct draw_figure *f, const struct draw_panel *panel)
{
	memset(cells, 0, sizeof(*cells));
	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		double factor = s->unit.factor / panel->multiple->size;
		bool here = &f->panels[s->panel] == panel && s->columns != NULL;

		for (size_t c = 0; here && c < f->columns; c++)
			if (s->columns[c].count > 0)
				add_cell(cells, s->columns[c].maximum * factor);
	}
}

// The value that this share of the cells is not above, of those above zero alone if `positive`.
static double
quantile(const struct cells *cells, double share, bool positive)
{
	size_t seen = positive ? 0 : cells->zero;
	double wanted = share * (double)(positive ? cells->n - cells->zero : cells->n);

	for (size_t i = 0; i < BUCKETS; i++) {
		seen += cells->bucket[i];
		if (cells->bucket[i] > 0 && (double)seen >= wanted)
			return value_of(i);
	}
	return 0;
}

static double
entropy(const struct cells *cells, const struct draw_axis *axis)
{
	size_t band[BANDS] = {cells->zero};
	double bits = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		double place = cells->bucket[i] > 0 ? draw_axis_place(axis, value_of(i)) : 0;

		band[(size_t)(fmin(fmax(place, 0), 0.999) * BANDS)] += cells->bucket[i];
	}
	for (size_t i = 0; i < BANDS; i++) {
		double share = (double)band[i] / (double)cells->n;

		bits -= share > 0 ? share * log2(share) : 0;
	}
	return bits;
}

static struct draw_axis
logarithmic(const struct cells *cells)
{
	double high = ceil(log10(cells->largest) - 1e-9);
	double low = fmin(floor(log10(quantile(cells, FEW, true))), high - 1);

	return draw_axis_powers((int)fmax(low, high - MOST_POWERS), (int)high);
}

// "% Processor Time (logarithmic colours, up to 36%)"
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
	pmon_text_str(&t, panel->axis.logarithmic ? " (logarithmic colours; largest value "
						  : " (colours end early; largest value ");
	draw_with_unit(&t, number, panel->multiple);
	pmon_text_str(&t, ")");
}

void
draw_fit_heat(struct draw_figure *figure, struct draw_panel *panel, int steps)
{
	struct draw_axis early;
	struct draw_axis powers;
	struct cells cells;
	double linear_bits;
	double early_bits;
	double powers_bits;

	count_cells(&cells, figure, panel);
	if (cells.n == cells.zero || cells.least < 0)
		return;
	early = draw_axis_fit(0, quantile(&cells, MOST, false), steps);
	early.ends_early = true;
	powers = logarithmic(&cells);
	linear_bits = entropy(&cells, &panel->axis);
	early_bits = entropy(&cells, &early);
	powers_bits = entropy(&cells, &powers);
	if (linear_bits + NEARLY >= fmax(early_bits, powers_bits))
		return;
	panel->axis = early_bits + NEARLY >= powers_bits ? early : powers;
	write_heading(panel, cells.largest);
}
