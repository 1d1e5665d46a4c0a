// linux.h - /proc and /sys of a host, and the collectors that read them
// SPDX-License-Identifier: MIT
//
// A collector requests files by their path below the root. Each file of enum lx_file is read once per
// sample, however many objects need it, and stays open in between; each reading is stamped with its time.
// struct pmon_scan parses text and never reads past its end: fields that an incomplete or unknown line
// lacks are missing.
//
//	struct lx_reading stat;
//	struct pmon_scan line;
//
//	if (!pmon_lx_file(live->host, LX_STAT, &stat))
//		return PMON_OK;                        // this kernel or container has none
//	while (pmon_lx_line(&stat.text, &line))
//		if (pmon_lx_key(&line, "ctxt") && pmon_lx_u64(&line, &n))
//			live_row_set(&row, CONTEXT_SWITCHES, n);

#ifndef PMON_LIVE_LINUX_LINUX_H
#define PMON_LIVE_LINUX_LINUX_H

#include "base/scan.h"
#include "live/live.h"

#define LX_TICK_100NS (PMON_TIME_PER_SEC / 100) // USER_HZ is 100 on every architecture

// live_counter.windows of a counter that differs only in width.
#define LX_WINDOWS_32 "32 bits wide on Windows"

// The next line, without its newline. Returns false at the end.
bool pmon_lx_line(struct pmon_scan *text, struct pmon_scan *line);

// The same for files whose last line may be incomplete: a line without a newline is skipped.
bool pmon_lx_whole_line(struct pmon_scan *text, struct pmon_scan *line);

// The next word of a line, between blanks. Returns false if there is none.
bool pmon_lx_word(struct pmon_scan *line, struct pmon_span *word);

// The next word as a number. Returns false, with *out 0, if it is not a number. The word is always
// skipped.
bool pmon_lx_u64(struct pmon_scan *line, uint64_t *out);

// The next word as a decimal number, times 10^decimals: "0.25" is 25 with 2 decimals. Further digits are
// dropped. Returns false, with *out 0, if it is not a number.
bool pmon_lx_fixed(struct pmon_scan *line, unsigned decimals, uint64_t *out);

// The next range in a list of numbers, "0-3,8". Returns false if there is none.
bool pmon_lx_range(struct pmon_scan *list, uint64_t *first, uint64_t *last);

// Decode the \ooo escapes of file names in /proc into buf, NUL-terminated and truncated to fit.
void pmon_lx_octal(struct pmon_span text, char *buf, size_t size);

// Skip n words. Returns false if there are fewer.
bool pmon_lx_skip(struct pmon_scan *line, unsigned n);

// Is the next word this key, with or without a colon? If so, it is skipped.
bool pmon_lx_key(struct pmon_scan *line, const char *key);

// Is the next word this prefix and a number, such as "cpu3"? If so, it is skipped. "cpu" in "cpu  8040"
// does not match.
bool pmon_lx_numbered(struct pmon_scan *line, const char *prefix, uint64_t *out);

// Maps a line "key value" or "key: value kB" to a field: value * unit is added to it.
struct lx_key {
	const char *key;
	uint8_t len;
	uint8_t field;
	uint32_t unit;
};
#define LX_KEY(text, field, unit)                                                                  \
	{                                                                                          \
		(text), sizeof(text) - 1, (field), (unit)                                          \
	}

// Set the fields of the keys found in one line, or in all lines of a text.
void pmon_lx_field(struct pmon_scan line, const struct lx_key *keys, size_t n,
		   struct live_row *row);
void pmon_lx_fields(struct pmon_scan text, const struct lx_key *keys, size_t n,
		    struct live_row *row);

// Copy a word as a C string. Returns false if it does not fit or contains a NUL.
bool pmon_lx_name(struct pmon_span word, char *out, size_t size);

// Extends a count that may have 32 bits in the kernel to 64 bits. Initialize it with zeros.
struct lx_tally {
	uint64_t last; // last reading
	uint64_t past; // total of the wraparounds
};

// Update the count to `now`. A decrease by more than half of 2^32 is a wraparound; a smaller one, or one
// of a count above 32 bits, is a real decrease.
void pmon_lx_tally(struct lx_tally *tally, uint64_t now);

static inline uint64_t
pmon_lx_tally_value(const struct lx_tally *tally)
{
	return tally->past + tally->last;
}

// Files that are read whole; host.c has their paths below the root.
enum lx_file {
	LX_STAT,
	LX_LOADAVG,
	LX_UPTIME,
	LX_MEMINFO,
	LX_VMSTAT,
	LX_SWAPS,
	LX_SOFTIRQS,
	LX_INTERRUPTS,
	LX_CPUINFO,
	LX_FILE_NR,
	LX_PRESSURE_CPU,
	LX_PRESSURE_IO,
	LX_PRESSURE_MEMORY,
	LX_PRESSURE_IRQ,
	LX_DISKSTATS,
	LX_MOUNTINFO,
	LX_NET_DEV,
	LX_NET_SNMP,
	LX_NET_SNMP6,
	LX_NET_NETSTAT,
	LX_NET_SOCKSTAT,
	LX_NET_SOCKSTAT6,
	LX_FILES
};

struct lx_reading {
	struct pmon_scan text; // valid until the next sample
	struct live_stamp stamp;
	bool is_cut; // the file is larger than the buffer
};

// Read one of these files. Returns false if it is missing or unreadable.
bool pmon_lx_file(struct live_host *host, enum lx_file file, struct lx_reading *out);

// Read any other file, by its path below the root ("sys/block/sda/queue/rotational"), into buf: up to
// size - 1 bytes, NUL-terminated. For small files that are read rarely. Returns false if it is missing. A
// recorded tree has extra files for the results of system calls: `clock`, and `statvfs` with a line per
// mount point, written as in mountinfo, with its f_frsize, f_blocks, f_bfree, f_bavail, f_files and
// f_ffree (volume.c).
bool pmon_lx_read(struct live_host *host, const char *path, char *buf, size_t size,
		  struct lx_reading *out);

// The same for a path below an open directory. Text that does not fit is cut after its last whole line.
bool pmon_lx_read_at(const struct live_host *host, int dir, const char *path, char *buf,
		     size_t size, struct lx_reading *out);

// Descriptor of the root, for openat(). In a recording it changes with each sample, together with
// pmon_lx_tree().
int pmon_lx_root(const struct live_host *host);

// Number of the current tree in a recording; 0 on a running system, where files may be kept open.
uint64_t pmon_lx_tree(const struct live_host *host);
bool pmon_lx_is_recorded(const struct live_host *host);

// The clocks now.
struct live_stamp pmon_lx_now(const struct live_host *host);

// Does /proc list the processes of all users? Not if it is mounted with hidepid=2 or 4 and pmon lacks
// the permission to see all of them (hidepid.c).
PMON_NODISCARD enum pmon_status pmon_lx_sees_processes(struct live *live, bool *out,
						       struct pmon_err *err);

// State that a collector keeps between samples, by slot: initially NULL; `free` is called with it when
// the source is closed.
enum lx_slot {
	LX_SLOT_HIDEPID,
	LX_SLOT_CPU,
	LX_SLOT_MEMORY,
	LX_SLOT_DISK,
	LX_SLOT_VOLUME,
	LX_SLOT_NET,
	LX_SLOT_PROCESS,
	LX_SLOT_CGROUP,
	LX_SLOT_NODE,
	LX_SLOT_DISK_TOTAL,
	LX_SLOT_TCPIP,
	LX_SLOTS
};
typedef void (*lx_free_fn)(const struct live *live, void *kept);
void **pmon_lx_kept(struct live_host *host, enum lx_slot slot, lx_free_fn free);

// The objects.
extern const struct live_object pmon_lx_system;                // system.c
extern const struct live_object pmon_lx_processor;             // processor.c
extern const struct live_object pmon_lx_processor_information; // processor.c
extern const struct live_object pmon_lx_memory;                // memory.c
extern const struct live_object pmon_lx_paging_file;           // paging_file.c
extern const struct live_object pmon_lx_pressure;              // pressure.c
extern const struct live_object pmon_lx_numa;                  // numa.c
extern const struct live_object pmon_lx_softirq;               // softirq.c
extern const struct live_object pmon_lx_cgroup;                // cgroup.c
extern const struct live_object pmon_lx_physical_disk;         // disk.c
extern const struct live_object pmon_lx_logical_disk;          // volume.c
extern const struct live_object pmon_lx_network;               // net.c
extern const struct live_object pmon_lx_tcp4, pmon_lx_tcp6;    // tcpip.c
extern const struct live_object pmon_lx_udp4, pmon_lx_udp6;
extern const struct live_object pmon_lx_ip4, pmon_lx_ip6;
extern const struct live_object pmon_lx_icmp4, pmon_lx_icmp6;
extern const struct live_object pmon_lx_process; // process.c
extern const struct live_object pmon_lx_thread;  // thread.c

#endif
