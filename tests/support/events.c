// events.c - made-up series with random faults
// SPDX-License-Identifier: MIT

#include "events.h"

#include <math.h>
#include <string.h>

void
t_play_one(struct pmon_stats *stats, const struct t_event *event)
{
	if (event->gap)
		pmon_stats_gap(stats);
	else if (event->raw.status == PMON_RAW_STARTED)
		pmon_stats_lead(stats, &event->raw);
	else
		(void)pmon_stats_add(stats, &event->raw);
}

void
t_play(struct pmon_stats *stats, const struct pmon_calc *calc, const struct t_event *events,
       size_t n)
{
	pmon_stats_init(stats, calc);
	for (size_t i = 0; i < n; i++)
		t_play_one(stats, &events[i]);
}

int64_t
t_double_bits(double d)
{
	int64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static void
next_raw(struct t_rand *r, uint32_t type, struct pmon_raw *raw)
{
	raw->time += (int64_t)t_rand_below(r, 3);
	raw->multi = (uint32_t)t_rand_below(r, 4);
	raw->first = (int64_t)((uint64_t)raw->first + t_rand_below(r, 40));
	raw->second = (int64_t)((uint64_t)raw->second + t_rand_below(r, 30));
	switch (t_rand_below(r, 16)) {
	case 0: // reset
		raw->first = (int64_t)t_rand_below(r, 9);
		break;
	case 1: // both close to 2^32, or beyond it
		raw->first = INT64_C(0xFFFFFFE0) + (int64_t)t_rand_below(r, 40);
		raw->second = INT64_C(0xFFFFFFE0) + (int64_t)t_rand_below(r, 40);
		break;
	case 2: // a clock or base that stops or goes back
		raw->second -= (int64_t)t_rand_below(r, 40) & (raw->second > 40 ? -1 : 0);
		break;
	case 3:
		raw->first = (int64_t)t_rand_u64(r);
		break;
	case 4:
		raw->second = (int64_t)t_rand_u64(r);
		break;
	case 5:
		raw->first = 0;
		break;
	default:
		break;
	}
	if (type == PMON_PERF_DOUBLE_RAW && t_rand_below(r, 4) != 0)
		raw->first = t_double_bits(ldexp((double)(int64_t)t_rand_u64(r), -60));
}

size_t
t_make_events(struct t_rand *r, uint32_t type, struct t_event events[T_MAX_EVENTS])
{
	static const uint32_t odd[] = {PMON_RAW_NO_INSTANCE, PMON_RAW_INVALID, 7, PMON_RAW_CHANGED,
				       PMON_RAW_STARTED};
	size_t n = t_rand_below(r, T_MAX_EVENTS + 1);
	struct pmon_raw raw = {.first = (int64_t)t_rand_below(r, 100), .second = 50};

	for (size_t i = 0; i < n; i++) {
		next_raw(r, type, &raw);
		events[i] = (struct t_event){.gap = t_rand_below(r, 8) == 0, .raw = raw};
		events[i].raw.status = t_rand_below(r, 2) == 0 ? PMON_RAW_VALID : PMON_RAW_NEW;
		if (t_rand_below(r, 8) == 0)
			events[i].raw.status = odd[t_rand_below(r, T_LEN(odd))];
		if (t_rand_below(r, 16) == 0)
			events[i].raw.time = PMON_TIME_NONE;
	}
	return n;
}

struct pmon_calc
t_make_calc(struct t_rand *r, uint32_t type)
{
	static const uint8_t sizes[] = {0, 0, 4, 8};
	struct pmon_counter counter = {
		.type = type,
		.time_base = t_rand_below(r, 16) == 0 ? 0 : 1 + (int64_t)t_rand_below(r, 100),
		.size_bytes = sizes[t_rand_below(r, 4)],
		.default_scale = (int32_t)t_rand_below(r, 17) - 8,
	};
	struct pmon_calc_options options = {
		.size = sizeof(options),
		.policy = (enum pmon_policy)t_rand_below(r, 3),
		.cap_100 = t_rand_below(r, 2) == 0,
		.default_scale = t_rand_below(r, 2) == 0,
		.times_1000 = t_rand_below(r, 2) == 0,
	};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, &options);
	return calc;
}
