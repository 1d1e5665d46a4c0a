// push_to.c - a small log pushed to a fake server
// SPDX-License-Identifier: MIT

#include "push_to.h"

#include "memsource.h"
#include "moments.h"
#include "t.h"

bool
push_is_there(const char *scheme)
{
	for (size_t i = 0; pmon_push_scheme(i) != NULL; i++)
		if (strncmp(scheme, pmon_push_scheme(i), strlen(scheme)) == 0)
			return true;
	return false;
}

struct pmon_source *
push_log(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t a = mem_source_series(m, "\\\\S\\O(i)\\A", PMON_PERF_COUNTER_RAWCOUNT, 1);
	uint32_t b = mem_source_series(m, "\\\\S\\O(i)\\B", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 1);

	for (int i = 0; i < 4; i++) {
		mem_source_sample(m, T0 + i * SECOND);
		mem_source_raw(m, a, i, 0);
		mem_source_raw(m, b, 10 * i, 0);
	}
	return mem_source_open(m);
}

struct pushed
push_to(struct fake_server *server, const char *url, const struct pmon_push_options *options)
{
	struct pmon_push_options all =
		options != NULL
			? *options
			: (struct pmon_push_options){.size = sizeof(struct pmon_push_options),
						     .allocator = NULL};
	struct pushed pushed = {.err = {.status = PMON_OK}};
	struct pmon_source *source = push_log();
	struct pmon_sink *sink;
	char text[200];

	if (all.batch_rows == 0)
		all.batch_rows = 4;
	if (all.retry.first_100ns == 0)
		all.retry.first_100ns = PMON_TIME_PER_MSEC;
	if (all.retry.give_up_100ns == 0)
		all.retry.give_up_100ns = 300 * SECOND;
	(void)snprintf(text, sizeof(text), url, fake_server_port(server));
	pushed.status = pmon_push_open(text, &all, &sink, &pushed.err);
	if (pushed.status == PMON_OK) {
		pushed.status = pmon_copy(source, sink, NULL, &pushed.err);
		pushed.counts = pmon_push_counts(sink);
		pmon_sink_close(sink);
	}
	fake_server_stop(server);
	pmon_source_close(source);
	return pushed;
}
