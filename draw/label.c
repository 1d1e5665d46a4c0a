// label.c - format names from logs and numbers for display
// SPDX-License-Identifier: MIT

#include "draw/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"

#define REPLACEMENT "\xEF\xBF\xBD"

size_t
draw_clean(struct pmon_span text, char *buf, size_t size)
{
	size_t pos = 0;
	size_t n = 0;

	while (pos < text.len) {
		size_t at = pos;
		bool unsafe = pmon_utf_is_unsafe(pmon_utf8_next(text, &pos));
		size_t len = unsafe ? strlen(REPLACEMENT) : pos - at;

		if (n + len + 1 > size)
			break;
		memcpy(buf + n, unsafe ? REPLACEMENT : text.ptr + at, len);
		n += len;
	}
	buf[n] = '\0';
	return n;
}

const char *
draw_markup(uint32_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return pmon_utf_is_unsafe(c) || c == 0xFFFE || c == 0xFFFF ? REPLACEMENT : NULL;
	}
}

size_t
draw_characters(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

static size_t
byte_of(const char *text, size_t i)
{
	struct pmon_span span = {text, strlen(text)};
	size_t pos = 0;

	while (i-- > 0 && pos < span.len)
		(void)pmon_utf8_next(span, &pos);
	return pos;
}

void
draw_elide_after(const char *text, size_t most, size_t head, bool ascii, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	size_t have = draw_characters(text);
	size_t dots = ascii ? 3 : 1;
	size_t keep = most > dots ? most - dots : 0;

	head = head < keep ? head : keep;
	if (have <= most) {
		pmon_text_str(&t, text);
		return;
	}
	pmon_text_span(&t, (struct pmon_span){text, byte_of(text, head)});
	pmon_text_str(&t, ascii ? "..." : "\xE2\x80\xA6");
	pmon_text_str(&t, text + byte_of(text, have - (keep - head)));
}

void
draw_elide(const char *text, size_t most, bool ascii, char *buf, size_t size)
{
	draw_elide_after(text, most, DRAW_ELIDE_HEAD(most, ascii), ascii, buf, size);
}

void
draw_tail(const char *text, size_t most, bool ascii, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	size_t have = draw_characters(text);
	size_t dots = ascii ? 2 : 1;

	pmon_text_str(&t, have <= most ? "" : ascii ? ".." : "\xE2\x80\xA6");
	pmon_text_str(&t, have <= most ? text : text + byte_of(text, have - most + dots));
}

// Write a whole number with thousands separators: "48,210".
static void
write_grouped(struct pmon_text *t, uint64_t whole)
{
	char digits[24];
	struct pmon_text plain = pmon_text_init(digits, sizeof(digits));

	pmon_text_u64(&plain, whole);
	for (size_t i = 0; i < plain.len; i++) {
		if (i > 0 && (plain.len - i) % 3 == 0)
			pmon_text_char(t, ',');
		pmon_text_char(t, digits[i]);
	}
}

#define LARGEST_PLAIN 1e15 // larger numbers are not exact to the last digit

size_t
draw_number(double value, char *buf, size_t size)
{
	char number[PMON_NUM_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);
	double magnitude = fabs(value);

	if (magnitude >= 999.95 && magnitude < LARGEST_PLAIN) {
		pmon_text_str(&t, value < 0 ? "-" : "");
		write_grouped(&t, (uint64_t)round(magnitude));
	} else {
		pmon_num_digits(value + 0.0, 4, number); // a negative zero becomes 0
		pmon_text_str(&t, number);
	}
	return t.len;
}

size_t
draw_whole(uint64_t value, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	write_grouped(&t, value);
	return t.len;
}

size_t
draw_value(double value, const struct draw_unit *unit, double multiple, char *buf, size_t size)
{
	char hex[PMON_HEX_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);

	if (unit->is_id && value == floor(value) && fabs(value) < LARGEST_PLAIN) {
		pmon_text_i64(&t, (int64_t)value);
		return t.len;
	}
	if (!unit->is_hex)
		return draw_number(value * unit->factor / multiple, buf, size);
	if (pmon_hex_text(value, hex) == 0)
		return draw_number(value, buf, size);
	pmon_text_str(&t, hex);
	return t.len;
}

#define LARGEST_COUNT 1e7 // larger ones are in thousands, millions ...

const struct draw_multiple *
draw_amount_multiple(double value, const struct draw_unit *unit)
{
	double magnitude = unit->is_hex ? 1 : fabs(value * unit->factor);

	if (unit->quantity == DRAW_COUNT && magnitude < LARGEST_COUNT)
		magnitude = 1;
	return draw_multiple_for(unit->quantity, magnitude);
}

size_t
draw_amount_in(double value, const struct draw_unit *unit, const struct draw_multiple *multiple,
	       char *buf, size_t size)
{
	char number[DRAW_NUMBER];
	struct pmon_text t = pmon_text_init(buf, size);

	(void)draw_value(value, unit, multiple->size, number, sizeof(number));
	pmon_text_str(&t, number);
	if (multiple->name[0] != '\0' && multiple->name[0] != '/')
		pmon_text_char(&t, ' ');
	pmon_text_str(&t, multiple->name);
	return t.len;
}

size_t
draw_amount(double value, const struct draw_unit *unit, char *buf, size_t size)
{
	return draw_amount_in(value, unit, draw_amount_multiple(value, unit), buf, size);
}

size_t
draw_instance(const struct pmon_series *series, char *buf, size_t size)
{
	const struct pmon_path *path = &series->path;
	struct pmon_text t = pmon_text_init(buf, size);

	pmon_text_str(&t, "");
	if (path->parent.ptr != NULL) {
		pmon_text_span(&t, path->parent);
		pmon_text_char(&t, '/');
	}
	pmon_text_span(&t, path->instance);
	if (series->of_process) {
		pmon_text_str(&t, " (");
		pmon_text_i64(&t, series->thread_id >= 0 ? series->thread_id : series->process_id);
		pmon_text_char(&t, ')');
	} else if (path->index > 0) {
		pmon_text_char(&t, '#');
		pmon_text_i64(&t, path->index);
	}
	return t.len;
}
