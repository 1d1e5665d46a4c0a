// view_ask.h - questions to the API of pmon view, without a server
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_VIEW_ASK_H
#define PMON_TESTS_VIEW_ASK_H

#include <stddef.h>

#include "web/call.h"

#define VIEW_ASK_PARAMS 4

struct view_question {
	const char *path;
	struct call_param params[VIEW_ASK_PARAMS]; // lengths are filled in
};

struct view_answer {
	unsigned status;
	char param[20]; // at fault
	size_t len;     // of the text
};

// Three counters, one of which was reset and temporarily absent.
struct pmon_source *view_log(void);

// Group setup and teardown: a view of that log.
int view_begin(void **state);
int view_end(void **state);

// Answer as the server does. Of an event stream, read the first event.
struct view_answer view_ask(const struct view_question *question);

#endif
