// vector.c - rows of the conformance vectors (share/vectors, docs/reference/vectors.md)
// SPDX-License-Identifier: MIT

#include "vector.h"

#include <stdlib.h>

static enum pmon_policy
policy_of(const char *name)
{
	for (unsigned i = PMON_POLICY_DEFAULT; i <= PMON_POLICY_CLAMP; i++)
		if (strcmp(pmon_policy_name((enum pmon_policy)i), name) == 0)
			return (enum pmon_policy)i;
	fail_msg("no policy \"%s\"", name);
	return PMON_POLICY_DEFAULT;
}

struct pmon_calc
t_vector_calc(const struct t_csv *csv)
{
	struct pmon_counter counter = {
		.type = (uint32_t)strtoul(t_csv_get(csv, "word"), NULL, 16),
		.size_bytes = (uint8_t)strtoul(t_csv_get(csv, "size"), NULL, 10),
		.time_base = strtoll(t_csv_get(csv, "time_base"), NULL, 10),
		.default_scale = (int32_t)strtol(t_csv_get(csv, "scale"), NULL, 10),
	};
	const char *options = t_csv_get(csv, "options");
	struct pmon_calc_options wanted = {
		.size = sizeof(wanted),
		.policy = policy_of(t_csv_get(csv, "policy")),
		.cap_100 = strstr(options, "cap_100") != NULL,
		.default_scale = strstr(options, "default_scale") != NULL,
		.times_1000 = strstr(options, "times_1000") != NULL,
	};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, &wanted);
	return calc;
}

const char *
t_vector_raw(const char *text, const struct pmon_calc *calc, struct pmon_raw *out)
{
	char *end;

	*out = (struct pmon_raw){0};
	if (*text == 'x') {
		*out = (struct pmon_raw){.first = 999, .second = 999, .multi = 9};
		out->status = (uint32_t)strtoul(text + 1, &end, 16);
		return end;
	}
	out->first = strtoll(text, &end, 10);
	if (*end == ':')
		out->second = strtoll(end + 1, &end, 10);
	if (*end == ':')
		out->multi = (uint32_t)strtoul(end + 1, &end, 10);
	if (*end == '@')
		out->status = (uint32_t)strtoul(end + 1, &end, 16);
	pmon_raw_zero_extend(&calc->counter, out);
	return end;
}

bool
t_vector_raw_at(const struct t_csv *csv, const char *column, const struct pmon_calc *calc,
		struct pmon_raw *out)
{
	const char *text = t_csv_get(csv, column);

	if (strcmp(text, "-") == 0)
		return false;
	assert_int_equal(*t_vector_raw(text, calc, out), '\0');
	return true;
}

enum pmon_vstat
t_vector_status(const char *name)
{
	for (unsigned i = 0; i < PMON_V_COUNT; i++)
		if (strcmp(pmon_vstat_name((enum pmon_vstat)i), name) == 0)
			return (enum pmon_vstat)i;
	fail_msg("no status \"%s\"", name);
	return PMON_V_NO_DATA;
}

const char *
t_vector_value(const char *text, struct pmon_value *out)
{
	size_t len = strcspn(text, "= ");
	char name[32];
	char *end;

	*out = (struct pmon_value){.value = strtod(text, &end)};
	if (end != text)
		return end;
	assert_true(len < sizeof(name));
	memcpy(name, text, len);
	name[len] = '\0';
	out->status = t_vector_status(name);
	if (text[len] != '=')
		return text + len;
	out->value = strtod(text + len + 1, &end);
	return end;
}
