// tools.c - the table of tools, and the schemas of their arguments
// SPDX-License-Identifier: MIT

#include "verbs/mcp/tools.h"

#include <string.h>

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
put_texts(struct json *json, uint64_t most)
{
	json_key(json, "type"), json_str(json, "array");
	json_key(json, "items"), json_open(json, '{');
	json_key(json, "type"), json_str(json, "string");
	json_close(json, '}');
	json_key(json, "minItems"), json_u64(json, 1);
	json_key(json, "maxItems"), json_u64(json, most);
}

static void
put_number(struct json *json, uint64_t least, uint64_t most)
{
	json_key(json, "type"), json_str(json, "integer");
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
		json_key(json, "type"), json_str(json, "string");
		break;
	case TOOL_TEXTS:
	case TOOL_LOGS:
		put_texts(json, LOGS_OF_CALL);
		break;
	case TOOL_FLAG:
		json_key(json, "type"), json_str(json, "boolean");
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
	json_key(json, "description"), json_str(json, param->about);
	json_close(json, '}');
}

static void
put_arguments(struct json *json, const struct tool *tool)
{
	const struct tool_param *param;

	json_key(json, "inputSchema"), json_open(json, '{');
	json_key(json, "type"), json_str(json, "object");
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
		json_key(json, "name"), json_str(json, tool->name);
		json_key(json, "title"), json_str(json, tool->title);
		json_key(json, "description"), json_str(json, tool->about);
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
