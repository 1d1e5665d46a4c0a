// diskio.h - what /proc/diskstats reports for block devices, for PhysicalDisk and LogicalDisk
// SPDX-License-Identifier: MIT
//
// The kernel's fields are those of Documentation/admin-guide/iostats.rst, counted from 1 after the
// name. They are read once per sample, extended beyond 2^32 when they wrap around, and converted to the
// fields of a row. A total accumulates what its devices did since the preceding sample, so that devices
// that appear or disappear do not distort it:
//
//	status = pmon_lx_disks(live, &disks, &err);
//	pmon_lx_total_begin(&total);
//	for (size_t i = 0; i < disks->n; i++)
//		pmon_lx_total_add(&total, &disks->disk[i]);
//	pmon_lx_total_end(&total);
//	pmon_lx_io_row(&total.io, &row);

#ifndef PMON_LIVE_LINUX_DISKIO_H
#define PMON_LIVE_LINUX_DISKIO_H

#include "live/linux/linux.h"

// The fields of a row for transfers; an object may add others after them. Times are in 100 ns.
enum lx_io_field {
	// shares of time: a total has their mean, and the sum of everything else
	LX_IO_SHARE,
	LX_IO_READ_SHARE,
	LX_IO_WRITE_SHARE,
	LX_IO_IDLE,
	LX_IO_TIME,
	LX_IO_READ_TIME,
	LX_IO_WRITE_TIME,
	LX_IO_DISCARD_TIME,
	LX_IO_FLUSH_TIME,
	LX_IO_TRANSFERS,
	LX_IO_READS,
	LX_IO_WRITES,
	LX_IO_DISCARDS,
	LX_IO_FLUSHES,
	LX_IO_BYTES,
	LX_IO_READ_BYTES,
	LX_IO_WRITE_BYTES,
	LX_IO_DISCARD_BYTES,
	LX_IO_READS_MERGED,
	LX_IO_WRITES_MERGED,
	LX_IO_DISCARDS_MERGED,
	LX_IO_QUEUE, // the only gauge
	LX_IO_FIELDS
};
#define LX_IO_SHARES (LX_IO_IDLE + 1)
#define LX_IO_BITS   ((UINT64_C(1) << LX_IO_FIELDS) - 1)

// The counters over these fields.
#define LX_IO_FROM "/proc/diskstats: "
#define LX_IO_SHARE_DIFF                                                                           \
	"The same; as on Windows, the times of concurrent requests add up, so it can exceed 100 "  \
	"%; the disk's busy time is 100 - % Idle Time"
#define LX_IO_COUNTERS                                                                               \
	{"% Disk Time",                                                                              \
	 PMON_PERF_PRECISION_100NS_TIMER,                                                            \
	 0,                                                                                          \
	 LX_IO_SHARE,                                                                                \
	 LIVE_NO_FIELD,                                                                              \
	 LX_IO_FROM "fields 4 + 8, ms",                                                              \
	 LX_IO_SHARE_DIFF,                                                                           \
	 "Time that all reads and writes took, from request to completion, divided by elapsed "      \
	 "time."},                                                                                   \
		{"% Disk Read Time",                                                                 \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_READ_SHARE,                                                                   \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 4, ms",                                                           \
		 LX_IO_SHARE_DIFF,                                                                   \
		 "Time that all reads took, divided by elapsed time."},                              \
		{"% Disk Write Time",                                                                \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_WRITE_SHARE,                                                                  \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 8, ms",                                                           \
		 LX_IO_SHARE_DIFF,                                                                   \
		 "Time that all writes took, divided by elapsed time."},                             \
		{"% Idle Time",                                                                      \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_IDLE,                                                                         \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "elapsed time less field 10, ms",                                        \
		 "=",                                                                                \
		 "Percentage of time without a request in flight. The kernel's busy time is "        \
		 "approximate; an excess is subtracted from later idle time."},                      \
		{"Avg. Disk Queue Length",                                                           \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_TIME,                                                                         \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "fields 4 + 8, ms",                                                      \
		 "=",                                                                                \
		 "Average number of reads and writes in flight."},                                   \
		{"Avg. Disk Read Queue Length",                                                      \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_READ_TIME,                                                                    \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 4, ms",                                                           \
		 "=",                                                                                \
		 "Average number of reads in flight."},                                              \
		{"Avg. Disk Write Queue Length",                                                     \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_WRITE_TIME,                                                                   \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 8, ms",                                                           \
		 "=",                                                                                \
		 "Average number of writes in flight."},                                             \
		{"Current Disk Queue Length",                                                        \
		 PMON_PERF_COUNTER_RAWCOUNT,                                                         \
		 1,                                                                                  \
		 LX_IO_QUEUE,                                                                        \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 9",                                                               \
		 "=",                                                                                \
		 "Requests in flight now."},                                                         \
		{"Avg. Disk sec/Transfer",                                                           \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_TIME,                                                                         \
		 LX_IO_TRANSFERS,                                                                    \
		 LX_IO_FROM "fields 4 + 8, ms, over 1 + 5",                                          \
		 "=",                                                                                \
		 "Latency of reads and writes, from request to completion."},                        \
		{"Avg. Disk sec/Read",                                                               \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_READ_TIME,                                                                    \
		 LX_IO_READS,                                                                        \
		 LX_IO_FROM "field 4, ms, over 1",                                                   \
		 "=",                                                                                \
		 "Read latency, from request to completion."},                                       \
		{"Avg. Disk sec/Write",                                                              \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_WRITE_TIME,                                                                   \
		 LX_IO_WRITES,                                                                       \
		 LX_IO_FROM "field 8, ms, over 5",                                                   \
		 "=",                                                                                \
		 "Write latency, from request to completion."},                                      \
		{"Avg. Disk sec/Discard",                                                            \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_DISCARD_TIME,                                                                 \
		 LX_IO_DISCARDS,                                                                     \
		 LX_IO_FROM "field 15, ms, over 12; since Linux 4.18",                               \
		 "",                                                                                 \
		 "Latency of discards (TRIM), by which a file system returns blocks to the "         \
		 "disk."},                                                                           \
		{"Avg. Disk sec/Flush",                                                              \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_FLUSH_TIME,                                                                   \
		 LX_IO_FLUSHES,                                                                      \
		 LX_IO_FROM "field 17, ms, over 16; since Linux 5.5",                                \
		 "",                                                                                 \
		 "Latency of flushes of the disk's write cache."},                                   \
		{"Disk Transfers/sec",                                                               \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_TRANSFERS,                                                                    \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "fields 1 + 5",                                                          \
		 LX_WINDOWS_32,                                                                      \
		 "Reads and writes completed."},                                                     \
		{"Disk Reads/sec",                                                                   \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_READS,                                                                        \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 1",                                                               \
		 LX_WINDOWS_32,                                                                      \
		 "Reads completed."},                                                                \
		{"Disk Writes/sec",                                                                  \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_WRITES,                                                                       \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 5",                                                               \
		 LX_WINDOWS_32,                                                                      \
		 "Writes completed."},                                                               \
		{"Disk Discards/sec",                                                                \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_DISCARDS,                                                                     \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 12; since Linux 4.18",                                            \
		 "",                                                                                 \
		 "Discards completed."},                                                             \
		{"Disk Flushes/sec",                                                                 \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_FLUSHES,                                                                      \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 16; since Linux 5.5",                                             \
		 "",                                                                                 \
		 "Flushes of the disk's cache completed; partitions have none."},                    \
		{"Disk Bytes/sec",                                                                   \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 -4,                                                                                 \
		 LX_IO_BYTES,                                                                        \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "fields 3 + 7, 512 bytes each",                                          \
		 "=",                                                                                \
		 "Bytes read and written."},                                                         \
		{"Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT,         -4,  LX_IO_READ_BYTES, \
		 LIVE_NO_FIELD,         LX_IO_FROM "field 3, 512 bytes each", "=", "Bytes read."},   \
		{"Disk Write Bytes/sec",                                                             \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 -4,                                                                                 \
		 LX_IO_WRITE_BYTES,                                                                  \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 7, 512 bytes each",                                               \
		 "=",                                                                                \
		 "Bytes written."},                                                                  \
		{"Disk Discard Bytes/sec",                                                           \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 -4,                                                                                 \
		 LX_IO_DISCARD_BYTES,                                                                \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 14, 512 bytes each; since Linux 4.18",                            \
		 "",                                                                                 \
		 "Bytes discarded."},                                                                \
		{"Avg. Disk Bytes/Transfer",                                                         \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_BYTES,                                                                        \
		 LX_IO_TRANSFERS,                                                                    \
		 LX_IO_FROM "fields 3 + 7, 512 bytes each, over 1 + 5",                              \
		 "=",                                                                                \
		 "Average size of reads and writes."},                                               \
		{"Avg. Disk Bytes/Read",                                                             \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_READ_BYTES,                                                                   \
		 LX_IO_READS,                                                                        \
		 LX_IO_FROM "field 3, 512 bytes each, over 1",                                       \
		 "=",                                                                                \
		 "Average size of reads."},                                                          \
		{"Avg. Disk Bytes/Write",                                                            \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_WRITE_BYTES,                                                                  \
		 LX_IO_WRITES,                                                                       \
		 LX_IO_FROM "field 7, 512 bytes each, over 5",                                       \
		 "=",                                                                                \
		 "Average size of writes."},                                                         \
		{"Reads Merged/sec",                                                                 \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_READS_MERGED,                                                                 \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 2",                                                               \
		 "",                                                                                 \
		 "Reads merged with an adjacent one before they reached the disk. Windows counts "   \
		 "split requests instead (Split IO/Sec)."},                                          \
		{"Writes Merged/sec",                                                                \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_WRITES_MERGED,                                                                \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 6",                                                               \
		 "",                                                                                 \
		 "Writes merged with an adjacent one before they reached the disk."},                \
	{                                                                                            \
		"Discards Merged/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, LX_IO_DISCARDS_MERGED,       \
			LIVE_NO_FIELD, LX_IO_FROM "field 13; since Linux 4.18", "",                  \
			"Discards merged with an adjacent one before they reached the disk."         \
	}

// Fields of a row.
struct lx_io {
	uint64_t present; // as in struct live_row
	uint64_t field[LX_IO_FIELDS];
};

enum lx_disk_kind {
	LX_DISK_OWN,     // no visible disk below it
	LX_DISK_STACKED, // built on other disks, which count its transfers too
	LX_DISK_WITHIN,  // in a file or in memory
};

#define LX_DISK_NAME   64 // kernel names have at most 31 bytes
#define LX_DISK_COUNTS 17 // fields after the name since Linux 5.5

struct lx_disk {
	uint32_t major;
	uint32_t minor;
	char name[LX_DISK_NAME];
	enum lx_disk_kind kind;
	bool is_partition;
	bool is_continued; // it was in the preceding sample; change is since then
	size_t n;          // counts that the kernel reports
	struct lx_tally count[LX_DISK_COUNTS];
	uint64_t idle_100ns; // as computed, before it is made monotonic
	struct lx_io io;
	uint64_t change[LX_IO_FIELDS];
};

// Devices with any activity since boot, in the kernel's order: each disk before its partitions. Empty if
// the kernel or container does not report them.
struct lx_disks {
	struct live_stamp stamp;
	struct lx_disk *disk;
	size_t n;
};

// The devices in this sample. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_lx_disks(struct live *live, const struct lx_disks **out,
					      struct pmon_err *err);

// Find a device by its number; NULL if there is none.
const struct lx_disk *pmon_lx_disk_at(const struct lx_disks *disks, uint32_t major, uint32_t minor);

// Set the fields of a row.
void pmon_lx_io_row(const struct lx_io *io, struct live_row *row);

// The sum over disks, and the mean of their shares of time. All zeros at first.
struct lx_total {
	bool has_begun;     // there was a sample already
	struct lx_io io;    // the total
	struct lx_io now;   // sums of this sample, while it is built: the disks' values ...
	struct lx_io since; // ... and their changes
	size_t n;           // disks
	size_t n_continued;
};

void pmon_lx_total_begin(struct lx_total *total);
void pmon_lx_total_add(struct lx_total *total, const struct lx_disk *disk);
void pmon_lx_total_end(struct lx_total *total);

#endif
