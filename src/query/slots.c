// slots.c - which process or thread has each instance name
// SPDX-License-Identifier: MIT

#include "query/slots.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "core/calc.h"
#include "model/english.h"

// ---- Who a process is -----------------------------------------------------------------------

// Linux reports the start of a process with a resolution of one clock tick: 10 ms.
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

static enum pmon_role
role_of(struct pmon_span counter)
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
	       pmon_text_same(object, PMON_SPAN("Process V2")) ||
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

// Ticks per second of the clock in the second raw value of a counter; 0: no clock.
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
pmon_slot_started(const struct pmon_series *series, pmon_time age_100ns, const struct pmon_raw *now,
		  struct pmon_raw *out)
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

// ---- The list -------------------------------------------------------------------------------

void
pmon_slots_init(struct pmon_slots *slots, const struct pmon_allocator *allocator,
		const struct pmon_schema *schema)
{
	*slots = (struct pmon_slots){.allocator = allocator,
				     .schema = schema,
				     .seed = pmon_hash_seed(),
				     .log_start = PMON_TIME_NONE};
}

static void
free_stream(const struct pmon_slots *slots, struct pmon_slot_stream *stream)
{
	pmon_mem_free(slots->allocator, stream->there, stream->there_cap * sizeof(*stream->there));
}

void
pmon_slots_free(struct pmon_slots *slots)
{
	const struct pmon_allocator *allocator = slots->allocator;

	pmon_mem_free(allocator, slots->list, slots->cap * sizeof(*slots->list));
	pmon_mem_free(allocator, slots->instances,
		      slots->instances_cap * sizeof(*slots->instances));
	pmon_mem_free(allocator, slots->members, slots->members_cap * sizeof(*slots->members));
	pmon_mem_free(allocator, slots->kept, slots->kept_cap * sizeof(*slots->kept));
	for (size_t i = 0; i < slots->n_streams; i++)
		free_stream(slots, &slots->streams[i]);
	pmon_mem_free(allocator, slots->streams, slots->streams_cap * sizeof(*slots->streams));
	pmon_streams_free(&slots->numbers, allocator);
	pmon_mem_free(allocator, slots->touched, slots->touched_cap * sizeof(*slots->touched));
	pmon_mem_free(allocator, slots->series, slots->series_cap * sizeof(*slots->series));
	pmon_mem_free(allocator, slots->identifying,
		      slots->identifying_cap * sizeof(*slots->identifying));
	pmon_map_free(&slots->instance_map, allocator);
	pmon_map_free(&slots->there_map, allocator);
}

void
pmon_slots_rewind(struct pmon_slots *slots)
{
	for (size_t i = 0; i < slots->n; i++) {
		struct pmon_slot *slot = &slots->list[i];

		*slot = (struct pmon_slot){.path = slot->path, .instance = slot->instance};
	}
	for (size_t i = 0; i < slots->n_members; i++) {
		slots->members[i].generation = 0;
		slots->members[i].is_waiting = slots->members[i].has_owner = false;
	}
	for (size_t i = 0; i < slots->n_streams; i++)
		free_stream(slots, &slots->streams[i]);
	slots->n_streams = slots->n_waiting = 0;
	pmon_streams_clear(&slots->numbers);
	for (size_t i = 0; i < slots->n_kept; i++)
		slots->kept[i].stamp = 0;
	slots->stamp = 0;
	slots->is_begun = false;
}

// ---- Slots ----------------------------------------------------------------------------------

static uint64_t
hash_of(uint64_t seed, const struct pmon_path *path)
{
	uint64_t hash = pmon_map_mix_name(seed ^ (uint32_t)path->index, path->machine);

	hash = pmon_map_mix_name(hash, path->object);
	hash = pmon_map_mix_name(hash, path->parent);
	return pmon_map_mix_name(hash, path->instance);
}

// Adjacent series of a schema often share their texts.
static bool
same_name(struct pmon_span a, struct pmon_span b)
{
	return (a.ptr == b.ptr && a.len == b.len) || pmon_text_same(a, b);
}

static bool
same_instance(const struct pmon_path *a, const struct pmon_path *b)
{
	return a->index == b->index && same_name(a->instance, b->instance) &&
	       same_name(a->parent, b->parent) && same_name(a->object, b->object) &&
	       same_name(a->machine, b->machine);
}

bool
pmon_slot_same(const struct pmon_slot *a, const struct pmon_slot *b)
{
	return same_instance(a->path, b->path);
}

static uint32_t
find_instance(const struct pmon_slots *slots, const struct pmon_path *path, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&slots->instance_map, hash, &at)) != PMON_MAP_NONE)
		if (same_instance(slots->instances[i].path, path))
			return i;
	return PMON_SLOT_NONE;
}

const struct pmon_slot *
pmon_slots_at(const struct pmon_slots *slots, const struct pmon_path *path)
{
	uint32_t instance = find_instance(slots, path, hash_of(slots->seed, path));

	return instance != PMON_SLOT_NONE && slots->instances[instance].slot != PMON_SLOT_NONE
		       ? &slots->list[slots->instances[instance].slot]
		       : NULL;
}

// The instance of a path. PMON_SLOT_NONE when memory is short.
static uint32_t
instance_of(struct pmon_slots *slots, const struct pmon_path *path)
{
	uint64_t hash;
	uint32_t found;

	if (slots->n_instances > 0 &&
	    same_instance(slots->instances[slots->n_instances - 1].path, path))
		return (uint32_t)slots->n_instances - 1;
	hash = hash_of(slots->seed, path);
	found = find_instance(slots, path, hash);
	if (found != PMON_SLOT_NONE)
		return found;
	if (!pmon_mem_grow(slots->allocator, &slots->instances, &slots->instances_cap,
			   slots->n_instances + 1, sizeof(*slots->instances)) ||
	    !pmon_map_put(&slots->instance_map, slots->allocator, hash,
			  (uint32_t)slots->n_instances))
		return PMON_SLOT_NONE;
	slots->instances[slots->n_instances] =
		(struct pmon_instance){path, PMON_SLOT_NONE, PMON_SERIES_NONE};
	return (uint32_t)slots->n_instances++;
}

// A counter of the instance identifies its process. False when memory is short.
static bool
make_slot(struct pmon_slots *slots, uint32_t instance)
{
	if (slots->instances[instance].slot != PMON_SLOT_NONE)
		return true;
	if (!pmon_mem_grow(slots->allocator, &slots->list, &slots->cap, slots->n + 1,
			   sizeof(*slots->list)) ||
	    !pmon_mem_grow(slots->allocator, &slots->touched, &slots->touched_cap, slots->n + 1,
			   sizeof(*slots->touched)))
		return false;
	slots->list[slots->n] =
		(struct pmon_slot){.path = slots->instances[instance].path, .instance = instance};
	slots->instances[instance].slot = (uint32_t)slots->n++;
	return true;
}

// Instances that sum up others are not processes, whatever IDs they have. A process may also have
// that name; it is `_Total#1`.
static bool
is_sum(const struct pmon_path *path)
{
	return path->index == 0 &&
	       (pmon_path_is_total(path) || pmon_text_same(path->instance, PMON_SPAN("_Global_")));
}

static enum pmon_role
role_in_instance(const struct pmon_series *series)
{
	enum pmon_role role = role_of(pmon_series_english(series)->counter);

	if (role == PMON_ROLE_VALUE || is_sum(&series->path))
		return PMON_ROLE_VALUE;
	// A printed elapsed time is too coarse to identify a process.
	if (role == PMON_ROLE_ELAPSED && series->counter.type != PMON_PERF_ELAPSED_TIME)
		return PMON_ROLE_VALUE;
	return role;
}

static bool
add_member(struct pmon_slots *slots, const struct pmon_series *series)
{
	struct pmon_member *member = &slots->members[slots->n_members];
	struct pmon_calc calc;

	*member =
		(struct pmon_member){.instance = PMON_SLOT_NONE, .is_formatted = series->formatted};
	if (series->path.instance.ptr != NULL) {
		member->instance = instance_of(slots, &series->path);
		if (member->instance == PMON_SLOT_NONE)
			return false;
		member->before = slots->instances[member->instance].newest;
		slots->instances[member->instance].newest = series->id;
		member->role = (uint8_t)role_in_instance(series);
		if (member->role > PMON_ROLE_VALUE && !make_slot(slots, member->instance))
			return false;
		pmon_calc_init(&calc, &series->counter, NULL);
		member->is_paired = pmon_calc_needs_two(&calc);
	}
	slots->n_members++;
	if (pmon_slot_of(slots, series->id) != PMON_SLOT_NONE)
		member->generation = slots->list[pmon_slot_of(slots, series->id)].generation;
	return true;
}

static bool
grow(struct pmon_slots *slots)
{
	size_t n = pmon_schema_count(slots->schema);

	if (n == slots->n_members)
		return true;
	if (!pmon_mem_grow(slots->allocator, &slots->members, &slots->members_cap, n,
			   sizeof(*slots->members)) ||
	    (slots->from_start && !pmon_mem_grow(slots->allocator, &slots->kept, &slots->kept_cap,
						 n, sizeof(*slots->kept))))
		return false;
	for (; slots->from_start && slots->n_kept < n; slots->n_kept++)
		slots->kept[slots->n_kept].stamp = 0;
	while (slots->n_members < n)
		if (!add_member(slots, pmon_schema_at(slots->schema, slots->n_members)))
			return false;
	return true;
}

// ---- Processes from a sample ----------------------------------------------------------------

// A slot in a sample; what the sample says about its process is collected in `seen`.
static struct pmon_slot *
touch(struct pmon_slots *slots, uint32_t number)
{
	struct pmon_slot *slot = &slots->list[number];

	if (slot->stamp == slots->stamp)
		return slot;
	slot->stamp = slots->stamp;
	slot->seen = (struct pmon_who){.has_pid = false};
	slot->changed = slot->began = false;
	slot->from = PMON_SLOT_NONE;
	slots->touched[slots->n_touched++] = number;
	return slot;
}

static bool
read_number(const struct pmon_member *member, const struct pmon_raw *raw, int64_t *out)
{
	double number;

	*out = raw->first;
	if (!member->is_formatted)
		return true;
	number = pmon_raw_double(raw);
	if (!(number >= 0 && number <= (double)UINT32_MAX))
		return false;
	*out = (int64_t)number;
	return true;
}

// Convert clock ticks to 100 ns. PMON_TIME_NONE if the result is too large to add to a time.
static pmon_time
in_100ns(int64_t ticks, int64_t time_base)
{
	double scaled = (double)ticks * ((double)PMON_TIME_PER_SEC / (double)time_base);

	if (!(fabs(scaled) < 0x1p62))
		return PMON_TIME_NONE;
	return time_base == PMON_TIME_PER_SEC ? ticks : (pmon_time)scaled;
}

// Ignore values of processes that never started or start in the future.
static void
read_elapsed(struct pmon_slot *slot, const struct pmon_raw *raw, int64_t time_base,
	     pmon_time *clock)
{
	pmon_time now;
	pmon_time start;

	if (time_base <= 0 || raw->first <= 0 || raw->second < raw->first)
		return;
	now = in_100ns(raw->second, time_base);
	start = in_100ns(raw->first, time_base);
	if (now == PMON_TIME_NONE || start == PMON_TIME_NONE)
		return;
	*clock = now;
	slot->seen.has_start = true;
	slot->seen.start = start;
	slot->age_100ns = now - start;
}

static void
read_identifying_value(struct pmon_slots *slots, uint32_t series, const struct pmon_raw *raw,
		       pmon_time *clock)
{
	const struct pmon_member *member = &slots->members[series];
	struct pmon_slot *slot = touch(slots, pmon_slot_of(slots, series));
	struct pmon_who *seen = &slot->seen;

	if (!pmon_raw_usable(raw))
		return;
	if (member->role == PMON_ROLE_PROCESS_ID)
		seen->has_pid = read_number(member, raw, &seen->pid);
	else if (member->role == PMON_ROLE_THREAD_ID)
		seen->has_tid = read_number(member, raw, &seen->tid);
	else
		read_elapsed(slot, raw, pmon_schema_at(slots->schema, series)->counter.time_base,
			     clock);
}

// The stream of a sample, in its state before that sample. NULL when memory is short.
static struct pmon_slot_stream *
stream_of(struct pmon_slots *slots, const struct pmon_sample *sample)
{
	uint32_t at = pmon_streams_index(&slots->numbers, slots->allocator, sample->stream);
	struct pmon_slot_stream *stream;

	if (at < slots->n_streams)
		return &slots->streams[at];
	if (at != slots->n_streams || // no memory, now or before
	    !pmon_mem_grow(slots->allocator, &slots->streams, &slots->streams_cap,
			   slots->n_streams + 1, sizeof(*slots->streams)))
		return NULL;
	stream = &slots->streams[slots->n_streams++];
	*stream = (struct pmon_slot_stream){.stream = sample->stream,
					    .time = sample->ordinal > 0 ? slots->log_start
									: PMON_TIME_NONE,
					    .clock = PMON_TIME_NONE};
	return stream;
}

// ---- From one sample to the next ------------------------------------------------------------

static uint64_t
hash_of_who(uint64_t seed, const struct pmon_who *who)
{
	return pmon_map_mix(seed, (uint64_t)(who->has_tid ? who->tid : who->pid));
}

bool
pmon_slots_index(struct pmon_slots *slots, const struct pmon_slot_stream *stream)
{
	pmon_map_clear(&slots->there_map);
	for (size_t i = 0; i < stream->n_there; i++) {
		uint32_t number = stream->there[i];

		if (!pmon_map_put(&slots->there_map, slots->allocator,
				  hash_of_who(slots->seed, &slots->list[number].who), number))
			return false;
	}
	return true;
}

// Only ID and start time together identify the same process at another slot.
static bool
is_known(const struct pmon_who *who)
{
	return who->has_start && (who->has_pid || who->has_tid);
}

uint32_t
pmon_slots_find(const struct pmon_slots *slots, const struct pmon_path *path,
		const struct pmon_who *who)
{
	uint64_t hash = hash_of_who(slots->seed, who);
	size_t at = 0;
	uint32_t number;

	if (!is_known(who))
		return PMON_SLOT_NONE;
	while ((number = pmon_map_next(&slots->there_map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_slot *slot = &slots->list[number];

		if (is_known(&slot->who) && slot->who.has_tid == who->has_tid &&
		    pmon_who_same(&slot->who, who) && same_name(slot->path->object, path->object) &&
		    same_name(slot->path->machine, path->machine))
			return number;
	}
	return PMON_SLOT_NONE;
}

// Samples without any requested counter are skipped, so other samples may lie between two of a
// stream.
static bool
was_there(const struct pmon_slot *slot, const struct pmon_sample *sample)
{
	return slot->is_seen && slot->stream == sample->stream &&
	       slot->ordinal + 1 == sample->ordinal && pmon_who_same(&slot->who, &slot->seen);
}

// For processes new at their slots, find their slots in the previous sample.
static bool
find_moved(struct pmon_slots *slots, const struct pmon_sample *sample)
{
	const struct pmon_slot_stream *before = &slots->before;
	bool is_indexed = false;

	if (before->n_there == 0 || before->ordinal + 1 != sample->ordinal || sample->preceding)
		return true;
	for (size_t i = 0; i < slots->n_touched; i++) {
		struct pmon_slot *slot = &slots->list[slots->touched[i]];

		if (was_there(slot, sample) || !is_known(&slot->seen))
			continue;
		if (!is_indexed && !pmon_slots_index(slots, before))
			return false;
		is_indexed = true;
		slot->from = pmon_slots_find(slots, slot->path, &slot->seen);
	}
	return true;
}

// A process that began after the previous sample was in none of the skipped ones.
static bool
began(const struct pmon_slot *slot, const struct pmon_slot_stream *before,
      const struct pmon_sample *sample, pmon_time ahead_100ns)
{
	return slot->from == PMON_SLOT_NONE && !was_there(slot, sample) && !sample->preceding &&
	       pmon_who_began_after(&slot->seen, before->time, before->clock, ahead_100ns);
}

static void
learn(struct pmon_who *who, const struct pmon_who *seen)
{
	if (seen->has_pid)
		who->pid = seen->pid;
	if (seen->has_tid)
		who->tid = seen->tid;
	if (seen->has_start)
		who->start = seen->start;
	who->has_pid |= seen->has_pid;
	who->has_tid |= seen->has_tid;
	who->has_start |= seen->has_start;
}

static void
settle(struct pmon_slots *slots, struct pmon_slot *slot, const struct pmon_sample *sample,
       pmon_time ahead_100ns)
{
	slot->began = slots->from_start && began(slot, &slots->before, sample, ahead_100ns);
	slot->changed = slot->is_seen && !pmon_who_same(&slot->who, &slot->seen);
	if (slot->changed) {
		slot->was = slot->who;
		slot->was_ahead_100ns = ahead_100ns;
		slot->who = slot->seen;
		slot->generation++;
	} else {
		learn(&slot->who, &slot->seen);
	}
	if (slot->generation == 0)
		learn(&slot->first, &slot->seen);
	if (!slot->is_seen) {
		slot->first_age_100ns = slot->age_100ns;
		slot->first_ordinal = sample->ordinal;
		slot->first_ahead_100ns = ahead_100ns;
	}
	slot->is_seen = true;
	slot->stream = sample->stream;
	slot->ordinal = sample->ordinal;
	slots->n_changed += slot->changed;
	slots->n_led += slot->began || slot->from != PMON_SLOT_NONE;
}

// Make this the newest sample of the stream. False when memory is short.
static bool
note_sample(struct pmon_slots *slots, struct pmon_slot_stream *stream,
	    const struct pmon_sample *sample, pmon_time clock)
{
	stream->time = sample->time;
	stream->clock = clock;
	stream->ordinal = sample->ordinal;
	stream->stamp = slots->stamp;
	stream->n_there = 0;
	if (!slots->from_start || slots->n_touched == 0)
		return true;
	if (!pmon_mem_grow(slots->allocator, &stream->there, &stream->there_cap, slots->n_touched,
			   sizeof(*stream->there)))
		return false;
	memcpy(stream->there, slots->touched, slots->n_touched * sizeof(*stream->there));
	stream->n_there = slots->n_touched;
	return true;
}

// Record the series of a sample, usually those of the previous one. False when memory is short.
static bool
list_series(struct pmon_slots *slots, const struct pmon_sample *sample)
{
	size_t size = sizeof(*slots->series);

	slots->is_alike =
		slots->n_series == sample->n &&
		(sample->n == 0 || memcmp(slots->series, sample->series, sample->n * size) == 0);
	if (slots->is_alike)
		return true;
	slots->n_series = slots->n_identifying = 0;
	if (!pmon_mem_grow(slots->allocator, &slots->series, &slots->series_cap, sample->n, size) ||
	    !pmon_mem_grow(slots->allocator, &slots->identifying, &slots->identifying_cap,
			   sample->n, sizeof(*slots->identifying)))
		return false;
	for (; slots->n_series < sample->n; slots->n_series++) {
		uint32_t i = (uint32_t)slots->n_series;

		slots->series[i] = sample->series[i];
		if (slots->members[sample->series[i]].role > PMON_ROLE_VALUE)
			slots->identifying[slots->n_identifying++] = i;
	}
	return true;
}

// Read the processes of a sample. *clock is set to the time up to which `Elapsed Time` counts.
static void
read_identifying(struct pmon_slots *slots, const struct pmon_sample *sample, pmon_time *clock)
{
	for (size_t i = 0; i < sample->n; i++)
		slots->n_marked += sample->raw[i].status == PMON_RAW_CHANGED;
	for (size_t i = 0; i < slots->n_identifying; i++) {
		uint32_t at = slots->identifying[i];

		read_identifying_value(slots, sample->series[at], &sample->raw[at], clock);
	}
}

bool
pmon_slots_see(struct pmon_slots *slots, const struct pmon_sample *sample)
{
	struct pmon_slot_stream *stream;
	pmon_time clock = PMON_TIME_NONE;

	slots->n_changed = slots->n_led = slots->n_touched = slots->n_marked = 0;
	if (!grow(slots) || !list_series(slots, sample))
		return false;
	if (!slots->is_begun)
		slots->first_ordinal = sample->ordinal;
	slots->is_begun = true;
	stream = stream_of(slots, sample);
	if (stream == NULL)
		return false;
	slots->before = *stream;
	slots->stamp++;
	if (slots->n > 0)
		read_identifying(slots, sample, &clock);
	if (!find_moved(slots, sample))
		return false;
	for (size_t i = 0; i < slots->n_touched; i++)
		settle(slots, &slots->list[slots->touched[i]], sample,
		       clock != PMON_TIME_NONE ? clock - sample->time : 0);
	return note_sample(slots, stream, sample, clock);
}

void
pmon_slots_keep(struct pmon_slots *slots, const struct pmon_sample *sample)
{
	for (size_t i = 0; slots->from_start && slots->n > 0 && i < sample->n; i++) {
		uint32_t series = sample->series[i];

		if (slots->members[series].is_paired)
			slots->kept[series] = (struct pmon_kept){sample->raw[i], slots->stamp};
	}
}

bool
pmon_slots_kept(const struct pmon_slots *slots, const struct pmon_slot_stream *stream,
		uint32_t slot, const struct pmon_series *series, struct pmon_raw *out)
{
	uint32_t instance = slots->list[slot].instance;

	for (uint32_t i = slots->instances[instance].newest; i != PMON_SERIES_NONE;
	     i = slots->members[i].before) {
		const struct pmon_series *other = pmon_schema_at(slots->schema, i);
		const struct pmon_kept *kept = &slots->kept[i];

		if (other->counter.type != series->counter.type ||
		    other->counter.time_base != series->counter.time_base ||
		    !same_name(other->path.counter, series->path.counter))
			continue;
		*out = kept->raw;
		out->status = PMON_RAW_STARTED;
		out->time = stream->time; // before all later values of the other slot
		return kept->stamp == stream->stamp && pmon_raw_usable(&kept->raw);
	}
	return false;
}
