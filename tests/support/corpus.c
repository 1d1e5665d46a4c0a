// corpus.c - small logs of all formats, for tests that run on all of them
// SPDX-License-Identifier: MIT

#include "corpus.h"

#include <dirent.h>
#include <stdlib.h>

#include "blg_mixed.h"
#include "format/format.h"
#include "t.h"

// Some seeds are inputs that the formats must reject, and some targets are not formats.
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
check_seed(const char *folder, const char *name, size_t most_bytes, corpus_fn check)
{
	struct corpus_log log;

	assert_in_range(snprintf(log.name, sizeof(log.name), "%s/%s", folder, name), 1,
			sizeof(log.name) - 1);
	log.bytes = (uint8_t *)t_read_file(log.name, &log.len);
	assert_non_null(log.bytes);
	if (log.len <= most_bytes && is_log(&log))
		check(&log);
	free(log.bytes);
}

// Returns their number. A target without seeds has no folder.
static size_t
each_of_folder(const char *folder, size_t most_bytes, corpus_fn check)
{
	struct dirent *entry;
	DIR *dir = opendir(folder);
	size_t n = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		check_seed(folder, entry->d_name, most_bytes, check);
		n++;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return n;
}

static void
each_seed(size_t most_bytes, corpus_fn check)
{
	const char *tree = getenv("PMON_SOURCE_DIR");
	char fuzz[256];
	char folder[600];
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	(void)snprintf(fuzz, sizeof(fuzz), "%s/tests/fuzz", tree != NULL ? tree : ".");
	dir = opendir(fuzz);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		(void)snprintf(folder, sizeof(folder), "%s/%s/corpus", fuzz, entry->d_name);
		n += each_of_folder(folder, most_bytes, check);
	}
	(void)closedir(dir);
	assert_true(n > 0);
}

void
corpus_each(size_t most_bytes, corpus_fn check)
{
	each_seed(most_bytes, check);
	for (uint8_t os_major = 5; os_major <= 10; os_major += 5) {
		struct blg_mixed mixed = blg_mixed_build(os_major);
		struct corpus_log log = {.name = "mixed", .bytes = mixed.file, .len = mixed.len};

		check(&log);
		free(mixed.file);
	}
}
