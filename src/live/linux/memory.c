// memory.c - the object Memory: /proc/meminfo and /proc/vmstat
// SPDX-License-Identifier: MIT
//
// Windows' counters of page lists, the system working sets and driver code have no equivalent and
// are not in the table. Nor is Page Writes/sec: the kernel counts the pages that it swaps out, but
// not the writes for them.

#include "live/linux/linux.h"

// A counter for one line of /proc/meminfo: its field and name, the line, the bytes in the line's
// unit, how Windows' counter differs ("": there is none), and the help text.
#define LINES(LINE)                                                                                \
	LINE(TOTAL, "Total Bytes", "MemTotal", 1024, "",                                           \
	     "Usable RAM: physical memory less what the firmware and the kernel image "            \
	     "reserve."),                                                                          \
		LINE(BUFFERS, "Buffers Bytes", "Buffers", 1024, "",                                \
		     "Part of Cache Bytes: raw block device buffers."),                            \
		LINE(SWAP_CACHED, "Swap Cached Bytes", "SwapCached", 1024, "",                     \
		     "Pages swapped back in whose copy in swap is still valid."),                  \
		LINE(ZSWAP, "Zswap Bytes", "Zswap", 1024, "",                                      \
		     "Memory that zswap uses for its pool of compressed pages."),                  \
		LINE(ZSWAPPED, "Zswapped Bytes", "Zswapped", 1024, "",                             \
		     "Anonymous memory stored in zswap, at its size before compression."),         \
		LINE(ACTIVE, "Active Bytes", "Active", 1024, "",                                   \
		     "Recently used memory, reclaimed last."),                                     \
		LINE(INACTIVE, "Inactive Bytes", "Inactive", 1024, "",                             \
		     "Memory not used recently, reclaimed first."),                                \
		LINE(UNEVICTABLE, "Unevictable Bytes", "Unevictable", 1024, "",                    \
		     "Memory that cannot be reclaimed, such as locked pages."),                    \
		LINE(LOCKED, "Locked Bytes", "Mlocked", 1024, "", "Memory locked by mlock()."),    \
		LINE(DIRTY, "Dirty Bytes", "Dirty", 1024,                                          \
		     "Comparable to Modified Page List Bytes, which includes private pages of "    \
		     "processes.",                                                                 \
		     "Dirty pages: file data waiting to be written to disk."),                     \
		LINE(WRITEBACK, "Writeback Bytes", "Writeback", 1024, "",                          \
		     "File data being written to disk."),                                          \
		LINE(ANONYMOUS, "Anonymous Bytes", "AnonPages", 1024, "",                          \
		     "Anonymous memory: heaps and stacks of programs."),                           \
		LINE(MAPPED, "Mapped Bytes", "Mapped", 1024, "",                                   \
		     "Files mapped into memory, such as libraries."),                              \
		LINE(SHARED, "Shared Bytes", "Shmem", 1024, "",                                    \
		     "Shared memory and files of tmpfs; part of Cache Bytes."),                    \
		LINE(KERNEL_STACK, "Kernel Stack Bytes", "KernelStack", 1024, "",                  \
		     "Kernel stacks."),                                                            \
		LINE(PAGE_TABLES, "Page Tables Bytes", "PageTables", 1024, "", "Page tables."),    \
		LINE(VMALLOC, "Vmalloc Used Bytes", "VmallocUsed", 1024, "",                       \
		     "Kernel memory allocated by vmalloc()."),                                     \
		LINE(PER_CPU, "Per-Processor Bytes", "Percpu", 1024, "",                           \
		     "Kernel per-CPU allocations."),                                               \
		LINE(CORRUPTED, "Hardware Corrupted Bytes", "HardwareCorrupted", 1024, "",         \
		     "Memory taken out of use after hardware errors."),                            \
		LINE(ANON_HUGE, "Anonymous Huge Pages Bytes", "AnonHugePages", 1024, "",           \
		     "Part of Anonymous Bytes: transparent huge pages."),                          \
		LINE(HUGE_TOTAL, "Huge Pages Total", "HugePages_Total", 1, "",                     \
		     "Huge pages in the pool."),                                                   \
		LINE(HUGE_FREE, "Huge Pages Free", "HugePages_Free", 1, "",                        \
		     "Huge pages in the pool that are not allocated."),                            \
		LINE(HUGE_RESERVED, "Huge Pages Reserved", "HugePages_Rsvd", 1, "",                \
		     "Huge pages reserved, but not yet allocated."),                               \
		LINE(HUGE_SURPLUS, "Huge Pages Surplus", "HugePages_Surp", 1, "",                  \
		     "Huge pages in the pool beyond vm.nr_hugepages."),                            \
		LINE(HUGE_SIZE, "Huge Page Size Bytes", "Hugepagesize", 1024, "",                  \
		     "Default huge page size.")

#define FIELD(field, name, line, unit, windows, help) field
#define COUNTER(field, name, line, unit, windows, help)                                            \
	{                                                                                          \
		name, BYTES, 0, field, NO_BASE, "/proc/meminfo: " line, windows, help              \
	}
#define KEY(field, name, line, unit, windows, help) LX_KEY(line, field, unit)

enum {
	// of meminfo
	AVAILABLE,
	AVAILABLE_KB,
	AVAILABLE_MB,
	COMMITTED,
	LIMIT,
	CACHE,
	FREE,
	POOL_NONPAGED,
	POOL_PAGED,
	LINES(FIELD),
	// of vmstat
	FAULTS,
	MAJOR_FAULTS,
	PAGES,
	PAGES_IN,
	PAGES_OUT,
	BLOCK_IN,
	BLOCK_OUT,
	ALLOCATED,
	FREED,
	SCANNED,
	RECLAIMED,
	REFAULTS,
	STALLS,
	COMPACT_STALLS,
	HUGE_FAULTS,
	OOM_KILLS,
	FIELDS
};
_Static_assert(FIELDS <= LIVE_FIELDS, "a row has no room for more fields");

#define BIT(field) (UINT64_C(1) << (field))
#define MEMINFO    (BIT(FAULTS) - 1)
#define VMSTAT     (BIT(FIELDS) - BIT(FAULTS))
#define NO_BASE    LIVE_NO_FIELD
#define BYTES      PMON_PERF_COUNTER_LARGE_RAWCOUNT
#define RATE       PMON_PERF_COUNTER_BULK_COUNT

static const struct live_counter counters[] = {
	{"Available Bytes", BYTES, -6, AVAILABLE, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory available to programs without swapping: free memory plus reclaimable caches."},
	{"Available KBytes", BYTES, 0, AVAILABLE_KB, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory available to programs without swapping, in kilobytes."},
	{"Available MBytes", BYTES, 0, AVAILABLE_MB, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory available to programs without swapping, in megabytes."},
	{"Committed Bytes", BYTES, -6, COMMITTED, NO_BASE, "/proc/meminfo: Committed_AS",
	 "Windows backs everything that it commits; Linux usually overcommits, so this can exceed "
	 "the limit.",
	 "Commit charge: memory allocated by programs, whether they have touched it or not."},
	{"Commit Limit", BYTES, -6, LIMIT, NO_BASE, "/proc/meminfo: CommitLimit",
	 "Enforced on Linux only with vm.overcommit_memory=2.",
	 "Maximum memory that can be committed with the current RAM, swap and overcommit ratio."},
	{"% Committed Bytes In Use", PMON_PERF_LARGE_RAW_FRACTION, 0, COMMITTED, LIMIT,
	 "/proc/meminfo: Committed_AS of CommitLimit",
	 "Can exceed 100 %, see Commit Limit; a 32-bit fraction on Windows.",
	 "Committed Bytes as a percentage of Commit Limit."},
	{"Cache Bytes", BYTES, -5, CACHE, NO_BASE, "/proc/meminfo: Cached + Buffers",
	 "Windows counts the part of its file cache that is mapped at the moment; this is the "
	 "whole page cache, shared memory included.",
	 "Page cache and block device buffers."},
	{"Free & Zero Page List Bytes", BYTES, 0, FREE, NO_BASE, "/proc/meminfo: MemFree", "=",
	 "Completely unused memory. A low value is normal: see Available Bytes."},
	{"Pool Nonpaged Bytes", BYTES, -5, POOL_NONPAGED, NO_BASE, "/proc/meminfo: SUnreclaim",
	 "Slab memory only, without what the kernel allocates in whole pages. Linux never pages "
	 "out kernel memory.",
	 "Unreclaimable slab: kernel objects that stay until they are freed."},
	{"Pool Paged Bytes", BYTES, -5, POOL_PAGED, NO_BASE, "/proc/meminfo: SReclaimable",
	 "Linux drops these objects under memory pressure; it does not page them out.",
	 "Reclaimable slab: kernel caches such as dentries and inodes."},
	{"Page Faults/sec", RATE, -1, FAULTS, NO_BASE, "/proc/vmstat: pgfault",
	 "The same, but 32 bits wide on Windows.", "Page faults, minor and major."},
	{"Page Reads/sec", RATE, 0, MAJOR_FAULTS, NO_BASE, "/proc/vmstat: pgmajfault",
	 "Windows counts disk reads, Linux the faults that caused one.",
	 "Major page faults: program code, mapped files and swapped pages read from a disk."},
	{"Pages/sec", RATE, 0, PAGES, NO_BASE, "/proc/vmstat: pswpin + pswpout",
	 "Windows also counts file pages; this is swap only.", "Pages swapped in and out."},
	{"Pages Input/sec", RATE, 0, PAGES_IN, NO_BASE, "/proc/vmstat: pswpin",
	 "Windows also counts file pages; see Block Read Bytes/sec.", "Pages swapped in."},
	{"Pages Output/sec", RATE, 0, PAGES_OUT, NO_BASE, "/proc/vmstat: pswpout",
	 "Windows also counts pages of mapped files; see Block Write Bytes/sec.",
	 "Pages swapped out."},
	LINES(COUNTER),
	{"Block Read Bytes/sec", RATE, -4, BLOCK_IN, NO_BASE, "/proc/vmstat: pgpgin, in KiB", "",
	 "Bytes read from block devices, for files, programs and swap."},
	{"Block Write Bytes/sec", RATE, -4, BLOCK_OUT, NO_BASE, "/proc/vmstat: pgpgout, in KiB", "",
	 "Bytes written to block devices, for files and swap."},
	{"Pages Allocated/sec", RATE, 0, ALLOCATED, NO_BASE, "/proc/vmstat: the sum of pgalloc_*",
	 "", "Pages allocated."},
	{"Pages Freed/sec", RATE, 0, FREED, NO_BASE, "/proc/vmstat: pgfree", "", "Pages freed."},
	{"Pages Scanned/sec", RATE, 0, SCANNED, NO_BASE,
	 "/proc/vmstat: pgscan_kswapd + pgscan_direct + pgscan_khugepaged + pgscan_proactive", "",
	 "Pages scanned for reclaim; above 0 only under memory pressure."},
	{"Pages Reclaimed/sec", RATE, 0, RECLAIMED, NO_BASE,
	 "/proc/vmstat: pgsteal_kswapd + pgsteal_direct + pgsteal_khugepaged + pgsteal_proactive",
	 "", "Pages reclaimed."},
	{"Refaults/sec", RATE, 0, REFAULTS, NO_BASE,
	 "/proc/vmstat: workingset_refault, or workingset_refault_anon + workingset_refault_file",
	 "", "Pages faulted back in soon after they were evicted; a high rate is thrashing."},
	{"Allocation Stalls/sec", RATE, 0, STALLS, NO_BASE,
	 "/proc/vmstat: allocstall, or the sum of allocstall_*", "",
	 "Direct reclaim: allocations that had to reclaim memory first."},
	{"Compaction Stalls/sec", RATE, 0, COMPACT_STALLS, NO_BASE, "/proc/vmstat: compact_stall",
	 "", "Direct compaction: allocations that had to wait for compaction."},
	{"Huge Page Faults/sec", RATE, 0, HUGE_FAULTS, NO_BASE, "/proc/vmstat: thp_fault_alloc", "",
	 "Page faults served with a transparent huge page."},
	{"Out Of Memory Kills/sec", RATE, 0, OOM_KILLS, NO_BASE, "/proc/vmstat: oom_kill", "",
	 "Processes killed by the OOM killer."},
};

static void
read_meminfo(struct live_host *host, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("MemFree", FREE, 1024),
		LX_KEY("MemAvailable", AVAILABLE, 1024),
		LX_KEY("Cached", CACHE, 1024),
		LX_KEY("SReclaimable", POOL_PAGED, 1024),
		LX_KEY("SUnreclaim", POOL_NONPAGED, 1024),
		LX_KEY("CommitLimit", LIMIT, 1024),
		LX_KEY("Committed_AS", COMMITTED, 1024),
		LINES(KEY),
	};
	struct lx_reading reading;

	if (!pmon_lx_file(host, LX_MEMINFO, &reading))
		return;
	pmon_lx_fields(reading.text, keys, sizeof(keys) / sizeof(keys[0]), row);
	if ((row->present & BIT(AVAILABLE)) != 0) {
		live_row_set(row, AVAILABLE_KB, (uint64_t)row->field[AVAILABLE] / 1024);
		live_row_set(row, AVAILABLE_MB, (uint64_t)row->field[AVAILABLE] / (1024 * 1024));
	}
	if ((row->present & BIT(BUFFERS)) != 0)
		live_row_set_sum(row, CACHE, CACHE, BUFFERS);
	else
		row->present &= ~BIT(CACHE);
}

// Kernels differ in how finely they split what is added up here: by zone, by who reclaimed.
static void
read_vmstat(struct live_host *host, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("pgpgin", BLOCK_IN, 1024),
		LX_KEY("pgpgout", BLOCK_OUT, 1024),
		LX_KEY("pswpin", PAGES_IN, 1),
		LX_KEY("pswpout", PAGES_OUT, 1),
		LX_KEY("pgalloc_dma", ALLOCATED, 1),
		LX_KEY("pgalloc_dma32", ALLOCATED, 1),
		LX_KEY("pgalloc_normal", ALLOCATED, 1),
		LX_KEY("pgalloc_high", ALLOCATED, 1),
		LX_KEY("pgalloc_movable", ALLOCATED, 1),
		LX_KEY("pgalloc_device", ALLOCATED, 1),
		LX_KEY("pgfree", FREED, 1),
		LX_KEY("pgfault", FAULTS, 1),
		LX_KEY("pgmajfault", MAJOR_FAULTS, 1),
		LX_KEY("pgscan_kswapd", SCANNED, 1),
		LX_KEY("pgscan_direct", SCANNED, 1),
		LX_KEY("pgscan_khugepaged", SCANNED, 1),
		LX_KEY("pgscan_proactive", SCANNED, 1),
		LX_KEY("pgsteal_kswapd", RECLAIMED, 1),
		LX_KEY("pgsteal_direct", RECLAIMED, 1),
		LX_KEY("pgsteal_khugepaged", RECLAIMED, 1),
		LX_KEY("pgsteal_proactive", RECLAIMED, 1),
		LX_KEY("workingset_refault", REFAULTS, 1),
		LX_KEY("workingset_refault_anon", REFAULTS, 1),
		LX_KEY("workingset_refault_file", REFAULTS, 1),
		LX_KEY("allocstall", STALLS, 1),
		LX_KEY("allocstall_dma", STALLS, 1),
		LX_KEY("allocstall_dma32", STALLS, 1),
		LX_KEY("allocstall_normal", STALLS, 1),
		LX_KEY("allocstall_high", STALLS, 1),
		LX_KEY("allocstall_movable", STALLS, 1),
		LX_KEY("allocstall_device", STALLS, 1),
		LX_KEY("compact_stall", COMPACT_STALLS, 1),
		LX_KEY("thp_fault_alloc", HUGE_FAULTS, 1),
		LX_KEY("oom_kill", OOM_KILLS, 1),
	};
	struct lx_reading reading;

	if (!pmon_lx_file(host, LX_VMSTAT, &reading))
		return;
	row->stamp = reading.stamp;
	pmon_lx_fields(reading.text, keys, sizeof(keys) / sizeof(keys[0]), row);
	if ((row->present & BIT(PAGES_IN)) != 0 && (row->present & BIT(PAGES_OUT)) != 0)
		live_row_set(row, PAGES,
			     (uint64_t)row->field[PAGES_IN] + (uint64_t)row->field[PAGES_OUT]);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct live_row row;

	live_row_begin(&row, &live->now);
	if (live_wants(asked, MEMINFO))
		read_meminfo(live->host, &row);
	if (live_wants(asked, VMSTAT))
		read_vmstat(live->host, &row);
	return pmon_live_put(live, asked, NULL, &row, err);
}

const struct live_object pmon_lx_memory = {
	.name = "Memory",
	.help = "Memory of the machine, and paging.",
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
