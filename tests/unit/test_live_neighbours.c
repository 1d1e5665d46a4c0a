// test_live_neighbours.c - a parser of /proc and /sys reads its own line, and no line like it
// SPDX-License-Identifier: MIT
//
// Each row is a line as the kernel writes it, the raw value that it stands for, and lines whose names
// begin or end the same way. They must change nothing before the line nor after it, and without the line
// there is no value. All numbers are small, as those of a machine that was just started are: a number
// must never be taken for a processor, a column or a name.
// Sources of the lines: Documentation/filesystems/proc.rst, admin-guide/cgroup-v2.rst,
// admin-guide/iostats.rst and accounting/psi.rst of Linux.

#include "t.h"

#include "live_tree.h"

#include <stdlib.h>

#define NODE0 "sys/devices/system/node/node0/"

struct row {
	const char *file;
	const char *line;
	const char *counter;
	int64_t first; // raw
	const char *neighbours;
};

static const struct row rows[] = {
	{"proc/meminfo", "MemFree: 3 kB\n", "\\Memory\\Free & Zero Page List Bytes", 3072,
	 "MemFreeX: 9 kB\nXMemFree: 9 kB\nSwapFree: 9 kB\nCmaFree: 9 kB\nMem: 9 kB\n"},
	{"proc/meminfo", "Active: 3 kB\n", "\\Memory\\Active Bytes", 3072,
	 "Active(anon): 9 kB\nActive(file): 9 kB\nInactive(anon): 9 kB\n"},
	{"proc/meminfo", "Dirty: 3 kB\n", "\\Memory\\Dirty Bytes", 3072,
	 "NFS_Dirty: 9 kB\nDirtyX: 9 kB\n"},
	{"proc/meminfo", "AnonPages: 3 kB\n", "\\Memory\\Anonymous Bytes", 3072,
	 "AnonPagesX: 9 kB\nNFS_AnonPages: 9 kB\n"},
	{"proc/vmstat", "pgfault 3\n", "\\Memory\\Page Faults/sec", 3,
	 "pgfaults 9\nspf_pgfault 9\nthp_fault_fallback 9\n"},
	{"proc/vmstat", "pswpin 3\n", "\\Memory\\Pages Input/sec", 3,
	 "pswpin_x 9\nthp_pswpin 9\nswpin_zero 9\n"},
	{"proc/vmstat", "oom_kill 3\n", "\\Memory\\Out Of Memory Kills/sec", 3,
	 "oom_kills 9\nmemcg_oom_kill 9\n"},
	{"proc/stat", "cpu0 1 0 0 3\n", "\\Processor(0)\\% Idle Time", 300000,
	 "cpu  8040 0 0 9\ncpu 7 0 0 9\ncpu00x 1 0 0 9\ncpus0 1 0 0 9\nxcpu0 1 0 0 9\n"},
	{"proc/stat", "cpu0 1 0 0 3\n", "\\Processor(_Total)\\% Idle Time", 300000,
	 "cpu  8040 0 0 9\ncpu 1 0 0 9\ncpu\t2 0 0 9\ncpu-1 1 0 0 9\n"},
	{"proc/stat", "ctxt 3\n", "\\System\\Context Switches/sec", 3, "ctxts 9\nxctxt 9\n"},
	{"proc/stat", "processes 3\n", "\\System\\Forks/sec", 3,
	 "procs_running 9\nprocs 9\nprocesses_x 9\n"},
	{"proc/stat", "procs_blocked 3\n", "\\System\\Threads Blocked", 3,
	 "procs_blocked_x 9\nprocs_running 9\n"},
	{"proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3\n",
	 "\\Pressure Stall(cpu some)\\% Stalled Time", 30,
	 "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\nsomewhat total=9\nsome_x total=9\n"},
	{"proc/pressure/io", "full xtotal=9 total=3 totals=9\n",
	 "\\Pressure Stall(io full)\\% Stalled Time", 30, "some total=9\nfuller total=9\n"},
	{"proc/self/net/snmp", "Tcp: InSegs\nTcp: 3\n", "\\TCPv4\\Segments Received/sec", 3,
	 "TcpExt: InSegs\nTcpExt: 9\nMPTcp: InSegs\nMPTcp: 9\nTc: InSegs\nTc: 9\n"},
	{"proc/self/net/snmp", "Udp: InDatagrams\nUdp: 3\n", "\\UDPv4\\Datagrams Received/sec", 3,
	 "UdpLite: InDatagrams\nUdpLite: 9\nIcmpMsg: InType3\nIcmpMsg: 9\n"},
	{"proc/self/net/snmp", "Icmp: InMsgs\nIcmp: 3\n", "\\ICMP\\Messages Received/sec", 3,
	 "IcmpMsg: InMsgs\nIcmpMsg: 9\nIp: InMsgs\nIp: 9\n"},
	{"proc/self/net/snmp6", "Ip6InReceives 3\n", "\\IPv6\\Datagrams Received/sec", 3,
	 "Ip6InReceivesX 9\nXIp6InReceives 9\nIp6InNoECTPkts 9\nIp6 9\n"},
	{"proc/self/net/snmp6", "Udp6InDatagrams 3\n", "\\UDPv6\\Datagrams Received/sec", 3,
	 "UdpLite6InDatagrams 9\nUdp6LiteInDatagrams 9\n"},
	{"proc/self/net/sockstat", "TCP: inuse 3 orphan 9\n", "\\TCPv4\\Sockets", 3,
	 "TCP6: inuse 9\nRAW: inuse 9\nTCPX: inuse 9\nsockets: inuse 9\n"},
	{"proc/self/net/sockstat", "UDP: inuse 3 mem 9\n", "\\UDPv4\\Sockets", 3,
	 "UDPLITE: inuse 9\nUDP6: inuse 9\n"},
	{"proc/self/net/dev", "eth0:3 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
	 "\\Network Interface(eth0)\\Bytes Received/sec", 3,
	 "eth01:9 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\neth:9 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	 "eth0 9 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\neth0.1: 9 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	 "xeth0:9 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"},
	{"proc/diskstats", "8 0 sda 3 0 0 0 0 0 0 0 0 0 0\n", "\\PhysicalDisk(sda)\\Disk Reads/sec",
	 3,
	 "8 64 sdaa 9 0 0 0 0 0 0 0 0 0 0\n8 16 sd 9 0 0 0 0 0 0 0 0 0 0\n"
	 "8 32 xsda 9 0 0 0 0 0 0 0 0 0 0\n"},
	{"proc/softirqs", "HI: 3\n", "\\Softirq(HI)\\Softirqs/sec", 3,
	 "HIX: 9\nXHI: 9\nHI 9\nCPU0 CPU1\n"},
	{NODE0 "meminfo", "Node 0 Dirty: 3 kB\n", "\\NUMA Node Memory(0)\\Dirty Bytes", 3072,
	 "Node 0 DirtyX: 9 kB\nNode 0 NFS_Dirty: 9 kB\nDirty: 9 kB\n"},
	{NODE0 "numastat", "numa_hit 3\n", "\\NUMA Node Memory(0)\\Hits/sec", 3,
	 "numa_hits 9\nxnuma_hit 9\n"},
	{"cg/cpu.stat", "user_usec 3\n", "\\Cgroup(/)\\% User Time", 30,
	 "user_usec_x 9\ncore_sched.force_idle_usec 9\nnice_usec 9\n"},
	{"cg/memory.stat", "anon 3\n", "\\Cgroup(/)\\Anonymous Bytes", 3,
	 "anon_thp 9\ninactive_anon 9\nactive_anon 9\n"},
	{"cg/memory.stat", "file 3\n", "\\Cgroup(/)\\File Cache Bytes", 3,
	 "file_mapped 9\nfile_dirty 9\nactive_file 9\nfilelock 9\n"},
	{"cg/memory.stat", "slab 3\n", "\\Cgroup(/)\\Slab Bytes", 3,
	 "slab_reclaimable 9\nslab_unreclaimable 9\n"},
	{"cg/io.pressure", "some avg10=0.00 total=3\n", "\\Cgroup(/)\\% I/O Stalled Time", 30,
	 "something total=9\nfull total=9\n"},
};

// What a counter needs to exist: a processor, a node, the mount point of the cgroups.
static struct tree *
tree_of_little(void)
{
	struct tree *t = tree_new();

	tree_file(t, 0, "proc/stat", "ctxts 1\n");
	tree_file(t, 0, "sys/devices/system/node/online", "0\n");
	tree_file(t, 0, "proc/self/mountinfo", "1 1 0:1 / /cg rw - cgroup2 x rw\n");
	tree_folder(t, 0, "cg");
	return t;
}

static void
read_row(const struct row *row, const char *before, const char *line, const char *after)
{
	struct tree *t = tree_of_little();
	char text[2048];

	(void)snprintf(text, sizeof(text), "%s%s%s", before, line, after);
	tree_file(t, 0, row->file, text);
	tree_open(t, row->counter, NULL);
	assert_true(tree_next(t));
	if (line[0] == '\0' && tree_status(t, row->counter) != TREE_ABSENT)
		fail_msg("%s has a value from: %s", row->counter, text);
	if (line[0] != '\0' && tree_raw(t, row->counter).first != row->first)
		fail_msg("%s is %lld, want %lld, from: %s", row->counter,
			 (long long)tree_raw(t, row->counter).first, (long long)row->first, text);
	tree_free(t);
}

static void
neighbours(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		read_row(&rows[i], "", rows[i].line, "");
		read_row(&rows[i], rows[i].neighbours, rows[i].line, "");
		read_row(&rows[i], "", rows[i].line, rows[i].neighbours);
		read_row(&rows[i], rows[i].neighbours, "", "");
	}
}

// The total line of a machine has any number from 0 up: none of them is a processor.
static void
every_total(void **state)
{
	(void)state;
	for (unsigned user = 0; user < 20000; user = user < 16 ? user + 1 : user * 2 - 1) {
		struct tree *t = tree_new();
		char text[200];

		(void)snprintf(text, sizeof(text),
			       "cpu  %u 0 5 20\ncpu0 %u 0 2 10\ncpu1 0 0 3 10\nprocs_running 6\n",
			       user, user);
		tree_file(t, 0, "proc/stat", text);
		tree_open(t, "\\Processor*(*)\\% User Time", "\\System\\Processor Queue Length",
			  NULL);
		assert_true(tree_next(t));
		T_EQ_U64(tree_count(t, "\\Processor(*)\\% User Time"), 3);
		T_EQ_U64(tree_count(t, "\\Processor Information(*)\\% User Time"), 4);
		T_EQ_DBL(tree_number(t, "\\System\\Processor Queue Length"), 4);
		tree_free(t);
	}
}

// Only devices of these drivers lie in files or in memory, or are made of others: a name that merely
// begins as theirs is a disk of its own, and counts in the total.
static void
kinds_of_disks(void **state)
{
	static const struct {
		const char *name;
		bool in_total;
	} disks[] = {
		{"loop0", false}, {"loopback", true}, {"ram1", false},  {"ramsan", true},
		{"zram0", false}, {"md0", false},     {"md_d0", false}, {"mdisk", true},
		{"dm-0", false},  {"drbd1", false},   {"sda", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		struct tree *t = tree_new();
		char text[200];

		(void)snprintf(text, sizeof(text),
			       "8 0 vda 5 0 0 0 0 0 0 0 0 0 0\n9 0 %s 1 0 0 0 0 0 0 0 0 0 0\n",
			       disks[i].name);
		tree_file(t, 0, "proc/stat", "");
		tree_file(t, 0, "proc/diskstats", text);
		tree_open(t, "\\PhysicalDisk(*)\\Disk Reads/sec", NULL);
		assert_true(tree_next(t));
		T_EQ_I64(tree_raw(t, "\\PhysicalDisk(_Total)\\Disk Reads/sec").first,
			 disks[i].in_total ? 6 : 5);
		tree_free(t);
	}
}

// A state that goes back, in any amount, spoils its own share of that interval and nothing else. Each
// interval is 100 ticks of a processor that is 20 % in programs and 10 % in the kernel.
static void
one_state_goes_back(void **state)
{
	static const char *const own[] = {"% I/O Wait Time", "% Interrupt Time", "% DPC Time",
					  "% Steal Time"};
	static const char *const paths[] = {"\\Processor(0)\\", "\\Processor(_Total)\\",
					    "\\Processor Information(0,_Total)\\"};
	static const unsigned column[] = {4, 5, 6, 7}; // iowait, irq, softirq, steal

	(void)state;
	for (unsigned k = 1; k < 4; k++)
		for (unsigned back = 1; back <= 90000; back *= 300) {
			struct tree *t = tree_new();

			for (unsigned n = 0; n < 4; n++) {
				unsigned v[8] = {20 * n, 0, 10 * n, 70 * n, 0, 0, 0, 0};
				char text[200];

				v[column[k]] = n < 2 ? 90000 : 90000 - back;
				(void)snprintf(text, sizeof(text), "cpu0 %u %u %u %u %u %u %u %u\n",
					       v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
				tree_file(t, n, "proc/stat", text);
			}
			tree_open(t, "\\Processor*(*)\\*", NULL);
			assert_true(tree_next(t));
			for (unsigned n = 1; tree_next(t); n++)
				for (size_t p = 0; p < sizeof(paths) / sizeof(paths[0]); p++) {
					char path[100];

					(void)snprintf(path, sizeof(path), "%s%s", paths[p],
						       "% User Time");
					T_EQ_DBL(tree_number(t, path), 20);
					(void)snprintf(path, sizeof(path), "%s%s", paths[p],
						       "% Idle Time");
					T_EQ_DBL(tree_number(t, path), 70);
					(void)snprintf(path, sizeof(path), "%s%s", paths[p],
						       own[k]);
					assert_int_equal(tree_status(t, path),
							 n == 2 ? PMON_V_COUNTER_BACK : PMON_V_OK);
				}
			tree_free(t);
		}
}

static void
play(const char *folder, const char *pattern,
     void (*look)(const struct pmon_schema *schema, const struct pmon_sample *sample))
{
	struct pmon_live_options options = {.size = sizeof(options), .replay = t_data_path(folder)};
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;

	if (options.replay == NULL)
		skip();
	assert_int_equal(pmon_select_new(NULL, &options.select, &err), PMON_OK);
	assert_int_equal(pmon_select_add(options.select, t_span(pattern), &err), PMON_OK);
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_OK);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		look(pmon_source_schema(source), sample);
	pmon_source_close(source);
	pmon_select_free(options.select);
}

static void
look_at_two(const struct pmon_schema *schema, const struct pmon_sample *sample)
{
	(void)schema;
	T_EQ_U64(sample->n, 3); // 0, 1, _Total
}

static void
look_at_one(const struct pmon_schema *schema, const struct pmon_sample *sample)
{
	(void)schema;
	T_EQ_U64(sample->n, 2);
}

static void
recorded(void **state)
{
	(void)state;
	play("../cases/linux/freshly-booted", "\\Processor(*)\\% User Time", look_at_two);
	play("../cases/linux/steal-back", "\\Processor(*)\\% User Time", look_at_one);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours),     cmocka_unit_test(every_total),
		cmocka_unit_test(kinds_of_disks), cmocka_unit_test(one_state_goes_back),
		cmocka_unit_test(recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
