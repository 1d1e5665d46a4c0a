// clock.c - compare samples with the clock of the server
// SPDX-License-Identifier: MIT
//
// A sample from the future is harmful in any engine: Prometheus then refuses samples of all machines that are some
// hours older, and no retention rule ever deletes it. So samples ahead of the server's clock are not sent. The
// clock of this machine is not used for that, since it may be the one that is wrong.

#include <stdio.h>

#include "base/err.h"
#include "base/time.h"
#include "os/clock.h"
#include "push/push.h"

#define AHEAD_100NS (10 * PMON_TIME_PER_MIN)
#define OLD_100NS   (3653 * PMON_PUSH_DAY_100NS) // ten years

enum pmon_status
pmon_push_clock_read(struct pmon_push_sink *push, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	pmon_time now = PMON_TIME_NONE;

	if (push->engine->read_clock != NULL && !push->options.allow_future)
		status = push->engine->read_clock(push, &now, err);
	push->clock.time = now != PMON_TIME_NONE ? now : pmon_os_clocks().wall;
	push->clock.read_100ns = pmon_os_monotonic_100ns();
	return status;
}

static pmon_time
now_of(const struct pmon_push_sink *push)
{
	return push->clock.time + pmon_os_monotonic_100ns() - push->clock.read_100ns;
}

// The time of a sample, or of the newest of its raw values, which may have times of their own.
static pmon_time
newest_time(const struct pmon_sample *sample)
{
	pmon_time newest = sample->time;

	for (size_t i = 0; i < sample->n; i++)
		if (sample->raw[i].time != PMON_TIME_NONE && sample->raw[i].time > newest)
			newest = sample->raw[i].time;
	return newest;
}

static void
tell_ahead(const struct pmon_push_sink *push, pmon_time time, pmon_time now)
{
	char sampled[PMON_TIME_SIZE];
	char clock[PMON_TIME_SIZE];
	char text[3 * PMON_TIME_SIZE + 200];

	(void)pmon_time_iso(time, sampled);
	(void)pmon_time_iso(now - now % PMON_TIME_PER_SEC, clock);
	(void)snprintf(text, sizeof(text),
		       "the sample of %s is ahead of the engine's clock (%s); samples "
		       "more than ten minutes ahead are not sent; use --allow-future to "
		       "send them",
		       sampled, clock);
	pmon_push_tell(&push->options, true, text);
}

enum pmon_status
pmon_push_clock_check(struct pmon_push_sink *push, const struct pmon_sample *sample, bool *is_ahead,
		      struct pmon_err *err)
{
	pmon_time newest = newest_time(sample);
	enum pmon_status status = PMON_OK;
	pmon_time now = now_of(push);

	push->n_old += sample->time < now - OLD_100NS;
	*is_ahead = !push->options.allow_future && newest > now + AHEAD_100NS;
	if (!*is_ahead)
		return PMON_OK;
	// The monotonic clock stands still while a machine sleeps.
	if (push->info->live) {
		status = pmon_push_clock_read(push, err);
		now = now_of(push);
		*is_ahead = newest > now + AHEAD_100NS;
	}
	if (status == PMON_OK && *is_ahead && push->counts.ahead == 0)
		tell_ahead(push, newest, now);
	return status;
}

void
pmon_push_clock_tell(const struct pmon_push_sink *push)
{
	pmon_push_tell_count(
		push, false, push->n_old,
		push->n_old == 1 ? " sample is more than ten years old; if that is wrong, correct "
				   "the clock of the machine that recorded it"
				 : " samples are more than ten years old; if that is wrong, "
				   "correct the clock of the machine that recorded them");
}
