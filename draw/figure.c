// figure.c - a picture as data: what is drawn, and on which panels and axes
// SPDX-License-Identifier: MIT

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/label.h"

#define HEADING_NAMES 3 // the most counters named above a panel

#define APART 30.0 // counters whose maxima differ by a larger factor get separate panels

// ---- Panels ---------------------------------------------------------------------------------

// The series of a counter, which always share a panel.
struct group {
	enum draw_quantity quantity;
	bool is_stacked;
	double largest;
	size_t first; // series
	size_t panel;
};

struct grouping {
	struct group groups[DRAW_SERIES];
	size_t n;
	size_t of[DRAW_SERIES]; // the group of each series
};

static double
largest_of(const struct draw_series *s)
{
	return fmax(fabs(s->maximum.value), fabs(s->minimum.value)) * s->unit.factor;
}

static size_t
group_of(struct grouping *g, const struct draw_figure *figure, size_t series)
{
	const struct draw_series *s = &figure->series[series];

	for (size_t i = 0; i < g->n; i++)
		if (g->groups[i].quantity == s->unit.quantity &&
		    g->groups[i].is_stacked == s->is_stacked &&
		    pmon_text_same(figure->series[g->groups[i].first].counter, s->counter))
			return i;
	g->groups[g->n] = (struct group){
		.quantity = s->unit.quantity, .is_stacked = s->is_stacked, .first = series};
	return g->n++;
}

static void
make_groups(struct grouping *g, const struct draw_figure *figure)
{
	g->n = 0;
	for (size_t i = 0; i < figure->n; i++) {
		struct group *group;

		g->of[i] = group_of(g, figure, i);
		group = &g->groups[g->of[i]];
		group->largest = fmax(group->largest, largest_of(&figure->series[i]));
	}
}

// The largest group that has no panel yet and can share one with another group.
static struct group *
next_group(struct grouping *g, const struct group *with)
{
	struct group *best = NULL;

	for (size_t i = 0; i < g->n; i++)
		if (g->groups[i].quantity == with->quantity &&
		    g->groups[i].is_stacked == with->is_stacked &&
		    g->groups[i].panel == DRAW_SERIES &&
		    (best == NULL || g->groups[i].largest > best->largest))
			best = &g->groups[i];
	return best;
}

// Split the groups into panels where their maxima differ by more than a factor of `apart`. Returns
// the number of panels.
static size_t
cut(struct grouping *g, double apart)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		g->groups[i].panel = DRAW_SERIES; // no panel yet
	for (size_t i = 0; i < g->n; i++) {
		const struct group *largest = NULL; // in the panel
		struct group *group;

		while ((group = next_group(g, &g->groups[i])) != NULL) {
			bool far = largest != NULL && group->largest > 0 &&
				   largest->largest / group->largest > apart;

			n += largest == NULL || far;
			group->panel = n - 1;
			largest = largest == NULL || far ? group : largest;
		}
	}
	return n;
}

// The counters of a panel: "% Processor Time, % User Time".
static void
write_heading(struct draw_figure *figure, const struct grouping *g, size_t panel)
{
	struct draw_panel *p = &figure->panels[panel];
	struct pmon_text t = pmon_text_init(p->heading, sizeof(p->heading));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct draw_series *s = &figure->series[g->groups[i].first];
		char name[DRAW_LABEL];

		if (s->panel != panel)
			continue;
		if (++n > HEADING_NAMES)
			break;
		draw_clean(s->counter, name, sizeof(name));
		pmon_text_str(&t, t.len > 0 ? ", " : "");
		pmon_text_str(&t, name);
	}
	if (n > HEADING_NAMES)
		pmon_text_str(&t, ", and more");
	if (p->is_stacked && figure->kind != DRAW_STACKED)
		pmon_text_str(&t, " by process");
}

static void
assign_colours(struct draw_figure *figure)
{
	unsigned next[2] = {0, 0}; // of lines, and of stacks

	for (size_t i = 0; i < figure->n; i++) {
		struct draw_series *s = &figure->series[i];

		s->is_stacked |= figure->kind == DRAW_STACKED;
		s->colour = next[s->is_stacked]++;
	}
}

void
draw_assign_panels(struct draw_figure *figure, size_t most)
{
	size_t number[DRAW_SERIES]; // the figure's number for each panel of the split
	// Bars are compared by length, so all bars with the same unit share an axis.
	double apart = figure->kind == DRAW_BAR ? HUGE_VAL : APART;
	struct grouping g;

	most = most < DRAW_PANELS ? most : DRAW_PANELS;
	assign_colours(figure);
	make_groups(&g, figure);
	while (cut(&g, apart) > most && apart < HUGE_VAL)
		apart = apart < 1e12 ? apart * 10 : HUGE_VAL;
	for (size_t i = 0; i < DRAW_SERIES; i++)
		number[i] = DRAW_PANELS;
	figure->n_panels = 0;
	for (size_t i = 0; i < figure->n; i++) {
		const struct group *group = &g.groups[g.of[i]];

		if (number[group->panel] == DRAW_PANELS) {
			number[group->panel] = figure->n_panels;
			figure->panels[figure->n_panels].is_stacked = group->is_stacked;
			figure->panels[figure->n_panels++].quantity = group->quantity;
		}
		figure->series[i].panel = number[group->panel];
	}
	for (size_t i = 0; i < figure->n_panels; i++)
		write_heading(figure, &g, i);
}

// ---- Axes -----------------------------------------------------------------------------------

struct range {
	double low;
	double high;
	bool any;
};

static void
widen(struct range *range, double low, double high)
{
	range->low = range->any ? fmin(range->low, low) : low;
	range->high = range->any ? fmax(range->high, high) : high;
	range->any = true;
}

static struct range
range_of(const struct draw_figure *figure, size_t panel)
{
	struct range range = {.any = false};

	for (size_t i = 0; i < figure->n; i++) {
		const struct draw_series *s = &figure->series[i];

		if (s->panel != panel)
			continue;
		if (!s->is_stacked && pmon_vstat_has_value(s->maximum.status))
			widen(&range, s->minimum.value * s->unit.factor,
			      s->maximum.value * s->unit.factor);
		for (size_t c = 0; s->is_stacked && s->columns != NULL && c < figure->columns; c++)
			if (s->columns[c].count > 0)
				widen(&range, s->columns[c].minimum, s->columns[c].maximum);
	}
	return range;
}

static bool
shows_counter(const struct draw_figure *figure, const struct draw_panel *panel,
	      struct pmon_span counter)
{
	for (size_t i = 0; i < figure->n; i++)
		if (&figure->panels[figure->series[i].panel] == panel &&
		    pmon_text_same(figure->series[i].counter, counter))
			return true;
	return false;
}

static bool
is_of_panel(const struct draw_figure *figure, const struct draw_panel *panel,
	    const struct draw_threshold *threshold)
{
	// A limit for one counter does not hold for a sum.
	if (threshold->counter.ptr != NULL &&
	    (panel->is_stacked || !shows_counter(figure, panel, threshold->counter)))
		return false;
	if (threshold->any)
		return panel->quantity == DRAW_COUNT || figure->n_panels == 1;
	return threshold->quantity == panel->quantity;
}

static void
fit_axis(struct draw_figure *figure, size_t i, int steps)
{
	struct draw_panel *panel = &figure->panels[i];
	struct range range = range_of(figure, i);
	struct draw_range shown;

	for (size_t j = 0; j < figure->n_thresholds; j++) {
		const struct draw_threshold *t = &figure->thresholds[j];

		if (is_of_panel(figure, panel, t))
			widen(&range, t->value, t->value);
	}
	shown = draw_range_fit(range.low, range.high, panel->quantity == DRAW_PERCENT,
			       figure->kind != DRAW_LINE || panel->is_stacked);
	panel->multiple = draw_multiple_for(panel->quantity, shown.magnitude);
	panel->axis = draw_axis_fit(&shown, panel->multiple->size, steps);
	if (figure->kind == DRAW_HEATMAP)
		draw_fit_heat(figure, panel);
}

void
draw_fit_axes(struct draw_figure *figure, int steps)
{
	for (size_t i = 0; i < figure->n_panels; i++)
		fit_axis(figure, i, steps);
}

double
draw_column_place(const struct draw_figure *figure, const struct draw_series *series, double value)
{
	const struct draw_panel *panel = &figure->panels[series->panel];
	double factor = series->is_stacked ? 1 : series->unit.factor;

	return draw_axis_place(&panel->axis, value * factor / panel->multiple->size);
}

double
draw_place(const struct draw_figure *figure, const struct draw_series *series, double value)
{
	const struct draw_panel *panel = &figure->panels[series->panel];

	return draw_axis_place(&panel->axis, value * series->unit.factor / panel->multiple->size);
}

bool
draw_threshold_place(const struct draw_figure *figure, const struct draw_panel *panel,
		     const struct draw_threshold *threshold, double *place)
{
	*place = draw_axis_place(&panel->axis, threshold->value / panel->multiple->size);
	return is_of_panel(figure, panel, threshold);
}

// ---- Columns --------------------------------------------------------------------------------

double
draw_column_time(const struct draw_figure *figure, const struct draw_series *series, size_t i)
{
	double length = (double)(figure->to - figure->from);

	if (series->columns[i].count == 1 && length > 0)
		return (double)(series->columns[i].time - figure->from) / length;
	return ((double)i + 0.5) / (double)figure->columns;
}

size_t
draw_column_cover(const struct draw_figure *figure, const struct draw_series *series, size_t i)
{
	const struct pmon_envelope_column *columns = series->columns;
	size_t next = i;
	size_t after;

	while (next < figure->columns && columns[next].count == 0)
		next++;
	if (next == i || next == figure->columns || columns[next].joined)
		return next;
	for (after = next + 1; after < figure->columns; after++)
		if (columns[after].count > 0 || columns[after].missing != PMON_V_OK)
			break;
	return after < figure->columns && next - i < after - next ? next : figure->columns;
}

// ---- Texts ----------------------------------------------------------------------------------

#define MOST_CHARACTERS 10 // in a value: 32 bits in hexadecimal; of 64 bits, the ends are shown

size_t
draw_value_text(const struct draw_figure *figure, const struct draw_series *series,
		const struct pmon_value *value, char *buf, size_t size)
{
	const struct draw_multiple *multiple = figure->panels[series->panel].multiple;
	struct pmon_text t = pmon_text_init(buf, size);
	char text[PMON_HEX_SIZE];

	if (pmon_vstat_has_value(value->status)) {
		draw_value(value->value, &series->unit, multiple->size, text, sizeof(text));
		draw_elide(text, MOST_CHARACTERS, true, buf, size);
		return strlen(buf);
	}
	pmon_text_str(&t, "-");
	return t.len;
}

// Does the label, elided at this position, differ from those of all other series?
static bool
is_distinct(const struct draw_figure *figure, size_t series, size_t most, size_t head, bool ascii)
{
	const char *label = figure->series[series].label;
	char text[DRAW_LABEL + 8];
	char other[DRAW_LABEL + 8];

	draw_elide_after(label, most, head, ascii, text, sizeof(text));
	for (size_t i = 0; i < figure->n; i++) {
		if (strcmp(figure->series[i].label, label) == 0)
			continue;
		draw_elide_after(figure->series[i].label, most, head, ascii, other, sizeof(other));
		if (strcmp(text, other) == 0)
			return false;
	}
	return true;
}

void
draw_label_text(const struct draw_figure *figure, size_t series, size_t most, bool ascii, char *buf,
		size_t size)
{
	size_t middle = DRAW_ELIDE_HEAD(most, ascii);
	char text[DRAW_LABEL + 8];
	char number[24];
	struct pmon_text t;
	size_t head;

	// Try positions from the middle towards both ends.
	for (size_t i = 0; i <= 2 * middle + 1; i++) {
		head = i % 2 == 0 ? middle - i / 2 : middle + i / 2 + 1;
		if (is_distinct(figure, series, most, head, ascii)) {
			draw_elide_after(figure->series[series].label, most, head, ascii, buf,
					 size);
			return;
		}
	}
	// No position distinguishes it from all others, but its number does.
	(void)snprintf(number, sizeof(number), " [%zu]", series + 1);
	if (most > strlen(number))
		most -= strlen(number);
	draw_elide(figure->series[series].label, most, ascii, text, sizeof(text));
	t = pmon_text_init(buf, size);
	pmon_text_str(&t, text);
	pmon_text_str(&t, number);
}

void
draw_series_sentence(const struct draw_figure *figure, const struct draw_series *series, char *buf,
		     size_t size)
{
	static const char *const names[] = {"average", "minimum", "maximum", "last"};
	const struct pmon_value *values[] = {&series->average, &series->minimum, &series->maximum,
					     &series->last};
	struct pmon_text t = pmon_text_init(buf, size);

	pmon_text_str(&t, series->label);
	for (int i = 0; i < 4; i++) {
		char text[PMON_HEX_SIZE];

		draw_value_text(figure, series, values[i], text, sizeof(text));
		pmon_text_str(&t, i == 0 ? ": " : ", ");
		pmon_text_str(&t, names[i]);
		pmon_text_char(&t, ' ');
		draw_with_unit(&t, text, figure->panels[series->panel].multiple);
	}
}

void
draw_with_unit(struct pmon_text *t, const char *number, const struct draw_multiple *multiple)
{
	const char *unit = multiple->name;

	pmon_text_str(t, number);
	if (unit[0] != '\0' && unit[0] != '/')
		pmon_text_char(t, ' ');
	pmon_text_str(t, unit);
}

size_t
draw_tick_text(const struct draw_panel *panel, int tick, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	char number[32];

	draw_axis_label(&panel->axis, tick, number, sizeof(number));
	if (panel->axis.logarithmic && tick == 0)
		pmon_text_str(&t, "\xE2\x89\xA4 ");
	draw_with_unit(&t, number, panel->multiple);
	return t.len;
}

size_t
draw_missing_text(const struct draw_figure *figure, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	size_t count[UINT8_MAX + 1] = {0};

	pmon_text_str(&t, "");
	for (size_t i = 0; i < figure->n; i++)
		for (size_t c = 0; figure->series[i].columns != NULL && c < figure->columns; c++)
			count[figure->series[i].columns[c].missing]++;
	for (size_t i = PMON_V_OK + 1; i < sizeof(count) / sizeof(count[0]); i++) {
		if (count[i] == 0)
			continue;
		pmon_text_str(&t, t.len > 0                      ? "; "
				  : figure->kind == DRAW_HEATMAP ? "no value (blank): "
								 : "no value: ");
		pmon_text_str(&t, pmon_vstat_text((enum pmon_vstat)i));
		if (count[i] > 1) {
			pmon_text_str(&t, " (");
			pmon_text_u64(&t, count[i]);
			pmon_text_str(&t, " times)");
		}
	}
	return t.len;
}

size_t
draw_marks_text(const struct draw_figure *figure, char *buf, size_t size)
{
	static const char *const marks[][2] = {
		{"*", "* queue length / rate; "},
		{"~", "~ mean of the values shown (the log allows no better average); "},
		{"?", "? mean of the values shown (counter type unknown); "}};
	struct pmon_text t = pmon_text_init(buf, size);

	pmon_text_str(&t, "");
	for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++)
		for (size_t i = 0; i < figure->n; i++)
			if (strcmp(figure->series[i].average_mark, marks[m][0]) == 0) {
				pmon_text_str(&t, marks[m][1]);
				break;
			}
	if (t.len >= 2)
		buf[t.len -= 2] = '\0';
	return t.len;
}

void
draw_threshold_amount(struct draw_threshold *threshold)
{
	const struct draw_unit unit = {.quantity = threshold->quantity, .factor = 1};

	if (!threshold->any)
		(void)draw_amount(threshold->value, &unit, threshold->text,
				  sizeof(threshold->text));
}

void
draw_threshold_of(struct draw_threshold *threshold, const struct draw_unit *unit)
{
	if (threshold->any) {
		threshold->quantity = unit->quantity;
		threshold->value *= unit->factor;
	}
	threshold->any = false;
	draw_threshold_amount(threshold);
}
