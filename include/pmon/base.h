// base.h - the words every other pmon header is written in: status, error, span, time, memory
// SPDX-License-Identifier: MIT
//
// A pmon function that can fail returns an enum pmon_status and takes, as its last argument, a
// struct pmon_err * that may be NULL. On failure the outputs hold their documented empty value and
// the error has a message, and for input the byte at which the fault was found:
//
//	struct pmon_err err;
//	struct pmon_source *log;
//
//	if (pmon_log_open("server.blg", NULL, &log, &err) != PMON_OK)
//		fprintf(stderr, "server.blg: %s (byte %llu)\n", err.msg,
//			(unsigned long long)err.offset);
//
// The library never exits, prints, changes the locale or keeps global state. Different objects may
// be used by different threads at once; one object is for one thread at a time.

#ifndef PMON_BASE_H
#define PMON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one place where the version is written; the build reads it from here.
#define PMON_VERSION_MAJOR 0
#define PMON_VERSION_MINOR 2
#define PMON_VERSION_PATCH 0

// The version as text, "0.2.0".
#define PMON_VERSION_STR_(x) #x
#define PMON_VERSION_STR(x)  PMON_VERSION_STR_(x)
#define PMON_VERSION_TEXT                                                                          \
	PMON_VERSION_STR(PMON_VERSION_MAJOR)                                                       \
	"." PMON_VERSION_STR(PMON_VERSION_MINOR) "." PMON_VERSION_STR(PMON_VERSION_PATCH)

#if defined(_WIN32)
#define PMON_API
#elif defined(__GNUC__)
#define PMON_API __attribute__((visibility("default")))
#else
#define PMON_API
#endif

#if defined(__GNUC__)
#define PMON_NODISCARD __attribute__((warn_unused_result))
#else
#define PMON_NODISCARD
#endif

// What became of a call. New statuses are added at the end; numbers never change.
enum pmon_status {
	PMON_OK = 0,        // done
	PMON_END,           // nothing failed: there are no more samples
	PMON_E_ARG,         // the caller passed something the function does not take
	PMON_E_NOMEM,       // memory could not be had
	PMON_E_IO,          // the system could not read or write; pmon_err.sys holds errno
	PMON_E_TRUNC,       // the input ends inside a record
	PMON_E_FORMAT,      // the input is not what it claims to be
	PMON_E_UNSUPPORTED, // well-formed, but of a kind that pmon does not know
	PMON_E_LIMIT,       // larger than the limits allow (struct pmon_limits)
	PMON_E_NOTFOUND,    // no such file, counter or instance
	PMON_E_STATE,       // the object cannot do this now
	PMON_E_EXISTS,      // the output is there already
};

// A sentence for a status, in lower case and without a full stop. Never NULL.
PMON_API const char *pmon_status_text(enum pmon_status status);

// The details of a failure. msg is always NUL-terminated UTF-8, free of control characters.
struct pmon_err {
	enum pmon_status status;
	int sys;         // errno of the failed system call, else 0
	uint64_t offset; // byte of the input at which it was found, else 0
	char msg[256];
};

// UTF-8 text with its length; not NUL-terminated unless stated. {NULL, 0}: there is no text.
struct pmon_span {
	const char *ptr;
	size_t len;
};

// A moment: 100 ns units since 1601-01-01 00:00 UTC, the unit of Windows' FILETIME.
typedef int64_t pmon_time;
#define PMON_TIME_NONE     INT64_MIN
#define PMON_TIME_PER_SEC  INT64_C(10000000)
#define PMON_TIME_PER_MSEC INT64_C(10000)
#define PMON_TIME_PER_MIN  (INT64_C(60) * PMON_TIME_PER_SEC)

// Where memory comes from. realloc gets the old size, so that simple allocators can do it; size 0
// never occurs. All three must be thread-safe when objects that share them are used in parallel.
struct pmon_allocator {
	void *(*alloc)(void *ctx, size_t size);
	void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t size);
	void (*free)(void *ctx, void *ptr, size_t size);
	void *ctx;
};

// Called with the path of a temporary file before it is created, and with NULL when it no longer
// exists under that name: a program that a signal ends in between can remove it. The path is valid
// until the second call.
typedef void (*pmon_temporary_fn)(void *ctx, const char *path);

// Bounds on what an input may make the library do. 0 in a field means the default.
struct pmon_limits {
	size_t record_bytes; // one record put together from its parts; default 256 MiB
	size_t series;       // counter paths in one log; default 4,000,000
	// those that are read (pmon_log_options.want); default: `series` where that is given, else as many as
	// 48 MiB and 20 times the size of the file have room for, with series_bytes for each
	size_t wanted_series;
	size_t series_bytes; // memory that reading takes for each series that is read; default 1 KiB
	size_t string_bytes; // one name; default 64 KiB
	// what a compressed input may unpack to; default: 16 MiB and 100 times its size, or 2,000
	// times where it is read while it is unpacked
	uint64_t unpacked_bytes;
	// the texts of all counter paths of a log together, where its format names counters by
	// references; default: 8 MiB and 4 times its size
	uint64_t path_bytes;
};

#ifdef __cplusplus
}
#endif

#endif
