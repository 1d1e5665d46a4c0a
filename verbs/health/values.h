// values.h - values of a look at this machine, and how they are printed
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_VALUES_H
#define PMON_VERBS_HEALTH_VALUES_H

#include "base/map.h"
#include "base/text.h"
#include "draw/label.h"
#include "shell/input/judged.h"

#define STATE_TEXT 512

bool state_is_of(const struct pmon_series *series, const char *object, const char *counter);

// The counters of the machine, without those of processes, which are most of them.
struct state_values {
	const struct judged *j;
	struct pmon_map by_name; // numbers of series
	uint64_t seed;
};

// Free it also on failure: false when memory is short.
bool state_values_find(struct state_values *values, const struct judged *j);
void state_values_free(struct state_values *values);

// Find a counter of the same instance as `like`, or of the first instance if it is NULL. NULL if there is none.
const struct pmon_series *state_find(const struct state_values *values, const char *object,
				     const char *counter, const struct pmon_path *like);

// Average over all samples, last value, and growth of a count; NaN if there is no value.
double state_number_of(struct pmon_value value);
double state_average_of(const struct judged *j, const struct pmon_series *series);
double state_last_of(const struct judged *j, const struct pmon_series *series);
double state_average(const struct state_values *values, const char *object, const char *counter,
		     const struct pmon_path *like);
double state_last(const struct state_values *values, const char *object, const char *counter,
		  const struct pmon_path *like);
double state_growth(const struct state_values *values, const char *object, const char *counter,
		    const struct pmon_path *like);

// An empty text in a buffer of STATE_TEXT bytes.
struct pmon_text state_text(char *buf);

// ", 12.5 threads run": nothing if there is no value, or if it is 0 and hides_0 is set.
void state_put_part(struct pmon_text *t, double value, const char *unit, bool hides_0);
void state_put_percent(struct pmon_text *t, double percent, const char *unit, bool hides_0);
void state_put_amount(struct pmon_text *t, enum draw_quantity quantity, double value);

#endif
