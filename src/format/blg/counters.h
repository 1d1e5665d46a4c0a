// counters.h - what the BLG reader knows of the counters of a log (private)
// SPDX-License-Identifier: MIT
//
// A log has catalogues (record 0x20): lists of entries. An entry is a single counter, a counter of all
// instances, or a whole object, and has instances and their series. Names come from record 0x24.
// blg.h has the steps from bytes to records, and from records to samples.

#ifndef PMON_FORMAT_BLG_COUNTERS_H
#define PMON_FORMAT_BLG_COUNTERS_H

#include <pmon/log.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "model/perfdata.h"

#define BLG_NONE UINT32_MAX // no number of anything

struct blg;
struct blg_record;

// ---- names.c: counter names by title index --------------------------------------------------

struct blg_names {
	struct blg_names *next; // another machine's, or another log's
	uint8_t log_id[16];
	struct pmon_span machine; // without backslashes
	uint32_t table;           // of blg.titles
};

// Take in a record 0x24. A name that is known already stays as it was.
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

// What a whole object's definitions came to when they were last seen. They are compared byte by byte
// with those of the next sample, which normally are the same.
struct blg_layout {
	bool is_known; // false until it was loaded without failure
	uint8_t *definitions;
	size_t len;
	size_t cap;
	uint32_t n_definitions;
	int64_t block_freq;
	int64_t object_freq;
	struct pmon_perf_counter *counters;
	uint32_t *columns; // beside counters: index into blg_entry.columns
	size_t n;
	size_t counters_cap;
	size_t columns_cap;
	uint32_t stamp;
};

#define BLG_NOT_ASKED (PMON_SERIES_NONE - 1) // for the series of an instance, up to now

// An instance that has been seen. Instances of the same name (and parent) form a chain from the
// first of them, the head; the n-th of that name in a record is the n-th of the chain.
struct blg_instance {
	struct pmon_perf_name name; // bytes in the arena
	struct pmon_perf_name parent;
	uint32_t hash;    // of both
	uint32_t ordinal; // 0 is the first of its name
	uint32_t head;
	uint32_t next;    // in the chain, or BLG_NONE
	uint32_t *series; // one a column: PMON_SERIES_NONE where not wanted, or BLG_NOT_ASKED
	uint32_t n_series;
	uint32_t series_cap;
	bool is_wanted; // any of them is
	uint32_t stamp; // blg_layout.stamp of the layout whose columns were asked for last
};

// How far a chain has come, by the number of its head.
struct blg_chain {
	uint32_t serial; // of the record in which it was last used ...
	uint32_t cursor; // ... and the instance that was used last
};

// The instance at one position of the last record. Those that are the first of their name and without a
// parent have here what is needed to know them again in the next one.
struct blg_place {
	uint32_t at;  // of its name in the image; BLG_NONE when there is more to it than its name
	uint32_t len; // of its name in bytes, without the NUL that follows
	uint32_t number; // in the list
};

// All instances that were seen. Entries that are the same wildcard for several counters have one together,
// with a column each.
struct blg_roll {
	struct blg_instance *list;
	struct blg_chain *chains; // beside list
	size_t n;
	size_t cap;
	size_t chains_cap;
	struct pmon_map map;     // heads by name
	struct pmon_map indexed; // those whose path has an index, by that path
	uint64_t hash_seed;      // of `indexed`
	uint32_t serial;         // of the record that is being read
	uint32_t n_columns;
};

#define BLG_ROLL_COLUMNS 64 // that share one: each instance has room for all of them

// The instances of one record after the other.
struct blg_instances {
	struct blg_roll *roll;
	struct blg_place *places; // in the order of the last record
	size_t n_places;
	size_t places_cap;
	uint8_t *image; // the names of the last record, as bytes of the record
	size_t image_cap;
	uint32_t image_len;
	// the record that is being read
	size_t position; // where in it we are
	size_t budget;   // bytes that names in it may still take
	size_t n_marked; // positions whose chains know of it
	const uint8_t *names;
	uint32_t names_len;
	uint32_t shift;     // names[i + shift] is image[i] ...
	uint32_t same_from; // ... for i from here
	uint32_t same_to;   // ... to here
	uint32_t next_at;   // of the name of the next item, or BLG_NONE
	unsigned n_moves;
	bool is_same;    // the names are those of the image, all of them
	bool is_changed; // the image is not what the next record has to be compared with
	bool is_mixed;   // some instance was found elsewhere than at its position
	bool is_whole;   // it was read to its end
};

// An instance and its series of an entry.
struct blg_listed {
	uint32_t number;
	uint32_t series;
};

// What is learned of an entry of instances while it is read.
struct blg_many {
	struct blg_roll *roll;
	uint32_t column; // of the roll; objects have one of their own, and columns as their entry
	// Counters of the same object mostly list the same instances: their records follow one another
	// here, until one lists others than that before it.
	struct blg_instances *instances;
	struct blg_listed
		*listed; // by position in the newest record of the entry, as far as is known
	size_t n_listed;
	size_t listed_cap;
	struct blg_layout layout; // objects only
	// for those who share neither with another
	struct blg_roll own_roll;
	struct blg_instances own_instances;
};

// One entry of a catalogue. The fields that a sample of single values needs come first; there may be
// tens of thousands, so that what only others need lies apart.
struct blg_entry {
	uint32_t series;   // of a single value
	uint16_t form;     // that its value records have, BLG_FORM_*
	bool is_broken;    // could not be read; its values are skipped
	bool has_clock;    // the second value is the system clock, in UTC
	bool is_formatted; // values of a text log, whose counter is of known_type where that is known
	bool type_known;
	uint32_t known_type;
	uint64_t order; // first value of pmon_series.order
	struct pmon_path path;
	struct blg_column *columns;
	size_t n_columns;
	size_t columns_cap;
	struct blg_many *many; // NULL of a single value
};

// The user data of an entry in a log that pmon wrote: of displayed values BLG_USER_FORMATTED and the type
// word, or BLG_USER_UNKNOWN; else the size of the raw value in bytes, or 0.
#define BLG_USER_FORMATTED UINT32_C(0x80000000)
#define BLG_USER_UNKNOWN   UINT32_MAX

// What a sample of single values needs of an entry: the number of its series and BLG_PLAN_CLOCK where
// has_clock is set; BLG_PLAN_SKIP when it is not wanted; BLG_PLAN_OTHER when it is something else.
#define BLG_PLAN_CLOCK  ((uint32_t)1 << 31)
#define BLG_PLAN_SERIES (BLG_PLAN_CLOCK - 1)
#define BLG_PLAN_SKIP   BLG_PLAN_SERIES
#define BLG_PLAN_OTHER  (BLG_PLAN_SERIES - 1)

struct blg_catalogue {
	const uint8_t *bytes; // the record itself: the same bytes again are the same catalogue
	size_t len;
	uint64_t offset;
	bool has_objects;
	bool is_cut; // entries after the last one could not be read
	// A list that goes on where the one before it ended shares the entries of that: the first n_shared
	// of the array are the other's.
	struct blg_entry *entries;
	uint32_t *plan; // beside entries
	// Where all are single values, of which only few have to be looked at: the numbers of those. Else NULL.
	uint32_t *few;
	size_t n_few;
	size_t n;
	size_t n_shared;
};

// One log in the file, known by its log id. Nearly always there is one.
struct blg_log {
	uint8_t id[16];
	struct blg_catalogue **catalogues;
	size_t n_catalogues;
	size_t catalogues_cap;
	struct blg_catalogue *initial; // NULL when it was not known at the beginning
	struct blg_catalogue *current;
	uint64_t n_samples;
	pmon_time last_time;      // of the sample before, UTC
	bool has_offset;          // the data told the offset to UTC ...
	int32_t offset_min;       // ... last, and this was it
	int32_t first_offset_min; // ... and this the first time
};

// Take in a record 0x20, and make it the current catalogue of its log.
PMON_NODISCARD enum pmon_status pmon_blg_catalogue_load(struct blg *blg,
							const struct blg_record *record,
							struct pmon_err *err);

// Call this after the look ahead: each log begins with the first catalogue that was found for it. A
// catalogue that is found later never comes first, so that every reading of the log gives the same.
void pmon_blg_catalogues_settle(struct blg *blg);

// The values of these series are no longer wanted (model/source.h).
void pmon_blg_catalogue_skip(struct blg_catalogue *c, const bool *unread, size_t n);

// Reading starts again.
void pmon_blg_catalogues_rewind(struct blg *blg);

void pmon_blg_catalogues_free(struct blg *blg);

// The log of an id, or NULL.
struct blg_log *pmon_blg_log_find(struct blg *blg, const uint8_t id[16]);

// ---- series.c: the series of counters -------------------------------------------------------

// The series of an entry with a path of its own. *series_out is PMON_SERIES_NONE when it is not wanted.
PMON_NODISCARD enum pmon_status pmon_blg_series_add(struct blg *blg, const struct blg_entry *entry,
						    uint32_t *series_out, struct pmon_err *err);

// The series that were asked for, wanted or not.
struct blg_asked {
	uint64_t n;
	uint64_t bytes; // of their paths
};

// Are they no more than are allowed?
bool pmon_blg_series_are_few(const struct blg_asked *asked, const struct pmon_limits *limits);

// The position of the series of a column of an instance among all series.
uint64_t pmon_blg_series_order(const struct blg_entry *entry, const struct blg_instance *instance,
			       size_t column);

// Ask for the series of the entry's columns for which it was not done yet.
PMON_NODISCARD enum pmon_status pmon_blg_instance_complete(struct blg *blg,
							   const struct blg_entry *entry,
							   struct blg_instance *instance,
							   struct pmon_err *err);

// The series of the same column that the instance's namesake has (pmon_blg_roll_namesake()), or
// PMON_SERIES_NONE.
uint32_t pmon_blg_series_of_namesake(struct blg *blg, const struct blg_roll *roll,
				     const struct blg_instance *instance, uint32_t column);

// Are parent, instance and index of a series those of a path?
bool pmon_blg_series_is_of(const struct blg *blg, uint32_t series, const struct pmon_path *path);

// Where both are in one record they are two: of each series that is in the sample a second time, that
// value goes to another series of the same path.
PMON_NODISCARD enum pmon_status pmon_blg_part_namesakes(struct blg *blg, struct pmon_err *err);

// Make room for the series of n columns. False when memory is short.
bool pmon_blg_instance_reserve(struct blg *blg, struct blg_instance *instance, uint32_t n);

// ---- instances.c: the instances of an entry -------------------------------------------------

// A record of an entry's instances begins. Their names are in its `bytes` bytes; they may not take
// more by lying on top of each other, which would make a small file need much memory.
void pmon_blg_instances_begin(struct blg_instances *set, size_t bytes);

// The instance at the next position of the record; *out is good until the next call. Its series are
// asked for when it is new, or when the entry has new columns. PMON_E_FORMAT when the record cannot
// be right.
PMON_NODISCARD enum pmon_status pmon_blg_instances_next(struct blg *blg, struct blg_entry *entry,
							const struct pmon_perf_name *name,
							const struct pmon_perf_name *parent,
							struct blg_instance **out,
							struct pmon_err *err);

// The next instance of another roll, whose bytes stay: the one that this roll has, or a new one without
// series, but with the room that `from` has for them. BLG_NONE when memory is short. All come in one
// record, which begins with pmon_blg_roll_begin().
void pmon_blg_roll_begin(struct blg_roll *roll);
uint32_t pmon_blg_roll_take(struct blg *blg, struct blg_roll *roll,
			    const struct blg_instance *from);

// The other instance of the roll with the same name and index: "a#1" is the name of the one, "a" that
// of the other, which is the second of its name in a record. BLG_NONE when there is none.
uint32_t pmon_blg_roll_namesake(const struct blg_roll *roll, const struct blg_instance *instance);

void pmon_blg_instances_free(struct blg_instances *set, const struct pmon_allocator *allocator);
void pmon_blg_roll_free(struct blg_roll *roll, const struct pmon_allocator *allocator);

// ---- places.c: instances at the same position as before -------------------------------------

// Has the last record the same names?
bool pmon_blg_places_are_same(const struct blg_instances *set, const uint8_t *names, size_t len);

// Begin, after pmon_blg_instances_begin(): all names of the record are in `names`, and is_same is what
// was said of them.
void pmon_blg_places_begin(struct blg_instances *set, const uint8_t *names, size_t len,
			   bool is_same);

// The record was read to its end.
PMON_NODISCARD enum pmon_status pmon_blg_places_end(struct blg *blg, struct blg_instances *set,
						    struct pmon_err *err);

// Is the instance at the next position, whose name is at `at`, the one that was there before? Then
// it is taken, and *number_out is its number. There must have been one.
bool pmon_blg_places_find(struct blg_instances *set, uint32_t at, uint32_t *number_out);

// The same, faster for a name in the range that was already compared. Also false when no instance
// had that place.
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

// Another instance is at the next position. False when memory is short.
bool pmon_blg_places_put(struct blg *blg, struct blg_instances *set, uint32_t number);

// The instance that was taken last can be known by its name, which is at `at`, if it is so.
void pmon_blg_places_settle(struct blg_instances *set, const struct blg_instance *instance,
			    uint32_t at);

// Enter all instances of this record so far into their chains.
void pmon_blg_places_mark(struct blg_instances *set);

#endif
