// view_ask.c - questions to the API of pmon view, without a server
// SPDX-License-Identifier: MIT

#include "view_ask.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memsource.h"
#include "moments.h"
#include "os/clock.h"
#include "shell/output/stream.h"
#include "web/api.h"
#include "web/events.h"
#include "web/view.h"
#include "web/view_private.h"

static struct pmon_source *source;
static struct view *view;

struct pmon_source *
view_log(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t a = mem_source_series(m, "\\\\S\\Process(x)\\IO Reads", PMON_PERF_COUNTER_COUNTER,
				       1000);
	uint32_t b = mem_source_series(m, "\\\\S\\Memory\\Available MBytes",
				       PMON_PERF_COUNTER_RAWCOUNT, 1);
	uint32_t c = mem_source_series(m, "\\\\S\\Process(y10)\\IO Reads",
				       PMON_PERF_COUNTER_COUNTER, 1000);

	for (int i = 0; i < 600; i++) {
		mem_source_sample(m, T0 + i * SECOND);
		mem_source_raw(m, a, i < 300 ? 7 * i : i, 1000 * i);
		mem_source_raw(m, b, 100 + i % 9, 0);
		if (i < 100 || i > 200)
			mem_source_raw(m, c, 3 * i, 1000 * i);
	}
	return mem_source_open(m);
}

int
view_begin(void **state)
{
	struct set_plan plans[VIEW_SETS] = {{.n_files = 0}};
	struct pmon_calc_options calc = {.size = sizeof(calc), .policy = PMON_POLICY_DEFAULT};

	(void)state;
	source = view_log();
	plans[0].source = source;
	if (view_new(&view, NULL) != PMON_OK || view_open(view, plans, &calc, NULL) != PMON_OK)
		return -1;
	while (set_facts(view->sets[0]).state == SET_LOADING)
		pmon_os_sleep(PMON_TIME_PER_MSEC);
	return 0;
}

int
view_end(void **state)
{
	(void)state;
	view_stop(view);
	view_free(view);
	pmon_source_close(source);
	return 0;
}

// The length of the whole answer, which is in a file, an event stream, or memory.
static size_t
length_of(const struct call *call, size_t len)
{
	static char event[1 << 16];

	if (call->events != NULL)
		return events_read(call->events, event, sizeof(event));
	return call->fd >= 0 ? (size_t)lseek(call->fd, 0, SEEK_END) : len;
}

struct view_answer
view_ask(const struct view_question *question)
{
	struct view_answer answer = {.status = 500};
	struct call call = {.view = view, .path = question->path, .status = 200, .fd = -1};
	char *text = NULL;
	size_t len = 0;

	for (size_t i = 0; i < VIEW_ASK_PARAMS && question->params[i].name != NULL; i++) {
		call.params[call.n_params] = question->params[i];
		call.params[call.n_params++].len = strlen(question->params[i].value);
	}
	call.json.stream = text_stream_open(&text, &len);
	if (call.json.stream == NULL)
		return answer;
	api_find(question->path)->answer(&call);
	call_end(&call);
	if (!text_stream_close(call.json.stream, &text))
		call_no_memory(&call);
	if (call.status == 200)
		answer.len = length_of(&call, len);
	if (call.status != 200 || answer.len > 0) // an empty event stream has failed
		answer.status = call.status;
	if (call.error_param != NULL)
		(void)snprintf(answer.param, sizeof(answer.param), "%s", call.error_param);
	free(text);
	if (call.events != NULL)
		events_close(call.events);
	if (call.fd >= 0)
		(void)close(call.fd);
	return answer;
}
