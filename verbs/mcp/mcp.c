// mcp.c - pmon mcp: answer the questions of programs about logs
// SPDX-License-Identifier: MIT

#include "shell/args/verb.h"
#include "shell/output/say.h"
#include "verbs/mcp/server.h"

static int
mcp_run(const struct args *args)
{
#ifdef PMON_WITH_JSON
	return mcp_serve(args);
#else
	(void)args;
	return say(EXIT_FAILED, "this pmon was built without jansson, which pmon mcp needs");
#endif
}

const struct verb verb_mcp = {
	.name = "mcp",
	.operands = "FOLDER|LOG...",
	.summary = "answer questions of AI clients about logs (MCP)",
	.details =
		"A server of the Model Context Protocol on standard input and output: a client "
		"that\nspeaks it, such as an assistant or an editor, starts this command. It has "
		"tools\nto list logs, find incidents, explain numbers, compare, and draw charts. "
		"It reads\nonly logs in the folders, and only those logs, that are named here. "
		"docs/agents.md\nsays how to configure clients.\n\nExamples:\n  pmon mcp "
		"/var/log/pmon\n  pmon mcp monday.blg tuesday.blg\n",
	.run = mcp_run,
	.live = LIVE_NONE,
};
