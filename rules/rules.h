// rules.h - rules: thresholds as text, for counter values that indicate trouble
// SPDX-License-Identifier: MIT
//
// docs/reference/rules.md describes the format. Parsing stops at the first error:
//
//	if (!rules_parse(text, &rules, &why))
//		... why.line, why.column, why.text
//	judge = rules_judge_new(&rules, schema);                 // judge.h

#ifndef PMON_RULES_RULES_H
#define PMON_RULES_RULES_H

#include <pmon/path.h>

#include "base/map.h"
#include "draw/unit.h"

#define RULES_LINES 8  // the maximum for a repeatable key
#define RULES_TOP   20 // the most instances that a rule may show
#define RULES_MOST  1000
#define RULES_BYTES (1024 * 1024) // of a whole text

enum rules_level {
	RULES_WARNING,
	RULES_CRITICAL,
	RULES_LEVELS
};

enum rules_lasting {
	RULES_SAMPLES, // a number of samples in one episode
	RULES_TIME,    // an episode of that length
	RULES_SHARE,   // a share of the total time; applies to all limits of a rule
};

// How long values must be beyond a limit before it is reported.
struct rules_hold {
	enum rules_lasting lasting;
	uint64_t samples;
	int64_t time_100ns;
	double share; // 0..1
};

// "> 20ms" or "> 20ms for 30s". The threshold holds the number and its quantity.
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

// A counter pattern, shared by all rules that use it.
struct rules_pattern {
	struct pmon_path path;
	struct pmon_span text; // as it was written
	uint32_t number;       // in the list of all patterns
};

struct rules_patterns {
	const struct rules_pattern *list[RULES_LINES];
	size_t n;
};

// The source of a limit: a text that ends with a year, and a link.
struct rules_source {
	struct rules_lines texts;
	struct pmon_span link; // empty: not given
};

struct rules_rule {
	struct pmon_span name;
	struct pmon_span pack;          // empty: in no pack
	size_t of_pack;                 // the first rule of that pack
	struct rules_patterns counters; // the first one present on a machine is judged
	struct rules_patterns of;       // limits are percentages of the first one present
	struct rules_lines excepts;     // patterns of instances
	struct rules_patterns with;     // only machines that have one of these counters are judged
	struct rules_patterns without;  // ... and only those that have none of these
	struct rules_lines texts;
	struct rules_lines advice;
	struct rules_source sources[RULES_LINES];
	size_t n_sources;
	struct rules_limit limits[RULES_LEVELS];
	struct rules_limit clear;     // an episode continues until the value is within it; if given
	struct rules_patterns whiles; // a second condition: the first one present on a machine
	struct rules_limit
		while_limits[RULES_LINES]; // ... is beyond its limit in the same interval
	struct rules_patterns shows;       // who was busy: the first one present on a machine ...
	size_t show_top;                   // ... and the number of its instances to show
	int64_t trend_100ns; // not 0: limits apply to the slope, per hour, of values in a range this long
	double window_share;  // 0..1: values must be beyond the limit for this share of ...
	int64_t within_100ns; // ... a sliding window; 0: there is none
	struct rules_hold hold;
	double times;        // a factor for the values
	uint64_t operations; // that an episode has at least, where their number is known; 0: any
	bool per_processor;
	unsigned line; // of its beginning
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

// Where and why a text is invalid (static text). Columns are bytes, from 1.
struct rules_error {
	unsigned line; // 0: out of memory, not an error in the text
	unsigned column;
	const char *text;
};

// Read a text. On failure *out is empty.
bool rules_parse(struct pmon_span text, struct rules *out, struct rules_error *why);

// List the patterns of all counters that the rules need, perhaps with duplicates. is_beside: a substitute for
// a counter that the rules name. False if a call of `add` returned false.
typedef bool (*rules_need_fn)(void *ctx, struct pmon_span pattern, bool is_beside);
bool rules_needs(const struct rules *rules, rules_need_fn add, void *ctx);

void rules_free(struct rules *rules);

// Read several texts into one list; an error has the line within its own text.
bool rules_parse_texts(const struct pmon_span *texts, size_t n, struct rules *out,
		       struct rules_error *why);

// Read one condition, such as "\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m", into a rule with the
// condition as its name and its warning. docs/reference/rules.md, "Conditions".
bool rules_parse_condition(struct pmon_span text, struct rules *out, struct rules_error *why);

// Read "PATTERN top N" for the first rule, which keeps spans of the text.
bool rules_parse_show(struct pmon_span text, struct rules *rules, struct rules_error *why);

// Find the first rule of the pack of the newest rule: packs.c.
void rules_note_pack(const struct rules *rules, struct rules_rule *rule);

// What is wrong with a complete rule; NULL if it is valid.
#define RULES_NO_LIMITS "trend cannot be combined with warning, critical, clear or for"
const char *rules_fault_of(const struct rules_rule *rule);

// Read "> 50MB/h for 1h" into a rule, as its warning. False if it is invalid.
bool rules_parse_trend(struct pmon_span text, struct rules_rule *rule);

// Find or add the pattern of a text, which must outlive the rules. NULL: it is invalid or memory ran out;
// why->text is NULL in the latter case. rules_free() frees the patterns.
const struct rules_pattern *rules_take_pattern(struct rules *rules, struct pmon_span text,
					       struct pmon_path_error *why);
void rules_free_patterns(struct rules *rules);

// The source that a rule's next line belongs to: a link completes a source. NULL if the rule has 8 sources.
struct rules_source *rules_open_source(struct rules_rule *rule);

// The year of a source, which follows a comma: "..., 2024" or "..., about 2012". 0 if there is none.
unsigned rules_source_year(const struct rules_source *source);

// A file of rules that pmon ships: rules/NAME.rules. An entry without a name ends the list.
struct rules_pack {
	const char *name;
	struct pmon_span text;
};

const struct rules_pack *rules_packs(void);

#endif
