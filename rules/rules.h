// rules.h - thresholds as text: rules that say which values of a counter are a sign of trouble
// SPDX-License-Identifier: MIT
//
// docs/reference/rules.md has the format. Rules are read whole; the first fault ends it:
//
//	if (!rules_parse(text, &rules, &why))
//		... why.line, why.column, why.text
//	judge = rules_judge_new(&rules, schema);                 // judge.h

#ifndef PMON_RULES_RULES_H
#define PMON_RULES_RULES_H

#include <pmon/path.h>

#include "base/map.h"
#include "draw/unit.h"

#define RULES_LINES 8  // of a key that may be repeated
#define RULES_TOP   20 // instances that a rule may show
#define RULES_MOST  1000
#define RULES_BYTES (1024 * 1024) // of a whole text

enum rules_level {
	RULES_WARNING,
	RULES_CRITICAL,
	RULES_LEVELS
};

enum rules_lasting {
	RULES_SAMPLES, // so many in one episode
	RULES_TIME,    // an episode of that length
	RULES_SHARE,   // so much of the time, all in all; for all limits of a rule
};

// How long values must be beyond a limit before it is worth a word.
struct rules_hold {
	enum rules_lasting lasting;
	uint64_t samples;
	int64_t time_100ns;
	double share; // 0..1
};

// "> 20ms" or "> 20ms for 30s". The threshold has the number and its quantity.
struct rules_limit {
	bool given;
	bool or_equal;
	bool has_own_hold;               // else it is that of the rule
	struct draw_threshold threshold; // below: "<"
	struct rules_hold hold;
};

struct rules_lines {
	struct pmon_span list[RULES_LINES];
	size_t n;
};

// A pattern of counters. All rules that have it share it.
struct rules_pattern {
	struct pmon_path path;
	struct pmon_span text; // as it was written
	uint32_t number;       // in the list of all patterns
};

struct rules_patterns {
	const struct rules_pattern *list[RULES_LINES];
	size_t n;
};

// Who says so: a text that ends with a year, and where it can be read.
struct rules_source {
	struct rules_lines texts;
	struct pmon_span link; // empty: not given
};

struct rules_rule {
	struct pmon_span name;
	struct pmon_span pack;          // empty: in none
	size_t of_pack;                 // the first rule of that pack
	struct rules_patterns counters; // the first that a machine has is judged
	struct rules_patterns of;       // limits are percentages of the first that it has
	struct rules_lines excepts;     // patterns of instances
	struct rules_patterns with;     // only machines that have one of these counters are judged
	struct rules_patterns without;  // ... and only those that have none of these
	struct rules_lines texts;
	struct rules_lines advice;
	struct rules_source sources[RULES_LINES];
	size_t n_sources;
	struct rules_limit limits[RULES_LEVELS];
	struct rules_limit clear;       // an episode goes on until the value is within it; if given
	struct rules_patterns whiles;   // a second condition: this counter, one at the most,
	struct rules_limit while_limit; // ... is beyond this limit in the same interval
	struct rules_patterns shows;    // who was busy: the first of these that a machine has ...
	size_t show_top;                // ... so many of its instances
	int64_t trend_100ns;  // not 0: limits are of the slope of values in such a range, an hour
	double window_share;  // 0..1: values must be beyond the limit for so much of ...
	int64_t within_100ns; // ... a sliding window; 0: there is none
	struct rules_hold hold;
	double times; // values are multiplied by it
	bool per_processor;
	unsigned line; // where it begins
};

struct rules {
	char *text; // that all spans point into
	struct rules_rule *list;
	size_t n;
	struct rules_pattern **patterns; // of all rules, each once
	size_t n_patterns;
	size_t cap_patterns;
	struct pmon_map by_text; // of the patterns
	uint64_t seed;           // of its hashes
};

// Where a text is not valid, and why (static text). Columns are bytes from 1 on.
struct rules_error {
	unsigned line; // 0: memory is short, and the text is not at fault
	unsigned column;
	const char *text;
};

// Read a text. On failure *out is empty.
bool rules_parse(struct pmon_span text, struct rules *out, struct rules_error *why);

// Give the patterns of all counters that rules need; some may come twice. is_beside: the rules do not name it, it
// takes the place of one that they name. False when one of the calls of `add` was.
typedef bool (*rules_need_fn)(void *ctx, struct pmon_span pattern, bool is_beside);
bool rules_needs(const struct rules *rules, rules_need_fn add, void *ctx);

void rules_free(struct rules *rules);

// Read several texts into one list; a fault has the line of its text.
bool rules_parse_texts(const struct pmon_span *texts, size_t n, struct rules *out,
		       struct rules_error *why);

// Read one condition, as "\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m", into a rule that has it as its
// name and a warning. docs/reference/rules.md, "Conditions".
bool rules_parse_condition(struct pmon_span text, struct rules *out, struct rules_error *why);

// Read "PATTERN top N" for the first of the rules, which keeps spans of the text.
bool rules_parse_show(struct pmon_span text, struct rules *rules, struct rules_error *why);

// Find the first rule of the pack of the newest rule: packs.c.
void rules_note_pack(const struct rules *rules, struct rules_rule *rule);

// What is wrong with a rule that is complete; NULL if nothing is.
#define RULES_NO_LIMITS "trend stands in place of warning, critical, clear and for"
const char *rules_fault_of(const struct rules_rule *rule);

// Read "> 50MB/h for 1h" into a rule, as its warning. False when it is not valid.
bool rules_parse_trend(struct pmon_span text, struct rules_rule *rule);

// The pattern of that text, which the rules may have already. The text must outlive them. NULL: it is not valid, or
// memory is short, and why->text is NULL then. rules_free() frees the patterns.
const struct rules_pattern *rules_take_pattern(struct rules *rules, struct pmon_span text,
					       struct pmon_path_error *why);
void rules_free_patterns(struct rules *rules);

// The source that the next line of a rule belongs to: a link ends one. NULL when the rule has 8 of them.
struct rules_source *rules_open_source(struct rules_rule *rule);

// The year of a source, which follows a comma: "..., 2024" or "..., about 2012". 0 if there is none.
unsigned rules_source_year(const struct rules_source *source);

// A file of rules that pmon ships: rules/NAME.rules. After the last there is one without a name.
struct rules_pack {
	const char *name;
	struct pmon_span text;
};

const struct rules_pack *rules_packs(void);

#endif
