// counters.h - the BLG reader's state for the counters of a log (private)
// SPDX-License-Identifier: MIT
//
// A log has catalogues (record 0x20): lists of entries. An entry is a single counter, a counter of
// all instances, or a whole object, and has instances and their series. Names come from record
// 0x24. blg.h has the steps from bytes to records, and from records to samples.

#ifndef PMON_FORMAT_BLG_COUNTERS_H
#define PMON_FORMAT_BLG_COUNTERS_H

#include <pmon/log.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "model/perfdata.h"

#define BLG_NONE UINT32_MAX // no index

struct blg;
struct blg_record;

// ---- names.c: counter names by title index --------------------------------------------------

struct blg_names {
	struct blg_names *next; // another machine's, or another log's
	uint8_t log_id[16];
	struct pmon_span machine; // without backslashes
	uint32_t table;           // of blg.titles
};

// Load a record 0x24. Names that are already known do not change.
PMON_NODISCARD enum pmon_status pmon_blg_names_load(struct blg *blg,
						    const struct blg_record *record,
						    struct pmon_err *err);

// The name of a title index on a machine, or {NULL, 0}.
struct pmon_span pmon_blg_names_find(const struct blg *blg, const uint8_t log_id[16],
				     struct pmon_span machine, uint32_t title);

// ---- catalogue.c: the counters of a log -----------------------------------------------------

// A counter as an entry defines it: the entry's own, or one of those of a whole object.
struct blg_column {
	uint32_t title; // index of the name; objects only
	struct pmon_span name;
	struct pmon_counter counter;
	uint32_t stamp; // blg_layout.stamp of the layout that uses it
};

// The parsed definitions of a whole object. They are compared byte by byte with those of the next
// sample, which are normally identical.
struct blg_layout {
	bool is_known; // false until it was loaded successfully
	uint8_t *definitions;
	size_t len;
	size_t cap;
	uint32_t n_definitions;
	int64_t block_freq;
	int64_t object_freq;
	struct pmon_perf_counter *counters;
	uint32_t *columns; // parallel to counters: index into blg_entry.columns
	size_t n;
	size_t counters_cap;
	size_t columns_cap;
	uint32_t stamp;
};

#define BLG_NOT_ASKED (PMON_SERIES_NONE - 1) // the series of an instance was not requested yet

// An instance seen so far. Instances of the same name (and parent) form a chain from the
// first of them, the head; the n-th of that name in a record is the n-th of the chain.
struct blg_instance {
	struct pmon_perf_name name; // bytes in the arena
	struct pmon_perf_name parent;
	uint32_t hash;    // of both
	uint32_t ordinal; // 0 is the first of its name
	uint32_t head;
	uint32_t next;    // in the chain, or BLG_NONE
	uint32_t *series; // one per column: PMON_SERIES_NONE if not wanted, or BLG_NOT_ASKED
	uint32_t n_series;
	uint32_t series_cap;
	bool is_wanted; // any of them is
	uint32_t stamp; // blg_layout.stamp of the layout whose columns were requested last
};

// The position in a chain, by the number of its head.
struct blg_chain {
	uint32_t serial; // of the record in which it was last used ...
	uint32_t cursor; // ... and the instance that was used last
};

// The instance at one position of the last record. If it is the first of its name and has no
// parent, this is enough to recognize it in the next record.
struct blg_place {
	uint32_t
		at; // offset of its name in the image; BLG_NONE if the name alone does not identify it
	uint32_t len;    // of its name in bytes, without the NUL that follows
	uint32_t number; // in the list
};

// All instances seen so far. Entries with the same wildcard for several counters share a roll, with
// one column each.
struct blg_roll {
	struct blg_instance *list;
	struct blg_chain *chains; // parallel to list
	size_t n;
	size_t cap;
	size_t chains_cap;
	struct pmon_map map;     // heads by name
	struct pmon_map indexed; // those whose path has an index, by that path
	uint64_t hash_seed;      // of `indexed`
	uint32_t serial;         // of the record that is being read
	uint32_t n_columns;
};

#define BLG_ROLL_COLUMNS 64 // columns per roll: each instance has room for all of them

// The instances of successive records.
struct blg_instances {
	struct blg_roll *roll;
	struct blg_place *places; // in the order of the last record
	size_t n_places;
	size_t places_cap;
	uint8_t *image; // the names of the last record, as bytes of the record
	size_t image_cap;
	uint32_t image_len;
	// the record that is being read
	size_t position; // current position in it
	size_t budget;   // bytes still allowed for names in it
	size_t n_marked; // positions entered into their chains
	const uint8_t *names;
	uint32_t names_len;
	uint32_t shift;     // names[i + shift] is image[i] ...
	uint32_t same_from; // ... for i from here
	uint32_t same_to;   // ... to here
	uint32_t next_at;   // of the name of the next item, or BLG_NONE
	unsigned n_moves;
	bool is_same;    // all names equal those of the image
	bool is_changed; // the image is out of date for the next record
	bool is_mixed;   // some instance was not found at its position
	bool is_whole;   // it was read completely
};

// An instance and its series of an entry.
struct blg_listed {
	uint32_t number;
	uint32_t series;
};

// The state of an entry with instances while it is read.
struct blg_many {
	struct blg_roll *roll;
	uint32_t
		column; // column in the roll; objects have their own roll, with the columns of their entry
	// Counters of the same object usually list the same instances: their records share this
	// until one lists different instances than the previous record.
	struct blg_instances *instances;
	struct blg_listed
		*listed; // by position in the newest record of the entry, as far as is known
	size_t n_listed;
	size_t listed_cap;
	struct blg_layout layout; // objects only
	// for entries that share neither
	struct blg_roll own_roll;
	struct blg_instances own_instances;
};

// One entry of a catalogue. The fields that a sample of single values needs come first; there may
// be tens of thousands of entries, so fields that only others need are stored separately.
struct blg_entry {
	uint32_t series;   // of a single value
	uint16_t form;     // that its value records have, BLG_FORM_*
	bool is_broken;    // could not be read; its values are skipped
	bool has_clock;    // the second value is the system clock, in UTC
	bool is_formatted; // values from a text log, whose counter has known_type if that is known
	bool type_known;
	uint32_t known_type;
	uint64_t order; // first value of pmon_series.order
	struct pmon_path path;
	struct blg_column *columns;
	size_t n_columns;
	size_t columns_cap;
	struct blg_many *many; // NULL for a single value
};

// The user data of an entry in a log that pmon wrote: for displayed values BLG_USER_FORMATTED and
// the type word, or BLG_USER_UNKNOWN; otherwise the size of the raw value in bytes, or 0.
#define BLG_USER_FORMATTED UINT32_C(0x80000000)
#define BLG_USER_UNKNOWN   UINT32_MAX

// How a sample of single values handles an entry: its series number, with BLG_PLAN_CLOCK if
// has_clock is set; BLG_PLAN_SKIP if it is not wanted; BLG_PLAN_OTHER for anything else.
#define BLG_PLAN_CLOCK  ((uint32_t)1 << 31)
#define BLG_PLAN_SERIES (BLG_PLAN_CLOCK - 1)
#define BLG_PLAN_SKIP   BLG_PLAN_SERIES
#define BLG_PLAN_OTHER  (BLG_PLAN_SERIES - 1)

struct blg_catalogue {
	const uint8_t *bytes; // the record itself: identical bytes mean the same catalogue
	size_t len;
	uint64_t offset;
	bool has_objects;
	bool is_cut; // entries after the last one could not be read
	// A list that continues the previous one shares its entries: the first n_shared of the
	// array belong to that list.
	struct blg_entry *entries;
	uint32_t *plan; // parallel to entries
	// If all entries are single values and only few are needed: the numbers of these; otherwise
	// NULL.
	uint32_t *few;
	size_t n_few;
	size_t n;
	size_t n_shared;
	size_t perf_entry; // the entry whose values contain the performance clock, or SIZE_MAX
	bool perf_moves;   // it has single values, and their position in a sample varies
};

// One log in the file, known by its log id. Nearly always there is one.
struct blg_log {
	uint8_t id[16];
	struct blg_catalogue **catalogues;
	size_t n_catalogues;
	size_t catalogues_cap;
	struct blg_catalogue *initial; // NULL if unknown at the beginning
	struct blg_catalogue *current;
	uint64_t n_samples;
	pmon_time last_time;      // of the previous sample, UTC
	bool has_offset;          // the data had an offset to UTC ...
	int32_t offset_min;       // ... the latest one
	int32_t first_offset_min; // ... and the first one
};

// Load a record 0x20, and make it the current catalogue of its log.
PMON_NODISCARD enum pmon_status pmon_blg_catalogue_load(struct blg *blg,
							const struct blg_record *record,
							struct pmon_err *err);

// Call this after the look-ahead: each log begins with the first catalogue found for it. One found
// later is never used first, so that every pass over the log has the same result.
void pmon_blg_catalogues_settle(struct blg *blg);

// The values of these series are no longer wanted (model/source.h).
void pmon_blg_catalogue_skip(struct blg_catalogue *c, const bool *unread, size_t n);

// Restart reading.
void pmon_blg_catalogues_rewind(struct blg *blg);

void pmon_blg_catalogues_free(struct blg *blg);

// The log of an id, or NULL.
struct blg_log *pmon_blg_log_find(struct blg *blg, const uint8_t id[16]);

// ---- series.c: the series of counters -------------------------------------------------------

// The series of an entry with its own path. *series_out is PMON_SERIES_NONE if it is not wanted.
PMON_NODISCARD enum pmon_status pmon_blg_series_add(struct blg *blg, const struct blg_entry *entry,
						    uint32_t *series_out, struct pmon_err *err);

// The series requested so far, wanted or not.
struct blg_asked {
	uint64_t n;
	uint64_t bytes; // of their paths
};

// Whether they are within the limits.
bool pmon_blg_series_are_few(const struct blg_asked *asked, const struct pmon_limits *limits);

// The position of the series of a column of an instance among all series.
uint64_t pmon_blg_series_order(const struct blg_entry *entry, const struct blg_instance *instance,
			       size_t column);

// Request the series of the entry's columns that were not requested yet.
PMON_NODISCARD enum pmon_status pmon_blg_instance_complete(struct blg *blg,
							   const struct blg_entry *entry,
							   struct blg_instance *instance,
							   struct pmon_err *err);

// The series of the same column that the instance's namesake has (pmon_blg_roll_namesake()), or
// PMON_SERIES_NONE.
uint32_t pmon_blg_series_of_namesake(struct blg *blg, const struct blg_roll *roll,
				     const struct blg_instance *instance, uint32_t column);

// Whether parent, instance and index of a series equal those of a path.
bool pmon_blg_series_is_of(const struct blg *blg, uint32_t series, const struct pmon_path *path);

// If both are in one record, they are two instances: the second value of a series in a sample goes
// to another series with the same path.
PMON_NODISCARD enum pmon_status pmon_blg_part_namesakes(struct blg *blg, struct pmon_err *err);

// Make room for the series of n columns. False when memory is short.
bool pmon_blg_instance_reserve(struct blg *blg, struct blg_instance *instance, uint32_t n);

// ---- instances.c: the instances of an entry -------------------------------------------------

// Begin a record of an entry's instances. Names must not exceed its `bytes` bytes in total;
// overlapping names would let a small file use a lot of memory.
void pmon_blg_instances_begin(struct blg_instances *set, size_t bytes);

// The instance at the next position of the record; *out is valid until the next call. Requests its
// series if it is new or the entry has new columns. PMON_E_FORMAT if the record is invalid.
PMON_NODISCARD enum pmon_status pmon_blg_instances_next(struct blg *blg, struct blg_entry *entry,
							const struct pmon_perf_name *name,
							const struct pmon_perf_name *parent,
							struct blg_instance **out,
							struct pmon_err *err);

// Copy the next instance of another roll, keeping its bytes: returns the equal instance of this
// roll, or a new one without series, but with the same room for them. BLG_NONE if out of memory.
// All of them form one record, which begins with pmon_blg_roll_begin().
void pmon_blg_roll_begin(struct blg_roll *roll);
uint32_t pmon_blg_roll_take(struct blg *blg, struct blg_roll *roll,
			    const struct blg_instance *from);

// The other instance of the roll with the same name and index: one is named "a#1", the other "a"
// and is the second of its name in a record. BLG_NONE if there is none.
uint32_t pmon_blg_roll_namesake(const struct blg_roll *roll, const struct blg_instance *instance);

void pmon_blg_instances_free(struct blg_instances *set, const struct pmon_allocator *allocator);
void pmon_blg_roll_free(struct blg_roll *roll, const struct pmon_allocator *allocator);

// ---- places.c: instances at the same position as before -------------------------------------

// Whether the last record has the same names.
bool pmon_blg_places_are_same(const struct blg_instances *set, const uint8_t *names, size_t len);

// Begin, after pmon_blg_instances_begin(): all names of the record are in `names`, and is_same is
// the result of pmon_blg_places_are_same().
void pmon_blg_places_begin(struct blg_instances *set, const uint8_t *names, size_t len,
			   bool is_same);

// End a record that was read completely.
PMON_NODISCARD enum pmon_status pmon_blg_places_end(struct blg *blg, struct blg_instances *set,
						    struct pmon_err *err);

// Whether the instance at the next position, with its name at `at`, is the previous one there. If
// so, advance and set *number_out. A previous one must exist.
bool pmon_blg_places_find(struct blg_instances *set, uint32_t at, uint32_t *number_out);

// The same, faster for a name in the range already compared. Also false if the position had no
// instance.
static inline bool
blg_places_find(struct blg_instances *set, uint32_t at, uint32_t *number_out)
{
	struct blg_place *place;

	if (set->position >= set->n_places)
		return false;
	place = &set->places[set->position];
	if (at - place->at != set->shift || place->at < set->same_from ||
	    (uint64_t)place->at + place->len + 2 > set->same_to || set->budget < place->len ||
	    set->is_mixed)
		return pmon_blg_places_find(set, at, number_out);
	place->at = at;
	set->budget -= place->len;
	set->position++;
	*number_out = place->number;
	return true;
}

// Record a different instance at the next position. False when memory is short.
bool pmon_blg_places_put(struct blg *blg, struct blg_instances *set, uint32_t number);

// Mark the last instance as identified by its name at `at`, if it is.
void pmon_blg_places_settle(struct blg_instances *set, const struct blg_instance *instance,
			    uint32_t at);

// Enter all instances of this record so far into their chains.
void pmon_blg_places_mark(struct blg_instances *set);

#endif
