// log.h - open a performance log of any known format
// SPDX-License-Identifier: MIT
//
// The format is found by the content of the file, not by its name. The source streams: memory does
// not grow with the length of the log.
//
//	struct pmon_log_options options = {.notice = print_notice};
//	struct pmon_source *log;
//
//	status = pmon_log_open("server.blg", &options, &log, &err);
//	...
//	pmon_source_close(log);

#ifndef PMON_LOG_H
#define PMON_LOG_H

#include <pmon/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_log_options {
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	struct pmon_limits limits;              // zeros: defaults
	pmon_notice_fn notice;                  // NULL: not told
	void *notice_ctx;
	pmon_want_fn want; // NULL: every series. Series not wanted are not in the schema
	void *want_ctx;
	// That may read text logs and BLG before samples are asked for, the caller's included. 0 and 1: none. More: the
	// allocator is called by them too.
	unsigned threads;
	// of text logs (PDH-CSV, PDH-TSV)
	const char *encoding;    // of the text, as iconv names it; NULL: found by its content
	const char *known_types; // path of a table "object,counter,type": the types of counters
				 // beside those that pmon knows; NULL: none
	bool dst_repair; // where the clock was changed for daylight saving, change the offset too
	// of logs that hold counters by title index only (registry blocks, agents' sections)
	const char *names; // path of the machine's table of names, its registry value
			   // "Counter 009"; NULL: one beside the log, else the well-known names.
			   // Or, for any log, a table of names in another language
			   // (docs/reference/paths.md)
	// Objects and counters have their English names, if the log has those of another language and pmon
	// knows them; `want` is asked for the names of the log.
	bool english;
	// Counters of PERF_COUNTER_TEXT are series too, in registry blocks; else they are left out. The
	// value of such a series is for pmon_series_text() alone: no sink writes it.
	bool texts;
	// Read raw values as valid where a log in SQLite or JSON lines says that another process has the place
	// (PMON_RAW_CHANGED), as Windows does.
	bool ignore_changes;
	// Read a compressed log while a thread unpacks it, instead of unpacking it first. Its size
	// and its notices come with its end. When pmon_source_next() fails with PMON_E_STATE,
	// that cannot be done, as with compressed data that is damaged: open the log again without.
	bool stream;
};

// Open a log. options may be NULL. "-" is standard input. A directory is opened when it holds files
// that are one log together (registry blocks, agents' sections). On failure *source is NULL and
// err->msg says what the file is instead, if that is known:
// PMON_E_NOTFOUND  no such file; PMON_E_IO  cannot be read, or is a directory of other things;
// PMON_E_FORMAT    no log, or one so damaged that no counter can be named;
// PMON_E_UNSUPPORTED  a log of a kind that pmon cannot read; PMON_E_NOMEM; PMON_E_LIMIT.
PMON_API PMON_NODISCARD enum pmon_status pmon_log_open(const char *path,
						       const struct pmon_log_options *options,
						       struct pmon_source **source,
						       struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
