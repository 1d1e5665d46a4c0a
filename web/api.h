// api.h - the endpoints; docs/reference/api.md says what they take and give
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_API_H
#define PMON_WEB_API_H

#include "web/call.h"

struct api_route {
	const char *path;
	const char *const *params; // it takes, the last is NULL; `token` is for all
	void (*answer)(struct call *call);
};

// The endpoint of a path, or NULL.
const struct api_route *api_find(const char *path);

void api_log(struct call *call);
void api_tree(struct call *call);
void api_select(struct call *call);
void api_first(struct call *call);
void api_series(struct call *call);
void api_matching(struct call *call);
void api_data(struct call *call);
void api_explain(struct call *call);
void api_marks(struct call *call);
void api_findings(struct call *call);
void api_changes(struct call *call);
void api_top(struct call *call);
void api_export(struct call *call);
void api_events(struct call *call);

// The object that /api/log answers, for streams of events too. False when memory is short.
bool api_put_log(struct json *json, struct view *view);

// The usual time between two samples, by the rule of pmon info; 0 when it is not known. Under the lock
// of the store.
int64_t api_usual_interval(const struct store *store);

#endif
