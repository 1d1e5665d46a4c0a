// lines.c - lines of the first screen
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/first/first.h"
#include "base/time.h"
#include "draw/label.h"

void
first_put(struct first_line *line, const char *gap, const char *text)
{
	size_t need = draw_characters(text);

	if (line->markdown) {
		fputs(line->used > 0 ? gap : "", stdout);
		out_markdown(stdout, (struct pmon_span){text, strlen(text)});
		line->used += need;
		return;
	}
	if (line->used > 0 && line->used + strlen(gap) + need > line->width) {
		printf("\n%*s", (int)line->indent, "");
		line->used = line->indent;
	} else if (line->used > 0) {
		fputs(gap, stdout);
		line->used += strlen(gap);
	}
	out_clean(stdout, (struct pmon_span){text, strlen(text)});
	line->used += need;
}

void
first_end(const struct first_line *line)
{
	if (line->used > 0)
		putchar('\n');
}

void
first_cell(const struct first *f, const char *text, size_t columns, bool right)
{
	char whole[512];
	char cut[sizeof(whole)];
	size_t have;

	draw_clean((struct pmon_span){text, strlen(text)}, whole, sizeof(whole));
	draw_elide(whole, columns, f->ascii, cut, sizeof(cut));
	have = draw_characters(cut);
	printf("%*s%s%*s", right && have < columns ? (int)(columns - have) : 0, "", cut,
	       !right && have < columns ? (int)(columns - have) : 0, "");
}

void
first_time(const struct first *f, pmon_time t, char buf[FIRST_TIME])
{
	const struct clock *clock = &f->judged.logs.clock;
	char whole[PMON_TIME_SIZE]; // "2016-11-26 13:46:30.874"
	struct pmon_text text = pmon_text_init(buf, FIRST_TIME);
	size_t len;
	size_t skip = strlen(f->judged.spans_days ? "2016-" : "2016-11-26 ");

	if (t == PMON_TIME_NONE) {
		pmon_text_char(&text, '-');
		return;
	}
	len = pmon_time_local(t, clock_offset(clock, t), whole) - strlen(".874");
	pmon_text_span(&text, (struct pmon_span){whole + skip, len - skip});
}
