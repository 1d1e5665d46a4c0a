// alias_names.c - node_exporter's names for counters
// SPDX-License-Identifier: MIT
//
// The names are those of node_exporter 1.5.0 (package prometheus-node-exporter of Debian 12), which
// reads the same fields of /proc that counters-linux.md lists for pmon's counters.
// tests/push/node_exporter.tsv lists them. Only names with the same definition are included.

#include "verbs/rules/alias.h"

#define NODE(object, counter, name, label)                                                         \
	{                                                                                          \
		object, {counter}, name, label, NULL                                               \
	}
#define NODE_CPU(mode, ...)                                                                        \
	{                                                                                          \
		"Processor", {__VA_ARGS__}, "node_cpu_seconds_total", "cpu", mode                  \
	}

#define NODE_MEMORY(counter, name) NODE("Memory", counter, "node_memory_" name "_bytes", NULL)
#define NODE_DISK(counter, name)   NODE("PhysicalDisk", counter, "node_disk_" name, "device")
#define NODE_NET(counter, name)                                                                    \
	NODE("Network Interface", counter, "node_network_" name "_total", "device")

const struct alias aliases[] = {
	NODE_CPU("user", "% User Time", "% Nice Time"),
	NODE_CPU("nice", "% Nice Time"),
	NODE_CPU("system", "% Privileged Time", "% Interrupt Time", "% DPC Time"),
	NODE_CPU("idle", "% Idle Time", "% I/O Wait Time"),
	NODE_CPU("iowait", "% I/O Wait Time"),
	NODE_CPU("irq", "% Interrupt Time"),
	NODE_CPU("softirq", "% DPC Time"),
	NODE_CPU("steal", "% Steal Time"),
	NODE("System", "Load Average 1 Minute", "node_load1", NULL),
	NODE("System", "Load Average 5 Minutes", "node_load5", NULL),
	NODE("System", "Load Average 15 Minutes", "node_load15", NULL),
	NODE("System", "Context Switches/sec", "node_context_switches_total", NULL),
	NODE("System", "Interrupts/sec", "node_intr_total", NULL),
	NODE("System", "Forks/sec", "node_forks_total", NULL),
	NODE_MEMORY("Total Bytes", "MemTotal"),
	NODE_MEMORY("Free & Zero Page List Bytes", "MemFree"),
	NODE_MEMORY("Available Bytes", "MemAvailable"),
	NODE_MEMORY("Buffers Bytes", "Buffers"),
	{"Memory", {"Cache Bytes", "Buffers Bytes"}, "node_memory_Cached_bytes", NULL, NULL},
	NODE_MEMORY("Swap Cached Bytes", "SwapCached"),
	NODE_MEMORY("Zswap Bytes", "Zswap"),
	NODE_MEMORY("Zswapped Bytes", "Zswapped"),
	NODE_MEMORY("Active Bytes", "Active"),
	NODE_MEMORY("Inactive Bytes", "Inactive"),
	NODE_MEMORY("Unevictable Bytes", "Unevictable"),
	NODE_MEMORY("Locked Bytes", "Mlocked"),
	NODE_MEMORY("Dirty Bytes", "Dirty"),
	NODE_MEMORY("Writeback Bytes", "Writeback"),
	NODE_MEMORY("Anonymous Bytes", "AnonPages"),
	NODE_MEMORY("Mapped Bytes", "Mapped"),
	NODE_MEMORY("Shared Bytes", "Shmem"),
	NODE_MEMORY("Kernel Stack Bytes", "KernelStack"),
	NODE_MEMORY("Page Tables Bytes", "PageTables"),
	NODE_MEMORY("Pool Paged Bytes", "SReclaimable"),
	NODE_MEMORY("Pool Nonpaged Bytes", "SUnreclaim"),
	NODE_MEMORY("Commit Limit", "CommitLimit"),
	NODE_MEMORY("Committed Bytes", "Committed_AS"),
	NODE_DISK("Disk Reads/sec", "reads_completed_total"),
	NODE_DISK("Disk Writes/sec", "writes_completed_total"),
	NODE_DISK("Disk Read Bytes/sec", "read_bytes_total"),
	NODE_DISK("Disk Write Bytes/sec", "written_bytes_total"),
	NODE_DISK("% Disk Read Time", "read_time_seconds_total"),
	NODE_DISK("% Disk Write Time", "write_time_seconds_total"),
	NODE_DISK("Reads Merged/sec", "reads_merged_total"),
	NODE_DISK("Writes Merged/sec", "writes_merged_total"),
	NODE_DISK("Current Disk Queue Length", "io_now"),
	NODE_NET("Bytes Received/sec", "receive_bytes"),
	NODE_NET("Bytes Sent/sec", "transmit_bytes"),
	NODE_NET("Packets Received/sec", "receive_packets"),
	NODE_NET("Packets Sent/sec", "transmit_packets"),
	NODE_NET("Packets Received Errors", "receive_errs"),
	NODE_NET("Packets Outbound Errors", "transmit_errs"),
	NODE_NET("Packets Received Discarded", "receive_drop"),
	NODE_NET("Packets Outbound Discarded", "transmit_drop"),
	NODE("TCPv4", "Connections Active", "node_netstat_Tcp_ActiveOpens", NULL),
	NODE("TCPv4", "Connections Passive", "node_netstat_Tcp_PassiveOpens", NULL),
	NODE("TCPv4", "Connections Established", "node_netstat_Tcp_CurrEstab", NULL),
	NODE("TCPv4", "Segments Received/sec", "node_netstat_Tcp_InSegs", NULL),
	NODE("TCPv4", "Segments Retransmitted/sec", "node_netstat_Tcp_RetransSegs", NULL),
	NODE("Memory", "Page Faults/sec", "node_vmstat_pgfault", NULL),
	NODE("Memory", "Page Reads/sec", "node_vmstat_pgmajfault", NULL),
	NODE("Memory", "Pages Input/sec", "node_vmstat_pswpin", NULL),
	NODE("Memory", "Pages Output/sec", "node_vmstat_pswpout", NULL),
	NODE("Memory", "Out Of Memory Kills/sec", "node_vmstat_oom_kill", NULL),
	{.name = NULL},
};
