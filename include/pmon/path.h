// path.h - counter paths: parse, print and match \\machine\object(parent/instance#index)\counter
// SPDX-License-Identifier: MIT
//
// A counter path names one counter of one instance of one object of one machine. Machine, parent,
// instance and index may be absent. There is no escape character, yet real names hold parentheses,
// slashes, commas and backslashes, so the parser balances parentheses (docs/reference/paths.md has the rule):
//
//	struct pmon_path path;
//	struct pmon_path_error why;
//
//	if (pmon_path_parse(PMON_SPAN("\\\\SRV\\Process(sqlservr#1)\\% Processor Time"), &path, &why))
//		... path.machine "SRV", path.object "Process", path.instance "sqlservr", path.index 1,
//		... path.counter "% Processor Time"
//	else
//		... why.at is the byte, why.text the reason
//
// A pattern is a path whose parts may hold the wildcards * (any run of characters) and ? (any one
// character). A pattern without a machine matches every machine, one without an instance only
// counters without one. `#*` as index matches every duplicate; a pattern with no index matches
// index 0 only, unless there is a wildcard between its parentheses. A pattern with no parent is
// compared with "parent/instance". An object "SQLServer:..." matches that of a named instance of SQL
// Server too, "MSSQL$NAME:...". Comparison ignores case, of non-ASCII letters too (simple one-to-one
// case folding). docs/reference/paths.md has examples.
//
// Nothing here allocates; the spans of a parsed path point into the text that was parsed.
// All functions are pure and may be called from any thread.

#ifndef PMON_PATH_H
#define PMON_PATH_H

#include <pmon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// A span of a string literal.
#define PMON_SPAN(literal) ((struct pmon_span){(literal), sizeof(literal) - 1})

#define PMON_INDEX_ANY  (-1) // in a pattern: every duplicate (#*)
#define PMON_INDEX_NONE (-2) // in a pattern: no index was written

// The parts of a path. machine has no leading backslashes. A part with ptr NULL is absent; an
// instance that is present may be empty text. index is the number among instances of the same
// name, 0 for the first. In a parsed path without `#n` it is 0; in a pattern PMON_INDEX_NONE. An
// empty machine is taken as absent.
struct pmon_path {
	struct pmon_span machine;
	struct pmon_span object;
	struct pmon_span parent;
	struct pmon_span instance;
	int32_t index;
	struct pmon_span counter;
};

// Why a text is not a path: the position of the first invalid byte, and a sentence (static text).
struct pmon_path_error {
	size_t at;
	const char *text;
};

// Parse a path. Returns false and fills *why (may be NULL) when text is not a path; *out is then
// all absent. Limits are not checked here: PDH's are 1024 characters a name, 2048 a path.
PMON_API bool pmon_path_parse(struct pmon_span text, struct pmon_path *out,
			      struct pmon_path_error *why);

// Parse a pattern: the same grammar, but `#*` is taken as an index and a text without any
// leading backslash, as people type it, is read as if it had one ("Memory\\Pages/sec"). If object and
// counter are well-known title indexes of Windows ("\\238(_Total)\\6"), their English names take their place.
PMON_API bool pmon_pattern_parse(struct pmon_span text, struct pmon_path *out,
				 struct pmon_path_error *why);

// Print a path or pattern into buf (size bytes, NUL-terminated if size > 0; when too small it ends with "...").
// `#index` is written only when index > 0, `#*` for PMON_INDEX_ANY. Returns the length that the
// whole text has, without the NUL.
PMON_API size_t pmon_path_format(const struct pmon_path *path, char *buf, size_t size);

// Does the pattern match the path?
PMON_API bool pmon_path_match(const struct pmon_path *pattern, const struct pmon_path *path);

// Does the text match the pattern text with * and ?, without regard to case?
PMON_API bool pmon_text_match(struct pmon_span pattern, struct pmon_span text);

// Are two names the same without regard to case?
PMON_API bool pmon_text_same(struct pmon_span a, struct pmon_span b);

// Are two paths the same, that is: do they print the same, without regard to case?
PMON_API bool pmon_path_same(const struct pmon_path *a, const struct pmon_path *b);

// Is the instance the sum of others of its object? "_Total" and "0,_Total" are.
PMON_API bool pmon_path_is_total(const struct pmon_path *path);

// May the instance be ranked among others of its object? Sums of others may not, nor what is idle: "_Total",
// "0,_Total", "_Global_", "Idle" with its threads, and "Idle:0" of `Process V2`.
PMON_API bool pmon_path_ranks(const struct pmon_path *path);

#ifdef __cplusplus
}
#endif

#endif
