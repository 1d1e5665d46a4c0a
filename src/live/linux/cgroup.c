// cgroup.c - the object Cgroup: the unified hierarchy (version 2), wherever it is mounted
// SPDX-License-Identifier: MIT
//
// An instance is a group's path in the hierarchy, "/system.slice/ssh.service"; the root is "/".
// Only files that a requested counter needs are read. Which files a group has depends on the controllers
// enabled for it.

// d_type of directory entries
#define _DEFAULT_SOURCE

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "live/linux/linux.h"

#define MAX_PATH   4096
#define MAX_DEPTH  32
#define MAX_GROUPS 4096
#define MAX_FILE   ((size_t)256 << 10) // io.stat has a line of 60 bytes for each device

enum {
	USAGE,
	USER,
	SYSTEM,
	PERIODS,
	THROTTLED,
	THROTTLED_TIME,
	MEMORY,
	MEMORY_LIMIT,
	SWAP,
	ANONYMOUS,
	FILE_CACHE,
	SLAB,
	FAULTS,
	MAJOR_FAULTS,
	READ_BYTES,
	WRITE_BYTES,
	READS,
	WRITES,
	THREADS,
	CPU_STALL,
	IO_STALL,
	IO_FULL_STALL,
	MEMORY_STALL,
	MEMORY_FULL_STALL
};

#define BIT(field) (UINT64_C(1) << (field))
#define NO_BASE    LIVE_NO_FIELD
#define TIMER      PMON_PERF_PRECISION_100NS_TIMER
#define RATE       PMON_PERF_COUNTER_BULK_COUNT
#define BYTES      PMON_PERF_COUNTER_LARGE_RAWCOUNT

static const struct live_counter counters[] = {
	{"% Processor Time", TIMER, 0, USAGE, NO_BASE, "cpu.stat: usage_usec", "",
	 "CPU time used by the group; 100 % is one processor, fully used."},
	{"% User Time", TIMER, 0, USER, NO_BASE, "cpu.stat: user_usec", "",
	 "CPU time that the group spent in user mode."},
	{"% Privileged Time", TIMER, 0, SYSTEM, NO_BASE, "cpu.stat: system_usec", "",
	 "CPU time that the group spent in the kernel."},
	{"Periods/sec", RATE, 0, PERIODS, NO_BASE, "cpu.stat: nr_periods", "",
	 "CPU bandwidth periods (cpu.max) in which the group was runnable."},
	{"Throttled Periods/sec", RATE, 0, THROTTLED, NO_BASE, "cpu.stat: nr_throttled", "",
	 "CPU bandwidth periods in which the group was throttled."},
	{"% Throttled Time", TIMER, 0, THROTTLED_TIME, NO_BASE, "cpu.stat: throttled_usec", "",
	 "Time that the group was throttled by its CPU quota; 100 % is one processor throttled all "
	 "the time."},
	{"Memory Bytes", BYTES, -6, MEMORY, NO_BASE, "memory.current", "",
	 "Memory charged to the group, including page cache."},
	{"Memory Limit Bytes", BYTES, -6, MEMORY_LIMIT, NO_BASE, "memory.max", "",
	 "The group's hard limit; absent if there is none."},
	{"% Memory Limit In Use", PMON_PERF_LARGE_RAW_FRACTION, 0, MEMORY, MEMORY_LIMIT,
	 "memory.current of memory.max", "", "Memory Bytes as a percentage of Memory Limit Bytes."},
	{"Swap Bytes", BYTES, -6, SWAP, NO_BASE, "memory.swap.current", "",
	 "Swapped-out memory of the group."},
	{"Anonymous Bytes", BYTES, -6, ANONYMOUS, NO_BASE, "memory.stat: anon", "",
	 "Anonymous memory."},
	{"File Cache Bytes", BYTES, -6, FILE_CACHE, NO_BASE, "memory.stat: file", "",
	 "Page cache, including tmpfs and shared memory."},
	{"Slab Bytes", BYTES, -5, SLAB, NO_BASE, "memory.stat: slab", "",
	 "Slab memory charged to the group."},
	{"Page Faults/sec", RATE, -1, FAULTS, NO_BASE, "memory.stat: pgfault", "",
	 "Page faults, minor and major."},
	{"Page Reads/sec", RATE, 0, MAJOR_FAULTS, NO_BASE, "memory.stat: pgmajfault", "",
	 "Major page faults, which had to read from disk."},
	{"I/O Read Bytes/sec", RATE, -4, READ_BYTES, NO_BASE,
	 "io.stat: rbytes, the sum over all devices", "", "Bytes read from block devices."},
	{"I/O Write Bytes/sec", RATE, -4, WRITE_BYTES, NO_BASE,
	 "io.stat: wbytes, the sum over all devices", "", "Bytes written to block devices."},
	{"I/O Read Operations/sec", RATE, 0, READS, NO_BASE,
	 "io.stat: rios, the sum over all devices", "", "Reads from block devices."},
	{"I/O Write Operations/sec", RATE, 0, WRITES, NO_BASE,
	 "io.stat: wios, the sum over all devices", "", "Writes to block devices."},
	{"Threads", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, THREADS, NO_BASE, "pids.current", "",
	 "Threads in the group and its descendants."},
	{"% CPU Stalled Time", TIMER, 0, CPU_STALL, NO_BASE, "cpu.pressure: some total", "",
	 "Percentage of time that at least one thread of the group waited for a processor."},
	{"% I/O Stalled Time", TIMER, 0, IO_STALL, NO_BASE, "io.pressure: some total", "",
	 "Percentage of time that at least one thread of the group waited for I/O."},
	{"% I/O Fully Stalled Time", TIMER, 0, IO_FULL_STALL, NO_BASE, "io.pressure: full total",
	 "", "Percentage of time that all non-idle threads of the group waited at once."},
	{"% Memory Stalled Time", TIMER, 0, MEMORY_STALL, NO_BASE, "memory.pressure: some total",
	 "", "Percentage of time that at least one thread of the group waited for memory."},
	{"% Memory Fully Stalled Time", TIMER, 0, MEMORY_FULL_STALL, NO_BASE,
	 "memory.pressure: full total", "",
	 "Percentage of time that all non-idle threads of the group waited at once."},
};

// ---- The files of a group -------------------------------------------------------------------

static void
parse_cpu(struct pmon_scan text, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("usage_usec", USAGE, 10),      LX_KEY("user_usec", USER, 10),
		LX_KEY("system_usec", SYSTEM, 10),    LX_KEY("nr_periods", PERIODS, 1),
		LX_KEY("nr_throttled", THROTTLED, 1), LX_KEY("throttled_usec", THROTTLED_TIME, 10),
	};

	pmon_lx_fields(text, keys, sizeof(keys) / sizeof(keys[0]), row);
}

static void
parse_memory_stat(struct pmon_scan text, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("anon", ANONYMOUS, 1),
		LX_KEY("file", FILE_CACHE, 1),
		LX_KEY("slab", SLAB, 1),
		LX_KEY("pgfault", FAULTS, 1),
		LX_KEY("pgmajfault", MAJOR_FAULTS, 1),
	};

	pmon_lx_fields(text, keys, sizeof(keys) / sizeof(keys[0]), row);
}

// One number, or "max".
static void
parse_number(struct pmon_scan text, struct live_row *row, unsigned field)
{
	struct pmon_scan line;
	uint64_t n;

	if (pmon_lx_line(&text, &line) && pmon_lx_u64(&line, &n) && n <= INT64_MAX)
		live_row_set(row, field, n);
}

static void
parse_memory(struct pmon_scan text, struct live_row *row)
{
	parse_number(text, row, MEMORY);
}

static void
parse_limit(struct pmon_scan text, struct live_row *row)
{
	parse_number(text, row, MEMORY_LIMIT);
}

static void
parse_swap(struct pmon_scan text, struct live_row *row)
{
	parse_number(text, row, SWAP);
}

static void
parse_threads(struct pmon_scan text, struct live_row *row)
{
	parse_number(text, row, THREADS);
}

// The number in a word "key=number".
static bool
number_of(struct pmon_span word, const char *key, uint64_t *out)
{
	size_t len = strlen(key);
	struct pmon_scan value = {word.ptr + len, word.ptr + word.len};

	return word.len > len && memcmp(word.ptr, key, len) == 0 && pmon_lx_u64(&value, out);
}

// "8:0 rbytes=1024 wbytes=0 rios=2 wios=0 dbytes=0 dios=0", a line for each device. A group without I/O
// has no lines, and its sums are 0.
static void
parse_io(struct pmon_scan text, struct live_row *row)
{
	static const char *const keys[] = {"rbytes=", "wbytes=", "rios=", "wios="};
	struct pmon_scan line;
	struct pmon_span word;
	uint64_t n;

	for (unsigned i = 0; i < 4; i++)
		live_row_set(row, READ_BYTES + i, 0);
	while (pmon_lx_line(&text, &line))
		while (pmon_lx_word(&line, &word))
			for (unsigned i = 0; i < 4; i++)
				if (number_of(word, keys[i], &n))
					live_row_add(row, READ_BYTES + i, n);
}

// The totals of "some avg10=... total=123" and "full ...", in microseconds.
static void
parse_pressure(struct pmon_scan text, struct live_row *row, unsigned some, unsigned full)
{
	struct pmon_scan line;
	struct pmon_span word;
	uint64_t n;

	while (pmon_lx_line(&text, &line)) {
		unsigned field = pmon_lx_key(&line, "some")   ? some
				 : pmon_lx_key(&line, "full") ? full
							      : LIVE_FIELDS;

		while (field < LIVE_FIELDS && pmon_lx_word(&line, &word))
			if (number_of(word, "total=", &n))
				live_row_set(row, field, n * 10);
	}
}

static void
parse_cpu_pressure(struct pmon_scan text, struct live_row *row)
{
	parse_pressure(text, row, CPU_STALL, LIVE_FIELDS);
}

static void
parse_io_pressure(struct pmon_scan text, struct live_row *row)
{
	parse_pressure(text, row, IO_STALL, IO_FULL_STALL);
}

static void
parse_memory_pressure(struct pmon_scan text, struct live_row *row)
{
	parse_pressure(text, row, MEMORY_STALL, MEMORY_FULL_STALL);
}

static const struct {
	const char *name;
	uint64_t fields;
	void (*parse)(struct pmon_scan text, struct live_row *row);
} files[] = {
	{"cpu.stat",
	 BIT(USAGE) | BIT(USER) | BIT(SYSTEM) | BIT(PERIODS) | BIT(THROTTLED) | BIT(THROTTLED_TIME),
	 parse_cpu},
	{"memory.current", BIT(MEMORY), parse_memory},
	{"memory.max", BIT(MEMORY_LIMIT), parse_limit},
	{"memory.swap.current", BIT(SWAP), parse_swap},
	{"memory.stat",
	 BIT(ANONYMOUS) | BIT(FILE_CACHE) | BIT(SLAB) | BIT(FAULTS) | BIT(MAJOR_FAULTS),
	 parse_memory_stat},
	{"io.stat", BIT(READ_BYTES) | BIT(WRITE_BYTES) | BIT(READS) | BIT(WRITES), parse_io},
	{"pids.current", BIT(THREADS), parse_threads},
	{"cpu.pressure", BIT(CPU_STALL), parse_cpu_pressure},
	{"io.pressure", BIT(IO_STALL) | BIT(IO_FULL_STALL), parse_io_pressure},
	{"memory.pressure", BIT(MEMORY_STALL) | BIT(MEMORY_FULL_STALL), parse_memory_pressure},
};

// ---- The hierarchy --------------------------------------------------------------------------

// State kept between samples: the mount point of the hierarchy, and buffers.
struct hierarchy {
	bool known;
	char mount[MAX_PATH]; // below the root; "": none
	char text[MAX_FILE];
	char path[MAX_PATH]; // of the group
	char name[MAX_PATH]; // the path as an instance name
	unsigned groups;     // number in this sample
};

struct walk {
	struct live *live;
	const struct live_asked *asked;
	struct hierarchy *h;
	struct pmon_err *err;
};

// "41 31 0:38 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw": any number of optional fields
// follow the sixth, up to a dash.
static bool
is_hierarchy(struct pmon_scan *line, struct pmon_span *mount)
{
	struct pmon_span word;

	if (!pmon_lx_skip(line, 4) || !pmon_lx_word(line, mount))
		return false;
	while (pmon_lx_word(line, &word))
		if (word.len == 1 && word.ptr[0] == '-')
			return pmon_lx_key(line, "cgroup2");
	return false;
}

static void
find_mount(struct live *live, struct hierarchy *h)
{
	struct lx_reading reading;
	struct pmon_scan line;
	struct pmon_span mount;

	h->known = !pmon_lx_is_recorded(live->host);
	h->mount[0] = '\0';
	if (!pmon_lx_file(live->host, LX_MOUNTINFO, &reading))
		return;
	while (pmon_lx_line(&reading.text, &line))
		if (is_hierarchy(&line, &mount) && mount.len > 1) {
			mount.ptr++;
			mount.len--;
			pmon_lx_octal(mount, h->mount, sizeof(h->mount));
			return;
		}
}

static enum pmon_status
put_group(const struct walk *w, int dir)
{
	struct hierarchy *h = w->h;
	struct lx_reading reading;
	struct live_row row;
	struct live_stamp stamp = pmon_lx_now(w->live->host);

	live_row_begin(&row, &stamp);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (live_wants(w->asked, files[i].fields) &&
		    pmon_lx_read_at(w->live->host, dir, files[i].name, h->text, sizeof(h->text),
				    &reading) &&
		    !reading.is_cut) // a partial sum would be wrong
			files[i].parse(reading.text, &row);
	memcpy(h->name, h->path, strlen(h->path) + 1);
	pmon_live_clean_path(h->name);
	return pmon_live_put(w->live, w->asked, h->name, &row, w->err);
}

// In cgroupfs a folder has two links of its own and one for each subfolder; the file system of a
// recording may count differently.
static bool
has_folders(const struct walk *w, int dir)
{
	struct stat st;

	return pmon_lx_is_recorded(w->live->host) || fstat(dir, &st) != 0 || st.st_nlink != 2;
}

static enum pmon_status walk_group(const struct walk *w, int dir, unsigned depth);

// Collect a group below the one whose path is the first len bytes. A group that has disappeared is skipped.
static enum pmon_status
walk_child(const struct walk *w, int dir, const char *name, unsigned depth)
{
	size_t len = strlen(w->h->path);
	size_t slash = len > 1;
	size_t more = strlen(name);
	enum pmon_status status;
	int child;

	if (len + slash + more >= MAX_PATH || depth > MAX_DEPTH || w->h->groups >= MAX_GROUPS)
		return PMON_OK;
	child = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (child < 0)
		return PMON_OK;
	w->h->path[len] = '/';
	memcpy(w->h->path + len + slash, name, more + 1);
	status = walk_group(w, child, depth);
	w->h->path[len] = '\0';
	return status;
}

// Collect the group and all groups below it. Closes dir.
static enum pmon_status
walk_group(const struct walk *w, int dir, unsigned depth)
{
	enum pmon_status status = put_group(w, dir);
	const struct dirent *entry;
	DIR *list = NULL;

	w->h->groups++;
	if (status == PMON_OK && has_folders(w, dir))
		list = fdopendir(dir);
	if (list == NULL) {
		close(dir);
		return status;
	}
	while (status == PMON_OK && (entry = readdir(list)) != NULL)
		if (entry->d_name[0] != '.' &&
		    (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN))
			status = walk_child(w, dirfd(list), entry->d_name, depth + 1);
	closedir(list);
	return status;
}

static void
free_hierarchy(const struct live *live, void *kept)
{
	pmon_mem_free(live->allocator, kept, sizeof(struct hierarchy));
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	void **kept = pmon_lx_kept(live->host, LX_SLOT_CGROUP, free_hierarchy);
	struct walk w = {live, asked, NULL, err};
	int dir;

	if (*kept == NULL)
		*kept = pmon_mem_alloc0(live->allocator, sizeof(*w.h));
	w.h = *kept;
	if (w.h == NULL)
		return pmon_err_nomem(err);
	if (!w.h->known)
		find_mount(live, w.h);
	if (w.h->mount[0] == '\0')
		return PMON_OK;
	dir = openat(pmon_lx_root(live->host), w.h->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w.h->known = w.h->known && dir >= 0; // it may be mounted elsewhere by the next sample
	if (dir < 0)
		return PMON_OK;
	w.h->groups = 0;
	memcpy(w.h->path, "/", 2);
	return walk_group(&w, dir, 0);
}

const struct live_object pmon_lx_cgroup = {
	.name = "Cgroup",
	.help = "Control groups of the unified hierarchy (cgroup v2), named by path. Each includes "
		"its descendants. At most 4096 groups, 32 levels deep.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
