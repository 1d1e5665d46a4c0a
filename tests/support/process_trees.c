// process_trees.c - recorded machines whose processes start, end and use CPU at random
// SPDX-License-Identifier: MIT

#include "process_trees.h"

#include "live_task.h"

#define MAX_PROCESSES 10
#define MAX_THREADS   3
#define IDS           40
#define FIRST_ID      2
#define REUSE_100NS   (PMON_TIME_PER_SEC + 2 * TICK)

struct thread {
	unsigned id; // 0: there is none
	int64_t start_100ns;
	struct pt_cpu cpu;
};

struct process {
	bool is_alive;
	const char *name;
	struct pt_cpu ended; // what ended threads had
	struct thread thread[MAX_THREADS];
};

struct machine {
	struct t_rand *rand;
	int64_t now;          // 100 ns after its start
	int64_t started[IDS]; // when the last task with an id existed; 0: never
	bool is_used[IDS];
	struct process process[MAX_PROCESSES];
};

static bool
one_in(struct machine *m, size_t n)
{
	return t_rand_below(m->rand, n) == 0;
}

// ---- Start and end ----------------------------------------------------------------------------

// Choose an id, preferably a low one, so that many are reused. 0 if there is none.
static unsigned
take_id(struct machine *m)
{
	size_t first = one_in(m, 3) ? t_rand_below(m->rand, IDS) : 0;

	for (size_t i = 0; i < IDS; i++) {
		size_t id = (first + i) % IDS;

		if (m->is_used[id] ||
		    (m->started[id] != 0 && m->now - m->started[id] < REUSE_100NS))
			continue;
		m->is_used[id] = true;
		m->started[id] = m->now;
		return (unsigned)id + FIRST_ID;
	}
	return 0;
}

static void
end_thread(struct machine *m, struct process *p, struct thread *thread)
{
	p->ended.user += thread->cpu.user;
	p->ended.kernel += thread->cpu.kernel;
	m->is_used[thread->id - FIRST_ID] = false;
	thread->id = 0;
}

static void
start_thread(struct machine *m, struct process *p)
{
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (p->thread[i].id == 0) {
			p->thread[i] = (struct thread){.id = take_id(m), .start_100ns = m->now};
			return;
		}
}

static void
start_process(struct machine *m, const char *name)
{
	for (size_t i = 0; i < MAX_PROCESSES; i++)
		if (!m->process[i].is_alive) {
			m->process[i] = (struct process){.name = name};
			start_thread(m, &m->process[i]);
			m->process[i].is_alive = m->process[i].thread[0].id != 0;
			return;
		}
}

static void
end_process(struct machine *m, struct process *p)
{
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (p->thread[i].id != 0)
			end_thread(m, p, &p->thread[i]);
	p->is_alive = false;
}

// ---- Time ---------------------------------------------------------------------------------------

static void
run_thread(struct machine *m, struct thread *thread, size_t ticks)
{
	size_t user = one_in(m, 3) ? 0 : t_rand_below(m->rand, ticks + 1);

	thread->cpu.user += user;
	thread->cpu.kernel += t_rand_below(m->rand, ticks - user + 1);
}

// Let some time pass, in which each thread may run.
static void
pass(struct machine *m)
{
	size_t ticks = 1 + t_rand_below(m->rand, 40);

	m->now += (int64_t)ticks * TICK + (int64_t)t_rand_below(m->rand, TICK);
	for (size_t i = 0; i < MAX_PROCESSES; i++)
		for (size_t k = 0; k < MAX_THREADS && m->process[i].is_alive; k++)
			if (m->process[i].thread[k].id != 0)
				run_thread(m, &m->process[i].thread[k], ticks);
}

// No log would have a sample of a machine without processes.
static bool
is_only_one(const struct machine *m)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_PROCESSES; i++)
		n += m->process[i].is_alive;
	return n == 1;
}

static void
change(struct machine *m)
{
	static const char *const names[] = {"qq",   "QQ",     "cc1",        "qq#1",
					    "a (b", "_Total", "kworker/0:1"};
	struct process *p = &m->process[t_rand_below(m->rand, MAX_PROCESSES)];
	const char *name = names[t_rand_below(m->rand, one_in(m, 2) ? 2 : T_LEN(names))];
	size_t thread = 1 + t_rand_below(m->rand, MAX_THREADS - 1);

	if (!p->is_alive) {
		start_process(m, name);
	} else if (one_in(m, 4)) {
		p->name = name; // execve(2), or prctl(2) in its main thread
	} else if (one_in(m, 3) && !is_only_one(m)) {
		end_process(m, p);
		if (one_in(m, 2)) // like a service that is restarted
			start_process(m, p->name);
	} else if (p->thread[thread].id == 0) {
		start_thread(m, p);
	} else if (one_in(m, 2)) {
		end_thread(m, p, &p->thread[thread]);
	}
}

// ---- Samples ------------------------------------------------------------------------------------

static void
add_row(struct pt_sample *sample, struct pt_row row)
{
	assert_true(sample->n < PT_ROWS);
	sample->row[sample->n++] = row;
}

static void
see_process(const struct process *p, struct pt_sample *sample)
{
	struct pt_row row = {.name = p->name, .process = p->thread[0].id, .cpu = p->ended};
	size_t at = sample->n;

	row.id = row.process;
	row.started = p->thread[0].start_100ns / TICK;
	add_row(sample, row);
	for (size_t i = 0; i < MAX_THREADS; i++) {
		const struct thread *thread = &p->thread[i];

		if (thread->id == 0)
			continue;
		sample->row[at].threads++;
		sample->row[at].cpu.user += thread->cpu.user;
		sample->row[at].cpu.kernel += thread->cpu.kernel;
		add_row(sample, (struct pt_row){.is_thread = true,
						.name = p->name,
						.process = row.process,
						.id = thread->id,
						.started = thread->start_100ns / TICK,
						.cpu = thread->cpu});
	}
}

void
process_trees_make(struct t_rand *rand, struct process_trees *out)
{
	struct machine m = {.rand = rand, .now = TREE_PERF};

	memset(out, 0, sizeof(*out));
	for (size_t s = 0; s < PT_SAMPLES; s++) {
		struct pt_sample *sample = &out->sample[s];

		for (size_t n = 2 + t_rand_below(rand, 12); n > 0; n--) {
			change(&m);
			if (!one_in(&m, 4))
				pass(&m);
		}
		pass(&m);
		sample->perf_100ns = m.now;
		for (size_t i = 0; i < MAX_PROCESSES; i++)
			if (m.process[i].is_alive)
				see_process(&m.process[i], sample);
		m.now += 1; // processes starting now are not seen
	}
}

void
process_trees_write(const struct process_trees *made, struct tree *t)
{
	for (unsigned s = 0; s < PT_SAMPLES; s++) {
		const struct pt_sample *sample = &made->sample[s];

		tree_clock(t, s, TREE_TIME - TREE_PERF + sample->perf_100ns, sample->perf_100ns);
		tree_folder(t, s, "proc");
		for (size_t i = 0; i < sample->n; i++) {
			const struct pt_row *row = &sample->row[i];
			struct task task = {.id = row->id,
					    .comm = row->name,
					    .utime = row->cpu.user,
					    .stime = row->cpu.kernel,
					    .threads = row->threads,
					    .started = (unsigned long)row->started};

			if (row->is_thread)
				task_thread(t, s, row->process, task);
			else
				task_process(t, s, task);
		}
	}
}

// ---- What is true -------------------------------------------------------------------------------

const struct pt_row *
process_trees_find(const struct pt_sample *sample, const struct pt_row *row)
{
	for (size_t i = 0; i < sample->n; i++) {
		const struct pt_row *other = &sample->row[i];

		if (other->is_thread == row->is_thread && other->process == row->process &&
		    other->id == row->id && other->started == row->started)
			return other;
	}
	return NULL;
}

struct pt_cpu
process_trees_done(const struct process_trees *made, size_t sample, const struct pt_row *row)
{
	const struct pt_row *before = NULL;

	if (sample > 0)
		before = process_trees_find(&made->sample[sample - 1], row);
	if (before == NULL)
		return row->cpu;
	return (struct pt_cpu){row->cpu.user - before->cpu.user,
			       row->cpu.kernel - before->cpu.kernel};
}
