// pile.c - many files read as one log: their records in the order of time
// SPDX-License-Identifier: MIT

#include "format/pile.h"

#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "os/unpack.h"
#include "query/names.h"

#define NO_MEMBER SIZE_MAX

static void
close_current(struct pmon_pile *pile)
{
	if (pile->file != pile->given)
		pmon_file_close(pile->file);
	pile->file = NULL;
	pile->file_member = NO_MEMBER;
}

void
pmon_pile_close(struct pmon_pile *pile)
{
	const struct pmon_allocator *allocator = pile->allocator;

	close_current(pile);
	pmon_file_close(pile->given);
	pmon_mem_free(allocator, pile->members, pile->cap * sizeof(*pile->members));
	pmon_mem_free(allocator, pile->heap, pile->heap_cap * sizeof(*pile->heap));
	pmon_arena_free(&pile->arena);
}

// ---- Members --------------------------------------------------------------------------------

static enum pmon_status
add_member(struct pmon_pile *pile, const char *path, uint64_t size, struct pmon_err *err)
{
	struct pmon_span copy = {NULL, 0};

	if (path != NULL &&
	    !pmon_arena_copy(&pile->arena, (struct pmon_span){path, strlen(path)}, &copy))
		return pmon_err_nomem(err);
	if (!pmon_mem_grow(pile->allocator, &pile->members, &pile->cap, pile->n + 1,
			   sizeof(*pile->members)) ||
	    !pmon_mem_grow(pile->allocator, &pile->heap, &pile->heap_cap, pile->n + 1,
			   sizeof(*pile->heap)))
		return pmon_err_nomem(err);
	pile->members[pile->n] = (struct pmon_pile_member){.path = copy.ptr};
	pile->members[pile->n].next.member = pile->n;
	pile->n++;
	pile->bytes += size;
	return PMON_OK;
}

// What is known of a file before it is read.
struct opened {
	uint64_t packed_bytes; // its size as it is
	uint64_t cut_at;       // as in pmon_file_unpack()
};

// Open a file, and unpack it when it is compressed.
static enum pmon_status
open_plain(struct pmon_pile *pile, const char *path, struct pmon_file **out, struct opened *opened,
	   struct pmon_err *err)
{
	enum pmon_status status = pmon_file_open(path, pile->allocator, out, err);

	*opened = (struct opened){.cut_at = 0};
	if (status != PMON_OK)
		return status;
	opened->packed_bytes = pmon_file_size(*out);
	status = pmon_file_unpack(out, pile->max_unpacked, NULL, pile->allocator, &opened->cut_at,
				  err);
	if (status != PMON_OK) {
		pmon_file_close(*out);
		*out = NULL;
	}
	return status;
}

static enum pmon_status
add_path(struct pmon_pile *pile, const char *path, struct pmon_err *err)
{
	uint8_t head[PMON_PROBE_BYTES];
	struct pmon_file *file;
	struct opened opened;
	enum pmon_status status;
	size_t len;

	status = open_plain(pile, path, &file, &opened, err);
	if (status != PMON_OK)
		return status;
	status = pmon_file_read(file, 0, head, sizeof(head), &len, err);
	if (status == PMON_OK && pile->ops->probe(head, len)) {
		status = add_member(pile, path, pmon_file_size(file), err);
		pile->packed_bytes += opened.packed_bytes;
		if (opened.cut_at > 0)
			pmon_report_loss(pile->report, opened.cut_at, 0,
					 "%s: the compressed data is cut or damaged", path);
	}
	pmon_file_close(file);
	return status;
}

// Add the files that are of the format. One that cannot be read is reported as a loss; when there is no
// other, that is the failure.
static enum pmon_status
add_files(struct pmon_pile *pile, const struct pmon_log_files *files, struct pmon_err *err)
{
	enum pmon_status failure = PMON_OK;
	struct pmon_err why = {.status = PMON_OK};

	if (files->file != NULL)
		return add_member(pile, NULL, pmon_file_size(files->file), err);
	for (size_t i = 0; i < files->n; i++) {
		enum pmon_status status = add_path(pile, files->paths[i], &why);

		if (status == PMON_OK)
			continue;
		failure = status;
		if (status == PMON_E_NOMEM)
			break;
		if (files->n > 1)
			pmon_report_loss(pile->report, 0, 0, "%s: %s", files->paths[i], why.msg);
	}
	if (failure != PMON_OK && (failure == PMON_E_NOMEM || pile->n == 0)) {
		if (err != NULL)
			*err = why;
		return failure;
	}
	return PMON_OK;
}

enum pmon_status
pmon_pile_open(struct pmon_pile *pile, struct pmon_tables *tables, struct pmon_source *source,
	       const struct pmon_log_files *files, const struct pmon_log_options *options,
	       struct pmon_err *err)
{
	enum pmon_status status;

	pile->allocator = pmon_mem_allocator(options->allocator);
	pile->max_unpacked = options->limits.unpacked_bytes;
	pmon_arena_init(&pile->arena, pile->allocator);
	pile->file_member = NO_MEMBER;
	pile->given = files->file;
	pile->report->here = 1;
	*tables = (struct pmon_tables){
		.allocator = pile->allocator,
		.schema = &source->schema,
		.limit = options->limits.series,
		.max_name = options->limits.string_bytes,
		.want = options->want,
		.want_ctx = options->want_ctx,
	};
	pmon_tables_init(tables);
	status = add_files(pile, files, err);
	tables->wanted_limit =
		pmon_limits_of_size(&options->limits, pile->packed_bytes).wanted_series;
	return status;
}

static enum pmon_status
open_member(struct pmon_pile *pile, size_t member, struct pmon_err *err)
{
	enum pmon_status status;
	struct opened opened;

	if (pile->file_member == member)
		return PMON_OK;
	close_current(pile);
	if (pile->members[member].path == NULL) {
		pile->file = pile->given;
	} else {
		status = open_plain(pile, pile->members[member].path, &pile->file, &opened, err);
		if (status != PMON_OK)
			return status;
	}
	pile->file_member = member;
	return PMON_OK;
}

// ---- The heap -------------------------------------------------------------------------------

static bool
is_before(const struct pmon_pile *pile, size_t a, size_t b)
{
	const struct pmon_pile_record *x = &pile->members[a].next;
	const struct pmon_pile_record *y = &pile->members[b].next;

	if (x->time != y->time)
		return x->time < y->time;
	if (x->tie != y->tie)
		return x->tie < y->tie;
	return a < b;
}

static void
swap(size_t *a, size_t *b)
{
	size_t c = *a;

	*a = *b;
	*b = c;
}

static void
sift_up(struct pmon_pile *pile, size_t i)
{
	for (; i > 0; i = (i - 1) / 2) {
		size_t up = (i - 1) / 2;

		if (!is_before(pile, pile->heap[i], pile->heap[up]))
			break;
		swap(&pile->heap[i], &pile->heap[up]);
	}
}

static void
sift_down(struct pmon_pile *pile)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= pile->heap_n)
			break;
		if (child + 1 < pile->heap_n &&
		    is_before(pile, pile->heap[child + 1], pile->heap[child]))
			child++;
		if (!is_before(pile, pile->heap[child], pile->heap[i]))
			break;
		swap(&pile->heap[i], &pile->heap[child]);
		i = child;
	}
}

// ---- Records --------------------------------------------------------------------------------

// Let the format find the next record of a member. PMON_END when there is none.
static enum pmon_status
find(struct pmon_pile *pile, size_t member, struct pmon_err *err)
{
	struct pmon_pile_record *next = &pile->members[member].next;
	enum pmon_status status;

	next->offset += next->len;
	next->len = 0;
	pile->report->here++;
	status = open_member(pile, member, err);
	return status == PMON_OK ? pile->ops->find(pile->ctx, pile->file, next, err) : status;
}

enum pmon_status
pmon_pile_start(struct pmon_pile *pile, struct pmon_err *err)
{
	pile->heap_n = 0;
	for (size_t i = 0; i < pile->n; i++) {
		enum pmon_status status;

		pile->members[i].next = (struct pmon_pile_record){.member = i};
		status = find(pile, i, err);
		if (status == PMON_END)
			continue;
		if (status != PMON_OK)
			return status;
		pile->heap[pile->heap_n++] = i;
		sift_up(pile, pile->heap_n - 1);
	}
	return PMON_OK;
}

const struct pmon_pile_record *
pmon_pile_peek(const struct pmon_pile *pile)
{
	return pile->heap_n > 0 ? &pile->members[pile->heap[0]].next : NULL;
}

enum pmon_status
pmon_pile_read(struct pmon_pile *pile, void *buf, size_t len, size_t *got_out, struct pmon_err *err)
{
	const struct pmon_pile_record *record = pmon_pile_peek(pile);
	enum pmon_status status = open_member(pile, record->member, err);

	*got_out = 0;
	return status == PMON_OK
		       ? pmon_file_read(pile->file, record->offset, buf, len, got_out, err)
		       : status;
}

enum pmon_status
pmon_pile_skip(struct pmon_pile *pile, struct pmon_err *err)
{
	enum pmon_status status = find(pile, pile->heap[0], err);

	if (status == PMON_END)
		pile->heap[0] = pile->heap[--pile->heap_n];
	else if (status != PMON_OK)
		return status;
	sift_down(pile);
	return PMON_OK;
}

// ---- Names ----------------------------------------------------------------------------------

static enum pmon_status
load_titles(struct pmon_titles *titles, const char *path, struct pmon_err *err)
{
	struct pmon_names_bytes bytes;
	enum pmon_status status = pmon_names_read(path, titles->allocator, &bytes, err);

	if (status == PMON_OK && !pmon_names_is_text(&bytes))
		status = pmon_titles_load(titles, bytes.bytes, bytes.len, err);
	pmon_names_bytes_free(&bytes);
	return status;
}

enum pmon_status
pmon_pile_load_titles(struct pmon_titles *titles, const char *path, struct pmon_err *err)
{
	struct pmon_err why = {.status = PMON_OK};
	enum pmon_status status = load_titles(titles, path, &why);

	if (status == PMON_OK)
		return PMON_OK;
	return pmon_err_set(err, status, why.offset, "%s: %s", path, why.msg);
}
