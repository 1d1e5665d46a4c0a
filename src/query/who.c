// who.c - processes: the counters that identify them, when two are the same, where one began
// SPDX-License-Identifier: MIT

#include "query/identity.h"

#include <string.h>

#include "core/calc.h"
#include "model/english.h"

// Linux knows the start of a process to a tick of the kernel's clock: 10 ms.
#define START_TICK_100NS (10 * PMON_TIME_PER_MSEC)

// The start of a process is constant, except for a tick where clocks are converted.
#define SAME_START_100NS (2 * START_TICK_100NS)

static const struct {
	const char *counter;
	enum pmon_role role;
} roles[] = {
	{"ID Process", PMON_ROLE_PROCESS_ID},
	{"ID Thread", PMON_ROLE_THREAD_ID},
	{"Process ID", PMON_ROLE_PROCESS_ID}, // of the .NET objects
	{"Elapsed Time", PMON_ROLE_ELAPSED},
};

#define N_ROLES (sizeof(roles) / sizeof(roles[0]))

const char *
pmon_role_counter(size_t i)
{
	return i < N_ROLES ? roles[i].counter : NULL;
}

enum pmon_role
pmon_role_of(struct pmon_span counter)
{
	for (size_t i = 0; i < N_ROLES; i++)
		if (counter.len == strlen(roles[i].counter) &&
		    pmon_text_same(counter, (struct pmon_span){roles[i].counter, counter.len}))
			return roles[i].role;
	return PMON_ROLE_VALUE;
}

bool
pmon_object_is_process(struct pmon_span object)
{
	object = pmon_english_object(object);
	return pmon_text_same(object, PMON_SPAN("Process")) ||
	       pmon_text_same(object, PMON_SPAN("Thread"));
}

bool
pmon_who_same(const struct pmon_who *a, const struct pmon_who *b)
{
	if (a->has_pid && b->has_pid && a->pid != b->pid)
		return false;
	if (a->has_tid && b->has_tid && a->tid != b->tid)
		return false;
	if (!a->has_start || !b->has_start)
		return true;
	return a->start > b->start ? a->start - b->start <= SAME_START_100NS
				   : b->start - a->start <= SAME_START_100NS;
}

bool
pmon_owner_same(const struct pmon_raw *a, const struct pmon_raw *b)
{
	const uint32_t numbers = PMON_OWNER_PROCESS | PMON_OWNER_THREAD;

	if ((a->multi & numbers) == (b->multi & numbers) && a->first != b->first)
		return false;
	if ((a->multi & b->multi & PMON_OWNER_START) == 0)
		return true;
	if (a->second < b->second)
		return pmon_owner_same(b, a);
	return pmon_raw_difference(a->second, b->second) <= SAME_START_100NS;
}

bool
pmon_who_began_after(const struct pmon_who *who, pmon_time time, pmon_time clock,
		     pmon_time ahead_100ns)
{
	if (!who->has_start || (clock == PMON_TIME_NONE && time == PMON_TIME_NONE))
		return false;
	if (clock == PMON_TIME_NONE)
		clock = time + ahead_100ns;
	return who->start >= clock - START_TICK_100NS;
}

// ---- The beginning of a process -------------------------------------------------------------

// The ticks a second of the clock that is the second raw value of a counter; 0: it has none.
static int64_t
ticks_of(const struct pmon_counter_type *type, const struct pmon_counter *counter)
{
	switch (type->second) {
	case PMON_SECOND_100NS:
		return PMON_TIME_PER_SEC;
	case PMON_SECOND_PERFTIME:
	case PMON_SECOND_OBJECT:
		return counter->time_base;
	default:
		return 0;
	}
}

bool
pmon_place_started(const struct pmon_series *series, pmon_time age_100ns,
		   const struct pmon_raw *now, struct pmon_raw *out)
{
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);
	double age;

	*out = (struct pmon_raw){
		.status = PMON_RAW_STARTED, .multi = now->multi, .time = now->time};
	if (type == NULL || now->time == PMON_TIME_NONE)
		return false;
	out->time -= age_100ns;
	if (!pmon_formula_divides(type->formula) || type->second == PMON_SECOND_BASE)
		return true;
	age = (double)age_100ns *
	      ((double)ticks_of(type, &series->counter) / (double)PMON_TIME_PER_SEC);
	if (!(age >= 1 && age < 0x1p62) || now->second < 0)
		return false;
	out->second = now->second - (int64_t)age;
	return true;
}

struct pmon_raw
pmon_who_owner(const struct pmon_who *who, pmon_time time)
{
	struct pmon_raw owner = {.status = PMON_RAW_OWNER, .time = time};

	owner.first = who->has_pid ? who->pid : 0;
	if (who->has_tid)
		owner.first = (int64_t)(((uint64_t)owner.first << 32) + (uint64_t)who->tid);
	owner.second = who->has_start ? who->start : 0;
	owner.multi = (who->has_pid ? PMON_OWNER_PROCESS : 0) |
		      (who->has_tid ? PMON_OWNER_THREAD : 0) |
		      (who->has_start ? PMON_OWNER_START : 0);
	return owner;
}

// ---- What is not known ------------------------------------------------------------------------

bool
pmon_identity_is_unknown(const struct pmon_source *source)
{
	const struct pmon_identity *identity = (const struct pmon_identity *)source;
	const struct pmon_places *places = &identity->places;

	if (identity->is_unknown)
		return true;
	for (size_t i = 0; i < places->n_spots; i++) {
		const struct pmon_path *path = places->spots[i].path;

		if (places->spots[i].place == PMON_PLACE_NONE &&
		    pmon_object_is_process(path->object) && !pmon_path_is_total(path) &&
		    !pmon_text_same(path->instance, PMON_SPAN("Idle")))
			return true;
	}
	return false;
}

static struct pmon_identity_who
public_who(const struct pmon_who *who, pmon_time ahead_100ns)
{
	return (struct pmon_identity_who){.process_id = who->has_pid ? who->pid : -1,
					  .thread_id = who->has_tid ? who->tid : -1,
					  .start = who->has_start ? who->start - ahead_100ns
								  : PMON_TIME_NONE};
}

bool
pmon_identity_change(const struct pmon_source *source, const struct pmon_path *path,
		     struct pmon_identity_who *before, struct pmon_identity_who *after)
{
	const struct pmon_identity *identity = (const struct pmon_identity *)source;
	const struct pmon_place *place = pmon_places_at(&identity->places, path);

	if (place == NULL || place->generation == 0)
		return false;
	*before = public_who(&place->was, place->was_ahead_100ns);
	*after = public_who(&place->who, place->was_ahead_100ns);
	return true;
}
