// fuzz.c - libFuzzer target: any bytes as a file of /proc or /sys
// SPDX-License-Identifier: MIT
//
// An input is the path of a file on a line of its own, then what that file holds in the first recorded
// tree, and after a zero byte what it holds in the second; all other files are as they were. Seeds
// are such inputs, in corpus/.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/pmon.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char root[] = "/tmp/pmon-fuzz-XXXXXX";

// The trees without the invented file.
static const struct {
	const char *path;
	const char *text;
} files[] = {
	{"clock", NULL},
	{"statvfs", "/ 4096 1000 500 400 100 50\n"},
	{"proc/stat",
	 "cpu  10 0 10 100 0 0 0 0 0 0\ncpu0 10 0 10 100 0 0 0 0 0 0\nintr 5 1\nctxt 10\n"
	 "btime 1\nprocesses 5\nprocs_running 2\nprocs_blocked 0\nsoftirq 9 1 2 3\n"},
	{"proc/loadavg", "0.10 0.20 0.30 1/80 100\n"},
	{"proc/meminfo", "MemTotal: 1000 kB\nMemFree: 500 kB\nMemAvailable: 700 kB\n"},
	{"proc/vmstat", "pgfault 10\npswpin 1\npswpout 2\n"},
	{"proc/swaps", "Filename Type Size Used Priority\n/swap file 100 10 -2\n"},
	{"proc/softirqs", "CPU0\nHI: 1\nTIMER: 2\n"},
	{"proc/interrupts", "           CPU0\n  0:  5  IO-APIC  timer\nLOC:  7\n"},
	{"proc/cpuinfo", "processor : 0\ncpu MHz : 2400.1\n"},
	{"proc/diskstats", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"},
	{"proc/self/mountinfo", "20 1 8:0 / / rw - ext4 /dev/sda rw\n"},
	{"proc/self/net/dev", "Inter-| Receive | Transmit\n face |b p e d f f c m|b p e d f c c c\n"
			      "  lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
	{"proc/self/net/snmp", "Tcp: InSegs OutSegs\nTcp: 1 2\nUdp: InDatagrams\nUdp: 1\n"},
	{"proc/self/net/snmp6", "Ip6InReceives 5\n"},
	{"proc/self/net/netstat", "TcpExt: ListenOverflows\nTcpExt: 1\n"},
	{"proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n"},
	{"proc/1/stat", "1 (init) S 0 1 1 0 -1 0 1 0 0 0 5 6 0 0 20 0 1 0 7 1000 10 0\n"},
	{"proc/1/statm", "10 5 3 1 0 4 0\n"},
	{"proc/1/io", "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"},
	{"proc/1/task/1/stat", "1 (init) S 0 1 1 0 -1 0 1 0 0 0 5 6 0 0 20 0 1 0 7 1000 10 0\n"},
	{"sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1000 kB\n"},
	{"sys/devices/system/node/node0/numastat", "numa_hit 5\n"},
	{"sys/fs/cgroup/cgroup.controllers", "cpu memory\n"},
	{"sys/fs/cgroup/cpu.stat", "usage_usec 5\nuser_usec 3\n"},
	{"sys/fs/cgroup/a/cpu.stat", "usage_usec 5\nuser_usec 3\n"},
	{"sys/fs/cgroup/a/memory.current", "4096\n"},
	{"sys/fs/cgroup/a/io.stat", "8:0 rbytes=1 wbytes=2 rios=3 wios=4\n"},
	{"sys/class/net/lo/speed", "1000\n"},
};
#define N_FILES (sizeof(files) / sizeof(files[0]))

static void
place_of(char *out, size_t size, int tree, const char *path)
{
	(void)snprintf(out, size, "%s/t%d/%s", root, tree, path);
}

static void
make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
}

static void
write_bytes(int tree, const char *path, const void *bytes, size_t len)
{
	char place[300];
	FILE *file;

	place_of(place, sizeof(place), tree, path);
	file = fopen(place, "w");
	if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
		abort();
}

static void
write_default(int tree, size_t i)
{
	const char *text = files[i].text;

	if (text == NULL)
		text = tree == 0 ? "130000000000000000 3000000000\n"
				 : "130000000010000000 3010000000\n";
	write_bytes(tree, files[i].path, text, strlen(text));
}

static void
remove_trees(void)
{
	char command[100];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", root);
	(void)!system(command);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	if (mkdtemp(root) == NULL)
		abort();
	(void)atexit(remove_trees);
	for (int tree = 0; tree < 2; tree++) {
		for (size_t i = 0; i < N_FILES; i++) {
			char place[300];

			place_of(place, sizeof(place), tree, files[i].path);
			make_folders(place);
			write_default(tree, i);
		}
	}
	return 0;
}

// Read all samples with everything requested, and add them up.
static void
play(void)
{
	struct pmon_live_options options = {
		.size = sizeof(options), .replay = root, .everything = true};
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_live_open(&options, &source, &err) != PMON_OK)
		return;
	if (pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err) ==
	    PMON_OK)
		while (pmon_source_next(source, &sample, &err) == PMON_OK)
			if (pmon_statistics_add(statistics, sample, NULL, &err) != PMON_OK)
				break;
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line = size > 0 ? memchr(data, '\n', size) : NULL;
	const uint8_t *zero;
	size_t left;

	if (line == NULL)
		return 0;
	left = size - (size_t)(++line - data);
	zero = left > 0 ? memchr(line, 0, left) : NULL;
	for (size_t i = 0; i < N_FILES; i++) {
		size_t len = strlen(files[i].path);

		if ((size_t)(line - data) != len + 1 || memcmp(data, files[i].path, len) != 0)
			continue;
		if (zero == NULL) {
			write_bytes(0, files[i].path, line, left);
			write_bytes(1, files[i].path, line, left);
		} else {
			write_bytes(0, files[i].path, line, (size_t)(zero - line));
			write_bytes(1, files[i].path, zero + 1, left - (size_t)(zero + 1 - line));
		}
		play();
		write_default(0, i);
		write_default(1, i);
	}
	return 0;
}
