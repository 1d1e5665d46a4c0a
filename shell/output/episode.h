// episode.h - episodes as cells of tables and as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_EPISODE_H
#define PMON_SHELL_OUTPUT_EPISODE_H

#include "shell/output/table.h"
#include "rules/results.h"
#include "shell/output/json.h"

// "4 min 45 s", for text. Whole seconds are precise enough for episodes, which last a minute or
// more.
void out_length(struct out *out, int64_t length_100ns);
struct pmon_text;
void episode_put_length(struct pmon_text *t, int64_t length_100ns);

// The limit as written in its rule, with the counter's unit if it has none: "> 20ms", "> 2 per
// processor".
#define LIMIT_SIZE 128
void limit_text(const struct rules_episode *e, char buf[LIMIT_SIZE]);
void out_limit(struct out *out, const struct rules_episode *e);
// What exceeded which limit: "SRV1: Disk reads (0 C:)", and by how much: "61.2 ms (limit 20 ms)".
void episode_put_what(struct pmon_text *t, const struct rules_episode *e, bool with_machine);
void episode_put_how(struct pmon_text *t, const struct rules_episode *e);
// "limit 20 ms", "below 0.5 GB"
void episode_put_limit(struct pmon_text *t, const struct rules_episode *e);

// "sqlservr (1234) 96 %, w3wp (77) 2 %", for text.
void out_busiest(struct out *out, const struct rules_episode *e);
void episode_put_busiest(struct pmon_text *t, const struct rules_episode *e, size_t most);

// Print how n of the averages were computed, unless n is 0.
void episode_say_from_queue(size_t n);

// The average and the worst value, for text, in the unit and multiple of the limit. For a trend it
// is the slope: "1,440/h"; for a limit relative to another counter, the share of that counter.
void out_average(struct out *out, const struct rules_episode *e);
void out_worst(struct out *out, const struct rules_episode *e);

// The columns of an episode in CSV, and their cells.
#define EPISODE_COLUMNS                                                                            \
	{"path", NULL, 0, OUT_LEFT}, {"pid", NULL, 0, OUT_RIGHT}, {"from", NULL, 0, OUT_LEFT},     \
		{"to", NULL, 0, OUT_LEFT}, {"seconds", NULL, 0, OUT_RIGHT},                        \
		{"average", NULL, 0, OUT_RIGHT}, {"worst", NULL, 0, OUT_RIGHT},                    \
		{"worst_time", NULL, 0, OUT_LEFT}, {"samples", NULL, 0, OUT_RIGHT},                \
		{"operations", NULL, 0, OUT_RIGHT}, {"excess", NULL, 0, OUT_RIGHT},                \
	{                                                                                          \
		"unit", NULL, 0, OUT_LEFT                                                          \
	}
void out_episode(struct out *out, const struct rules_episode *e);

// The last columns in CSV: the slope of a trend, and the busiest processes as JSON.
#define EPISODE_MORE                                                                               \
	{"slope_per_hour", NULL, 0, OUT_RIGHT},                                                    \
	{                                                                                          \
		"who", NULL, 0, OUT_LEFT                                                           \
	}
void out_more(struct out *out, const struct rules_episode *e);

// After those: the limit as a number.
#define EPISODE_LIMIT                                                                              \
	{"limit", NULL, 0, OUT_RIGHT}, {"limit_unit", NULL, 0, OUT_LEFT},                          \
		{"compared", NULL, 0, OUT_RIGHT},                                                  \
	{                                                                                          \
		"compared_with", NULL, 0, OUT_LEFT                                                 \
	}
void out_limit_value(struct out *out, const struct rules_episode *e);

// Write the keys of an episode from "path" on into an open object; those of its limit come last.
void json_episode(struct json *json, const struct rules_episode *e);
void json_limit(struct json *json, const struct rules_episode *e);

// The keys of a rule that explain what it found: "text", "advice" and "sources".
void json_rule(struct json *json, const struct rules_rule *rule);

#endif
