// base.h - types shared by all pmon headers: status, error, span, time, allocator, limits
// SPDX-License-Identifier: MIT
//
// A pmon function that can fail returns an enum pmon_status; its last argument is a struct
// pmon_err * that may be NULL. On failure, outputs are set to their documented empty value, and the
// error has a message and, for invalid input, the byte offset of the fault:
//
//	struct pmon_err err;
//	struct pmon_source *log;
//
//	if (pmon_log_open("server.blg", NULL, &log, &err) != PMON_OK)
//		fprintf(stderr, "server.blg: %s (byte %llu)\n", err.msg,
//			(unsigned long long)err.offset);
//
// The library never exits, prints, changes the locale or keeps global state. Threads may use
// different objects concurrently, but only one thread at a time may use a given object.

#ifndef PMON_BASE_H
#define PMON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version is defined only here; the build reads it from this file.
#define PMON_VERSION_MAJOR 0
#define PMON_VERSION_MINOR 3
#define PMON_VERSION_PATCH 0

// "0.3.0"
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

// Struct layout and ABI compatibility. A program may run with a newer library than it was compiled
// with.
//
// - Option structs, filled in by the caller, begin with `size`: {.size = sizeof(options), ...}. The
//   library never reads past `size`. It treats missing fields as 0, the default, and rejects
//   unknown fields that are not 0. New fields are added at the end, after `reserved`, which fills
//   the struct so that it has no padding there.
// - Structs that the library returns by pointer (samples, series, source info, types, notices) may
//   grow at the end. Do not copy them, put them in arrays or create your own.
// - All other structs live in the caller's memory, in arrays or by value, and never change size.
//   New fields take the space of `reserved`, which must be 0.

// The result of a call. New statuses are added at the end; numbers never change.
enum pmon_status {
	PMON_OK = 0,        // done
	PMON_END,           // no more samples; not an error
	PMON_E_ARG,         // invalid argument
	PMON_E_NOMEM,       // out of memory
	PMON_E_IO,          // a read or write failed; pmon_err.sys holds errno
	PMON_E_TRUNC,       // the input ends inside a record
	PMON_E_FORMAT,      // malformed input
	PMON_E_UNSUPPORTED, // well-formed, but of a kind that pmon does not support
	PMON_E_LIMIT,       // exceeds a limit (struct pmon_limits)
	PMON_E_NOTFOUND,    // no such file, counter or instance
	PMON_E_STATE,       // not possible in the object's current state
	PMON_E_EXISTS,      // the output already exists
};

// Describes a status, in lower case and without a full stop. Never NULL.
PMON_API const char *pmon_status_text(enum pmon_status status);

// The details of a failure. msg is always NUL-terminated UTF-8, free of control characters.
struct pmon_err {
	enum pmon_status status;
	int sys;         // errno of the failed system call, else 0
	uint64_t offset; // byte offset of the fault in the input, else 0
	char msg[256];
};

// UTF-8 text and its length; not NUL-terminated unless stated. {NULL, 0}: no text.
struct pmon_span {
	const char *ptr;
	size_t len;
};

// A point in time: 100 ns units since 1601-01-01 00:00 UTC, as in a Windows FILETIME.
typedef int64_t pmon_time;
#define PMON_TIME_NONE     INT64_MIN
#define PMON_TIME_PER_SEC  INT64_C(10000000)
#define PMON_TIME_PER_MSEC INT64_C(10000)
#define PMON_TIME_PER_MIN  (INT64_C(60) * PMON_TIME_PER_SEC)

// A memory allocator. realloc and free are passed the old size, so allocators need not store it;
// size is never 0. All three must be thread-safe if objects that share them are used in parallel.
struct pmon_allocator {
	void *(*alloc)(void *ctx, size_t size);
	void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t size);
	void (*free)(void *ctx, void *ptr, size_t size);
	void *ctx;
};

// Called with the path of a temporary file before it is created, and with NULL once it no longer
// exists under that name, so that a program killed by a signal in between can remove it. The path
// is valid until the second call.
typedef void (*pmon_temporary_fn)(void *ctx, const char *path);

// Resource limits for untrusted input. 0 means the default.
struct pmon_limits {
	size_t record_bytes; // one record, reassembled; default 256 MiB
	size_t series;       // counter paths in one log; default 4,000,000
	// series that are read (pmon_log_options.want); default: `series` if that is set, else as
	// many as fit in 48 MiB plus 20 times the file size, at series_bytes each
	size_t wanted_series;
	size_t series_bytes; // memory per series that is read; default 1 KiB
	size_t string_bytes; // one name; default 64 KiB
	// decompressed size of the input; default: 16 MiB plus 100 times its size, or 2,000 times
	// if it is read while being decompressed
	uint64_t unpacked_bytes;
	// total text of all counter paths of a log, for formats that refer to names by reference;
	// default: 8 MiB plus 4 times its size
	uint64_t path_bytes;
	uint64_t reserved[4]; // must be 0
};

#ifdef __cplusplus
}
#endif

#endif
