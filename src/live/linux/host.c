// host.c - the files and clocks of a Linux host, running or recorded
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "live/linux/linux.h"
#include "os/clock.h"
#include "os/dir.h"

#define FIRST_BYTES ((size_t)4 << 10)
#define MAX_BYTES   ((size_t)64 << 20) // per file in /proc; the largest seen have a few MiB
#define MAX_TREES   100000
#define MAX_PATH    4096

// The path of a file. Each network namespace has its own network files: below another root, those of its
// first process are read, not ours.
static const struct {
	const char *path;
	const char *foreign; // below another root; NULL: the same
} files[LX_FILES] = {
	[LX_STAT] = {"proc/stat", NULL},
	[LX_LOADAVG] = {"proc/loadavg", NULL},
	[LX_UPTIME] = {"proc/uptime", NULL},
	[LX_MEMINFO] = {"proc/meminfo", NULL},
	[LX_VMSTAT] = {"proc/vmstat", NULL},
	[LX_SWAPS] = {"proc/swaps", NULL},
	[LX_SOFTIRQS] = {"proc/softirqs", NULL},
	[LX_INTERRUPTS] = {"proc/interrupts", NULL},
	[LX_CPUINFO] = {"proc/cpuinfo", NULL},
	[LX_FILE_NR] = {"proc/sys/fs/file-nr", NULL},
	[LX_PRESSURE_CPU] = {"proc/pressure/cpu", NULL},
	[LX_PRESSURE_IO] = {"proc/pressure/io", NULL},
	[LX_PRESSURE_MEMORY] = {"proc/pressure/memory", NULL},
	[LX_PRESSURE_IRQ] = {"proc/pressure/irq", NULL},
	[LX_DISKSTATS] = {"proc/diskstats", NULL},
	[LX_MOUNTINFO] = {"proc/self/mountinfo", "proc/1/mountinfo"},
	[LX_NET_DEV] = {"proc/self/net/dev", "proc/1/net/dev"},
	[LX_NET_SNMP] = {"proc/self/net/snmp", "proc/1/net/snmp"},
	[LX_NET_SNMP6] = {"proc/self/net/snmp6", "proc/1/net/snmp6"},
	[LX_NET_NETSTAT] = {"proc/self/net/netstat", "proc/1/net/netstat"},
	[LX_NET_SOCKSTAT] = {"proc/self/net/sockstat", "proc/1/net/sockstat"},
	[LX_NET_SOCKSTAT6] = {"proc/self/net/sockstat6", "proc/1/net/sockstat6"},
};

struct kept_file {
	int fd; // -1: not open
	bool absent;
	uint64_t serial; // of the sample in which it was read
	char *text;
	size_t cap;
	struct lx_reading reading;
};

struct live_host {
	const struct live *live;
	int root; // descriptor of the root, or of the tree of a recording
	bool foreign;
	bool recorded;
	uint64_t serial; // number of the sample, from 1
	uint64_t tree;
	struct pmon_dir *trees; // of a recording
	struct pmon_os_clocks start;
	struct live_stamp recorded_now;
	struct kept_file files[LX_FILES];
	struct {
		void *ptr;
		lx_free_fn free;
	} kept[LX_SLOTS];
};

// ---- Clocks ---------------------------------------------------------------------------------

// The time is the system clock at the start plus the elapsed time on the boot-time clock, so that setting
// the system clock does not distort measurements.
struct live_stamp
pmon_lx_now(const struct live_host *host)
{
	int64_t boot_100ns;

	if (host->recorded)
		return host->recorded_now;
	boot_100ns = pmon_os_clocks().boot_100ns;
	return (struct live_stamp){boot_100ns,
				   host->start.wall + (boot_100ns - host->start.boot_100ns)};
}

// ---- Files ----------------------------------------------------------------------------------

static void
close_file(struct kept_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

// Read a file from beginning to end. The kernel returns files that it generates in one piece from one
// call; for others each call returns whole lines.
static bool
read_whole(const struct live_host *host, struct kept_file *file)
{
	size_t len = 0;
	ssize_t got;

	do {
		if (len >= MAX_BYTES || (file->cap - len < FIRST_BYTES / 2 &&
					 !pmon_mem_grow(host->live->allocator, &file->text,
							&file->cap, len + FIRST_BYTES, 1)))
			return false;
		got = pread(file->fd, file->text + len, file->cap - len, (off_t)len);
		len += got > 0 ? (size_t)got : 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	file->reading.text = (struct pmon_scan){file->text, file->text + len};
	return len > 0;
}

static void
read_file(struct live_host *host, enum lx_file which)
{
	struct kept_file *file = &host->files[which];
	const char *path = files[which].path;

	if (host->foreign && files[which].foreign != NULL)
		path = files[which].foreign;
	if (file->fd < 0)
		file->fd = openat(host->root, path, O_RDONLY | O_CLOEXEC);
	file->absent = file->fd < 0 || !read_whole(host, file);
	file->reading.stamp = pmon_lx_now(host);
	if (file->absent || host->recorded)
		close_file(file);
}

bool
pmon_lx_file(struct live_host *host, enum lx_file which, struct lx_reading *out)
{
	struct kept_file *file = &host->files[which];

	if (file->serial != host->serial) {
		read_file(host, which);
		file->serial = host->serial;
	}
	*out = file->reading;
	return !file->absent;
}

// The length of the whole lines in a reading that filled its buffer.
static size_t
whole_lines(const char *buf, size_t len)
{
	size_t end = len;

	while (end > 0 && buf[end - 1] != '\n')
		end--;
	return end > 0 ? end : len;
}

bool
pmon_lx_read_at(const struct live_host *host, int dir, const char *path, char *buf, size_t size,
		struct lx_reading *out)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t got = -1;

	while (fd >= 0 && len < size - 1) {
		got = pread(fd, buf + len, size - 1 - len, (off_t)len);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	out->is_cut = len == size - 1;
	if (out->is_cut)
		len = whole_lines(buf, len);
	buf[len] = '\0';
	out->text = (struct pmon_scan){buf, buf + len};
	out->stamp = pmon_lx_now(host);
	return fd >= 0 && (got >= 0 || len > 0);
}

bool
pmon_lx_read(struct live_host *host, const char *path, char *buf, size_t size,
	     struct lx_reading *out)
{
	return pmon_lx_read_at(host, host->root, path, buf, size, out);
}

int
pmon_lx_root(const struct live_host *host)
{
	return host->root;
}

uint64_t
pmon_lx_tree(const struct live_host *host)
{
	return host->tree;
}

bool
pmon_lx_is_recorded(const struct live_host *host)
{
	return host->recorded;
}

void **
pmon_lx_kept(struct live_host *host, enum lx_slot slot, lx_free_fn free)
{
	host->kept[slot].free = free;
	return &host->kept[slot].ptr;
}

// ---- Recordings -----------------------------------------------------------------------------

// Read the file `clock` of a recorded tree: one line with the system clock (100 ns since 1601, UTC) and
// the time since boot (100 ns), in decimal.
static enum pmon_status
read_clock(struct live_host *host, const char *tree, struct pmon_err *err)
{
	char buf[128];
	struct lx_reading reading;
	struct pmon_scan line;
	uint64_t time;
	uint64_t perf;

	if (!pmon_lx_read(host, "clock", buf, sizeof(buf), &reading) ||
	    !pmon_lx_line(&reading.text, &line) || !pmon_lx_u64(&line, &time) ||
	    !pmon_lx_u64(&line, &perf))
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "%s: not a recorded tree: the clock file is missing", tree);
	host->recorded_now = (struct live_stamp){(int64_t)perf, (pmon_time)time};
	return PMON_OK;
}

static enum pmon_status
open_root(struct live_host *host, const char *path, struct pmon_err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return pmon_err_sys(err, errno == ENOENT ? PMON_E_NOTFOUND : PMON_E_IO, errno, "%s",
				    path);
	if (host->root >= 0)
		close(host->root);
	host->root = fd;
	return PMON_OK;
}

static enum pmon_status
next_tree(struct live_host *host, struct pmon_err *err)
{
	size_t n;
	const char *const *paths = pmon_dir_paths(host->trees, &n);
	enum pmon_status status;

	if (host->tree >= n)
		return PMON_END;
	status = open_root(host, paths[host->tree], err);
	if (status == PMON_OK)
		status = read_clock(host, paths[host->tree], err);
	host->tree++;
	return status;
}

static enum pmon_status
open_recording(struct live_host *host, const char *path, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_dir_list_folders(path, host->live->allocator, MAX_TREES, &host->trees, err);

	host->recorded = true;
	if (status == PMON_OK)
		status = next_tree(host, err);
	if (status == PMON_END)
		return pmon_err_set(err, PMON_E_NOTFOUND, 0, "%s: contains no recorded trees",
				    path);
	host->tree = 0; // the first sample reads it again
	return status;
}

// ---- The system -----------------------------------------------------------------------------

// The line of a small file, allocated in the source.
static const char *
read_name(struct live *live, const char *path)
{
	char buf[256];
	struct lx_reading reading;
	struct pmon_scan line = {NULL, NULL};
	struct pmon_span name;

	if (!pmon_lx_read(live->host, path, buf, sizeof(buf), &reading) ||
	    !pmon_lx_line(&reading.text, &line))
		return "";
	if (!pmon_arena_copy(&live->arena,
			     (struct pmon_span){line.at, (size_t)(line.end - line.at)}, &name))
		return "";
	return name.ptr;
}

// The machine's architecture, "x86_64". In a recording only the kernel's file is used.
static const char *
architecture(struct live *live)
{
	const char *name = read_name(live, "proc/sys/kernel/arch"); // since Linux 6.1
	struct utsname uts;
	struct pmon_span text;

	if (name[0] != '\0' || live->host->recorded || uname(&uts) != 0)
		return name;
	text = (struct pmon_span){uts.machine, strlen(uts.machine)};
	return pmon_arena_copy(&live->arena, text, &text) ? text.ptr : "";
}

static enum pmon_status
describe(struct live *live, struct pmon_err *err)
{
	struct pmon_source_info *info = &live->source.info;
	struct pmon_host *host = pmon_arena_alloc(&live->arena, sizeof(*host));
	struct live_stamp now = pmon_lx_now(live->host);
	struct pmon_span writer;
	char buf[300];

	if (host == NULL)
		return pmon_err_nomem(err);
	info->machine = live->options.machine != NULL ? live->options.machine
						      : read_name(live, "proc/sys/kernel/hostname");
	live->machine = (struct pmon_span){info->machine, strlen(info->machine)};
	(void)snprintf(buf, sizeof(buf), "pmon " PMON_VERSION_TEXT " on Linux %s %s",
		       read_name(live, "proc/sys/kernel/osrelease"), architecture(live));
	if (!pmon_arena_copy(&live->arena, (struct pmon_span){buf, strlen(buf)}, &writer))
		return pmon_err_nomem(err);
	while (writer.len > 0 && writer.ptr[writer.len - 1] == ' ')
		writer.len--;
	info->writer = writer.ptr;
	info->converter = "";
	info->sampled_by_pmon = true;
	*host = (struct pmon_host){.boot = now.time - now.perf_100ns, .perf_freq = LIVE_FREQ};
	info->host = host;
	info->format = "Linux";
	info->live = true;
	info->zone = "";
	info->log_start = now.time;
	info->log_end = PMON_TIME_NONE;
	if (!live->host->recorded)
		info->utc_offset_min = pmon_os_utc_offset_min(now.time);
	return pmon_live_give_id(live, read_name(live, "etc/machine-id"), err);
}

static enum pmon_status
open_host(struct live *live, struct pmon_err *err)
{
	const struct pmon_live_options *options = &live->options;
	struct live_host *host = live->host;

	if (options->replay != NULL)
		return open_recording(host, options->replay, err);
	host->foreign = options->root != NULL && strcmp(options->root, "/") != 0;
	return open_root(host, host->foreign ? options->root : "/", err);
}

static enum pmon_status
linux_open(struct live *live, struct pmon_err *err)
{
	struct live_host *host = pmon_mem_alloc0(live->allocator, sizeof(*host));
	enum pmon_status status;

	if (host == NULL)
		return pmon_err_nomem(err);
	live->host = host;
	host->live = live;
	host->root = -1;
	host->start = pmon_os_clocks();
	for (size_t i = 0; i < LX_FILES; i++)
		host->files[i].fd = -1;
	status = open_host(live, err);
	if (status == PMON_OK && faccessat(host->root, "proc/stat", R_OK, 0) != 0)
		return pmon_err_sys(err, PMON_E_NOTFOUND, errno, "there is no proc/stat in %s",
				    live->options.replay != NULL ? live->options.replay
				    : host->foreign              ? live->options.root
								 : "/");
	return status == PMON_OK ? describe(live, err) : status;
}

static enum pmon_status
linux_begin(struct live *live, struct pmon_err *err)
{
	struct live_host *host = live->host;
	enum pmon_status status = host->recorded ? next_tree(host, err) : PMON_OK;

	if (status != PMON_OK)
		return status;
	host->serial++;
	live->now = pmon_lx_now(host);
	live->sample.time = host->recorded ? live->now.time : pmon_os_clocks().wall;
	live->sample.utc_offset_min =
		host->recorded ? 0 : pmon_os_utc_offset_min(live->sample.time);
	return PMON_OK;
}

static void
linux_close(struct live *live)
{
	struct live_host *host = live->host;

	if (host == NULL)
		return;
	for (size_t i = 0; i < LX_SLOTS; i++)
		if (host->kept[i].ptr != NULL)
			host->kept[i].free(live, host->kept[i].ptr);
	for (size_t i = 0; i < LX_FILES; i++) {
		close_file(&host->files[i]);
		pmon_mem_free(live->allocator, host->files[i].text, host->files[i].cap);
	}
	if (host->root >= 0)
		close(host->root);
	pmon_dir_free(host->trees);
	pmon_mem_free(live->allocator, host, sizeof(*host));
}

// ---- The objects ----------------------------------------------------------------------------

static const struct live_object *const objects[] = {
	&pmon_lx_system,        &pmon_lx_processor,    &pmon_lx_processor_information,
	&pmon_lx_memory,        &pmon_lx_paging_file,  &pmon_lx_pressure,
	&pmon_lx_numa,          &pmon_lx_softirq,      &pmon_lx_cgroup,
	&pmon_lx_physical_disk, &pmon_lx_logical_disk, &pmon_lx_network,
	&pmon_lx_tcp4,          &pmon_lx_tcp6,         &pmon_lx_udp4,
	&pmon_lx_udp6,          &pmon_lx_ip4,          &pmon_lx_ip6,
	&pmon_lx_icmp4,         &pmon_lx_icmp6,        &pmon_lx_process,
	&pmon_lx_thread,
};

const struct live_system pmon_live_linux = {
	.objects = objects,
	.n_objects = sizeof(objects) / sizeof(objects[0]),
	.open = linux_open,
	.begin = linux_begin,
	.close = linux_close,
};
