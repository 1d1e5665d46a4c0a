// objects.c - the objects that each Windows has, and counters of them that are asked for most
// SPDX-License-Identifier: MIT
//
// What is recorded by default, and what names are suggested, is known before Windows answers. The types are those of its
// own blocks.

#include "live/windows/windows.h"

#define FROM "HKEY_PERFORMANCE_DATA"
#define COUNTER(name, type)                                                                        \
	{                                                                                          \
		(name), (type), 0, LIVE_NO_FIELD, LIVE_NO_FIELD, FROM, "=", ""                     \
	}
#define TABLE(counters) (counters), sizeof(counters) / sizeof((counters)[0])

static const struct live_counter system_counters[] = {
	COUNTER("Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("Context Switches/sec", PMON_PERF_COUNTER_COUNTER),
	COUNTER("Processes", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("Threads", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("System Up Time", PMON_PERF_ELAPSED_TIME),
};

static const struct live_counter processor_counters[] = {
	COUNTER("% Processor Time", PMON_PERF_100NSEC_TIMER_INV),
	COUNTER("% User Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("% Privileged Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("% Interrupt Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("% DPC Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("% Idle Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("Interrupts/sec", PMON_PERF_COUNTER_COUNTER),
};

static const struct live_counter memory_counters[] = {
	COUNTER("Available Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	COUNTER("Committed Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	COUNTER("Commit Limit", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	COUNTER("% Committed Bytes In Use", PMON_PERF_RAW_FRACTION),
	COUNTER("Page Faults/sec", PMON_PERF_COUNTER_COUNTER),
	COUNTER("Pages/sec", PMON_PERF_COUNTER_COUNTER),
	COUNTER("Pool Nonpaged Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
};

static const struct live_counter paging_file_counters[] = {
	COUNTER("% Usage", PMON_PERF_RAW_FRACTION),
	COUNTER("% Usage Peak", PMON_PERF_RAW_FRACTION),
};

static const struct live_counter disk_counters[] = {
	COUNTER("Avg. Disk sec/Read", PMON_PERF_AVERAGE_TIMER),
	COUNTER("Avg. Disk sec/Write", PMON_PERF_AVERAGE_TIMER),
	COUNTER("Avg. Disk sec/Transfer", PMON_PERF_AVERAGE_TIMER),
	COUNTER("Current Disk Queue Length", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("Disk Reads/sec", PMON_PERF_COUNTER_COUNTER),
	COUNTER("Disk Writes/sec", PMON_PERF_COUNTER_COUNTER),
	COUNTER("Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("Disk Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("% Idle Time", PMON_PERF_PRECISION_100NS_TIMER),
};

static const struct live_counter network_counters[] = {
	COUNTER("Bytes Total/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("Bytes Received/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("Bytes Sent/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("Output Queue Length", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
};

static const struct live_counter tcp_counters[] = {
	COUNTER("Connections Established", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("Segments Retransmitted/sec", PMON_PERF_COUNTER_COUNTER),
};

static const struct live_counter process_counters[] = {
	COUNTER("% Processor Time", PMON_PERF_100NSEC_TIMER),
	COUNTER("Working Set", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	COUNTER("Private Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	COUNTER("Handle Count", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("Thread Count", PMON_PERF_COUNTER_RAWCOUNT),
	COUNTER("IO Data Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	COUNTER("ID Process", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
};

static const struct live_object objects[] = {
	{"System", "", false, false, TABLE(system_counters), NULL},
	{"Processor", "", true, false, TABLE(processor_counters), NULL},
	{"Memory", "", false, false, TABLE(memory_counters), NULL},
	{"Paging File", "", true, false, TABLE(paging_file_counters), NULL},
	{"PhysicalDisk", "", true, false, TABLE(disk_counters), NULL},
	{"LogicalDisk", "", true, false, TABLE(disk_counters), NULL},
	{"Network Interface", "", true, false, TABLE(network_counters), NULL},
	{"TCPv4", "", false, false, TABLE(tcp_counters), NULL},
	{"Process", "", true, false, TABLE(process_counters), NULL},
};

const struct live_object *const pmon_win_objects[WIN_OBJECTS] = {
	&objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
	&objects[5], &objects[6], &objects[7], &objects[8],
};
