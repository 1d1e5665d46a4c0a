// corpus.c - small logs of every format, for tests that go through all of them
// SPDX-License-Identifier: MIT

#include "corpus.h"

#include <dirent.h>
#include <stdlib.h>

#include "blg_mixed.h"
#include "format/format.h"
#include "t.h"

// Some seeds are for what the formats refuse.
static bool
is_log(const struct corpus_log *log)
{
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(log->bytes, log->len, NULL, &file, &err), PMON_OK);
	if (pmon_log_open_file(file, NULL, &source, &err) != PMON_OK)
		return false;
	pmon_source_close(source);
	return true;
}

static void
each_of_folder(const char *folder, size_t most_bytes, corpus_fn check)
{
	struct dirent *entry;
	struct corpus_log log;
	DIR *dir = opendir(folder);

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		assert_in_range(
			snprintf(log.name, sizeof(log.name), "%s/%s", folder, entry->d_name), 1,
			sizeof(log.name) - 1);
		log.bytes = (uint8_t *)t_read_file(log.name, &log.len);
		assert_non_null(log.bytes);
		if (log.len <= most_bytes && is_log(&log))
			check(&log);
		free(log.bytes);
	}
	(void)closedir(dir);
}

void
corpus_each(size_t most_bytes, corpus_fn check)
{
	static const char *const formats[] = {"blg",       "jsonl",  "pdhtext",
					      "perfblock", "sqlite", "winperf"};
	const char *tree = getenv("PMON_SOURCE_DIR");
	char folder[256];

	for (size_t i = 0; i < T_LEN(formats); i++) {
		(void)snprintf(folder, sizeof(folder), "%s/tests/fuzz/%s/corpus",
			       tree != NULL ? tree : ".", formats[i]);
		each_of_folder(folder, most_bytes, check);
	}
	for (uint8_t os_major = 5; os_major <= 10; os_major += 5) {
		struct blg_mixed mixed = blg_mixed_build(os_major);
		struct corpus_log log = {.name = "mixed", .bytes = mixed.file, .len = mixed.len};

		check(&log);
		free(mixed.file);
	}
}
