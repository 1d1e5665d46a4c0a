// processes.c - one series for each counter of each process, in all slots of the process
// SPDX-License-Identifier: MIT

#include "query/identity.h"

#include "base/mem.h"
#include "core/calc.h"

// Samples between two checks for processes to remove.
#define FORGET_EVERY 16

// ---- Kinds of counters ----------------------------------------------------------------------

static uint64_t
hash_of_kind(uint64_t seed, const struct pmon_series *series)
{
	uint64_t hash =
		pmon_map_mix(seed ^ series->counter.type, (uint64_t)series->counter.time_base);

	return pmon_map_mix_name(pmon_map_mix_name(hash, series->path.object),
				 series->path.counter);
}

static bool
same_kind(const struct pmon_series *a, const struct pmon_series *b)
{
	return a->counter.type == b->counter.type && a->counter.time_base == b->counter.time_base &&
	       a->formatted == b->formatted && pmon_text_same(a->path.counter, b->path.counter) &&
	       pmon_text_same(a->path.object, b->path.object);
}

static bool
find_kind(const struct pmon_processes *processes, const struct pmon_kind *kind, uint64_t hash,
	  uint32_t *out)
{
	size_t at = 0;

	while ((*out = pmon_map_next(&processes->kind_map, hash, &at)) != PMON_MAP_NONE)
		if (processes->kinds[*out].nth == kind->nth &&
		    same_kind(processes->kinds[*out].series, kind->series))
			return true;
	return false;
}

// Count earlier series with the same path and type. False when memory is short.
static bool
count_same(struct pmon_processes *p, const struct pmon_allocator *allocator,
	   const struct pmon_series *series, uint32_t *n_out)
{
	uint64_t hash = pmon_map_mix_name(hash_of_kind(p->seed, series), series->name);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&p->same_map, hash, &at)) != PMON_MAP_NONE)
		if (same_kind(p->same[i].first, series) &&
		    pmon_path_same(&p->same[i].first->path, &series->path)) {
			*n_out = p->same[i].n++;
			return true;
		}
	*n_out = 0;
	if (!pmon_mem_grow(allocator, &p->same, &p->same_cap, p->n_same + 1, sizeof(*p->same)) ||
	    !pmon_map_put(&p->same_map, allocator, hash, (uint32_t)p->n_same))
		return false;
	p->same[p->n_same++] = (struct pmon_same){series, 1};
	return true;
}

bool
pmon_processes_add(struct pmon_identity *identity, const struct pmon_series *series)
{
	struct pmon_processes *p = &identity->processes;
	const struct pmon_allocator *allocator = identity->allocator;
	struct pmon_kind kind = {.series = series};
	uint64_t hash;

	if (!identity->options.by_process)
		return true;
	if (!count_same(p, allocator, series, &kind.nth) ||
	    !pmon_mem_grow(allocator, &p->kinds, &p->kinds_cap, p->n_kinds + 1,
			   sizeof(*p->kinds)) ||
	    !pmon_mem_grow(allocator, &p->spare, &p->spare_cap, p->n_kinds + 1,
			   sizeof(*p->spare)) ||
	    !pmon_mem_grow(allocator, &p->kind_of, &p->kind_of_cap, (size_t)series->id + 1,
			   sizeof(*p->kind_of)) ||
	    !pmon_mem_grow(allocator, &p->found, &p->found_cap, (size_t)series->id + 1,
			   sizeof(*p->found)))
		return false;
	p->found[series->id] = (struct pmon_found){.process = PMON_SLOT_NONE};
	hash = pmon_map_mix(hash_of_kind(p->seed, series), kind.nth);
	if (find_kind(p, &kind, hash, &p->kind_of[series->id]))
		return true;
	p->kind_of[series->id] = (uint32_t)p->n_kinds;
	if (!pmon_map_put(&p->kind_map, allocator, hash, (uint32_t)p->n_kinds))
		return false;
	p->spare[p->n_kinds] = PMON_SERIES_NONE;
	p->kinds[p->n_kinds++] = kind;
	return true;
}

// ---- Processes ------------------------------------------------------------------------------

#define MOST_OF_ONE_NUMBER 16

// Threads are renumbered as others of the process end; their process is their parent.
static struct pmon_span
name_of(const struct pmon_path *path, const struct pmon_who *who)
{
	return who->has_tid && path->parent.ptr != NULL ? path->parent : path->instance;
}

static uint64_t
hash_of(uint64_t seed, const struct pmon_path *path, const struct pmon_who *who)
{
	uint64_t hash = pmon_map_mix_name(seed, path->machine);

	hash = pmon_map_mix_name(hash, path->object);
	hash = pmon_map_mix_name(hash, name_of(path, who));
	return pmon_map_mix(hash, (uint64_t)(who->has_tid ? who->tid : who->pid));
}

static bool
is_same(const struct pmon_process *process, const struct pmon_slot *at)
{
	return process->who.has_pid == at->who.has_pid && process->who.has_tid == at->who.has_tid &&
	       pmon_who_same(&process->who, &at->who) &&
	       pmon_text_same(process->path->machine, at->path->machine) &&
	       pmon_text_same(process->path->object, at->path->object) &&
	       pmon_text_same(name_of(process->path, &process->who), name_of(at->path, &at->who));
}

// Find the process at a slot by its identity. A process currently at another slot does not match:
// then there are two. *too_many: no system has this many processes with one name and ID, so the
// identity is wrong.
static uint32_t
find_process(const struct pmon_identity *identity, uint32_t slot, uint64_t hash, bool *too_many)
{
	const struct pmon_processes *p = &identity->processes;
	const struct pmon_slots *slots = &identity->slots;
	size_t at = 0;
	size_t elsewhere = 0;
	uint32_t i;

	*too_many = false;
	while ((i = pmon_map_next(&p->map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_process *process = &p->list[i];

		if (!is_same(process, &slots->list[slot]))
			continue;
		if (process->stamp != slots->stamp || process->slot == slot)
			return i;
		*too_many = ++elsewhere == MOST_OF_ONE_NUMBER;
		if (*too_many)
			break;
	}
	return PMON_SLOT_NONE;
}

// The process at a slot, found or created. PMON_SLOT_NONE when memory is short. If
// nothing identifies the process, the slot itself is taken for one.
static uint32_t
process_at(struct pmon_identity *identity, uint32_t slot)
{
	struct pmon_processes *p = &identity->processes;
	const struct pmon_slot *at = &identity->slots.list[slot];
	uint64_t hash = hash_of(p->seed, at->path, &at->who);
	uint32_t found = PMON_SLOT_NONE;
	bool too_many = false;

	if (at->who.has_pid || at->who.has_tid)
		found = find_process(identity, slot, hash, &too_many);
	if (too_many) {
		hash = pmon_map_mix(hash, slot);
		found = find_process(identity, slot, hash, &too_many);
	}
	if (found != PMON_SLOT_NONE)
		return found;
	if (!pmon_mem_grow(identity->allocator, &p->list, &p->cap, p->n + 1, sizeof(*p->list)) ||
	    !pmon_map_put(&p->map, identity->allocator, hash, (uint32_t)p->n))
		return PMON_SLOT_NONE;
	p->list[p->n] =
		(struct pmon_process){.path = at->path, .who = at->who, .slot = PMON_SLOT_NONE};
	return (uint32_t)p->n++;
}

static bool
grow_stands(struct pmon_identity *identity)
{
	struct pmon_processes *p = &identity->processes;
	size_t n = identity->slots.n;

	if (!pmon_mem_grow(identity->allocator, &p->stands, &p->stands_cap, n, sizeof(*p->stands)))
		return false;
	for (; p->n_stands < n; p->n_stands++)
		p->stands[p->n_stands] = (struct pmon_stand){.process = PMON_SLOT_NONE};
	return true;
}

// The process at a slot of the newest sample.
static enum pmon_status
settle(struct pmon_identity *identity, uint32_t slot)
{
	struct pmon_processes *p = &identity->processes;
	const struct pmon_slot *at = &identity->slots.list[slot];
	struct pmon_stand *stand = &p->stands[slot];
	struct pmon_process *process;
	bool knew = stand->process != PMON_SLOT_NONE && p->list[stand->process].who.has_pid;

	if (stand->process == PMON_SLOT_NONE || stand->generation != at->generation ||
	    (!knew && at->who.has_pid)) {
		p->version++;
		stand->process = process_at(identity, slot);
		stand->generation = at->generation;
		if (stand->process == PMON_SLOT_NONE)
			return PMON_E_NOMEM;
	}
	process = &p->list[stand->process];
	p->version += process->slot != slot;
	process->stamp = identity->slots.stamp;
	process->who.start = at->who.start;
	process->who.has_start = at->who.has_start;
	process->slot = slot;
	return PMON_OK;
}

// ---- Series ---------------------------------------------------------------------------------

static uint64_t
given_hash(uint32_t process, uint32_t kind)
{
	return pmon_map_mix(pmon_map_mix(0, process), kind);
}

// The series of a counter of a process; PMON_SERIES_NONE if it has none yet.
static uint32_t
find_given(const struct pmon_processes *p, uint32_t process, uint32_t kind)
{
	uint64_t hash = given_hash(process, kind);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&p->given_map, hash, &at)) != PMON_MAP_NONE)
		if (p->given[i].process == process && p->given[i].kind == kind)
			return p->given[i].series;
	return PMON_SERIES_NONE;
}

// A number for such a series: reused from a removed process, or a new one.
static enum pmon_status
take_number(struct pmon_identity *identity, const struct pmon_series *series, uint32_t *out)
{
	struct pmon_processes *p = &identity->processes;
	struct pmon_schema *schema = &identity->base.schema;
	uint32_t *spare = &p->spare[p->kind_of[series->id]];

	if (!pmon_mem_grow(identity->allocator, &p->next_spare, &p->next_spare_cap,
			   pmon_schema_count(schema) + 1, sizeof(*p->next_spare)))
		return PMON_E_NOMEM;
	if (*spare == PMON_SERIES_NONE)
		return pmon_schema_copy(schema, series, out);
	*out = *spare;
	*spare = p->next_spare[*out];
	pmon_schema_reuse(schema, *out, series);
	return PMON_OK;
}

// The caller made room.
static void
add_given(struct pmon_processes *p, struct pmon_given given)
{
	pmon_map_add(&p->given_map, given_hash(given.process, given.kind), (uint32_t)p->n_given);
	p->given[p->n_given++] = given;
}

// Create the series of a process.
static enum pmon_status
give(struct pmon_identity *identity, uint32_t number, const struct pmon_series *series,
     uint32_t *out)
{
	struct pmon_processes *p = &identity->processes;
	const struct pmon_who *who = &p->list[number].who;
	uint32_t kind = p->kind_of[series->id];
	enum pmon_status status;

	if (!pmon_mem_grow(identity->allocator, &p->given, &p->given_cap, p->n_given + 1,
			   sizeof(*p->given)) ||
	    !pmon_map_reserve(&p->given_map, identity->allocator, 1))
		return PMON_E_NOMEM;
	status = take_number(identity, series, out);
	if (status != PMON_OK)
		return status;
	if (who->has_pid || who->has_tid)
		pmon_schema_set_process(&identity->base.schema, *out, who->has_pid ? who->pid : -1,
					who->has_tid ? who->tid : -1);
	add_given(p, (struct pmon_given){number, kind, *out});
	return PMON_OK;
}

static bool
is_identified(const struct pmon_process *process)
{
	return process->who.has_pid || process->who.has_tid || process->who.has_start;
}

enum pmon_status
pmon_processes_map(struct pmon_identity *identity, uint32_t number, const struct pmon_raw *raw,
		   uint32_t *out)
{
	struct pmon_processes *p = &identity->processes;
	const struct pmon_series *series =
		pmon_schema_at(pmon_source_schema(identity->input), number);
	uint32_t slot = pmon_slot_of(&identity->slots, number);
	uint32_t process = p->stands[slot].process;

	*out = PMON_SERIES_NONE;
	// Its number has not come yet, also if the one that was there is at another slot now.
	if (process == PMON_SLOT_NONE || p->list[process].slot != slot)
		return PMON_OK;
	if (p->found[number].process != process) {
		*out = find_given(p, process, p->kind_of[number]);
		// Its ID may be unusable only now: an unusable value is no reason for a series.
		if (*out == PMON_SERIES_NONE && !is_identified(&p->list[process]) &&
		    !pmon_raw_usable(raw)) {
			p->version++; // look again in the next sample
			return PMON_OK;
		}
		if (*out == PMON_SERIES_NONE)
			return give(identity, process, series, out);
		p->found[number] = (struct pmon_found){.process = process, .series = *out};
	}
	*out = p->found[number].series;
	// A process that has moved has its path at its new slot.
	if (pmon_schema_at(&identity->base.schema, *out)->name.ptr != series->name.ptr) {
		pmon_schema_rename(&identity->base.schema, *out, series);
		p->version++;
	}
	p->found[number].version = p->version;
	return PMON_OK;
}

// ---- Samples --------------------------------------------------------------------------------

// Make the series of removed processes available for reuse.
static void
forget_given(struct pmon_processes *p)
{
	size_t n = p->n_given;

	pmon_map_clear(&p->given_map);
	p->n_given = 0;
	p->version++;
	for (size_t i = 0; i < p->found_cap; i++)
		p->found[i].process = PMON_SLOT_NONE;
	for (size_t i = 0; i < n; i++) {
		struct pmon_given given = p->given[i];

		given.process = p->list[given.process].next;
		if (given.process != PMON_SLOT_NONE) {
			add_given(p, given);
			continue;
		}
		p->next_spare[given.series] = p->spare[given.kind];
		p->spare[given.kind] = given.series;
	}
}

// Renumber the remaining processes. Returns their number.
static size_t
number_anew(struct pmon_identity *identity)
{
	struct pmon_processes *p = &identity->processes;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct pmon_process *process = &p->list[i];
		bool has_ended =
			identity->slots.stamp - process->stamp > identity->options.forget_after;

		process->next = has_ended ? PMON_SLOT_NONE : (uint32_t)n++;
	}
	return n;
}

// Remove processes that were in no recent sample.
static void
forget_ended(struct pmon_identity *identity)
{
	struct pmon_processes *p = &identity->processes;
	size_t n = number_anew(identity);

	if (n == p->n)
		return;
	for (size_t i = 0; i < p->n_stands; i++)
		if (p->stands[i].process != PMON_SLOT_NONE)
			p->stands[i].process = p->list[p->stands[i].process].next;
	forget_given(p);
	pmon_map_clear(&p->map);
	for (size_t i = 0; i < p->n; i++) {
		struct pmon_process process = p->list[i];

		if (process.next == PMON_SLOT_NONE)
			continue;
		p->list[process.next] = process;
		pmon_map_add(&p->map, hash_of(p->seed, process.path, &process.who), process.next);
	}
	p->n = n;
}

enum pmon_status
pmon_processes_see(struct pmon_identity *identity)
{
	const struct pmon_slots *slots = &identity->slots;
	enum pmon_status status = PMON_OK;

	if (!grow_stands(identity))
		return PMON_E_NOMEM;
	if (identity->options.forget_after > 0 && slots->stamp % FORGET_EVERY == 0)
		forget_ended(identity);
	for (size_t i = 0; status == PMON_OK && i < slots->n_touched; i++)
		status = settle(identity, slots->touched[i]);
	return status;
}

void
pmon_processes_rewind(struct pmon_processes *processes)
{
	for (size_t i = 0; i < processes->n; i++)
		processes->list[i].stamp = 0;
	for (size_t i = 0; i < processes->n_stands; i++)
		processes->stands[i] = (struct pmon_stand){.process = PMON_SLOT_NONE};
	processes->version++;
}

void
pmon_processes_free(struct pmon_identity *identity)
{
	const struct pmon_allocator *allocator = identity->allocator;
	struct pmon_processes *p = &identity->processes;

	pmon_mem_free(allocator, p->list, p->cap * sizeof(*p->list));
	pmon_mem_free(allocator, p->stands, p->stands_cap * sizeof(*p->stands));
	pmon_mem_free(allocator, p->kinds, p->kinds_cap * sizeof(*p->kinds));
	pmon_mem_free(allocator, p->kind_of, p->kind_of_cap * sizeof(*p->kind_of));
	pmon_mem_free(allocator, p->found, p->found_cap * sizeof(*p->found));
	pmon_mem_free(allocator, p->given, p->given_cap * sizeof(*p->given));
	pmon_mem_free(allocator, p->spare, p->spare_cap * sizeof(*p->spare));
	pmon_mem_free(allocator, p->next_spare, p->next_spare_cap * sizeof(*p->next_spare));
	pmon_map_free(&p->map, allocator);
	pmon_map_free(&p->given_map, allocator);
	pmon_map_free(&p->kind_map, allocator);
	pmon_mem_free(allocator, p->same, p->same_cap * sizeof(*p->same));
	pmon_map_free(&p->same_map, allocator);
}
