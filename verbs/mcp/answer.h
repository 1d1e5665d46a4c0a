// answer.h - what the server writes: one line for each message
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_ANSWER_H
#define PMON_VERBS_MCP_ANSWER_H

#include <stdint.h>

#include "shell/output/json.h"
#include "verbs/mcp/call.h"
#include "verbs/mcp/folders.h"

// Errors of JSON-RPC.
enum {
	ERROR_NOT_JSON = -32700,
	ERROR_INVALID = -32600,
	ERROR_METHOD = -32601,
	ERROR_PARAMS = -32602,
	ERROR_INTERNAL = -32603,
	ERROR_RESOURCE = -32002, // there is no such resource
};

// Begin an answer, whose result the caller then writes, and end it. id is JSON.
void answer_begin(struct json *json, const char *id);
void answer_end(struct json *json);

// id NULL: unknown.
void answer_error(const char *id, int code, const char *why);

void answer_nothing(const char *id); // an empty object

// The result of a tool that failed: a text for the model.
void answer_failure(const char *id, const char *why);

// The rows of a tool. `said` has the messages of the command, one a line.
void answer_rows(const char *id, const struct tool_call *call, const struct slice *rows,
		 const char *said);

// The logs that are there.
void answer_logs(const char *id, const struct tool_call *call, const struct folders *folders);

// A picture.
void answer_picture(const char *id, const struct tool_call *call, const uint8_t *bytes, size_t n,
		    const char *said);

#endif
