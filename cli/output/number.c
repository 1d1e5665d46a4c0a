// number.c - numbers for people
// SPDX-License-Identifier: MIT

#include "cli/output/number.h"

#include <math.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"

size_t
out_human(double value, char *buf, size_t size)
{
	char number[PMON_NUM_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);
	double magnitude = fabs(value);

	if (magnitude >= 1e15 || (magnitude != 0 && magnitude < 1e-4))
		pmon_num_digits(value, 4, number);
	else if (magnitude >= 99999.95)
		pmon_num_shortest(round(value), number);
	else
		pmon_num_digits(value, 6, number);
	pmon_text_str(&t, number);
	return t.len;
}

size_t
out_human_of(const struct pmon_counter_type *type, double value, char *buf, size_t size)
{
	char hex[PMON_HEX_SIZE];
	struct pmon_text t = pmon_text_init(buf, size);

	if (!pmon_type_is_hex(type) || pmon_hex_text(value, hex) == 0)
		return out_human(value, buf, size);
	pmon_text_str(&t, hex);
	return t.len;
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

	// Rounded before it is divided, so that 59.9996 s is a minute.
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
	out_human((double)(length_100ns / PMON_TIME_PER_MSEC) / 1000, seconds, sizeof(seconds));
	pmon_text_str(t, seconds);
	pmon_text_str(t, " s");
}
