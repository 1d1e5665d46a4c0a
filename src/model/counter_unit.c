// counter_unit.c - the units of displayed values, by English counter name
// SPDX-License-Identifier: MIT
//
// Types imply "%", "/s", "s" or nothing: a counter of milliseconds has the type of a count.
// Windows' help texts and the products' documents say what is counted; docs/reference/counters.md,
// "Units", lists them.

#include "model/counter_unit.h"

#include <string.h>

struct row {
	const char *counter; // a pattern too
	const char *object;  // a pattern: objects of a SQL Server instance are MSSQL$NAME:Locks
	const char *unit;
};

static const struct row rows[] = {
	{"ArrivalRate", "HTTP Service Request Queues", "/s"},
	{"ATQ Estimated Queue Delay", "DirectoryServices", "ms"},
	{"ATQ Estimated Queue Delay", "NTDS", "ms"},
	{"ATQ Request Latency", "DirectoryServices", "ms"},
	{"ATQ Request Latency", "NTDS", "ms"},
	{"Available Memory", "Hyper-V Dynamic Memory Balancer", "MB"},
	{"Average Idle Time", "Processor Information", "ns"},
	{"Average ClientAccess Server Processing Latency", "MSExchange*", "ms"},
	{"Average Latch Wait Time (ms)", "*:Latches", "ms"},
	{"Average Pressure", "Hyper-V Dynamic Memory*", "%"},
	{"Average Semaphore Hold Time", "Netlogon", "s"},
	{"Average Wait Time (ms)", "*:Locks", "ms"},
	{"Avg Disk Read IO (ms)", "*:Resource Pool Stats", "ms"},
	{"Avg Disk Write IO (ms)", "*:Resource Pool Stats", "ms"},
	{"Backup/Restore Throughput/sec", "*:Databases", "B/s"},
	{"* Cost", "Hyper-V Hypervisor*", "ns"},
	{"CPU stolen time", "VM Processor", "ms"},
	{"CPU Wait Time Per Dispatch", "Hyper-V Hypervisor*", "ns"},
	{"Database Cache Miss (Attached) Average Latency", "*Database*", "ms"},
	{"FlushFileBuffers Average Latency", "*Database*", "ms"},
	{"Current Bandwidth", "Network *", "bit/s"},
	{"Current Pressure", "Hyper-V Dynamic Memory*", "%"},
	{"* Usage", "GPU * Memory", "B"},
	{"Total Committed", "GPU * Memory", "B"},
	{"Running Time", "GPU Engine", "100 ns"},
	{"Guest Available Memory", "Hyper-V Dynamic Memory VM", "MB"},
	{"I/O * Average Latency", "*Database*", "ms"},
	{"Large Object Heap size", ".NET CLR Memory", "B"},
	{"LDAP Bind Time", "DirectoryServices", "ms"},
	{"LDAP Bind Time", "NTDS", "ms"},
	{"LDAP Read Time", "MSExchange*", "ms"},
	{"LDAP Search Time", "MSExchange*", "ms"},
	{"Lock Wait Time (ms)", "*:Locks", "ms/s"},
	{"Log Flush Wait Time", "*:Databases", "ms"},
	{"Log Send Queue", "*:Database Replica", "KB"},
	{"Longest Transaction Running Time", "*:Transactions", "s"},
	{"MaxQueueItemAge", "HTTP Service Request Queues", "ms"},
	{"Page life expectancy", "*:Buffer *", "s"},
	{"Percent Log Used", "*:Databases", "%"},
	{"Physical Memory", "Hyper-V Dynamic Memory VM", "MB"},
	{"Processor Frequency", "Processor Information", "MHz"},
	{"Recovery Queue", "*:Database Replica", "KB"},
	{"Request Execution Time", "ASP.NET*", "ms"},
	{"Request Wait Time", "ASP.NET*", "ms"},
	{"Requests / Sec", "W3SVC_W3WP", "/s"},
	{"RPC Average Latency", "MSExchange*", "ms"},
	{"RPC Averaged Latency", "MSExchange*", "ms"},
	{"Smart Paging Working Set Size", "Hyper-V Dynamic Memory VM", "MB"},
	{"SQL Attention rate", "*:SQL Statistics", "/s"},
	{"Total Latch Wait Time (ms)", "*:Latches", "ms/s"},
	{"Transaction Delay", "*:Database Replica", "ms/s"},
};

// For any object.
static const struct {
	const char *pattern;
	const char *unit;
} names[] = {
	{"*(kb/s)*", "KB/s"},    {"*(mb/s)*", "MB/s"},
	{"*(ms)*", "ms"},        {"*msec*", "ms"},
	{"* ms *", "ms"},        {"*millisec*", "ms"},
	{"*(\xC2\xB5s)*", "us"}, {"*(us)*", "us"},
	{"*microsec*", "us"},    {"*(100 ns)*", "100 ns"},
	{"*(100ns)*", "100 ns"}, {"*(ns)*", "ns"},
	{"*nanosec*", "ns"},     {"*(s)", "s"},
	{"*(sec)*", "s"},        {"* in seconds", "s"},
	{"*mbits*", "Mbit"},     {"*kbyte*", "KB"},
	{"*kilobyte*", "KB"},    {"*(kb)*", "KB"},
	{"* in kb", "KB"},       {"*mbyte*", "MB"},
	{"*megabyte*", "MB"},    {"*(mb)*", "MB"},
	{"* in mb", "MB"},       {"*gbyte*", "GB"},
	{"*gigabyte*", "GB"},    {"*(gb)*", "GB"},
	{"*byte*", "B"},         {"working set*", "B"},
	{"commit limit", "B"},   {"*%*", "%"},
	{"percent *", "%"},      {"*percentage*", "%"},
};

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// For SQL Server's waits, the counters are the waits, and the instances are what is measured.
static const char *
unit_of_waits(const struct pmon_path *path)
{
	if (pmon_text_match(PMON_SPAN("Average wait time*"), path->instance))
		return "ms";
	if (pmon_text_match(PMON_SPAN("Cumulative wait time*"), path->instance))
		return "ms/s";
	return pmon_text_match(PMON_SPAN("Waits started*"), path->instance) ? "/s" : NULL;
}

bool
pmon_unit_is_time(const char *unit)
{
	return strcmp(unit, "s") == 0 || strcmp(unit, "us") == 0 || strcmp(unit, "ns") == 0 ||
	       strcmp(unit, "100 ns") == 0 || strcmp(unit, "ms") == 0 || strcmp(unit, "ms/s") == 0;
}

const char *
pmon_unit_per_second(const char *unit)
{
	static const char *const units[][2] = {
		{"B", "B/s"},   {"KB", "KB/s"},   {"MB", "MB/s"},   {"GB", "GB/s"},
		{"s", "s/s"},   {"ms", "ms/s"},   {"us", "us/s"},   {"ns", "ns/s"},
		{"B/s", "B/s"}, {"KB/s", "KB/s"}, {"MB/s", "MB/s"}, {"Mbit", "Mbit/s"},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i][0], unit) == 0)
			return units[i][1];
	return NULL;
}

const char *
pmon_counter_unit(const struct pmon_path *path, bool *whole)
{
	*whole = false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (pmon_text_match(span_of(rows[i].counter), path->counter) &&
		    pmon_text_match(span_of(rows[i].object), path->object)) {
			*whole = pmon_unit_is_time(rows[i].unit);
			return rows[i].unit;
		}
	if (pmon_text_match(PMON_SPAN("*:Wait Statistics"), path->object)) {
		*whole = true;
		return unit_of_waits(path);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pmon_text_match(span_of(names[i].pattern), path->counter))
			return names[i].unit;
	return NULL;
}
