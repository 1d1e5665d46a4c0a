// state.h - what a judge keeps, for the files that make up the judge
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_STATE_H
#define PMON_RULES_STATE_H

#include "base/map.h"
#include "base/mem.h"
#include "rules/episode.h"
#include "rules/disks.h"
#include "rules/processors.h"
#include "rules/results.h"

#define RULES_NONE UINT32_MAX

struct rules_window; // window.c

// Time and samples beyond one limit.
struct tally {
	struct rules_run *run;       // the one that goes on, or NULL
	struct rules_window *window; // of a rule with one
	uint64_t beyond;
	int64_t beyond_100ns;
	uint64_t episodes;
	struct rules_episode gravest; // if there are any
	uint64_t longest_samples;     // of the longest episode
	int64_t longest_100ns;
	pmon_time longest_from;
	double measure; // the worst, as it is compared
	struct pmon_value worst;
	pmon_time worst_time;
};

// A second series that a series is judged with.
struct link {
	uint32_t series;  // or RULES_NONE
	uint32_t pattern; // that it matched
	double factor;    // of its unit
};

struct rules_slope; // slope.c

// One series under one rule. What each value needs comes first, as samples go through all checks.
struct check {
	double above; // displayed values between these two are within all limits, and need no other look
	double below;
	uint64_t ordinal; // of the newest sample with the series, at `time`
	pmon_time time;
	uint32_t stream;
	uint32_t next; // check of the same series
	uint64_t samples;
	int64_t time_100ns;
	struct pmon_raw raw; // of that sample
	bool begun;          // there was one
	bool goes_on;        // a run, or a window of time beyond the limit
	bool has_value;      // of the series, so far
	bool is_plain_trend; // of nothing but the values, each times what follows
	double times;
	double factor;
	uint32_t rule;
	struct tally *tallies;     // RULES_LEVELS of them; NULL until a value is beyond a limit
	struct rules_slope *slope; // of a rule with a trend
	const struct pmon_series *series;
	uint32_t pattern; // of the rule, that matched
	uint32_t machine;
	struct link of;
	struct link when; // of `while`
	uint32_t queue;   // meters that the average of a latency follows from, or RULES_NONE
	uint32_t rate;
	struct draw_unit unit;
};

struct machine {
	struct pmon_span name;
	size_t processors;
	struct on_machine *rules; // each rule here
};

struct on_machine {
	uint32_t *shown; // meters of the series that the rule shows
	size_t n_shown;
	size_t cap_shown;
	uint32_t show_pattern;           // that they match
	struct rules_readings *readings; // the newest, of ...
	uint64_t metered;                // ... after so many samples
	uint32_t pattern;                // the first that has a judged series here, or RULES_NONE
	bool unfit;                      // a counter measures something else than the limit is in
	bool has_with;                   // the machine has a counter of `with`, or of `without`
	bool has_without;
	enum rules_outcome outcome;
	bool has_pack; // of the first rule of a pack: the machine has a counter of one of its rules
};

// What a second series is found by, beside its machine: the instance, of all series or of those that are no
// process; or the process.
enum found_by {
	BY_MACHINE,
	BY_INSTANCE,
	BY_PLAIN,
	BY_PROCESS
};

// A series that some rule refers to.
struct candidate {
	const struct pmon_series *series;
	uint32_t rule;
	uint32_t pattern;
	enum found_by by;
	bool is_while;           // or else `of`
	bool any_server;         // for series that are of no server, and so for any of them
	struct pmon_span server; // of SQL Server that the object belongs to, or none
};

// A run that goes on.
struct met {
	uint32_t check;
	uint32_t level;
};

// Counts what a series does as samples come.
struct meter {
	const struct pmon_series *series;
	double total;  // displayed values times their weight
	double weight; // seconds, or operations
	double ticks;  // of the second raw value in one of these; 0: seconds between samples
	bool begun;    // the newest sample with the series was this one
	uint64_t ordinal;
	struct pmon_raw raw;
};

// A value in a sample, by its position, and the check or the meter that it is for.
struct place {
	uint32_t at;
	uint32_t of;
};

// What the judge looks at in samples that have these series: layout.c.
struct layout {
	uint32_t *series;
	size_t n;
	size_t seen;      // series of the schema, when the places were found
	uint32_t *linked; // positions of what others are compared with
	size_t n_linked;
	struct place *checked; // in the order of the sample
	size_t n_checked;
	struct place *metered;
	size_t n_metered;
	size_t series_cap;
	size_t linked_cap;
	size_t checked_cap;
	size_t metered_cap;
};

struct rules_judge {
	const struct rules *rules;
	const struct pmon_schema *schema;
	size_t seen;   // series of the schema
	bool *matches; // by pattern: does the newest series match it?
	struct check *checks;
	size_t n_checks;
	size_t cap_checks;
	struct candidate *candidates;
	size_t n_candidates;
	size_t cap_candidates;
	struct pmon_map candidate_map; // by what they are found by
	struct rules_disks disks;      // for latencies
	struct rules_processors processors;
	struct pmon_map machine_map; // by their names
	uint64_t seed;               // of the hashes
	struct machine *machines;
	size_t n_machines;
	size_t cap_machines;
	bool has_more_machines; // than RULES_MACHINES, which are not judged
	uint32_t *first;        // check of each series, or RULES_NONE
	size_t cap_first;
	struct pmon_value *values; // by series: the newest of those that others are compared with
	size_t cap_values;
	bool *is_linked; // by series: is it one of these?
	size_t cap_is_linked;
	struct layout layout;
	struct meter *meters;
	size_t n_meters;
	size_t cap_meters;
	uint32_t *meter_of; // of each series, or RULES_NONE
	size_t cap_meter_of;
	uint64_t metered; // samples
	struct met *met;  // runs that the newest sample prolonged
	size_t n_met;
	size_t cap_met;
	struct rules_options options;
	size_t n_raised; // runs that go on and have lasted long enough
	struct rules_finding *findings;
	struct rules_episode *episodes;
	size_t n_episodes;
	size_t cap_episodes;
};

// Make room for n entries of a list, by pmon_mem_grow(). False when memory is short.
bool rules_grow(void *list, size_t *cap, size_t n, size_t size);

// Is the limit in what the counter measures? One without a unit is for any.
bool rules_limit_fits(const struct rules_limit *limit, struct draw_unit unit);

// Keep a series that a rule refers to with `of` or `while`, if it does: links.c. False when memory is short. Then find
// those of a check.
bool rules_add_candidate(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
			 bool is_while);
void rules_link(const struct rules_judge *judge, struct check *check);

// Look at the series that have come since: series.c. False when memory is short.
bool rules_take_series(struct rules_judge *judge);
void rules_free_machines(struct rules_judge *judge);

// Find what is looked at in the sample, if it is not as it was in the one before. False when memory is short.
bool rules_lay_out(struct rules_judge *judge, const struct pmon_sample *sample);
void rules_free_layout(struct layout *layout);

// The newest value of a linked series; NULL if there is none.
const struct pmon_value *rules_linked(const struct rules_judge *judge, const struct link *link);

// The value as it is compared with a limit: measure.c. False when it cannot be.
bool rules_measure(const struct rules_judge *judge, const struct check *check,
		   const struct rules_limit *limit, const struct pmon_value *value, double *out);

// Where a value is.
enum standing {
	WITHIN,
	NEAR, // within the limit, but not within the level at which an episode ends
	BEYOND,
};

// *known becomes false if the second condition of the rule has no value.
enum standing rules_standing(const struct rules_judge *judge, const struct check *check,
			     size_t level, double measure, bool *known);

// Set the values between which all limits of the rule are kept, where nothing but the value decides that.
void rules_set_quiet(struct check *check, const struct rules_rule *rule);

// The first pattern that the series which rules_take_series() looks at matches, or RULES_NONE.
uint32_t rules_matching(const struct rules_judge *judge, const struct rules_patterns *patterns);

// Who was busy: busy.c. False, and NULL, when memory is short.
bool rules_add_meter(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
		     uint32_t machine);
void rules_meter(struct rules_judge *judge, const struct pmon_sample *sample,
		 const struct pmon_value *values);
struct rules_readings *rules_read_meters(struct rules_judge *judge, const struct check *check);
void rules_forget_readings(struct rules_readings *readings); // NULL is fine
bool rules_busiest(const struct rules_judge *judge, const struct check *check,
		   const struct rules_readings *from, const struct rules_readings *to,
		   struct rules_episode *episode);

// A series gets a meter, if it has none. False when memory is short.
bool rules_need_meter(struct rules_judge *judge, const struct pmon_series *series);

// The average latency where the log holds displayed values: latency.c. Find what a check needs;
// false when memory is short. Then read the meters, and set the average of an episode if they had all values.
bool rules_link_latency(struct rules_judge *judge, struct check *check);
struct rules_flow rules_read_flow(const struct rules_judge *judge, const struct check *check);
void rules_average_latency(const struct rules_run *run, struct rules_episode *episode);

// How much of a sliding window was beyond the limit: window.c. Add an interval; false when memory is short. Was it as
// much as the rule asks? Is a run over, before it has been raised if it has had too little so far?
bool rules_window_add(struct tally *t, int64_t within_100ns, const struct rules_interval *interval,
		      bool is_beyond);
bool rules_window_holds(const struct tally *t, const struct rules_rule *rule);
bool rules_window_is_over(const struct tally *t, const struct rules_rule *rule, pmon_time now);
void rules_window_forget(struct tally *t);

// How fast a series changes: slope.c. Add a value that was judged; false when memory is short. Then the slope in
// an hour, perhaps 0 if it is within the limit; false if it is not known yet. Begin a run where the range of the slope
// begins.
bool rules_slope_add(struct check *check, const struct rules_rule *rule,
		     const struct rules_interval *interval);
// The same for a value that ends no part of the range, and so changes no slope: false if it may, then it was not added.
bool rules_slope_goes_on(struct check *check, double value, pmon_time time, bool *known);
bool rules_slope_of(const struct check *check, double *slope);
void rules_slope_begin(const struct check *check, const struct pmon_calc *calc,
		       const struct rules_interval *interval, struct rules_run *run);
void rules_slope_forget(struct check *check);

// Runs that go on end here. False when memory is short.
bool rules_judge_end(struct rules_judge *judge);

// The limit as it is printed: for all processors where it is for each.
double rules_limit_of(const struct rules_judge *judge, const struct check *check, size_t level);

// Find out which machines have counters of which packs, from the outcomes: packs.c.
void rules_find_packs(struct rules_judge *judge);

// Is the counter the first of its rule that has values on its machine, and is the rule for that machine?
// findings.c.
bool rules_is_first(const struct rules_judge *judge, const struct check *check);
bool rules_is_for(const struct rules_judge *judge, size_t rule, size_t machine);

#endif
