// cache.h - facts about files, in the user's cache folder
// SPDX-License-Identifier: MIT
//
// $XDG_CACHE_HOME/pmon, or ~/.cache/pmon, holds one small entry for each file. Any error with it counts as
// a missing entry.

#ifndef PMON_CLI_PROCESS_CACHE_H
#define PMON_CLI_PROCESS_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/process/folders.h"

#define CACHE_ENTRY_BYTES 65536              // at most, for one file
#define CACHE_TOTAL_BYTES ((size_t)16 << 20) // ... and of all; the oldest go

// The state of a file. An entry is valid while all of it is unchanged.
struct cache_key {
	uint64_t device;
	uint64_t inode;
	uint64_t size_bytes;
	int64_t changed_ns; // mtime and ctime, since 1970
	int64_t status_ns;
	uint64_t hash; // of its beginning and its end
};

// Where the folder is, which need not exist. False when the user wants none (PMON_NO_CACHE), or none is
// known.
bool cache_folder(char folder[FOLDER_SIZE]);

// False when the file cannot have an entry, such as a pipe.
bool cache_key_of(const char *file, struct cache_key *key);

// Would a change from now on show in the times of the file? They have a resolution of some milliseconds, on
// some systems of two seconds.
bool cache_is_settled(const struct cache_key *key);

// The entry of the file: at most CACHE_ENTRY_BYTES. Returns its size, 0 when there is none.
size_t cache_get(const char *folder, const struct cache_key *key, uint8_t *bytes);

void cache_put(const char *folder, const struct cache_key *key, const uint8_t *bytes, size_t len);

// FNV-1a of 64 bits, to see that bytes are those that were written: no protection against malice.
#define CACHE_HASH_SEED UINT64_C(0xCBF29CE484222325)
uint64_t cache_hash(uint64_t seed, const void *bytes, size_t len);

#endif
