// blg.h - the parts of the BLG reader and how they fit together (private)
// SPDX-License-Identifier: MIT
//
// A BLG file is an event trace file whose events carry the records of Windows' PDH library. Bytes
// become samples in five steps, each in a file of its own (docs/formats/blg.md has the format):
//
//	header.c     header event   -> who wrote the log, when, in which time zone, in what buffers
//	etl.c        buffers        -> events, in the order in which they were written
//	record.c     events         -> whole records, put together from their parts
//	catalogue.c  record 0x20    -> the counters of the log          (names.c  record 0x24)
//	sample.c     record 0x22    -> raw values     (multi.c, object.c value records 0203, 0503)
//
// split.c reads a log in parts, each for a thread. instances.c and places.c tell instances apart, series.c
// gives each of their counters its series, zone.c turns local time into UTC, and blg.c is the source that
// drives it all.
//
// Damage never stops the reader: the step that finds it tells it (model/report.h) and goes on with
// the next whole thing. Only missing memory, a failing read and the limits come back as a status.

#ifndef PMON_FORMAT_BLG_BLG_H
#define PMON_FORMAT_BLG_BLG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rd.h"
#include "format/format.h"
#include "model/perfdata.h"
#include "model/report.h"
#include "os/threads.h"

#define BLG_NONE UINT32_MAX // no number of anything

// Types of event, which are the kinds of record.
#define BLG_CATALOGUE 0x20
#define BLG_SAMPLE    0x22
#define BLG_INSTANCES 0x23
#define BLG_NAMES     0x24

// The first four bytes of two kinds of record.
#define BLG_TAG_CATALOGUE 0x000006FFu
#define BLG_TAG_SAMPLE    0x00034C42u // 'B' 'L' 0x0003

// Forms of value record in a sample.
#define BLG_FORM_SINGLE 0x0103 // one value
#define BLG_FORM_MULTI  0x0203 // one counter of all instances
#define BLG_FORM_OBJECT 0x0503 // a whole object

// Does a run of bytes hold a sample, or the head of a value record, at a multiple of 4?
static inline bool
blg_has_values(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i + 8 <= len; i += 4)
		if (p[i] == 'B' && p[i + 1] == 'L' && p[i + 2] == 3 && p[i + 3] <= 5)
			return true;
	return false;
}

struct blg;

// ---- What is told to the user ---------------------------------------------------------------

// The steps of a pass, pmon_report.here: buffers begun << 32 | position in the buffer.
#define BLG_STEP_SHIFT 32
#define BLG_STEP_END   UINT64_MAX

// A well-formed record of an unknown kind was passed over.
static inline void
blg_unknown(struct pmon_report *report)
{
	if (report->here > report->seen)
		report->info->records_unknown++;
}

// ---- zone.c: local time to UTC --------------------------------------------------------------

// When a zone changes its offset: a moment of local time, each year or once.
struct blg_change {
	bool exists;
	bool once; // moment is the date; else the fields below say it for any year
	pmon_time moment;
	int32_t month;   // 1..12
	int32_t week;    // 1..4, 5 is the last
	int32_t weekday; // 0 Sunday .. 6
	int64_t of_day;  // time of day in 100 ns
};

// A time zone as TIME_ZONE_INFORMATION has it. Offsets are local time minus UTC in minutes.
struct blg_zone {
	int32_t standard_min;
	int32_t daylight_min;
	struct blg_change to_standard; // in daylight time
	struct blg_change to_daylight; // in standard time
};

#define BLG_ZONE_BYTES 172

// Read the numbers of a TIME_ZONE_INFORMATION; its standard name goes to *name_out as UTF-16.
struct blg_zone pmon_blg_zone_read(struct pmon_rd *r, struct pmon_perf_name *name_out);

// The offset at a moment of local time. In the hour that the clocks show twice it is the offset
// that makes the moment the earliest one not before `after` (UTC; PMON_TIME_NONE: no matter).
int32_t pmon_blg_zone_offset(const struct blg_zone *zone, pmon_time local, pmon_time after);

// The offset from one moment known both as local time and as UTC, in whole quarters of an hour.
// False when the two cannot be the same moment.
bool pmon_blg_zone_from_pair(pmon_time local, pmon_time utc, int32_t *offset_min_out);

// The name of a zone that is given by a resource of tzres.dll, where that is known; else name itself.
// zone_names.c
const char *pmon_blg_zone_known_name(const char *name, bool daylight);

#define BLG_EARLIEST INT64_C(116444736000000000) // 1970-01-01
#define BLG_LATEST   INT64_C(252139392000000000) // 2400-01-01

// A FILETIME, if it can be one that a log holds.
static inline bool
pmon_blg_time_is_sane(pmon_time t)
{
	return t >= BLG_EARLIEST && t < BLG_LATEST;
}

// Local time to UTC.
static inline pmon_time
blg_time_utc(pmon_time local, int32_t offset_min)
{
	return (pmon_time)((uint64_t)local - (uint64_t)(offset_min * PMON_TIME_PER_MIN));
}

// ---- header.c: the header event -------------------------------------------------------------

#define BLG_MODE_CIRCULAR 0x2u // log_mode: EVENT_TRACE_FILE_MODE_CIRCULAR

#define BLG_ORIGIN_TEXT 240 // bytes of a text in it, with its NUL

// What pmon added to the header event; docs/formats/blg-writing.md. origin.c
struct blg_origin {
	bool exists; // pmon wrote the file
	bool sampled_by_pmon;
	char writer[BLG_ORIGIN_TEXT];
	char converter[BLG_ORIGIN_TEXT];
};
struct pmon_wr;
void pmon_blg_origin_put(struct pmon_wr *w, const char *writer, const char *converter,
			 bool sampled);

// Read it: r stands before the name of the logger, the header event ends at `end`. False when it is not
// there.
bool pmon_blg_origin_read(struct pmon_rd *r, size_t end, struct blg_origin *out);

struct blg_header {
	uint32_t buffer_bytes;
	bool old_buffers; // buffer headers as before Windows Vista
	uint8_t os_major;
	uint8_t os_minor;
	uint32_t os_build;
	uint32_t log_mode;
	uint32_t buffers_written;
	uint32_t pointer_bytes;
	pmon_time start; // PMON_TIME_NONE when not known
	pmon_time end;
	struct blg_zone zone;
	struct pmon_host host;           // zone_info is in the bytes that were parsed ...
	struct pmon_perf_name zone_name; // ... and so is this
	struct blg_origin origin;
};

// Could this be the beginning of an event trace file?
bool pmon_blg_header_probe(const uint8_t *head, size_t len);

// Read the header event; head is the beginning of the file.
PMON_NODISCARD enum pmon_status pmon_blg_header_read(struct pmon_file *file, const uint8_t *head,
						     size_t len, struct blg_header *out,
						     struct pmon_err *err);

// "Windows 10 build 14393 x64", or what pmon wrote down of it.
#define BLG_WRITER_SIZE BLG_ORIGIN_TEXT
void pmon_blg_header_writer(const struct blg_header *header, char buf[BLG_WRITER_SIZE]);

// ---- etl.c: buffers and events --------------------------------------------------------------

// One event of the PDH library: a part of a record. The pointers are into the buffer and valid
// until the next event.
struct blg_event {
	uint8_t type;
	pmon_time time;  // local
	bool has_offset; // the event says how far that is ahead of UTC
	int32_t offset_min;
	const uint8_t *log_id; // 16 bytes
	uint32_t part;         // 1-based
	uint32_t n_parts;
	const uint8_t *chunk;
	size_t len;
	uint64_t offset; // of the event in the file
	bool is_partial; // of the chunk no more than BLG_PEEK bytes are there
};

// pmon writes into the events of its logs, instead of a process and a thread, that it wrote them and the
// minutes that the local time of the sample is ahead of UTC.
#define BLG_OFFSET_TAG UINT32_C(0x6E6F6D70) // "pmon"; in place of the process
#define BLG_OFFSET_MAX (24 * 60)

#define BLG_PEEK       8  // bytes of a chunk that are read with the head of its event
#define BLG_EVENT_HEAD 72 // bytes of an event before its chunk

// A buffer in the order of writing.
struct blg_slot {
	uint64_t sequence;
	uint32_t number;  // the buffer is at number * buffer_bytes
	bool is_readable; // its header is good; else sequence is that of the buffer before it
};

struct blg_etl {
	struct pmon_file *file;
	const struct pmon_allocator *allocator;
	struct pmon_report *report;
	struct blg_header header;
	uint64_t file_bytes;
	uint64_t n_buffers; // to be read: those of the file without repeats
	uint64_t last_good; // number of the last buffer with a good header
	bool is_stream;     // neither of these is known before the end was read
	uint64_t sequence;  // of the last good buffer of a stream, 0 before the first
	// The order of the data buffers 1..n-1: as in the file but starting with buffer `first`, or
	// by an index where that does not do.
	uint64_t first;
	struct blg_slot *index;
	size_t index_cap;
	// the buffer that is being read
	uint64_t turn;  // how many buffers were begun
	uint64_t stop;  // ... and how many may be: all, or those of a part
	bool is_needed; // a record that was begun before `stop` goes on behind it
	bool is_sparse; // of the next buffers only the heads of samples are read, not their values
	uint8_t *buffer;
	size_t buffer_cap;
	uint64_t offset; // of the buffer in the file
	size_t used;
	size_t pos;
	bool is_told;     // no more needs to be said about damage in it
	bool is_bad;      // its header is damaged
	bool is_partial;  // only what was looked at is there,
	size_t there;     // ... and the first bytes
	uint32_t n_found; // events
	size_t bytes_found;
	bool has_log_id;
	uint8_t log_id[16]; // of the last event
	// what was seen, for the messages
	uint64_t n_pdh;
	uint64_t n_foreign;
};

// How many buffers the file has, one that was begun included.
static inline uint64_t
blg_etl_in_file(const struct blg_etl *etl)
{
	uint64_t size = etl->header.buffer_bytes;

	return etl->file_bytes / size + (etl->file_bytes % size != 0);
}

// Begin; finds the order of the buffers.
PMON_NODISCARD enum pmon_status pmon_blg_etl_open(struct blg_etl *etl, struct pmon_err *err);
void pmon_blg_etl_close(struct blg_etl *etl);
void pmon_blg_etl_rewind(struct blg_etl *etl);

// The next PDH event. PMON_OK, PMON_END, PMON_E_IO.
PMON_NODISCARD enum pmon_status pmon_blg_etl_next(struct blg_etl *etl, struct blg_event *event,
						  struct pmon_err *err);

// ---- record.c: records from their parts -----------------------------------------------------

// A whole record. bytes is valid until the next one.
struct blg_record {
	uint8_t type;
	uint8_t log_id[16];
	pmon_time time; // local
	bool has_offset;
	int32_t offset_min;
	const uint8_t *bytes;
	size_t len;
	uint64_t offset; // of its first event in the file
	bool is_partial; // of its bytes no more than BLG_PEEK are there; pmon_blg_record_read() has them
};

// Where in the file bytes of a record are.
struct blg_piece {
	uint64_t offset;
	size_t len;
};

struct blg_assembler {
	struct blg_etl *etl;
	size_t max_bytes; // of one record
	bool is_pending;  // a record has parts and waits for more
	bool is_broken;   // a part is missing; the rest is only counted
	bool is_behind;   // parts of a record that began before the first buffer are passed over
	struct blg_record pending;
	uint32_t n_parts;
	uint32_t next_part;  // when broken: the one that was missing
	bool is_begun;       // a sample was whole
	uint64_t bytes_seen; // in the file
	uint8_t *buffer;
	size_t cap;
	struct blg_piece *pieces; // of a partial record
	size_t n_pieces;
	size_t pieces_cap;
};

void pmon_blg_assembler_init(struct blg_assembler *a, struct blg_etl *etl, size_t max_bytes);
void pmon_blg_assembler_free(struct blg_assembler *a);
void pmon_blg_assembler_rewind(struct blg_assembler *a);

// The next whole record. PMON_OK, PMON_END, PMON_E_IO, PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_record_next(struct blg_assembler *a,
						     struct blg_record *record,
						     struct pmon_err *err);

// Bytes of a partial record from the file. *ok_out is false when they are not there any more.
PMON_NODISCARD enum pmon_status pmon_blg_record_read(const struct blg_assembler *a, size_t at,
						     uint8_t *buf, size_t len, bool *ok_out,
						     struct pmon_err *err);

// Make a partial record whole. *ok_out as above.
PMON_NODISCARD enum pmon_status pmon_blg_record_fill(struct blg_assembler *a,
						     struct blg_record *record, bool *ok_out,
						     struct pmon_err *err);

#define BLG_LABEL_SIZE 64
// "sample of 2016-11-26 13:46:30.874", for messages.
const char *pmon_blg_record_label(uint8_t type, pmon_time local, char buf[BLG_LABEL_SIZE]);

// ---- map.c: a hash table of numbers ---------------------------------------------------------

// Open addressing; the caller compares what the numbers stand for.
struct blg_map {
	uint32_t *hashes;
	uint32_t *numbers; // BLG_NONE in empty slots
	size_t n_slots;    // a power of two, or 0
	size_t n;
};

uint32_t pmon_blg_hash(uint32_t seed, const void *bytes, size_t len);
void pmon_blg_map_free(struct blg_map *map, const struct pmon_allocator *allocator);

// The numbers that were put in under a hash: start with *cursor = hash. BLG_NONE after the last.
uint32_t pmon_blg_map_find(const struct blg_map *map, uint32_t hash, uint32_t *cursor);

// False when memory is short.
bool pmon_blg_map_put(struct blg_map *map, const struct pmon_allocator *allocator, uint32_t hash,
		      uint32_t number);

// ---- text.c: names as UTF-8 -----------------------------------------------------------------

// A name as UTF-8 in blg->text, valid until the next call. False when memory is short.
bool pmon_blg_utf8(struct blg *blg, const struct pmon_perf_name *name, struct pmon_span *out);

// A machine's name without its backslashes; {NULL, 0} when nothing is left.
struct pmon_span pmon_blg_machine(struct pmon_span name);

// Instances are written as "parent/instance#index" where nothing else says these parts: split
// path->instance into them. False when memory is short.
bool pmon_blg_split_instance(struct blg *blg, struct pmon_path *path);

// ---- names.c: counter names by title index --------------------------------------------------

struct blg_names {
	struct blg_names *next; // another machine's, or another log's
	uint8_t log_id[16];
	struct pmon_span machine; // without backslashes
	struct blg_map map;       // by title index, into list
	struct blg_title *list;
	size_t n;
	size_t cap;
};

// Take in a record 0x24. A name that is known already stays as it was.
PMON_NODISCARD enum pmon_status pmon_blg_names_load(struct blg *blg,
						    const struct blg_record *record,
						    struct pmon_err *err);
void pmon_blg_names_free(struct blg *blg);

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
	struct blg_map map;     // heads by name
	struct blg_map indexed; // those whose path has an index, by that path
	uint32_t hash_seed;     // of `indexed`
	uint32_t serial;        // of the record that is being read
	uint32_t n_columns;
};

#define BLG_ROLL_COLUMNS 64 // that share one: each instance has room for all of them

// The instances of one record after the other.
struct blg_instances {
	struct blg_roll *roll;
	struct blg_place *places; // in the order of the last record
	size_t n_places;
	size_t places_cap;
	uint8_t *image; // the names of the last record, as they stood in it
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
	bool is_broken;    // could not be read; its values are passed over
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
	bool is_cut; // entries behind the last one could not be read
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

// The look ahead is over: each log begins with the first catalogue that was found for it. One that is
// found later does not, so that every pass over the log gives the same.
void pmon_blg_catalogues_settle(struct blg *blg);

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

// Where the series of a column of an instance stands among all.
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

// ---- places.c: instances that stand where they stood ----------------------------------------

// Has the last record the same names?
bool pmon_blg_places_are_same(const struct blg_instances *set, const uint8_t *names, size_t len);

// Begin, behind pmon_blg_instances_begin(): all names of the record are in `names`, and is_same is what
// was said of them.
void pmon_blg_places_begin(struct blg_instances *set, const uint8_t *names, size_t len,
			   bool is_same);

// The record was read to its end.
PMON_NODISCARD enum pmon_status pmon_blg_places_end(struct blg *blg, struct blg_instances *set,
						    struct pmon_err *err);

// Is the instance at the next position, whose name is at `at`, the one that stood there? Then it is
// taken, and *number_out is its number. False when it is another one, or nothing is known.
bool pmon_blg_places_find(struct blg_instances *set, uint32_t at, uint32_t *number_out);

// The same, short for what comes in the stretch of names that was compared already.
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

// Tell the chains of all instances of this record so far.
void pmon_blg_places_mark(struct blg_instances *set);

// ---- sample.c: values -----------------------------------------------------------------------

// A value record in a sample.
struct blg_value {
	uint16_t form;
	struct pmon_rd rd; // the whole record, standing behind its head
};

// The next value record of a sample. False at the end or at damage.
bool pmon_blg_value_next(struct pmon_rd *r, struct blg_value *out);

// Make room for n more values. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_sample_reserve(struct blg *blg, size_t n,
							struct pmon_err *err);

// Add a value; there is room. time is local.
void pmon_blg_sample_add(struct blg *blg, uint32_t series, const struct pmon_raw *raw);

// The record that is being decoded does not add up: remember why, for the notice. Returns
// PMON_E_FORMAT, which pmon_blg_sample_load() turns into the notice.
enum pmon_status pmon_blg_sample_damaged(struct blg *blg, const char *why);

// A value has its time both local and in UTC: this tells the offset of the sample, if nothing has.
void pmon_blg_sample_clock(struct blg *blg, pmon_time local, pmon_time utc);

// What comes next is a sample of the same log as the one before, as far as can be told: shall its values
// be read one by one?
void pmon_blg_sample_expect(struct blg *blg);

// Decode a record 0x22 into blg->sample. PMON_OK; PMON_END when it is damaged, which was told.
PMON_NODISCARD enum pmon_status pmon_blg_sample_load(struct blg *blg,
						     const struct blg_record *record,
						     struct pmon_err *err);

// ---- multi.c: value records of one counter of all instances ---------------------------------

// Decode a record 0203 of an entry. PMON_E_FORMAT when it is damaged.
PMON_NODISCARD enum pmon_status pmon_blg_multi_load(struct blg *blg, struct blg_entry *entry,
						    struct blg_value *value, struct pmon_err *err);

// ---- object.c: value records of whole objects -----------------------------------------------

// The instance names of one object in the sample at hand, to name the parents of others.
struct blg_parents {
	struct pmon_perf_name *names;
	size_t n;
	size_t cap;
	uint32_t title;  // of the object
	uint64_t sample; // blg->n_decoded of the sample that the names point into
	unsigned loads;  // how often they were gathered for that sample
};

// Decode a record 0503 of an entry; `values` is the sample's window over all its value records.
// PMON_E_FORMAT when it is damaged.
PMON_NODISCARD enum pmon_status pmon_blg_object_load(struct blg *blg, struct blg_entry *entry,
						     const struct pmon_rd *values,
						     const struct blg_value *value,
						     struct pmon_err *err);
void pmon_blg_layout_free(struct blg_layout *layout, const struct pmon_allocator *allocator);

// What an entry of instances has, as yet empty; in the arena. It has its roll together with `before`, if
// that is not NULL. False when memory is short. catalogue.c
bool pmon_blg_many_new(struct pmon_arena *arena, struct blg_entry *entry,
		       const struct blg_entry *before);
void pmon_blg_many_free(struct blg_many *many,
			const struct pmon_allocator *allocator); // NULL is fine

// In which sample a series was last, and another series of its path, or PMON_SERIES_NONE.
struct blg_mark {
	uint64_t sample;
	uint32_t next;
};

// ---- blg.c: the source ----------------------------------------------------------------------

struct blg {
	struct pmon_source source; // first, as every source has it
	const struct pmon_allocator *allocator;
	struct pmon_limits limits; // without zeros
	pmon_want_fn want;
	void *want_ctx;
	struct pmon_file *file;
	struct pmon_report report;
	struct blg_etl etl;
	struct blg_assembler assembler;
	struct pmon_arena arena; // texts, entries, instances: all that lives as long as the source
	uint32_t hash_seed;
	char writer[BLG_WRITER_SIZE];
	struct pmon_host host;
	uint8_t zone_info[BLG_ZONE_BYTES];

	struct blg_names *names;
	size_t n_names;
	struct blg_log *logs;
	size_t n_logs;
	size_t logs_cap;
	size_t n_catalogues;
	size_t n_entries; // of all catalogues
	struct blg_asked asked;
	char *text; // a name on its way to UTF-8
	size_t text_cap;
	bool no_memory; // while a catalogue is loaded: this is why it failed
	bool code_page_told;
	enum pmon_status failure; // of memory or limits: there is no going on
	struct pmon_err failure_err;

	// the sample that is being decoded
	struct blg_log *log;
	struct pmon_sample sample;
	uint32_t *series; // sample.series and sample.raw
	struct pmon_raw *raw;
	size_t series_cap;
	size_t raw_cap;
	uint64_t n_decoded;
	struct blg_parents parents;
	bool has_offset; // a value told the offset to UTC
	int32_t offset_min;
	const char *why;        // it is damaged
	bool has_namesakes;     // two instances have one series
	struct blg_mark *marks; // by series, once there are such
	size_t n_marks;
	size_t marks_cap;
	bool names_damaged;

	// for parts (split.c)
	uint64_t n_clocked;    // samples of which a value told the offset
	struct blg *whole;     // of a part: what it is a part of
	size_t n_shared;       // ... the series that it had from it
	bool is_odd;           // ... something was told
	struct pmon_lock lock; // of the whole: one part at a time asks for series
	bool has_lock;
};

// Times in the log are local; without one of its own a value has the time of the sample.
static inline pmon_time
blg_value_time(const struct blg *blg, pmon_time local)
{
	return pmon_blg_time_is_sane(local) ? local : blg->sample.time;
}

static inline bool
blg_is_usable(uint32_t status)
{
	return status == PMON_RAW_VALID || status == PMON_RAW_NEW;
}

// ---- split.c: the source in parts -----------------------------------------------------------

extern const struct pmon_source_split pmon_blg_split;

extern const struct pmon_format pmon_format_blg;

#endif
