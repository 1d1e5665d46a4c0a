// test_view_events.c - the event stream of pmon view tells what the page has to know
// SPDX-License-Identifier: MIT

#include "t.h"

#ifdef PMON_WITH_WEB

#include <string.h>

#include "memsource.h"
#include "moments.h"
#include "os/threads.h"
#include "shell/output/stream.h"
#include "web/api.h"
#include "web/events.h"
#include "web/view.h"
#include "web/view_private.h"

// ---- A machine whose samples come when the test says so -------------------------------------

struct machine {
	struct pmon_source base;
	struct pmon_source *samples;
	struct pmon_lock lock;
	struct pmon_condition changed;
	unsigned allowed; // samples that may come
	bool has_ended;
};

static enum pmon_status
machine_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct machine *m = (struct machine *)source;
	bool has_ended;

	pmon_lock_take(&m->lock);
	while (m->allowed == 0 && !m->has_ended)
		pmon_condition_wait(&m->changed, &m->lock);
	has_ended = m->has_ended;
	if (!has_ended)
		m->allowed--;
	pmon_lock_give(&m->lock);
	return has_ended ? PMON_END : pmon_source_next(m->samples, sample, err);
}

static void
machine_close(struct pmon_source *source)
{
	struct machine *m = (struct machine *)source;

	pmon_source_close(m->samples);
	pmon_condition_destroy(&m->changed);
	pmon_lock_destroy(&m->lock);
}

static const struct pmon_source_ops machine_ops = {machine_next, NULL, machine_close};

static void
machine_open(struct machine *m)
{
	struct mem_source *samples = mem_source_new();
	uint32_t id = mem_source_series(samples, "\\\\S\\Memory\\Available MBytes",
					PMON_PERF_COUNTER_RAWCOUNT, 1);

	for (int i = 0; i < 3; i++) {
		mem_source_sample(samples, T0 + i * SECOND);
		mem_source_raw(samples, id, 100 + i, 0);
	}
	*m = (struct machine){.samples = mem_source_open(samples)};
	m->base.ops = &machine_ops;
	m->base.inner = m->samples;
	samples->base.info.live = true;
	assert_true(pmon_lock_init(&m->lock));
	assert_true(pmon_condition_init(&m->changed));
}

static void
machine_gives(struct machine *m, unsigned samples, bool has_ended)
{
	pmon_lock_take(&m->lock);
	m->allowed = samples;
	m->has_ended = has_ended;
	pmon_condition_wake_all(&m->changed);
	pmon_lock_give(&m->lock);
}

// ---- What the stream says -------------------------------------------------------------------

static struct events *
open_events(struct view *view)
{
	struct call call = {.view = view, .path = "/api/events", .status = 200, .fd = -1};

	api_find(call.path)->answer(&call);
	call_end(&call);
	assert_non_null(call.events);
	return call.events;
}

// The stream's next text, without the comments that keep it alive.
static const char *
next_text(struct events *events)
{
	static char text[1 << 16];
	size_t len;

	do {
		len = events_read(events, text, sizeof(text) - 1);
		assert_true(len > 0);
		text[len] = '\0';
	} while (text[0] == ':');
	return text;
}

// docs/reference/api.md, "/api/events": a log event at once, and at the first sample of a live set. A page that asks
// before that sample learns from it that there are counters to choose from.
static void
test_first_sample(void **state)
{
	struct machine machine;
	struct set_plan plans[VIEW_SETS] = {{.interval_100ns = SECOND}};
	struct pmon_calc_options calc = {.size = sizeof(calc), .policy = PMON_POLICY_DEFAULT};
	struct view *view;
	struct events *events;
	const char *text;

	(void)state;
	machine_open(&machine);
	plans[0].source = &machine.base;
	assert_int_equal(view_new(&view, NULL), PMON_OK);
	assert_int_equal(view_open(view, plans, &calc, NULL), PMON_OK);
	events = open_events(view);
	assert_non_null(strstr(next_text(events), "\"samples\":0"));

	machine_gives(&machine, 1, false);
	text = next_text(events);
	assert_non_null(strstr(text, "event: log"));
	assert_non_null(strstr(text, "\"samples\":1"));
	assert_non_null(strstr(text, "event: sample"));

	machine_gives(&machine, 1, false);
	text = next_text(events);
	assert_null(strstr(text, "event: log"));
	assert_non_null(strstr(text, "event: sample"));

	events_close(events);
	machine_gives(&machine, 0, true);
	view_stop(view);
	view_free(view);
	pmon_source_close(&machine.base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_sample)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
	return 77;
}

#endif
