// blg.h - the parts of the BLG reader and how they fit together (private)
// SPDX-License-Identifier: MIT
//
// A BLG file is an event trace file whose events contain the records of Windows' PDH library.
// Reading it takes five steps, each in its own file (docs/reference/formats/blg.md describes the
// format):
//
//	header.c     header event   -> who wrote the log, when, in which time zone, in what buffers
//	etl.c        buffers        -> events, in the order in which they were written
//	record.c     events         -> whole records, put together from their parts
//	catalogue.c  record 0x20    -> the counters of the log          (names.c  record 0x24)
//	sample.c     record 0x22    -> raw values     (multi.c, object.c value records 0203, 0503)
//
// split.c reads a log in parts, each for a thread. instances.c and places.c identify instances,
// series.c assigns a series to each of their counters, zone.c converts local time to UTC, and blg.c
// is the source that combines these.
//
// Damage never stops the reader: the step that finds it reports it (model/report.h) and continues
// with the next intact part. Only lack of memory, a failed read or an exceeded limit are returned
// as a status.

#ifndef PMON_FORMAT_BLG_BLG_H
#define PMON_FORMAT_BLG_BLG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rd.h"
#include "base/time.h"
#include "format/blg/counters.h"
#include "format/format.h"
#include "model/pace.h"
#include "model/perfdata.h"
#include "model/report.h"
#include "model/titles.h"
#include "os/threads.h"

// Event types; each is one kind of record.
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

// Whether the bytes contain a sample, or the head of a value record, at a multiple of 4.
static inline bool
blg_has_values(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i + 8 <= len; i += 4)
		if (p[i] == 'B' && p[i + 1] == 'L' && p[i + 2] == 3 && p[i + 3] <= 5)
			return true;
	return false;
}

struct blg;

// ---- Reports to the user --------------------------------------------------------------------

// The steps of a pass, pmon_report.here: buffers begun << 32 | position in the buffer.
#define BLG_STEP_SHIFT 32
#define BLG_STEP_END   UINT64_MAX

// A well-formed record of an unknown kind was skipped.
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
	bool once; // moment is the date; otherwise the fields below apply to every year
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

// The offset computed from one time known both as local time and UTC, in quarters of an hour. The
// local time must pass pmon_time_is_sane(). False if the two cannot be the same time.
bool pmon_blg_zone_from_pair(pmon_time local, pmon_time utc, int32_t *offset_min_out);

// The zone name for a known resource ID of tzres.dll; otherwise name itself.
// zone_names.c
const char *pmon_blg_zone_known_name(const char *name, bool daylight);

static inline pmon_time
blg_time_utc(pmon_time local, int32_t offset_min)
{
	return (pmon_time)((uint64_t)local - (uint64_t)(offset_min * PMON_TIME_PER_MIN));
}

// ---- header.c: the header event -------------------------------------------------------------

#define BLG_MODE_CIRCULAR 0x2u // log_mode: EVENT_TRACE_FILE_MODE_CIRCULAR

#define BLG_ORIGIN_TEXT     240 // bytes of a text in it, with its NUL
#define BLG_ORIGIN_MACHINES 4   // the first buffer has room for these

// What pmon adds to the header event; docs/reference/formats/blg-writing.md. origin.c
struct blg_origin {
	bool exists; // pmon wrote the file
	bool sampled_by_pmon;
	char writer[BLG_ORIGIN_TEXT];
	char converter[BLG_ORIGIN_TEXT];
	size_t n_machines;
	char machines[BLG_ORIGIN_MACHINES][BLG_ORIGIN_TEXT]; // "ID NAME"
};
struct pmon_wr;
void pmon_blg_origin_put(struct pmon_wr *w, const struct pmon_source_info *info);

// Read these additions: r is at the logger name, the header event ends at `end`. False if they are
// missing.
bool pmon_blg_origin_read(struct pmon_rd *r, size_t end, struct blg_origin *out);

struct blg_header {
	uint32_t buffer_bytes;
	bool old_buffers; // buffer headers in the format before Windows Vista
	uint8_t os_major;
	uint8_t os_minor;
	uint32_t os_build;
	uint32_t log_mode;
	uint32_t buffers_written;
	uint32_t pointer_bytes;
	pmon_time start; // PMON_TIME_NONE if unknown
	pmon_time end;
	struct blg_zone zone;
	struct pmon_host host;           // zone_info is in the bytes that were parsed ...
	struct pmon_perf_name zone_name; // ... and so is this
	struct blg_origin origin;
};

// Whether this may be the beginning of an event trace file.
bool pmon_blg_header_probe(const uint8_t *head, size_t len);

// Read the header event; head is the beginning of the file.
PMON_NODISCARD enum pmon_status pmon_blg_header_read(struct pmon_file *file, const uint8_t *head,
						     size_t len, struct blg_header *out,
						     struct pmon_err *err);

// "Windows 10 build 14393 x64", or the text that pmon stored.
#define BLG_WRITER_SIZE BLG_ORIGIN_TEXT
void pmon_blg_header_writer(const struct blg_header *header, char buf[BLG_WRITER_SIZE]);

// ---- etl.c: buffers and events --------------------------------------------------------------

// One event of the PDH library: a part of a record. The pointers are into the buffer and valid
// until the next event.
struct blg_event {
	uint8_t type;
	pmon_time time;  // local
	bool has_offset; // the event has the offset of time from UTC
	int32_t offset_min;
	const uint8_t *log_id; // 16 bytes
	uint32_t part;         // 1-based
	uint32_t n_parts;
	const uint8_t *chunk;
	size_t len;
	uint64_t offset;     // of the event in the file
	uint64_t file_bytes; // of it there, with its head and fill
	bool is_partial;     // at most BLG_PEEK bytes of the chunk are present
};

// In its own logs pmon replaces the process and thread of an event with this tag and the UTC offset
// of the sample's local time in minutes.
#define BLG_OFFSET_TAG UINT32_C(0x6E6F6D70) // "pmon"; in place of the process
#define BLG_OFFSET_MAX (24 * 60)

#define BLG_PEEK       8  // bytes of a chunk read with the head of its event
#define BLG_EVENT_HEAD 72 // bytes of an event before its chunk

#define BLG_BUFFER_HEADER 0x48 // bytes

struct blg_buffer_header {
	bool is_readable;
	uint64_t sequence;
	uint32_t used;      // bytes, this header included
	uint32_t used_copy; // the same from another field; 0 if there is none
};

// A buffer in write order.
struct blg_slot {
	uint64_t sequence;
	uint32_t number;  // the buffer is at number * buffer_bytes
	bool is_readable; // its header is valid; otherwise sequence is that of the previous buffer
};

struct blg_etl {
	struct pmon_file *file;
	const struct pmon_allocator *allocator;
	struct pmon_report *report;
	struct blg_header header;
	uint64_t file_bytes;
	uint64_t n_buffers; // buffers to read: those of the file without repeats
	uint64_t last_good; // number of the last buffer with a valid header
	bool is_stream;     // both are unknown until the end is read
	uint64_t sequence;  // of the last good buffer of a stream, 0 before the first
	// The order of the data buffers 1..n-1: as in the file but starting with buffer `first`, or
	// given by an index if that is not enough.
	uint64_t first;
	struct blg_slot *index;
	size_t index_cap;
	// the buffer that is being read
	uint64_t turn;  // number of buffers begun
	uint64_t stop;  // ... and how many to read: all, or those of a part
	bool is_needed; // a record that begins before `stop` ends after it
	bool is_sparse; // from the next buffers, read only the heads of samples, not their values
	const uint8_t *buffer;
	uint8_t *own; // buffer: the bytes are here, or were read ahead
	size_t buffer_cap;
	uint64_t offset; // of the buffer in the file
	size_t used;
	size_t pos;
	bool is_filled;   // unused bytes of the log are filler, not zeros
	bool is_bad;      // its header is damaged: one report covers all of its damage
	bool is_partial;  // only the examined bytes are present,
	size_t there;     // ... and the first bytes
	uint32_t n_found; // events
	size_t bytes_found;
	uint64_t bytes_repeated; // in skipped repeated buffers
	bool has_log_id;
	uint8_t log_id[16]; // of the last event
	// reading ahead, by a thread
	unsigned threads; // threads that may read, including the caller's
	struct pmon_ahead *ahead;
	unsigned
		n_aheads; // started since the first buffer: one ends wherever the order differs from the file's
	// observations, for the messages
	uint64_t n_pdh;
	uint64_t n_foreign;
};

struct blg_buffer_header pmon_blg_buffer_header(const struct blg_header *file_header,
						const uint8_t *bytes, size_t len);

// etl_order.c: determine the read order of the buffers.
PMON_NODISCARD enum pmon_status pmon_blg_etl_find_order(struct blg_etl *etl, struct pmon_err *err);
void pmon_blg_etl_drop_index(struct blg_etl *etl);

// The number of the buffer at position `turn` of the read order. Buffer 0, with the header, is
// always first.
uint64_t pmon_blg_etl_buffer_at(const struct blg_etl *etl, uint64_t turn);

// Number of buffers in the file, including an incomplete one.
static inline uint64_t
blg_etl_in_file(const struct blg_etl *etl)
{
	uint64_t size = etl->header.buffer_bytes;

	return etl->file_bytes / size + (etl->file_bytes % size != 0);
}

// Start reading; determines the order of the buffers.
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
	uint64_t offset;     // of its first event in the file
	uint64_t file_bytes; // of all its events
	bool is_partial; // at most BLG_PEEK of its bytes are present; pmon_blg_record_read() gets the rest
};

// The location in the file of some bytes of a record.
struct blg_piece {
	uint64_t offset;
	size_t len;
};

struct blg_assembler {
	struct blg_etl *etl;
	size_t max_bytes; // of one record
	bool is_pending;  // a record has some parts and needs more
	bool is_broken;   // a part is missing; later parts are only counted
	bool is_behind;   // parts of a record that began before the first buffer are skipped
	struct blg_record pending;
	uint32_t n_parts;
	uint32_t next_part; // when broken: the one that was missing
	bool is_begun;      // a complete sample was read
	uint8_t *buffer;
	size_t cap;
	struct blg_piece *pieces; // of a partial record
	size_t n_pieces;
	size_t pieces_cap;
};

void pmon_blg_assembler_init(struct blg_assembler *a, struct blg_etl *etl, size_t max_bytes);
void pmon_blg_assembler_free(struct blg_assembler *a);
void pmon_blg_assembler_rewind(struct blg_assembler *a);

// The next complete record. PMON_OK, PMON_END, PMON_E_IO, PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_record_next(struct blg_assembler *a,
						     struct blg_record *record,
						     struct pmon_err *err);

// Read bytes of a partial record from the file. *ok_out is false if the file no longer has them.
PMON_NODISCARD enum pmon_status pmon_blg_record_read(const struct blg_assembler *a, size_t at,
						     uint8_t *buf, size_t len, bool *ok_out,
						     struct pmon_err *err);

// Complete a partial record. *ok_out as above.
PMON_NODISCARD enum pmon_status pmon_blg_record_fill(struct blg_assembler *a,
						     struct blg_record *record, bool *ok_out,
						     struct pmon_err *err);

#define BLG_LABEL_SIZE 64
// "sample of 2016-11-26 13:46:30.874", for messages.
const char *pmon_blg_record_label(uint8_t type, pmon_time local, char buf[BLG_LABEL_SIZE]);

// ---- text.c: names as UTF-8 -----------------------------------------------------------------

// A name as UTF-8 in blg->text, valid until the next call. False when memory is short.
bool pmon_blg_utf8(struct blg *blg, const struct pmon_perf_name *name, struct pmon_span *out);

// A machine name without its backslashes; {NULL, 0} if that is empty.
struct pmon_span pmon_blg_machine(struct pmon_span name);

// ---- sample.c: values -----------------------------------------------------------------------

// A value record in a sample.
struct blg_value {
	uint16_t form;
	struct pmon_rd rd; // the whole record; the position is after its head
};

// The next value record of a sample. False at the end or at damage.
bool pmon_blg_value_next(struct pmon_rd *r, struct blg_value *out);

// Make room for n more values. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_sample_reserve(struct blg *blg, size_t n,
							struct pmon_err *err);

// Add a value; the caller made room. time is local.
void pmon_blg_sample_add(struct blg *blg, uint32_t series, const struct pmon_raw *raw);

// Remember why the current record is invalid, for the notice. Returns
// PMON_E_FORMAT, which pmon_blg_sample_load() turns into the notice.
enum pmon_status pmon_blg_sample_damaged(struct blg *blg, const char *why);

// If a value has both local time and UTC, compute the sample's offset from these unless it is
// known.
void pmon_blg_sample_clock(struct blg *blg, pmon_time local, pmon_time utc);

// Store a reading of the performance clock if this entry provides it.
void pmon_blg_sample_perf(struct blg *blg, const struct blg_entry *entry, uint32_t status,
			  int64_t ticks, int64_t ticks_per_second);

// Decide whether to read the values of the next sample one by one; it probably belongs to the same
// log as the previous one.
void pmon_blg_sample_expect(struct blg *blg);

// Decode a record 0x22 into blg->sample. PMON_OK; PMON_END if it is damaged, after reporting that.
PMON_NODISCARD enum pmon_status pmon_blg_sample_load(struct blg *blg,
						     const struct blg_record *record,
						     struct pmon_err *err);

// ---- multi.c: value records of one counter of all instances ---------------------------------

// Decode a record 0203 of an entry. PMON_E_FORMAT if it is damaged.
PMON_NODISCARD enum pmon_status pmon_blg_multi_load(struct blg *blg, struct blg_entry *entry,
						    struct blg_value *value, struct pmon_err *err);

// ---- object.c: value records of whole objects -----------------------------------------------

// The instance names of one object in the current sample, used as parent names by other objects.
struct blg_parents {
	struct pmon_perf_name *names;
	size_t n;
	size_t cap;
	uint32_t title;  // of the object
	uint64_t sample; // blg->n_decoded of the sample that the names point into
	unsigned loads;  // how often they were collected for that sample
};

// Decode a record 0503 of an entry; `values` is the sample's window over all its value records.
// PMON_E_FORMAT if it is damaged.
PMON_NODISCARD enum pmon_status pmon_blg_object_load(struct blg *blg, struct blg_entry *entry,
						     const struct pmon_rd *values,
						     const struct blg_value *value,
						     struct pmon_err *err);
void pmon_blg_layout_free(struct blg_layout *layout, const struct pmon_allocator *allocator);

// Allocate the empty state of an entry with instances, in the arena. It shares the roll of `before`
// if that is not NULL. False when memory is short. catalogue.c
bool pmon_blg_many_new(struct pmon_arena *arena, struct blg_entry *entry,
		       const struct blg_entry *before);
void pmon_blg_many_free(struct blg_many *many,
			const struct pmon_allocator *allocator); // NULL is fine

// The last sample that had a series, and another series with its path, or PMON_SERIES_NONE.
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
	struct pmon_arena arena; // texts, entries, instances: data with the lifetime of the source
	uint64_t hash_seed;
	char writer[BLG_WRITER_SIZE];
	struct pmon_host host;
	uint8_t zone_info[BLG_ZONE_BYTES];

	struct pmon_titles titles; // the tables of all of `names`
	struct blg_names *names;
	uint32_t n_names;
	struct blg_log *logs;
	size_t n_logs;
	size_t logs_cap;
	size_t n_catalogues;
	size_t n_entries; // of all catalogues
	struct blg_asked asked;
	char *text; // buffer for converting a name to UTF-8
	size_t text_cap;
	bool no_memory; // loading a catalogue failed for lack of memory
	bool code_page_told;
	enum pmon_status failure; // status of a fatal error
	struct pmon_err failure_err;
	bool reads_few; // some samples were read only partially

	// the sample being decoded
	struct blg_log *log;
	struct pmon_sample sample;
	uint32_t *series; // sample.series and sample.raw
	struct pmon_raw *raw;
	size_t series_cap;
	size_t raw_cap;
	uint64_t n_decoded;
	struct blg_parents parents;
	bool has_offset; // a value had the offset to UTC
	int32_t offset_min;
	const char *why;        // it is damaged
	bool has_namesakes;     // two instances have one series
	struct blg_mark *marks; // by series, once needed
	size_t n_marks;
	size_t marks_cap;
	bool names_damaged;

	// for parts (split.c)
	uint64_t n_clocked;    // samples in which a value had the offset
	struct blg *whole;     // in a part: the source that it belongs to
	size_t n_shared;       // ... the number of series taken from it
	bool is_odd;           // ... something was reported
	struct pmon_lock lock; // in the whole source: one part at a time requests series
	bool has_lock;
};

// Times in the log are local; a value without its own time has that of the sample.
static inline pmon_time
blg_value_time(const struct blg *blg, pmon_time local)
{
	return pmon_time_is_sane(local) ? local : blg->sample.time;
}

static inline bool
blg_is_usable(uint32_t status)
{
	return status == PMON_RAW_VALID || status == PMON_RAW_NEW;
}

// ---- split.c: the source in parts -----------------------------------------------------------

extern const struct pmon_source_split pmon_blg_split;

extern const struct pmon_format pmon_format_blg;
extern const struct pmon_writer pmon_blg_writer; // write.c

#endif
