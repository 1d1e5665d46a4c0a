// memory.c - the object Memory: /proc/meminfo and /proc/vmstat
// SPDX-License-Identifier: MIT
//
// Windows' counters of page lists, of the working sets of the system and of driver code have no
// equivalent and are not in the table. Page Writes/sec neither: the kernel counts the pages that it
// swaps out, not the writes that carry them.

#include "live/linux/linux.h"

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
	TOTAL,
	BUFFERS,
	SWAP_CACHED,
	ACTIVE,
	INACTIVE,
	UNEVICTABLE,
	LOCKED,
	DIRTY,
	WRITEBACK,
	ANONYMOUS,
	MAPPED,
	SHARED,
	KERNEL_STACK,
	PAGE_TABLES,
	VMALLOC,
	PER_CPU,
	CORRUPTED,
	ANON_HUGE,
	HUGE_TOTAL,
	HUGE_FREE,
	HUGE_RESERVED,
	HUGE_SURPLUS,
	HUGE_SIZE,
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

#define BIT(field) (UINT64_C(1) << (field))
#define MEMINFO    (BIT(FAULTS) - 1)
#define VMSTAT     (BIT(FIELDS) - BIT(FAULTS))
#define NO_BASE    LIVE_NO_FIELD
#define BYTES      PMON_PERF_COUNTER_LARGE_RAWCOUNT
#define RATE       PMON_PERF_COUNTER_BULK_COUNT
#define WINDOWS_32 "The same; on Windows a counter of 32 bits."

static const struct live_counter counters[] = {
	{"Available Bytes", BYTES, -6, AVAILABLE, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory that programs can get without swapping: what is free, and what of caches can be "
	 "dropped."},
	{"Available KBytes", BYTES, 0, AVAILABLE_KB, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory that programs can get without swapping, in kilobytes."},
	{"Available MBytes", BYTES, 0, AVAILABLE_MB, NO_BASE, "/proc/meminfo: MemAvailable", "=",
	 "Memory that programs can get without swapping, in megabytes."},
	{"Committed Bytes", BYTES, -6, COMMITTED, NO_BASE, "/proc/meminfo: Committed_AS",
	 "Windows reserves all that it commits; Linux as a rule does not, so that it can be more "
	 "than the limit.",
	 "Memory that was promised to programs, used yet or not."},
	{"Commit Limit", BYTES, -6, LIMIT, NO_BASE, "/proc/meminfo: CommitLimit",
	 "Holds on Linux only when overcommitting is off (vm.overcommit_memory is 2).",
	 "Memory that can be promised with the swap areas as they are."},
	{"% Committed Bytes In Use", PMON_PERF_LARGE_RAW_FRACTION, 0, COMMITTED, LIMIT,
	 "/proc/meminfo: Committed_AS of CommitLimit",
	 "Can be above 100, see Commit Limit; on Windows a fraction of 32 bits.",
	 "Committed Bytes as a part of Commit Limit."},
	{"Cache Bytes", BYTES, -5, CACHE, NO_BASE, "/proc/meminfo: Cached + Buffers",
	 "Windows counts the part of its file cache that is mapped now; here it is all of the page "
	 "cache, with shared memory.",
	 "Memory that holds what is in files and on disks."},
	{"Free & Zero Page List Bytes", BYTES, 0, FREE, NO_BASE, "/proc/meminfo: MemFree", "=",
	 "Memory that is used for nothing at all. A low value is normal: see Available Bytes."},
	{"Pool Nonpaged Bytes", BYTES, -5, POOL_NONPAGED, NO_BASE, "/proc/meminfo: SUnreclaim",
	 "The kernel's objects that cannot be dropped; what it allocates in whole pages is not in "
	 "it. Linux never pages its own memory out.",
	 "Kernel objects that stay until they are freed."},
	{"Pool Paged Bytes", BYTES, -5, POOL_PAGED, NO_BASE, "/proc/meminfo: SReclaimable",
	 "Kernel objects that are dropped when memory is short, not paged out.",
	 "Kernel objects that can be dropped, such as cached names and inodes."},
	{"Page Faults/sec", RATE, -1, FAULTS, NO_BASE, "/proc/vmstat: pgfault",
	 "The same; on Windows a counter of 32 bits.",
	 "Accesses to pages that were not mapped, whether a disk had to be read or not."},
	{"Page Reads/sec", RATE, 0, MAJOR_FAULTS, NO_BASE, "/proc/vmstat: pgmajfault",
	 "Windows counts the reads, Linux the faults that needed one.",
	 "Page faults for which a disk had to be read: of programs, of mapped files, from swap."},
	{"Pages/sec", RATE, 0, PAGES, NO_BASE, "/proc/vmstat: pswpin + pswpout",
	 "Windows counts pages of files too; here they are those of swap areas.",
	 "Pages swapped in and out."},
	{"Pages Input/sec", RATE, 0, PAGES_IN, NO_BASE, "/proc/vmstat: pswpin",
	 "Windows counts pages of files too; see Block Read Bytes/sec.", "Pages swapped in."},
	{"Pages Output/sec", RATE, 0, PAGES_OUT, NO_BASE, "/proc/vmstat: pswpout",
	 "Windows counts pages of mapped files too; see Block Write Bytes/sec.",
	 "Pages swapped out."},
	{"Total Bytes", BYTES, 0, TOTAL, NO_BASE, "/proc/meminfo: MemTotal", "",
	 "Memory that the kernel manages."},
	{"Buffers Bytes", BYTES, 0, BUFFERS, NO_BASE, "/proc/meminfo: Buffers", "",
	 "Part of Cache Bytes: blocks of disks, not of files."},
	{"Swap Cached Bytes", BYTES, 0, SWAP_CACHED, NO_BASE, "/proc/meminfo: SwapCached", "",
	 "Memory that was swapped in again and still is in a swap area."},
	{"Active Bytes", BYTES, 0, ACTIVE, NO_BASE, "/proc/meminfo: Active", "",
	 "Memory used lately, that is reclaimed last."},
	{"Inactive Bytes", BYTES, 0, INACTIVE, NO_BASE, "/proc/meminfo: Inactive", "",
	 "Memory not used lately, that is reclaimed first."},
	{"Unevictable Bytes", BYTES, 0, UNEVICTABLE, NO_BASE, "/proc/meminfo: Unevictable", "",
	 "Memory that cannot be reclaimed."},
	{"Locked Bytes", BYTES, 0, LOCKED, NO_BASE, "/proc/meminfo: Mlocked", "",
	 "Memory that programs locked."},
	{"Dirty Bytes", BYTES, 0, DIRTY, NO_BASE, "/proc/meminfo: Dirty",
	 "Near to Modified Page List Bytes, which on Windows has pages of programs too.",
	 "Memory of files that waits to be written."},
	{"Writeback Bytes", BYTES, 0, WRITEBACK, NO_BASE, "/proc/meminfo: Writeback", "",
	 "Memory of files that is being written."},
	{"Anonymous Bytes", BYTES, 0, ANONYMOUS, NO_BASE, "/proc/meminfo: AnonPages", "",
	 "Memory of programs that is of no file."},
	{"Mapped Bytes", BYTES, 0, MAPPED, NO_BASE, "/proc/meminfo: Mapped", "",
	 "Memory of files that programs have mapped."},
	{"Shared Bytes", BYTES, 0, SHARED, NO_BASE, "/proc/meminfo: Shmem", "",
	 "Shared memory and files of tmpfs; part of Cache Bytes."},
	{"Kernel Stack Bytes", BYTES, 0, KERNEL_STACK, NO_BASE, "/proc/meminfo: KernelStack", "",
	 "Stacks that threads have in the kernel."},
	{"Page Tables Bytes", BYTES, 0, PAGE_TABLES, NO_BASE, "/proc/meminfo: PageTables", "",
	 "Memory that describes memory."},
	{"Vmalloc Used Bytes", BYTES, 0, VMALLOC, NO_BASE, "/proc/meminfo: VmallocUsed", "",
	 "Memory that the kernel allocated page by page."},
	{"Per-Processor Bytes", BYTES, 0, PER_CPU, NO_BASE, "/proc/meminfo: Percpu", "",
	 "Memory that the kernel keeps for each processor."},
	{"Hardware Corrupted Bytes", BYTES, 0, CORRUPTED, NO_BASE,
	 "/proc/meminfo: HardwareCorrupted", "",
	 "Memory that was found to be broken and is not used."},
	{"Anonymous Huge Pages Bytes", BYTES, 0, ANON_HUGE, NO_BASE, "/proc/meminfo: AnonHugePages",
	 "", "Part of Anonymous Bytes: in huge pages."},
	{"Huge Pages Total", BYTES, 0, HUGE_TOTAL, NO_BASE, "/proc/meminfo: HugePages_Total", "",
	 "Pages in the pool of huge pages."},
	{"Huge Pages Free", BYTES, 0, HUGE_FREE, NO_BASE, "/proc/meminfo: HugePages_Free", "",
	 "Pages of that pool that are not allocated."},
	{"Huge Pages Reserved", BYTES, 0, HUGE_RESERVED, NO_BASE, "/proc/meminfo: HugePages_Rsvd",
	 "", "Free pages of the pool that are reserved."},
	{"Huge Pages Surplus", BYTES, 0, HUGE_SURPLUS, NO_BASE, "/proc/meminfo: HugePages_Surp", "",
	 "Pages beyond the size that the pool was given."},
	{"Huge Page Size Bytes", BYTES, 0, HUGE_SIZE, NO_BASE, "/proc/meminfo: Hugepagesize", "",
	 "Size of a page of the pool."},
	{"Block Read Bytes/sec", RATE, -4, BLOCK_IN, NO_BASE, "/proc/vmstat: pgpgin, in KiB", "",
	 "What was read from block devices, for files, programs and swap."},
	{"Block Write Bytes/sec", RATE, -4, BLOCK_OUT, NO_BASE, "/proc/vmstat: pgpgout, in KiB", "",
	 "What was written to block devices, for files and swap."},
	{"Pages Allocated/sec", RATE, 0, ALLOCATED, NO_BASE, "/proc/vmstat: the sum of pgalloc_*",
	 "", "Pages handed out."},
	{"Pages Freed/sec", RATE, 0, FREED, NO_BASE, "/proc/vmstat: pgfree", "",
	 "Pages given back."},
	{"Pages Scanned/sec", RATE, 0, SCANNED, NO_BASE,
	 "/proc/vmstat: pgscan_kswapd + pgscan_direct + pgscan_khugepaged + pgscan_proactive", "",
	 "Pages looked at for reclaiming: above 0 when memory is short."},
	{"Pages Reclaimed/sec", RATE, 0, RECLAIMED, NO_BASE,
	 "/proc/vmstat: pgsteal_kswapd + pgsteal_direct + pgsteal_khugepaged + pgsteal_proactive",
	 "", "Pages that were reclaimed."},
	{"Refaults/sec", RATE, 0, REFAULTS, NO_BASE,
	 "/proc/vmstat: workingset_refault, or workingset_refault_anon + workingset_refault_file",
	 "", "Pages that were needed again soon after they had been reclaimed: thrashing."},
	{"Allocation Stalls/sec", RATE, 0, STALLS, NO_BASE,
	 "/proc/vmstat: allocstall, or the sum of allocstall_*", "",
	 "Allocations that had to reclaim memory themselves first."},
	{"Compaction Stalls/sec", RATE, 0, COMPACT_STALLS, NO_BASE, "/proc/vmstat: compact_stall",
	 "", "Allocations that had to wait until memory was moved together."},
	{"Huge Page Faults/sec", RATE, 0, HUGE_FAULTS, NO_BASE, "/proc/vmstat: thp_fault_alloc", "",
	 "Page faults that were given a huge page."},
	{"Out Of Memory Kills/sec", RATE, 0, OOM_KILLS, NO_BASE, "/proc/vmstat: oom_kill", "",
	 "Processes that the kernel killed because memory had run out."},
};

static void
read_meminfo(struct live_host *host, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("MemTotal", TOTAL, 1024),
		LX_KEY("MemFree", FREE, 1024),
		LX_KEY("MemAvailable", AVAILABLE, 1024),
		LX_KEY("Buffers", BUFFERS, 1024),
		LX_KEY("Cached", CACHE, 1024),
		LX_KEY("SwapCached", SWAP_CACHED, 1024),
		LX_KEY("Active", ACTIVE, 1024),
		LX_KEY("Inactive", INACTIVE, 1024),
		LX_KEY("Unevictable", UNEVICTABLE, 1024),
		LX_KEY("Mlocked", LOCKED, 1024),
		LX_KEY("Dirty", DIRTY, 1024),
		LX_KEY("Writeback", WRITEBACK, 1024),
		LX_KEY("AnonPages", ANONYMOUS, 1024),
		LX_KEY("Mapped", MAPPED, 1024),
		LX_KEY("Shmem", SHARED, 1024),
		LX_KEY("SReclaimable", POOL_PAGED, 1024),
		LX_KEY("SUnreclaim", POOL_NONPAGED, 1024),
		LX_KEY("KernelStack", KERNEL_STACK, 1024),
		LX_KEY("PageTables", PAGE_TABLES, 1024),
		LX_KEY("CommitLimit", LIMIT, 1024),
		LX_KEY("Committed_AS", COMMITTED, 1024),
		LX_KEY("VmallocUsed", VMALLOC, 1024),
		LX_KEY("Percpu", PER_CPU, 1024),
		LX_KEY("HardwareCorrupted", CORRUPTED, 1024),
		LX_KEY("AnonHugePages", ANON_HUGE, 1024),
		LX_KEY("HugePages_Total", HUGE_TOTAL, 1),
		LX_KEY("HugePages_Free", HUGE_FREE, 1),
		LX_KEY("HugePages_Rsvd", HUGE_RESERVED, 1),
		LX_KEY("HugePages_Surp", HUGE_SURPLUS, 1),
		LX_KEY("Hugepagesize", HUGE_SIZE, 1024),
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

// Kernels differ in how far they split what is added up here: by zone, by who reclaimed.
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
	.help = "Memory of the machine, and the pages that move in and out of it.",
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
