// processes.h - the processes of this machine, and who uses most of its resources
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_PROCESSES_H
#define PMON_VERBS_HEALTH_PROCESSES_H

#include "shell/input/judged.h"
#include "shell/process/who.h"

#define PROCESSES_TOP 3

enum by {
	BY_PROCESSOR,
	BY_MEMORY,
	BY_DISK,
	BY_KINDS
};

extern const char *const processes_by[BY_KINDS];

struct process {
	const struct pmon_series *series; // of its ID
	double by[BY_KINDS];
	double handles;
	int64_t parent;
	char state;      // 'D', 'T' or '\0'
	bool is_new;     // it was not in the first sample
	size_t children; // of those that are new
	struct who who;
	bool is_known;
};

struct processes {
	struct process *list; // by ID
	size_t n;
};

// Find all; free() the list. False when memory is short.
bool processes_find(const struct judged *j, struct processes *out);

// The one with an ID; NULL if there is none.
struct process *processes_at(const struct processes *all, int64_t id);

// Find those that use most of a resource, the first first, and look them up. Returns their number.
size_t processes_top(const struct judged *j, struct processes *all, enum by by,
		     struct process *top[PROCESSES_TOP]);

// Fill in `who`, if it still runs. A replay has no processes to look up.
void processes_look_up(const struct judged *j, struct process *p);

// The process that started most of the new ones, itself or through its children; NULL if that is unknown.
const struct process *processes_parent(const struct judged *j, const struct processes *all);

void processes_put_name(struct pmon_text *t, const struct process *p);

#endif
