// known.c - the types of counters that every Windows has, by name
// SPDX-License-Identifier: MIT
//
// A text log does not say what type its counters have. The pairs in this table are those that
// binary logs of Windows Vista and Windows 10 were seen to hold, with their type words, and a few
// from the documentation of Windows and SQL Server. Where the name alone implies the type, there is
// a rule.

#include "format/pdhtext/pdhtext.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal)                                                                              \
	{                                                                                          \
		literal, sizeof(literal) - 1                                                       \
	}
#define ROW(object, counter, word)                                                                 \
	{                                                                                          \
		TEXT(object), TEXT(counter), word                                                  \
	}

// In the order of pmon_pdht_compare().
// clang-format off
static const struct pdht_type known[] = {
	ROW("Cache", "Copy Read Hits %", PMON_PERF_SAMPLE_FRACTION),
	ROW("Cache", "Data Map Hits %", PMON_PERF_SAMPLE_FRACTION),
	ROW("Cache", "MDL Read Hits %", PMON_PERF_SAMPLE_FRACTION),
	ROW("Cache", "Pin Read Hits %", PMON_PERF_SAMPLE_FRACTION),
	ROW("LogicalDisk", "% Disk Read Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("LogicalDisk", "% Disk Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("LogicalDisk", "% Disk Write Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("LogicalDisk", "% Free Space", PMON_PERF_RAW_FRACTION),
	ROW("LogicalDisk", "% Idle Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("LogicalDisk", "Avg. Disk Bytes/Read", PMON_PERF_AVERAGE_BULK),
	ROW("LogicalDisk", "Avg. Disk Bytes/Transfer", PMON_PERF_AVERAGE_BULK),
	ROW("LogicalDisk", "Avg. Disk Bytes/Write", PMON_PERF_AVERAGE_BULK),
	ROW("LogicalDisk", "Avg. Disk Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("LogicalDisk", "Avg. Disk Read Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("LogicalDisk", "Avg. Disk sec/Read", PMON_PERF_AVERAGE_TIMER),
	ROW("LogicalDisk", "Avg. Disk sec/Transfer", PMON_PERF_AVERAGE_TIMER),
	ROW("LogicalDisk", "Avg. Disk sec/Write", PMON_PERF_AVERAGE_TIMER),
	ROW("LogicalDisk", "Avg. Disk Write Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("LogicalDisk", "Current Disk Queue Length", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("LogicalDisk", "Disk Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("LogicalDisk", "Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("LogicalDisk", "Disk Reads/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("LogicalDisk", "Disk Transfers/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("LogicalDisk", "Disk Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("LogicalDisk", "Disk Writes/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("LogicalDisk", "Free Megabytes", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("LogicalDisk", "Split IO/Sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "% Committed Bytes In Use", PMON_PERF_RAW_FRACTION),
	ROW("Memory", "Available Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Available KBytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Available MBytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Cache Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Cache Bytes Peak", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Cache Faults/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Commit Limit", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Committed Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Demand Zero Faults/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Free & Zero Page List Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Free System Page Table Entries", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Memory", "Modified Page List Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Page Faults/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Page Reads/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Page Writes/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Pages Input/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Pages Output/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Pages/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Pool Nonpaged Allocs", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Memory", "Pool Nonpaged Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Pool Paged Allocs", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Memory", "Pool Paged Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Pool Paged Resident Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Standby Cache Core Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Standby Cache Normal Priority Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Standby Cache Reserve Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "System Cache Resident Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "System Code Resident Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "System Code Total Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "System Driver Resident Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "System Driver Total Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Memory", "Transition Faults/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Transition Pages RePurposed/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Memory", "Write Copies/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Network Interface", "Bytes Received/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Bytes Sent/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Bytes Total/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Current Bandwidth", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Output Queue Length", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Outbound Discarded", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Outbound Errors", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Received Discarded", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Received Errors", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Received Non-Unicast/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets Received Unicast/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets Received Unknown", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Network Interface", "Packets Received/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets Sent Non-Unicast/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets Sent Unicast/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets Sent/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Network Interface", "Packets/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Paging File", "% Usage", PMON_PERF_RAW_FRACTION),
	ROW("Paging File", "% Usage Peak", PMON_PERF_RAW_FRACTION),
	ROW("PhysicalDisk", "% Disk Read Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("PhysicalDisk", "% Disk Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("PhysicalDisk", "% Disk Write Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("PhysicalDisk", "% Idle Time", PMON_PERF_PRECISION_100NS_TIMER),
	ROW("PhysicalDisk", "Avg. Disk Bytes/Read", PMON_PERF_AVERAGE_BULK),
	ROW("PhysicalDisk", "Avg. Disk Bytes/Transfer", PMON_PERF_AVERAGE_BULK),
	ROW("PhysicalDisk", "Avg. Disk Bytes/Write", PMON_PERF_AVERAGE_BULK),
	ROW("PhysicalDisk", "Avg. Disk Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("PhysicalDisk", "Avg. Disk Read Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("PhysicalDisk", "Avg. Disk sec/Read", PMON_PERF_AVERAGE_TIMER),
	ROW("PhysicalDisk", "Avg. Disk sec/Transfer", PMON_PERF_AVERAGE_TIMER),
	ROW("PhysicalDisk", "Avg. Disk sec/Write", PMON_PERF_AVERAGE_TIMER),
	ROW("PhysicalDisk", "Avg. Disk Write Queue Length", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE),
	ROW("PhysicalDisk", "Current Disk Queue Length", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("PhysicalDisk", "Disk Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("PhysicalDisk", "Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("PhysicalDisk", "Disk Reads/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("PhysicalDisk", "Disk Transfers/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("PhysicalDisk", "Disk Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("PhysicalDisk", "Disk Writes/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("PhysicalDisk", "Split IO/Sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Process", "% Privileged Time", PMON_PERF_100NSEC_TIMER),
	ROW("Process", "% Processor Time", PMON_PERF_100NSEC_TIMER),
	ROW("Process", "% User Time", PMON_PERF_100NSEC_TIMER),
	ROW("Process", "Creating Process ID", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "Elapsed Time", PMON_PERF_ELAPSED_TIME),
	ROW("Process", "Handle Count", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "ID Process", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "IO Data Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Data Operations/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Other Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Other Operations/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Read Operations/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "IO Write Operations/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Process", "Page Faults/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Process", "Page File Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Page File Bytes Peak", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Pool Nonpaged Bytes", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "Pool Paged Bytes", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "Priority Base", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "Private Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Thread Count", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Process", "Virtual Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Virtual Bytes Peak", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Working Set", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Working Set - Private", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Process", "Working Set Peak", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("Processor", "% C1 Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% C2 Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% C3 Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% DPC Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% Idle Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% Interrupt Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% Privileged Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "% Processor Time", PMON_PERF_100NSEC_TIMER_INV),
	ROW("Processor", "% User Time", PMON_PERF_100NSEC_TIMER),
	ROW("Processor", "C1 Transitions/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Processor", "C2 Transitions/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Processor", "C3 Transitions/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("Processor", "DPC Rate", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("Processor", "DPCs Queued/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Processor", "Interrupts/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("SQLServer:Buffer Manager", "Buffer cache hit ratio", PMON_PERF_LARGE_RAW_FRACTION),
	ROW("SQLServer:Buffer Manager", "Page life expectancy", PMON_PERF_COUNTER_LARGE_RAWCOUNT),
	ROW("SQLServer:Locks", "Average Wait Time (ms)", PMON_PERF_AVERAGE_BULK),
	ROW("SQLServer:Plan Cache", "Cache Hit Ratio", PMON_PERF_LARGE_RAW_FRACTION),
	ROW("System", "% Registry Quota In Use", PMON_PERF_RAW_FRACTION),
	ROW("System", "Alignment Fixups/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "Context Switches/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "Exception Dispatches/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "File Control Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("System", "File Control Operations/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "File Data Operations/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "File Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("System", "File Read Operations/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "File Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT),
	ROW("System", "File Write Operations/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "Floating Emulations/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "Processes", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("System", "Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("System", "System Calls/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("System", "System Up Time", PMON_PERF_ELAPSED_TIME),
	ROW("System", "Threads", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Connection Failures", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Connections Active", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Connections Established", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Connections Passive", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Connections Reset", PMON_PERF_COUNTER_RAWCOUNT),
	ROW("TCPv4", "Segments Received/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("TCPv4", "Segments Retransmitted/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("TCPv4", "Segments Sent/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("TCPv4", "Segments/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Thread", "% Privileged Time", PMON_PERF_100NSEC_TIMER),
	ROW("Thread", "% Processor Time", PMON_PERF_100NSEC_TIMER),
	ROW("Thread", "% User Time", PMON_PERF_100NSEC_TIMER),
	ROW("Thread", "Context Switches/sec", PMON_PERF_COUNTER_COUNTER),
	ROW("Thread", "Elapsed Time", PMON_PERF_ELAPSED_TIME),
};
// clang-format on

// Objects whose counters have the types of those of another one.
static const struct {
	struct pmon_span object;
	struct pmon_span like;
} kin[] = {
	{TEXT("Process V2"), TEXT("Process")},
	{TEXT("Processor Information"), TEXT("Processor")},
	{TEXT("Network Adapter"), TEXT("Network Interface")},
	{TEXT("TCPv6"), TEXT("TCPv4")},
};

// Names that imply the type on any object.
static const struct {
	struct pmon_span pattern;
	uint32_t word;
} rules[] = {
	{TEXT("Avg. Disk sec/*"), PMON_PERF_AVERAGE_TIMER},
	{TEXT("Avg. Disk Bytes/*"), PMON_PERF_AVERAGE_BULK},
	{TEXT("*/sec"), PMON_PERF_COUNTER_BULK_COUNT},
};

static int
fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (uint8_t)c;
}

int
pmon_pdht_compare(struct pmon_span a, struct pmon_span b)
{
	for (size_t i = 0; i < a.len && i < b.len; i++)
		if (fold(a.ptr[i]) != fold(b.ptr[i]))
			return fold(a.ptr[i]) < fold(b.ptr[i]) ? -1 : 1;
	return (a.len > b.len) - (a.len < b.len);
}

int
pmon_pdht_compare_types(const void *a, const void *b)
{
	const struct pdht_type *x = a;
	const struct pdht_type *y = b;
	int order = pmon_pdht_compare(x->object, y->object);

	return order != 0 ? order : pmon_pdht_compare(x->counter, y->counter);
}

static bool
find(const struct pdht_type *list, size_t n, struct pmon_span object, struct pmon_span counter,
     uint32_t *word_out)
{
	const struct pdht_type wanted = {.object = object, .counter = counter};
	const struct pdht_type *found = NULL;

	if (n > 0)
		found = bsearch(&wanted, list, n, sizeof(wanted), pmon_pdht_compare_types);
	if (found != NULL)
		*word_out = found->word;
	return found != NULL;
}

// Named instances of SQL Server have objects of their own: "MSSQL$NAME:Locks".
static struct pmon_span
usual_object(struct pmon_span object, char buf[64])
{
	static const char server[] = "SQLServer";
	const char *colon = memchr(object.ptr, ':', object.len);
	size_t rest;

	for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
		if (pmon_pdht_compare(object, kin[i].object) == 0)
			return kin[i].like;
	if (colon == NULL || object.len < 6 ||
	    pmon_pdht_compare((struct pmon_span){object.ptr, 6}, PMON_SPAN("MSSQL$")) != 0)
		return object;
	rest = object.len - (size_t)(colon - object.ptr);
	if (rest > 64 - sizeof(server))
		return object;
	memcpy(buf, server, sizeof(server) - 1);
	memcpy(buf + sizeof(server) - 1, colon, rest);
	return (struct pmon_span){buf, sizeof(server) - 1 + rest};
}

bool
pmon_pdht_known_type(const struct pdht_types *added, const struct pmon_path *path,
		     uint32_t *word_out)
{
	struct pmon_span any = {NULL, 0};
	char buf[64];

	if (find(added->list, added->n, path->object, path->counter, word_out) ||
	    find(added->list, added->n, any, path->counter, word_out))
		return true;
	if (find(known, sizeof(known) / sizeof(known[0]), usual_object(path->object, buf),
		 path->counter, word_out))
		return true;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (pmon_text_match(rules[i].pattern, path->counter)) {
			*word_out = rules[i].word;
			return true;
		}
	return false;
}
