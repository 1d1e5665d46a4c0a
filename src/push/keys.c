// keys.c - samples as facts: rows with keys, batches with digests
// SPDX-License-Identifier: MIT

#include "push/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf.h"
#include "base/wr.h"

#define NUMBERS_SIZE 128 // for all parts of an identity except names
#define NAME_FACTOR  4   // maximum growth of a name when it is encoded
#define LABEL_SIZE   (PMON_LABEL_NAME + 1 + NAME_FACTOR * PMON_LABEL_VALUE)

void
pmon_push_keys_init(struct pmon_push_keys *keys, const struct pmon_schema *schema,
		    const struct pmon_labels *labels, const struct pmon_allocator *allocator)
{
	*keys = (struct pmon_push_keys){.allocator = pmon_mem_allocator(allocator),
					.schema = schema,
					.labels = labels,
					.hash = pmon_hash128};
}

void
pmon_push_keys_free(struct pmon_push_keys *keys)
{
	if (keys->allocator == NULL)
		return;
	pmon_mem_free(keys->allocator, keys->list, keys->cap * sizeof(*keys->list));
	pmon_map_free(&keys->map, keys->allocator);
	pmon_push_identity_free(&keys->one, keys->allocator);
	pmon_push_identity_free(&keys->other, keys->allocator);
}

// ---- Identities -----------------------------------------------------------------------------

static void
put_utf8(struct pmon_wr *w, uint32_t c)
{
	if (c < 0x80) {
		pmon_wr_u8(w, (uint8_t)c);
	} else if (c < 0x800) {
		pmon_wr_u8(w, (uint8_t)(0xC0 | c >> 6));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c & 63)));
	} else if (c < 0x10000) {
		pmon_wr_u8(w, (uint8_t)(0xE0 | c >> 12));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c >> 6 & 63)));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c & 63)));
	} else {
		pmon_wr_u8(w, (uint8_t)(0xF0 | c >> 18));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c >> 12 & 63)));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c >> 6 & 63)));
		pmon_wr_u8(w, (uint8_t)(0x80 | (c & 63)));
	}
}

// Write a NUL or an invalid UTF-8 byte as \xHH.
static void
put_byte(struct pmon_wr *w, uint8_t byte)
{
	static const char digits[] = "0123456789ABCDEF";
	const char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

	pmon_wr_copy(w, escape, sizeof(escape));
}

static void
put_char(struct pmon_wr *w, uint32_t c, bool folds)
{
	if (c == '\t')
		pmon_wr_copy(w, "\\t", 2);
	else if (c == '\n')
		pmon_wr_copy(w, "\\n", 2);
	else if (c == '\\')
		pmon_wr_copy(w, "\\\\", 2);
	else if (c == 0 || (c >= 0xD800 && c <= 0xDFFF))
		put_byte(w, (uint8_t)c); // invalid UTF-8 bytes are 0xDC80 to 0xDCFF
	else
		put_utf8(w, folds ? pmon_utf_fold(c) : c);
}

static void
put_escaped(struct pmon_wr *w, struct pmon_span text, bool folds)
{
	for (size_t pos = 0; pos < text.len;)
		put_char(w, pmon_utf8_next(text, &pos), folds);
}

static void
put_name(struct pmon_wr *w, struct pmon_span name)
{
	put_escaped(w, name, true);
	pmon_wr_u8(w, '\t');
}

// Case counts in labels.
static void
put_labels(struct pmon_wr *w, const struct pmon_labels *labels)
{
	for (size_t i = 0; labels != NULL && i < labels->n; i++) {
		const struct pmon_label *label = &labels->list[i];

		pmon_wr_u8(w, '\t');
		pmon_wr_copy(w, label->name, strlen(label->name));
		pmon_wr_u8(w, '=');
		put_escaped(w, (struct pmon_span){label->value, strlen(label->value)}, false);
	}
}

static void
put_optional(struct pmon_wr *w, struct pmon_span name)
{
	if (name.ptr != NULL)
		put_name(w, name);
	else
		pmon_wr_copy(w, "\\N\t", 3);
}

static void
put_identity(struct pmon_wr *w, const struct pmon_series *series, uint32_t duplicate)
{
	const struct pmon_path *path = &series->path;
	const struct pmon_counter *counter = &series->counter;
	char numbers[NUMBERS_SIZE];
	int len;

	put_name(w, path->machine);
	put_name(w, path->object);
	put_optional(w, path->parent);
	put_optional(w, path->instance);
	len = snprintf(numbers, sizeof(numbers), "%ld\t", (long)path->index);
	pmon_wr_copy(w, numbers, (size_t)len);
	put_name(w, path->counter);
	len = snprintf(numbers, sizeof(numbers), "0x%08lX\t%lld\t%u\t%lu",
		       (unsigned long)counter->type, (long long)counter->time_base,
		       (unsigned)counter->size_bytes, (unsigned long)duplicate);
	pmon_wr_copy(w, numbers, (size_t)len);
}

// Room for names of so many bytes, labels and numbers.
static bool
make_room(struct pmon_push_identity *identity, const struct pmon_allocator *allocator,
	  size_t names_len, const struct pmon_labels *labels, struct pmon_wr *w)
{
	size_t labels_size = labels != NULL ? labels->n * LABEL_SIZE : 0;
	size_t most;

	if (!pmon_mul(names_len, NAME_FACTOR, &most) ||
	    !pmon_add(most, 2 * NUMBERS_SIZE + labels_size, &most) ||
	    !pmon_mem_grow(allocator, &identity->text, &identity->cap, most, 1))
		return false;
	*w = pmon_wr_init(identity->text, identity->cap);
	return true;
}

bool
pmon_push_identity_put(struct pmon_push_identity *identity, const struct pmon_allocator *allocator,
		       const struct pmon_series *series, const struct pmon_labels *labels,
		       uint32_t duplicate)
{
	const struct pmon_path *path = &series->path;
	size_t names_len = path->machine.len + path->object.len + path->parent.len +
			   path->instance.len + path->counter.len;
	struct pmon_wr w;

	if (!make_room(identity, allocator, names_len, labels, &w))
		return false;
	put_identity(&w, series, duplicate);
	put_labels(&w, labels);
	identity->len = pmon_wr_pos(&w);
	return pmon_wr_ok(&w);
}

bool
pmon_push_identity_put_machine(struct pmon_push_identity *identity,
			       const struct pmon_allocator *allocator, struct pmon_span name,
			       const struct pmon_labels *labels)
{
	struct pmon_wr w;

	if (!make_room(identity, allocator, name.len, labels, &w))
		return false;
	put_escaped(&w, name, true);
	put_labels(&w, labels);
	identity->len = pmon_wr_pos(&w);
	pmon_wr_u8(&w, 0);
	return pmon_wr_ok(&w);
}

void
pmon_push_identity_free(struct pmon_push_identity *identity, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, identity->text, identity->cap);
}

static bool
is_same(const struct pmon_push_identity *a, const struct pmon_push_identity *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

// ---- Keys -----------------------------------------------------------------------------------

// Find the series with a key, or PMON_MAP_NONE.
static uint32_t
find_key(const struct pmon_push_keys *keys, struct pmon_hash128 key)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&keys->map, key.low, &at)) != PMON_MAP_NONE)
		if (pmon_hash128_equal(keys->list[i].key, key))
			return i;
	return PMON_MAP_NONE;
}

enum pmon_status
pmon_push_keys_collide(const struct pmon_hash128 *key, struct pmon_span counter,
		       struct pmon_span other, struct pmon_err *err)
{
	char digits[PMON_HASH128_UUID_SIZE];

	pmon_hash128_print_uuid(*key, digits);
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"two counters would be stored as one because both have the key %s: %.*s and %.*s",
		digits, (int)counter.len, counter.ptr, (int)other.len, other.ptr);
}

// The identity in `one` has the key of another series. Fail unless it is the same counter.
static enum pmon_status
compare(struct pmon_push_keys *keys, uint32_t other, struct pmon_err *err)
{
	const struct pmon_series *a = pmon_schema_at(keys->schema, other);
	const struct pmon_series *b = pmon_schema_at(keys->schema, keys->n);

	if (!pmon_push_identity_put(&keys->other, keys->allocator, a, keys->labels,
				    keys->list[other].duplicate))
		return pmon_err_nomem(err);
	if (is_same(&keys->one, &keys->other))
		return PMON_OK;
	return pmon_push_keys_collide(&keys->list[other].key, a->name, b->name, err);
}

// The key of the next series: that of its counter, or of its second, third ... in this log.
static enum pmon_status
add_key(struct pmon_push_keys *keys, struct pmon_err *err)
{
	const struct pmon_series *series = pmon_schema_at(keys->schema, keys->n);
	struct pmon_push_key key = {.time = PMON_TIME_NONE};
	enum pmon_status status = PMON_OK;
	uint32_t same;

	for (;; key.duplicate++) {
		if (!pmon_push_identity_put(&keys->one, keys->allocator, series, keys->labels,
					    key.duplicate))
			return pmon_err_nomem(err);
		key.key = keys->hash(keys->one.text, keys->one.len);
		same = find_key(keys, key.key);
		if (same == PMON_MAP_NONE)
			break;
		status = compare(keys, same, err);
		if (status != PMON_OK)
			return status;
	}
	pmon_map_add(&keys->map, key.key.low, (uint32_t)keys->n);
	keys->list[keys->n++] = key;
	return PMON_OK;
}

enum pmon_status
pmon_push_keys_grow(struct pmon_push_keys *keys, struct pmon_err *err)
{
	size_t n = pmon_schema_count(keys->schema);
	enum pmon_status status = PMON_OK;

	if (n == keys->n)
		return PMON_OK;
	if (!pmon_mem_grow(keys->allocator, &keys->list, &keys->cap, n, sizeof(*keys->list)) ||
	    !pmon_map_reserve(&keys->map, keys->allocator, n - keys->n))
		return pmon_err_nomem(err);
	while (status == PMON_OK && keys->n < n)
		status = add_key(keys, err);
	return status;
}

void
pmon_push_keys_row(struct pmon_push_keys *keys, const struct pmon_sample *sample, size_t i,
		   struct pmon_push_row *row)
{
	struct pmon_push_key *key = &keys->list[sample->series[i]];
	bool was_absent =
		key->begun && key->stream == sample->stream && sample->ordinal > key->ordinal + 1;
	// A process's start values have their own time, independent of the sample that follows.
	pmon_time time = sample->starts ? sample->raw[i].time : sample->time;
	bool is_again = key->begun && key->time == time;

	*row = (struct pmon_push_row){.series = key->key,
				      .time = time,
				      .nth = is_again ? key->nth + 1 : 0,
				      .absent_after = was_absent ? key->time : 0,
				      .raw = &sample->raw[i]};
	key->begun = true;
	key->stream = sample->stream;
	key->ordinal = sample->ordinal;
	key->time = time;
	key->nth = row->nth;
}

void
pmon_push_keys_owner(const struct pmon_push_keys *keys, const struct pmon_sample *owners, size_t i,
		     struct pmon_push_row *row)
{
	const struct pmon_push_key *key = &keys->list[owners->series[i]];
	bool is_again = key->begun && key->time == owners->time;

	*row = (struct pmon_push_row){.series = key->key,
				      .time = owners->time,
				      .nth = ~(is_again ? key->nth + 1 : 0),
				      .raw = &owners->raw[i]};
}

// ---- Digests --------------------------------------------------------------------------------

#define ROW_BYTES 84

void
pmon_push_digest_row(struct pmon_hash128 *digest, const struct pmon_push_row *row)
{
	uint8_t bytes[ROW_BYTES];
	struct pmon_wr w = pmon_wr_init(bytes, sizeof(bytes));

	pmon_wr_u64(&w, digest->high);
	pmon_wr_u64(&w, digest->low);
	pmon_wr_u64(&w, row->series.high);
	pmon_wr_u64(&w, row->series.low);
	pmon_wr_i64(&w, row->time);
	pmon_wr_u32(&w, row->nth);
	pmon_wr_i64(&w, row->absent_after);
	pmon_wr_i64(&w, row->raw->time);
	pmon_wr_i64(&w, row->raw->first);
	pmon_wr_i64(&w, row->raw->second);
	pmon_wr_u32(&w, row->raw->multi);
	pmon_wr_u32(&w, row->raw->status);
	*digest = pmon_hash128(bytes, pmon_wr_pos(&w));
}

void
pmon_push_digest_text(struct pmon_hash128 *digest, const char *text)
{
	struct pmon_hash128 hash = pmon_hash128(text, strlen(text));
	uint8_t bytes[32];
	struct pmon_wr w = pmon_wr_init(bytes, sizeof(bytes));

	pmon_wr_u64(&w, digest->high);
	pmon_wr_u64(&w, digest->low);
	pmon_wr_u64(&w, hash.high);
	pmon_wr_u64(&w, hash.low);
	*digest = pmon_hash128(bytes, pmon_wr_pos(&w));
}
