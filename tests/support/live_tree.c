// live_tree.c - recorded trees that tests write file by file
// SPDX-License-Identifier: MIT

// for nftw()
#define _XOPEN_SOURCE 700

#include "t.h"

#include "live_tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PATH  1024
#define MAX_TREES 64

struct tree {
	char folder[64];
	unsigned n_trees;
	bool has_clock[MAX_TREES];
	struct pmon_live_options options;
	struct pmon_select *select;
	struct pmon_source *source;
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
};

// ---- Writing --------------------------------------------------------------------------------

struct tree *
tree_new(void)
{
	struct tree *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->options.size = sizeof(t->options);
	// In memory if possible, because a test may write a hundred thousand small files.
	(void)snprintf(t->folder, sizeof(t->folder), "%s/pmon-tree-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(t->folder));
	return t;
}

struct pmon_live_options *
tree_options(struct tree *t)
{
	return &t->options;
}

// The path of a file, whose folders are created.
static const char *
place(struct tree *t, unsigned n, const char *path, char out[MAX_PATH])
{
	int len = snprintf(out, MAX_PATH, "%s/t%04u/%s", t->folder, n, path);

	assert_true(len > 0 && len < MAX_PATH && n < MAX_TREES);
	for (char *slash = out + strlen(t->folder) + 1; (slash = strchr(slash, '/')) != NULL;
	     slash++) {
		*slash = '\0';
		(void)mkdir(out, 0777);
		*slash = '/';
	}
	if (n >= t->n_trees)
		t->n_trees = n + 1;
	return out;
}

void
tree_bytes(struct tree *t, unsigned n, const char *path, const void *bytes, size_t len)
{
	char where[MAX_PATH];
	int fd = open(place(t, n, path, where), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	assert_int_equal(close(fd), 0);
}

void
tree_file(struct tree *t, unsigned n, const char *path, const char *text)
{
	tree_bytes(t, n, path, text, strlen(text));
}

void
tree_files(struct tree *t, unsigned first, unsigned last, const char *path, const char *text)
{
	for (unsigned n = first; n <= last; n++)
		tree_file(t, n, path, text);
}

void
tree_link(struct tree *t, unsigned n, const char *path, const char *target)
{
	char where[MAX_PATH];

	assert_int_equal(symlink(target, place(t, n, path, where)), 0);
}

void
tree_folder(struct tree *t, unsigned n, const char *path)
{
	char where[MAX_PATH];

	(void)mkdir(place(t, n, path, where), 0777);
	assert_int_equal(access(where, X_OK), 0);
}

void
tree_clock(struct tree *t, unsigned n, pmon_time time, int64_t perf_100ns)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%lld %lld\n", (long long)time, (long long)perf_100ns);
	tree_file(t, n, "clock", text);
	t->has_clock[n] = true;
}

// ---- Reading --------------------------------------------------------------------------------

static void
complete(struct tree *t)
{
	char where[MAX_PATH];

	for (unsigned n = 0; n < t->n_trees; n++)
		if (!t->has_clock[n])
			tree_clock(t, n, TREE_TIME + n * PMON_TIME_PER_SEC,
				   TREE_PERF + n * PMON_TIME_PER_SEC);
	if (access(place(t, 0, "proc/stat", where), F_OK) != 0)
		tree_file(t, 0, "proc/stat", "");
}

void
tree_open(struct tree *t, ...)
{
	va_list patterns;
	const char *pattern;
	struct pmon_err err;

	complete(t);
	assert_int_equal(pmon_select_new(NULL, &t->select, &err), PMON_OK);
	va_start(patterns, t);
	while ((pattern = va_arg(patterns, const char *)) != NULL)
		assert_int_equal(pmon_select_add(t->select, t_span(pattern), &err), PMON_OK);
	va_end(patterns);
	t->options.replay = t->folder;
	t->options.select = t->select;
	if (pmon_live_open(&t->options, &t->source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(pmon_statistics_new(pmon_source_schema(t->source), NULL, NULL,
					     &t->statistics, &err),
			 PMON_OK);
}

bool
tree_next(struct tree *t)
{
	struct pmon_err err;
	const struct pmon_sample *sample;
	enum pmon_status status = pmon_source_next(t->source, &sample, &err);

	if (status == PMON_END)
		return false;
	if (status != PMON_OK)
		fail_msg("%s", err.msg);
	t->sample = sample;
	assert_int_equal(pmon_statistics_add(t->statistics, sample, &t->values, &err), PMON_OK);
	return true;
}

void
tree_play(struct tree *t)
{
	while (tree_next(t))
		;
}

// ---- Looking --------------------------------------------------------------------------------

static bool
is_series(const struct pmon_series *series, const struct pmon_path *path)
{
	struct pmon_path its = series->path;

	its.machine = (struct pmon_span){NULL, 0};
	return pmon_path_same(&its, path);
}

// The position of a series in the newest sample; the number of its values if it is missing.
static size_t
find(struct tree *t, const char *text)
{
	const struct pmon_schema *schema = pmon_source_schema(t->source);
	struct pmon_path path;
	size_t i = 0;

	assert_non_null(t->sample);
	assert_true(pmon_path_parse(t_span(text), &path, NULL));
	while (i < t->sample->n && !is_series(pmon_schema_at(schema, t->sample->series[i]), &path))
		i++;
	return i;
}

double
tree_number(struct tree *t, const char *path)
{
	size_t i = find(t, path);

	if (i == t->sample->n)
		fail_msg("%s is not there", path);
	if (!pmon_vstat_has_value(t->values[i].status))
		fail_msg("%s: %s", path, pmon_vstat_name(t->values[i].status));
	return t->values[i].value;
}

int
tree_status(struct tree *t, const char *path)
{
	size_t i = find(t, path);

	return i == t->sample->n ? TREE_ABSENT : (int)t->values[i].status;
}

struct pmon_raw
tree_raw(struct tree *t, const char *path)
{
	size_t i = find(t, path);

	if (i == t->sample->n)
		fail_msg("%s is not there", path);
	return t->sample->raw[i];
}

uint32_t
tree_type(struct tree *t, const char *text)
{
	const struct pmon_schema *schema = pmon_source_schema(t->source);
	struct pmon_path path;

	assert_true(pmon_path_parse(t_span(text), &path, NULL));
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (is_series(pmon_schema_at(schema, i), &path))
			return pmon_schema_at(schema, i)->counter.type;
	fail_msg("%s was never there", text);
	return 0;
}

size_t
tree_count(struct tree *t, const char *pattern)
{
	const struct pmon_schema *schema = pmon_source_schema(t->source);
	struct pmon_path parsed;
	size_t n = 0;

	assert_true(pmon_pattern_parse(t_span(pattern), &parsed, NULL));
	for (size_t i = 0; i < t->sample->n; i++)
		if (pmon_path_match(&parsed, &pmon_schema_at(schema, t->sample->series[i])->path))
			n++;
	return n;
}

struct pmon_source *
tree_source(struct tree *t)
{
	return t->source;
}

const struct pmon_sample *
tree_sample(struct tree *t)
{
	return t->sample;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

void
tree_free(struct tree *t)
{
	pmon_statistics_free(t->statistics);
	pmon_source_close(t->source);
	pmon_select_free(t->select);
	assert_int_equal(nftw(t->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	free(t);
}
