// request.h - answer requests that need no log: the handshake, the tools, the documents
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_REQUEST_H
#define PMON_VERBS_MCP_REQUEST_H

#include "verbs/mcp/rpc.h"

// Answer any request except tools/call, with an error if the method is unknown.
void request_answer(const struct rpc_message *message);

#endif
