// net.c - the object Network Interface: /proc/net/dev, and the speeds in /sys/class/net
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "live/linux/linux.h"

#define MAX_NICS      16384 // lines that are read
#define NIC_NAME      64    // kernel names have at most 15 bytes
#define NIC_COUNTS    16    // numbers on a line
#define BITS_PER_MBIT UINT64_C(1000000)

enum {
	BYTES,
	BYTES_RECEIVED,
	BYTES_SENT,
	PACKETS,
	PACKETS_RECEIVED,
	PACKETS_SENT,
	MULTICAST,
	RECEIVED_ERRORS,
	SENT_ERRORS,
	RECEIVED_DISCARDED,
	SENT_DISCARDED,
	COLLISIONS,
	BANDWIDTH
};

// The numbers of a line, from 0: eight for receiving, eight for sending.
enum {
	RX_BYTES,
	RX_PACKETS,
	RX_ERRORS,
	RX_DROPPED,
	RX_MULTICAST = 7,
	TX_BYTES,
	TX_PACKETS,
	TX_ERRORS,
	TX_DROPPED,
	TX_COLLISIONS = 13
};

#define NET_DEV "/proc/net/dev: "

static const struct live_counter counters[] = {
	{"Bytes Total/sec", PMON_PERF_COUNTER_BULK_COUNT, -4, BYTES, LIVE_NO_FIELD,
	 NET_DEV "bytes, received + sent", "=", "Bytes received and sent, including headers."},
	{"Bytes Received/sec", PMON_PERF_COUNTER_BULK_COUNT, -4, BYTES_RECEIVED, LIVE_NO_FIELD,
	 NET_DEV "Receive bytes", "=", "Bytes received, including headers."},
	{"Bytes Sent/sec", PMON_PERF_COUNTER_BULK_COUNT, -4, BYTES_SENT, LIVE_NO_FIELD,
	 NET_DEV "Transmit bytes", "=", "Bytes sent, including headers."},
	{"Packets/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, PACKETS, LIVE_NO_FIELD,
	 NET_DEV "packets, received + sent", "=", "Packets received and sent."},
	{"Packets Received/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, PACKETS_RECEIVED, LIVE_NO_FIELD,
	 NET_DEV "Receive packets", "=", "Packets received."},
	{"Packets Sent/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, PACKETS_SENT, LIVE_NO_FIELD,
	 NET_DEV "Transmit packets", "=", "Packets sent."},
	{"Packets Received Multicast/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, MULTICAST,
	 LIVE_NO_FIELD, NET_DEV "Receive multicast", "",
	 "Multicast packets received, if the driver counts them. Windows' Packets Received "
	 "Non-Unicast/sec includes broadcasts, which Linux does not count."},
	{"Packets Received Errors", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, RECEIVED_ERRORS,
	 LIVE_NO_FIELD, NET_DEV "Receive errs", "=",
	 "Received packets with errors, since the interface was created."},
	{"Packets Outbound Errors", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, SENT_ERRORS, LIVE_NO_FIELD,
	 NET_DEV "Transmit errs", "=",
	 "Packets that could not be sent because of errors, since the interface was created."},
	{"Packets Received Discarded", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, RECEIVED_DISCARDED,
	 LIVE_NO_FIELD, NET_DEV "Receive drop",
	 "The same; Linux also counts packets of protocols that have no handler",
	 "Received packets that were dropped, since the interface was created."},
	{"Packets Outbound Discarded", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, SENT_DISCARDED,
	 LIVE_NO_FIELD, NET_DEV "Transmit drop", "=",
	 "Outgoing packets that were dropped, since the interface was created."},
	{"Collisions/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, COLLISIONS, LIVE_NO_FIELD,
	 NET_DEV "Transmit colls", "", "Collisions on a half-duplex link."},
	{"Current Bandwidth", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -6, BANDWIDTH, LIVE_NO_FIELD,
	 "/sys/class/net/<name>/speed, Mbit/s",
	 "The same; absent if the speed is unknown, as for virtual interfaces",
	 "Link speed in bits per second, in one direction."},
};

// ---- From sample to sample ------------------------------------------------------------------

struct nic {
	char name[NIC_NAME];
	struct lx_tally count[NIC_COUNTS];
};

struct kept {
	struct nic *now;
	size_t n;
	size_t cap;
	struct nic *before;
	size_t n_before;
	size_t before_cap;
	size_t expected; // where the search for the next one in `before` starts
};

static void
turn_over(struct kept *kept)
{
	struct nic *nic = kept->now;
	size_t cap = kept->cap;

	kept->now = kept->before;
	kept->cap = kept->before_cap;
	kept->before = nic;
	kept->before_cap = cap;
	kept->n_before = kept->n;
	kept->n = 0;
	kept->expected = 0;
}

static const struct nic *
find_before(struct kept *kept, const char *name)
{
	for (size_t i = 0; i < kept->n_before; i++) {
		size_t at = (kept->expected + i) % kept->n_before;

		if (strcmp(kept->before[at].name, name) == 0) {
			kept->expected = at + 1;
			return &kept->before[at];
		}
	}
	return NULL;
}

// Where counts have 32 bits, bytes wrap at 2^32. If the packets went back too, it is another
// interface with the same name.
static void
follow(struct kept *kept, struct nic *nic)
{
	const struct nic *before = find_before(kept, nic->name);

	if (before == NULL || nic->count[RX_PACKETS].last < before->count[RX_PACKETS].last ||
	    nic->count[TX_PACKETS].last < before->count[TX_PACKETS].last)
		return;
	for (size_t i = 0; i < NIC_COUNTS; i++) {
		uint64_t now = nic->count[i].last;

		nic->count[i] = before->count[i];
		pmon_lx_tally(&nic->count[i], now);
	}
}

// ---- Lines ----------------------------------------------------------------------------------

// "  eth0: 54892601    1360 ...", also without the blank. The two lines above it have no colon.
static bool
parse_nic(struct pmon_scan line, struct nic *nic)
{
	struct pmon_span name;
	struct pmon_scan head = {line.at, memchr(line.at, ':', (size_t)(line.end - line.at))};

	if (head.end == NULL || !pmon_lx_word(&head, &name) ||
	    !pmon_lx_name(name, nic->name, sizeof(nic->name)))
		return false;
	line.at = head.end + 1;
	for (size_t i = 0; i < NIC_COUNTS; i++) {
		nic->count[i].past = 0;
		if (!pmon_lx_u64(&line, &nic->count[i].last))
			return false;
	}
	return true;
}

static void
set_fields(const struct nic *nic, struct live_row *row)
{
	uint64_t count[NIC_COUNTS];

	for (size_t i = 0; i < NIC_COUNTS; i++)
		count[i] = pmon_lx_tally_value(&nic->count[i]);
	live_row_set(row, BYTES, count[RX_BYTES] + count[TX_BYTES]);
	live_row_set(row, BYTES_RECEIVED, count[RX_BYTES]);
	live_row_set(row, BYTES_SENT, count[TX_BYTES]);
	live_row_set(row, PACKETS, count[RX_PACKETS] + count[TX_PACKETS]);
	live_row_set(row, PACKETS_RECEIVED, count[RX_PACKETS]);
	live_row_set(row, PACKETS_SENT, count[TX_PACKETS]);
	live_row_set(row, MULTICAST, count[RX_MULTICAST]);
	live_row_set(row, RECEIVED_ERRORS, count[RX_ERRORS]);
	live_row_set(row, SENT_ERRORS, count[TX_ERRORS]);
	live_row_set(row, RECEIVED_DISCARDED, count[RX_DROPPED]);
	live_row_set(row, SENT_DISCARDED, count[TX_DROPPED]);
	live_row_set(row, COLLISIONS, count[TX_COLLISIONS]);
}

// If the speed is unknown, it is missing, "-1", or -1 as an unsigned number of 16 or 32 bits.
static void
read_speed(struct live_host *host, const char *name, struct live_row *row)
{
	char path[sizeof("sys/class/net//speed") + NIC_NAME];
	char buf[32];
	struct lx_reading reading;
	struct pmon_scan line;
	uint64_t mbit;

	if (strchr(name, '/') != NULL)
		return;
	(void)snprintf(path, sizeof(path), "sys/class/net/%s/speed", name);
	if (pmon_lx_read(host, path, buf, sizeof(buf), &reading) &&
	    pmon_lx_line(&reading.text, &line) && pmon_lx_u64(&line, &mbit) && mbit > 0 &&
	    mbit != UINT16_MAX && mbit < UINT32_MAX)
		live_row_set(row, BANDWIDTH, mbit * BITS_PER_MBIT);
}

// ---- The object -----------------------------------------------------------------------------

static enum pmon_status
put_nic(struct live *live, const struct live_asked *asked, const struct nic *nic,
	struct live_row *row, struct pmon_err *err)
{
	char name[NIC_NAME];

	row->present = 0;
	set_fields(nic, row);
	if (live_wants(asked, UINT64_C(1) << BANDWIDTH))
		read_speed(live->host, nic->name, row);
	memcpy(name, nic->name, sizeof(name));
	pmon_live_clean_name(name);
	return pmon_live_put(live, asked, name, row, err);
}

static void
free_kept(const struct live *live, void *ptr)
{
	struct kept *kept = ptr;

	pmon_mem_free(live->allocator, kept->now, kept->cap * sizeof(*kept->now));
	pmon_mem_free(live->allocator, kept->before, kept->before_cap * sizeof(*kept->before));
	pmon_mem_free(live->allocator, kept, sizeof(*kept));
}

static struct kept *
kept_of(struct live *live)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_NET, free_kept);

	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(struct kept));
	return *slot;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct kept *kept = kept_of(live);
	struct lx_reading reading;
	struct pmon_scan line;
	struct live_row row;
	struct nic nic;
	enum pmon_status status = PMON_OK;

	if (kept == NULL)
		return pmon_err_nomem(err);
	turn_over(kept);
	if (!pmon_lx_file(live->host, LX_NET_DEV, &reading))
		return PMON_OK;
	live_row_begin(&row, &reading.stamp);
	while (status == PMON_OK && kept->n < MAX_NICS &&
	       pmon_lx_whole_line(&reading.text, &line)) {
		if (!parse_nic(line, &nic))
			continue;
		follow(kept, &nic);
		if (!pmon_mem_grow(live->allocator, &kept->now, &kept->cap, kept->n + 1,
				   sizeof(nic)))
			return pmon_err_nomem(err);
		kept->now[kept->n++] = nic;
		status = put_nic(live, asked, &nic, &row, err);
	}
	return status;
}

const struct live_object pmon_lx_network = {
	.name = "Network Interface",
	.help = "Interfaces of this network namespace, including loopback, named as in Linux.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
