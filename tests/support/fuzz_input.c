// fuzz_input.c - an input of the fuzz targets for verbs and the page: a log, and options
// SPDX-License-Identifier: MIT

#include "fuzz_input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef PMON_WITH_JSON
#include <jansson.h>
#endif

#include "mutate.h"

#define MAGIC      "pmon fuzz"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)
#define TAIL_SIZE  (FUZZ_CHOICES + MAGIC_SIZE)

static struct {
	char folder[64];
	FILE *words;
	int out; // of the file that receives the output
	char *text;
	size_t cap;
} fuzz;

static size_t
tail_size(const uint8_t *data, size_t size)
{
	if (size < TAIL_SIZE || memcmp(data + size - MAGIC_SIZE, MAGIC, MAGIC_SIZE) != 0)
		return 0;
	return TAIL_SIZE;
}

void
fuzz_input_open(struct fuzz_input *input, const uint8_t *data, size_t size)
{
	size_t tail = tail_size(data, size);

	*input = (struct fuzz_input){.log = data, .log_size = size - tail};
	if (tail > 0)
		memcpy(input->choices, data + size - tail, FUZZ_CHOICES);
}

size_t
fuzz_input_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	uint8_t choices[FUZZ_CHOICES] = {0};
	size_t tail = tail_size(data, size);
	struct mutate m = {data, size - tail, max_size > TAIL_SIZE ? max_size - TAIL_SIZE : 0,
			   seed};

	if (m.size > m.max)
		m.size = m.max;
	if (tail > 0)
		memcpy(choices, data + size - tail, FUZZ_CHOICES);
	for (size_t n = 1 + mutate_random(&m, 3); n > 0; n--)
		choices[mutate_random(&m, FUZZ_CHOICES)] = (uint8_t)mutate_random(&m, 256);
	if (mutate_random(&m, 4) > 0)
		for (size_t n = 1 + mutate_random(&m, 3); n > 0; n--)
			(void)mutate_log(&m);
	if (max_size < TAIL_SIZE)
		return m.size;
	memcpy(data + m.size, choices, FUZZ_CHOICES);
	memcpy(data + m.size + FUZZ_CHOICES, MAGIC, MAGIC_SIZE);
	return m.size + TAIL_SIZE;
}

// ---- Files ----------------------------------------------------------------------------------

static void
remove_folder(void)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", fuzz.folder);
	(void)!system(command);
}

const char *
fuzz_folder(void)
{
	if (fuzz.folder[0] == '\0') {
		(void)snprintf(fuzz.folder, sizeof(fuzz.folder), "%s/pmon-fuzz-XXXXXX",
			       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		FUZZ_REQUIRE(mkdtemp(fuzz.folder) != NULL);
		FUZZ_REQUIRE(atexit(remove_folder) == 0);
	}
	return fuzz.folder;
}

void
fuzz_file(const char *name, const uint8_t *bytes, size_t n, char *path)
{
	FILE *file;

	(void)snprintf(path, 256, "%s/%s", fuzz_folder(), name);
	file = fopen(path, "wb");
	FUZZ_REQUIRE(file != NULL);
	FUZZ_REQUIRE(n == 0 || fwrite(bytes, 1, n, file) == n);
	FUZZ_REQUIRE(fclose(file) == 0);
}

// ---- What is printed ------------------------------------------------------------------------

// The command closes its output at the end to detect errors.
static void
open_stdout(void)
{
	FUZZ_REQUIRE(dup2(fuzz.out, STDOUT_FILENO) == STDOUT_FILENO);
	stdout = fdopen(STDOUT_FILENO, "w");
	FUZZ_REQUIRE(stdout != NULL);
}

void
fuzz_capture(void)
{
	char path[256];

	fuzz_file("out", NULL, 0, path);
	fuzz.out = open(path, O_RDWR | O_CLOEXEC);
	FUZZ_REQUIRE(fuzz.out >= 0);
	open_stdout();
	// The descriptor stays open for reports of the sanitizers.
	fuzz_file("words", NULL, 0, path);
	fuzz.words = fopen(path, "w");
	FUZZ_REQUIRE(fuzz.words != NULL);
	stderr = fuzz.words;
}

struct fuzz_output
fuzz_captured(void)
{
	struct fuzz_output output;
	struct stat st;

	bool is_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;

	FUZZ_REQUIRE((is_closed || fflush(stdout) == 0) && fflush(fuzz.words) == 0);
	FUZZ_REQUIRE(fstat(fileno(fuzz.words), &st) == 0);
	output.has_words = st.st_size > 0;
	FUZZ_REQUIRE(fstat(fuzz.out, &st) == 0);
	output.len = (size_t)st.st_size;
	if (output.len >= fuzz.cap) {
		fuzz.cap = output.len * 2 + 1;
		free(fuzz.text);
		fuzz.text = malloc(fuzz.cap);
		FUZZ_REQUIRE(fuzz.text != NULL);
	}
	FUZZ_REQUIRE(pread(fuzz.out, fuzz.text, output.len, 0) == (ssize_t)output.len);
	fuzz.text[output.len] = '\0';
	output.text = fuzz.text;
	FUZZ_REQUIRE(ftruncate(fuzz.out, 0) == 0 && lseek(fuzz.out, 0, SEEK_SET) == 0);
	if (is_closed)
		open_stdout();
	FUZZ_REQUIRE(ftruncate(fileno(fuzz.words), 0) == 0);
	rewind(fuzz.words);
	return output;
}

#ifdef PMON_WITH_JSON
void
fuzz_check_json(const char *text, size_t len)
{
	size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES;
	json_error_t error;
	size_t at = 0;

	while (at < len) {
		json_t *json = json_loadb(text + at, len - at, flags, &error);

		FUZZ_REQUIRE(json != NULL);
		json_decref(json);
		at += (size_t)error.position;
		while (at < len && (text[at] == '\n' || text[at] == ' '))
			at++;
	}
}
#else
void
fuzz_check_json(const char *text, size_t len)
{
	(void)text;
	(void)len;
}
#endif
