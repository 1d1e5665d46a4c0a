// tools.h - the tools of pmon mcp, each of which is a command line of pmon
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_TOOLS_H
#define PMON_VERBS_MCP_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shell/output/json.h"
#include "verbs/mcp/slice.h"

#define TOOL_PARAMS  14
#define LOGS_OF_CALL 64 // at most
#define ROWS_MOST    500

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
	const char *const *left_out;    // see slice.h
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

#endif
