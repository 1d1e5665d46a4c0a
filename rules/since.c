// since.c - the interval of a value, which begins with the last sample that had a raw value of the series
// SPDX-License-Identifier: MIT

#include "base/time.h"
#include "core/calc.h"
#include "model/schema.h"
#include "rules/state.h"

struct rules_last
rules_last_of(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	return (struct rules_last){.is_of_two = series->formatted && type != NULL &&
						!pmon_formula_is_single(type->formula)};
}

// Samples without a raw value lie between the two. What passed is not what was covered if there was a gap.
static struct rules_since
over_missing(const struct rules_last *last, const struct pmon_pace *pace)
{
	int64_t covered = pmon_time_minus(pace->elapsed_100ns, last->elapsed_100ns);
	int64_t passed = pmon_time_minus(pmon_pace_steady(pace), last->steady);
	struct rules_since since = {.length_100ns = covered};

	since.is_apart = passed != covered || pmon_pace_is_gap(pace, passed);
	if (since.is_apart && covered > pace->usual_100ns)
		since.length_100ns = pace->usual_100ns;
	since.jumps_100ns = pmon_time_minus(pace->all_jumps_100ns, last->jumps_100ns) +
			    pmon_time_minus(since.length_100ns, covered);
	return since;
}

static struct rules_since
since_of(const struct rules_last *last, const struct pmon_pace *pace,
	 const struct pmon_sample *sample)
{
	bool is_known = last->begun && last->stream == sample->stream;

	if (is_known && sample->ordinal != last->ordinal + 1)
		return over_missing(last, pace);
	if (!is_known && !last->is_of_two)
		return (struct rules_since){.is_first = true, .is_apart = true};
	return (struct rules_since){.length_100ns = pace->length_100ns,
				    .jumps_100ns = pace->jump_100ns,
				    .is_first = !is_known,
				    .is_apart = !is_known || pace->is_gap};
}

// The first displayed value of two samples is of the interval before it: the sample there had the other raw value. If
// the clock was set in an interval, it begins at the time of the sample before.
struct rules_since
rules_since(const struct rules_last *last, const struct pmon_pace *pace,
	    const struct pmon_sample *sample)
{
	struct rules_since since = since_of(last, pace, sample);
	int64_t apart = since.is_apart && !since.is_first
				? since.length_100ns
				: pmon_time_minus(since.length_100ns, since.jumps_100ns);

	since.from = pmon_time_minus(sample->time, apart);
	return since;
}

void
rules_seen(struct rules_last *last, const struct pmon_pace *pace, const struct pmon_sample *sample)
{
	last->ordinal = sample->ordinal;
	last->steady = pmon_pace_steady(pace);
	last->elapsed_100ns = pace->elapsed_100ns;
	last->jumps_100ns = pace->all_jumps_100ns;
	last->stream = sample->stream;
	last->begun = true;
}
