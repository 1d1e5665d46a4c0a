// volume.c - the object LogicalDisk: mounted file systems of this machine
// SPDX-License-Identifier: MIT
//
// An instance is a file system, named by its mount point. If it is mounted several times, there is still
// one instance: mounts of the whole file system are preferred to mounts of a folder (bind mounts), then
// the shortest path. Mount points hidden by another mount are ignored, since their path leads to that
// mount. Skipped are file systems without space of their own (proc, sysfs), network and user-space file
// systems (NFS, FUSE), whose statvfs() may never return, and read-only images, which are always full
// (squashfs, iso9660).

// O_PATH
#define _GNU_SOURCE

#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "live/linux/diskio.h"

#define MAX_MOUNTS   100000 // maximum number of lines: the kernel's default limit
#define MAX_VOLUMES  4096
#define MAX_DEPTH    64 // of mounts on mounts
#define MAX_PATH     4096
#define MAX_RECORDED 65536 // bytes of the file statvfs
#define MIB_SHIFT    20

enum {
	FREE = LX_IO_FIELDS,
	SPACE,
	FREE_MIB,
	FREE_INODES,
	INODES
};
#define SPACE_BITS                                                                                 \
	(UINT64_C(1) << FREE | UINT64_C(1) << SPACE | UINT64_C(1) << FREE_MIB |                    \
	 UINT64_C(1) << FREE_INODES | UINT64_C(1) << INODES)

static const struct live_counter counters[] = {
	{"% Free Space", PMON_PERF_LARGE_RAW_FRACTION, 0, FREE, SPACE,
	 "statvfs(): f_bavail over f_blocks - f_bfree + f_bavail",
	 "in bytes, 64 bits wide; Windows counts megabytes in 32 bits",
	 "Free space as a percentage of the space available to unprivileged users: 100 - Use% of "
	 "df."},
	{"Free Megabytes", PMON_PERF_COUNTER_RAWCOUNT, 0, FREE_MIB, LIVE_NO_FIELD,
	 "statvfs(): f_bavail * f_frsize", "=", "Space available to unprivileged users, in MiB."},
	{"% Free Inodes", PMON_PERF_LARGE_RAW_FRACTION, 0, FREE_INODES, INODES,
	 "statvfs(): f_ffree over f_files", "",
	 "Free inodes as a percentage of all inodes. Absent for file systems without a fixed "
	 "number of inodes."},
	LX_IO_COUNTERS,
};

// ---- Mounts ---------------------------------------------------------------------------------

enum place {
	PLACE_NONE,  // skipped
	PLACE_ALONE, // an instance; its space is memory or shared with another one
	PLACE_TOTAL, // also counted in _Total
};

// One line of mountinfo.
struct mount {
	uint64_t id;
	uint64_t parent; // the mount that it is mounted on
	uint32_t major;
	uint32_t minor;
	struct pmon_span root;
	struct pmon_span point;
	struct pmon_span type;
	struct pmon_span super_options; // of the file system, wherever it is mounted
};

struct volume {
	struct pmon_span escaped; // the mount point, as written in mountinfo
	uint32_t major;
	uint32_t minor;
	bool is_whole; // not a folder of the file system
	enum place place;
};

struct kept {
	struct mount *mount;
	size_t n_mounts;
	size_t mounts_cap;
	struct volume *volume;
	size_t n;
	size_t cap;
	char *recorded; // the file statvfs of a recorded tree
	struct pmon_scan recorded_text;
	struct lx_total io;
	uint64_t free_bytes; // of _Total
	uint64_t space_bytes;
	uint64_t free_inodes;
	uint64_t inodes;
	size_t n_spaces;
	bool lacks_space; // of some file system that counts in _Total
	bool lacks_io;
};

static bool
is_word(struct pmon_span word, const char *text)
{
	return word.len == strlen(text) && memcmp(word.ptr, text, word.len) == 0;
}

static bool
begins(struct pmon_span word, const char *text)
{
	size_t len = strlen(text);

	return word.len >= len && memcmp(word.ptr, text, len) == 0;
}

// "8:1"
static bool
parse_device(struct pmon_span word, struct mount *mount)
{
	const char *colon = memchr(word.ptr, ':', word.len);
	struct pmon_scan part;
	uint64_t major;
	uint64_t minor;

	if (colon == NULL)
		return false;
	part = (struct pmon_scan){word.ptr, colon};
	if (!pmon_lx_u64(&part, &major))
		return false;
	part = (struct pmon_scan){colon + 1, word.ptr + word.len};
	if (!pmon_lx_u64(&part, &minor))
		return false;
	mount->major = (uint32_t)major;
	mount->minor = (uint32_t)minor;
	return true;
}

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue", proc(5). The number of
// words before the dash varies.
static bool
parse_mount(struct pmon_scan line, struct mount *mount)
{
	struct pmon_span word;

	*mount = (struct mount){.id = 0};
	if (!pmon_lx_u64(&line, &mount->id) || !pmon_lx_u64(&line, &mount->parent) ||
	    !pmon_lx_word(&line, &word) || !parse_device(word, mount) ||
	    !pmon_lx_word(&line, &mount->root) || !pmon_lx_word(&line, &mount->point))
		return false;
	do {
		if (!pmon_lx_word(&line, &word))
			return false;
	} while (!is_word(word, "-"));
	if (!pmon_lx_word(&line, &mount->type) || mount->point.ptr[0] != '/')
		return false;
	if (pmon_lx_skip(&line, 1))
		(void)pmon_lx_word(&line, &mount->super_options);
	return true;
}

static bool
is_image(struct pmon_span type)
{
	return is_word(type, "squashfs") || is_word(type, "iso9660") || is_word(type, "udf") ||
	       is_word(type, "erofs") || is_word(type, "cramfs");
}

// Is it a tmpfs that holds files? Not if it hides or carries the kernel's own folders, or cannot be
// written. One that is read-only only at this mount point, as in a systemd sandbox, is filled by others.
static bool
is_open_tmpfs(const struct mount *mount)
{
	return is_word(mount->type, "tmpfs") && !begins(mount->point, "/proc/") &&
	       !begins(mount->point, "/sys/") && !is_word(mount->super_options, "ro") &&
	       !begins(mount->super_options, "ro,");
}

// File systems on a block device have its number, others have major 0. An overlay is usually the root of
// a container; its space is that of the file system below.
static enum place
place_of(const struct mount *mount)
{
	if (mount->major != 0)
		return is_image(mount->type) ? PLACE_NONE : PLACE_TOTAL;
	if (is_word(mount->type, "btrfs") || is_word(mount->type, "bcachefs") ||
	    is_word(mount->type, "ubifs"))
		return PLACE_TOTAL;
	if (is_word(mount->type, "zfs") || is_open_tmpfs(mount) ||
	    (is_word(mount->type, "overlay") && is_word(mount->point, "/")))
		return PLACE_ALONE;
	return PLACE_NONE;
}

static bool
is_same_span(struct pmon_span a, struct pmon_span b)
{
	return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static bool
is_below(struct pmon_span path, struct pmon_span folder)
{
	size_t len = folder.len;

	if (len > 0 && folder.ptr[len - 1] == '/')
		len--; // the root
	return path.len > len + 1 && path.ptr[len] == '/' && memcmp(path.ptr, folder.ptr, len) == 0;
}

static const struct mount *
find_mount(const struct kept *kept, uint64_t id)
{
	for (size_t i = 0; i < kept->n_mounts; i++)
		if (kept->mount[i].id == id)
			return &kept->mount[i];
	return NULL;
}

// Paths begin in the root's mount, not in a mount on top of it.
static bool
is_root(const struct kept *kept, const struct mount *mount)
{
	return is_word(mount->point, "/") && find_mount(kept, mount->parent) == NULL;
}

static bool
is_on_root(const struct kept *kept, const struct mount *mount)
{
	return is_word(mount->point, "/") && !is_root(kept, mount);
}

// Does another mount hide this one? Of two mounts on the same parent, the one on a folder hides the one
// below the folder; otherwise the latter's parent would be the former.
static bool
is_out_of_reach(const struct kept *kept, const struct mount *mount)
{
	for (size_t i = 0; i < kept->n_mounts; i++) {
		const struct mount *other = &kept->mount[i];

		if (other == mount || other->parent != mount->parent || is_on_root(kept, other))
			continue;
		if (is_below(mount->point, other->point) ||
		    (other > mount && is_same_span(other->point, mount->point)))
			return true;
	}
	return false;
}

static bool
is_covered(const struct kept *kept, const struct mount *mount)
{
	if (is_root(kept, mount))
		return false;
	for (size_t i = 0; i < kept->n_mounts; i++)
		if (kept->mount[i].parent == mount->id && &kept->mount[i] != mount &&
		    is_same_span(kept->mount[i].point, mount->point))
			return true;
	return false;
}

static bool
is_hidden(const struct kept *kept, const struct mount *mount)
{
	if (is_covered(kept, mount) || is_on_root(kept, mount))
		return true;
	for (size_t depth = 0; mount != NULL && depth < MAX_DEPTH; depth++) {
		if (is_out_of_reach(kept, mount))
			return true;
		mount = find_mount(kept, mount->parent);
	}
	return false;
}

static bool
is_better(const struct volume *a, const struct volume *b)
{
	if (a->is_whole != b->is_whole)
		return a->is_whole;
	return a->escaped.len < b->escaped.len;
}

// Keep the best mount point of each file system, in the order in which file systems first appear.
static void
drop_others(struct kept *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->n; i++) {
		const struct volume *volume = &kept->volume[i];
		size_t same = 0;

		while (same < n && (kept->volume[same].major != volume->major ||
				    kept->volume[same].minor != volume->minor))
			same++;
		if (same == n)
			kept->volume[n++] = *volume;
		else if (is_better(volume, &kept->volume[same]))
			kept->volume[same] = *volume;
	}
	kept->n = n;
}

static bool
read_mounts(struct live *live, struct kept *kept)
{
	struct lx_reading reading;
	struct pmon_scan line;
	struct mount mount;

	kept->n_mounts = 0;
	if (!pmon_lx_file(live->host, LX_MOUNTINFO, &reading))
		return true;
	while (kept->n_mounts < MAX_MOUNTS && pmon_lx_whole_line(&reading.text, &line)) {
		if (!parse_mount(line, &mount))
			continue;
		if (!pmon_mem_grow(live->allocator, &kept->mount, &kept->mounts_cap,
				   kept->n_mounts + 1, sizeof(mount)))
			return false;
		kept->mount[kept->n_mounts++] = mount;
	}
	return true;
}

// The volumes of the mounts that were read. False when memory is short.
static bool
choose_volumes(struct live *live, struct kept *kept)
{
	kept->n = 0;
	for (size_t i = 0; i < kept->n_mounts && kept->n < MAX_VOLUMES; i++) {
		const struct mount *mount = &kept->mount[i];
		enum place place = place_of(mount);

		if (place == PLACE_NONE || mount->point.len >= MAX_PATH || is_hidden(kept, mount))
			continue;
		if (!pmon_mem_grow(live->allocator, &kept->volume, &kept->cap, kept->n + 1,
				   sizeof(*kept->volume)))
			return false;
		kept->volume[kept->n++] = (struct volume){mount->point, mount->major, mount->minor,
							  is_word(mount->root, "/"), place};
	}
	drop_others(kept);
	return true;
}

// ---- Space ----------------------------------------------------------------------------------

struct space {
	uint64_t block_bytes;
	uint64_t blocks;
	uint64_t free;   // includes the reserve for root
	uint64_t avail;  // to users
	uint64_t inodes; // 0: no limit
	uint64_t inodes_free;
};

// The path is opened below the root, which may be the host's root seen from a container. O_PATH, like
// statvfs(), requires no permission on the folder itself.
static bool
ask_system(const struct live_host *host, const char *point, struct space *out)
{
	const char *below = point[1] == '\0' ? "." : point + 1;
	int fd = openat(pmon_lx_root(host), below, O_PATH | O_CLOEXEC);
	struct statvfs vfs;
	bool is_told;

	if (fd < 0)
		return false;
	is_told = fstatvfs(fd, &vfs) == 0;
	close(fd);
	*out = (struct space){vfs.f_frsize, vfs.f_blocks, vfs.f_bfree,
			      vfs.f_bavail, vfs.f_files,  vfs.f_ffree};
	return is_told;
}

static bool
ask_recording(struct pmon_scan text, struct pmon_span escaped, struct space *out)
{
	struct pmon_scan line;
	struct pmon_span point;

	while (pmon_lx_line(&text, &line))
		if (pmon_lx_word(&line, &point) && is_same_span(point, escaped))
			return pmon_lx_u64(&line, &out->block_bytes) &&
			       pmon_lx_u64(&line, &out->blocks) && pmon_lx_u64(&line, &out->free) &&
			       pmon_lx_u64(&line, &out->avail) &&
			       pmon_lx_u64(&line, &out->inodes) &&
			       pmon_lx_u64(&line, &out->inodes_free);
	return false;
}

// The file `statvfs` of a recorded tree.
static bool
read_recorded(struct live *live, struct kept *kept)
{
	struct lx_reading reading;

	if (!pmon_lx_is_recorded(live->host))
		return true;
	if (kept->recorded == NULL)
		kept->recorded = pmon_mem_alloc(live->allocator, MAX_RECORDED);
	if (kept->recorded == NULL)
		return false;
	(void)pmon_lx_read(live->host, "statvfs", kept->recorded, MAX_RECORDED, &reading);
	kept->recorded_text = reading.text;
	return true;
}

static void
set_spaces(struct live_row *row, uint64_t avail, uint64_t space)
{
	if (space == 0)
		return;
	live_row_set(row, FREE, avail);
	live_row_set(row, SPACE, space);
	live_row_set(row, FREE_MIB, avail >> MIB_SHIFT);
}

static void
set_inodes(struct live_row *row, uint64_t free, uint64_t inodes)
{
	if (inodes == 0)
		return;
	live_row_set(row, FREE_INODES, free);
	live_row_set(row, INODES, inodes);
}

static void
measure(struct live *live, struct kept *kept, const struct volume *volume, const char *point,
	bool in_total, struct live_row *row)
{
	struct space space;
	uint64_t avail;
	uint64_t usable;

	if (pmon_lx_is_recorded(live->host)
		    ? !ask_recording(kept->recorded_text, volume->escaped, &space)
		    : !ask_system(live->host, point, &space)) {
		kept->lacks_space = kept->lacks_space || in_total;
		return;
	}
	avail = space.avail * space.block_bytes;
	usable = (space.blocks - space.free + space.avail) * space.block_bytes;
	set_spaces(row, avail, usable);
	set_inodes(row, space.inodes_free, space.inodes);
	if (!in_total)
		return;
	kept->n_spaces++;
	kept->free_bytes += avail;
	kept->space_bytes += usable;
	kept->free_inodes += space.inodes == 0 ? 0 : space.inodes_free;
	kept->inodes += space.inodes;
}

// ---- The object -----------------------------------------------------------------------------

static void
free_kept(const struct live *live, void *ptr)
{
	struct kept *kept = ptr;

	pmon_mem_free(live->allocator, kept->mount, kept->mounts_cap * sizeof(*kept->mount));
	pmon_mem_free(live->allocator, kept->volume, kept->cap * sizeof(*kept->volume));
	pmon_mem_free(live->allocator, kept->recorded, MAX_RECORDED);
	pmon_mem_free(live->allocator, kept, sizeof(*kept));
}

static struct kept *
kept_of(struct live *live)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_VOLUME, free_kept);

	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(struct kept));
	return *slot;
}

// Does it count in _Total? A file system in a file or in memory uses the space of another one.
static bool
is_in_total(const struct volume *volume, const struct lx_disk *disk)
{
	return volume->place == PLACE_TOTAL && (disk == NULL || disk->kind != LX_DISK_WITHIN);
}

static enum pmon_status
put_volume(struct live *live, const struct live_asked *asked, struct kept *kept,
	   const struct volume *volume, const struct lx_disks *disks, struct pmon_err *err)
{
	const struct lx_disk *disk = pmon_lx_disk_at(disks, volume->major, volume->minor);
	bool in_total = is_in_total(volume, disk);
	char point[MAX_PATH];
	struct live_row row;

	live_row_begin(&row, &disks->stamp);
	pmon_lx_octal(volume->escaped, point, sizeof(point));
	if (live_wants(asked, SPACE_BITS))
		measure(live, kept, volume, point, in_total, &row);
	if (disk != NULL)
		pmon_lx_io_row(&disk->io, &row);
	if (disk != NULL && in_total)
		pmon_lx_total_add(&kept->io, disk);
	kept->lacks_io = kept->lacks_io || (disk == NULL && in_total);
	pmon_live_clean_path(point);
	return pmon_live_put(live, asked, point, &row, err);
}

// A value that is unknown for one file system on a disk is unknown for _Total: transfers of btrfs, or
// the space of one whose mount point pmon may not access.
static enum pmon_status
put_total(struct live *live, const struct live_asked *asked, const struct kept *kept,
	  const struct live_stamp *stamp, struct pmon_err *err)
{
	struct live_row row;

	live_row_begin(&row, stamp);
	if (kept->n_spaces > 0 && !kept->lacks_space) {
		set_spaces(&row, kept->free_bytes, kept->space_bytes);
		set_inodes(&row, kept->free_inodes, kept->inodes);
	}
	if (kept->io.n > 0 && !kept->lacks_io)
		pmon_lx_io_row(&kept->io.io, &row);
	return row.present == 0 ? PMON_OK : pmon_live_put(live, asked, "_Total", &row, err);
}

static enum pmon_status
put_all(struct live *live, const struct live_asked *asked, struct kept *kept,
	const struct lx_disks *disks, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	kept->n_spaces = 0;
	kept->lacks_space = kept->lacks_io = false;
	kept->free_bytes = kept->space_bytes = 0;
	kept->free_inodes = kept->inodes = 0;
	pmon_lx_total_begin(&kept->io);
	for (size_t i = 0; status == PMON_OK && i < kept->n; i++)
		status = put_volume(live, asked, kept, &kept->volume[i], disks, err);
	pmon_lx_total_end(&kept->io);
	return status == PMON_OK ? put_total(live, asked, kept, &disks->stamp, err) : status;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct kept *kept = kept_of(live);
	const struct lx_disks *disks;
	enum pmon_status status;

	if (kept == NULL || !read_mounts(live, kept) || !choose_volumes(live, kept) ||
	    !read_recorded(live, kept))
		return pmon_err_nomem(err);
	status = pmon_lx_disks(live, &disks, err);
	return status == PMON_OK ? put_all(live, asked, kept, disks, err) : status;
}

const struct live_object pmon_lx_logical_disk = {
	.name = "LogicalDisk",
	.help = "Mounted local file systems, named by mount point. _Total covers those on disks: "
		"it excludes tmpfs, loop devices, and file systems that share space (zfs, "
		"overlay). It has only counters that are known for all of them.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
