// disk.c - the object PhysicalDisk: the block devices of /proc/diskstats that are no partitions
// SPDX-License-Identifier: MIT
//
// Devices that are made of others (dm-0, md0), or lie in a file or in memory (loop0, zram0), are
// instances too, but not in _Total: the disks below them have the same transfers.

#include <string.h>

#include "base/mem.h"
#include "live/linux/diskio.h"

static const struct live_counter counters[] = {LX_IO_COUNTERS};

static void
free_total(const struct live *live, void *total)
{
	pmon_mem_free(live->allocator, total, sizeof(struct lx_total));
}

static struct lx_total *
total_of(struct live *live)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_DISK_TOTAL, free_total);

	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(struct lx_total));
	return *slot;
}

static enum pmon_status
put_disk(struct live *live, const struct live_asked *asked, const struct lx_disk *disk,
	 struct live_row *row, struct pmon_err *err)
{
	char name[LX_DISK_NAME];

	memcpy(name, disk->name, sizeof(name));
	pmon_live_clean_name(name);
	row->present = 0;
	pmon_lx_io_row(&disk->io, row);
	return pmon_live_put(live, asked, name, row, err);
}

static enum pmon_status
put_total(struct live *live, const struct live_asked *asked, const struct lx_total *total,
	  struct live_row *row, struct pmon_err *err)
{
	if (total->n == 0)
		return PMON_OK;
	row->present = 0;
	pmon_lx_io_row(&total->io, row);
	return pmon_live_put(live, asked, "_Total", row, err);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct lx_total *total = total_of(live);
	const struct lx_disks *disks;
	enum pmon_status status = pmon_lx_disks(live, &disks, err);
	struct live_row row;

	if (status != PMON_OK || total == NULL)
		return status != PMON_OK ? status : pmon_err_nomem(err);
	live_row_begin(&row, &disks->stamp);
	pmon_lx_total_begin(total);
	for (size_t i = 0; status == PMON_OK && i < disks->n; i++) {
		const struct lx_disk *disk = &disks->disk[i];

		if (disk->is_partition)
			continue;
		if (disk->kind == LX_DISK_OWN)
			pmon_lx_total_add(total, disk);
		status = put_disk(live, asked, disk, &row, err);
	}
	pmon_lx_total_end(total);
	return status == PMON_OK ? put_total(live, asked, total, &row, err) : status;
}

const struct live_object pmon_lx_physical_disk = {
	.name = "PhysicalDisk",
	.help = "Whole block devices, named as in the kernel, without partitions and devices that "
		"had no I/O. _Total excludes stacked devices (dm, md) and those backed by a file "
		"or by memory (loop, zram), whose transfers are counted on the devices below them.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
