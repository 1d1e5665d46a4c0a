// name_hash.h - hashes of counter names, and the layout of the table of names
// SPDX-License-Identifier: MIT
//
// The table does not contain names in other languages, only their hashes. tools/gen-names.c
// generates it from share/names during the build; src/model/english.c reads it.

#ifndef PMON_MODEL_NAME_HASH_H
#define PMON_MODEL_NAME_HASH_H

#include <pmon/base.h>

#define PMON_NAME_START  UINT64_C(0xCBF29CE484222325) // FNV-1a over code points
#define PMON_NAME_PRIME  UINT64_C(0x100000001B3)
#define PMON_NAME_SPREAD UINT64_C(0x9E3779B97F4A7C15)

// The initial hashes of different kinds of names: objects, counters of any object that has them,
// counters of one object (for names that mean something else elsewhere), and counters with known
// types.
#define PMON_NAME_OBJECT  PMON_NAME_START
#define PMON_NAME_COUNTER (PMON_NAME_START ^ PMON_NAME_PRIME)

static inline uint64_t
pmon_name_of_object(uint32_t object)
{
	return PMON_NAME_START ^ (object + UINT64_C(1)) * PMON_NAME_SPREAD;
}

static inline uint64_t
pmon_name_of_type(uint64_t object_hash)
{
	return object_hash ^ PMON_NAME_SPREAD;
}

// Continue a hash with a name, without case and diacritics.
uint64_t pmon_name_mix(uint64_t hash, struct pmon_span name);

// A table of hashes and values. The upper bits of a hash select a bucket; in an entry, the lower
// bits are its value, and the rest are the following bits of the hash. Entries of a bucket are
// ascending.
#define PMON_NAME_BUCKET_BITS 11
#define PMON_NAME_BUCKETS     (1u << PMON_NAME_BUCKET_BITS)

struct pmon_name_table {
	const uint32_t *entries;
	const uint16_t *starts; // of each bucket, and the end
	unsigned value_bits;
};

static inline uint64_t
pmon_name_spread(uint64_t hash)
{
	return (hash ^ hash >> 32) * PMON_NAME_SPREAD;
}

static inline uint32_t
pmon_name_bucket(uint64_t spread)
{
	return (uint32_t)(spread >> (64 - PMON_NAME_BUCKET_BITS));
}

// The part of this hash that an entry stores.
static inline uint32_t
pmon_name_rest(uint64_t spread, unsigned value_bits)
{
	return (uint32_t)(spread << PMON_NAME_BUCKET_BITS >> (32 + value_bits));
}

// ---- The tables -----------------------------------------------------------------------------

#define PMON_NAME_VALUE_BITS 11 // numbers of English texts; objects come first
#define PMON_TYPE_VALUE_BITS 5  // numbers of types, and whether it is inferred
#define PMON_TYPE_INFERRED   16u

extern const struct pmon_name_table pmon_names_table;
extern const struct pmon_name_table pmon_types_table;
extern const uint32_t pmon_types_words[];

extern const char pmon_english_texts[];           // each ends with NUL
extern const uint16_t pmon_english_places[];      // of the text with this number
extern const uint16_t pmon_english_counters[];    // numbers of the texts of each object's counters
extern const uint16_t pmon_english_counters_at[]; // where those of an object begin, and the end

#endif
