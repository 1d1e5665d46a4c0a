// fuzz.c - libFuzzer target: any bytes as PERF_DATA_BLOCKs
// SPDX-License-Identifier: MIT

#include "fuzz_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const struct pmon_format pmon_format_perfblock;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_log(&pmon_format_perfblock, NULL, data, size);
	return 0;
}
