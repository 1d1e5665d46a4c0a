// test_draw_picture.c - pictures: what kind of file they are, how large, and what texts come to in SVG
// SPDX-License-Identifier: MIT
//
// The heads of the files are those of their standards: PNG (ISO/IEC 15948) has the size as two
// big-endian numbers at byte 16, PDF begins with its version.

#include <locale.h>
#include <stdlib.h>

#include "base/utf.h"
#include "draw/picture.h"
#include "t.h"

#define SEC PMON_TIME_PER_SEC

static int last_type = DRAW_SVG; // of those that can be drawn here

struct bytes {
	unsigned char *ptr;
	size_t len;
	size_t most; // bytes that are taken; 0: all
};

static bool
take(void *ctx, const void *bytes, size_t len)
{
	struct bytes *b = ctx;

	if (b->most > 0 && b->len + len > b->most)
		return false;
	b->ptr = realloc(b->ptr, b->len + len + 1);
	assert_non_null(b->ptr);
	memcpy(b->ptr + b->len, bytes, len);
	b->len += len;
	b->ptr[b->len] = '\0';
	return true;
}

static int32_t
utc(const void *ctx, pmon_time t)
{
	(void)ctx;
	(void)t;
	return 0;
}

// Two counters with two units, a gap, a missing value and an isolated one.
struct example {
	struct pmon_envelope_column *columns;
	struct draw_series series[2];
	struct draw_threshold threshold;
	struct draw_figure figure;
};

static void
fill_column(struct pmon_envelope_column *c, pmon_time time, double value, bool joined)
{
	*c = (struct pmon_envelope_column){.first = value,
					   .minimum = value - 1,
					   .maximum = value + 1,
					   .last = value,
					   .time = time,
					   .count = 3,
					   .joined = joined};
}

static void
begin(struct example *e, enum draw_kind kind, const struct draw_picture *picture)
{
	size_t n = draw_picture_columns(picture);

	*e = (struct example){.columns = calloc(n, sizeof(*e->columns))};
	assert_non_null(e->columns);
	for (size_t i = 0; i < n; i++)
		if (i % 50 < 40)
			fill_column(&e->columns[i], (pmon_time)i * SEC, 10 + (double)(i % 7),
				    i % 50 > 0);
	e->columns[45].missing = PMON_V_COUNTER_BACK;
	fill_column(&e->columns[47], 47 * SEC, 3, false);
	for (size_t i = 0; i < 2; i++) {
		e->series[i] = (struct draw_series){
			.label = "\\Object(with a very long instance that has no end)\\Counter",
			.counter = t_span(i == 0 ? "a" : "b"),
			.unit = {.quantity = i == 0 ? DRAW_PERCENT : DRAW_BYTES, .factor = 1},
			.last = {.value = 4},
			.average = {.value = 8},
			.minimum = {.value = 2},
			.maximum = {.value = 17},
			.average_mark = "",
			.columns = e->columns};
	}
	assert_true(draw_threshold_parse("12%", &e->threshold));
	e->figure = (struct draw_figure){.kind = kind,
					 .title = "A title",
					 .subtitle = "what it is",
					 .from = 0,
					 .to = (pmon_time)n * SEC,
					 .clock = {utc, NULL},
					 .columns = n,
					 .series = e->series,
					 .n = 2,
					 .thresholds = &e->threshold,
					 .n_thresholds = 1};
	draw_assign_panels(&e->figure, draw_picture_panels(picture));
	draw_fit_axes(&e->figure, draw_picture_steps(picture, &e->figure));
}

static uint32_t
big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void
check_file(const struct bytes *b, const struct draw_picture *picture)
{
	switch (picture->type) {
	case DRAW_SVG:
		assert_non_null(strstr((const char *)b->ptr, "<svg"));
		T_EQ_STR((const char *)b->ptr + b->len - 7, "</svg>\n");
		break;
	case DRAW_PNG:
		assert_memory_equal(b->ptr, "\x89PNG\r\n\x1A\n", 8);
		T_EQ_U64(big_endian(b->ptr + 16), (uint64_t)picture->width);
		T_EQ_U64(big_endian(b->ptr + 20), (uint64_t)picture->height);
		break;
	case DRAW_PDF:
		assert_memory_equal(b->ptr, "%PDF-1.", 7);
		break;
	}
}

static void
every_kind_in_every_type(void **state)
{
	(void)state;
	for (int kind = DRAW_LINE; kind <= DRAW_HEATMAP; kind++) {
		for (int type = DRAW_SVG; type <= last_type; type++) {
			struct draw_picture picture = {.type = (enum draw_type)type,
						       .theme = (enum draw_theme)(kind % 2),
						       .width = 640 - 100 * type,
						       .height = 200 + 50 * kind};
			struct example e;
			struct bytes b = {.len = 0};

			begin(&e, (enum draw_kind)kind, &picture);
			assert_null(draw_picture(&e.figure, &picture, take, &b));
			check_file(&b, &picture);
			free(b.ptr);
			free(e.columns);
		}
	}
}

// More rows than the smallest picture has room for.
static void
the_smallest_picture(void **state)
{
	struct draw_picture picture = {.type = last_type == DRAW_SVG ? DRAW_SVG : DRAW_PNG,
				       .width = DRAW_SMALLEST,
				       .height = DRAW_SMALLEST};
	struct draw_series many[DRAW_SERIES];

	(void)state;
	for (int kind = DRAW_LINE; kind <= DRAW_HEATMAP; kind++) {
		struct example e;
		struct bytes b = {.len = 0};

		begin(&e, (enum draw_kind)kind, &picture);
		for (size_t i = 0; i < DRAW_SERIES; i++) {
			many[i] = e.series[0];
			many[i].unit.quantity = (enum draw_quantity)(i % DRAW_QUANTITIES);
		}
		e.figure.series = many;
		e.figure.n = DRAW_SERIES;
		draw_assign_panels(&e.figure, 6);
		draw_fit_axes(&e.figure, 2);
		assert_null(draw_picture(&e.figure, &picture, take, &b));
		check_file(&b, &picture);
		free(b.ptr);
		free(e.columns);
	}
}

static void
write_errors_are_reported(void **state)
{
	(void)state;
	for (int type = DRAW_SVG; type <= last_type; type++) {
		struct draw_picture picture = {
			.type = (enum draw_type)type, .width = 300, .height = 300};
		struct example e;
		struct bytes b = {.most = 100};

		begin(&e, DRAW_AREA, &picture);
		assert_non_null(draw_picture(&e.figure, &picture, take, &b));
		free(b.ptr);
		free(e.columns);
	}
}

static size_t
count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

// Texts are texts, colours are the page's, and there is nothing that could collide with the rest of the page.
static void
a_picture_in_a_page(void **state)
{
	struct draw_picture picture = {.width = 640, .height = 300, .in_page = true};
	struct example e;
	struct bytes b = {.len = 0};
	const char *svg;

	(void)state;
	begin(&e, DRAW_LINE, &picture);
	e.series[0].counter = t_span("a <b> & c");
	draw_assign_panels(&e.figure, 2);
	draw_fit_axes(&e.figure, 4);
	assert_null(draw_picture(&e.figure, &picture, take, &b));
	svg = (const char *)b.ptr;
	assert_memory_equal(svg, "<svg viewBox=\"0 0 640 300\"", 26);
	T_EQ_STR(svg + b.len - 7, "</svg>\n");
	T_EQ_U64(count(svg, "<?xml"), 0);
	T_EQ_U64(count(svg, "rgb("), 0);
	T_EQ_U64(count(svg, " id="), 0);
	T_EQ_U64(count(svg, ">a &lt;b&gt; &amp; c</text>"), 1);
	T_EQ_U64(count(svg, ">12%</text>"), 1); // the threshold
	T_EQ_U64(count(svg, "A title"), 0);
	assert_in_range(count(svg, "var(--s0)"), 1, 1000);
	assert_in_range(count(svg, "var(--alarm)"), 1, 1000);
	free(b.ptr);
	free(e.columns);
}

// Every byte and many code points in a title: the document holds only characters that XML 1.0 has (production 2),
// and only entities that it knows.
static void
every_text_is_xml(void **state)
{
	// U+7F, U+85, U+202E, U+D7FF, U+E000, U+FFFD to U+FFFF, U+1F600, U+10FFFF; half a surrogate pair, and a
	// sequence that ends early
	static const char points[] = "\x7F\xC2\x85\xE2\x80\xAE\xED\x9F\xBF\xEE\x80\x80"
				     "\xEF\xBF\xBD\xEF\xBF\xBE\xEF\xBF\xBF\xF0\x9F\x98\x80"
				     "\xF4\x8F\xBF\xBF\xED\xA0\x80\xF0\x9F\x98";
	struct draw_picture picture = {.width = 640, .height = 300};
	char title[1024];
	size_t n = 0;

	(void)state;
	for (unsigned i = 1; i < 256; i++)
		title[n++] = (char)i;
	memcpy(title + n, points, sizeof(points));
	for (int kind = DRAW_LINE; kind <= DRAW_HEATMAP; kind++) {
		struct example e;
		struct bytes b = {.len = 0};
		struct pmon_span span;

		begin(&e, (enum draw_kind)kind, &picture);
		e.figure.title = e.figure.subtitle = title;
		assert_null(draw_picture(&e.figure, &picture, take, &b));
		span = (struct pmon_span){(const char *)b.ptr, b.len};
		assert_true(pmon_utf8_valid(span));
		for (size_t pos = 0; pos < span.len;) {
			uint32_t c = pmon_utf8_next(span, &pos);

			assert_true(c == '\t' || c == '\n' || c == '\r' || c >= 0x20);
			assert_true(c != 0xFFFE && c != 0xFFFF);
		}
		T_EQ_U64(count(span.ptr, "&"), count(span.ptr, "&amp;") + count(span.ptr, "&lt;") +
						       count(span.ptr, "&gt;") +
						       count(span.ptr, "&quot;"));
		assert_in_range(count(span.ptr, "\xF0\x9F\x98\x80"), 1, 10); // U+1F600 stays
		free(b.ptr);
		free(e.columns);
	}
}

// A decimal comma of the locale is in no number.
static void
numbers_are_those_of_no_locale(void **state)
{
	static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
	struct draw_picture picture = {.width = 640, .height = 300};
	struct bytes first = {.len = 0};

	(void)state;
	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++) {
		struct example e;
		struct bytes b = {.len = 0};

		if (setlocale(LC_ALL, locales[i]) == NULL)
			continue;
		begin(&e, DRAW_LINE, &picture);
		assert_null(draw_picture(&e.figure, &picture, take, &b));
		free(e.columns);
		if (i == 0) {
			first = b;
			continue;
		}
		T_EQ_STR((const char *)b.ptr, (const char *)first.ptr);
		free(b.ptr);
	}
	(void)setlocale(LC_ALL, "C");
	free(first.ptr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_in_a_page),
		cmocka_unit_test(every_kind_in_every_type),
		cmocka_unit_test(every_text_is_xml),
		cmocka_unit_test(numbers_are_those_of_no_locale),
		cmocka_unit_test(the_smallest_picture),
		cmocka_unit_test(write_errors_are_reported),
	};
	struct pmon_err err;

	if (draw_cairo_load(&err) == PMON_OK)
		last_type = DRAW_PDF;
	else
		puts("skipped: PNG and PDF, which need cairo");
	return cmocka_run_group_tests_name("draw_picture", tests, NULL, NULL);
}
