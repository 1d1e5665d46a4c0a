// sadf_names.c - columns of sadf -d that are counters of pmon record
// SPDX-License-Identifier: MIT
//
// The columns are those of sar(1) of sysstat 9 to 12, the counters those of docs/reference/counters-linux.md. A column is
// here only if both come from the same numbers of the kernel, so that rules and incidents judge a log of sar as they judge
// one of pmon.

#include "format/pdhtext/sadf.h"

#define KB     1024
#define SECTOR 512

#define RULE(item, first, object, instance, counter, factor, divisor, rest, ...)                   \
	{                                                                                          \
		item, first, object, instance, counter, {__VA_ARGS__}, rest, factor, divisor       \
	}
#define CPU(first, counter, ...)                                                                   \
	RULE("CPU", first, "Processor", NULL, counter, 1, 1, false, __VA_ARGS__)
#define CPU_REST(first, counter, ...)                                                              \
	RULE("CPU", first, "Processor", NULL, counter, 1, 1, true, __VA_ARGS__)
#define ONE(first, object, counter, factor, ...)                                                   \
	RULE("", first, object, NULL, counter, factor, 1, false, __VA_ARGS__)
#define DISK(counter, factor, divisor, ...)                                                        \
	RULE("DEV", "tps", "PhysicalDisk", NULL, counter, factor, divisor, false, __VA_ARGS__)
#define DISKS(counter, factor, ...)                                                                \
	RULE("", "tps", "PhysicalDisk", "_Total", counter, factor, 1, false, __VA_ARGS__)
#define NETWORK(first, counter, factor, ...)                                                       \
	RULE("IFACE", first, "Network Interface", NULL, counter, factor, 1, false, __VA_ARGS__)
#define SWAP(counter, factor, ...)                                                                 \
	RULE("", "kbswpfree", "Paging File", "_Total", counter, factor, 1, false, __VA_ARGS__)
#define MEMORY(counter, factor, ...) ONE("kbmemfree", "Memory", counter, factor, __VA_ARGS__)
#define PRESSURE(first, instance, counter, ...)                                                    \
	RULE("", first, "Pressure Stall", instance, counter, 1, 1, false, __VA_ARGS__)
#define PRESSURES(first, instance, column)                                                         \
	PRESSURE(first, instance, "% Stalled Time", column),                                       \
		PRESSURE(first, instance, "% Stalled Time 10 s", column "-10"),                    \
		PRESSURE(first, instance, "% Stalled Time 60 s", column "-60"),                    \
		PRESSURE(first, instance, "% Stalled Time 300 s", column "-300")

static const struct sadf_rule rules[] = {
	// sar -u
	CPU_REST("%user", "% Processor Time", "%iowait", "%idle"),
	CPU("%user", "% Idle Time", "%iowait", "%idle"),
	CPU("%user", "% User Time", "%user", "%nice"),
	CPU("%user", "% Privileged Time", "%system"),
	CPU("%user", "% I/O Wait Time", "%iowait"),
	CPU("%user", "% Steal Time", "%steal"),
	CPU("%user", "% Nice Time", "%nice"),
	// sar -u ALL, where user and nice exclude guests
	CPU_REST("%usr", "% Processor Time", "%iowait", "%idle"),
	CPU("%usr", "% Idle Time", "%iowait", "%idle"),
	CPU("%usr", "% User Time", "%usr", "%nice", "%guest", "%gnice"),
	CPU("%usr", "% Privileged Time", "%sys", "%irq", "%soft"),
	CPU("%usr", "% I/O Wait Time", "%iowait"),
	CPU("%usr", "% Steal Time", "%steal"),
	CPU("%usr", "% Nice Time", "%nice", "%gnice"),
	CPU("%usr", "% Interrupt Time", "%irq"),
	CPU("%usr", "% DPC Time", "%soft"),
	CPU("%usr", "% Guest Time", "%guest", "%gnice"),
	// sar -w, -v, -q
	ONE("proc/s", "System", "Forks/sec", 1, "proc/s"),
	ONE("proc/s", "System", "Context Switches/sec", 1, "cswch/s"),
	ONE("dentunusd", "System", "Open Files", 1, "file-nr"),
	ONE("runq-sz", "System", "Threads", 1, "plist-sz"),
	ONE("runq-sz", "System", "Threads Blocked", 1, "blocked"),
	ONE("runq-sz", "System", "Load Average 1 Minute", 1, "ldavg-1"),
	ONE("runq-sz", "System", "Load Average 5 Minutes", 1, "ldavg-5"),
	ONE("runq-sz", "System", "Load Average 15 Minutes", 1, "ldavg-15"),
	PRESSURES("%scpu-10", "cpu some", "%scpu"),
	PRESSURES("%sio-10", "io some", "%sio"),
	PRESSURES("%sio-10", "io full", "%fio"),
	PRESSURES("%smem-10", "memory some", "%smem"),
	PRESSURES("%smem-10", "memory full", "%fmem"),
	// sar -W, -B
	ONE("pswpin/s", "Memory", "Pages/sec", 1, "pswpin/s", "pswpout/s"),
	ONE("pswpin/s", "Memory", "Pages Input/sec", 1, "pswpin/s"),
	ONE("pswpin/s", "Memory", "Pages Output/sec", 1, "pswpout/s"),
	ONE("pgpgin/s", "Memory", "Block Read Bytes/sec", KB, "pgpgin/s"),
	ONE("pgpgin/s", "Memory", "Block Write Bytes/sec", KB, "pgpgout/s"),
	ONE("pgpgin/s", "Memory", "Page Faults/sec", 1, "fault/s"),
	ONE("pgpgin/s", "Memory", "Page Reads/sec", 1, "majflt/s"),
	ONE("pgpgin/s", "Memory", "Pages Freed/sec", 1, "pgfree/s"),
	// sar -r, -S
	MEMORY("Free & Zero Page List Bytes", KB, "kbmemfree"),
	MEMORY("Available Bytes", KB, "kbavail"),
	MEMORY("Available KBytes", 1, "kbavail"),
	RULE("", "kbmemfree", "Memory", NULL, "Available MBytes", 1, KB, false, "kbavail"),
	MEMORY("Cache Bytes", KB, "kbcached", "kbbuffers"),
	MEMORY("Buffers Bytes", KB, "kbbuffers"),
	MEMORY("Committed Bytes", KB, "kbcommit"),
	MEMORY("Active Bytes", KB, "kbactive"),
	MEMORY("Inactive Bytes", KB, "kbinact"),
	MEMORY("Dirty Bytes", KB, "kbdirty"),
	MEMORY("Anonymous Bytes", KB, "kbanonpg"),
	MEMORY("Kernel Stack Bytes", KB, "kbkstack"),
	MEMORY("Page Tables Bytes", KB, "kbpgtbl"),
	MEMORY("Vmalloc Used Bytes", KB, "kbvmused"),
	SWAP("Free Bytes", KB, "kbswpfree"),
	SWAP("Used Bytes", KB, "kbswpused"),
	SWAP("% Usage", 1, "%swpused"),
	ONE("kbswpfree", "Memory", "Swap Cached Bytes", KB, "kbswpcad"),
	// sar -b and -d. In the latter, transfers include discards.
	DISKS("Disk Transfers/sec", 1, "rtps", "wtps"),
	DISKS("Disk Reads/sec", 1, "rtps"),
	DISKS("Disk Writes/sec", 1, "wtps"),
	DISKS("Disk Discards/sec", 1, "dtps"),
	DISKS("Disk Bytes/sec", SECTOR, "bread/s", "bwrtn/s"),
	DISKS("Disk Read Bytes/sec", SECTOR, "bread/s"),
	DISKS("Disk Write Bytes/sec", SECTOR, "bwrtn/s"),
	DISKS("Disk Discard Bytes/sec", SECTOR, "bdscd/s"),
	DISK("Disk Transfers/sec", 1, 1, "tps"),
	DISK("Disk Bytes/sec", KB, 1, "rkB/s", "wkB/s"),
	DISK("Disk Read Bytes/sec", KB, 1, "rkB/s"),
	DISK("Disk Write Bytes/sec", KB, 1, "wkB/s"),
	DISK("Disk Discard Bytes/sec", KB, 1, "dkB/s"),
	DISK("Avg. Disk Bytes/Transfer", KB, 1, "areq-sz"),
	DISK("Avg. Disk Queue Length", 1, 1, "aqu-sz"),
	DISK("Avg. Disk sec/Transfer", 1, 1000, "await"),
	RULE("DEV", "tps", "PhysicalDisk", NULL, "% Idle Time", 1, 1, true, "%util"),
	// ... as they were called before version 12
	DISK("Disk Bytes/sec", SECTOR, 1, "rd_sec/s", "wr_sec/s"),
	DISK("Disk Read Bytes/sec", SECTOR, 1, "rd_sec/s"),
	DISK("Disk Write Bytes/sec", SECTOR, 1, "wr_sec/s"),
	DISK("Avg. Disk Bytes/Transfer", SECTOR, 1, "avgrq-sz"),
	DISK("Avg. Disk Queue Length", 1, 1, "avgqu-sz"),
	// sar -n DEV, EDEV, TCP, ETCP, UDP
	NETWORK("rxpck/s", "Bytes Total/sec", KB, "rxkB/s", "txkB/s"),
	NETWORK("rxpck/s", "Bytes Received/sec", KB, "rxkB/s"),
	NETWORK("rxpck/s", "Bytes Sent/sec", KB, "txkB/s"),
	NETWORK("rxpck/s", "Packets/sec", 1, "rxpck/s", "txpck/s"),
	NETWORK("rxpck/s", "Packets Received/sec", 1, "rxpck/s"),
	NETWORK("rxpck/s", "Packets Sent/sec", 1, "txpck/s"),
	NETWORK("rxpck/s", "Packets Received Multicast/sec", 1, "rxmcst/s"),
	NETWORK("rxerr/s", "Collisions/sec", 1, "coll/s"),
	ONE("active/s", "TCPv4", "Segments/sec", 1, "iseg/s", "oseg/s"),
	ONE("active/s", "TCPv4", "Segments Received/sec", 1, "iseg/s"),
	ONE("active/s", "TCPv4", "Segments Sent/sec", 1, "oseg/s"),
	ONE("atmptf/s", "TCPv4", "Segments Retransmitted/sec", 1, "retrans/s"),
	ONE("idgm/s", "UDPv4", "Datagrams/sec", 1, "idgm/s", "odgm/s"),
	ONE("idgm/s", "UDPv4", "Datagrams Received/sec", 1, "idgm/s"),
	ONE("idgm/s", "UDPv4", "Datagrams Sent/sec", 1, "odgm/s"),
	ONE("idgm/s", "UDPv4", "Datagrams No Port/sec", 1, "noport/s"),
};

const struct sadf_rule *
pmon_sadf_rule(size_t i)
{
	return i < sizeof(rules) / sizeof(rules[0]) ? &rules[i] : NULL;
}
