// term_bars.c - one bar of block characters per series: its average, and a line to its maximum
// SPDX-License-Identifier: MIT

#include <math.h>

#include "draw/label.h"
#include "draw/page.h"

#define NUMBERS 3
#define NUMBER  10

// The cells for bars and the three numbers after them.
struct bars {
	int x;
	int width;
};

static struct bars
lay_bars(const struct draw_page *p)
{
	int name = p->width * 2 / 5;
	int width = p->width - name - 1 - NUMBERS * NUMBER;

	if (width < 8) { // names get less space on a narrow terminal
		name = p->width - 9 - NUMBERS * NUMBER;
		name = name < 8 ? 8 : name;
		width = p->width - name - 1 - NUMBERS * NUMBER;
	}
	return (struct bars){name + 1, width};
}

static void
put_bar(struct draw_page *p, const struct bars *bars, const struct draw_series *s, int y)
{
	uint16_t colour = draw_page_colour(p, s->panel);
	int end = (int)lround(draw_place(p->figure, s, s->maximum.value) * (bars->width - 1));
	double place = draw_place(p->figure, s, s->average.value);
	int eighths = (int)lround(fmin(fmax(place, 0), 1) * bars->width * 8);

	for (int x = 0; x <= end && pmon_vstat_has_value(s->maximum.status); x++)
		*draw_cell_at(p, bars->x + x, y) =
			(struct draw_cell){.character = x < end ? draw_either(p, 0x2500, '-')
								: draw_either(p, 0x2524, '|'),
					   .colour = DRAW_DIM};
	for (int x = 0; x * 8 < eighths && pmon_vstat_has_value(s->average.status); x++) {
		int part = eighths - x * 8 < 8 ? eighths - x * 8 : 8;

		// U+2588 fills a cell, and each following character an eighth less.
		*draw_cell_at(p, bars->x + x, y) = (struct draw_cell){
			.character = draw_either(p, 0x2590 - (uint32_t)part, '#'),
			.colour = colour};
	}
}

static void
put_row(struct draw_page *p, const struct bars *bars, size_t i, int y)
{
	const struct draw_series *s = &p->figure->series[i];
	const struct pmon_value *values[NUMBERS] = {&s->average, &s->minimum, &s->maximum};
	char label[DRAW_LABEL + 8];

	draw_label_text(p->figure, i, (size_t)bars->x - 1, p->terminal->ascii, label,
			sizeof(label));
	draw_page_text(p, 0, y, DRAW_PLAIN, bars->x, label);
	put_bar(p, bars, s, y);
	for (int j = 0; j < NUMBERS; j++) {
		char text[48];

		draw_value_text(p->figure, s, values[j], text, sizeof(text));
		draw_page_text_right(p, bars->x + bars->width + NUMBER * (j + 1), y,
				     j == 0 ? DRAW_PLAIN : DRAW_DIM, text);
		if (values[j] == &s->average)
			draw_page_text(p, bars->x + bars->width + NUMBER * (j + 1), y, DRAW_DIM, 1,
				       s->average_mark);
	}
}

static void
put_heading(struct draw_page *p, const struct bars *bars, const struct draw_panel *panel)
{
	static const char *const headings[NUMBERS] = {"Average", "Minimum", "Maximum"};
	char heading[DRAW_LABEL + 8];
	char top[48];
	int end = bars->x + bars->width;
	int last = panel->axis.n - 1;
	double at;

	for (int j = 0; j < NUMBERS; j++)
		draw_page_text_right(p, end + NUMBER * (j + 1), p->next, DRAW_DIM, headings[j]);
	draw_elide(panel->heading, (size_t)bars->x - 1, p->terminal->ascii, heading,
		   sizeof(heading));
	draw_page_text(p, 0, p->next, DRAW_BOLD, bars->x - 1, heading);
	draw_tick_text(panel, 0, top, sizeof(top));
	draw_page_text(p, bars->x, p->next, DRAW_DIM, bars->width, top);
	draw_tick_text(panel, last, top, sizeof(top));
	at = draw_axis_place(&panel->axis, draw_axis_tick(&panel->axis, last));
	draw_page_text_right(p, bars->x + (int)lround(at * bars->width), p->next++, DRAW_DIM, top);
}

void
draw_page_bars(struct draw_page *p)
{
	struct bars bars = lay_bars(p);

	for (size_t panel = 0; panel < p->figure->n_panels; panel++) {
		p->next++;
		put_heading(p, &bars, &p->figure->panels[panel]);
		for (size_t i = 0; i < p->figure->n; i++)
			if (p->figure->series[i].panel == panel)
				put_row(p, &bars, i, p->next++);
	}
}
