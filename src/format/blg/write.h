// write.h - the parts of the BLG writer and how they fit together (private)
// SPDX-License-Identifier: MIT
//
// The mirror of the reader (blg.h). Samples become bytes in four steps, each in a file of its own
// (docs/reference/formats/blg-writing.md says what is written and why):
//
//	write_catalogue.c  the schema  -> the entries of the logs, and their records 0x20
//	write_sample.c     a sample    -> a record 0x22
//	write_etl.c        records     -> parts, events, buffers, the file
//	write_header.c     facts       -> the header event           (write_zone.c  its time zone)
//
// write.c is the sink that drives it all. The layout is that of Windows 10 (Export-Counter).

#ifndef PMON_FORMAT_BLG_WRITE_H
#define PMON_FORMAT_BLG_WRITE_H

#include "base/wr.h"
#include "format/blg/blg.h"
#include "format/format.h"
#include "model/sink.h"
#include "os/outfile.h"

#define BLG_OUT_BUFFER 0x10000 // bytes of a buffer
#define BLG_OUT_HEADER 0x48    // bytes of its header
#define BLG_OUT_HEAD   4096    // room for the used part of buffer 0
#define BLG_OUT_ZONE   172     // bytes of a TIME_ZONE_INFORMATION

// Status of the record of a single counter that is absent in a sample, with MultiCount 0, which no
// program of Windows writes: by both the reader knows it.
#define BLG_OUT_ABSENT PMON_RAW_NO_INSTANCE

// A moment on the clock of the sample, as the file has it; 0 when there is none.
static inline int64_t
blg_out_local(pmon_time utc, int32_t offset_min)
{
	if (utc == PMON_TIME_NONE)
		return 0;
	return (int64_t)((uint64_t)utc + (uint64_t)(offset_min * PMON_TIME_PER_MIN));
}

// Bytes that a sequence is padded by to a multiple of 8.
static inline size_t
blg_out_pad(size_t len)
{
	return (8 - len % 8) % 8;
}

// ---- write_text.c: names as UTF-16 ----------------------------------------------------------

// Bytes that the text takes as UTF-16LE without a NUL; written to out when it is not NULL. Bytes
// that are not UTF-8, and NULs, become U+FFFD.
size_t pmon_blg_out_utf16(struct pmon_span text, uint8_t *out);

// Text as UTF-16LE with its NUL.
void pmon_blg_out_string(struct pmon_wr *w, struct pmon_span text);

// ---- Records that grow ----------------------------------------------------------------------

struct blg_bytes {
	uint8_t *ptr;
	size_t len;
	size_t cap;
};

// A writer on n more bytes at the end, which are then part of it. False when memory is short.
bool pmon_blg_bytes_add(struct blg_bytes *bytes, const struct pmon_allocator *allocator, size_t n,
			struct pmon_wr *out);

// ---- write_zone.c: the time zone of the header ----------------------------------------------

// The zone that gives the samples so far the offsets that they had. A reader gets the offset from
// counters on the system clock; if the log has none of these, from this zone.
struct blg_out_zone {
	uint8_t bytes[BLG_OUT_ZONE];
	struct blg_zone zone; // as the reader will take it
	struct pmon_span name;
	bool begun;
	int32_t first_min; // offset of the first sample
	int32_t last_min;  // ... and of the newest one, at `last`
	pmon_time last;
	struct {
		pmon_time at; // UTC
		int32_t from_min, to_min;
	} change[2]; // the first two
	size_t n_changes;
};

// Begin: with the zone of the source where it is known, else without daylight time.
void pmon_blg_out_zone_begin(struct blg_out_zone *zone, const struct pmon_source_info *info);

// Take note of a sample. True when the zone had to be changed for it.
bool pmon_blg_out_zone_add(struct blg_out_zone *zone, pmon_time time, int32_t offset_min);

// ---- write_header.c: the header event -------------------------------------------------------

struct blg_out_facts {
	pmon_time start; // UTC
	pmon_time end;   // 0 while the log is being written
	uint64_t n_buffers;
	uint32_t cpu_mhz;
	pmon_time boot; // 0 when not known
	int64_t perf_freq;
	const uint8_t *zone;   // BLG_OUT_ZONE bytes
	const uint8_t *log_id; // 16 bytes
	struct pmon_span path; // of the file; cut when it is longer than a name may be
	uint64_t ring_bytes;   // the size that it may have; 0: no limit
	const struct pmon_source_info *info; // of the source: who recorded it
};

// Write the used part of buffer 0 to out, which has room for BLG_OUT_HEAD bytes. Returns its length,
// a multiple of 8.
size_t pmon_blg_out_head(const struct blg_out_facts *facts, uint8_t *out);

// ---- write_etl.c: parts, events, buffers ----------------------------------------------------

// The buffer that is being filled, and the file. Each buffer is written when the next event does not
// fit, so that a file is whole up to there whenever the writer is stopped.
struct blg_out {
	struct pmon_outfile *file;
	const struct pmon_allocator *allocator;
	bool live;
	uint32_t ring;       // buffers that the file may have; 0: it grows
	uint32_t ring_first; // of them, the first that is written over
	uint8_t *buffer;     // in the block of the file, or `own`
	uint8_t *own;        // for one that is written more than once; NULL: none was yet
	uint64_t number;     // its sequence number
	uint64_t place;      // of the buffer in the file: the same, but in a circle
	size_t used;
	size_t on_disk;   // how much of it was written by a flush; 0: nothing yet
	pmon_time newest; // time of the newest event in it, UTC
};

PMON_NODISCARD enum pmon_status pmon_blg_out_open(struct blg_out *out, const char *path,
						  const struct pmon_create_options *options,
						  struct pmon_err *err);
void pmon_blg_out_close(struct blg_out *out);

// Write buffer 0. Called before the first record, and again when facts have changed.
PMON_NODISCARD enum pmon_status pmon_blg_out_begin(struct blg_out *out,
						   const struct blg_out_facts *facts,
						   struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_blg_out_patch(struct blg_out *out,
						   const struct blg_out_facts *facts,
						   struct pmon_err *err);

// In a live log with a limit: the buffers after this place are the circle; what was put so far stays.
PMON_NODISCARD enum pmon_status pmon_blg_out_close_ring(struct blg_out *out, struct pmon_err *err);

// A record, in as many events as it takes. local is the time of the events, utc the same moment.
struct blg_out_record {
	uint8_t type;
	const uint8_t *log_id; // 16 bytes
	int64_t local;
	int32_t offset_min; // of local
	pmon_time utc;
	const uint8_t *bytes; // NULL: they are made in their final place,
	void (*make)(void *ctx, size_t from, size_t len, uint8_t *out); // ... as many of them
	void *ctx;
	size_t len;
};
PMON_NODISCARD enum pmon_status pmon_blg_out_put(struct blg_out *out,
						 const struct blg_out_record *record,
						 struct pmon_err *err);

// Hand the buffer that is being filled to the system too; it is written again, further filled, later.
PMON_NODISCARD enum pmon_status pmon_blg_out_flush(struct blg_out *out, bool sync,
						   struct pmon_err *err);

// The last buffer, the final facts (n_buffers is filled in), and the name of the file.
PMON_NODISCARD enum pmon_status pmon_blg_out_finish(struct blg_out *out,
						    struct blg_out_facts *facts,
						    struct pmon_err *err);

// ---- write_catalogue.c: entries -------------------------------------------------------------

// A counter as the catalogue lists it: one series, or with is_wildcard all instances of a counter.
struct blg_out_entry {
	const struct pmon_series *series; // the first of its series
	bool is_wildcard;
	uint32_t log;
	uint32_t head; // values of the present sample: numbers in the sample, linked ...
	uint32_t tail; // ... by blg_writer.next; BLG_NONE when there are none
};

// What a series is in the file.
struct blg_out_item {
	uint32_t entry; // BLG_NONE: it came too late
	uint32_t prev;  // series of the instance of the same name with the index before, or NONE
	uint32_t index; // among instances of the same name
	const uint8_t *name; // "parent/instance" in UTF-16, then "#index" if that is not 0
	size_t name_len;     // bytes without the index
	size_t full_len;     // ... and with it
	uint64_t seen;       // number of the sample that it was last in,
	uint64_t placed;     // ... in which it is in the order of a record,
	uint64_t plain;      // ... and in which its index follows from that order
};

// One log in the file: the entries of one source, with an id of their own. What was recorded apart
// stays apart: a sample says of every counter of its log that it has a value or was absent.
struct blg_out_log {
	uint32_t source;
	uint32_t first_entry;
	uint32_t n_entries;
	bool has_clock;   // a reader gets the offset to UTC from a counter in it
	uint64_t touched; // number of the sample that it was last in
	uint8_t id[16];
};

struct blg_writer;

// Learn the series that the schema has more than before. The first call makes the entries; later a
// series must belong to one, or the log must be live: then there are more entries, or, in a circle, it
// is left out. PMON_E_STATE; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_out_learn(struct blg_writer *w, struct pmon_err *err);

// Build the record 0x20 of a log in w->record.
PMON_NODISCARD enum pmon_status pmon_blg_out_catalogue(struct blg_writer *w,
						       const struct blg_out_log *log,
						       struct pmon_err *err);

// ---- write_sample.c: values -----------------------------------------------------------------

// A value on its way into a record.
struct blg_out_pick {
	struct blg_out_item *item;
	const struct pmon_raw *raw;
};

// Write a sample to every log that it is of.
PMON_NODISCARD enum pmon_status pmon_blg_out_sample(struct blg_writer *w,
						    const struct pmon_sample *sample,
						    struct pmon_err *err);

// ---- write.c: the sink ----------------------------------------------------------------------

struct blg_writer {
	struct pmon_sink sink; // first, as every sink has it
	const struct pmon_allocator *allocator;
	struct pmon_span path;
	struct pmon_create_options options;
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	struct blg_out out;
	bool begun;    // the header and the catalogues are written
	bool finished; // ... and so is everything else
	struct pmon_err failure_err;
	enum pmon_status failure; // after it nothing is taken
	struct blg_out_facts facts;
	struct blg_out_zone zone;
	pmon_time last; // time of the newest sample

	struct pmon_arena arena; // names
	struct blg_out_log *logs;
	size_t n_logs;
	size_t logs_cap;
	struct blg_out_entry *entries;
	size_t n_entries;
	size_t n_written;   // entries that a catalogue in the file has
	size_t n_late;      // series that came too late; SIZE_MAX when that was reported
	size_t n_wildcards; // entries that are such
	size_t entries_cap;
	uint64_t hash_seed;
	struct pmon_map entry_map;  // wildcards, by what they match
	struct blg_out_item *items; // by series
	size_t n_items;
	size_t items_cap;
	struct pmon_map item_map; // instances, by entry, name and index
	struct pmon_map text_map; // the same, by entry and name with the index in it
	uint64_t *visits;         // stream << 32 | log, ascending: who has been in which log
	size_t n_visits;
	size_t visits_cap;

	// the sample at hand
	uint64_t serial; // its number, from 1
	uint32_t *next;  // links values of an entry
	size_t next_cap;
	struct blg_out_pick *picks;
	size_t picks_cap;
	struct blg_bytes record;

	// the sample before, if it determines where the values of a similar one go
	uint32_t *planned; // its series
	size_t n_planned;
	size_t planned_cap;
	uint32_t *plan; // by entry: which value, or BLG_NONE
	size_t n_plan;  // 0: it cannot
	size_t plan_cap;
	bool by_plan; // the present sample is one like it
};

// Make everything that was added readable in the file as it is being written. For recorders, and
// for tests; the sink must be one of this format that has begun.
PMON_NODISCARD enum pmon_status pmon_blg_writer_flush(struct pmon_sink *sink, bool sync,
						      struct pmon_err *err);

#endif
