// tools.h - the tools of pmon mcp, each of which is a command line of pmon
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_TOOLS_H
#define PMON_VERBS_MCP_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shell/output/json.h"
#include "verbs/mcp/folders.h"
#include "verbs/mcp/rpc.h"
#include "verbs/mcp/slice.h"

#define TOOL_WHY    800
#define TOOL_PARAMS 14
#define TOOL_WORDS  128

enum tool_kind {
	TOOL_TEXT,
	TOOL_TEXTS, // the option is repeated
	TOOL_FLAG,  // chooses another command
	TOOL_LOGS,
	TOOL_CONDITION, // an operand
	TOOL_OFFSET,
	TOOL_ROWS,
};

struct tool_param {
	const char *name;
	enum tool_kind kind;
	const char *option; // of the command, such as "--from"; NULL: none
	bool is_needed;
	const char *about;
	const char *const *choices; // ends with NULL; NULL: any text
};

struct tool {
	const char *name;
	const char *title;
	const char *about;
	const char *verb;               // NULL: the first screen
	const char *lists[SLICE_NAMES]; // see slice.h
	const char *const *left_out;    // the same
	const char *const *fixed;       // more words of the command, ends with NULL; or NULL
	struct {                        // another command if this argument is there
		const char *param;      // NULL: none
		const char *verb;
		const char *list;
	} other;
	uint64_t rows;                         // of a page, unless `limit` is given
	bool draws;                            // a picture
	struct tool_param params[TOOL_PARAMS]; // ends with a name of NULL
};

const struct tool *tool_named(const char *name); // NULL: none
void tools_put(struct json *json);               // the list, with the schemas of arguments

// ---- A call -------------------------------------------------------------------------------------

// The command line of a call.
struct tool_call {
	const struct tool *tool;
	const char *lists[SLICE_NAMES]; // of the command that the arguments choose
	char *words[TOOL_WORDS];        // after "pmon"; logs by their real paths
	char *shown[TOOL_WORDS];        // the same with the names of logs that the client gave
	size_t n;
	size_t n_options; // without the logs
	size_t n_logs;    // 0: the list of the logs that are there
	uint64_t offset;
	uint64_t rows;
};

// Make it from the arguments. picture: where the tool draws to. False with the reason.
bool tool_call_begin(struct tool_call *call, const struct tool *tool,
		     const struct json_t *arguments, const struct folders *folders,
		     const char *picture, char why[TOOL_WHY]);
void tool_call_free(struct tool_call *call);

#endif
