// diskio.h - what /proc/diskstats reports for block devices, for PhysicalDisk and LogicalDisk
// SPDX-License-Identifier: MIT
//
// The kernel's fields are those of Documentation/admin-guide/iostats.rst, counted from 1 after the
// name. They are read once in a sample, continued where they pass 2^32, and turned into the fields of
// a row. A total is kept by what its devices did since the sample before, so that a device that
// comes or goes does not distort it:
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

// The fields of a row for transfers; an object may have others after them. Times are in
// 100 ns.
enum lx_io_field {
	// shares of time: of several disks the mean is taken, of everything else the sum
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
	LX_IO_QUEUE, // the one that is not a count: of this moment
	LX_IO_FIELDS
};
#define LX_IO_SHARES (LX_IO_IDLE + 1)
#define LX_IO_BITS   ((UINT64_C(1) << LX_IO_FIELDS) - 1)

// The counters over these fields.
#define LX_IO_FROM "/proc/diskstats: "
#define LX_IO_SHARE_DIFF                                                                           \
	"=; as there the time of all requests is summed up, so that several at once make more "    \
	"than 100 %; how long the disk worked at all is 100 - % Idle Time"
#define LX_IO_COUNTERS                                                                               \
	{"% Disk Time",                                                                              \
	 PMON_PERF_PRECISION_100NS_TIMER,                                                            \
	 0,                                                                                          \
	 LX_IO_SHARE,                                                                                \
	 LIVE_NO_FIELD,                                                                              \
	 LX_IO_FROM "fields 4 + 8, ms",                                                              \
	 LX_IO_SHARE_DIFF,                                                                           \
	 "Time of all reads and writes, each from its request to its end, to the time that "         \
	 "passed."},                                                                                 \
		{"% Disk Read Time",                                                                 \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_READ_SHARE,                                                                   \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 4, ms",                                                           \
		 LX_IO_SHARE_DIFF,                                                                   \
		 "Time of all reads to the time that passed."},                                      \
		{"% Disk Write Time",                                                                \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_WRITE_SHARE,                                                                  \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 8, ms",                                                           \
		 LX_IO_SHARE_DIFF,                                                                   \
		 "Time of all writes to the time that passed."},                                     \
		{"% Idle Time",                                                                      \
		 PMON_PERF_PRECISION_100NS_TIMER,                                                    \
		 0,                                                                                  \
		 LX_IO_IDLE,                                                                         \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "the clock less field 10, ms",                                           \
		 "=",                                                                                \
		 "Share of time in which no request was under way. The kernel counts its busy "      \
		 "ticks "                                                                            \
		 "roughly; time that it counts too much is taken off later."},                       \
		{"Avg. Disk Queue Length",                                                           \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_TIME,                                                                         \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "fields 4 + 8, ms",                                                      \
		 "=",                                                                                \
		 "Reads and writes that were under way, on the average."},                           \
		{"Avg. Disk Read Queue Length",                                                      \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_READ_TIME,                                                                    \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 4, ms",                                                           \
		 "=",                                                                                \
		 "Reads that were under way, on the average."},                                      \
		{"Avg. Disk Write Queue Length",                                                     \
		 PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,                                              \
		 2,                                                                                  \
		 LX_IO_WRITE_TIME,                                                                   \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 8, ms",                                                           \
		 "=",                                                                                \
		 "Writes that were under way, on the average."},                                     \
		{"Current Disk Queue Length",                                                        \
		 PMON_PERF_COUNTER_RAWCOUNT,                                                         \
		 1,                                                                                  \
		 LX_IO_QUEUE,                                                                        \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 9",                                                               \
		 "=",                                                                                \
		 "Requests that are under way at this moment."},                                     \
		{"Avg. Disk sec/Transfer",                                                           \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_TIME,                                                                         \
		 LX_IO_TRANSFERS,                                                                    \
		 LX_IO_FROM "fields 4 + 8, ms, over 1 + 5",                                          \
		 "=",                                                                                \
		 "What a read or write takes, from its request to its end."},                        \
		{"Avg. Disk sec/Read",                                                               \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_READ_TIME,                                                                    \
		 LX_IO_READS,                                                                        \
		 LX_IO_FROM "field 4, ms, over 1",                                                   \
		 "=",                                                                                \
		 "What a read takes, from its request to its end."},                                 \
		{"Avg. Disk sec/Write",                                                              \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_WRITE_TIME,                                                                   \
		 LX_IO_WRITES,                                                                       \
		 LX_IO_FROM "field 8, ms, over 5",                                                   \
		 "=",                                                                                \
		 "What a write takes, from its request to its end."},                                \
		{"Avg. Disk sec/Discard",                                                            \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_DISCARD_TIME,                                                                 \
		 LX_IO_DISCARDS,                                                                     \
		 LX_IO_FROM "field 15, ms, over 12; since Linux 4.18",                               \
		 "",                                                                                 \
		 "What a discard takes, by which a file system gives blocks back."},                 \
		{"Avg. Disk sec/Flush",                                                              \
		 PMON_PERF_AVERAGE_TIMER,                                                            \
		 3,                                                                                  \
		 LX_IO_FLUSH_TIME,                                                                   \
		 LX_IO_FLUSHES,                                                                      \
		 LX_IO_FROM "field 17, ms, over 16; since Linux 5.5",                                \
		 "",                                                                                 \
		 "What it takes the disk to write its cache."},                                      \
		{"Disk Transfers/sec",                                                               \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_TRANSFERS,                                                                    \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "fields 1 + 5",                                                          \
		 LX_WINDOWS_32,                                                                      \
		 "Reads and writes that ended."},                                                    \
		{"Disk Reads/sec",                                                                   \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_READS,                                                                        \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 1",                                                               \
		 LX_WINDOWS_32,                                                                      \
		 "Reads that ended."},                                                               \
		{"Disk Writes/sec",                                                                  \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_WRITES,                                                                       \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 5",                                                               \
		 LX_WINDOWS_32,                                                                      \
		 "Writes that ended."},                                                              \
		{"Disk Discards/sec",                                                                \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_DISCARDS,                                                                     \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 12; since Linux 4.18",                                            \
		 "",                                                                                 \
		 "Discards that ended."},                                                            \
		{"Disk Flushes/sec",                                                                 \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_FLUSHES,                                                                      \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 16; since Linux 5.5",                                             \
		 "",                                                                                 \
		 "Flushes of the disk's cache that ended; partitions have none."},                   \
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
		 "Bytes given back to the disk."},                                                   \
		{"Avg. Disk Bytes/Transfer",                                                         \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_BYTES,                                                                        \
		 LX_IO_TRANSFERS,                                                                    \
		 LX_IO_FROM "fields 3 + 7, 512 bytes each, over 1 + 5",                              \
		 "=",                                                                                \
		 "Bytes of a read or write."},                                                       \
		{"Avg. Disk Bytes/Read",                                                             \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_READ_BYTES,                                                                   \
		 LX_IO_READS,                                                                        \
		 LX_IO_FROM "field 3, 512 bytes each, over 1",                                       \
		 "=",                                                                                \
		 "Bytes of a read."},                                                                \
		{"Avg. Disk Bytes/Write",                                                            \
		 PMON_PERF_AVERAGE_BULK,                                                             \
		 -2,                                                                                 \
		 LX_IO_WRITE_BYTES,                                                                  \
		 LX_IO_WRITES,                                                                       \
		 LX_IO_FROM "field 7, 512 bytes each, over 5",                                       \
		 "=",                                                                                \
		 "Bytes of a write."},                                                               \
		{"Reads Merged/sec",                                                                 \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_READS_MERGED,                                                                 \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 2",                                                               \
		 "",                                                                                 \
		 "Reads that were merged with an adjacent one before the disk got them. Windows "    \
		 "counts requests that it splits (Split IO/Sec), Linux those that it merges."},      \
		{"Writes Merged/sec",                                                                \
		 PMON_PERF_COUNTER_BULK_COUNT,                                                       \
		 0,                                                                                  \
		 LX_IO_WRITES_MERGED,                                                                \
		 LIVE_NO_FIELD,                                                                      \
		 LX_IO_FROM "field 6",                                                               \
		 "",                                                                                 \
		 "Writes that were joined to a neighbour before the disk got them."},                \
	{                                                                                            \
		"Discards Merged/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, LX_IO_DISCARDS_MERGED,       \
			LIVE_NO_FIELD, LX_IO_FROM "field 13; since Linux 4.18", "",                  \
			"Discards that were joined to a neighbour before the disk got them."         \
	}

// Fields of a row.
struct lx_io {
	uint64_t present; // as live_row has it
	uint64_t field[LX_IO_FIELDS];
};

enum lx_disk_kind {
	LX_DISK_OWN,     // nothing that pmon sees lies below it
	LX_DISK_STACKED, // made of other disks, which count its transfers too
	LX_DISK_WITHIN,  // in a file or in memory
};

#define LX_DISK_NAME   64 // the kernel's names have 31 bytes at the most
#define LX_DISK_COUNTS 17 // fields after the name since Linux 5.5

struct lx_disk {
	uint32_t major;
	uint32_t minor;
	char name[LX_DISK_NAME];
	enum lx_disk_kind kind;
	bool is_partition;
	bool is_continued; // it is the one of the sample before, and change is since then
	size_t n;          // counts that the kernel reports
	struct lx_tally count[LX_DISK_COUNTS];
	uint64_t idle_100ns; // as computed, before it is kept from going back
	struct lx_io io;
	uint64_t change[LX_IO_FIELDS];
};

// Devices that have ever done anything, in the kernel's order: each disk before its partitions.
// Empty where the kernel or container does not report them.
struct lx_disks {
	struct live_stamp stamp;
	struct lx_disk *disk;
	size_t n;
};

// Those of this sample. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_lx_disks(struct live *live, const struct lx_disks **out,
					      struct pmon_err *err);

// A device by its number. NULL when there is none.
const struct lx_disk *pmon_lx_disk_at(const struct lx_disks *disks, uint32_t major, uint32_t minor);

// Put the fields into a row.
void pmon_lx_io_row(const struct lx_io *io, struct live_row *row);

// The sum over disks, and the mean of their shares of time. All zeros at first.
struct lx_total {
	bool has_begun;     // there was a sample
	struct lx_io io;    // the total
	struct lx_io now;   // of this sample, while it is put together: as the disks have it ...
	struct lx_io since; // ... and what changed
	size_t n;           // disks
	size_t n_continued;
};

void pmon_lx_total_begin(struct lx_total *total);
void pmon_lx_total_add(struct lx_total *total, const struct lx_disk *disk);
void pmon_lx_total_end(struct lx_total *total);

#endif
