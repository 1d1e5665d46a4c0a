// test_hash_sip.c - the hash of builds without xxHash
// SPDX-License-Identifier: MIT
//
// Expected values are those of OpenSSL 3, with the lowest byte first:
// openssl mac -macopt hexkey:KEY -macopt size:16 -in FILE SIPHASH.

#include "t.h"

#define pmon_hash128 sip_hash128
#define pmon_hash64  sip_hash64
#include "base/hash_sip.c"

static const unsigned char bytes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

// KEY is 32 zeros.
static void
hash_of_128_bits_is_that_of_openssl(void **state)
{
	struct pmon_hash128 empty = sip_hash128(bytes, 0);
	struct pmon_hash128 one_word = sip_hash128(bytes, 8);
	struct pmon_hash128 more = sip_hash128(bytes, 11);

	(void)state;
	assert_true(empty.high == UINT64_C(0x7DE0A38047D74950));
	assert_true(empty.low == UINT64_C(0xF4F2CED447AB0242));
	assert_true(one_word.high == UINT64_C(0x0E44EB01F934654B));
	assert_true(one_word.low == UINT64_C(0x84AF754A294055E9));
	assert_true(more.high == UINT64_C(0x4E70A92FB307801E));
	assert_true(more.low == UINT64_C(0x2092A5C81B468F89));
}

// KEY is 0001020304050607, and 16 zeros.
static void
hash_of_64_bits_is_the_first_half(void **state)
{
	uint64_t seed = UINT64_C(0x0706050403020100);

	(void)state;
	assert_true(sip_hash64(seed, bytes, 0) == UINT64_C(0x03FA3A694C765F45));
	assert_true(sip_hash64(seed, bytes, 11) == UINT64_C(0xBE83CB865989AF47));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_of_128_bits_is_that_of_openssl),
		cmocka_unit_test(hash_of_64_bits_is_the_first_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
