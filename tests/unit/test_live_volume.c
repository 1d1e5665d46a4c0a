// test_live_volume.c - LogicalDisk, from recorded mountinfo, diskstats and statvfs
// SPDX-License-Identifier: MIT
//
// mountinfo is as proc(5) describes it. The file statvfs of a tree has on each line the mount point as
// mountinfo writes it, f_frsize, f_blocks, f_bfree, f_bavail, f_files and f_ffree.

#include "t.h"

#include <stdlib.h>
#include <sys/statvfs.h>

#include "live_tree.h"

#define VOLUME(name, counter) "\\LogicalDisk(" name ")\\" counter
#define MOUNTS                "proc/self/mountinfo"

static bool
has_volume(struct tree *t, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\LogicalDisk(%s)\\Free Megabytes", name);
	return tree_status(t, path) != TREE_ABSENT;
}

// A machine with a root file system on a partition, /home on another disk, /tmp in memory.
static struct tree *
machine(unsigned n_trees)
{
	struct tree *t = tree_new();

	tree_files(t, 0, n_trees - 1, MOUNTS,
		   "22 28 0:21 / /proc rw,nosuid shared:12 - proc proc rw\n"
		   "28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
		   "31 28 8:16 / /home rw shared:2 master:1 - xfs /dev/sdb rw\n"
		   "33 28 0:40 / /tmp rw,nosuid - tmpfs tmpfs rw\n");
	tree_files(t, 0, n_trees - 1, "statvfs",
		   "/ 4096 1000000 300000 250000 65536 16384\n"
		   "/home 1024 4000000 1000000 1000000 0 0\n"
		   "/tmp 4096 2560 1280 1280 100 50\n");
	return t;
}

// ---- Space ----------------------------------------------------------------------------------

static void
free_space(void **state)
{
	struct tree *t = machine(1);

	(void)state;
	tree_open(t, "\\LogicalDisk(*)\\*", NULL);
	tree_play(t);
	// Of 1000000 blocks, 700000 are used and 250000 available: 250000 of 950000.
	T_EQ_DBL(tree_number(t, VOLUME("/", "% Free Space")), 100 * (250000 / 950000.0));
	T_EQ_DBL(tree_number(t, VOLUME("/", "Free Megabytes")),
		 976); // 250000 * 4096 / 2^20 = 976.6
	T_EQ_DBL(tree_number(t, VOLUME("/", "% Free Inodes")), 25);
	T_EQ_DBL(tree_number(t, VOLUME("/home", "% Free Space")), 25);
	T_EQ_DBL(tree_number(t, VOLUME("/home", "Free Megabytes")), 976); // 976.6
	assert_int_equal(tree_status(t, VOLUME("/home", "% Free Inodes")), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, VOLUME("/tmp", "% Free Space")), 50);
	T_EQ_DBL(tree_number(t, VOLUME("/tmp", "Free Megabytes")), 5);
	assert_int_equal(tree_type(t, VOLUME("/", "% Free Space")), PMON_PERF_LARGE_RAW_FRACTION);
	assert_int_equal(tree_type(t, VOLUME("/", "Free Megabytes")), PMON_PERF_COUNTER_RAWCOUNT);
	// Both disks: 1024000000 bytes each are free, of 950000 * 4096 and 4000000 * 1024; 1953.1 MiB.
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "% Free Space")),
		 100 * (2048000000.0 / (3891200000.0 + 4096000000.0)));
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Free Megabytes")), 1953);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "% Free Inodes")), 25);
	assert_false(has_volume(t, "/proc"));
	tree_free(t);
}

// No blocks at all, and more free blocks than exist, which some network file systems report.
static void
odd_sizes(void **state)
{
	struct tree *t = machine(1);

	(void)state;
	tree_file(t, 0, "statvfs",
		  "/ 4096 0 0 0 0 0\n"
		  "/home 4096 18446744073709551615 18446744073709551615 18446744073709551615 1 2\n"
		  "/tmp 4096 100\n");
	tree_open(t, "\\LogicalDisk(*)\\*", NULL);
	tree_play(t);
	assert_false(has_volume(t, "/"));
	assert_false(has_volume(t, "/tmp"));
	assert_int_equal(tree_status(t, VOLUME("/home", "% Free Space")), PMON_V_BASE_BACK);
	T_EQ_DBL(tree_number(t, VOLUME("/home", "% Free Inodes")), 200); // 2 of 1
	tree_free(t);
}

// ---- Names ----------------------------------------------------------------------------------

// A name that is typed is shown unchanged, and reads back as the same instance.
static void
names_read_back(void **state)
{
	static const struct {
		const char *mounted; // as mountinfo writes it
		const char *name;
	} rows[] = {
		{"/", "/"},
		{"/home", "/home"},
		{"/var/lib/x", "/var/lib/x"},
		{"/mnt/a\\040b", "/mnt/a b"},
		{"/mnt/(x)", "/mnt/[x]"},
		{"/mnt/half(", "/mnt/half["},
		{"/mnt/y#1", "/mnt/y_1"},
		{"/mnt/back\\134slash", "/mnt/back\\slash"},
		{"/mnt/new\\012line", "/mnt/new?line"},
		{"/mnt/latin\\344", "/mnt/latin?"},
	};
	struct tree *t = tree_new();
	char mounts[2048];
	char space[2048];
	size_t m = 0;
	size_t s = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		m += (size_t)snprintf(mounts + m, sizeof(mounts) - m,
				      "%zu %d 8:%zu / %s rw - ext4 /dev/x rw\n", i + 20,
				      i == 0 ? 1 : 20, i + 1, rows[i].mounted);
		s += (size_t)snprintf(space + s, sizeof(space) - s, "%s 1048576 100 %zu %zu 0 0\n",
				      rows[i].mounted, i + 1, i + 1);
	}
	tree_file(t, 0, MOUNTS, mounts);
	tree_file(t, 0, "statvfs", space);
	tree_open(t, "\\LogicalDisk(/*)\\Free Megabytes", NULL); // nor _Total
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, T_LEN(rows));
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const struct pmon_series *series = pmon_schema_at(
			pmon_source_schema(tree_source(t)), tree_sample(t)->series[i]);
		struct pmon_path path;
		struct pmon_path its = series->path;
		char text[256];

		its.machine = (struct pmon_span){NULL, 0};
		(void)pmon_path_format(&its, text, sizeof(text));
		assert_true(pmon_path_parse(t_span(text), &path, NULL));
		assert_true(pmon_path_same(&path, &its));
		T_EQ_SPAN_AT(path.parent, "", text);
		T_EQ_SPAN_AT(path.instance, rows[i].name + 1, text);
		T_EQ_I64_AT(tree_sample(t)->raw[i].first, (int64_t)i + 1, text);
	}
	tree_free(t);
}

static void
one_is_asked_for(void **state)
{
	static const char *const patterns[] = {"\\LogicalDisk(/home)\\Free Megabytes",
					       "\\LogicalDisk(/ho*)\\Free Megabytes",
					       "\\logicaldisk(/HOME)\\free megabytes"};

	(void)state;
	for (size_t i = 0; i < T_LEN(patterns); i++) {
		struct tree *t = machine(1);

		tree_open(t, patterns[i], NULL);
		tree_play(t);
		assert_int_equal(tree_sample(t)->n, 1);
		assert_true(has_volume(t, "/home"));
		tree_free(t);
	}
}

// ---- Which file systems ---------------------------------------------------------------------

static void
only_local_file_systems_with_space(void **state)
{
	static const struct {
		const char *line;
		const char *name;
		bool want;
	} rows[] = {
		{"1 0 8:1 / /a rw - ext4 /dev/sda1 rw\n", "/a", true},
		{"1 0 0:30 / /a rw - btrfs /dev/sda1 rw\n", "/a", true},
		{"1 0 0:30 / /a rw - zfs pool/a rw\n", "/a", true},
		{"1 0 0:30 / /run rw - tmpfs tmpfs rw\n", "/run", true},
		{"1 0 0:30 / / rw - overlay overlay rw\n", "/", true},
		{"1 0 8:1 / /a rw shared:1 master:2 unbindable - ext4 /dev/sda1 rw\n", "/a", true},
		{"1 0 0:30 / /a ro - tmpfs tmpfs ro\n", "/a", false},
		{"1 0 0:30 / /a ro,nosuid - tmpfs tmpfs ro\n", "/a", false},
		{"1 0 0:30 / /a ro - tmpfs tmpfs rw\n", "/a", true}, // in a sandbox
		{"1 0 0:30 / /a ro,nosuid - tmpfs tmpfs rw,size=9k\n", "/a", true},
		{"1 0 0:30 / /a rw - tmpfs tmpfs ro,size=4k\n", "/a", false},
		{"1 0 0:30 / /proc/acpi rw - tmpfs tmpfs rw\n", "/proc/acpi", false},
		{"1 0 0:30 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n", "/sys/fs/cgroup", false},
		{"1 0 0:30 / /var/lib/x/merged rw - overlay overlay rw\n", "/var/lib/x/merged",
		 false},
		{"1 0 7:1 / /snap/x/1 ro - squashfs /dev/loop1 ro\n", "/snap/x/1", false},
		{"1 0 11:0 / /media ro - iso9660 /dev/sr0 ro\n", "/media", false},
		{"1 0 0:30 / /a rw - nfs4 server:/a rw\n", "/a", false},
		{"1 0 0:30 / /a rw - cifs //server/a rw\n", "/a", false},
		{"1 0 0:30 / /a rw - fuse.sshfs host:/a rw\n", "/a", false},
		{"1 0 0:30 / /a rw - autofs systemd-1 rw\n", "/a", false},
		{"1 0 0:30 / /dev rw - devtmpfs udev rw\n", "/dev", false},
		{"1 0 8:1 / /a rw\n", "/a", false},
		{"1 0 8:1 / /a rw - \n", "/a", false},
		{"1 0 8 / /a rw - ext4 x rw\n", "/a", false},
		{"1 0 8:x / /a rw - ext4 x rw\n", "/a", false},
		{"1 0 8:1 / a rw - ext4 x rw\n", "a", false},
		{"1 0 8:1 / /a rw - ext4 /dev/sda1 rw", "/a", false}, // torn
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct tree *t = tree_new();
		char space[256];

		(void)snprintf(space, sizeof(space), "%s 1048576 100 50 50 0 0\n", rows[i].name);
		tree_file(t, 0, MOUNTS, rows[i].line);
		tree_file(t, 0, "statvfs", space);
		tree_open(t, "\\LogicalDisk(*)\\*", NULL);
		tree_play(t);
		T_EQ_BOOL_AT(has_volume(t, rows[i].name), rows[i].want, rows[i].line);
		tree_free(t);
	}
}

static void
one_instance_a_file_system(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, MOUNTS,
		  "1 0 8:1 /etc/hosts /etc/hosts rw - ext4 /dev/sda1 rw\n"
		  "2 0 8:1 / /mnt/whole rw - ext4 /dev/sda1 rw\n" // shows the whole
		  "3 0 8:1 / /mnt/whole/again rw - ext4 /dev/sda1 rw\n"
		  "4 0 0:30 /@ /b rw - btrfs /dev/sdb rw\n" // subvolumes: the shortest
		  "5 0 0:30 /@home /b/home rw - btrfs /dev/sdb rw\n"
		  "6 0 8:2 / /data rw - ext4 /dev/sda2 rw\n"
		  "7 6 0:50 / /data rw - nfs server:/data rw\n" // hides the one before
		  "8 0 8:3 / /c rw - ext4 /dev/sda3 rw\n"
		  "9 8 8:4 / /c rw - ext4 /dev/sda4 rw\n");
	tree_file(t, 0, "statvfs",
		  "/etc/hosts 1048576 10 1 1 0 0\n/mnt/whole 1048576 10 1 1 0 0\n"
		  "/mnt/whole/again 1048576 10 1 1 0 0\n/b 1048576 10 2 2 0 0\n"
		  "/b/home 1048576 10 2 2 0 0\n/data 1048576 10 4 4 0 0\n/c 1048576 10 8 8 0 0\n");
	tree_open(t, "\\LogicalDisk(*)\\Free Megabytes", NULL);
	tree_play(t);
	assert_true(has_volume(t, "/mnt/whole"));
	assert_true(has_volume(t, "/b"));
	assert_true(has_volume(t, "/c"));
	assert_int_equal(tree_sample(t)->n, 4);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Free Megabytes")), 1 + 2 + 8);
	tree_free(t);
}

// The mounts of a service with ProtectSystem=strict, PrivateTmp=yes and ProtectHome=tmpfs, as systemd
// 252 makes them: everything is read-only by a bind mount on itself, the folder of the service is
// writable, /tmp is a folder of the host's, and an empty tmpfs hides /home.
static void
a_sandbox_hides_no_memory(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, MOUNTS,
		  "700 600 8:1 / / ro,relatime shared:300 master:1 - ext4 /dev/sda1 rw\n"
		  "701 700 0:23 / /run ro,nosuid,nodev shared:301 - tmpfs tmpfs rw,size=800k\n"
		  "702 701 0:24 / /run/lock ro,nosuid - tmpfs tmpfs rw,size=5120k\n"
		  "703 700 8:2 / /home ro,relatime - ext4 /dev/sda2 rw\n"
		  "704 703 8:3 / /home/data ro,relatime - xfs /dev/sda3 rw\n"
		  "705 703 0:50 / /home ro,nosuid - tmpfs tmpfs ro,size=4k\n"
		  "706 700 0:25 / /tmp rw - tmpfs tmpfs rw\n"
		  "707 706 0:25 /systemd-private-1/tmp /tmp rw shared:302 - tmpfs tmpfs rw\n"
		  "708 700 0:26 / /dev/shm rw,nosuid,nodev - tmpfs tmpfs rw\n"
		  "709 708 0:26 / /dev/shm ro,nosuid,nodev - tmpfs tmpfs rw\n"
		  "710 700 8:1 /var/lib/pmon /var/lib/pmon rw - ext4 /dev/sda1 rw\n"
		  "711 700 0:23 /systemd/inaccessible/dir /root ro - tmpfs tmpfs rw,size=800k\n");
	tree_file(t, 0, "statvfs",
		  "/ 1048576 10 1 1 0 0\n/run 1048576 10 2 2 0 0\n/run/lock 1048576 10 3 3 0 0\n"
		  "/tmp 1048576 10 4 4 0 0\n/dev/shm 1048576 10 5 5 0 0\n"
		  "/home 1048576 0 0 0 0 0\n/home/data 1048576 10 6 6 0 0\n"
		  "/var/lib/pmon 1048576 10 7 7 0 0\n/root 1048576 10 8 8 0 0\n");
	tree_open(t, "\\LogicalDisk(*)\\Free Megabytes", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, VOLUME("/", "Free Megabytes")), 1);
	T_EQ_DBL(tree_number(t, VOLUME("/run", "Free Megabytes")), 2);
	T_EQ_DBL(tree_number(t, VOLUME("/run/lock", "Free Megabytes")), 3);
	T_EQ_DBL(tree_number(t, VOLUME("/tmp", "Free Megabytes")), 4);
	T_EQ_DBL(tree_number(t, VOLUME("/dev/shm", "Free Megabytes")), 5);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Free Megabytes")), 1);
	assert_int_equal(tree_sample(t)->n, 6);
	tree_free(t);
}

// Lines are in the order of mount ids, which does not tell what is mounted over what: 30 was moved
// over 31.
static void
parents_identify_the_top_mount(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, MOUNTS,
		  "20 1 8:1 / / rw - ext4 x rw\n30 31 8:2 / /a rw - ext4 x rw\n"
		  "31 20 8:3 / /a rw - ext4 x rw\n32 31 8:4 / /a/b rw - ext4 x rw\n"
		  "33 30 8:5 / /a/b rw - ext4 x rw\n34 20 8:6 / /ab rw - ext4 x rw\n"
		  "35 32 8:7 / /a/b/c rw - ext4 x rw\n36 20 8:8 / / rw - ext4 x rw\n");
	tree_file(t, 0, "statvfs",
		  "/ 1048576 10 1 1 0 0\n/a 1048576 10 2 2 0 0\n/a/b 1048576 10 3 3 0 0\n"
		  "/ab 1048576 10 4 4 0 0\n/a/b/c 1048576 10 5 5 0 0\n");
	tree_file(t, 0, "proc/diskstats",
		  "8 1 x1 1 0 8 1 0 0 0 0 0 1 1\n8 2 x2 2 0 8 1 0 0 0 0 0 1 1\n"
		  "8 3 x3 4 0 8 1 0 0 0 0 0 1 1\n8 4 x4 8 0 8 1 0 0 0 0 0 1 1\n"
		  "8 5 x5 16 0 8 1 0 0 0 0 0 1 1\n8 6 x6 32 0 8 1 0 0 0 0 0 1 1\n"
		  "8 7 x7 64 0 8 1 0 0 0 0 0 1 1\n");
	tree_open(t, "\\LogicalDisk(*)\\Free Megabytes", "\\LogicalDisk(*)\\Disk Reads/sec", NULL);
	tree_play(t);
	T_EQ_I64(tree_raw(t, VOLUME("/", "Disk Reads/sec")).first, 1);
	T_EQ_I64(tree_raw(t, VOLUME("/a", "Disk Reads/sec")).first, 2);
	T_EQ_I64(tree_raw(t, VOLUME("/a/b", "Disk Reads/sec")).first, 16);
	T_EQ_I64(tree_raw(t, VOLUME("/ab", "Disk Reads/sec")).first, 32);
	assert_false(has_volume(t, "/a/b/c"));
	tree_free(t);
}

// A value that is unknown for one file system of a disk is unknown for the disk: transfers of btrfs, which has
// no device of its own, and the space of a folder that must not be read.
static void
a_part_is_not_the_total(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, MOUNTS,
		  "20 1 0:30 / / rw - btrfs /dev/sda2 rw\n21 20 8:1 / /boot rw - ext4 /dev/sda1 "
		  "rw\n");
	tree_file(t, 1, MOUNTS,
		  "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n21 20 8:2 / /secret/x rw - ext4 x rw\n");
	tree_file(t, 0, "statvfs", "/ 1048576 10 1 1 0 0\n/boot 1048576 10 2 2 0 0\n");
	tree_file(t, 1, "statvfs", "/ 1048576 10 1 1 0 0\n");
	tree_files(t, 0, 1, "proc/diskstats",
		   "8 1 sda1 50 0 400 5 0 0 0 0 0 5 5\n8 2 sda2 60 0 400 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\LogicalDisk(*)\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Free Megabytes")), 3);
	T_EQ_I64(tree_raw(t, VOLUME("/boot", "Disk Reads/sec")).first, 50);
	assert_int_equal(tree_status(t, VOLUME("_Total", "Disk Reads/sec")), TREE_ABSENT);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, VOLUME("/", "Free Megabytes")), 1);
	assert_false(has_volume(t, "_Total"));
	assert_true(tree_status(t, VOLUME("_Total", "Disk Reads/sec")) != TREE_ABSENT);
	tree_free(t);
}

// ---- Transfers ------------------------------------------------------------------------------

static void
transfers_of_the_device(void **state)
{
	struct tree *t = machine(2);

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 100 0 800 10 0 0 0 0 0 10 10\n"
		  "8 1 sda1 50 0 400 5 0 0 0 0 0 5 5\n"
		  "8 16 sdb 10 0 80 1 0 0 0 0 0 1 1\n");
	tree_file(t, 1, "proc/diskstats",
		  "8 0 sda 120 0 960 30 0 0 0 0 0 30 30\n"
		  "8 1 sda1 57 0 456 12 0 0 0 0 0 12 12\n"
		  "8 16 sdb 13 0 104 4 0 0 0 0 0 4 4\n");
	tree_open(t, "\\LogicalDisk(*)\\*", "\\PhysicalDisk(*)\\Disk Reads/sec", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, VOLUME("/", "Disk Reads/sec")), 7); // the partition's
	T_EQ_DBL(tree_number(t, VOLUME("/home", "Disk Reads/sec")), 3);
	T_EQ_DBL(tree_number(t, VOLUME("/home", "Disk Read Bytes/sec")), 24 * 512);
	assert_int_equal(tree_status(t, VOLUME("/tmp", "Disk Reads/sec")), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Disk Reads/sec")), 10);
	T_EQ_DBL(tree_number(t, "\\PhysicalDisk(_Total)\\Disk Reads/sec"), 23);
	tree_free(t);
}

// A file system in a file has the space and the transfers of the one that the file lies in; one that
// is mounted later does not make the total jump.
static void
loops_and_later_mounts(void **state)
{
	struct tree *t = machine(3);

	(void)state;
	tree_files(t, 1, 2, MOUNTS,
		   "28 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		   "29 28 7:0 / /in rw - ext4 /dev/loop0 rw\n"
		   "31 28 8:16 / /late rw - xfs /dev/sdb rw\n");
	tree_files(t, 1, 2, "statvfs",
		   "/ 1048576 100 30 30 0 0\n/in 1048576 100 40 40 0 0\n/late 1048576 100 50 50 0 "
		   "0\n");
	tree_file(t, 0, MOUNTS, "28 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	tree_files(t, 0, 1, "proc/diskstats",
		   "7 0 loop0 1 0 8 1 0 0 0 0 0 1 1\n8 1 sda1 50 0 400 5 0 0 0 0 0 5 5\n"
		   "8 16 sdb 1000000 0 8 1 0 0 0 0 0 1 1\n");
	tree_file(t, 2, "proc/diskstats",
		  "7 0 loop0 101 0 8 1 0 0 0 0 0 1 1\n8 1 sda1 52 0 400 5 0 0 0 0 0 5 5\n"
		  "8 16 sdb 1000003 0 8 1 0 0 0 0 0 1 1\n");
	tree_open(t, "\\LogicalDisk(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Disk Reads/sec")), 0);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Free Megabytes")), 30 + 50);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, VOLUME("/in", "Disk Reads/sec")), 100);
	T_EQ_DBL(tree_number(t, VOLUME("/in", "Free Megabytes")), 40);
	T_EQ_DBL(tree_number(t, VOLUME("_Total", "Disk Reads/sec")), 2 + 3);
	tree_free(t);
}

// ---- The machine of the test ----------------------------------------------------------------

// The root file system, if it is on a disk, as statvfs() reports it just before and after.
static void
asks_the_system(void **state)
{
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_select *select;
	struct pmon_live_options options = {.size = sizeof(options)};
	struct pmon_err err;
	struct statvfs before;
	struct statvfs after;

	(void)state;
	assert_int_equal(pmon_select_new(NULL, &select, &err), PMON_OK);
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\LogicalDisk(/)\\% Free Space"), &err),
			 PMON_OK);
	options.select = select;
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_OK);
	assert_int_equal(statvfs("/", &before), 0);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(statvfs("/", &after), 0);
	// The root may be of a kind that is not collected, and other programs may be writing.
	if (sample->n == 1 && before.f_bavail == after.f_bavail) {
		T_EQ_U64((uint64_t)sample->raw[0].first, before.f_bavail * before.f_frsize);
		T_EQ_U64((uint64_t)sample->raw[0].second,
			 (before.f_blocks - before.f_bfree + before.f_bavail) * before.f_frsize);
	}
	pmon_source_close(source);
	pmon_select_free(select);
}

// ---- Hostile text ---------------------------------------------------------------------------

// Paths as long as they can be and longer, and one file system in very many places.
static void
long_paths_and_many_mounts(void **state)
{
	enum {
		LINES = 6000,
		SIZE = 1 << 20
	};
	struct tree *t = tree_new();
	char *text = malloc(SIZE);
	size_t len = 0;

	(void)state;
	assert_non_null(text);
	for (unsigned i = 4000; i < 4200; i += 5)
		len += (size_t)sprintf(text + len, "1 0 9:%u / /%0*d rw - ext4 x rw\n", i, (int)i,
				       0);
	for (unsigned i = 0; i < LINES; i++)
		len += (size_t)sprintf(text + len, "1 0 8:%u /x /m%u rw - ext4 x rw\n", i % 3, i);
	tree_bytes(t, 0, MOUNTS, text, len);
	free(text);
	tree_file(t, 0, "statvfs", "/m0 1048576 10 1 1 0 0\n/m1 1048576 10 2 2 0 0\n");
	tree_open(t, "\\LogicalDisk(*)\\*", NULL);
	tree_play(t);
	assert_true(has_volume(t, "/m0"));
	assert_true(has_volume(t, "/m1"));
	assert_false(has_volume(t, "_Total")); // the others are not in statvfs
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_space),
		cmocka_unit_test(odd_sizes),
		cmocka_unit_test(names_read_back),
		cmocka_unit_test(one_is_asked_for),
		cmocka_unit_test(only_local_file_systems_with_space),
		cmocka_unit_test(one_instance_a_file_system),
		cmocka_unit_test(a_sandbox_hides_no_memory),
		cmocka_unit_test(parents_identify_the_top_mount),
		cmocka_unit_test(a_part_is_not_the_total),
		cmocka_unit_test(transfers_of_the_device),
		cmocka_unit_test(loops_and_later_mounts),
		cmocka_unit_test(asks_the_system),
		cmocka_unit_test(long_paths_and_many_mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
