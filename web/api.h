// api.h - the endpoints; docs/reference/api.md describes their parameters and results
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_API_H
#define PMON_WEB_API_H

#include "web/call.h"

struct api_route {
	const char *path;
	const char *const *params; // ends with NULL; all accept `token`
	void (*answer)(struct call *call);
};

// Returns NULL if the path has no endpoint.
const struct api_route *api_find(const char *path);

void api_log(struct call *call);
void api_tree(struct call *call);
void api_select(struct call *call);
void api_first(struct call *call);
void api_series(struct call *call);
void api_matching(struct call *call);
void api_data(struct call *call);
void api_explain(struct call *call);
void api_usual(struct call *call);
void api_marks(struct call *call);
void api_findings(struct call *call);
void api_incidents(struct call *call);
void api_changes(struct call *call);
void api_top(struct call *call);
void api_export(struct call *call);
void api_events(struct call *call);

// Write the object that /api/log returns; event streams send it too. False if memory runs out.
bool api_put_log(struct json *json, struct view *view);

#endif
