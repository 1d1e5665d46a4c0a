// blg.h - the parts of the BLG reader and how they fit together (private)
// SPDX-License-Identifier: MIT
//
// A BLG file is an event trace file whose events carry the records of Windows' PDH library. Bytes
// become samples in five steps, each in a file of its own (docs/reference/formats/blg.md has the format):
//
//	header.c     header event   -> who wrote the log, when, in which time zone, in what buffers
//	etl.c        buffers        -> events, in the order in which they were written
//	record.c     events         -> whole records, put together from their parts
//	catalogue.c  record 0x20    -> the counters of the log          (names.c  record 0x24)
//	sample.c     record 0x22    -> raw values     (multi.c, object.c value records 0203, 0503)
//
// split.c reads a log in parts, each for a thread. instances.c and places.c identify instances,
// series.c gives each of their counters its series, zone.c turns local time into UTC, and blg.c is
// the source that drives it all.
//
// Damage never stops the reader: the step that finds it reports it (model/report.h) and goes on
// with the next intact part. Only short memory, a failed read and an exceeded limit are returned as
// a status.

#ifndef PMON_FORMAT_BLG_BLG_H
#define PMON_FORMAT_BLG_BLG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rd.h"
#include "base/time.h"
#include "format/blg/counters.h"
#include "format/format.h"
#include "model/perfdata.h"
#include "model/report.h"
#include "model/titles.h"
#include "os/threads.h"

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
// The local time is sane (pmon_time_is_sane()). False when the two cannot be the same moment.
bool pmon_blg_zone_from_pair(pmon_time local, pmon_time utc, int32_t *offset_min_out);

// The name of a zone that is given by a resource of tzres.dll, where that is known; else name itself.
// zone_names.c
const char *pmon_blg_zone_known_name(const char *name, bool daylight);

// Local time to UTC.
static inline pmon_time
blg_time_utc(pmon_time local, int32_t offset_min)
{
	return (pmon_time)((uint64_t)local - (uint64_t)(offset_min * PMON_TIME_PER_MIN));
}

// ---- header.c: the header event -------------------------------------------------------------

#define BLG_MODE_CIRCULAR 0x2u // log_mode: EVENT_TRACE_FILE_MODE_CIRCULAR

#define BLG_ORIGIN_TEXT     240 // bytes of a text in it, with its NUL
#define BLG_ORIGIN_MACHINES 4   // that the first buffer has room for

// What pmon added to the header event; docs/reference/formats/blg-writing.md. origin.c
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

// Read it: r is at the name of the logger, the header event ends at `end`. False when it is
// missing.
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

#define BLG_BUFFER_HEADER 0x48 // bytes

struct blg_buffer_header {
	bool is_readable;
	uint64_t sequence;
	uint32_t used;      // bytes, this header included
	uint32_t used_copy; // the same from another field; 0 where there is none
};

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
	bool is_needed; // a record that begins before `stop` goes on after it
	bool is_sparse; // of the next buffers only the heads of samples are read, not their values
	const uint8_t *buffer;
	uint8_t *own; // buffer: the bytes are here, or were read ahead
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
	// reading ahead, by a thread
	unsigned threads; // that may read, with the caller's
	struct pmon_ahead *ahead;
	unsigned
		n_aheads; // begun since the first buffer: each place where the order is not the file's ends one
	// what was seen, for the messages
	uint64_t n_pdh;
	uint64_t n_foreign;
};

struct blg_buffer_header pmon_blg_buffer_header(const struct blg_header *file_header,
						const uint8_t *bytes, size_t len);

// etl_order.c: find out in which order the buffers are to be read.
PMON_NODISCARD enum pmon_status pmon_blg_etl_find_order(struct blg_etl *etl, struct pmon_err *err);
void pmon_blg_etl_drop_index(struct blg_etl *etl);

// The number of the buffer that is read as the turn-th. Buffer 0, with the header, is always first.
uint64_t pmon_blg_etl_buffer_at(const struct blg_etl *etl, uint64_t turn);

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
	bool is_behind;   // parts of a record that began before the first buffer are skipped
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

// ---- text.c: names as UTF-8 -----------------------------------------------------------------

// A name as UTF-8 in blg->text, valid until the next call. False when memory is short.
bool pmon_blg_utf8(struct blg *blg, const struct pmon_perf_name *name, struct pmon_span *out);

// A machine's name without its backslashes; {NULL, 0} when nothing is left.
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

// Add a value; there is room. time is local.
void pmon_blg_sample_add(struct blg *blg, uint32_t series, const struct pmon_raw *raw);

// The record that is being decoded does not add up: remember why, for the notice. Returns
// PMON_E_FORMAT, which pmon_blg_sample_load() turns into the notice.
enum pmon_status pmon_blg_sample_damaged(struct blg *blg, const char *why);

// A value has both its local time and UTC: take the offset of the sample from them, unless it is
// known.
void pmon_blg_sample_clock(struct blg *blg, pmon_time local, pmon_time utc);

// The next sample is probably of the same log as the one before: decide whether its values are to
// be read one by one.
void pmon_blg_sample_expect(struct blg *blg);

// Decode a record 0x22 into blg->sample. PMON_OK; PMON_END when it is damaged, which was reported.
PMON_NODISCARD enum pmon_status pmon_blg_sample_load(struct blg *blg,
						     const struct blg_record *record,
						     struct pmon_err *err);

// ---- multi.c: value records of one counter of all instances ---------------------------------

// Decode a record 0203 of an entry. PMON_E_FORMAT when it is damaged.
PMON_NODISCARD enum pmon_status pmon_blg_multi_load(struct blg *blg, struct blg_entry *entry,
						    struct blg_value *value, struct pmon_err *err);

// ---- object.c: value records of whole objects -----------------------------------------------

// The instance names of one object in the present sample, to name the parents of others.
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
	char *text; // a name on its way to UTF-8
	size_t text_cap;
	bool no_memory; // while a catalogue is loaded: this is why it failed
	bool code_page_told;
	enum pmon_status failure; // there is no going on
	struct pmon_err failure_err;
	bool reads_few; // of some samples only parts were read

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
	bool is_odd;           // ... something was reported
	struct pmon_lock lock; // of the whole: one part at a time asks for series
	bool has_lock;
};

// Times in the log are local; without one of its own a value has the time of the sample.
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
