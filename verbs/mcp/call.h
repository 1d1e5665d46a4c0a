// call.h - the command line of a call, from its arguments
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_CALL_H
#define PMON_VERBS_MCP_CALL_H

#include "verbs/mcp/folders.h"
#include "verbs/mcp/rpc.h"
#include "verbs/mcp/tools.h"

#define TOOL_WHY   800
#define TOOL_WORDS 128

// The command line of a call.
struct tool_call {
	const struct tool *tool;
	const char *lists[SLICE_NAMES]; // of the command that the arguments choose
	char *words[TOOL_WORDS];        // after "pmon"; logs by their real paths
	char *shown[TOOL_WORDS];        // the same with the names of logs that the client gave
	size_t n;
	size_t n_logs; // 0: the list of the logs that are there
	uint64_t offset;
	uint64_t rows;
};

// Make it from the arguments. picture: where the tool draws to. False with the reason.
bool tool_call_begin(struct tool_call *call, const struct tool *tool,
		     const struct json_t *arguments, const struct folders *folders,
		     const char *picture, char why[TOOL_WHY]);
void tool_call_free(struct tool_call *call);

#endif
