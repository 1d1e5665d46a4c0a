// diskio.c - what /proc/diskstats reports for block devices, from one sample to the next
// SPDX-License-Identifier: MIT

#include "live/linux/diskio.h"

#include <string.h>

#include "base/mem.h"

#define MAX_DISKS    16384 // maximum number of lines
#define MIN_COUNTS   11    // fewer: a torn line, or a partition on Linux 2.6.24 and earlier
#define SECTOR_BYTES 512   // in diskstats, whatever the disk's sector size
#define MS_100NS     (PMON_TIME_PER_SEC / 1000)

// The kernel's fields, from 0.
enum {
	READS,
	READS_MERGED,
	SECTORS_READ,
	READ_MS,
	WRITES,
	WRITES_MERGED,
	SECTORS_WRITTEN,
	WRITE_MS,
	IN_FLIGHT,
	BUSY_MS,
	QUEUE_MS,
	DISCARDS,
	DISCARDS_MERGED,
	SECTORS_DISCARDED,
	DISCARD_MS,
	FLUSHES,
	FLUSH_MS
};

// State kept between samples: the disks of this sample and of the preceding one.
struct kept {
	struct lx_disks now; // must be first: callers get a pointer to it
	uint64_t sample;     // number of the sample of `now`, from 1
	size_t cap;
	struct lx_disk *before;
	size_t n_before;
	size_t before_cap;
	size_t expected; // where the search for the next device in `before` starts
};

// ---- Fields ---------------------------------------------------------------------------------

static void
set(struct lx_io *io, enum lx_io_field field, uint64_t value)
{
	io->field[field] = value;
	io->present |= UINT64_C(1) << field;
}

static void
set_transfers(struct lx_io *io, const uint64_t *count)
{
	set(io, LX_IO_READS, count[READS]);
	set(io, LX_IO_WRITES, count[WRITES]);
	set(io, LX_IO_TRANSFERS, count[READS] + count[WRITES]);
	set(io, LX_IO_READ_BYTES, count[SECTORS_READ] * SECTOR_BYTES);
	set(io, LX_IO_WRITE_BYTES, count[SECTORS_WRITTEN] * SECTOR_BYTES);
	set(io, LX_IO_BYTES, (count[SECTORS_READ] + count[SECTORS_WRITTEN]) * SECTOR_BYTES);
	set(io, LX_IO_READS_MERGED, count[READS_MERGED]);
	set(io, LX_IO_WRITES_MERGED, count[WRITES_MERGED]);
	if (count[IN_FLIGHT] <= INT32_MAX) // some kernels let it drop below zero
		set(io, LX_IO_QUEUE, count[IN_FLIGHT]);
}

static void
set_times(struct lx_io *io, const uint64_t *count)
{
	uint64_t reading = count[READ_MS] * MS_100NS;
	uint64_t writing = count[WRITE_MS] * MS_100NS;

	set(io, LX_IO_READ_TIME, reading);
	set(io, LX_IO_READ_SHARE, reading);
	set(io, LX_IO_WRITE_TIME, writing);
	set(io, LX_IO_WRITE_SHARE, writing);
	set(io, LX_IO_TIME, reading + writing);
	set(io, LX_IO_SHARE, reading + writing);
}

static void
set_discards(struct lx_io *io, const uint64_t *count, size_t n)
{
	if (n > DISCARD_MS) {
		set(io, LX_IO_DISCARDS, count[DISCARDS]);
		set(io, LX_IO_DISCARDS_MERGED, count[DISCARDS_MERGED]);
		set(io, LX_IO_DISCARD_BYTES, count[SECTORS_DISCARDED] * SECTOR_BYTES);
		set(io, LX_IO_DISCARD_TIME, count[DISCARD_MS] * MS_100NS);
	}
	if (n > FLUSH_MS) {
		set(io, LX_IO_FLUSHES, count[FLUSHES]);
		set(io, LX_IO_FLUSH_TIME, count[FLUSH_MS] * MS_100NS);
	}
}

static void
set_fields(struct lx_disk *disk)
{
	uint64_t count[LX_DISK_COUNTS];

	for (size_t i = 0; i < disk->n; i++)
		count[i] = pmon_lx_tally_value(&disk->count[i]);
	set_transfers(&disk->io, count);
	set_times(&disk->io, count);
	set_discards(&disk->io, count, disk->n);
}

// ---- From sample to sample ------------------------------------------------------------------

// If the number of transfers decreased, this is a different disk with the same name. Other counts wrap at
// 2^32 sooner: milliseconds on every kernel, sectors where long has 32 bits.
static bool
is_same_disk(const struct lx_disk *disk, const struct lx_disk *before)
{
	return disk->count[READS].last >= before->count[READS].last &&
	       disk->count[WRITES].last >= before->count[WRITES].last;
}

static void
continue_counts(struct lx_disk *disk, const struct lx_disk *before)
{
	for (size_t i = 0; i < disk->n && i < before->n; i++) {
		uint64_t now = disk->count[i].last;

		if (i == IN_FLIGHT)
			continue;
		disk->count[i] = before->count[i];
		pmon_lx_tally(&disk->count[i], now);
	}
}

// Idle time of the disk: elapsed time less busy time. The kernel counts busy time in its own ticks and may
// count more than has elapsed. The excess is deducted later, so that idle time never decreases.
static void
set_idle(struct lx_disk *disk, const struct live_stamp *now, const struct lx_disk *before,
	 const struct live_stamp *then)
{
	uint64_t busy = pmon_lx_tally_value(&disk->count[BUSY_MS]) * MS_100NS;
	uint64_t shown;

	if (disk->is_continued)
		busy -= pmon_lx_tally_value(&before->count[BUSY_MS]) * MS_100NS;
	disk->idle_100ns = (uint64_t)now->time - busy;
	if (before != NULL)
		disk->idle_100ns += before->idle_100ns - (uint64_t)then->time;
	shown = disk->idle_100ns;
	if (before != NULL && (int64_t)(shown - before->io.field[LX_IO_IDLE]) < 0)
		shown = before->io.field[LX_IO_IDLE];
	set(&disk->io, LX_IO_IDLE, shown);
}

static void
set_changes(struct lx_disk *disk, const struct lx_disk *before)
{
	for (size_t f = 0; disk->is_continued && f < LX_IO_FIELDS; f++)
		if (disk->io.field[f] > before->io.field[f])
			disk->change[f] = disk->io.field[f] - before->io.field[f];
}

static const struct lx_disk *
find_before(struct kept *kept, const struct lx_disk *disk)
{
	for (size_t i = 0; i < kept->n_before; i++) {
		size_t at = (kept->expected + i) % kept->n_before;
		const struct lx_disk *before = &kept->before[at];

		if (before->major == disk->major && before->minor == disk->minor &&
		    strcmp(before->name, disk->name) == 0) {
			kept->expected = at + 1;
			return before;
		}
	}
	return NULL;
}

static void
follow(struct kept *kept, struct lx_disk *disk, const struct live_stamp *then)
{
	const struct lx_disk *before = find_before(kept, disk);

	disk->is_continued = before != NULL && is_same_disk(disk, before);
	if (disk->is_continued)
		continue_counts(disk, before);
	set_fields(disk);
	set_idle(disk, &kept->now.stamp, before, then);
	set_changes(disk, before);
}

// ---- Lines ----------------------------------------------------------------------------------

// The kernel appends the partition number to the name of the disk, with a 'p' in between if that name
// ends in a digit. So neither loop10 nor an xvda1 without an xvda is a partition.
static bool
is_partition_of(const char *disk, const char *name)
{
	size_t len = strlen(disk);
	const char *at = name + len;

	if (len == 0 || strncmp(disk, name, len) != 0)
		return false;
	if (pmon_is_digit(disk[len - 1]) && *at++ != 'p')
		return false;
	if (!pmon_is_digit(*at))
		return false;
	while (pmon_is_digit(*at))
		at++;
	return *at == '\0';
}

// Is it one path of a multipath disk, such as nvme0c1n1 of nvme0n1?
static bool
is_nvme_path(const char *name)
{
	const char *at = name + 4;

	if (strncmp(name, "nvme", 4) != 0)
		return false;
	while (pmon_is_digit(*at))
		at++;
	return at > name + 4 && *at == 'c';
}

static enum lx_disk_kind
kind_of(const char *name)
{
	static const struct {
		const char *prefix;
		enum lx_disk_kind kind;
	} kinds[] = {
		{"dm-", LX_DISK_STACKED},  {"md", LX_DISK_STACKED},  {"bcache", LX_DISK_STACKED},
		{"drbd", LX_DISK_STACKED}, {"loop", LX_DISK_WITHIN}, {"ram", LX_DISK_WITHIN},
		{"zram", LX_DISK_WITHIN},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i].prefix);

		// Named arrays have "_" after md: md_d0, md_home.
		if (strncmp(name, kinds[i].prefix, len) == 0 &&
		    (pmon_is_digit(name[len]) || name[len] == '_'))
			return kinds[i].kind;
	}
	return is_nvme_path(name) ? LX_DISK_STACKED : LX_DISK_OWN;
}

static bool
parse_disk(struct pmon_scan line, struct lx_disk *disk)
{
	uint64_t major;
	uint64_t minor;
	uint64_t n;
	struct pmon_span name;

	*disk = (struct lx_disk){.n = 0};
	if (!pmon_lx_u64(&line, &major) || !pmon_lx_u64(&line, &minor) ||
	    !pmon_lx_word(&line, &name) || !pmon_lx_name(name, disk->name, sizeof(disk->name)))
		return false;
	disk->major = (uint32_t)major;
	disk->minor = (uint32_t)minor;
	disk->kind = kind_of(disk->name);
	while (disk->n < LX_DISK_COUNTS && pmon_lx_u64(&line, &n))
		disk->count[disk->n++].last = n;
	return disk->n >= MIN_COUNTS;
}

// False for drives without a medium and unused preallocated devices (loop0 to loop7).
static bool
has_worked(const struct lx_disk *disk)
{
	for (size_t i = 0; i < disk->n; i++)
		if (disk->count[i].last != 0)
			return true;
	return false;
}

// ---- The list -------------------------------------------------------------------------------

static void
turn_over(struct kept *kept)
{
	struct lx_disk *disk = kept->now.disk;
	size_t cap = kept->cap;

	kept->now.disk = kept->before;
	kept->cap = kept->before_cap;
	kept->before = disk;
	kept->before_cap = cap;
	kept->n_before = kept->now.n;
	kept->now.n = 0;
	kept->expected = 0;
}

static bool
add_disk(const struct live *live, struct kept *kept, const struct lx_disk *disk)
{
	struct lx_disks *now = &kept->now;

	if (!pmon_mem_grow(live->allocator, &now->disk, &kept->cap, now->n + 1, sizeof(*disk)))
		return false;
	now->disk[now->n++] = *disk;
	return true;
}

static bool
read_disks(struct live *live, struct kept *kept)
{
	struct live_stamp then = kept->now.stamp;
	struct lx_reading reading;
	struct pmon_scan line;
	struct lx_disk disk;
	char whole[LX_DISK_NAME] = ""; // the last disk that is not a partition

	turn_over(kept);
	if (!pmon_lx_file(live->host, LX_DISKSTATS, &reading)) {
		kept->now.stamp = live->now;
		return true;
	}
	kept->now.stamp = reading.stamp;
	while (kept->now.n < MAX_DISKS && pmon_lx_whole_line(&reading.text, &line)) {
		if (!parse_disk(line, &disk))
			continue;
		disk.is_partition = is_partition_of(whole, disk.name);
		if (!disk.is_partition)
			memcpy(whole, disk.name, sizeof(whole));
		if (!has_worked(&disk))
			continue;
		follow(kept, &disk, &then);
		if (!add_disk(live, kept, &disk))
			return false;
	}
	return true;
}

static void
free_kept(const struct live *live, void *ptr)
{
	struct kept *kept = ptr;

	pmon_mem_free(live->allocator, kept->now.disk, kept->cap * sizeof(*kept->now.disk));
	pmon_mem_free(live->allocator, kept->before, kept->before_cap * sizeof(*kept->before));
	pmon_mem_free(live->allocator, kept, sizeof(*kept));
}

enum pmon_status
pmon_lx_disks(struct live *live, const struct lx_disks **out, struct pmon_err *err)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_DISK, free_kept);
	struct kept *kept;

	*out = NULL;
	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(*kept));
	kept = *slot;
	if (kept == NULL)
		return pmon_err_nomem(err);
	if (kept->sample != live->taken + 1) {
		kept->sample = live->taken + 1;
		if (!read_disks(live, kept))
			return pmon_err_nomem(err);
	}
	*out = &kept->now;
	return PMON_OK;
}

const struct lx_disk *
pmon_lx_disk_at(const struct lx_disks *disks, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < disks->n; i++)
		if (disks->disk[i].major == major && disks->disk[i].minor == minor)
			return &disks->disk[i];
	return NULL;
}

void
pmon_lx_io_row(const struct lx_io *io, struct live_row *row)
{
	for (unsigned f = 0; f < LX_IO_FIELDS; f++)
		if ((io->present >> f & 1) != 0)
			live_row_set(row, f, io->field[f]);
}

// ---- Totals ---------------------------------------------------------------------------------

void
pmon_lx_total_begin(struct lx_total *total)
{
	total->now = (struct lx_io){.present = LX_IO_BITS};
	total->since = total->now;
	total->n = 0;
	total->n_continued = 0;
}

void
pmon_lx_total_add(struct lx_total *total, const struct lx_disk *disk)
{
	total->n++;
	total->n_continued += disk->is_continued;
	total->now.present &= disk->io.present;
	for (size_t f = 0; f < LX_IO_FIELDS; f++) {
		total->now.field[f] += disk->io.field[f];
		total->since.field[f] += disk->change[f];
	}
}

// Like Windows, show the mean of the shares of time, and sums of the rest: in Windows logs % Disk Time of
// _Total is the mean of the disks, Avg. Disk Queue Length is their sum.
static uint64_t
joined(const struct lx_io *io, size_t f, size_t n)
{
	return f < LX_IO_SHARES && n > 1 ? io->field[f] / n : io->field[f];
}

// The first sample starts with the disks' counts since boot. After that, the total adds their changes
// since the preceding sample. A new disk has no change, and so no value of its own; if all disks are new,
// the total has no value either.
void
pmon_lx_total_end(struct lx_total *total)
{
	if (total->n == 0)
		return;
	total->io.present = total->now.present;
	if (total->has_begun && total->n_continued == 0)
		total->io.present = 0;
	for (size_t f = 0; f < LX_IO_FIELDS; f++) {
		if (f == LX_IO_QUEUE)
			total->io.field[f] = total->now.field[f];
		else if (total->has_begun)
			total->io.field[f] += joined(&total->since, f, total->n_continued);
		else
			total->io.field[f] = joined(&total->now, f, total->n);
	}
	total->has_begun = true;
}
