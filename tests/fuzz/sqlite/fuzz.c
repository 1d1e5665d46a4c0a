// fuzz.c - libFuzzer target: any bytes as a database
// SPDX-License-Identifier: MIT

#include "fuzz_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef PMON_WITH_SQLITE
extern const struct pmon_format pmon_format_sqlite;
#define FORMAT &pmon_format_sqlite
#else
#define FORMAT NULL
#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_log(FORMAT, NULL, data, size);
	return 0;
}
