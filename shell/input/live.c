// live.c - this machine instead of a log: a live source that ends
// SPDX-License-Identifier: MIT

#include "shell/input/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "model/source.h"
#include "os/clock.h"
#include "shell/input/machines.h"
#include "shell/input/notices.h"
#include "shell/input/progress.h"
#include "shell/output/say.h"
#include "shell/process/signals.h"

#define FOREVER_100NS (INT64_MAX / 2) // large, but adding to it does not overflow

struct limited {
	struct pmon_source source; // must be first
	struct pmon_source *live;
	struct live_plan plan;
	uint64_t taken;
	int64_t begun_100ns; // monotonic time of the first sample
	int signals;         // descriptor
	bool is_ended;       // by a signal
	bool is_held;        // a sample was taken but not yet returned
	bool is_slow;        // intervals are long enough to wait for signals
	struct pmon_sample sample;
};

// ---- Options --------------------------------------------------------------------------------

int
live_length(const char *option, const char *text, int64_t *out_100ns)
{
	if (text == NULL ||
	    (pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) &&
	     *out_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s must be a duration such as 500ms, 5s, 1m or 2h, not \"%s\"",
		   option, text);
}

int
live_plan(const struct sampling *sampling, struct live_plan *plan)
{
	int status;

	*plan = (struct live_plan){
		.interval_100ns = PMON_TIME_PER_SEC,
		.count = sampling->count,
	};
	status = live_length("--interval", sampling->interval, &plan->interval_100ns);
	if (status == EXIT_DONE)
		status = live_length("--duration", sampling->duration, &plan->duration_100ns);
	return status;
}

// ---- The source -----------------------------------------------------------------------------

// How long sampling takes; 0: unknown.
static int64_t
planned_100ns(const struct live_plan *plan)
{
	uint64_t intervals = plan->count - (plan->count > 0 && plan->first_shown);
	int64_t of_count = intervals < (uint64_t)(FOREVER_100NS / plan->interval_100ns)
				   ? (int64_t)intervals * plan->interval_100ns
				   : FOREVER_100NS;

	if (plan->duration_100ns > 0 && (of_count == 0 || plan->duration_100ns < of_count))
		return plan->duration_100ns;
	return of_count;
}

// Is there no further sample? The next one would be an interval away.
static bool
is_done(struct limited *l)
{
	uint64_t shown = l->taken - (l->taken > 0 && !l->plan.first_shown);
	int64_t next = pmon_os_monotonic_100ns() - l->begun_100ns + l->plan.interval_100ns / 2;
	struct signals got = signals_take();

	if (got.rotate && l->plan.rotate != NULL)
		l->plan.rotate(l->plan.ctx);
	l->is_ended |= l->signals >= 0 && got.end;
	if (l->is_ended || (l->plan.count > 0 && shown >= l->plan.count))
		return true;
	return l->begun_100ns != 0 && l->plan.duration_100ns > 0 && next > l->plan.duration_100ns;
}

static enum pmon_status
take(struct limited *l, struct pmon_err *err)
{
	const struct pmon_sample *sample = NULL;
	enum pmon_status status = PMON_END;

	if (l->plan.bare)
		status = pmon_live_wait(l->live, l->plan.wake_fd, err);
	while (status == PMON_END && !l->plan.bare && !is_done(l))
		status = pmon_live_wait(l->live, l->signals, err);
	if (status == PMON_OK)
		status = pmon_source_next(l->live, &sample, err);
	if (status != PMON_OK)
		return status;
	if (l->begun_100ns == 0)
		l->begun_100ns = pmon_os_monotonic_100ns();
	l->sample = *sample;
	l->sample.preceding = l->taken++ == 0 && !l->plan.first_shown;
	if (l->is_slow)
		progress_sampling(pmon_os_monotonic_100ns() - l->begun_100ns,
				  planned_100ns(&l->plan));
	return PMON_OK;
}

static enum pmon_status
limited_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct limited *l = (struct limited *)source;
	enum pmon_status status = l->is_held ? PMON_OK : take(l, err);

	l->is_held = false;
	*sample = status == PMON_OK ? &l->sample : NULL;
	return status;
}

static enum pmon_status
limited_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(((struct limited *)source)->live, err);
}

static void
limited_close(struct pmon_source *source)
{
	pmon_source_close(((struct limited *)source)->live);
	free(source);
}

static const struct pmon_source_ops limited_ops = {limited_next, limited_rewind, limited_close};

// ---- Opening --------------------------------------------------------------------------------

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	if (!notices_are_muted())
		say(0, "note: %s", notice->text);
}

static struct pmon_live_options
options_of(const struct request *request)
{
	return (struct pmon_live_options){
		.size = sizeof(struct pmon_live_options),
		.notice = print_notice,
		.root = request->sampling.root,
		.replay = request->sampling.replay,
		.machine = request->machines.n > 0 ? request->machines.list[0] : NULL,
		.pid_names = request->sampling.pid_names};
}

// Open a source that can be ended, with its first sample.
static enum pmon_status
open_limited(struct limited *l, const struct pmon_live_options *options, struct pmon_err *err)
{
	enum pmon_status status = pmon_live_open(options, &l->live, err);

	if (status != PMON_OK)
		return status;
	l->source.ops = &limited_ops;
	l->source.inner = l->live;
	l->signals = l->plan.bare ? -1 : signals_catch();
	status = take(l, err);
	l->is_held = status == PMON_OK;
	return status == PMON_END ? PMON_OK : status;
}

int
live_open(const struct request *request, const struct live_plan *plan, struct pmon_select *select,
	  struct pmon_source **out)
{
	struct pmon_live_options options = options_of(request);
	struct limited *l = calloc(1, sizeof(*l));
	struct pmon_err err;

	if (l == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (machines_check(request) != EXIT_DONE) {
		free(l);
		return EXIT_USAGE;
	}
	options.select = select;
	options.everything = plan->everything;
	if (plan->notice != NULL) {
		options.notice = plan->notice;
		options.notice_ctx = plan->ctx;
	}
	if (request->sampling.replay == NULL)
		options.interval_100ns = plan->interval_100ns;
	l->plan = *plan;
	l->is_slow = options.interval_100ns > 0 && !plan->bare;
	if (open_limited(l, &options, &err) != PMON_OK) {
		limited_close(&l->source);
		if (request->sampling.replay != NULL &&
		    strstr(err.msg, request->sampling.replay) == NULL)
			return say(EXIT_FAILED, "%s: %s", request->sampling.replay, err.msg);
		return say(EXIT_FAILED, "%s", err.msg);
	}
	*out = &l->source;
	return EXIT_DONE;
}

int
live_await(struct pmon_source *source)
{
	struct limited *l = (struct limited *)source;
	struct pmon_err err;
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && !(l->is_held && l->sample.n > 0)) {
		l->taken = 0;
		status = take(l, &err);
		l->is_held = status == PMON_OK;
	}
	return status == PMON_OK || status == PMON_END ? EXIT_DONE
						       : say(EXIT_FAILED, "%s", err.msg);
}

bool
live_was_interrupted(const struct pmon_source *source)
{
	return ((const struct limited *)source)->is_ended;
}

// ---- Names ----------------------------------------------------------------------------------

static bool
is_any_machine(struct pmon_span name)
{
	return name.len == 0 || pmon_text_same(name, PMON_SPAN("localhost")) ||
	       pmon_text_same(name, PMON_SPAN(".")) ||
	       pmon_text_same(name, PMON_SPAN("127.0.0.1")) ||
	       pmon_text_same(name, PMON_SPAN("::1"));
}

struct pmon_span
live_local_path(struct pmon_span path)
{
	const char *end;

	if (path.len < 3 || memcmp(path.ptr, "\\\\", 2) != 0)
		return path;
	end = memchr(path.ptr + 2, '\\', path.len - 2);
	if (end == NULL || end == path.ptr + 2 ||
	    !is_any_machine((struct pmon_span){path.ptr + 2, (size_t)(end - path.ptr) - 2}))
		return path;
	return (struct pmon_span){end, path.len - (size_t)(end - path.ptr)};
}

void
live_say_other(const char *machine, const char *other)
{
	say(0,
	    "%s is not this machine (%s), and pmon cannot sample remote machines; run pmon there "
	    "(ssh %s pmon ...) or read a log recorded there",
	    other, machine, other);
}

// "web" also names web.example.org.
static bool
is_name_of(const char *machine, const char *name)
{
	size_t first = strcspn(machine, ".");
	struct pmon_span span = {name, strlen(name)};

	return pmon_text_same((struct pmon_span){machine, strlen(machine)}, span) ||
	       pmon_text_same((struct pmon_span){machine, first}, span);
}

int
live_check_machine(const struct request *request, const char *name)
{
	struct pmon_live_options options = options_of(request);
	struct pmon_source *source;
	struct pmon_err err;
	bool is_this;

	name += strspn(name, "\\");
	if (is_any_machine((struct pmon_span){name, strlen(name)}))
		return EXIT_DONE;
	if (pmon_live_open(&options, &source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	is_this = is_name_of(pmon_source_info(source)->machine, name);
	if (!is_this)
		live_say_other(pmon_source_info(source)->machine, name);
	pmon_source_close(source);
	return is_this ? EXIT_DONE : EXIT_FAILED;
}

bool
live_counter(const struct pmon_series *series, struct pmon_live_counter *out)
{
	const struct pmon_path *path = &series->path;

	for (size_t i = 0; pmon_live_counter_at(i, out); i++)
		if (pmon_text_same(path->object,
				   (struct pmon_span){out->object, strlen(out->object)}) &&
		    pmon_text_same(path->counter,
				   (struct pmon_span){out->counter, strlen(out->counter)}))
			return true;
	return false;
}

bool
live_may_come(const struct pmon_path *pattern)
{
	struct pmon_live_counter counter;

	for (size_t i = 0; pattern->instance.ptr != NULL && pmon_live_counter_at(i, &counter); i++)
		if (counter.instances &&
		    pmon_text_match(pattern->object,
				    (struct pmon_span){counter.object, strlen(counter.object)}) &&
		    pmon_text_match(pattern->counter,
				    (struct pmon_span){counter.counter, strlen(counter.counter)}))
			return true;
	return false;
}

uint64_t
live_missed(const struct pmon_source *source)
{
	return pmon_live_missed(((const struct limited *)source)->live);
}
