// alias_names.c - counters by the names that windows_exporter and node_exporter have for them
// SPDX-License-Identifier: MIT
//
// windows_: meant for the collectors cpu, logical_disk, physical_disk, memory, net, system, tcp and udp of
// windows_exporter 0.30; written down without that program or its documents at hand, so not verified. node_: what
// node_exporter 1.5.0 gives (package prometheus-node-exporter of Debian 12), from the same fields of /proc that
// counters-linux.md names for pmon's.
// Only those whose definition is the same.

#include "apps/rules/alias.h"

#define WINDOWS(object, counter, name, label)                                                      \
	{                                                                                          \
		object, {counter}, name, label, NULL, NULL, 1, ALIAS_WINDOWS                       \
	}
#define WINDOWS_WITH(object, counter, name, label, key, value)                                     \
	{                                                                                          \
		object, {counter}, name, label, key, value, 1, ALIAS_WINDOWS                       \
	}
#define WINDOWS_TIMES(object, counter, name, label, times)                                         \
	{                                                                                          \
		object, {counter}, name, label, NULL, NULL, times, ALIAS_WINDOWS                   \
	}
#define NODE(object, counter, name, label)                                                         \
	{                                                                                          \
		object, {counter}, name, label, NULL, NULL, 1, ALIAS_NODE                          \
	}
#define NODE_CPU(mode, ...)                                                                        \
	{                                                                                          \
		"Processor", {__VA_ARGS__}, "node_cpu_seconds_total", "cpu", "mode", mode, 1,      \
			ALIAS_NODE                                                                 \
	}

#define CPU(object)                                                                                \
	WINDOWS_WITH(object, "% Idle Time", "windows_cpu_time_total", "core", "mode", "idle"),     \
		WINDOWS_WITH(object, "% Interrupt Time", "windows_cpu_time_total", "core", "mode", \
			     "interrupt"),                                                         \
		WINDOWS_WITH(object, "% DPC Time", "windows_cpu_time_total", "core", "mode",       \
			     "dpc"),                                                               \
		WINDOWS_WITH(object, "% Privileged Time", "windows_cpu_time_total", "core",        \
			     "mode", "privileged"),                                                \
		WINDOWS_WITH(object, "% User Time", "windows_cpu_time_total", "core", "mode",      \
			     "user"),                                                              \
		WINDOWS_WITH(object, "% C1 Time", "windows_cpu_cstate_seconds_total", "core",      \
			     "state", "c1"),                                                       \
		WINDOWS_WITH(object, "% C2 Time", "windows_cpu_cstate_seconds_total", "core",      \
			     "state", "c2"),                                                       \
		WINDOWS_WITH(object, "% C3 Time", "windows_cpu_cstate_seconds_total", "core",      \
			     "state", "c3"),                                                       \
		WINDOWS(object, "Interrupts/sec", "windows_cpu_interrupts_total", "core"),         \
		WINDOWS(object, "DPCs Queued/sec", "windows_cpu_dpcs_total", "core")

#define DISK(object, name, label)                                                                  \
	WINDOWS(object, "Current Disk Queue Length", name "_requests_queued", label),              \
		WINDOWS(object, "Disk Read Bytes/sec", name "_read_bytes_total", label),           \
		WINDOWS(object, "Disk Reads/sec", name "_reads_total", label),                     \
		WINDOWS(object, "Disk Write Bytes/sec", name "_write_bytes_total", label),         \
		WINDOWS(object, "Disk Writes/sec", name "_writes_total", label),                   \
		WINDOWS(object, "% Disk Read Time", name "_read_seconds_total", label),            \
		WINDOWS(object, "% Disk Write Time", name "_write_seconds_total", label),          \
		WINDOWS(object, "% Idle Time", name "_idle_seconds_total", label),                 \
		WINDOWS(object, "Split IO/Sec", name "_split_ios_total", label),                   \
		WINDOWS(object, "Avg. Disk sec/Read", name "_read_latency_seconds_total", label),  \
		WINDOWS(object, "Avg. Disk sec/Write", name "_write_latency_seconds_total",        \
			label),                                                                    \
		WINDOWS(object, "Avg. Disk sec/Transfer",                                          \
			name "_read_write_latency_seconds_total", label)

#define MEMORY(counter, name)         WINDOWS("Memory", counter, "windows_memory_" name, NULL)
#define NET(counter, name)            WINDOWS("Network Interface", counter, "windows_net_" name, "nic")
#define SYSTEM(counter, name)         WINDOWS("System", counter, "windows_system_" name, NULL)
#define IP(name, object, af, counter) WINDOWS_WITH(object, counter, "windows_" name, NULL, "af", af)

#define TCP(object, af)                                                                            \
	IP("tcp_connection_failures_total", object, af, "Connection Failures"),                    \
		IP("tcp_connections_active_total", object, af, "Connections Active"),              \
		IP("tcp_connections_established", object, af, "Connections Established"),          \
		IP("tcp_connections_passive_total", object, af, "Connections Passive"),            \
		IP("tcp_connections_reset_total", object, af, "Connections Reset"),                \
		IP("tcp_segments_total", object, af, "Segments/sec"),                              \
		IP("tcp_segments_received_total", object, af, "Segments Received/sec"),            \
		IP("tcp_segments_retransmitted_total", object, af, "Segments Retransmitted/sec"),  \
		IP("tcp_segments_sent_total", object, af, "Segments Sent/sec")

#define UDP(object, af)                                                                            \
	IP("udp_datagram_no_port_total", object, af, "Datagrams No Port/sec"),                     \
		IP("udp_datagram_received_errors_total", object, af, "Datagrams Received Errors"), \
		IP("udp_datagram_received_total", object, af, "Datagrams Received/sec"),           \
		IP("udp_datagram_sent_total", object, af, "Datagrams Sent/sec")

#define NODE_MEMORY(counter, name) NODE("Memory", counter, "node_memory_" name "_bytes", NULL)
#define NODE_DISK(counter, name)   NODE("PhysicalDisk", counter, "node_disk_" name, "device")
#define NODE_NET(counter, name)                                                                    \
	NODE("Network Interface", counter, "node_network_" name "_total", "device")

// Where several lines have one name and one label, the first whose counter is there counts.
const struct alias aliases[] = {
	CPU("Processor Information"),
	CPU("Processor"),
	WINDOWS("Processor Information", "Clock Interrupts/sec",
		"windows_cpu_clock_interrupts_total", "core"),
	WINDOWS("Processor Information", "Idle Break Events/sec",
		"windows_cpu_idle_break_events_total", "core"),
	WINDOWS("Processor Information", "Parking Status", "windows_cpu_parking_status", "core"),
	WINDOWS("Processor Information", "Processor Frequency", "windows_cpu_core_frequency_mhz",
		"core"),
	DISK("LogicalDisk", "windows_logical_disk", "volume"),
	WINDOWS_TIMES("LogicalDisk", "Free Megabytes", "windows_logical_disk_free_bytes", "volume",
		      1048576),
	DISK("PhysicalDisk", "windows_physical_disk", "disk"),
	MEMORY("Available Bytes", "available_bytes"),
	WINDOWS_TIMES("Memory", "Available KBytes", "windows_memory_available_bytes", NULL, 1024),
	WINDOWS_TIMES("Memory", "Available MBytes", "windows_memory_available_bytes", NULL,
		      1048576),
	MEMORY("Cache Bytes", "cache_bytes"),
	MEMORY("Cache Bytes Peak", "cache_bytes_peak"),
	MEMORY("Cache Faults/sec", "cache_faults_total"),
	MEMORY("Commit Limit", "commit_limit"),
	MEMORY("Committed Bytes", "committed_bytes"),
	MEMORY("Demand Zero Faults/sec", "demand_zero_faults_total"),
	MEMORY("Free & Zero Page List Bytes", "free_and_zero_page_list_bytes"),
	MEMORY("Free System Page Table Entries", "free_system_page_table_entries"),
	MEMORY("Modified Page List Bytes", "modified_page_list_bytes"),
	MEMORY("Page Faults/sec", "page_faults_total"),
	MEMORY("Page Reads/sec", "swap_page_reads_total"),
	MEMORY("Pages Input/sec", "swap_pages_read_total"),
	MEMORY("Pages Output/sec", "swap_pages_written_total"),
	MEMORY("Pages/sec", "swap_page_operations_total"),
	MEMORY("Page Writes/sec", "swap_page_writes_total"),
	MEMORY("Pool Nonpaged Allocs", "pool_nonpaged_allocs_total"),
	MEMORY("Pool Nonpaged Bytes", "pool_nonpaged_bytes"),
	MEMORY("Pool Paged Allocs", "pool_paged_allocs_total"),
	MEMORY("Pool Paged Bytes", "pool_paged_bytes"),
	MEMORY("Pool Paged Resident Bytes", "pool_paged_resident_bytes"),
	MEMORY("Standby Cache Core Bytes", "standby_cache_core_bytes"),
	MEMORY("Standby Cache Normal Priority Bytes", "standby_cache_normal_priority_bytes"),
	MEMORY("Standby Cache Reserve Bytes", "standby_cache_reserve_bytes"),
	MEMORY("System Cache Resident Bytes", "system_cache_resident_bytes"),
	MEMORY("System Code Resident Bytes", "system_code_resident_bytes"),
	MEMORY("System Code Total Bytes", "system_code_total_bytes"),
	MEMORY("System Driver Resident Bytes", "system_driver_resident_bytes"),
	MEMORY("System Driver Total Bytes", "system_driver_total_bytes"),
	MEMORY("Transition Faults/sec", "transition_faults_total"),
	MEMORY("Transition Pages RePurposed/sec", "transition_pages_repurposed_total"),
	MEMORY("Write Copies/sec", "write_copies_total"),
	NET("Bytes Received/sec", "bytes_received_total"),
	NET("Bytes Sent/sec", "bytes_sent_total"),
	NET("Bytes Total/sec", "bytes_total"),
	NET("Packets Outbound Discarded", "packets_outbound_discarded_total"),
	NET("Packets Outbound Errors", "packets_outbound_errors_total"),
	NET("Packets Received Discarded", "packets_received_discarded_total"),
	NET("Packets Received Errors", "packets_received_errors_total"),
	NET("Packets Received/sec", "packets_received_total"),
	NET("Packets Received Unknown", "packets_received_unknown_total"),
	NET("Packets/sec", "packets_total"),
	NET("Packets Sent/sec", "packets_sent_total"),
	NET("Output Queue Length", "output_queue_length_packets"),
	WINDOWS_TIMES("Network Interface", "Current Bandwidth",
		      "windows_net_current_bandwidth_bytes", "nic", 0.125),
	SYSTEM("Context Switches/sec", "context_switches_total"),
	SYSTEM("Exception Dispatches/sec", "exception_dispatches_total"),
	SYSTEM("Processor Queue Length", "processor_queue_length"),
	SYSTEM("System Calls/sec", "system_calls_total"),
	SYSTEM("Processes", "processes"),
	SYSTEM("Threads", "threads"),
	TCP("TCPv4", "ipv4"),
	TCP("TCPv6", "ipv6"),
	UDP("UDPv4", "ipv4"),
	UDP("UDPv6", "ipv6"),

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
	{"Memory",
	 {"Cache Bytes", "Buffers Bytes"},
	 "node_memory_Cached_bytes",
	 NULL,
	 NULL,
	 NULL,
	 1,
	 ALIAS_NODE},
	NODE_MEMORY("Swap Cached Bytes", "SwapCached"),
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
