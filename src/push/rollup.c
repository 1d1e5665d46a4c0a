// rollup.c - hourly sums: what engines share
// SPDX-License-Identifier: MIT

#include "push/rollup.h"

static pmon_time
up_to(pmon_time time, pmon_time step)
{
	return time + (step - 1) - (time + (step - 1)) % step;
}

void
pmon_rollup_bounds(const struct pmon_rollup_options *options, pmon_time keep_from, pmon_time *begin,
		   pmon_time *end)
{
	*begin = options->begin - options->begin % PMON_HOUR_100NS;
	*end = up_to(options->end, PMON_HOUR_100NS);
	if (keep_from > *begin)
		*begin = up_to(keep_from, PMON_DAY_100NS);
}

void
pmon_rollup_day_add(struct pmon_rollup_day *day, const uint64_t numbers[4])
{
	day->counts.sums += numbers[0];
	day->counts.series += numbers[1];
	day->counts.rows += numbers[2];
	day->hours |= (uint32_t)numbers[3];
}

void
pmon_rollup_day_end(struct pmon_rollup_day *day, pmon_time begin,
		    const struct pmon_rollup_options *options, struct pmon_rollup_counts *all)
{
	struct pmon_rollup_counts *counts = &day->counts;

	for (uint32_t bits = day->hours; bits != 0; bits &= bits - 1)
		counts->hours++;
	all->hours += counts->hours;
	all->series = counts->series > all->series ? counts->series : all->series;
	all->sums += counts->sums;
	all->rows += counts->rows;
	all->kept += counts->kept;
	if (options->day != NULL && counts->sums > 0)
		options->day(options->day_ctx, begin, counts);
	*day = (struct pmon_rollup_day){.hours = 0};
}
