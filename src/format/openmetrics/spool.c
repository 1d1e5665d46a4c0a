// spool.c - keep the points of each series on disk until a whole series can be written
// SPDX-License-Identifier: MIT
//
// OpenMetrics requires all points of a series to be contiguous, but logs are ordered by time.
// Memory holds the newest few points of each series and, while a series is written, the offsets of
// its blocks: half a byte per point.

#include "format/openmetrics/openmetrics.h"

#include <errno.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/door.h"
#include "os/fd.h"

// The format on disk, which never leaves this machine.
struct block {
	uint64_t previous; // its offset plus 1
	struct om_point points[OM_BLOCK_POINTS];
};

static enum pmon_status
failed(struct pmon_err *err)
{
	return pmon_err_sys(err, PMON_E_IO, errno, "cannot use a temporary file");
}

enum pmon_status
pmon_om_spool_open(struct om_spool *spool, const struct pmon_door *door, struct pmon_err *err)
{
	int fd = door != NULL ? door->temporary() : pmon_fd_temporary();

	*spool = (struct om_spool){.file = fd >= 0 ? fdopen(fd, "w+b") : NULL};
	if (spool->file != NULL)
		return PMON_OK;
	if (fd >= 0)
		pmon_fd_close(fd);
	return failed(err);
}

void
pmon_om_spool_close(struct om_spool *spool)
{
	if (spool->file != NULL)
		(void)fclose(spool->file);
	spool->file = NULL;
}

static enum pmon_status
put_block(struct om_spool *spool, struct om_points *points, struct pmon_err *err)
{
	struct block block = {.previous = points->last_block};

	for (size_t i = 0; i < OM_BLOCK_POINTS; i++)
		block.points[i] = points->buf[i];
	if (fwrite(&block, sizeof(block), 1, spool->file) != 1)
		return failed(err);
	points->last_block = spool->size + 1;
	spool->size += sizeof(block);
	return PMON_OK;
}

enum pmon_status
pmon_om_spool_add(struct om_spool *spool, struct om_points *points, const struct om_point *point,
		  struct pmon_err *err)
{
	size_t at = points->n % OM_BLOCK_POINTS;
	enum pmon_status status = PMON_OK;

	points->buf[at] = *point;
	points->n++;
	if (at + 1 == OM_BLOCK_POINTS)
		status = put_block(spool, points, err);
	return status;
}

static enum pmon_status
get_block(struct om_spool *spool, uint64_t place, struct block *block, struct pmon_err *err)
{
	errno = EIO; // in case the file was truncated
	if (fseeko(spool->file, (off_t)(place - 1), SEEK_SET) != 0 ||
	    fread(block, sizeof(*block), 1, spool->file) != 1)
		return failed(err);
	return PMON_OK;
}

// Collect the offsets of the n blocks of a series, which are linked from last to first, in order.
// There is at least one.
static enum pmon_status
find_blocks(struct om_spool *spool, const struct om_points *points, uint64_t *places, size_t n,
	    struct pmon_err *err)
{
	struct block block = {.previous = points->last_block};
	enum pmon_status status = PMON_OK;

	places[n - 1] = points->last_block;
	while (status == PMON_OK && --n > 0) {
		status = get_block(spool, places[n], &block, err);
		places[n - 1] = block.previous;
	}
	return status;
}

enum pmon_status
pmon_om_spool_each(struct om_spool *spool, const struct om_points *points,
		   const struct pmon_allocator *allocator, om_point_fn give, void *ctx,
		   struct pmon_err *err)
{
	size_t n = (size_t)(points->n / OM_BLOCK_POINTS);
	uint64_t *places = NULL;
	struct block block;
	enum pmon_status status = PMON_OK;

	if (n > 0) {
		places = pmon_mem_alloc(allocator, n * sizeof(*places));
		if (places == NULL)
			return pmon_err_nomem(err);
		status = find_blocks(spool, points, places, n, err);
	}
	for (size_t i = 0; status == PMON_OK && i < n; i++) {
		status = get_block(spool, places[i], &block, err);
		for (size_t k = 0; status == PMON_OK && k < OM_BLOCK_POINTS; k++)
			give(ctx, &block.points[k]);
	}
	for (size_t k = 0; status == PMON_OK && k < points->n % OM_BLOCK_POINTS; k++)
		give(ctx, &points->buf[k]);
	pmon_mem_free(allocator, places, n * sizeof(*places));
	return status;
}
