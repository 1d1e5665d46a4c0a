// set.c - a displayed source, and the thread that reads it
// SPDX-License-Identifier: MIT

#include "web/set.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/clock.h"

#define TELL_100NS (PMON_TIME_PER_MSEC * 250) // the interval between events while loading

// Record the source's current state and position.
static void
note_progress(struct set *set, pmon_time newest)
{
	pmon_lock_take(&set->lock);
	set->info = *pmon_source_info(set->plan.source);
	if (newest != PMON_TIME_NONE)
		set->newest = newest;
	pmon_lock_give(&set->lock);
}

static void
finish(struct set *set, enum pmon_status status, const struct pmon_err *err)
{
	note_progress(set, PMON_TIME_NONE);
	pmon_lock_take(&set->lock);
	if (status == PMON_END) {
		set->state = set->state == SET_LIVE ? SET_ENDED : SET_COMPLETE;
	} else {
		set->state = SET_FAILED;
		set->err = *err;
	}
	pmon_lock_give(&set->lock);
	notify_all(set->notifier);
}

// The next sample; PMON_END after the last, or when the server stops.
static enum pmon_status
next_sample(struct set *set, const struct pmon_sample **sample, struct pmon_err *err)
{
	bool stop;

	pmon_lock_take(&set->lock);
	stop = set->stop;
	pmon_lock_give(&set->lock);
	if (stop || notify_is_stopped(set->notifier))
		return PMON_END;
	return pmon_source_next(set->plan.source, sample, err);
}

// Read one sample. Returns false at the end.
static bool
read_one(struct set *set)
{
	const struct pmon_schema *schema = pmon_source_schema(set->plan.source);
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status = next_sample(set, &sample, &err);
	int64_t now = pmon_os_monotonic_100ns();

	if (status == PMON_OK)
		status = store_add(set->store, schema, sample, &err);
	if (status != PMON_OK) {
		finish(set, status, &err);
		return false;
	}
	note_progress(set, sample->time);
	if (set->plan.interval_100ns > 0 || now - set->told >= TELL_100NS) {
		set->told = now;
		notify_all(set->notifier);
	}
	return true;
}

static void
read_all(void *arg)
{
	while (read_one(arg))
		continue;
}

bool
set_read(struct set *set, int64_t for_100ns)
{
	int64_t end = pmon_os_monotonic_100ns() + for_100ns;

	if (!set->open || !set->plan.is_stepwise || set_facts(set).state != SET_LOADING)
		return false;
	while (read_one(set))
		if (pmon_os_monotonic_100ns() >= end)
			return true;
	return false;
}

void
set_init(struct set *set)
{
	*set = (struct set){.newest = PMON_TIME_NONE};
	(void)pmon_lock_init(&set->lock);
	(void)pmon_lock_init(&set->findings.lock);
	(void)pmon_lock_init(&set->incidents.lock);
}

enum pmon_status
set_open(struct set *set, const struct set_plan *plan, struct notifier *notifier,
	 struct pmon_err *err)
{
	enum pmon_status status;

	set->plan = *plan;
	set->notifier = notifier;
	set->state = pmon_source_info(plan->source)->live ? SET_LIVE : SET_LOADING;
	set->info = *pmon_source_info(plan->source);
	status = store_new(plan->history_100ns, &set->store, err);
	if (status == PMON_OK && !plan->is_stepwise &&
	    !pmon_thread_begin(&set->thread, read_all, set))
		status = pmon_err_set(
			err, PMON_E_NOMEM, 0,
			"cannot start a thread: not enough memory, or too many threads");
	set->open = status == PMON_OK;
	return status;
}

void
set_stop(struct set *set)
{
	pmon_lock_take(&set->lock);
	set->stop = true;
	pmon_lock_give(&set->lock);
	if (set->plan.stop != NULL)
		set->plan.stop(set->plan.ctx);
}

void
set_close(struct set *set)
{
	if (set->open && !set->plan.is_stepwise)
		pmon_thread_join(&set->thread);
	if (set->plan.close != NULL)
		set->plan.close(set->plan.ctx);
	store_free(set->store);
	pmon_mem_free(pmon_mem_allocator(NULL), set->damage,
		      set->cap_damage * sizeof(*set->damage));
	pmon_lock_destroy(&set->lock);
	pmon_lock_destroy(&set->findings.lock);
	free(set->findings.text);
	pmon_lock_destroy(&set->incidents.lock);
	free(set->incidents.text);
}

void
set_note_damage(struct set *set, const struct pmon_notice *notice)
{
	struct pmon_text text;

	if (!notice->is_loss)
		return;
	pmon_lock_take(&set->lock);
	set->damage_count++;
	if (set->n_damage < SET_DAMAGE &&
	    pmon_mem_grow(pmon_mem_allocator(NULL), &set->damage, &set->cap_damage,
			  set->n_damage + 1, sizeof(*set->damage))) {
		struct set_damage *d = &set->damage[set->n_damage++];

		d->time = set->newest;
		d->bytes = notice->length;
		text = pmon_text_init(d->text, sizeof(d->text));
		pmon_text_str(&text, notice->text);
	}
	pmon_lock_give(&set->lock);
}

struct set_facts
set_facts(struct set *set)
{
	struct set_facts facts;

	pmon_lock_take(&set->lock);
	facts = (struct set_facts){set->state, set->err, set->info};
	pmon_lock_give(&set->lock);
	return facts;
}
