// server.h - the server of the Model Context Protocol
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_SERVER_H
#define PMON_VERBS_MCP_SERVER_H

#include "shell/args/args.h"

// Answer the messages of standard input until it ends. Returns an exit status.
int mcp_serve(const struct args *args);

#endif
