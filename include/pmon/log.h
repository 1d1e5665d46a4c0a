// log.h - open a performance log of any known format
// SPDX-License-Identifier: MIT
//
// The format is detected from the file's content, not from its name. The source streams: memory use
// does not grow with the length of the log.
//
//	struct pmon_log_options options = {.size = sizeof(options), .notice = print_notice};
//	struct pmon_source *log;
//
//	if (pmon_log_open("server.blg", &options, &log, &err) == PMON_OK)
//		printf("%zu counters\n", pmon_schema_count(pmon_source_schema(log)));
//	pmon_source_close(log);

#ifndef PMON_LOG_H
#define PMON_LOG_H

#include <pmon/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_door;

struct pmon_log_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	struct pmon_limits limits;              // zeros: defaults
	pmon_notice_fn notice;                  // NULL: no notices
	void *notice_ctx;
	pmon_want_fn want; // NULL: every series. Unwanted series are not in the schema
	void *want_ctx;
	// Threads that may read ahead in text logs and BLG, including the caller's. 0 and 1: no
	// read-ahead. If more, these threads also call the allocator.
	unsigned threads;
	// text logs (PDH-CSV, PDH-TSV)
	const char *encoding;    // iconv's name of the encoding; NULL: detect it
	const char *known_types; // path of a table "object,counter,type" of counter types
				 // in addition to those that pmon knows; NULL: none
	bool dst_repair; // adjust the UTC offset where the clock changed for daylight saving
	// When the log begins, in its own local time, for logs whose lines have a time of day only, or minutes and
	// seconds. 0: not known; they are counted from 2000-01-01 00:00.
	pmon_time start_local;
	// How far the clock of a text log was ahead of UTC, in minutes, if the log does not say: whether it is known,
	// and by how much.
	bool has_zone;
	int32_t zone_offset_min;
	// Instead: its zone of the IANA database, such as "Europe/Berlin", whose changes of the clock apply. NULL: none.
	const char *zone;
	// logs that identify counters by title index only (registry blocks, agents' sections)
	const char *names; // path of the machine's name table, its registry value "Counter 009";
			   // NULL: the one next to the log, else the well-known names.
			   // For any log, it may also be a name table in another language
			   // (docs/reference/paths.md)
	// Translate object and counter names to English, if the log is in another language that
	// pmon knows. `want` is still called with the names in the log.
	bool english;
	// Include PERF_COUNTER_TEXT counters of registry blocks as series; otherwise they are
	// skipped. Only pmon_series_text() can read their values; no sink writes them.
	bool texts;
	// Treat raw values as valid, as Windows does, even if a log in SQLite or JSON lines says
	// that the instance is now another process (PMON_RAW_CHANGED), or a text log has a number
	// that no counter of its type can have (PMON_RAW_IMPOSSIBLE).
	bool ignore_changes;
	// Read a compressed log while another thread decompresses it, instead of decompressing it
	// first. Its size and notices are available only at the end. If pmon_source_next() fails
	// with PMON_E_STATE, the log cannot be streamed (for example, it is damaged): reopen it
	// without this option.
	bool stream;
	const struct pmon_door *door; // pmon's own sandbox only; NULL
};

// Open a log. options may be NULL. "-" is standard input. A directory can be opened if its files
// form one log (registry blocks, agents' sections). On failure *source is NULL, and err->msg says
// what the file is instead, if known:
// PMON_E_NOTFOUND  no such file; PMON_E_IO  unreadable, or a directory of other files;
// PMON_E_FORMAT    not a log, or too damaged to name a single counter;
// PMON_E_UNSUPPORTED  a kind of log that pmon cannot read; PMON_E_NOMEM; PMON_E_LIMIT.
PMON_API PMON_NODISCARD enum pmon_status pmon_log_open(const char *path,
						       const struct pmon_log_options *options,
						       struct pmon_source **source,
						       struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
