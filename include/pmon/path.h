// path.h - counter paths: parse, print and match \\machine\object(parent/instance#index)\counter
// SPDX-License-Identifier: MIT
//
// A counter path names one counter of one instance of one object on one machine. Machine, parent,
// instance and index are optional. There is no escape character, but real names contain
// parentheses, slashes, commas and backslashes, so the parser balances parentheses (rule:
// docs/reference/paths.md):
//
//	struct pmon_path path;
//	struct pmon_path_error why;
//
//	if (pmon_path_parse(PMON_SPAN("\\\\SRV\\Process(sqlservr#1)\\% Processor Time"), &path, &why))
//		printf("%.*s, number %d\n", (int)path.instance.len, path.instance.ptr, (int)path.index);
//	else
//		printf("byte %zu: %s\n", why.at, why.text);
//
// A pattern is a path whose parts may contain the wildcards * (any run of characters) and ? (any
// one character). A pattern without a machine matches every machine; a pattern without an instance
// matches only counters without an instance. The index `#*` matches every duplicate; a pattern
// without an index matches only index 0, unless there is a wildcard between its parentheses. A
// pattern without a parent is compared with "parent/instance". An object "SQLServer:..." also
// matches the object of a named SQL Server instance, "MSSQL$NAME:...". Comparison is
// case-insensitive, including non-ASCII letters (simple one-to-one case folding). Examples:
// docs/reference/paths.md.
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
#define PMON_INDEX_NONE (-2) // in a pattern: no index given

// The parts of a path. machine has no leading backslashes. ptr is NULL if a part is absent; an
// instance may be present but empty. index numbers instances of the same name, from 0. Without `#n`
// it is 0 in a parsed path and PMON_INDEX_NONE in a pattern. An empty machine counts as absent.
struct pmon_path {
	struct pmon_span machine;
	struct pmon_span object;
	struct pmon_span parent;
	struct pmon_span instance;
	int32_t index;
	struct pmon_span counter;
};

// A parse error: the position of the first invalid byte, and a static message.
struct pmon_path_error {
	size_t at;
	const char *text;
};

// Parse a path. If text is not a path, returns false, fills in *why (may be NULL) and leaves every
// part of *out absent. Does not check PDH's limits of 1024 characters per name and 2048 per path.
PMON_API bool pmon_path_parse(struct pmon_span text, struct pmon_path *out,
			      struct pmon_path_error *why);

// Parse a pattern: the same grammar, but `#*` is an index, and the leading backslash may be omitted
// ("Memory\\Pages/sec"). If object and counter are well-known Windows title indexes
// ("\\238(_Total)\\6"), they are replaced with their English names.
PMON_API bool pmon_pattern_parse(struct pmon_span text, struct pmon_path *out,
				 struct pmon_path_error *why);

// The same, but a text without a backslash is a search by words, such as "disk read" or "sqlservr": all of its words must
// be in the machine, object, instance or counter. A word with wildcards must match one of these names from its beginning
// to its end. The words cpu, memory, disk, network, process, sql and web stand for all counters of that kind. For a
// search, out->object is absent and out->counter is the text; every function that takes a pattern accepts it.
PMON_API bool pmon_search_parse(struct pmon_span text, struct pmon_path *out,
				struct pmon_path_error *why);

// Print a path or pattern into buf (size bytes; NUL-terminated if size > 0; ends with "..." if
// truncated). `#index` is printed only if index > 0, and `#*` for PMON_INDEX_ANY. Returns the
// length of the complete text, without the NUL.
PMON_API size_t pmon_path_format(const struct pmon_path *path, char *buf, size_t size);

PMON_API bool pmon_path_match(const struct pmon_path *pattern, const struct pmon_path *path);

// Does the text match the pattern? Supports * and ?; case-insensitive.
PMON_API bool pmon_text_match(struct pmon_span pattern, struct pmon_span text);

// Are two names equal, ignoring case?
PMON_API bool pmon_text_same(struct pmon_span a, struct pmon_span b);

// Do two paths print the same, ignoring case?
PMON_API bool pmon_path_same(const struct pmon_path *a, const struct pmon_path *b);

// Is the instance the sum of other instances of its object? True for "_Total" and "0,_Total".
PMON_API bool pmon_path_is_total(const struct pmon_path *path);

// The same, but also true for "_Global_" and for threads of "_Total".
PMON_API bool pmon_path_is_sum(const struct pmon_path *path);

// Can the instance be ranked among others of its object? False for sums and idle instances:
// "_Total", "0,_Total", "_Global_", "Idle" and its threads, and "Idle:0" of `Process V2`.
PMON_API bool pmon_path_ranks(const struct pmon_path *path);

#ifdef __cplusplus
}
#endif

#endif
