// fuzz.c - the reader of JSON lines under libFuzzer
// SPDX-License-Identifier: MIT

#include <pmon/pmon.h>

#include "format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef PMON_WITH_JSON

extern const struct pmon_format pmon_format_jsonl;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmon_log_options options = {.limits = {.series = 1000}};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	if (pmon_file_memory(data, size, NULL, &file, &err) != PMON_OK)
		return 0;
	// the format itself, so that inputs need not look like JSON at their beginning
	if (pmon_format_jsonl.open(file, &options, &source, &err) != PMON_OK) {
		pmon_file_close(file);
		return 0;
	}
	for (int pass = 0; pass < 2; pass++) {
		while (pmon_source_next(source, &sample, &err) == PMON_OK)
			for (size_t i = 0; i < sample->n; i++)
				if (pmon_schema_at(pmon_source_schema(source), sample->series[i]) ==
				    NULL)
					__builtin_trap();
		if (pmon_source_rewind(source, &err) != PMON_OK)
			break;
	}
	pmon_source_close(source);
	return 0;
}

#else

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data, (void)size;
	return 0;
}

#endif
