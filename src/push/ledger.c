// ledger.c - which batches of a log are stored
// SPDX-License-Identifier: MIT

#include "push/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "os/file.h"
#include "os/outfile.h"

#define PATH_SIZE 4096

void
pmon_push_ledger_init(struct pmon_push_ledger *ledger, const struct pmon_allocator *allocator)
{
	*ledger = (struct pmon_push_ledger){.allocator = pmon_mem_allocator(allocator)};
}

void
pmon_push_ledger_free(struct pmon_push_ledger *ledger)
{
	if (ledger->allocator != NULL)
		pmon_mem_free(ledger->allocator, ledger->list, ledger->cap * sizeof(*ledger->list));
}

static enum pmon_status
add_stored(struct pmon_push_ledger *ledger, const struct pmon_push_stored *stored,
	   struct pmon_err *err)
{
	if (!pmon_mem_grow(ledger->allocator, &ledger->list, &ledger->cap, ledger->n + 1,
			   sizeof(*ledger->list)))
		return pmon_err_nomem(err);
	ledger->list[ledger->n++] = *stored;
	return PMON_OK;
}

enum pmon_status
pmon_push_ledger_add(struct pmon_push_ledger *ledger, const struct pmon_hash128 *batch,
		     struct pmon_err *err)
{
	return add_stored(ledger, &(struct pmon_push_stored){*batch, PMON_PUSH_ALL_ROWS}, err);
}

// "digest", or "digest<tab>rows".
static bool
parse_line(struct pmon_span line, struct pmon_push_stored *out)
{
	const char *tab = memchr(line.ptr, '\t', line.len);
	size_t len = tab != NULL ? (size_t)(tab - line.ptr) : line.len;
	struct pmon_scan s = {tab != NULL ? tab + 1 : line.ptr, line.ptr + line.len};

	out->rows = PMON_PUSH_ALL_ROWS;
	return pmon_hash128_parse((struct pmon_span){line.ptr, len}, &out->batch) &&
	       (tab == NULL || pmon_scan_u64(&s, &out->rows));
}

enum pmon_status
pmon_push_ledger_add_text(struct pmon_push_ledger *ledger, struct pmon_span text,
			  struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && text.len > 0) {
		const char *end = memchr(text.ptr, '\n', text.len);
		size_t len = end != NULL ? (size_t)(end - text.ptr) : text.len;
		struct pmon_push_stored stored;

		if (parse_line((struct pmon_span){text.ptr, len}, &stored))
			status = add_stored(ledger, &stored, err);
		len += end != NULL;
		text = (struct pmon_span){text.ptr + len, text.len - len};
	}
	return status;
}

static int
compare(const void *a, const void *b)
{
	const struct pmon_push_stored *x = a;
	const struct pmon_push_stored *y = b;

	return pmon_hash128_compare(x->batch, y->batch);
}

bool
pmon_push_ledger_has(struct pmon_push_ledger *ledger, const struct pmon_hash128 *batch,
		     uint64_t rows)
{
	struct pmon_push_stored wanted = {*batch, 0};
	const struct pmon_push_stored *last = ledger->list + ledger->n;
	const struct pmon_push_stored *at;

	if (ledger->n == 0)
		return false;
	if (ledger->n_sorted < ledger->n)
		qsort(ledger->list, ledger->n, sizeof(*ledger->list), compare);
	ledger->n_sorted = ledger->n;
	at = bsearch(&wanted, ledger->list, ledger->n, sizeof(*ledger->list), compare);
	while (at != NULL && at > ledger->list && compare(at - 1, &wanted) == 0)
		at--;
	for (; at != NULL && at < last && compare(at, &wanted) == 0; at++) {
		if (at->rows >= rows)
			return true;
		rows -= at->rows;
	}
	return false;
}

struct pmon_hash128
pmon_push_log_digest(const struct pmon_push_keys *keys, const struct pmon_sample *first)
{
	struct pmon_hash128 digest = {0};

	for (size_t i = 0; i < first->n; i++) {
		struct pmon_push_row row = {.series = keys->list[first->series[i]].key,
					    .time = first->time,
					    .raw = &first->raw[i]};

		pmon_push_digest_row(&digest, &row);
	}
	return digest;
}

// ---- Files ----------------------------------------------------------------------------------

static enum pmon_status
path_of(const char *folder, const char *url, const struct pmon_hash128 *log, char path[PATH_SIZE],
	struct pmon_err *err)
{
	struct pmon_hash128 both = *log;
	char name[PMON_HASH128_SIZE];

	pmon_push_digest_text(&both, url);
	pmon_hash128_print(both, name);
	if (snprintf(path, PATH_SIZE, "%s/%s.pushed", folder, name) >= PATH_SIZE)
		return pmon_err_set(err, PMON_E_ARG, 0, "the folder name is too long");
	return PMON_OK;
}

static enum pmon_status
read_lines(struct pmon_push_ledger *ledger, struct pmon_file *file, struct pmon_err *err)
{
	char lines[PMON_HASH128_SIZE * 128];
	enum pmon_status status = PMON_OK;
	uint64_t at = 0;
	size_t got = sizeof(lines);

	// Lines have a fixed length, so each read returns whole lines.
	while (status == PMON_OK && got == sizeof(lines)) {
		status = pmon_file_read(file, at, lines, sizeof(lines), &got, err);
		at += got;
		if (status == PMON_OK)
			status = pmon_push_ledger_add_text(ledger, (struct pmon_span){lines, got},
							   err);
	}
	return status;
}

enum pmon_status
pmon_push_ledger_load(struct pmon_push_ledger *ledger, const char *folder, const char *url,
		      const struct pmon_hash128 *log, struct pmon_err *err)
{
	char path[PATH_SIZE];
	struct pmon_file *file = NULL;
	enum pmon_status status = path_of(folder, url, log, path, err);

	if (status == PMON_OK)
		status = pmon_file_open(path, ledger->allocator, &file, err);
	if (status == PMON_E_NOTFOUND)
		return PMON_OK;
	if (status == PMON_OK)
		status = read_lines(ledger, file, err);
	pmon_file_close(file);
	return status;
}

enum pmon_status
pmon_push_ledger_save(const struct pmon_push_ledger *ledger, const char *folder, const char *url,
		      const struct pmon_hash128 *log, struct pmon_err *err)
{
	char path[PATH_SIZE];
	char line[PMON_HASH128_SIZE];
	struct pmon_outfile_options how = {
		.allocator = ledger->allocator, .overwrite = true, .sync = true};
	struct pmon_outfile *file = NULL;
	enum pmon_status status = path_of(folder, url, log, path, err);

	if (status == PMON_OK)
		status = pmon_outfile_open(path, &how, &file, err);
	for (size_t i = 0; status == PMON_OK && i < ledger->n; i++) {
		pmon_hash128_print(ledger->list[i].batch, line);
		line[sizeof(line) - 1] = '\n';
		pmon_outfile_write(file, line, sizeof(line));
	}
	if (status == PMON_OK)
		status = pmon_outfile_commit(file, err);
	pmon_outfile_close(file);
	return status;
}
