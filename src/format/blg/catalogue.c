// catalogue.c - record 0x20: the counters of a log
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "path/split.h"
#include "base/utf.h"

#define HEAD_BYTES     8
#define ENTRY_BYTES    0x34 // up to the texts
#define MOST_FILL      15   // after them; Windows Vista writes up to 14, later versions up to 6
#define FLAG_WILDCARD  0x01u
#define FLAG_OBJECT    0x10u
#define NO_STRING      UINT32_MAX
#define MAX_CATALOGUES 4096 // in one file

// The order of series of later catalogues: entry << 40 | instance << 16 | column.
#define ORDER_ENTRY_SHIFT 40

// ---- Logs -----------------------------------------------------------------------------------

struct blg_log *
pmon_blg_log_find(struct blg *blg, const uint8_t id[16])
{
	for (size_t i = 0; i < blg->n_logs; i++)
		if (memcmp(blg->logs[i].id, id, sizeof(blg->logs[i].id)) == 0)
			return &blg->logs[i];
	return NULL;
}

static struct blg_log *
add_log(struct blg *blg, const uint8_t id[16])
{
	struct blg_log *log;

	if (!pmon_mem_grow(blg->allocator, &blg->logs, &blg->logs_cap, blg->n_logs + 1,
			   sizeof(*blg->logs)))
		return NULL;
	log = &blg->logs[blg->n_logs++];
	blg->log = NULL; // they may have moved
	*log = (struct blg_log){.last_time = PMON_TIME_NONE};
	memcpy(log->id, id, sizeof(log->id));
	return log;
}

static struct blg_catalogue *
find_same(const struct blg_log *log, const struct blg_record *record)
{
	for (size_t i = 0; i < log->n_catalogues; i++) {
		struct blg_catalogue *c = log->catalogues[i];

		if (c->len == record->len && memcmp(c->bytes, record->bytes, c->len) == 0)
			return c;
	}
	return NULL;
}

// ---- Entries --------------------------------------------------------------------------------

// The texts of an entry. There are no gaps between them.
struct entry_strings {
	struct pmon_rd rd;
	size_t first, end; // their beginning and end, in rd
	size_t bytes;      // of all texts, including NULs
};

static void
count_string(struct entry_strings *strings, size_t at, size_t len)
{
	if (at < strings->first)
		strings->first = at;
	if (at + len > strings->end)
		strings->end = at + len;
	strings->bytes += len;
}

// A NUL inside a text leaves bytes that belong to no text.
static bool
are_strings_whole(const struct entry_strings *strings)
{
	const struct pmon_rd *r = &strings->rd;

	if (r->len - strings->end > MOST_FILL)
		return false;
	for (size_t i = strings->end; i < r->len; i++)
		if (r->base[i] != 0)
			return false;
	return strings->first + strings->bytes >= strings->end;
}

// The text at an offset of the entry's text area. Absent texts are {NULL, 0}.
static bool
read_string(struct blg *blg, struct entry_strings *strings, uint32_t at, struct pmon_span *out)
{
	struct pmon_perf_name name = {.unit = 2};
	struct pmon_rd r = strings->rd;
	struct pmon_span text;
	size_t len;

	*out = (struct pmon_span){NULL, 0};
	if (at == NO_STRING)
		return true;
	pmon_rd_seek(&r, at);
	if (!pmon_rd_ok(&r) || !pmon_utf16_length(r.base + r.pos, pmon_rd_left(&r), &len) ||
	    len > blg->limits.string_bytes)
		return false;
	count_string(strings, at, len + 2);
	name.ptr = r.base + r.pos;
	name.len = len;
	if (!pmon_blg_utf8(blg, &name, &text) || !pmon_arena_copy(&blg->arena, text, out)) {
		blg->no_memory = true;
		return false;
	}
	return true;
}

static bool
read_path(struct blg *blg, struct pmon_rd *r, struct pmon_path *path)
{
	uint32_t machine = pmon_rd_u32(r);
	uint32_t object = pmon_rd_u32(r);
	uint32_t instance = pmon_rd_u32(r);
	uint32_t parent = pmon_rd_u32(r);
	uint32_t index = pmon_rd_u32(r);
	uint32_t counter = pmon_rd_u32(r);
	struct entry_strings strings = {
		.rd = pmon_rd_sub(r, ENTRY_BYTES, r->len - ENTRY_BYTES),
		.first = SIZE_MAX,
	};

	if (!read_string(blg, &strings, machine, &path->machine) ||
	    !read_string(blg, &strings, object, &path->object) ||
	    !read_string(blg, &strings, instance, &path->instance) ||
	    !read_string(blg, &strings, parent, &path->parent) ||
	    !read_string(blg, &strings, counter, &path->counter) || !are_strings_whole(&strings))
		return false;
	path->machine = pmon_blg_machine(path->machine);
	path->index = index <= INT32_MAX ? (int32_t)index : 0;
	return path->object.len > 0 && path->counter.len > 0;
}

// Is the second value of this type the system clock? It is for rates and queue lengths on the 100
// ns clock; fractions and precision timers have a base instead.
static bool
has_clock(uint32_t type)
{
	uint32_t subtype = type & 0x000F0000u;

	return (type & 0x00300C00u) == 0x00100400u &&
	       (subtype == 0x00010000u || subtype == 0x00050000u);
}

static bool
add_column(struct blg *blg, struct blg_entry *entry, const struct pmon_counter *counter)
{
	entry->columns = pmon_mem_alloc(blg->allocator, sizeof(*entry->columns));
	if (entry->columns == NULL)
		return false;
	entry->columns_cap = 1;
	entry->columns[0] = (struct blg_column){.name = entry->path.counter, .counter = *counter};
	entry->n_columns = 1;
	return true;
}

// The user data that pmon stores. No Windows counter has the type PERF_DOUBLE_RAW in a log: in
// other logs, it is how older versions of pmon stored the displayed values of a text log.
static void
take_user_data(const struct blg *blg, uint32_t user, struct blg_entry *entry,
	       struct pmon_counter *counter)
{
	bool by_pmon = blg->etl.header.origin.exists;

	entry->is_formatted = counter->type == PMON_PERF_DOUBLE_RAW &&
			      (!by_pmon || (user & BLG_USER_FORMATTED) != 0);
	entry->type_known = entry->is_formatted && by_pmon && user != BLG_USER_UNKNOWN;
	entry->known_type = entry->type_known ? user & ~BLG_USER_FORMATTED : 0;
	if (by_pmon && (user == 4 || user == 8))
		counter->size_bytes = (uint8_t)user;
}

// One entry
//	0x00  u32  bytes of the entry, a multiple of 8
//	0x04  u32  flags: 0x01 all instances, 0x10 whole object; 0x20000000 has no known meaning
//	0x08  u32  user data of the logging program; of pmon see BLG_USER_FORMATTED
//	0x0C  u32  counter type; 0x10 for whole objects
//	0x10  i64  time base, ticks a second of the second value
//	0x18  i32  default scale, a power of ten
//	0x1C  u32  machine (\\NAME), object, instance, parent instance: offsets of strings,
//	           0xFFFFFFFF where there is none
//	0x2C  u32  instance index
//	0x30  u32  counter: offset of a string; * for whole objects
//	0x34       strings, NUL-terminated UTF-16, without gaps; the offsets count from here
// Source: seen in all files; the order from 0x1C on is that of PDH_COUNTER_PATH_ELEMENTS. Returns
// false if it is damaged, or with blg->no_memory set.
static bool
read_entry(struct blg *blg, struct pmon_rd r, struct blg_entry *entry)
{
	struct pmon_counter counter = {0};
	uint32_t flags, user;

	pmon_rd_skip(&r, 4);
	flags = pmon_rd_u32(&r);
	user = pmon_rd_u32(&r);
	counter.type = pmon_rd_u32(&r);
	take_user_data(blg, user, entry, &counter);
	counter.time_base = pmon_rd_i64(&r);
	counter.default_scale = pmon_rd_i32(&r);
	entry->form = BLG_FORM_SINGLE;
	if (flags & FLAG_OBJECT)
		entry->form = BLG_FORM_OBJECT;
	else if (flags & FLAG_WILDCARD)
		entry->form = BLG_FORM_MULTI;
	if (!read_path(blg, &r, &entry->path))
		return false;
	if (entry->form == BLG_FORM_OBJECT)
		return true;
	entry->has_clock = has_clock(counter.type);
	if (entry->form == BLG_FORM_SINGLE)
		pmon_path_split_instance(&entry->path);
	if (!add_column(blg, entry, &counter)) {
		blg->no_memory = true;
		return false;
	}
	return true;
}

bool
pmon_blg_many_new(struct pmon_arena *arena, struct blg_entry *entry, const struct blg_entry *before)
{
	struct blg_many *many = pmon_arena_alloc(arena, sizeof(*many));

	entry->many = many;
	if (many == NULL)
		return false;
	*many = (struct blg_many){.n_listed = 0};
	many->roll = before != NULL ? before->many->roll : &many->own_roll;
	many->instances = before != NULL ? before->many->instances : &many->own_instances;
	many->own_instances.roll = many->roll;
	many->column = many->roll->n_columns++;
	return true;
}

void
pmon_blg_many_free(struct blg_many *many, const struct pmon_allocator *allocator)
{
	if (many == NULL)
		return;
	pmon_mem_free(allocator, many->listed, many->listed_cap * sizeof(*many->listed));
	pmon_blg_instances_free(&many->own_instances, allocator);
	pmon_blg_roll_free(&many->own_roll, allocator);
	pmon_blg_layout_free(&many->layout, allocator);
}

static bool
is_same_text(struct pmon_span a, struct pmon_span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

// Whether it is the same wildcard for another counter.
static bool
lists_the_same(const struct blg_entry *a, const struct blg_entry *b)
{
	return a->form == BLG_FORM_MULTI && b->form == BLG_FORM_MULTI && a->many != NULL &&
	       a->many->roll->n_columns < BLG_ROLL_COLUMNS &&
	       is_same_text(a->path.machine, b->path.machine) &&
	       is_same_text(a->path.object, b->path.object) &&
	       is_same_text(a->path.parent, b->path.parent) &&
	       is_same_text(a->path.instance, b->path.instance) && a->path.index == b->path.index;
}

// ---- Catalogues -----------------------------------------------------------------------------

// The window of the next entry. False at the end, and if its length is implausible.
static bool
next_entry(struct pmon_rd *r, struct pmon_rd *out)
{
	size_t at = pmon_rd_pos(r);
	uint32_t bytes;

	if (pmon_rd_left(r) < 8)
		return false;
	bytes = pmon_rd_u32(r);
	if (bytes < ENTRY_BYTES)
		pmon_rd_fail(r);
	*out = pmon_rd_sub(r, at, bytes);
	pmon_rd_seek(r, at + bytes);
	return pmon_rd_ok(r);
}

static size_t
count_entries(const struct blg_record *record)
{
	struct pmon_rd r = pmon_rd_init(record->bytes, record->len, record->offset);
	struct pmon_rd entry;
	size_t n = 0;

	pmon_rd_skip(&r, HEAD_BYTES);
	while (next_entry(&r, &entry))
		n++;
	return n;
}

// before is the previous entry, or NULL.
static enum pmon_status
load_entry(struct blg *blg, struct blg_entry *entry, const struct blg_entry *before,
	   struct pmon_rd r, struct pmon_err *err)
{
	entry->series = PMON_SERIES_NONE;
	entry->order = (uint64_t)blg->n_entries++ << ORDER_ENTRY_SHIFT;
	if (!read_entry(blg, r, entry)) {
		if (blg->no_memory)
			return pmon_err_nomem(err);
		entry->is_broken = true;
		pmon_report_loss(&blg->report, r.origin, r.len,
				 "entry %zu of the list of counters is damaged", blg->n_entries);
		return PMON_OK;
	}
	if (entry->form != BLG_FORM_SINGLE) {
		if (before != NULL && !lists_the_same(before, entry))
			before = NULL;
		return pmon_blg_many_new(&blg->arena, entry, before) ? PMON_OK
								     : pmon_err_nomem(err);
	}
	return pmon_blg_series_add(blg, entry, &entry->series, err);
}

static uint32_t
plan_of(const struct blg_entry *entry)
{
	uint32_t clock = entry->has_clock ? BLG_PLAN_CLOCK : 0;

	if (entry->is_broken || entry->form != BLG_FORM_SINGLE)
		return BLG_PLAN_OTHER;
	if (entry->series == PMON_SERIES_NONE)
		return clock | BLG_PLAN_SKIP;
	return entry->series < BLG_PLAN_OTHER ? clock | entry->series : BLG_PLAN_OTHER;
}

// Whether the value of an entry with this plan is needed. *clock is set by the first entry
// that has the offset to UTC.
static bool
is_looked_at(uint32_t plan, bool *clock)
{
	bool is_first = (plan & BLG_PLAN_CLOCK) != 0 && !*clock;

	*clock = *clock || is_first;
	return is_first || (plan & BLG_PLAN_SERIES) != BLG_PLAN_SKIP;
}

// If all are single values: which of them are needed.
static bool
list_few(struct blg *blg, struct blg_catalogue *c)
{
	bool clock = false;
	size_t n = 0;

	c->few = NULL;
	for (size_t i = 0; i < c->n; i++) {
		if (c->plan[i] == BLG_PLAN_OTHER)
			return true;
		n += is_looked_at(c->plan[i], &clock);
	}
	if (c->is_cut || n > c->n / 64)
		return true;
	c->few = pmon_arena_alloc(&blg->arena, (n + 1) * sizeof(*c->few));
	if (c->few == NULL)
		return false;
	clock = false;
	c->n_few = 0;
	for (size_t i = 0; i < c->n; i++)
		if (is_looked_at(c->plan[i], &clock))
			c->few[c->n_few++] = (uint32_t)i;
	return true;
}

static bool
tells_perf(const struct blg_entry *entry)
{
	if (entry->is_broken || entry->form == BLG_FORM_OBJECT)
		return !entry->is_broken;
	return entry->n_columns > 0 &&
	       pmon_perf_tells(entry->columns[0].counter.type, entry->columns[0].counter.time_base);
}

// Find the performance clock. Single values have a known position in a sample if only single ones
// precede them; others are looked at only if no other entry has the clock.
static void
find_perf(struct blg_catalogue *c)
{
	bool follows_singles = true;

	c->perf_entry = SIZE_MAX;
	c->perf_moves = false;
	for (size_t i = 0; i < c->n && (c->perf_entry == SIZE_MAX || c->perf_moves); i++) {
		bool is_single = c->entries[i].form == BLG_FORM_SINGLE;
		bool moves = is_single && !follows_singles;

		if (tells_perf(&c->entries[i]) && (c->perf_entry == SIZE_MAX || !moves)) {
			c->perf_entry = i;
			c->perf_moves = moves;
		}
		follows_singles = follows_singles && is_single;
	}
	if (c->perf_moves)
		c->plan[c->perf_entry] = BLG_PLAN_OTHER;
}

static enum pmon_status
load_entries(struct blg *blg, struct blg_catalogue *c, size_t from, struct pmon_err *err)
{
	struct pmon_rd r = pmon_rd_init(c->bytes, c->len, c->offset);
	struct pmon_rd window;

	pmon_rd_skip(&r, from);
	while (next_entry(&r, &window)) {
		struct blg_entry *entry = &c->entries[c->n];
		enum pmon_status status =
			load_entry(blg, entry, c->n > 0 ? entry - 1 : NULL, window, err);

		c->plan[c->n++] = plan_of(entry);
		if (status != PMON_OK)
			return status;
		c->has_objects = c->has_objects || entry->form == BLG_FORM_OBJECT;
	}
	find_perf(c);
	c->is_cut = !pmon_rd_ok(&r);
	if (c->is_cut)
		pmon_report_loss(&blg->report, r.fail_at, c->offset + c->len - r.fail_at,
				 "the list of counters is damaged after entry %zu", c->n);
	return list_few(blg, c) ? PMON_OK : pmon_err_nomem(err);
}

static struct blg_catalogue *
new_catalogue(struct blg *blg, const struct blg_record *record, size_t n_entries)
{
	struct blg_catalogue *c = pmon_arena_alloc(&blg->arena, sizeof(*c));
	uint8_t *bytes = pmon_arena_alloc(&blg->arena, record->len);

	if (c == NULL || bytes == NULL)
		return NULL;
	memcpy(bytes, record->bytes, record->len);
	c->bytes = bytes;
	c->len = record->len;
	c->offset = record->offset;
	c->entries = pmon_arena_alloc(&blg->arena, n_entries * sizeof(*c->entries));
	c->plan = pmon_arena_alloc(&blg->arena, n_entries * sizeof(*c->plan));
	return c->entries != NULL && c->plan != NULL ? c : NULL;
}

// Whether the list begins with all of the log's newest list. A writer that continues after new
// counters appear writes such lists.
static struct blg_catalogue *
find_beginning(const struct blg_log *log, const struct blg_catalogue *c)
{
	struct blg_catalogue *before =
		log->n_catalogues > 0 ? log->catalogues[log->n_catalogues - 1] : NULL;

	if (before == NULL || before->is_cut || before->len >= c->len ||
	    memcmp(before->bytes, c->bytes, before->len) != 0)
		return NULL;
	return before;
}

// The same counters stay the same series: share the entries with catalogues that already have them.
static size_t
share_entries(struct blg_log *log, struct blg_catalogue *c)
{
	const struct blg_catalogue *before = find_beginning(log, c);
	const struct blg_entry *old;

	if (before == NULL)
		return HEAD_BYTES;
	old = before->entries;
	memcpy(c->entries, old, before->n * sizeof(*old));
	memcpy(c->plan, before->plan, before->n * sizeof(*c->plan));
	c->n = c->n_shared = before->n;
	c->has_objects = before->has_objects;
	for (size_t i = 0; i < log->n_catalogues; i++)
		if (log->catalogues[i]->entries == old)
			log->catalogues[i]->entries = c->entries;
	return before->len;
}

static enum pmon_status
add_catalogue(struct blg *blg, const struct blg_record *record, size_t n_entries,
	      struct pmon_err *err)
{
	struct blg_catalogue *c = new_catalogue(blg, record, n_entries);
	struct blg_log *log = pmon_blg_log_find(blg, record->log_id);
	uint64_t seen = blg->report.seen;
	enum pmon_status status;
	size_t from;

	if (log == NULL)
		log = add_log(blg, record->log_id);
	if (c == NULL || log == NULL ||
	    !pmon_mem_grow(blg->allocator, &log->catalogues, &log->catalogues_cap,
			   log->n_catalogues + 1, sizeof(struct blg_catalogue *)))
		return pmon_err_nomem(err);
	from = share_entries(log, c);
	log->catalogues[log->n_catalogues++] = c;
	log->current = c;
	blg->n_catalogues++;
	// Report its errors even during the look-ahead, because it is read only once.
	blg->report.seen = 0;
	status = load_entries(blg, c, from, err);
	blg->report.seen = seen;
	return status;
}

enum pmon_status
pmon_blg_catalogue_load(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	struct blg_log *log = pmon_blg_log_find(blg, record->log_id);
	struct blg_catalogue *same = log != NULL ? find_same(log, record) : NULL;
	size_t n = count_entries(record);

	if (same != NULL) {
		log->current = same;
		return PMON_OK;
	}
	if (n == 0) {
		pmon_report_loss(&blg->report, record->offset, record->len,
				 "a list of counters is damaged at its beginning");
		return PMON_OK;
	}
	if (n > blg->limits.series || blg->n_catalogues >= MAX_CATALOGUES)
		return pmon_err_set(err, PMON_E_LIMIT, record->offset,
				    "too many counters, or lists of counters, in one log");
	return add_catalogue(blg, record, n, err);
}

void
pmon_blg_catalogues_settle(struct blg *blg)
{
	for (size_t i = 0; i < blg->n_logs; i++)
		if (blg->logs[i].n_catalogues > 0)
			blg->logs[i].initial = blg->logs[i].catalogues[0];
}

// Instances that are listed again, and whole objects, are returned again.
static void
skip_listed(struct blg_many *many, const bool *unread, size_t n)
{
	for (size_t i = 0; i < many->n_listed; i++)
		if (many->listed[i].series < n && unread[many->listed[i].series])
			many->listed[i].series = PMON_SERIES_NONE;
}

void
pmon_blg_catalogue_skip(struct blg_catalogue *c, const bool *unread, size_t n)
{
	for (size_t i = 0; i < c->n; i++) {
		uint32_t series = c->plan[i] & BLG_PLAN_SERIES;

		if (series < BLG_PLAN_OTHER && series < n && unread[series])
			c->plan[i] |= BLG_PLAN_SKIP;
		else if (c->entries[i].form == BLG_FORM_SINGLE && c->entries[i].series < n &&
			 unread[c->entries[i].series])
			c->entries[i].series = PMON_SERIES_NONE;
		else if (c->entries[i].many != NULL)
			skip_listed(c->entries[i].many, unread, n);
	}
}

void
pmon_blg_catalogues_rewind(struct blg *blg)
{
	for (size_t i = 0; i < blg->n_logs; i++) {
		struct blg_log *log = &blg->logs[i];

		log->current = log->initial;
		log->n_samples = 0;
		log->last_time = PMON_TIME_NONE;
		log->has_offset = false;
	}
}

static void
free_catalogue(struct blg *blg, struct blg_catalogue *c)
{
	for (size_t i = c->n_shared; i < c->n; i++) {
		struct blg_entry *e = &c->entries[i];

		pmon_mem_free(blg->allocator, e->columns, e->columns_cap * sizeof(*e->columns));
		pmon_blg_many_free(e->many, blg->allocator);
	}
}

void
pmon_blg_catalogues_free(struct blg *blg)
{
	for (size_t i = 0; i < blg->n_logs; i++) {
		struct blg_log *log = &blg->logs[i];

		for (size_t k = 0; k < log->n_catalogues; k++)
			free_catalogue(blg, log->catalogues[k]);
		pmon_mem_free(blg->allocator, log->catalogues,
			      log->catalogues_cap * sizeof(struct blg_catalogue *));
	}
	pmon_mem_free(blg->allocator, blg->logs, blg->logs_cap * sizeof(*blg->logs));
	blg->logs = NULL;
	blg->n_logs = 0;
}
