// test_sha256.c - SHA-256 and HMAC-SHA-256
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"

static void
check(const uint8_t digest[PMON_SHA256_BYTES], const char *want)
{
	char text[2 * PMON_SHA256_BYTES + 1];

	for (size_t i = 0; i < PMON_SHA256_BYTES; i++)
		(void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
	T_EQ_STR(text, want);
}

// "abc" and the text of 56 bytes: FIPS 180-4's examples (csrc.nist.gov, SHA256.pdf). The others: sha256sum of
// coreutils 9.1 of n times the letter a, around the lengths at which the padding takes one block more.
static void
test_digests(void **state)
{
	static const struct {
		size_t n;
		const char *want;
	} letters[] = {
		{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
		{120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
		{1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
	};
	static const char text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	char a[1000];
	uint8_t digest[PMON_SHA256_BYTES];

	(void)state;
	memset(a, 'a', sizeof(a));
	pmon_sha256("abc", 3, digest);
	check(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	pmon_sha256(text, sizeof(text) - 1, digest);
	check(digest, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	for (size_t i = 0; i < T_LEN(letters); i++) {
		pmon_sha256(a, letters[i].n, digest);
		check(digest, letters[i].want);
	}
}

// RFC 4231, 4.2 to 4.4: keys of 20 and 4 bytes, messages of 8, 28 and 50 bytes.
static void
test_hmac(void **state)
{
	uint8_t key[20];
	uint8_t message[50];
	uint8_t digest[PMON_SHA256_BYTES];

	(void)state;
	memset(key, 0x0b, sizeof(key));
	pmon_hmac_sha256(key, sizeof(key), "Hi There", 8, digest);
	check(digest, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	pmon_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
	check(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof(key));
	memset(message, 0xdd, sizeof(message));
	pmon_hmac_sha256(key, sizeof(key), message, sizeof(message), digest);
	check(digest, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digests),
		cmocka_unit_test(test_hmac),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
