// fuzz.c - libFuzzer target: any bytes as a text log, in the encoding that is found and in another, and as a table of rows
// SPDX-License-Identifier: MIT

#include "fuzz_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const struct pmon_format pmon_format_pdhtext;
extern const struct pmon_format pmon_format_rows;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmon_log_options options = {.size = sizeof(options),
					   .encoding = size % 4 == 0 ? "CP932" : NULL,
					   .dst_repair = true};

	fuzz_log(&pmon_format_pdhtext, NULL, data, size);
	fuzz_log(&pmon_format_pdhtext, &options, data, size);
	fuzz_log(&pmon_format_rows, NULL, data, size);
	return 0;
}
