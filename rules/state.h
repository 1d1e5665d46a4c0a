// state.h - the state of a judge, shared by the files that implement it
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_STATE_H
#define PMON_RULES_STATE_H

#include "base/map.h"
#include "base/mem.h"
#include "model/pace.h"
#include "rules/episode.h"
#include "query/rates.h"
#include "rules/processors.h"
#include "rules/results.h"

#define RULES_NONE UINT32_MAX

struct rules_window; // window.c

// The newest sample that had a raw value of a series.
struct rules_last {
	uint64_t ordinal;
	pmon_time steady;
	int64_t elapsed_100ns;
	int64_t jumps_100ns;
	uint32_t stream;
	bool begun;     // there was one
	bool is_of_two; // the log has displayed values, each computed from two samples
};

// What passed since that sample.
struct rules_since {
	int64_t length_100ns; // what a value stands for: after a gap one usual interval
	int64_t jumps_100ns;  // length_100ns minus the difference of the times
	pmon_time from;       // the time at the beginning of that length
	bool is_first;        // there was none
	bool is_apart;        // there was none, or so much time passed that it is a gap
};

// Time and samples beyond one limit.
struct tally {
	struct rules_run *run;       // the open run, or NULL
	struct rules_window *window; // of a rule with a sliding window
	uint64_t beyond;
	int64_t beyond_100ns;
	bool had_few;       // a run was long enough, but had too few operations
	bool may_be_longer; // a run too short for the rule was cut off at an edge of the observation
	uint64_t episodes;
	struct rules_episode gravest; // the most severe one, if there are any
	uint64_t longest_samples;     // of the longest episode
	int64_t longest_100ns;
	pmon_time longest_from;
	double measure; // the worst compared value
	struct pmon_value worst;
	pmon_time worst_time;
};

// A second series needed to judge a series.
struct link {
	uint32_t series;  // or RULES_NONE
	uint32_t pattern; // the pattern that it matched
	double factor;    // of its unit
};

struct rules_slope; // slope.c

// One series under one rule. Fields used for each value come first, because each sample visits all checks.
struct check {
	double above; // displayed values between these two are within all limits: a fast path
	double below;
	struct rules_last last;
	uint64_t
		newest; // ordinal of the newest sample that has the series, with or without a raw value
	uint32_t next; // check of the same series
	uint64_t samples;
	uint64_t in_row; // samples in a row without a gap, up to that one
	int64_t time_100ns;
	struct pmon_raw raw; // of the sample `last`
	bool goes_on;        // a run, or a window of time beyond the limit
	bool has_value;      // of the series, so far
	bool is_plain_trend; // the slope of the values alone, each times `times`
	double times;
	double factor;
	uint32_t rule;
	struct tally *tallies;     // RULES_LEVELS of them; NULL until a value is beyond a limit
	struct rules_slope *slope; // of a rule with a trend
	const struct pmon_series *series;
	uint32_t pattern; // the rule's pattern that matched
	uint32_t machine;
	struct link of;
	struct link when; // of `while`
	uint32_t queue;   // meters for the average latency, or RULES_NONE
	uint32_t rate;
	struct draw_unit unit;
};

struct machine {
	struct pmon_span name;
	size_t processors;
	int64_t observed_100ns; // the longest time for which a series here was judged: rules_observe()
	uint64_t observed_samples;
	struct on_machine *rules; // by rule
};

struct on_machine {
	uint32_t *shown; // meters of the shown series
	size_t n_shown;
	size_t cap_shown;
	uint32_t show_pattern;           // the pattern that they match
	struct rules_readings *readings; // the newest readings ...
	uint64_t metered;                // ... after so many samples
	uint32_t pattern; // the first pattern with a judged series here, or RULES_NONE
	bool unfit;       // the unit of a counter does not fit the limit
	bool has_with;    // the machine has a counter of `with`, or of `without`
	bool has_without;
	enum rules_outcome outcome;
	bool has_pack; // of the first rule of a pack: the machine has a counter of one of its rules
};

// The key for finding a second series, besides its machine: the instance (of all series, or of non-process
// series), or the process.
enum found_by {
	BY_MACHINE,
	BY_INSTANCE,
	BY_PLAIN,
	BY_PROCESS
};

// A series that a rule refers to with `of` or `while`.
struct candidate {
	const struct pmon_series *series;
	uint32_t rule;
	uint32_t pattern;
	enum found_by by;
	bool is_while;           // or else `of`
	bool any_server;         // belongs to no server, so it fits any
	struct pmon_span server; // the SQL Server instance of the object, or empty
};

// An open run.
struct met {
	uint32_t check;
	uint32_t level;
};

// Accumulates the values of a series.
struct meter {
	const struct pmon_series *series;
	double total;  // sum of displayed values times their weight
	double weight; // seconds, or operations
	double ticks; // of the second raw value per unit of weight; 0: the weight is seconds between samples
	bool is_per_operation;
	struct rules_last last;
	struct pmon_raw raw; // of that sample
};

// The position of a value in a sample, and the check or meter that uses it.
struct place {
	uint32_t at;
	uint32_t of;
};

// The positions that the judge reads in samples with these series: layout.c.
struct layout {
	uint32_t *series;
	size_t n;
	size_t seen;      // series in the schema when the positions were computed
	uint32_t *linked; // positions of series that others are compared with
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
	struct pmon_paces paces;
	const struct pmon_pace *pace; // of the current sample
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
	struct pmon_map candidate_map; // by struct found_by and its key
	struct pmon_rates rates;       // for latencies
	struct rules_processors processors;
	struct pmon_map machine_map; // by their names
	uint64_t seed;               // of the hashes
	struct machine *machines;
	size_t n_machines;
	size_t cap_machines;
	bool has_more_machines; // beyond RULES_MACHINES: not judged
	uint32_t *first;        // check of each series, or RULES_NONE
	size_t cap_first;
	struct pmon_value *values; // by series: the newest value, for linked series
	size_t cap_values;
	bool *is_linked; // by series: are others compared with it?
	size_t cap_is_linked;
	struct layout layout;
	struct meter *meters;
	size_t n_meters;
	size_t cap_meters;
	uint32_t *meter_of; // of each series, or RULES_NONE
	size_t cap_meter_of;
	uint64_t metered; // samples
	struct met *met;  // runs that the newest sample extended
	size_t n_met;
	size_t cap_met;
	struct rules_options options;
	size_t n_raised; // open runs that have lasted long enough
	struct rules_finding *findings;
	struct rules_episode *episodes;
	size_t n_episodes;
	size_t cap_episodes;
};

// Make room for n entries of a list, by pmon_mem_grow(). False when memory is short.
bool rules_grow(void *list, size_t *cap, size_t n, size_t size);

// Does the limit's unit fit the counter? A limit without a unit fits any.
bool rules_limit_fits(const struct rules_limit *limit, struct draw_unit unit);

// No sample of the series yet.
struct rules_last rules_last_of(const struct pmon_series *series);

// The interval that ends with this sample for a series: it begins with the last one that had a raw value of it. Then
// note that the sample has one. The pace is that of the sample.
struct rules_since rules_since(const struct rules_last *last, const struct pmon_pace *pace,
			       const struct pmon_sample *sample);
void rules_seen(struct rules_last *last, const struct pmon_pace *pace,
		const struct pmon_sample *sample);

// Record the series if a rule refers to it with `of` or `while`: links.c. False if memory runs out. Then find
// the linked series of a check.
bool rules_add_candidate(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
			 bool is_while);
void rules_link(const struct rules_judge *judge, struct check *check);

// Process the series added since the last call: series.c. False when memory is short.
bool rules_take_series(struct rules_judge *judge);
void rules_free_machines(struct rules_judge *judge);

// Compute the layout of the sample, unless the previous sample had the same. False when memory is short.
bool rules_lay_out(struct rules_judge *judge, const struct pmon_sample *sample);
void rules_free_layout(struct layout *layout);

// The newest value of a linked series; NULL if there is none.
const struct pmon_value *rules_linked(const struct rules_judge *judge, const struct link *link);

// The value to compare with a limit: measure.c. False if there is none.
bool rules_measure(const struct rules_judge *judge, const struct check *check,
		   const struct rules_limit *limit, const struct pmon_value *value, double *out);

// The position of a value relative to a limit.
enum standing {
	WITHIN,
	NEAR, // within the limit, but not within the level that ends an episode
	BEYOND,
};

// *known becomes false if the second condition of the rule has no value.
enum standing rules_standing(const struct rules_judge *judge, const struct check *check,
			     size_t level, double measure, bool *known);

// Set the fast-path bounds of a check, if its result depends on the value alone.
void rules_set_quiet(struct check *check, const struct rules_rule *rule);

// The first pattern that the series being added by rules_take_series() matches, or RULES_NONE.
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

// Ensure that a series has a meter. False when memory is short.
bool rules_need_meter(struct rules_judge *judge, const struct pmon_series *series);

// The average latency where the log holds displayed values: latency.c. Find what a check needs;
// false when memory is short. Then read the meters, and set the average of an episode if they had all values.
bool rules_link_latency(struct rules_judge *judge, struct check *check);
struct rules_flow rules_read_flow(const struct rules_judge *judge, const struct check *check);
void rules_average_latency(const struct rules_run *run, struct rules_episode *episode);

// The share of a sliding window beyond the limit: window.c. Add an interval; false if memory runs out. Is the
// share as large as the rule requires? Is a run over? One not raised yet is over once its own share is too
// small.
bool rules_window_add(struct tally *t, int64_t within_100ns, const struct rules_interval *interval,
		      bool is_beyond);
bool rules_window_holds(const struct tally *t, const struct rules_rule *rule);
bool rules_window_is_over(const struct tally *t, const struct rules_rule *rule, int64_t now_100ns);
void rules_window_forget(struct tally *t);

// The slope of a series: slope.c. Add a judged value; false if memory runs out. Then the slope per hour,
// possibly 0 if it is within the limit; false if it is not known yet. Begin a run where the range of the
// slope begins.
bool rules_slope_add(struct check *check, const struct rules_rule *rule,
		     const struct rules_interval *interval);
// The same for a value that ends no part of the range, and so changes no slope: false if it may, then it was
// not added. `steady` is that of the interval.
bool rules_slope_goes_on(struct check *check, double value, pmon_time steady, bool *known);
bool rules_slope_of(const struct check *check, double *slope);
void rules_slope_begin(const struct check *check, const struct pmon_calc *calc,
		       const struct rules_interval *interval, struct rules_run *run);
void rules_slope_forget(struct check *check);

// Make an episode from the run of a check, which must have one: judge.c. The caller frees `who`. False when memory is
// short.
bool rules_make_episode(const struct rules_judge *judge, const struct check *check, size_t level,
			struct rules_episode *out);

// End open runs. False when memory is short.
bool rules_judge_end(struct rules_judge *judge);

// How long machines were observed; rules_kept() returns RULES_KEPT, or its substitute if the observation was
// too short, for a check without a finding: short.c.
void rules_observe(struct rules_judge *judge);
enum rules_outcome rules_kept(const struct rules_judge *judge, const struct check *check);

// The limit to print: a per-processor limit times the number of processors.
double rules_limit_of(const struct rules_judge *judge, const struct check *check, size_t level);

// Find out which machines have counters of which packs, from the outcomes: packs.c.
void rules_find_packs(struct rules_judge *judge);

// Is the counter the first of its rule that has values on its machine, and is the rule for that machine?
// findings.c.
bool rules_is_first(const struct rules_judge *judge, const struct check *check);

#endif
