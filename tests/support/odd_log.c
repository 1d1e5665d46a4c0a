// odd_log.c - a log with counters of any type that do everything counters do
// SPDX-License-Identifier: MIT

#include "odd_log.h"

#include <pmon/counter.h>

#include "memsource.h"
#include "moments.h"
#include "t.h"

static int64_t
double_bits(int64_t n)
{
	double number = (double)n * 0.37;
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

// A counter that increases, with occasional special cases.
static void
put_odd(struct mem_source *m, struct t_rand *r, uint32_t series, int64_t *n, int64_t *d,
	bool is_double)
{
	switch (t_rand_below(r, 14)) {
	case 0: // a restart, or a wraparound at 32 bits
		*n = *n > 3000000000 ? *n & 1023 : (int64_t)t_rand_below(r, 100);
		break;
	case 1:
		*n = 4294967200 + (int64_t)t_rand_below(r, 90);
		break;
	case 2: // a difference of more than 63 bits
		*n = *n > 0 ? INT64_MIN + (int64_t)t_rand_below(r, 99) : INT64_MAX - 7;
		break;
	case 3:
		*d = (int64_t)t_rand_u64(r);
		break;
	case 4:
		mem_source_bad(m, series, PMON_RAW_NO_INSTANCE);
		return;
	case 5: // absent
		return;
	case 6: // nothing happened
		break;
	case 7:
		*d = 0;
		break;
	default:
		*n = (int64_t)((uint64_t)*n + t_rand_below(r, 100000));
		*d = (int64_t)((uint64_t)*d + t_rand_below(r, 300000));
	}
	mem_source_raw(m, series, is_double ? double_bits(*n) : *n, *d);
}

static bool
is_double(uint32_t type)
{
	return pmon_type_at(type)->formula == PMON_FORMULA_DOUBLE;
}

struct pmon_source *
odd_log(uint64_t seed)
{
	struct mem_source *m = mem_source_new();
	struct t_rand r = {.state = seed};
	uint32_t types[] = {
		(uint32_t)t_rand_below(&r, pmon_type_count()),
		(uint32_t)t_rand_below(&r, pmon_type_count()),
		(uint32_t)(seed % pmon_type_count()),
		UINT32_MAX,
	};
	int64_t n[T_LEN(types)] = {1, 5000000000, 4294960000, 3}, d[T_LEN(types)] = {0};

	for (uint32_t i = 0; i < T_LEN(types); i++) {
		char path[40];

		(void)snprintf(path, sizeof(path), "\\\\S\\O(%u)\\C", (unsigned)i);
		(void)mem_source_series(
			m, path, types[i] != UINT32_MAX ? pmon_type_at(types[i])->word : 0x77777777,
			t_rand_below(&r, 9) == 0 ? 0 : 2630633);
	}
	for (int k = 0; k < 60; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		if (t_rand_below(&r, 20) == 0)
			mem_source_skip(m);
		for (uint32_t i = 0; i < T_LEN(types); i++)
			put_odd(m, &r, i, &n[i], &d[i], i < 3 && is_double(types[i]));
	}
	return mem_source_open(m);
}
