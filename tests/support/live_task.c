// live_task.c - processes and threads in recorded machines
// SPDX-License-Identifier: MIT

#include "live_task.h"

#include "t.h"

// The 52 fields in proc(5), in order.
static void
stat_file(struct tree *t, unsigned n, const char *folder, const struct task *task)
{
	char path[128];
	char line[1024];

	(void)snprintf(path, sizeof(path), "proc/%s/stat", folder);
	(void)snprintf(
		line, sizeof(line),
		"%u (%s) %c %u 1 1 0 -1 4194304 %llu 7 %llu 8 %llu %llu 9 9 %d %d %u 0 %llu %llu "
		"%llu 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 3 %u %u %llu 0 0 0 0 0 0 "
		"0 0 0 0\n",
		task->id, task->comm, task->state != 0 ? task->state : 'S', task->parent,
		task->minflt, task->majflt, task->utime, task->stime,
		task->priority != 0 ? task->priority : 20 + task->nice, task->nice,
		task->threads != 0 ? task->threads : 1, task->started, task->vsize, task->rss,
		task->rt_priority, task->policy, task->blkio);
	tree_file(t, n, path, line);
}

void
task_process(struct tree *t, unsigned n, struct task task)
{
	char folder[32];

	(void)snprintf(folder, sizeof(folder), "%u", task.id);
	stat_file(t, n, folder, &task);
}

void
task_thread(struct tree *t, unsigned n, unsigned of, struct task task)
{
	char folder[64];

	(void)snprintf(folder, sizeof(folder), "%u/task/%u", of, task.id);
	stat_file(t, n, folder, &task);
}

void
task_io(struct tree *t, unsigned n, unsigned id, const unsigned long long v[6])
{
	char path[64];
	char text[512];

	(void)snprintf(path, sizeof(path), "proc/%u/io", id);
	(void)snprintf(text, sizeof(text),
		       "rchar: %llu\nwchar: %llu\nsyscr: %llu\nsyscw: %llu\nread_bytes: %llu\n"
		       "write_bytes: %llu\ncancelled_write_bytes: 77\n",
		       v[0], v[1], v[2], v[3], v[4], v[5]);
	tree_file(t, n, path, text);
}

unsigned
task_id_of(struct tree *t, const char *instance)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\Process(%s)\\ID Process", instance);
	return tree_status(t, path) == TREE_ABSENT ? 0 : (unsigned)tree_raw(t, path).first;
}

unsigned
task_thread_of(struct tree *t, const char *instance)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\Thread(%s)\\ID Thread", instance);
	return tree_status(t, path) == TREE_ABSENT ? 0 : (unsigned)tree_raw(t, path).first;
}
