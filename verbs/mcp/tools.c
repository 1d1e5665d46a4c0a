// tools.c - the table of tools, and command lines from their arguments
// SPDX-License-Identifier: MIT

#include "verbs/mcp/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOGS_OF_CALL 64
#define ROWS_MOST    500
#define TEXT_MOST    4000 // bytes of an argument

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

// ---- Arguments of several tools ---------------------------------------------------------------

#define LOGS                                                                                       \
	{                                                                                          \
		"logs", TOOL_LOGS, NULL, false,                                                    \
			"Logs, as open lists them. Several are read as one, in order of time. "    \
			"Without it: the logs that the server was started with.",                  \
			NULL                                                                       \
	}
#define COUNTERS(needed)                                                                           \
	{                                                                                          \
		"counters", TOOL_TEXTS, "--counter", needed,                                       \
			"Counters: paths with wildcards, such as \\Processor(*)\\* or "            \
			"\\\\SRV01\\Memory\\Pages/sec, or words, such as disk read.",              \
			NULL                                                                       \
	}
#define FROM                                                                                       \
	{                                                                                          \
		"from", TOOL_TEXT, "--from", false,                                                \
			"Begin of the time range, in UTC: 2026-11-21T10:30:00Z, 10:30, -2h "       \
			"(before the end of the log) or +5m (after its begin).",                   \
			NULL                                                                       \
	}
#define TO                                                                                         \
	{                                                                                          \
		"to", TOOL_TEXT, "--to", false, "End of the time range, like from.", NULL          \
	}
#define STEP(about)                                                                                \
	{                                                                                          \
		"step", TOOL_TEXT, "--every", false, about, NULL                                   \
	}
#define PAGE                                                                                       \
	{"offset",                                                                                 \
	 TOOL_OFFSET,                                                                              \
	 NULL,                                                                                     \
	 false,                                                                                    \
	 "Number of rows to leave out: next_offset of the previous page.",                         \
	 NULL},                                                                                    \
	{                                                                                          \
		"limit", TOOL_ROWS, NULL, false, "The most rows of the page, up to 500.", NULL     \
	}

static const struct tool tools[] = {
	{
		.name = "open",
		.title = "Logs and what they hold",
		.about =
			"Without logs: lists the logs that may be read. With logs: describes each: "
			"machine, first and last time, sample interval, number of counters, gaps, "
			"damage, "
			"clock that was set. Call it first.",
		.verb = "info",
		.lists = {"logs"},
		.rows = 50,
		.params = {LOGS, PAGE},
	},
	{
		.name = "summary",
		.title = "Overview of a log",
		.about = "Overview of a log on one screen: incidents, events such as restarts and "
			 "gaps, and the "
			 "main counters with average, minimum and maximum.",
		.verb = NULL,
		.lists = {"incidents"},
		.rows = 5,
		.params = {LOGS, PAGE},
	},
	{
		.name = "incidents",
		.title = "What was wrong, when, and who did it",
		.about = "What was wrong, the gravest first: when, how bad, compared with the "
			 "usual level of the "
			 "same log and with published limits, the evidence, and the processes that "
			 "used more than "
			 "usual. explain with the id of an incident shows how it was computed. "
			 "With crossed: each "
			 "published limit that was crossed instead, also where that is usual for "
			 "the machine.",
		.verb = "health",
		.lists = {"incidents"},
		.left_out = NAMES("incidents", "findings", "within", "not_judged", "beyond"),
		.other = {"crossed", "health", "findings"},
		.rows = 10,
		.params = {LOGS,
			   FROM,
			   TO,
			   {"packs", TOOL_TEXTS, "--pack", false,
			    "Use only these packs of rules: windows, linux, sqlserver, iis, "
			    "dotnet, hyper-v, "
			    "active-directory, exchange or vmware.",
			    NULL},
			   {"crossed", TOOL_FLAG, NULL, false,
			    "true: rows are limits that were crossed, in place of incidents.",
			    NULL},
			   PAGE},
	},
	{
		.name = "counters",
		.title = "Counters of a log",
		.about = "Lists the counters that a log has, with type and unit. Their paths are "
			 "what the other "
			 "tools take.",
		.verb = "list",
		.lists = {"counters"},
		.rows = 100,
		.params = {LOGS, COUNTERS(false), PAGE},
	},
	{
		.name = "stats",
		.title = "True averages and extremes",
		.about = "Average, minimum, maximum and last value of each counter over a time "
			 "range. Averages "
			 "follow the type of the counter; they are not means of displayed values "
			 "unless "
			 "average_kind says so. For the busiest instances use sort and limit.",
		.verb = "stats",
		.lists = {"counters"},
		.rows = 50,
		.params = {LOGS,
			   COUNTERS(false),
			   FROM,
			   TO,
			   STEP("Length of a step such as 1m or 1h: one row for each counter and "
				"step."),
			   {"by", TOOL_TEXT, "--by", false,
			    "One row for each counter and machine, for each instance over all "
			    "machines, for "
			    "each counter, or for each process over its life.",
			    NAMES("machine", "instance", "object", "process")},
			   {"sort", TOOL_TEXT, "--sort", false,
			    "Largest first by total, average, min, max, last, or a percentile such "
			    "as p95.",
			    NULL},
			   {"percentiles", TOOL_TEXT, "--percentile", false,
			    "Percentiles to add, such as 50,95,99.", NULL},
			   {"where", TOOL_TEXTS, "--where", false,
			    "Only rows that match, such as average>50 or maximum>=20ms.", NULL},
			   PAGE},
	},
	{
		.name = "values",
		.title = "Values over time",
		.about = "Values of counters over time: each displayed value or, with step, the "
			 "true average, "
			 "minimum and maximum of each step. Choose few counters, and a step for a "
			 "long time.",
		.verb = "values",
		.other = {"step", "stats", "counters"},
		.rows = 100,
		.params = {LOGS, COUNTERS(true), FROM, TO,
			   STEP("Length of a step such as 1m or 1h. Without it, each sample is a "
				"row."),
			   PAGE},
	},
	{
		.name = "find",
		.title = "When a condition held",
		.about = "Episodes in which a condition held, the worst first: when, how long, "
			 "average and worst "
			 "value.",
		.verb = "find",
		.lists = {"episodes"},
		.rows = 50,
		.params = {LOGS,
			   {"condition", TOOL_CONDITION, NULL, true,
			    "PATTERN OP LIMIT [for LENGTH] [while PATTERN OP LIMIT], such as "
			    "\\PhysicalDisk(*)\\Avg. Disk sec/Read > 20ms for 1m. OP is >, >=, < "
			    "or <=; LIMIT "
			    "has a unit: 20ms, 90%, 100MB, 500/s.",
			    NULL},
			   {"show", TOOL_TEXT, "--show", false,
			    "Also show the busiest instances during each episode, such as "
			    "\\Process(*)\\% Processor Time top 3.",
			    NULL},
			   FROM,
			   TO,
			   PAGE},
	},
	{
		.name = "explain",
		.title = "How a number was computed",
		.about = "How one value and the average of a counter were computed: the formula of "
			 "its type, with "
			 "the raw numbers of the log in it, and where the formula is published. "
			 "Or, with incident, "
			 "how an incident was found: usual levels, limits and their sources.",
		.verb = "explain",
		.other = {"incident", "explain", "explained"},
		.rows = 10,
		.params = {LOGS,
			   COUNTERS(false),
			   FROM,
			   TO,
			   {"at", TOOL_TEXT, "--at", false,
			    "Explain the value at this time; the last by default.", NULL},
			   {"incident", TOOL_TEXT, "--incident", false,
			    "The id of an incident, in place of counters.", NULL},
			   PAGE},
	},
	{
		.name = "changes",
		.title = "What changed",
		.about = "What changed, largest first. Without a time: when each counter differed "
			 "from its own "
			 "usual level. With at: after that time against before it. With from and "
			 "to: that range "
			 "against the rest of the log.",
		.verb = "changes",
		.lists = {"shifts", "series"},
		.rows = 30,
		.params = {LOGS,
			   COUNTERS(false),
			   {"at", TOOL_TEXT, "--at", false, "The time of the change, like from.",
			    NULL},
			   {"window", TOOL_TEXT, "--window", false,
			    "How much to compare before and after at; 5m by default.", NULL},
			   FROM,
			   TO,
			   PAGE},
	},
	{
		.name = "compare",
		.title = "Differences of two logs or times",
		.about = "Differences of two logs, or of two time ranges of one log, largest "
			 "first. Either logs "
			 "has two, the first of which is the one to compare with; or it has one, "
			 "and before and "
			 "after are ranges.",
		.verb = "diff",
		.lists = {"series"},
		.rows = 30,
		.params = {LOGS,
			   COUNTERS(false),
			   {"before", TOOL_TEXT, "--before", false,
			    "The first range of one log: FROM..TO, such as 10:00..11:00, in UTC.",
			    NULL},
			   {"after", TOOL_TEXT, "--after", false, "The second range: FROM..TO.",
			    NULL},
			   FROM,
			   TO,
			   PAGE},
	},
	{
		.name = "chart",
		.title = "Picture of counters over time",
		.about = "Draws counters over time as a PNG picture, or an incident with the time "
			 "before and after "
			 "it.",
		.verb = "chart",
		.draws = true,
		.params = {LOGS,
			   COUNTERS(false),
			   FROM,
			   TO,
			   {"incident", TOOL_TEXT, "--incident", false,
			    "The id of an incident, in place of counters.", NULL},
			   {"kind", TOOL_TEXT, "--kind", false, "line by default.",
			    NAMES("line", "area", "stacked", "bar", "heatmap", "distribution")},
			   {"threshold", TOOL_TEXTS, "--threshold", false,
			    "A line at this value, such as 20ms or 80%.", NULL},
			   {"size", TOOL_TEXT, "--size", false, "WIDTHxHEIGHT in pixels.", NULL},
			   {"theme", TOOL_TEXT, "--theme", false, "light by default.",
			    NAMES("light", "dark")}},
	},
};

#define N_TOOLS (sizeof(tools) / sizeof(tools[0]))

const struct tool *
tool_named(const char *name)
{
	for (size_t i = 0; i < N_TOOLS; i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

// ---- Schemas ------------------------------------------------------------------------------------

static void
put_pair(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_str(json, text);
}

static void
put_texts(struct json *json, uint64_t most)
{
	put_pair(json, "type", "array");
	json_key(json, "items"), json_open(json, '{');
	put_pair(json, "type", "string");
	json_close(json, '}');
	json_key(json, "minItems"), json_u64(json, 1);
	json_key(json, "maxItems"), json_u64(json, most);
}

static void
put_number(struct json *json, uint64_t least, uint64_t most)
{
	put_pair(json, "type", "integer");
	json_key(json, "minimum"), json_u64(json, least);
	if (most > 0)
		json_key(json, "maximum"), json_u64(json, most);
}

static void
put_param(struct json *json, const struct tool *tool, const struct tool_param *param)
{
	json_key(json, param->name), json_open(json, '{');
	switch (param->kind) {
	case TOOL_TEXT:
	case TOOL_CONDITION:
		put_pair(json, "type", "string");
		break;
	case TOOL_TEXTS:
	case TOOL_LOGS:
		put_texts(json, LOGS_OF_CALL);
		break;
	case TOOL_FLAG:
		put_pair(json, "type", "boolean");
		break;
	case TOOL_OFFSET:
		put_number(json, 0, 0);
		break;
	case TOOL_ROWS:
		put_number(json, 1, ROWS_MOST);
		json_key(json, "default"), json_u64(json, tool->rows);
		break;
	}
	if (param->choices != NULL) {
		json_key(json, "enum"), json_open(json, '[');
		for (size_t i = 0; param->choices[i] != NULL; i++)
			json_str(json, param->choices[i]);
		json_close(json, ']');
	}
	put_pair(json, "description", param->about);
	json_close(json, '}');
}

static void
put_arguments(struct json *json, const struct tool *tool)
{
	const struct tool_param *param;

	json_key(json, "inputSchema"), json_open(json, '{');
	put_pair(json, "type", "object");
	json_key(json, "properties"), json_open(json, '{');
	for (param = tool->params; param->name != NULL; param++)
		put_param(json, tool, param);
	json_close(json, '}');
	json_key(json, "required"), json_open(json, '[');
	for (param = tool->params; param->name != NULL; param++)
		if (param->is_needed)
			json_str(json, param->name);
	json_close(json, ']');
	json_key(json, "additionalProperties"), json_bool(json, false);
	json_close(json, '}');
}

// The form of an answer; docs/agents.md describes it.
static const char answer_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\",\"description\":\"the command of pmon that gives the "
	"same answer\"},"
	"\"logs\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	"\"page\":{\"type\":\"object\",\"properties\":{\"offset\":{\"type\":\"integer\"},\"rows\":{"
	"\"type\":\"integer\"},"
	"\"total\":{\"type\":[\"integer\",\"null\"],\"description\":\"of all pages; null: not "
	"counted\"},"
	"\"next_offset\":{\"type\":[\"integer\",\"null\"],\"description\":\"of the next page; "
	"null: this is the last\"}},"
	"\"required\":[\"offset\",\"rows\",\"total\",\"next_offset\"]},"
	"\"rows\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"about\":{\"type\":\"object\",\"description\":\"what the answer says apart from rows\"},"
	"\"types\":{\"type\":\"array\",\"items\":{\"type\":\"object\"},\"description\":\"formulas "
	"of the counter types "
	"of the rows\"},"
	"\"notes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"what pmon "
	"says about the "
	"answer\"}},"
	"\"required\":[\"command\",\"logs\",\"page\",\"rows\",\"about\",\"types\",\"notes\"]}";

void
tools_put(struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < N_TOOLS; i++) {
		const struct tool *tool = &tools[i];

		json_open(json, '{');
		put_pair(json, "name", tool->name);
		put_pair(json, "title", tool->title);
		put_pair(json, "description", tool->about);
		put_arguments(json, tool);
		if (!tool->draws) {
			json_key(json, "outputSchema");
			json_raw(json,
				 (struct pmon_span){answer_schema, sizeof(answer_schema) - 1});
		}
		json_key(json, "annotations"), json_open(json, '{');
		json_key(json, "readOnlyHint"), json_bool(json, true);
		json_key(json, "openWorldHint"), json_bool(json, false);
		json_close(json, '}');
		json_close(json, '}');
	}
	json_close(json, ']');
}

// ---- Command lines ------------------------------------------------------------------------------

static bool
add_word(struct tool_call *call, const char *word, const char *shown)
{
	if (call->n == TOOL_WORDS)
		return false;
	call->words[call->n] = strdup(word);
	call->shown[call->n] = strdup(shown);
	call->n++;
	return call->words[call->n - 1] != NULL && call->shown[call->n - 1] != NULL;
}

static bool
fail(char why[TOOL_WHY], const char *fmt, const char *a, const char *b)
{
	(void)snprintf(why, TOOL_WHY, fmt, a, b);
	return false;
}

static bool
no_room(char why[TOOL_WHY])
{
	return fail(why, "the arguments are too many%s%s", "", "");
}

static bool
add_option(struct tool_call *call, const struct tool_param *param, const struct json_t *value,
	   char why[TOOL_WHY])
{
	const char *text = rpc_text(value);
	char word[TEXT_MOST + 64];

	if (text == NULL)
		return fail(why, "%s must be a text%s", param->name,
			    param->kind == TOOL_TEXTS ? " in each place of the list" : "");
	if (strlen(text) > TEXT_MOST)
		return fail(why, "%s is too long%s", param->name, "");
	for (size_t i = 0; param->choices != NULL; i++) {
		if (param->choices[i] == NULL)
			return fail(
				why,
				"%s cannot be \"%.100s\"; the schema of the tool has the choices",
				param->name, text);
		if (strcmp(param->choices[i], text) == 0)
			break;
	}
	(void)snprintf(word, sizeof(word), "%s=%s", param->option, text);
	return add_word(call, word, word) || no_room(why);
}

static bool
add_options(struct tool_call *call, const struct tool_param *param, const struct json_t *list,
	    char why[TOOL_WHY])
{
	if (!rpc_is_list(list))
		return fail(why, "%s must be a list of texts%s", param->name, "");
	for (size_t i = 0; i < rpc_count(list); i++)
		if (!add_option(call, param, rpc_at(list, i), why))
			return false;
	return true;
}

static bool
take_number(const struct tool_param *param, const struct json_t *value, uint64_t least,
	    uint64_t most, uint64_t *out, char why[TOOL_WHY])
{
	if (!rpc_number(value, out) || *out < least || *out > most)
		return fail(why, "%s must be a whole number%s", param->name,
			    most == ROWS_MOST ? " from 1 to 500" : "");
	return true;
}

static bool
take_flag(const struct tool_param *param, const struct json_t *value, bool *out, char why[TOOL_WHY])
{
	return rpc_flag(value, out) || fail(why, "%s must be true or false%s", param->name, "");
}

static bool
take_param(struct tool_call *call, const struct tool_param *param, const struct json_t *value,
	   char why[TOOL_WHY])
{
	bool flag;

	switch (param->kind) {
	case TOOL_TEXT:
		return add_option(call, param, value, why);
	case TOOL_TEXTS:
		return add_options(call, param, value, why);
	case TOOL_FLAG:
		return take_flag(param, value, &flag, why);
	case TOOL_OFFSET:
		return take_number(param, value, 0, UINT32_MAX, &call->offset, why);
	case TOOL_ROWS:
		return take_number(param, value, 1, ROWS_MOST, &call->rows, why);
	case TOOL_CONDITION:
		if (rpc_text(value) == NULL)
			return fail(why, "%s must be a text%s", param->name, "");
		return true;
	case TOOL_LOGS:
		if (!rpc_is_list(value) || rpc_count(value) == 0 || rpc_count(value) > LOGS_OF_CALL)
			return fail(why, "%s must be a list of 1 to 64 names%s", param->name, "");
		return true;
	}
	return true;
}

static bool
is_known(const void *ctx, const char *name)
{
	const struct tool *tool = ctx;

	for (const struct tool_param *param = tool->params; param->name != NULL; param++)
		if (strcmp(param->name, name) == 0)
			return true;
	return false;
}

static bool
chooses_other(const struct tool *tool, const struct json_t *arguments)
{
	const struct json_t *value;
	bool flag;

	if (tool->other.param == NULL)
		return false;
	value = rpc_member(arguments, tool->other.param);
	return rpc_flag(value, &flag) ? flag : value != NULL;
}

// The verb and its options. The first screen has no verb.
static bool
begin_words(struct tool_call *call, const struct json_t *arguments, const char *picture,
	    char why[TOOL_WHY])
{
	const struct tool *tool = call->tool;
	bool is_other = chooses_other(tool, arguments);
	const char *verb = is_other ? tool->other.verb : tool->verb;
	bool good = verb == NULL || add_word(call, verb, verb);
	char output[4096];

	memcpy(call->lists, tool->lists, sizeof(call->lists));
	if (is_other) {
		call->lists[0] = tool->other.list;
		call->lists[1] = NULL;
	}
	if (tool->draws) {
		(void)snprintf(output, sizeof(output), "--output=%s", picture);
		good &= add_word(call, output, "--output=chart.png");
	} else {
		good &= add_word(call, "--format=json", "--format=json");
	}
	// Times of answers are in UTC, so those of questions are too.
	if (verb == NULL || strcmp(verb, "list") != 0)
		good &= add_word(call, "--tz=utc", "--tz=utc");
	return good || no_room(why);
}

static bool
take_options(struct tool_call *call, const struct json_t *arguments, char why[TOOL_WHY])
{
	const char *unknown = rpc_unknown(arguments, is_known, call->tool);

	if (unknown != NULL)
		return fail(why, "%s has no argument \"%.100s\"", call->tool->name, unknown);
	for (const struct tool_param *param = call->tool->params; param->name != NULL; param++) {
		const struct json_t *value = rpc_member(arguments, param->name);

		if (value == NULL && param->is_needed)
			return fail(why, "%s needs %s", call->tool->name, param->name);
		if (value != NULL && !take_param(call, param, value, why))
			return false;
	}
	return true;
}

static bool
add_log(struct tool_call *call, const struct folders *folders, const char *name, char why[TOOL_WHY])
{
	char reason[FOLDERS_WHY];
	char *real = folders_find(folders, name, reason);
	bool good;

	if (real == NULL)
		return fail(why, "%s%s", reason, "");
	good = add_word(call, real, name);
	free(real);
	call->n_logs++;
	return good || no_room(why);
}

// The logs that the server was started with.
static bool
add_given_logs(struct tool_call *call, const struct folders *folders, char why[TOOL_WHY])
{
	for (size_t i = 0; i < folders->n; i++)
		if (folders->list[i].is_file &&
		    !add_log(call, folders, folders->list[i].given, why))
			return false;
	if (call->n_logs > 0)
		return true;
	return fail(why, "%s needs logs%s", call->tool->name,
		    "; open without arguments lists them");
}

static bool
add_logs(struct tool_call *call, const struct json_t *arguments, const struct folders *folders,
	 char why[TOOL_WHY])
{
	const struct json_t *logs = rpc_member(arguments, "logs");

	if (logs == NULL && strcmp(call->tool->name, "open") == 0)
		return true;
	if (logs == NULL)
		return add_given_logs(call, folders, why);
	for (size_t i = 0; i < rpc_count(logs); i++) {
		const char *name = rpc_text(rpc_at(logs, i));

		if (name == NULL || strlen(name) > TEXT_MOST)
			return fail(why, "logs must be a list of names%s%s", "", "");
		if (!add_log(call, folders, name, why))
			return false;
	}
	return true;
}

bool
tool_call_begin(struct tool_call *call, const struct tool *tool, const struct json_t *arguments,
		const struct folders *folders, const char *picture, char why[TOOL_WHY])
{
	const char *condition = rpc_text(rpc_member(arguments, "condition"));

	*call = (struct tool_call){.tool = tool, .rows = tool->rows};
	if (arguments != NULL && !rpc_is_object(arguments))
		return fail(why, "the arguments of %s must be an object%s", tool->name, "");
	if (!begin_words(call, arguments, picture, why) || !take_options(call, arguments, why))
		return false;
	if (!add_word(call, "--", "--"))
		return no_room(why);
	if (condition != NULL && !add_word(call, condition, condition))
		return no_room(why);
	call->n_options = call->n;
	return add_logs(call, arguments, folders, why);
}

void
tool_call_free(struct tool_call *call)
{
	for (size_t i = 0; i < call->n; i++) {
		free(call->words[i]);
		free(call->shown[i]);
	}
	call->n = 0;
}
