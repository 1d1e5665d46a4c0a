// number.c - numbers for people
// SPDX-License-Identifier: MIT

#include "cli/output/number.h"

#include <math.h>

#include "base/num.h"
#include "base/text.h"

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
