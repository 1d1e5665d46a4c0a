// repeat.c - run a fuzz target on changed seeds, without libFuzzer and its counting
// SPDX-License-Identifier: MIT
//
//	fuzz_blg RUNS SEED FOLDER...
//
// Runs several times as many inputs per second as libFuzzer, but does not search for inputs that
// reach new code: start with those that libFuzzer collected. Half of the mutations know the format,
// half do not. An input that crashes the process is saved as fuzz-input in its current folder.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "mutate.h"

#define MAX_INPUT (256 * 1024)
#define MAP_SIZE  (MAX_INPUT + sizeof(size_t))
#define MAX_SEEDS 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
	__attribute__((weak)); // some targets have these

static struct {
	uint8_t *bytes;
	size_t size;
} seeds[MAX_SEEDS];
static size_t n_seeds;

static void
stop(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void
load_seed(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *bytes = malloc(MAX_INPUT), *exact;
	size_t size;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (file == NULL || bytes == NULL)
		stop(path);
	size = fread(bytes, 1, MAX_INPUT, file);
	(void)fclose(file);
	exact = realloc(bytes, size > 0 ? size : 1);
	if (exact == NULL)
		stop(path);
	seeds[n_seeds].bytes = exact;
	seeds[n_seeds++].size = size;
}

static void
load_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (dir == NULL)
		stop(folder);
	while ((entry = readdir(dir)) != NULL && n_seeds < MAX_SEEDS)
		if (entry->d_name[0] != '.')
			load_seed(folder, entry->d_name);
	(void)closedir(dir);
}

static void
change_byte(struct mutate *m)
{
	size_t at = mutate_random(m, m->size);

	if (m->size == 0)
		return;
	switch (mutate_random(m, 4)) {
	case 0:
		m->data[at] ^= (uint8_t)(1u << mutate_random(m, 8));
		break;
	case 1:
		m->data[at] = (uint8_t)mutate_random(m, 256);
		break;
	case 2:
		(void)mutate_field(m, at, (size_t)1 << mutate_random(m, 4));
		break;
	default:
		m->size -= mutate_random(m, m->size - at);
	}
}

static void
change(struct mutate *m)
{
	unsigned seed = (unsigned)mutate_random(m, UINT32_MAX);

	if (LLVMFuzzerCustomMutator != NULL)
		m->size = LLVMFuzzerCustomMutator(m->data, m->size, m->max, seed);
	else
		for (size_t n = 1 + seed % 4; n > 0; n--)
			if (mutate_random(m, 2) == 0 || !mutate_log(m))
				change_byte(m);
}

// The input that is being read, in a file that outlasts this process: 8 bytes for its size, then its bytes.
static uint8_t *
map_input(void)
{
	int fd = open("fuzz-input", O_RDWR | O_CREAT | O_TRUNC, 0666);
	void *map;

	if (fd < 0 || ftruncate(fd, MAP_SIZE) != 0)
		stop("fuzz-input");
	map = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		stop("fuzz-input");
	(void)close(fd);
	return map;
}

static void
run_one(struct mutate *m, uint8_t *kept)
{
	size_t seed = mutate_random(m, n_seeds);
	uint8_t *exact;

	m->size = seeds[seed].size;
	memcpy(m->data, seeds[seed].bytes, m->size);
	change(m);
	memcpy(kept, &m->size, sizeof(m->size));
	memcpy(kept + sizeof(m->size), m->data, m->size);
	// Reading past the end is seen at once.
	exact = malloc(m->size > 0 ? m->size : 1);
	if (exact == NULL)
		stop("malloc");
	memcpy(exact, m->data, m->size);
	(void)LLVMFuzzerTestOneInput(exact, m->size);
	free(exact);
}

int
main(int argc, char **argv)
{
	static uint8_t data[MAX_INPUT];
	struct mutate m = {.data = data, .max = MAX_INPUT};
	uint8_t *kept;
	unsigned long runs, begun = (unsigned long)time(NULL);

	if (argc < 4) {
		(void)fprintf(stderr, "usage: %s RUNS SEED FOLDER...\n", argv[0]);
		return 2;
	}
	if (LLVMFuzzerInitialize != NULL)
		(void)LLVMFuzzerInitialize(&argc, &argv);
	runs = strtoul(argv[1], NULL, 10);
	m.state = strtoull(argv[2], NULL, 10);
	for (int i = 3; i < argc; i++)
		load_folder(argv[i]);
	if (n_seeds == 0)
		return 2;
	kept = map_input();
	for (unsigned long i = 0; i < runs; i++)
		run_one(&m, kept);
	(void)dprintf(STDERR_FILENO, "%lu runs of %zu seeds, %lu s\n", runs, n_seeds,
		      (unsigned long)time(NULL) - begun);
	return 0;
}
