// test_unpack.c - compressed inputs, whole, joined, cut and damaged
// SPDX-License-Identifier: MIT
//
// The decompressed bytes are compared with those compressed by zlib and libzstd.

#include "t.h"

#if defined(PMON_WITH_ZLIB) && defined(PMON_WITH_ZSTD)

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "os/unpack.h"
#include "pack.h"

#define PLAIN_BYTES 300000 // several chunks

// Decompress bytes. Returns the status and, on success, the content's length, how much is stored as
// in the file, and where it was cut off.
struct result {
	enum pmon_status status;
	uint64_t size;
	uint64_t same;
	uint64_t cut_at;
};

static struct result
unpack(const uint8_t *packed, size_t len, uint64_t limit, const uint8_t *plain)
{
	struct result result = {.status = PMON_OK};
	struct pmon_file *file;
	uint8_t *got = malloc(2 * PLAIN_BYTES);
	size_t n;

	assert_non_null(got);
	assert_int_equal(pmon_file_memory(packed, len, NULL, &file, NULL), PMON_OK);
	result.status = pmon_file_unpack(&file, limit, NULL, NULL, &result.cut_at, NULL);
	result.size = pmon_file_size(file);
	assert_int_equal(pmon_file_read(file, 0, got, 2 * PLAIN_BYTES, &n, NULL), PMON_OK);
	while (result.same < n && got[result.same] == plain[result.same % PLAIN_BYTES])
		result.same++;
	pmon_file_close(file);
	free(got);
	return result;
}

static void
whole(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(2 * PLAIN_BYTES);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		size_t len = packers[i](plain, PLAIN_BYTES, packed, 2 * PLAIN_BYTES);
		struct result r = unpack(packed, len, 0, plain);

		assert_int_equal(r.status, PMON_OK);
		T_EQ_U64(r.size, PLAIN_BYTES);
		T_EQ_U64(r.same, PLAIN_BYTES);
		T_EQ_U64(r.cut_at, 0);
	}
	free(packed);
	free(plain);
}

// Output that ends just where a chunk is full, and an empty one.
static void
edges(void **state)
{
	static const size_t lens[] = {0, 1, 65535, 65536, 65537, 131072};
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(2 * PLAIN_BYTES);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		for (size_t k = 0; k < T_LEN(lens); k++) {
			size_t len = packers[i](plain, lens[k], packed, 2 * PLAIN_BYTES);
			struct result r = unpack(packed, len, 0, plain);

			assert_int_equal(r.status, PMON_OK);
			T_EQ_U64(r.size, lens[k]);
			T_EQ_U64(r.same, lens[k]);
			T_EQ_U64(r.cut_at, 0);
		}
	}
	free(packed);
	free(plain);
}

// Packed files that were appended to each other are one.
static void
joined(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(4 * PLAIN_BYTES);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		size_t len = packers[i](plain, PLAIN_BYTES, packed, 2 * PLAIN_BYTES);
		struct result r;

		memcpy(packed + len, packed, len);
		r = unpack(packed, 2 * len, 0, plain);
		assert_int_equal(r.status, PMON_OK);
		T_EQ_U64(r.size, 2 * PLAIN_BYTES);
		T_EQ_U64(r.same, 2 * PLAIN_BYTES);
		T_EQ_U64(r.cut_at, 0);
	}
	free(packed);
	free(plain);
}

// Truncated input gives the bytes before the cut and its position, or nothing.
static void
cut(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(2 * PLAIN_BYTES);
	size_t some = 0;

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		size_t len = packers[i](plain, PLAIN_BYTES, packed, 2 * PLAIN_BYTES);

		for (size_t at = 4; at < len; at += 997) {
			struct result r = unpack(packed, at, 0, plain);

			if (r.status == PMON_E_FORMAT)
				continue;
			assert_int_equal(r.status, PMON_OK);
			T_EQ_U64(r.cut_at, at);
			T_EQ_U64(r.same, r.size);
			some += r.size > 0;
		}
	}
	assert_true(some > 100);
	free(packed);
	free(plain);
}

// Damaged input is reported, or the damage is where it does not matter; nothing crashes.
static void
flipped(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(2 * PLAIN_BYTES);
	size_t told = 0;

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		size_t len = packers[i](plain, 5000, packed, 2 * PLAIN_BYTES);

		for (size_t at = 0; at < len; at += 13) {
			struct result r;

			packed[at] ^= 0x10;
			r = unpack(packed, len, 0, plain);
			told += r.status != PMON_OK || r.cut_at != 0;
			packed[at] ^= 0x10;
		}
	}
	assert_true(told > 100);
	free(packed);
	free(plain);
}

static void
limited(void **state)
{
	uint8_t *plain = make_plain(PLAIN_BYTES, 2);
	uint8_t *packed = malloc(2 * PLAIN_BYTES);

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		size_t len = packers[i](plain, PLAIN_BYTES, packed, 2 * PLAIN_BYTES);

		assert_int_equal(unpack(packed, len, PLAIN_BYTES - 1, plain).status, PMON_E_LIMIT);
		assert_int_equal(unpack(packed, len, PLAIN_BYTES, plain).status, PMON_OK);
	}
	free(packed);
	free(plain);
}

static void
plain_stays(void **state)
{
	static const uint8_t text[] = "(PDH-CSV 4.0)";
	struct result r = unpack(text, sizeof(text), 0, text);

	(void)state;
	assert_int_equal(r.status, PMON_OK);
	T_EQ_U64(r.size, sizeof(text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),       cmocka_unit_test(edges),   cmocka_unit_test(joined),
		cmocka_unit_test(cut),         cmocka_unit_test(flipped), cmocka_unit_test(limited),
		cmocka_unit_test(plain_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
	printf("built without zlib or zstd\n");
	return 77;
}

#endif
