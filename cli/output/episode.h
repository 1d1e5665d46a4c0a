// episode.h - episodes as cells of tables and as JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_EPISODE_H
#define PMON_CLI_OUTPUT_EPISODE_H

#include "cli/output/table.h"
#include "rules/results.h"
#include "text/json.h"

// "4 min 45 s", for text. Whole seconds are enough for what lasts a minute.
void out_length(struct out *out, int64_t length_100ns);
struct pmon_text;
void episode_put_length(struct pmon_text *t, int64_t length_100ns);

// The limit as its rule has it: "> 20ms".
#define LIMIT_SIZE 64
void limit_text(const struct rules_episode *e, char buf[LIMIT_SIZE]);
void out_limit(struct out *out, const struct rules_episode *e);
// What was beyond which limit: "SRV1: Disk reads (0 C:)", and how far: "61.2 ms (limit 20 ms)".
void episode_put_what(struct pmon_text *t, const struct rules_episode *e, bool with_machine);
void episode_put_how(struct pmon_text *t, const struct rules_episode *e);

// "sqlservr (1234) 96 %, w3wp (77) 2 %", for text.
void out_busiest(struct out *out, const struct rules_episode *e);
void episode_put_busiest(struct pmon_text *t, const struct rules_episode *e, size_t most);

// Say how n of the averages were computed, if n is not 0.
void episode_say_from_queue(size_t n);

// The average, of a trend the slope: "1,440/h", for text.
void out_average(struct out *out, const struct rules_episode *e);

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

// The last columns of CSV: the slope of a trend, and the JSON of who was busy.
#define EPISODE_MORE                                                                               \
	{"slope_per_hour", NULL, 0, OUT_RIGHT},                                                    \
	{                                                                                          \
		"who", NULL, 0, OUT_LEFT                                                           \
	}
void out_more(struct out *out, const struct rules_episode *e);

// The keys of an episode from "path" on, in an object that is open.
void json_episode(struct json *json, const struct rules_episode *e);

#endif
