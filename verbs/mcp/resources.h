// resources.h - documents that a client may read
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MCP_RESOURCES_H
#define PMON_VERBS_MCP_RESOURCES_H

#include <stddef.h>

#include <pmon/base.h>

struct resource {
	const char *uri;
	const char *name;
	const char *title;
	const char *about;
	struct pmon_span text; // Markdown
};

// Made by CMake from files below docs/.
extern const struct resource mcp_resources[];
extern const size_t mcp_n_resources;

#endif
