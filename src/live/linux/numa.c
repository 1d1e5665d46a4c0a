// numa.c - the object NUMA Node Memory: /sys/devices/system/node
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "live/linux/linux.h"

enum {
	// of meminfo
	TOTAL,
	FREE,
	TOTAL_MB,
	FREE_MB,
	FILE_PAGES,
	ANONYMOUS,
	DIRTY,
	SLAB,
	// of numastat
	HITS,
	MISSES,
	FOREIGN,
	INTERLEAVE,
	LOCAL,
	OTHER,
	FIELDS
};

#define BIT(field) (UINT64_C(1) << (field))
#define MEMINFO    (BIT(HITS) - 1)
#define NUMASTAT   (BIT(FIELDS) - BIT(HITS))
#define NO_BASE    LIVE_NO_FIELD
#define BYTES      PMON_PERF_COUNTER_LARGE_RAWCOUNT
#define RATE       PMON_PERF_COUNTER_BULK_COUNT
#define SYS_NODE   "sys/devices/system/node/"
#define MEMINFO_OF "/sys/devices/system/node/nodeN/meminfo: "
#define STAT_OF    "/sys/devices/system/node/nodeN/numastat: "
#define MAX_NODES  1024

static const struct live_counter counters[] = {
	{"Total MBytes", BYTES, 0, TOTAL_MB, NO_BASE, MEMINFO_OF "MemTotal", "=",
	 "Memory of the NUMA node."},
	{"Free & Zero Page List MBytes", BYTES, 0, FREE_MB, NO_BASE, MEMINFO_OF "MemFree", "=",
	 "Completely unused memory of the node."},
	{"File Pages Bytes", BYTES, 0, FILE_PAGES, NO_BASE, MEMINFO_OF "FilePages", "",
	 "Page cache and block device buffers."},
	{"Anonymous Bytes", BYTES, 0, ANONYMOUS, NO_BASE, MEMINFO_OF "AnonPages", "",
	 "Anonymous memory: heaps and stacks of programs."},
	{"Dirty Bytes", BYTES, 0, DIRTY, NO_BASE, MEMINFO_OF "Dirty", "",
	 "Dirty pages: file data waiting to be written to disk."},
	{"Slab Bytes", BYTES, 0, SLAB, NO_BASE, MEMINFO_OF "Slab", "", "Slab memory."},
	{"Hits/sec", RATE, 0, HITS, NO_BASE, STAT_OF "numa_hit", "",
	 "NUMA hits: pages allocated on this node as intended."},
	{"Misses/sec", RATE, 0, MISSES, NO_BASE, STAT_OF "numa_miss", "",
	 "NUMA misses: pages allocated on this node although another was preferred."},
	{"Foreign/sec", RATE, 0, FOREIGN, NO_BASE, STAT_OF "numa_foreign", "",
	 "NUMA foreign: pages intended for this node, but allocated on another."},
	{"Interleave Hits/sec", RATE, 0, INTERLEAVE, NO_BASE, STAT_OF "interleave_hit", "",
	 "Pages of the interleave policy allocated on this node as intended."},
	{"Local/sec", RATE, 0, LOCAL, NO_BASE, STAT_OF "local_node", "",
	 "Pages allocated on this node by a thread running on it."},
	{"Other/sec", RATE, 0, OTHER, NO_BASE, STAT_OF "other_node", "",
	 "Pages allocated on this node by a thread running on another."},
};

static bool
read_file(struct live_host *host, uint32_t node, const char *name, char buf[8192],
	  struct lx_reading *out)
{
	char path[64];

	(void)snprintf(path, sizeof(path), SYS_NODE "node%u/%s", (unsigned)node, name);
	return pmon_lx_read(host, path, buf, 8192, out);
}

// "Node 0 MemTotal: 8218828 kB"
static void
read_meminfo(struct live_host *host, uint32_t node, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("MemTotal", TOTAL, 1024),       LX_KEY("MemFree", FREE, 1024),
		LX_KEY("FilePages", FILE_PAGES, 1024), LX_KEY("AnonPages", ANONYMOUS, 1024),
		LX_KEY("Dirty", DIRTY, 1024),          LX_KEY("Slab", SLAB, 1024),
	};
	char buf[8192];
	struct lx_reading reading;
	struct pmon_scan line;

	if (!read_file(host, node, "meminfo", buf, &reading))
		return;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_skip(&line, 2))
			pmon_lx_field(line, keys, sizeof(keys) / sizeof(keys[0]), row);
}

static void
read_numastat(struct live_host *host, uint32_t node, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("numa_hit", HITS, 1),        LX_KEY("numa_miss", MISSES, 1),
		LX_KEY("numa_foreign", FOREIGN, 1), LX_KEY("interleave_hit", INTERLEAVE, 1),
		LX_KEY("local_node", LOCAL, 1),     LX_KEY("other_node", OTHER, 1),
	};
	char buf[8192];
	struct lx_reading reading;

	if (!read_file(host, node, "numastat", buf, &reading))
		return;
	row->stamp = reading.stamp;
	pmon_lx_fields(reading.text, keys, sizeof(keys) / sizeof(keys[0]), row);
}

static void
set_mbytes(struct live_row *row, unsigned field, unsigned bytes)
{
	if ((row->present & BIT(bytes)) != 0)
		live_row_set(row, field, (uint64_t)row->field[bytes] / (1024 * 1024));
}

// A value missing for any node is missing in the total.
static void
add_node(const struct live_row *row, bool is_first, struct live_row *total)
{
	uint64_t present = is_first ? row->present : row->present & total->present;

	for (unsigned field = 0; field < FIELDS; field++)
		if ((row->present & BIT(field)) != 0)
			live_row_add(total, field, (uint64_t)row->field[field]);
	total->present = present;
	total->stamp = row->stamp;
}

// Read a node and add its row; its values are also added to the total.
static enum pmon_status
collect_node(struct live *live, const struct live_asked *asked, uint32_t node, bool is_first,
	     struct live_row *total, struct pmon_err *err)
{
	struct live_row row;
	char name[16];

	live_row_begin(&row, &live->now);
	if (live_wants(asked, MEMINFO))
		read_meminfo(live->host, node, &row);
	if (live_wants(asked, NUMASTAT))
		read_numastat(live->host, node, &row);
	add_node(&row, is_first, total);
	set_mbytes(&row, TOTAL_MB, TOTAL);
	set_mbytes(&row, FREE_MB, FREE);
	(void)snprintf(name, sizeof(name), "%u", (unsigned)node);
	return pmon_live_put(live, asked, name, &row, err);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct lx_reading reading;
	struct pmon_scan list;
	struct live_row total;
	bool is_first = true;
	uint64_t first;
	uint64_t last;
	char buf[1024];

	if (!pmon_lx_read(live->host, SYS_NODE "online", buf, sizeof(buf), &reading) ||
	    !pmon_lx_line(&reading.text, &list))
		return PMON_OK;
	live_row_begin(&total, &live->now);
	while (status == PMON_OK && pmon_lx_range(&list, &first, &last))
		for (uint64_t n = first; status == PMON_OK && n <= last && n < MAX_NODES; n++) {
			status = collect_node(live, asked, (uint32_t)n, is_first, &total, err);
			is_first = false;
		}
	set_mbytes(&total, TOTAL_MB, TOTAL);
	set_mbytes(&total, FREE_MB, FREE);
	return status == PMON_OK ? pmon_live_put(live, asked, "_Total", &total, err) : status;
}

const struct live_object pmon_lx_numa = {
	.name = "NUMA Node Memory",
	.help = "Memory of each NUMA node, and of all nodes (_Total).",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
