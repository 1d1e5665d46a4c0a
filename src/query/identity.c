// identity.c - prevents values computed across two processes, or across a clock change
// SPDX-License-Identifier: MIT

#include "query/identity.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/options.h"
#include "core/calc.h"
#include "model/english.h"
#include "path/words.h"

// ---- Series ---------------------------------------------------------------------------------

static bool
is_shown(const struct pmon_identity *identity, const struct pmon_series *series)
{
	const struct pmon_select *shown = identity->options.shown;

	return shown == NULL || pmon_select_shows(shown, series);
}

// Whether output series have the numbers of input series.
static bool
is_direct(const struct pmon_identity *identity)
{
	return identity->base.inner != NULL;
}

// The output number of an input series. Series of instances are numbered by process, when they have
// their first value.
static enum pmon_status
map_series(struct pmon_identity *identity, const struct pmon_series *series)
{
	bool waits = identity->options.by_process && series->path.instance.ptr != NULL;
	uint32_t id = PMON_SERIES_NONE;
	enum pmon_status status = PMON_OK;

	if (waits && !pmon_processes_add(identity, series))
		return PMON_E_NOMEM;
	if (!waits && is_shown(identity, series))
		status = pmon_schema_copy(&identity->base.schema, series, &id);
	identity->map[identity->n_map++] = id;
	return status;
}

static enum pmon_status
map_new_series(struct pmon_identity *identity)
{
	const struct pmon_schema *schema = pmon_source_schema(identity->input);
	size_t n = pmon_schema_count(schema);
	enum pmon_status status = PMON_OK;

	if (!pmon_mem_grow(identity->allocator, &identity->map, &identity->map_cap, n,
			   sizeof(*identity->map)))
		return PMON_E_NOMEM;
	while (status == PMON_OK && identity->n_map < n)
		status = map_series(identity, pmon_schema_at(schema, identity->n_map));
	return status;
}

// ---- Samples --------------------------------------------------------------------------------

// Whether a value is the first usable one of a series since the process at its slot changed.
static bool
is_changed(struct pmon_identity *identity, uint32_t series, const struct pmon_raw *raw)
{
	struct pmon_slots *slots = &identity->slots;
	struct pmon_member *member = &slots->members[series];
	uint32_t number = pmon_slot_of(slots, series);
	const struct pmon_slot *slot;
	bool changed;

	if (number == PMON_SLOT_NONE || !member->is_paired)
		return false;
	slot = &slots->list[number];
	changed = slot->changed && slot->stamp == slots->stamp;
	if (identity->many_streams)
		changed = member->generation != slot->generation;
	member->generation = slot->generation;
	changed |= member->is_waiting;
	slots->n_waiting -= member->is_waiting;
	member->is_waiting = changed && !pmon_raw_usable(raw);
	slots->n_waiting += member->is_waiting;
	return changed && !member->is_waiting;
}

// The preceding raw value for a series of a process that began since the previous sample, or had
// another slot in it.
static bool
find_start(const struct pmon_identity *identity, uint32_t series, const struct pmon_raw *now,
	   struct pmon_raw *out)
{
	const struct pmon_slots *slots = &identity->slots;
	const struct pmon_member *member = &slots->members[series];
	uint32_t number = pmon_slot_of(slots, series);
	const struct pmon_slot *slot;
	const struct pmon_series *in;

	if (number == PMON_SLOT_NONE || !member->is_paired || member->is_formatted ||
	    !pmon_raw_usable(now))
		return false;
	slot = &slots->list[number];
	if (slot->stamp != slots->stamp)
		return false;
	in = pmon_schema_at(slots->schema, series);
	if (slot->from != PMON_SLOT_NONE)
		return pmon_slots_kept(slots, &slots->before, slot->from, in, out);
	return slot->began && pmon_slot_started(in, slot->age_100ns, now, out);
}

// By process: a series of an instance that no counter identifies as a process.
static enum pmon_status
map_unidentified(struct pmon_identity *identity, uint32_t number, const struct pmon_series *series,
		 uint32_t *out)
{
	enum pmon_status status = pmon_schema_copy(&identity->base.schema, series, out);

	identity->map[number] = *out;
	return status;
}

// The current output number of a series; PMON_SERIES_NONE if it is not passed on.
static enum pmon_status
number_of(struct pmon_identity *identity, uint32_t series, const struct pmon_raw *raw,
	  uint32_t *out)
{
	struct pmon_member *member;
	const struct pmon_series *in;

	*out = is_direct(identity) ? series : identity->map[series];
	if (*out != PMON_SERIES_NONE || !identity->options.by_process)
		return PMON_OK;
	member = &identity->slots.members[series];
	if (member->instance == PMON_SLOT_NONE)
		return PMON_OK;
	if (pmon_processes_know(&identity->processes, series, out))
		return PMON_OK;
	in = pmon_schema_at(pmon_source_schema(identity->input), series);
	if (!member->is_asked)
		member->is_hidden = !is_shown(identity, in);
	member->is_asked = true;
	if (member->is_hidden)
		return PMON_OK;
	if (pmon_slot_of(&identity->slots, series) != PMON_SLOT_NONE)
		return pmon_processes_map(identity, series, raw, out);
	return map_unidentified(identity, series, in, out);
}

// The clock of a slot's process minus UTC, when that process was first seen.
static pmon_time
ahead_of(const struct pmon_slot *slot)
{
	return slot->generation == 0 ? slot->first_ahead_100ns : slot->was_ahead_100ns;
}

// Add the owner of a value unless it was added before. A value counted from the start of its
// process is not paired with an earlier one, so it needs no comparison with other logs.
static enum pmon_status
tell_owner(struct pmon_identity *identity, uint32_t series, const struct pmon_raw *raw,
	   struct pmon_err *err)
{
	struct pmon_slots *slots = &identity->slots;
	struct pmon_member *member = &slots->members[series];
	uint32_t number = pmon_slot_of(slots, series);
	uint32_t generation;
	struct pmon_raw owner;
	struct pmon_raw start;

	if (number == PMON_SLOT_NONE || !member->is_paired || !pmon_raw_usable(raw))
		return PMON_OK;
	generation = slots->list[number].generation;
	owner = pmon_who_owner(&slots->list[number].who, raw->time);
	if (identity->options.owners_in_utc && (owner.multi & PMON_OWNER_START) != 0)
		owner.second -= ahead_of(&slots->list[number]);
	if (owner.multi == 0 || (member->has_owner && member->owner_generation == generation &&
				 member->owner == owner.multi))
		return PMON_OK;
	member->owner = (uint8_t)owner.multi;
	member->owner_generation = generation;
	if (!member->has_owner && !find_start(identity, series, raw, &start))
		owner.multi |= PMON_OWNER_FIRST;
	member->has_owner = true;
	if (!is_direct(identity))
		series = identity->map[series];
	return series != PMON_SERIES_NONE ? pmon_gather_add(&identity->owners, series, &owner, err)
					  : PMON_OK;
}

// Add the owners of an input sample's values if they are new.
static enum pmon_status
tell_owners(struct pmon_identity *identity, const struct pmon_sample *in, struct pmon_err *err)
{
	struct pmon_sample head = *in;
	enum pmon_status status = PMON_OK;

	head.preceding = head.starts = true;
	pmon_gather_begin(&identity->owners, &head);
	for (size_t i = 0; status == PMON_OK && i < in->n; i++)
		status = tell_owner(identity, in->series[i], &in->raw[i], err);
	return status;
}

// One value of a sample in which slots have changed, and where its process began if that is known.
static enum pmon_status
give_changed(struct pmon_identity *identity, uint32_t series, uint32_t number,
	     const struct pmon_raw *raw, struct pmon_err *err)
{
	struct pmon_raw start;
	struct pmon_raw copy = *raw;
	bool changed = is_changed(identity, series, raw);
	enum pmon_status status = PMON_OK;

	// The writer of the log may have seen other samples, and marked slots; here it may be by
	// process.
	if (copy.status == PMON_RAW_CHANGED &&
	    pmon_slot_of(&identity->slots, series) != PMON_SLOT_NONE)
		copy.status = PMON_RAW_VALID;
	if (find_start(identity, series, raw, &start))
		status = pmon_gather_add(&identity->starts, number, &start, err);
	else if (changed && !identity->options.by_process)
		copy.status = PMON_RAW_CHANGED;
	else if (pmon_raw_plain(&copy) && pmon_clocks_stepped(&identity->clocks, series))
		copy.status = PMON_RAW_STEPPED;
	return status == PMON_OK ? pmon_gather_add(&identity->gather, number, &copy, err) : status;
}

// Whether the caller no longer wants a series.
static bool
hides(const struct pmon_identity *identity, uint32_t series)
{
	const struct pmon_identity_options *options = &identity->options;

	return options->hides != NULL &&
	       options->hides(options->hides_ctx,
			      pmon_schema_at(pmon_source_schema(identity->input), series));
}

static enum pmon_status
give_value(struct pmon_identity *identity, uint32_t series, const struct pmon_raw *raw,
	   bool changes, struct pmon_err *err)
{
	uint32_t number;
	enum pmon_status status;

	if (hides(identity, series))
		return PMON_OK;
	status = number_of(identity, series, raw, &number);
	if (status != PMON_OK)
		return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
	if (number == PMON_SERIES_NONE)
		return PMON_OK;
	return changes ? give_changed(identity, series, number, raw, err)
		       : pmon_gather_add(&identity->gather, number, raw, err);
}

// A sample with the series of the last one, without changes.
static void
give_alike(struct pmon_identity *identity, const struct pmon_sample *in)
{
	struct pmon_gather *gather = &identity->gather;
	size_t n = gather->sample.n;
	const uint32_t *from = identity->alike.from;

	gather->sample = *in;
	gather->sample.n = n;
	gather->sample.series = gather->series;
	gather->sample.raw = n == in->n ? in->raw : gather->raw;
	for (size_t i = 0; n < in->n && i < n; i++)
		gather->raw[i] = in->raw[from[i]];
}

// Add the values of an input sample to the output sample.
static enum pmon_status
give_values(struct pmon_identity *identity, const struct pmon_sample *in, struct pmon_err *err)
{
	struct pmon_alike *alike = &identity->alike;
	uint32_t version = identity->processes.version;
	bool changes = pmon_identity_changes(identity);
	enum pmon_status status = PMON_OK;

	alike->version = 0;
	if (!pmon_mem_grow(identity->allocator, &alike->from, &alike->cap, in->n,
			   sizeof(*alike->from)))
		return pmon_err_nomem(err);
	for (size_t i = 0; status == PMON_OK && i < in->n; i++) {
		alike->from[identity->gather.sample.n] = (uint32_t)i;
		status = give_value(identity, in->series[i], &in->raw[i], changes, err);
	}
	if (!changes && version == identity->processes.version)
		alike->version = version;
	return status;
}

// Build the output sample from the input sample.
static enum pmon_status
rebuild(struct pmon_identity *identity, const struct pmon_sample **sample, struct pmon_err *err)
{
	const struct pmon_sample *in = *sample;
	struct pmon_sample before = *in;
	enum pmon_status status;

	*sample = &identity->gather.sample;
	if (identity->slots.is_alike && !pmon_identity_changes(identity) &&
	    identity->alike.version == identity->processes.version) {
		give_alike(identity, in);
		return PMON_OK;
	}
	before.ordinal--;
	before.preceding = before.starts = true;
	before.owners = NULL;
	pmon_gather_begin(&identity->gather, in);
	pmon_gather_begin(&identity->starts, &before);
	status = give_values(identity, in, err);
	if (status != PMON_OK || identity->starts.sample.n == 0)
		return status;
	identity->waiting = **sample;
	identity->has_waiting = true;
	*sample = &identity->starts.sample;
	return PMON_OK;
}

// From the second stream on, values of one slot come in several samples.
static void
note_stream(struct pmon_identity *identity, const struct pmon_sample *sample)
{
	struct pmon_slots *slots = &identity->slots;

	if (identity->is_begun && !identity->many_streams && identity->stream != sample->stream) {
		identity->many_streams = true;
		for (size_t i = 0; i < slots->n_members; i++)
			if (pmon_slot_of(slots, (uint32_t)i) != PMON_SLOT_NONE)
				slots->members[i].generation =
					slots->list[pmon_slot_of(slots, (uint32_t)i)].generation;
	}
	identity->is_begun = true;
	identity->stream = sample->stream;
}

static enum pmon_status
see(struct pmon_identity *identity, const struct pmon_sample *sample, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	note_stream(identity, sample);
	if (!pmon_slots_see(&identity->slots, sample) ||
	    !pmon_clocks_see(&identity->clocks, sample))
		return pmon_err_nomem(err);
	if (is_direct(identity))
		return PMON_OK;
	identity->base.info = *pmon_source_info(identity->input);
	identity->base.info.lists_series &= !identity->options.by_process;
	status = map_new_series(identity);
	if (status == PMON_OK && identity->options.by_process)
		status = pmon_processes_see(identity);
	return status == PMON_OK ? PMON_OK
				 : pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
}

enum pmon_status
pmon_identity_take(struct pmon_identity *identity, const struct pmon_sample **sample,
		   struct pmon_err *err)
{
	const struct pmon_sample *in = *sample;
	bool tells = identity->options.tells_owners && !identity->options.by_process;
	enum pmon_status status = see(identity, in, err);

	if (status == PMON_OK && tells && identity->slots.n > 0)
		status = tell_owners(identity, in, err);
	if (status != PMON_OK)
		return status;
	if (identity->owners.sample.n > 0) {
		identity->given = *in;
		identity->given.owners = &identity->owners.sample;
		*sample = &identity->given;
	}
	if (!is_direct(identity) || pmon_identity_changes(identity))
		status = rebuild(identity, sample, err);
	else
		identity->base.numbers = identity->input->numbers;
	pmon_slots_keep(&identity->slots, in);
	return status;
}

static enum pmon_status
identity_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct pmon_identity *identity = (struct pmon_identity *)source;
	enum pmon_status status;

	source->numbers = NULL;
	*sample = &identity->waiting;
	if (identity->has_waiting) {
		identity->has_waiting = false;
		return PMON_OK;
	}
	status = pmon_source_next(identity->input, sample, err);
	if (status == PMON_END && !is_direct(identity))
		identity->base.info = *pmon_source_info(identity->input);
	return status == PMON_OK ? pmon_identity_take(identity, sample, err) : status;
}

static enum pmon_status
identity_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct pmon_identity *identity = (struct pmon_identity *)source;

	identity->has_waiting = identity->is_begun = identity->many_streams = false;
	identity->alike.version = 0;
	pmon_slots_rewind(&identity->slots);
	pmon_clocks_rewind(&identity->clocks);
	pmon_processes_rewind(&identity->processes);
	return pmon_source_rewind(identity->input, err);
}

static void
identity_close(struct pmon_source *source)
{
	struct pmon_identity *identity = (struct pmon_identity *)source;
	const struct pmon_allocator *allocator = identity->allocator;

	pmon_source_close(identity->input);
	pmon_mem_free(allocator, identity->map, identity->map_cap * sizeof(*identity->map));
	pmon_gather_free(&identity->gather);
	pmon_gather_free(&identity->starts);
	pmon_gather_free(&identity->owners);
	pmon_processes_free(identity);
	pmon_slots_free(&identity->slots);
	pmon_clocks_free(&identity->clocks);
	pmon_mem_free(allocator, identity->alike.from,
		      identity->alike.cap * sizeof(*identity->alike.from));
	pmon_schema_free(&identity->base.schema);
	pmon_mem_free(allocator, identity, sizeof(*identity));
}

static const struct pmon_source_ops identity_ops = {identity_next, identity_rewind, identity_close};

struct pmon_identity *
pmon_identity_of(struct pmon_source *source)
{
	return source->ops == &identity_ops ? (struct pmon_identity *)source : NULL;
}

// ---- What is known of processes -------------------------------------------------------------

// Does the name of a process end in its ID, as "svchost:1234" of Process V2 and "svchost_1234" do?
static bool
has_own_id(struct pmon_span name)
{
	size_t n = name.len;

	while (n > 0 && pmon_is_digit(name.ptr[n - 1]))
		n--;
	return n > 1 && n < name.len && (name.ptr[n - 1] == ':' || name.ptr[n - 1] == '_');
}

bool
pmon_identity_is_unknown(const struct pmon_source *source)
{
	const struct pmon_identity *identity = (const struct pmon_identity *)source;
	const struct pmon_slots *slots = &identity->slots;

	if (identity->is_unknown)
		return true;
	for (size_t i = 0; i < slots->n_instances; i++) {
		const struct pmon_path *path = slots->instances[i].path;

		if (slots->instances[i].slot == PMON_SLOT_NONE &&
		    pmon_object_is_process(path->object) && pmon_path_ranks(path) &&
		    !has_own_id(path->instance))
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
	const struct pmon_slot *slot = pmon_slots_at(&identity->slots, path);

	if (slot == NULL || slot->generation == 0)
		return false;
	*before = public_who(&slot->was, slot->was_ahead_100ns);
	*after = public_who(&slot->who, slot->was_ahead_100ns);
	return true;
}

bool
pmon_identity_who(const struct pmon_identity *identity, const struct pmon_path *path,
		  struct pmon_identity_who *who, uint32_t *generation)
{
	const struct pmon_slot *slot = pmon_slots_at(&identity->slots, path);

	if (slot == NULL)
		return false;
	*who = public_who(&slot->who, ahead_of(slot));
	*generation = slot->generation;
	return true;
}

// ---- Patterns -------------------------------------------------------------------------------

static bool
begins_with(struct pmon_span text, struct pmon_span start)
{
	return text.len >= start.len &&
	       pmon_text_same((struct pmon_span){text.ptr, start.len}, start);
}

// Whether words may match counters of a process.
static bool
could_be_process(struct pmon_span words)
{
	const struct pmon_span any = {NULL, 0};

	return pmon_words_could(words, PMON_SPAN("Process"), any) ||
	       pmon_words_could(words, PMON_SPAN("Process V2"), any);
}

// Whether the pattern may match counters of a process, but not those that identify it.
static bool
needs_identity_counters(const struct pmon_path *pattern)
{
	struct pmon_span object = pattern->object;
	bool any_object;

	if (pmon_path_is_words(pattern))
		return could_be_process(pattern->counter);
	any_object = memchr(object.ptr, '*', object.len) != NULL ||
		     memchr(object.ptr, '?', object.len) != NULL;

	if (pattern->instance.ptr == NULL || pmon_text_same(pattern->counter, PMON_SPAN("*")))
		return false;
	return any_object || pmon_object_is_process(object) ||
	       begins_with(object, PMON_SPAN(".NET"));
}

#define COUNTER_SIZE 64 // for an English object and counter

static enum pmon_status
add_identity_counters(struct pmon_select *select, const struct pmon_path *pattern, size_t size,
		      struct pmon_err *err)
{
	struct pmon_path path = *pattern;
	enum pmon_status status = PMON_OK;
	const char *counter;

	if (pmon_path_is_words(&path)) {
		path.object = PMON_SPAN("*");
		path.instance = PMON_SPAN("*");
		path.index = PMON_INDEX_NONE;
	}
	path.object = pmon_english_object(path.object); // as in the counters
	for (size_t i = 0; status == PMON_OK && (counter = pmon_role_counter(i)) != NULL; i++) {
		char *text = pmon_mem_alloc(pmon_mem_allocator(NULL), size);
		size_t len;

		if (text == NULL)
			return pmon_err_nomem(err);
		path.counter = (struct pmon_span){counter, strlen(counter)};
		len = pmon_path_format(&path, text, size);
		status = pmon_select_add(select, (struct pmon_span){text, len}, err);
		pmon_mem_free(pmon_mem_allocator(NULL), text, size);
	}
	return status;
}

// Add a pattern, and the patterns it needs. *widened is set if there are any.
static enum pmon_status
add_pattern(struct pmon_select *select, const char *text, bool *widened, struct pmon_err *err)
{
	struct pmon_span pattern = {text, strlen(text)};
	struct pmon_path path;
	enum pmon_status status = pmon_select_add(select, pattern, err);

	if (status != PMON_OK || !pmon_search_parse(pattern, &path, NULL) ||
	    !needs_identity_counters(&path))
		return status;
	*widened = true;
	return add_identity_counters(select, &path, pattern.len + COUNTER_SIZE, err);
}

enum pmon_status
pmon_identity_select(const struct pmon_select *select, const struct pmon_allocator *allocator,
		     struct pmon_select **out, struct pmon_err *err)
{
	enum pmon_status status = pmon_select_new(allocator, out, err);
	bool widened = false;

	for (size_t i = 0; status == PMON_OK && i < pmon_select_count(select); i++)
		status = add_pattern(*out, pmon_select_pattern(select, i), &widened, err);
	if (status != PMON_OK || !widened) {
		pmon_select_free(*out);
		*out = NULL;
	}
	return status;
}

// ---- Parts ----------------------------------------------------------------------------------

// A part. Only the first part is known to have no processes before its first sample.
static enum pmon_status
open_part(const struct pmon_identity *whole, struct pmon_source *input, bool is_first,
	  struct pmon_source **part, struct pmon_err *err)
{
	enum pmon_status status = pmon_identity_open(input, &whole->options, part, err);

	if (status == PMON_OK && !is_first)
		((struct pmon_identity *)*part)->slots.log_start = PMON_TIME_NONE;
	return status;
}

static enum pmon_status
identity_split(struct pmon_source *source, uint64_t part_bytes, struct pmon_source **parts,
	       size_t *n, struct pmon_err *err)
{
	struct pmon_identity *identity = (struct pmon_identity *)source;
	struct pmon_source *input = identity->input;
	enum pmon_status status = input->split->split(input, part_bytes, parts, n, err);

	for (size_t i = 0; i < *n; i++) {
		struct pmon_source *part = parts[i];

		parts[i] = NULL;
		if (part != NULL && status == PMON_OK)
			status = open_part(identity, part, i == 0, &parts[i], err);
		else
			pmon_source_close(part);
	}
	return status;
}

// Map the output series of a part to those of the whole, from the mapping of their inputs.
static void
map_part(const struct pmon_identity *whole, const struct pmon_identity *part,
	 const uint32_t *input_map, uint32_t *map)
{
	for (size_t i = 0; i < part->n_map; i++)
		if (part->map[i] != PMON_SERIES_NONE)
			map[part->map[i]] = whole->map[input_map[i]];
}

#define MOST_PARTS 64

// Join the inputs, and map output series accordingly.
static enum pmon_status
join_inputs(struct pmon_identity *whole, struct pmon_source *const *parts, size_t n,
	    uint32_t *const *maps, struct pmon_err *err)
{
	struct pmon_source *inputs[MOST_PARTS];
	uint32_t *input_maps[MOST_PARTS] = {NULL};
	size_t known = pmon_schema_count(pmon_source_schema(whole->input));
	enum pmon_status status = n <= MOST_PARTS ? PMON_OK : PMON_E_STATE;

	for (size_t i = 0; i < n && status == PMON_OK; i++) {
		const struct pmon_identity *part = (const struct pmon_identity *)parts[i];

		inputs[i] = part->input;
		input_maps[i] = pmon_mem_alloc(whole->allocator,
					       (part->n_map + 1) * sizeof(*input_maps[i]));
		if (input_maps[i] == NULL)
			status = pmon_err_nomem(err);
		for (size_t k = 0; status == PMON_OK && k < part->n_map; k++)
			input_maps[i][k] = k < known ? (uint32_t)k : PMON_SERIES_NONE;
	}
	if (status == PMON_OK)
		status = whole->input->split->join(whole->input, inputs, n, input_maps, err);
	if (status == PMON_OK)
		status = map_new_series(whole);
	for (size_t i = 0; i < n && i < MOST_PARTS; i++) {
		const struct pmon_identity *part = (const struct pmon_identity *)parts[i];

		if (status == PMON_OK)
			map_part(whole, part, input_maps[i], maps[i]);
		pmon_mem_free(whole->allocator, input_maps[i],
			      (part->n_map + 1) * sizeof(*input_maps[i]));
	}
	return status;
}

static enum pmon_status
join_direct(struct pmon_identity *whole, struct pmon_source *const *parts, size_t n,
	    uint32_t *const *maps, struct pmon_err *err)
{
	struct pmon_source *inputs[MOST_PARTS];

	if (n > MOST_PARTS)
		return PMON_E_STATE;
	for (size_t i = 0; i < n; i++)
		inputs[i] = ((const struct pmon_identity *)parts[i])->input;
	return whole->input->split->join(whole->input, inputs, n, maps, err);
}

static enum pmon_status
identity_join(struct pmon_source *source, struct pmon_source *const *parts, size_t n,
	      uint32_t *const *maps, struct pmon_err *err)
{
	struct pmon_identity *whole = (struct pmon_identity *)source;
	enum pmon_status status = is_direct(whole) ? join_direct(whole, parts, n, maps, err)
						   : join_inputs(whole, parts, n, maps, err);

	for (size_t i = 0; i < n; i++)
		whole->is_unknown |= pmon_identity_is_unknown(parts[i]);
	if (!is_direct(whole))
		whole->base.info = *pmon_source_info(whole->input);
	return status;
}

static const struct pmon_source_split identity_splits = {identity_split, identity_join};

// ---- Opening --------------------------------------------------------------------------------

static struct pmon_identity *
new_identity(struct pmon_source *source, const struct pmon_identity_options *options)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_identity *identity = pmon_mem_alloc0(allocator, sizeof(*identity));
	bool hides;

	if (identity == NULL)
		return NULL;
	hides = options->shown != NULL && pmon_select_count(options->shown) > 0;
	identity->base.ops = &identity_ops;
	identity->base.inner = hides || options->by_process ? NULL : source;
	identity->input = source;
	if (source->split != NULL && !options->by_process)
		identity->base.split = &identity_splits;
	identity->options = *options;
	identity->allocator = allocator;
	pmon_schema_init(&identity->base.schema, allocator);
	pmon_gather_init(&identity->gather, allocator);
	pmon_gather_init(&identity->starts, allocator);
	pmon_gather_init(&identity->owners, allocator);
	identity->processes.seed = pmon_hash_seed();
	identity->processes.version = 1;
	pmon_slots_init(&identity->slots, allocator, pmon_source_schema(source));
	pmon_clocks_init(&identity->clocks, allocator, pmon_source_schema(source));
	identity->slots.from_start = options->from_start;
	identity->slots.log_start = pmon_source_info(source)->log_start;
	return identity;
}

enum pmon_status
pmon_identity_open(struct pmon_source *source, const struct pmon_identity_options *options,
		   struct pmon_source **out, struct pmon_err *err)
{
	struct pmon_identity_options own;
	struct pmon_identity *identity;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*out = NULL;
	if (status != PMON_OK) {
		pmon_source_close(source);
		return status;
	}
	identity = new_identity(source, &own);
	if (identity == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	if (!is_direct(identity)) {
		identity->base.info = *pmon_source_info(source);
		identity->base.info.lists_series &= !own.by_process;
		status = map_new_series(identity);
	}
	if (status != PMON_OK) {
		identity_close(&identity->base);
		return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
	}
	*out = &identity->base;
	return PMON_OK;
}
