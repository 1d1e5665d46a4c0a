// machine.c - the machines of a log whose ids are known
// SPDX-License-Identifier: MIT

#include "model/machine.h"

#include <string.h>

#include "base/scan.h"

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

bool
pmon_machine_is_id(struct pmon_span id)
{
	bool is_zero = true;

	if (id.ptr == NULL || id.len != PMON_MACHINE_ID)
		return false;
	for (size_t i = 0; i < id.len; i++) {
		char c = id.ptr[i];

		if (!pmon_is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
		is_zero = is_zero && c == '0';
	}
	return !is_zero;
}

const char *
pmon_machine_id(const struct pmon_source_info *info, struct pmon_span name)
{
	for (size_t i = 0; i < info->n_machines; i++)
		if (pmon_text_same(span_of(info->machines[i].name), name))
			return info->machines[i].id;
	return NULL;
}

// Make room for one more. The outgrown array stays in the arena.
static bool
grow(struct pmon_machines *machines)
{
	size_t cap = machines->cap == 0 ? 1 : 2 * machines->cap;
	struct pmon_machine *list;

	if (machines->n < machines->cap)
		return true;
	list = pmon_arena_alloc(machines->arena, cap * sizeof(*list));
	if (list == NULL)
		return false;
	if (machines->n > 0)
		memcpy(list, machines->list, machines->n * sizeof(*list));
	machines->list = list;
	machines->cap = cap;
	return true;
}

bool
pmon_machines_add(struct pmon_machines *machines, struct pmon_span name, struct pmon_span id)
{
	struct pmon_source_info known = {.machines = machines->list, .n_machines = machines->n};
	struct pmon_machine *machine;

	if (name.ptr == NULL || name.len == 0 || !pmon_machine_is_id(id) ||
	    machines->n == PMON_MACHINES_MOST || pmon_machine_id(&known, name) != NULL)
		return true;
	if (!pmon_arena_copy(machines->arena, name, &name) ||
	    !pmon_arena_copy(machines->arena, id, &id) || !grow(machines))
		return false;
	machine = &machines->list[machines->n++];
	machine->name = name.ptr;
	machine->id = id.ptr;
	return true;
}

void
pmon_machines_give(const struct pmon_machines *machines, struct pmon_source_info *info)
{
	info->machines = machines->list;
	info->n_machines = machines->n;
}
