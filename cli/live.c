// live.c - this machine in the place of a log: a live source that ends
// SPDX-License-Identifier: MIT

#include "live.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/time.h"
#include "model/source.h"
#include "os/term.h"
#include "signals.h"

struct limited {
	struct pmon_source source; // first, as every source has it
	struct pmon_source *live;
	struct live_plan plan;
	uint64_t taken;
	int64_t end_100ns; // on the monotonic clock; 0: none
	int signals;       // descriptor
	struct pmon_sample sample;
};

// ---- Options --------------------------------------------------------------------------------

static int
read_length(const char *option, const char *text, int64_t *out_100ns)
{
	if (text == NULL ||
	    (pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) &&
	     *out_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s takes a length of time as 500ms, 5s, 1m or 2h, not \"%s\"",
		   option, text);
}

int
live_plan(const struct args *args, struct live_plan *plan)
{
	int status;

	*plan = (struct live_plan){.interval_100ns = PMON_TIME_PER_SEC};
	status = read_length("--interval", args->interval, &plan->interval_100ns);
	if (status == EXIT_DONE)
		status = read_length("--duration", args->duration, &plan->duration_100ns);
	if (status == EXIT_DONE && args->count != NULL &&
	    (!pmon_num_parse_u64((struct pmon_span){args->count, strlen(args->count)},
				 &plan->count) ||
	     plan->count == 0))
		status = say(EXIT_USAGE, "--count takes a number from 1 on, not \"%s\"",
			     args->count);
	return status;
}

// ---- The source -----------------------------------------------------------------------------

// Is there no sample to wait for? The next one is an interval away.
static bool
is_done(struct limited *l)
{
	uint64_t shown = l->taken - (l->taken > 0 && !l->plan.first_shown);

	if (l->signals >= 0 && signals_take().end)
		return true;
	if (l->plan.count > 0 && shown >= l->plan.count)
		return true;
	return l->end_100ns > 0 &&
	       pmon_os_monotonic_100ns() + l->plan.interval_100ns / 2 > l->end_100ns;
}

static enum pmon_status
limited_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct limited *l = (struct limited *)source;
	enum pmon_status status = PMON_END;

	while (status == PMON_END && !is_done(l))
		status = pmon_live_wait(l->live, l->signals, err);
	if (status != PMON_OK)
		return status;
	status = pmon_source_next(l->live, sample, err);
	if (status != PMON_OK)
		return status;
	if (l->taken == 0 && l->plan.duration_100ns > 0)
		l->end_100ns = pmon_os_monotonic_100ns() + l->plan.duration_100ns;
	l->sample = **sample;
	l->sample.lead_in = l->taken++ == 0 && !l->plan.first_shown;
	*sample = &l->sample;
	return PMON_OK;
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
	say(0, "note: %s", notice->text);
}

int
live_open(const struct args *args, const struct live_plan *plan, struct pmon_select *select,
	  struct pmon_source **out)
{
	struct pmon_live_options options = {.notice = print_notice,
					    .select = select,
					    .everything = plan->count == 1 && plan->first_shown,
					    .interval_100ns = plan->interval_100ns,
					    .root = args->root,
					    .replay = args->replay,
					    .pid_names = args->pid_names};
	struct limited *l = calloc(1, sizeof(*l));
	struct pmon_err err;

	if (args->replay != NULL)
		options.interval_100ns = 0;
	if (l == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (pmon_live_open(&options, &l->live, &err) != PMON_OK) {
		free(l);
		return say(EXIT_FAILED, "%s", err.msg);
	}
	l->source.ops = &limited_ops;
	l->source.inner = l->live;
	l->plan = *plan;
	l->signals = signals_catch();
	*out = &l->source;
	return EXIT_DONE;
}
