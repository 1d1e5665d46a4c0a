// notes.c - processes that are near a limit, blocked, or start many others, as sentences
// SPDX-License-Identifier: MIT

#include "verbs/health/notes.h"

#include <math.h>
#include <stdlib.h>

#include "os/clock.h"
#include "os/kernel_log.h"
#include "shell/output/number.h"
#include "shell/process/kernel_events.h"
#include "shell/process/listens.h"
#include "verbs/health/values.h"

#define NEAR        0.8 // of a limit
#define HANDLES     64  // a process with fewer is near no limit that matters
#define FORKS       20  // a second
#define STATES      8   // processes in a bad state, at most
#define AGAIN_100NS (PMON_TIME_PER_SEC / 10)
#define MINUTES     (10 * PMON_TIME_PER_MIN)
#define LOG_SIZE    (256 * 1024) // of the kernel's log

static void
note_files(const struct notes *notes, const struct judged *j, const struct process *p)
{
	uint64_t limit = 0;
	char text[STATE_TEXT];
	struct pmon_text t = state_text(text);

	if (p->handles >= HANDLES && j->request.sampling.replay == NULL)
		limit = who_files_limit(j->request.sampling.root, p->series->process_id,
					p->series->path.instance);
	if (limit == 0 || p->handles < NEAR * (double)limit)
		return;
	processes_put_name(&t, p);
	pmon_text_str(&t, " has ");
	pmon_text_u64(&t, (uint64_t)p->handles);
	pmon_text_str(&t, " of at most ");
	pmon_text_u64(&t, limit);
	pmon_text_str(&t, " open files");
	notes->put(notes->ctx, text);
}

static void
note_memory(const struct notes *notes, const struct process *p)
{
	char text[STATE_TEXT];
	struct pmon_text t = state_text(text);

	if (!p->is_known || p->who.memory_limit == 0 ||
	    (double)p->who.memory < NEAR * (double)p->who.memory_limit)
		return;
	processes_put_name(&t, p);
	pmon_text_str(&t, ": its group ");
	pmon_text_str(&t, p->who.unit);
	pmon_text_str(&t, " uses ");
	state_put_amount(&t, DRAW_BYTES, (double)p->who.memory);
	pmon_text_str(&t, " of at most ");
	state_put_amount(&t, DRAW_BYTES, (double)p->who.memory_limit);
	notes->put(notes->ctx, text);
}

static char
state_of(const struct judged *j, const struct process *p)
{
	return who_state(j->request.sampling.root, p->series->process_id, p->series->path.instance);
}

static void
note_state(const struct notes *notes, const struct process *p)
{
	char text[STATE_TEXT];
	struct pmon_text t = state_text(text);

	processes_put_name(&t, p);
	pmon_text_str(&t, p->state == 'D' ? " is blocked in the kernel (state D)"
					  : " is stopped (state T)");
	notes->put(notes->ctx, text);
}

// Processes are often blocked for a moment, so each is checked twice.
static void
note_states(const struct notes *notes, const struct judged *j, struct processes *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n && j->request.sampling.replay == NULL; i++) {
		char state = state_of(j, &all->list[i]);

		all->list[i].state = state == 'D' || state == 'T' ? state : '\0';
		n += all->list[i].state != '\0';
	}
	if (n > 0)
		pmon_os_sleep(AGAIN_100NS);
	n = 0;
	for (size_t i = 0; i < all->n && n < STATES; i++) {
		struct process *p = &all->list[i];

		if (p->state == '\0' || state_of(j, p) != p->state)
			continue;
		note_state(notes, p);
		n++;
	}
}

static void
note_forks(const struct notes *notes, const struct state_values *values,
	   const struct processes *all)
{
	double forks = state_average(values, "System", "Forks/sec", NULL);
	const struct process *parent = forks >= FORKS ? processes_parent(values->j, all) : NULL;
	char text[STATE_TEXT];
	struct pmon_text t = state_text(text);

	if (!(forks >= FORKS))
		return;
	state_put_part(&t, round(forks), " processes or threads start each second", false);
	if (parent != NULL) {
		pmon_text_str(&t, ", most of those seen below ");
		processes_put_name(&t, parent);
	}
	notes->put(notes->ctx, text);
}

static const struct process *
listener(const struct judged *j, const struct processes *all, const struct listens *socket)
{
	for (size_t i = 0; i < all->n; i++)
		if (listens_is_of(j->request.sampling.root, all->list[i].series->process_id,
				  all->list[i].handles, socket->inode))
			return &all->list[i];
	return NULL;
}

// If connections were dropped: where others wait.
static void
note_listens(const struct notes *notes, const struct state_values *values,
	     const struct processes *all)
{
	const struct judged *j = values->j;
	struct listens list[PROCESSES_TOP];
	size_t n = 0;

	if (state_average(values, "TCPv4", "Listen Overflows/sec", NULL) > 0 &&
	    j->request.sampling.replay == NULL)
		n = listens_read(j->request.sampling.root, list, PROCESSES_TOP);
	for (size_t i = 0; i < n; i++) {
		const struct process *p = listener(j, all, &list[i]);
		char text[STATE_TEXT];
		struct pmon_text t = state_text(text);

		if (p != NULL)
			processes_put_name(&t, p);
		pmon_text_str(&t, p != NULL ? ": " : "");
		pmon_text_u64(&t, list[i].waiting);
		pmon_text_str(&t, list[i].waiting == 1 ? " connection waits" : " connections wait");
		pmon_text_str(&t, " to be accepted at port ");
		pmon_text_u64(&t, list[i].port);
		notes->put(notes->ctx, text);
	}
}

// ---- The kernel's log -----------------------------------------------------------------------

// "python3 (77) "
static void
put_event_name(struct pmon_text *t, const struct kernel_event *event)
{
	pmon_text_str(t, event->name[0] != '\0' ? event->name : "a process");
	if (event->pid >= 0) {
		pmon_text_str(t, " (");
		pmon_text_i64(t, event->pid);
		pmon_text_char(t, ')');
	}
}

static void
note_event(const struct notes *notes, size_t kind, const struct kernel_event *event)
{
	static const char *const what[KERNEL_EVENT_KINDS] = {
		[KERNEL_OUT_OF_MEMORY] = " was killed, out of memory, ",
		[KERNEL_HUNG] = " was blocked in the kernel for minutes, ",
		[KERNEL_CRASHED] = " crashed ",
		[KERNEL_IO_ERROR] = " had an I/O error "};
	char text[STATE_TEXT];
	struct pmon_text t = state_text(text);

	pmon_text_str(&t, kind == KERNEL_IO_ERROR ? "disk " : "");
	put_event_name(&t, event);
	pmon_text_str(&t, what[kind]);
	out_put_length(&t, event->ago_100ns / PMON_TIME_PER_SEC * PMON_TIME_PER_SEC);
	pmon_text_str(&t, " ago");
	if (event->times > 1) {
		pmon_text_str(&t, "; ");
		pmon_text_u64(&t, event->times);
		pmon_text_str(&t, " such events in ");
		out_put_length(&t, MINUTES);
	}
	notes->put(notes->ctx, text);
}

// A root folder may be a copy of another machine, so it has no kernel log.
static void
note_kernel(const struct notes *notes, const struct judged *j)
{
	bool is_here = j->request.sampling.replay == NULL && j->request.sampling.root == NULL;
	struct kernel_event events[KERNEL_EVENT_KINDS];
	char *log = is_here ? malloc(LOG_SIZE) : NULL;
	size_t n = log != NULL ? pmon_os_kernel_log(log, LOG_SIZE) : 0;

	kernel_events_find((struct pmon_span){log, n}, pmon_os_monotonic_100ns(), MINUTES, events);
	for (size_t kind = 0; kind < KERNEL_EVENT_KINDS; kind++)
		if (events[kind].times > 0)
			note_event(notes, kind, &events[kind]);
	free(log);
}

void
state_notes(const struct state_values *values, struct processes *all, const struct notes *notes)
{
	const struct judged *j = values->j;
	struct process *top[PROCESSES_TOP];
	size_t n;

	note_kernel(notes, j);
	note_forks(notes, values, all);
	note_listens(notes, values, all);
	for (size_t i = 0; i < all->n; i++)
		note_files(notes, j, &all->list[i]);
	note_states(notes, j, all);
	n = processes_top(j, all, BY_MEMORY, top);
	for (size_t i = 0; i < n; i++)
		note_memory(notes, top[i]);
}
