// fuzz.c - libFuzzer target: any bytes as a binary performance log
// SPDX-License-Identifier: MIT

#include "fuzz_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_log(NULL, NULL, data, size);
	return 0;
}
