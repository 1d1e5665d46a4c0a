// number.c - format numbers for people
// SPDX-License-Identifier: MIT

#include "shell/output/number.h"

#include <math.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"

static bool full_digits; // for the whole program

void
out_use_full_digits(bool on)
{
	full_digits = on;
}

bool
out_has_full_digits(void)
{
	return full_digits;
}

size_t
out_number(double value, char *buf, size_t size)
{
	char number[PMON_NUM_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);

	if (!full_digits)
		return draw_number(value, buf, size);
	pmon_num_shortest(value, number);
	pmon_text_str(&t, number);
	return t.len;
}

size_t
out_number_of(const struct pmon_counter_type *type, double value, char *buf, size_t size)
{
	char hex[PMON_HEX_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);

	if (!pmon_type_is_hex(type) || pmon_hex_text(value, hex) == 0)
		return out_number(value, buf, size);
	pmon_text_str(&t, hex);
	return t.len;
}

size_t
out_amount(const struct pmon_series *series, double value, char *buf, size_t size)
{
	struct draw_unit unit = draw_unit_of(series);

	return out_amount_in(series, &unit, value, buf, size);
}

size_t
out_amount_in(const struct pmon_series *series, const struct draw_unit *unit, double value,
	      char *buf, size_t size)
{
	const struct pmon_counter_type *type;
	const char *text;
	struct pmon_text t;

	if (!full_digits)
		return draw_amount(value, unit, buf, size);
	type = pmon_series_type(series);
	t = pmon_text_init(buf, size);
	t.len = out_number_of(type, value, buf, size);
	text = pmon_series_unit(series);
	if (text[0] == '\0')
		return t.len;
	pmon_text_str(&t, text[0] == '/' ? "" : " ");
	pmon_text_str(&t, text);
	return t.len;
}

size_t
out_count(uint64_t value, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	if (!full_digits)
		return draw_whole(value, buf, size);
	pmon_text_u64(&t, value);
	return t.len;
}

void
out_put_count(struct pmon_text *t, uint64_t n, const char *one, const char *many)
{
	char number[DRAW_NUMBER];

	(void)draw_whole(n, number, sizeof(number));
	pmon_text_str(t, number);
	pmon_text_str(t, pmon_text_word(n, one, many));
}

void
out_put_length(struct pmon_text *t, int64_t length_100ns)
{
	static const struct {
		int64_t unit;
		const char *name;
	} units[] = {{24 * 60 * PMON_TIME_PER_MIN, " d"},
		     {60 * PMON_TIME_PER_MIN, " h"},
		     {PMON_TIME_PER_MIN, " min"}};
	const int64_t half = PMON_TIME_PER_MSEC / 2;
	char seconds[48];
	bool any = false;

	// Round before dividing, so that 59.9996 s becomes a minute.
	length_100ns = (length_100ns + half) / PMON_TIME_PER_MSEC * PMON_TIME_PER_MSEC;
	for (size_t i = 0; i < 3; i++) {
		if (length_100ns >= units[i].unit) {
			pmon_text_str(t, any ? " " : "");
			pmon_text_i64(t, length_100ns / units[i].unit);
			pmon_text_str(t, units[i].name);
			length_100ns %= units[i].unit;
			any = true;
		}
	}
	if (any && length_100ns < PMON_TIME_PER_MSEC)
		return;
	pmon_text_str(t, any ? " " : "");
	// Always three decimals: four significant digits would turn 59.999 s into 60 s.
	pmon_num_digits((double)(length_100ns / PMON_TIME_PER_MSEC) / 1000, 6, seconds);
	pmon_text_str(t, seconds);
	pmon_text_str(t, " s");
}
