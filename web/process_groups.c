// process_groups.c - processes of one name, summed, for metrics
// SPDX-License-Identifier: MIT

#include "web/process_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

#define N_RANKS 2
#define NO_CELL UINT32_MAX

const char *const process_group_patterns[] = {
	"\\Process(*)\\% Processor Time", "\\Process(*)\\Working Set",
	"\\Process(*)\\IO Data Bytes/sec", "\\Process(*)\\Thread Count", NULL};

static const char *const ranks[N_RANKS] = {"% Processor Time", "Working Set"};

// A name, in all families.
struct group {
	struct pmon_span name;
	bool is_shown;
};

// A family of a group.
struct cell {
	struct pmon_series series; // its path has the name of the group
	struct om_track track;     // for its labels
	uint32_t group;
	uint64_t n; // counted so far
	uint64_t d;
	uint64_t pairs;
	// Of its newest sample
	uint64_t ordinal;
	bool begun;
	uint64_t d_step; // the longest that one process made
	uint64_t pairs_step;
	double sums[OM_PARTS]; // of gauges
};

// A series of one process, when it was added last.
struct member {
	uint32_t cell;
	bool begun;
	uint64_t n;
	uint64_t d;
	uint64_t pairs;
};

struct process_groups {
	const struct om_registry *registry;
	const struct pmon_allocator *allocator;
	size_t top;
	struct group *groups;
	size_t n_groups;
	size_t groups_cap;
	struct cell **cells;
	size_t n_cells;
	size_t cells_cap;
	struct member *members; // by series
	size_t n_members;
	size_t members_cap;
	struct pmon_map group_map;
	struct pmon_map cell_map;
	struct pmon_arena arena;
	uint64_t ordinal; // of the newest sample
	struct place {
		const struct cell *cell;
		double number;
	} * places; // for ranking
	size_t places_cap;
};

struct process_groups *
process_groups_open(const struct om_registry *registry, size_t top)
{
	const struct pmon_allocator *allocator = registry->allocator;
	struct process_groups *groups = pmon_mem_alloc0(allocator, sizeof(*groups));

	if (groups == NULL)
		return NULL;
	groups->registry = registry;
	groups->allocator = allocator;
	groups->top = top;
	pmon_arena_init(&groups->arena, allocator);
	return groups;
}

void
process_groups_close(struct process_groups *groups)
{
	const struct pmon_allocator *allocator;

	if (groups == NULL)
		return;
	allocator = groups->allocator;
	pmon_mem_free(allocator, groups->groups, groups->groups_cap * sizeof(*groups->groups));
	pmon_mem_free(allocator, groups->cells, groups->cells_cap * sizeof(struct cell *));
	pmon_mem_free(allocator, groups->members, groups->members_cap * sizeof(*groups->members));
	pmon_mem_free(allocator, groups->places, groups->places_cap * sizeof(*groups->places));
	pmon_map_free(&groups->group_map, allocator);
	pmon_map_free(&groups->cell_map, allocator);
	pmon_arena_free(&groups->arena);
	pmon_mem_free(allocator, groups, sizeof(*groups));
}

static bool
is_text(struct pmon_span text, const char *other)
{
	return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

bool
process_groups_has(const struct om_track *track)
{
	return track->family != OM_NO_FAMILY && is_text(track->series->path.object, "Process");
}

// ---- Groups and cells -----------------------------------------------------------------------

// The group of a name; a new one if there is none. NO_CELL when memory is short.
static uint32_t
find_group(struct process_groups *groups, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_bytes(groups->registry->seed, name.ptr, name.len);
	struct group group = {.is_shown = false};
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&groups->group_map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_order(groups->groups[i].name, name) == 0)
			return i;
	i = (uint32_t)groups->n_groups;
	if (!pmon_mem_grow(groups->allocator, &groups->groups, &groups->groups_cap, i + 1,
			   sizeof(group)) ||
	    !pmon_arena_copy(&groups->arena, name, &group.name) ||
	    !pmon_map_put(&groups->group_map, groups->allocator, hash, i))
		return NO_CELL;
	groups->groups[groups->n_groups++] = group;
	return i;
}

static struct cell *
make_cell(struct process_groups *groups, const struct om_track *track, uint32_t group)
{
	struct cell *cell = pmon_arena_alloc(&groups->arena, sizeof(*cell));

	if (cell == NULL)
		return NULL;
	cell->series = *track->series;
	cell->series.path.instance = groups->groups[group].name;
	cell->series.path.index = 0;
	cell->track = *track;
	cell->track.series = &cell->series;
	cell->track.same_before = 0;
	cell->group = group;
	return cell;
}

static uint32_t
find_cell(struct process_groups *groups, const struct om_track *track)
{
	uint32_t group = find_group(groups, track->series->path.instance);
	uint64_t hash = pmon_map_mix(pmon_map_mix(groups->registry->seed, group), track->family);
	struct cell *cell;
	size_t at = 0;
	uint32_t i;

	if (group == NO_CELL)
		return NO_CELL;
	while ((i = pmon_map_next(&groups->cell_map, hash, &at)) != PMON_MAP_NONE)
		if (groups->cells[i]->group == group &&
		    groups->cells[i]->track.family == track->family)
			return i;
	i = (uint32_t)groups->n_cells;
	cell = make_cell(groups, track, group);
	if (cell == NULL ||
	    !pmon_mem_grow(groups->allocator, &groups->cells, &groups->cells_cap, i + 1,
			   sizeof(struct cell *)) ||
	    !pmon_map_put(&groups->cell_map, groups->allocator, hash, i))
		return NO_CELL;
	groups->cells[groups->n_cells++] = cell;
	return i;
}

static struct member *
find_member(struct process_groups *groups, const struct om_track *track)
{
	uint32_t id = track->series->id;

	if (!pmon_mem_grow(groups->allocator, &groups->members, &groups->members_cap, id + 1,
			   sizeof(*groups->members)))
		return NULL;
	while (groups->n_members <= id)
		groups->members[groups->n_members++] = (struct member){.cell = NO_CELL};
	if (groups->members[id].cell == NO_CELL)
		groups->members[id].cell = find_cell(groups, track);
	return groups->members[id].cell != NO_CELL ? &groups->members[id] : NULL;
}

// ---- Sums -----------------------------------------------------------------------------------

static void
begin_sample(struct cell *cell, uint64_t ordinal)
{
	if (cell->begun && cell->ordinal == ordinal)
		return;
	cell->begun = true;
	cell->ordinal = ordinal;
	cell->d_step = cell->pairs_step = 0;
	memset(cell->sums, 0, sizeof(cell->sums));
}

// What one process made adds to the sum only where it is more than all before it in this sample made.
static void
add_longest(uint64_t *sum, uint64_t *step, uint64_t more)
{
	if (more <= *step)
		return;
	*sum += more - *step;
	*step = more;
}

bool
process_groups_take(struct process_groups *groups, const struct om_track *track, bool is_start,
		    const double numbers[OM_PARTS])
{
	struct member *member = find_member(groups, track);
	struct cell *cell;

	if (member == NULL)
		return false;
	cell = groups->cells[member->cell];
	if (!is_start) {
		groups->ordinal = track->ordinal;
		begin_sample(cell, track->ordinal);
		for (int i = 0; i < OM_PARTS; i++)
			cell->sums[i] += numbers[i];
	}
	if (!is_start && member->begun) {
		cell->n += track->n - member->n;
		add_longest(&cell->d, &cell->d_step, track->d - member->d);
		add_longest(&cell->pairs, &cell->pairs_step, track->pairs - member->pairs);
	}
	*member = (struct member){member->cell, true, track->n, track->d, track->pairs};
	return true;
}

static double
number_of(const struct cell *cell, int part)
{
	const struct om_part *of = &cell->track.plan.parts[part];

	switch (of->from) {
	case OM_N:
		return pmon_om_in_unit((double)cell->n, of);
	case OM_D:
		return pmon_om_in_unit((double)cell->d, of);
	case OM_PAIRS:
		return (double)cell->pairs;
	default:
		return cell->sums[part];
	}
}

// ---- Ranks ----------------------------------------------------------------------------------

static bool
is_there(const struct process_groups *groups, const struct cell *cell)
{
	struct pmon_span name = groups->groups[cell->group].name;

	return cell->begun && cell->ordinal == groups->ordinal && !is_text(name, "_Total") &&
	       !is_text(name, "Idle");
}

// The largest first; of equals the one that came first.
static int
compare_places(const void *a, const void *b)
{
	const struct place *one = a;
	const struct place *other = b;

	if (one->number != other->number)
		return one->number > other->number ? -1 : 1;
	return one->cell->group < other->cell->group ? -1 : one->cell->group > other->cell->group;
}

// Short of memory for ranking, all groups stay as they were.
static void
show_top(struct process_groups *groups, const char *counter)
{
	size_t n = 0;

	if (!pmon_mem_grow(groups->allocator, &groups->places, &groups->places_cap, groups->n_cells,
			   sizeof(*groups->places)))
		return;
	for (size_t i = 0; i < groups->n_cells; i++) {
		const struct cell *cell = groups->cells[i];

		if (is_there(groups, cell) && is_text(cell->series.path.counter, counter))
			groups->places[n++] = (struct place){cell, number_of(cell, OM_MAIN)};
	}
	if (n > 0)
		qsort(groups->places, n, sizeof(*groups->places), compare_places);
	for (size_t i = 0; i < n && i < groups->top; i++)
		groups->groups[groups->places[i].cell->group].is_shown = true;
}

void
process_groups_rank(struct process_groups *groups)
{
	for (size_t i = 0; i < groups->n_groups; i++)
		groups->groups[i].is_shown = false;
	for (size_t i = 0; i < N_RANKS; i++)
		show_top(groups, ranks[i]);
}

void
process_groups_each(const struct process_groups *groups, uint32_t family, int part,
		    process_group_fn give, void *ctx)
{
	for (size_t i = 0; i < groups->n_cells; i++) {
		const struct cell *cell = groups->cells[i];

		if (cell->track.family == family && groups->groups[cell->group].is_shown &&
		    is_there(groups, cell))
			give(ctx, &cell->track, number_of(cell, part));
	}
}
