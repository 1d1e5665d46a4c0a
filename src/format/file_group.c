// file_group.c - read many files as one log, with their records in time order
// SPDX-License-Identifier: MIT

#include "format/file_group.h"

#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "os/unpack.h"
#include "query/names.h"

#define NO_MEMBER SIZE_MAX

static void
close_current(struct pmon_file_group *group)
{
	if (group->file != group->given)
		pmon_file_close(group->file);
	group->file = NULL;
	group->file_member = NO_MEMBER;
}

void
pmon_file_group_close(struct pmon_file_group *group)
{
	const struct pmon_allocator *allocator = group->allocator;

	close_current(group);
	pmon_file_close(group->given);
	pmon_mem_free(allocator, group->members, group->cap * sizeof(*group->members));
	pmon_mem_free(allocator, group->heap, group->heap_cap * sizeof(*group->heap));
	pmon_arena_free(&group->arena);
}

// ---- Members --------------------------------------------------------------------------------

static enum pmon_status
add_member(struct pmon_file_group *group, const char *path, uint64_t size, struct pmon_err *err)
{
	struct pmon_span copy = {NULL, 0};

	if (path != NULL &&
	    !pmon_arena_copy(&group->arena, (struct pmon_span){path, strlen(path)}, &copy))
		return pmon_err_nomem(err);
	if (!pmon_mem_grow(group->allocator, &group->members, &group->cap, group->n + 1,
			   sizeof(*group->members)) ||
	    !pmon_mem_grow(group->allocator, &group->heap, &group->heap_cap, group->n + 1,
			   sizeof(*group->heap)))
		return pmon_err_nomem(err);
	group->members[group->n] = (struct pmon_file_group_member){.path = copy.ptr};
	group->members[group->n].next.member = group->n;
	group->n++;
	group->bytes += size;
	return PMON_OK;
}

// The properties of a file before it is read.
struct opened {
	uint64_t packed_bytes; // its size as stored
	uint64_t cut_at;       // as in pmon_file_unpack()
};

// Open a file, and unpack it if it is compressed.
static enum pmon_status
open_plain(struct pmon_file_group *group, const char *path, struct pmon_file **out,
	   struct opened *opened, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_file_open_by(group->door, path, NULL, group->allocator, out, err);

	*opened = (struct opened){.cut_at = 0};
	if (status != PMON_OK)
		return status;
	opened->packed_bytes = pmon_file_size(*out);
	status = pmon_file_unpack(out, group->max_unpacked, NULL, group->allocator, &opened->cut_at,
				  err);
	if (status != PMON_OK) {
		pmon_file_close(*out);
		*out = NULL;
	}
	return status;
}

static enum pmon_status
add_path(struct pmon_file_group *group, const char *path, struct pmon_err *err)
{
	uint8_t head[PMON_PROBE_BYTES];
	struct pmon_file *file;
	struct opened opened;
	enum pmon_status status;
	size_t len;

	status = open_plain(group, path, &file, &opened, err);
	if (status != PMON_OK)
		return status;
	status = pmon_file_read(file, 0, head, sizeof(head), &len, err);
	if (status == PMON_OK && group->ops->probe(head, len)) {
		status = add_member(group, path, pmon_file_size(file), err);
		group->packed_bytes += opened.packed_bytes;
		if (opened.cut_at > 0)
			pmon_report_loss(group->report, opened.cut_at, 0,
					 "%s: the compressed data is truncated or damaged", path);
	}
	pmon_file_close(file);
	return status;
}

// Add the files that have this format. An unreadable one is reported as a loss; if no file is
// readable, this fails.
static enum pmon_status
add_files(struct pmon_file_group *group, const struct pmon_log_files *files, struct pmon_err *err)
{
	enum pmon_status failure = PMON_OK;
	struct pmon_err why = {.status = PMON_OK};

	if (files->file != NULL)
		return add_member(group, NULL, pmon_file_size(files->file), err);
	for (size_t i = 0; i < files->n; i++) {
		enum pmon_status status = add_path(group, files->paths[i], &why);

		if (status == PMON_OK)
			continue;
		failure = status;
		if (status == PMON_E_NOMEM)
			break;
		if (files->n > 1)
			pmon_report_loss(group->report, 0, 0, "%s: %s", files->paths[i], why.msg);
	}
	if (failure != PMON_OK && (failure == PMON_E_NOMEM || group->n == 0)) {
		if (err != NULL)
			*err = why;
		return failure;
	}
	return PMON_OK;
}

enum pmon_status
pmon_file_group_open(struct pmon_file_group *group, struct pmon_tables *tables,
		     struct pmon_source *source, const struct pmon_log_files *files,
		     const struct pmon_log_options *options, struct pmon_err *err)
{
	enum pmon_status status;

	group->allocator = pmon_mem_allocator(options->allocator);
	group->door = options->door;
	group->max_unpacked = options->limits.unpacked_bytes;
	pmon_arena_init(&group->arena, group->allocator);
	group->file_member = NO_MEMBER;
	group->given = files->file;
	group->report->here = 1;
	*tables = (struct pmon_tables){
		.allocator = group->allocator,
		.schema = &source->schema,
		.limit = options->limits.series,
		.max_name = options->limits.string_bytes,
		.want = options->want,
		.want_ctx = options->want_ctx,
	};
	pmon_tables_init(tables);
	status = add_files(group, files, err);
	tables->wanted_limit =
		pmon_limits_of_size(&options->limits, group->packed_bytes).wanted_series;
	return status;
}

static enum pmon_status
open_member(struct pmon_file_group *group, size_t member, struct pmon_err *err)
{
	enum pmon_status status;
	struct opened opened;

	if (group->file_member == member)
		return PMON_OK;
	close_current(group);
	if (group->members[member].path == NULL) {
		group->file = group->given;
	} else {
		status = open_plain(group, group->members[member].path, &group->file, &opened, err);
		if (status != PMON_OK)
			return status;
	}
	group->file_member = member;
	return PMON_OK;
}

// ---- The heap -------------------------------------------------------------------------------

static bool
is_before(const struct pmon_file_group *group, size_t a, size_t b)
{
	const struct pmon_file_group_record *x = &group->members[a].next;
	const struct pmon_file_group_record *y = &group->members[b].next;

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
sift_up(struct pmon_file_group *group, size_t i)
{
	for (; i > 0; i = (i - 1) / 2) {
		size_t up = (i - 1) / 2;

		if (!is_before(group, group->heap[i], group->heap[up]))
			break;
		swap(&group->heap[i], &group->heap[up]);
	}
}

static void
sift_down(struct pmon_file_group *group)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= group->heap_n)
			break;
		if (child + 1 < group->heap_n &&
		    is_before(group, group->heap[child + 1], group->heap[child]))
			child++;
		if (!is_before(group, group->heap[child], group->heap[i]))
			break;
		swap(&group->heap[i], &group->heap[child]);
		i = child;
	}
}

// ---- Records --------------------------------------------------------------------------------

// Call the format to find the next record of a member. PMON_END after the last.
static enum pmon_status
find(struct pmon_file_group *group, size_t member, struct pmon_err *err)
{
	struct pmon_file_group_record *next = &group->members[member].next;
	enum pmon_status status;

	next->offset += next->len;
	next->len = 0;
	group->report->here++;
	status = open_member(group, member, err);
	return status == PMON_OK ? group->ops->find(group->ctx, group->file, next, err) : status;
}

enum pmon_status
pmon_file_group_start(struct pmon_file_group *group, struct pmon_err *err)
{
	group->heap_n = 0;
	for (size_t i = 0; i < group->n; i++) {
		enum pmon_status status;

		group->members[i].next = (struct pmon_file_group_record){.member = i};
		status = find(group, i, err);
		if (status == PMON_END)
			continue;
		if (status != PMON_OK)
			return status;
		group->heap[group->heap_n++] = i;
		sift_up(group, group->heap_n - 1);
	}
	return PMON_OK;
}

const struct pmon_file_group_record *
pmon_file_group_peek(const struct pmon_file_group *group)
{
	return group->heap_n > 0 ? &group->members[group->heap[0]].next : NULL;
}

enum pmon_status
pmon_file_group_read(struct pmon_file_group *group, void *buf, size_t len, size_t *got_out,
		     struct pmon_err *err)
{
	const struct pmon_file_group_record *record = pmon_file_group_peek(group);
	enum pmon_status status = open_member(group, record->member, err);

	*got_out = 0;
	return status == PMON_OK
		       ? pmon_file_read(group->file, record->offset, buf, len, got_out, err)
		       : status;
}

enum pmon_status
pmon_file_group_skip(struct pmon_file_group *group, struct pmon_err *err)
{
	enum pmon_status status = find(group, group->heap[0], err);

	if (status == PMON_END)
		group->heap[0] = group->heap[--group->heap_n];
	else if (status != PMON_OK)
		return status;
	sift_down(group);
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
pmon_file_group_load_titles(struct pmon_titles *titles, const char *path, struct pmon_err *err)
{
	struct pmon_err why = {.status = PMON_OK};
	enum pmon_status status = load_titles(titles, path, &why);

	if (status == PMON_OK)
		return PMON_OK;
	return pmon_err_set(err, status, why.offset, "%s: %s", path, why.msg);
}
