// write.h - the parts of the BLG writer and how they fit together (private)
// SPDX-License-Identifier: MIT
//
// The counterpart of the reader (blg.h). Samples become bytes in four steps, each in its own file
// (docs/reference/formats/blg-writing.md describes the output):
//
//	write_catalogue.c  the schema  -> the entries of the logs, and their records 0x20
//	write_sample.c     a sample    -> a record 0x22
//	write_etl.c        records     -> parts, events, buffers, the file
//	write_header.c     facts       -> the header event           (write_zone.c  its time zone)
//
// write.c is the sink that combines them. The layout is that of Windows 10 (Export-Counter).

#ifndef PMON_FORMAT_BLG_WRITE_H
#define PMON_FORMAT_BLG_WRITE_H

#include "base/wr.h"
#include "format/blg/blg.h"
#include "format/format.h"
#include "model/sink.h"
#include "os/outfile.h"
#include "query/clocks.h"
#include "query/slots.h"

#define BLG_OUT_BUFFER 0x10000 // bytes of a buffer
#define BLG_OUT_HEADER 0x48    // bytes of its header
#define BLG_OUT_HEAD   4096    // room for the used part of buffer 0
#define BLG_OUT_ZONE   172     // bytes of a TIME_ZONE_INFORMATION

// Status of the record of a single counter that is absent from a sample. With MultiCount 0, which
// no Windows program writes, readers recognize the absence.
#define BLG_OUT_ABSENT PMON_RAW_NO_INSTANCE

// A time on the clock of the sample, as stored in the file; 0 if there is none.
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

// The size of the text as UTF-16LE without a NUL; if out is not NULL, it is written there. Invalid
// UTF-8 and NULs become U+FFFD.
size_t pmon_blg_out_utf16(struct pmon_span text, uint8_t *out);

// Text as UTF-16LE with its NUL.
void pmon_blg_out_string(struct pmon_wr *w, struct pmon_span text);

// ---- Records that grow ----------------------------------------------------------------------

struct blg_bytes {
	uint8_t *ptr;
	size_t len;
	size_t cap;
};

// Append n bytes, and return a writer for them. False if out of memory.
bool pmon_blg_bytes_add(struct blg_bytes *bytes, const struct pmon_allocator *allocator, size_t n,
			struct pmon_wr *out);

// ---- write_zone.c: the time zone of the header ----------------------------------------------

// A time zone in which all samples so far have their actual offsets. A reader gets the offset from
// counters on the system clock or, if the log has none, from this zone.
struct blg_out_zone {
	uint8_t bytes[BLG_OUT_ZONE];
	struct blg_zone zone; // as a reader interprets it
	struct pmon_span name;
	bool begun;
	int32_t first_min; // offset of the first sample
	int32_t last_min;  // ... and of the newest one, at `last`
	pmon_time last;
	struct {
		pmon_time at; // UTC
		int32_t from_min, to_min;
	} change[2]; // the first two changes
	size_t n_changes;
};

// Begin with the source's zone if it is known, otherwise without daylight saving time.
void pmon_blg_out_zone_begin(struct blg_out_zone *zone, const struct pmon_source_info *info);

// Add a sample. Returns true if the zone had to be changed for it.
bool pmon_blg_out_zone_add(struct blg_out_zone *zone, pmon_time time, int32_t offset_min);

// ---- write_header.c: the header event -------------------------------------------------------

struct blg_out_facts {
	pmon_time start; // UTC
	pmon_time end;   // 0 while the log is being written
	uint64_t n_buffers;
	uint32_t cpu_mhz;
	pmon_time boot; // 0 if unknown
	int64_t perf_freq;
	const uint8_t *zone;   // BLG_OUT_ZONE bytes
	const uint8_t *log_id; // 16 bytes
	struct pmon_span path; // of the file; truncated if it is longer than a name may be
	uint64_t ring_bytes;   // maximum size; 0: no limit
	const struct pmon_source_info *info; // of the source: what recorded it
};

// Write the used part of buffer 0 to out, which has room for BLG_OUT_HEAD bytes. Returns its length,
// a multiple of 8.
size_t pmon_blg_out_head(const struct blg_out_facts *facts, uint8_t *out);

// ---- write_etl.c: parts, events, buffers ----------------------------------------------------

// The current buffer, and the file. A buffer is written when the next event does not fit, so that
// the file is intact up to there whenever the writer is stopped.
struct blg_out {
	struct pmon_outfile *file;
	const struct pmon_allocator *allocator;
	bool live;
	uint32_t ring;       // number of buffers in a circular log; 0: the file grows
	uint32_t ring_first; // the first buffer that may be overwritten
	uint8_t *buffer;     // in the block of the file, or `own`
	uint8_t *own;        // for buffers that are written more than once; NULL: not needed so far
	uint64_t number;     // its sequence number
	uint64_t place;      // its position in the file: equal to number, except in a circular log
	size_t used;
	size_t on_disk;   // how much of it was flushed to the file; 0: nothing yet
	pmon_time newest; // time of the newest event in it, UTC
};

PMON_NODISCARD enum pmon_status pmon_blg_out_open(struct blg_out *out, const char *path,
						  const struct pmon_create_options *options,
						  struct pmon_err *err);
void pmon_blg_out_close(struct blg_out *out);

// Write buffer 0. Called before the first record, and again when the header's contents have
// changed.
PMON_NODISCARD enum pmon_status pmon_blg_out_begin(struct blg_out *out,
						   const struct blg_out_facts *facts,
						   struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_blg_out_patch(struct blg_out *out,
						   const struct blg_out_facts *facts,
						   struct pmon_err *err);

// In a live log with a limit: buffers after the current position are circular; earlier ones stay.
PMON_NODISCARD enum pmon_status pmon_blg_out_close_ring(struct blg_out *out, struct pmon_err *err);

// A record, which is written as several events if necessary. local is the time of the events, utc
// the same moment.
struct blg_out_record {
	uint8_t type;
	const uint8_t *log_id; // 16 bytes
	int64_t local;
	int32_t offset_min; // for local
	pmon_time utc;
	const uint8_t *bytes; // NULL: the bytes are produced in place ...
	// ... by this function, piece by piece
	void (*make)(void *ctx, size_t from, size_t len, uint8_t *out);
	void *ctx;
	size_t len;
};
PMON_NODISCARD enum pmon_status pmon_blg_out_put(struct blg_out *out,
						 const struct blg_out_record *record,
						 struct pmon_err *err);

// Write the current buffer to the file too; it is written again later, with more in it.
PMON_NODISCARD enum pmon_status pmon_blg_out_flush(struct blg_out *out, bool sync,
						   struct pmon_err *err);

// Write the last buffer and the final header (n_buffers is filled in), and rename the file.
PMON_NODISCARD enum pmon_status pmon_blg_out_finish(struct blg_out *out,
						    struct blg_out_facts *facts,
						    struct pmon_err *err);

// ---- write_catalogue.c: entries -------------------------------------------------------------

// A counter as the catalogue lists it: one series or, with is_wildcard, all instances of a counter.
struct blg_out_entry {
	const struct pmon_series *series; // the first of its series
	bool is_wildcard;
	uint32_t log;
	uint32_t head; // values in the current sample: indexes in the sample, linked ...
	uint32_t tail; // ... by blg_writer.next; BLG_NONE if there are none
};

// How a series is stored in the file.
struct blg_out_item {
	uint32_t entry; // BLG_NONE: it appeared too late
	uint32_t prev;  // series of the instance with the same name and the previous index, or NONE
	uint32_t index; // among instances with the same name
	const uint8_t *name; // "parent/instance" in UTF-16, then "#index" if that is not 0
	size_t name_len;     // length without the index
	size_t full_len;     // ... and with it
	uint64_t seen;       // number of its last sample,
	uint64_t placed;     // ... of the last in which it was ordered in a record,
	uint64_t plain;      // ... and of the last in which its index follows from that order
};

// One log in the file: the entries of one source, with their own id. Sources recorded separately
// stay separate, because a sample marks every counter of its log as having a value or being absent.
struct blg_out_log {
	uint32_t source;
	uint32_t first_entry;
	uint32_t n_entries;
	bool has_clock;   // a reader gets the offset to UTC from a counter in it
	bool has_perf;    // ... and the performance clock
	uint64_t touched; // number of its last sample
	uint8_t id[16];
};

struct blg_writer;

// Process new series of the schema. The first call creates the entries; later, a series must belong
// to one, unless the log is live: then entries are added or, in a circular log, the series is
// skipped. PMON_E_STATE; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_blg_out_learn(struct blg_writer *w, struct pmon_err *err);

// Build the record 0x20 of a log in w->record.
PMON_NODISCARD enum pmon_status pmon_blg_out_catalogue(struct blg_writer *w,
						       const struct blg_out_log *log,
						       struct pmon_err *err);

// ---- write_sample.c: values -----------------------------------------------------------------

// A value to be written to a record.
struct blg_out_pick {
	struct blg_out_item *item;
	const struct pmon_raw *raw;
};

// Write a sample to each log that it has values for.
PMON_NODISCARD enum pmon_status pmon_blg_out_sample(struct blg_writer *w,
						    const struct pmon_sample *sample,
						    struct pmon_err *err);

// ---- write.c: the sink ----------------------------------------------------------------------

struct blg_writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_span path;
	struct pmon_create_options options;
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	struct blg_out out;
	bool begun;    // the header and the catalogues were written
	bool finished; // ... and everything else was too
	struct pmon_err failure_err;
	enum pmon_status failure; // nothing can be added after it
	struct blg_out_facts facts;
	struct blg_out_zone zone;
	pmon_time last; // time of the newest sample

	struct pmon_arena arena; // names
	struct blg_out_log *logs;
	size_t n_logs;
	size_t n_without_perf; // logs that lack the performance clock
	size_t logs_cap;
	struct blg_out_entry *entries;
	size_t n_entries;
	size_t n_written;   // entries in the catalogues of the file
	size_t n_late;      // series that appeared too late; SIZE_MAX after they were reported
	size_t n_wildcards; // entries with wildcards
	struct pmon_clocks clocks; // unused if all logs have the performance clock
	struct pmon_slots slots;   // unused as long as no value is of another process than before
	uint64_t n_changed;        // such values of instances that no counter here identifies
	uint64_t n_stepped; // values after the system clock was set that readers cannot recognize
	size_t entries_cap;
	uint64_t hash_seed;
	struct pmon_map entry_map;  // wildcards, by what they match
	struct blg_out_item *items; // by series
	size_t n_items;
	size_t items_cap;
	struct pmon_map item_map; // instances, by entry, name and index
	struct pmon_map text_map; // the same, by entry and name including the index
	// stream << 32 | log, ascending: which stream has been in which log
	uint64_t *visits;
	size_t n_visits;
	size_t visits_cap;

	// the current sample
	uint64_t serial; // its number, from 1
	uint32_t *next;  // links values of an entry
	size_t next_cap;
	struct blg_out_pick *picks;
	size_t picks_cap;
	struct blg_bytes record;

	// the previous sample, if it determines where the values of a similar one go
	uint32_t *planned; // its series
	size_t n_planned;
	size_t planned_cap;
	uint32_t *plan; // by entry: the index of its value, or BLG_NONE
	size_t n_plan;  // 0: it does not
	size_t plan_cap;
	bool by_plan; // the current sample is similar
};

// Make everything added so far readable in the file while it is being written. For recorders and
// tests; the sink must be of this format and begun.
PMON_NODISCARD enum pmon_status pmon_blg_writer_flush(struct pmon_sink *sink, bool sync,
						      struct pmon_err *err);

#endif
