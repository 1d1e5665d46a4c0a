// tcpip.c - the objects of the internet protocols: TCPv4, UDPv4, IPv4, ICMP and those of version 6
// SPDX-License-Identifier: MIT
//
// The kernel keeps the counts of RFC 1213 and its successors, as Windows does: for version 4 in
// /proc/net/snmp, for version 6 in /proc/net/snmp6. TCP is the exception: Linux counts segments and
// connections of both versions together, under version 4. So they are in TCPv4, and TCPv6 has only what
// the kernel reports separately: its sockets.

#include <string.h>

#include "base/mem.h"
#include "live/linux/linux.h"

// ---- Counters -------------------------------------------------------------------------------

// Fields of every object: received, sent, and their sum.
enum {
	RECEIVED,
	SENT,
	BOTH,
	OTHERS
};
#define MAX_FIELDS 24

#define RATE(name, field, from, windows, help)                                                     \
	{                                                                                          \
		name, PMON_PERF_COUNTER_BULK_COUNT, -1, field, LIVE_NO_FIELD, from, windows, help  \
	}
#define TOTAL(name, field, from, windows, help)                                                    \
	{                                                                                          \
		name, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, field, LIVE_NO_FIELD, from, windows,    \
			help                                                                       \
	}
#define NOW(name, field, from, windows, help)                                                      \
	{                                                                                          \
		name, PMON_PERF_COUNTER_RAWCOUNT, 0, field, LIVE_NO_FIELD, from, windows, help     \
	}

enum {
	RETRANSMITTED = OTHERS,
	ESTABLISHED,
	ACTIVE,
	PASSIVE,
	FAILURES,
	RESET,
	OVERFLOWS,
	SOCKETS
};

#define SNMP_TCP  "/proc/net/snmp: Tcp "
#define BOTH_VERS "TCP over IPv4 and IPv6 together; "
#define BOTH_32   BOTH_VERS LX_WINDOWS_32

static const struct live_counter tcp4_counters[] = {
	RATE("Segments/sec", BOTH, SNMP_TCP "InSegs + OutSegs", BOTH_32,
	     "Segments received and sent."),
	RATE("Segments Received/sec", RECEIVED, SNMP_TCP "InSegs", BOTH_32,
	     "Segments received, including those with errors."),
	RATE("Segments Sent/sec", SENT, SNMP_TCP "OutSegs", BOTH_32,
	     "Segments sent, excluding retransmissions."),
	RATE("Segments Retransmitted/sec", RETRANSMITTED, SNMP_TCP "RetransSegs", BOTH_32,
	     "Segments retransmitted."),
	NOW("Connections Established", ESTABLISHED, SNMP_TCP "CurrEstab",
	    "TCP over IPv4 and IPv6 together", "Connections that are ESTABLISHED or CLOSE-WAIT."),
	TOTAL("Connections Active", ACTIVE, SNMP_TCP "ActiveOpens", BOTH_32,
	      "Active opens: connections that this machine initiated, since boot."),
	TOTAL("Connections Passive", PASSIVE, SNMP_TCP "PassiveOpens", BOTH_32,
	      "Passive opens: connections that this machine accepted, since boot."),
	TOTAL("Connection Failures", FAILURES, SNMP_TCP "AttemptFails", BOTH_32,
	      "Failed connection attempts, since boot."),
	TOTAL("Connections Reset", RESET, SNMP_TCP "EstabResets", BOTH_32,
	      "Connections reset, since boot."),
	RATE("Listen Overflows/sec", OVERFLOWS, "/proc/net/netstat: TcpExt ListenOverflows", "",
	     "Connections dropped because the accept queue of a listening socket was full, over "
	     "IPv4 and IPv6."),
	NOW("Sockets", SOCKETS, "/proc/net/sockstat: TCP inuse", "",
	    "IPv4 sockets that are listening, connecting or connected."),
};

static const struct live_counter tcp6_counters[] = {
	NOW("Sockets", SOCKETS, "/proc/net/sockstat6: TCP6 inuse", "",
	    "IPv6 sockets that are listening, connecting or connected, including those that serve "
	    "IPv4. Linux counts IPv6 segments in TCPv4."),
};

enum {
	NO_PORT = OTHERS,
	UDP_ERRORS,
	UDP_SOCKETS
};

#define UDP_COUNTERS(snmp, sockstat)                                                               \
	RATE("Datagrams/sec", BOTH, snmp "InDatagrams + OutDatagrams", LX_WINDOWS_32,              \
	     "Datagrams received and sent."),                                                      \
		RATE("Datagrams Received/sec", RECEIVED, snmp "InDatagrams", LX_WINDOWS_32,        \
		     "Datagrams delivered to programs."),                                          \
		RATE("Datagrams Sent/sec", SENT, snmp "OutDatagrams", LX_WINDOWS_32,               \
		     "Datagrams sent."),                                                           \
		RATE("Datagrams No Port/sec", NO_PORT, snmp "NoPorts", LX_WINDOWS_32,              \
		     "Datagrams received for a port on which no program listens."),                \
		TOTAL("Datagrams Received Errors", UDP_ERRORS, snmp "InErrors", LX_WINDOWS_32,     \
		      "Datagrams that could not be delivered for other reasons, such as a full "   \
		      "socket buffer, since boot."),                                               \
		NOW("Sockets", UDP_SOCKETS, sockstat " inuse", "", "Sockets in use.")

static const struct live_counter udp4_counters[] = {
	UDP_COUNTERS("/proc/net/snmp: Udp ", "/proc/net/sockstat: UDP"),
};
static const struct live_counter udp6_counters[] = {
	UDP_COUNTERS("/proc/net/snmp6: Udp6", "/proc/net/sockstat6: UDP6"),
};

enum {
	HEADER_ERRORS = OTHERS,
	ADDRESS_ERRORS,
	FORWARDED,
	UNKNOWN_PROTOCOL,
	IN_DISCARDED,
	DELIVERED,
	OUT_DISCARDED,
	NO_ROUTE,
	FRAGMENTS_RECEIVED,
	REASSEMBLED,
	REASSEMBLY_FAILURES,
	FRAGMENTED,
	FRAGMENTATION_FAILURES,
	FRAGMENTS_CREATED
};

#define IP_COUNTERS(snmp, forwarded)                                                               \
	RATE("Datagrams/sec", BOTH, snmp "InReceives + OutRequests", LX_WINDOWS_32,                \
	     "Datagrams received and sent, excluding forwarded ones."),                            \
		RATE("Datagrams Received/sec", RECEIVED, snmp "InReceives", LX_WINDOWS_32,         \
		     "Datagrams received, including those with errors."),                          \
		TOTAL("Datagrams Received Header Errors", HEADER_ERRORS, snmp "InHdrErrors",       \
		      LX_WINDOWS_32, "Datagrams dropped because of header errors, since boot."),   \
		TOTAL("Datagrams Received Address Errors", ADDRESS_ERRORS, snmp "InAddrErrors",    \
		      LX_WINDOWS_32,                                                               \
		      "Datagrams dropped because of an invalid destination address, since boot."), \
		RATE("Datagrams Forwarded/sec", FORWARDED, snmp forwarded, LX_WINDOWS_32,          \
		     "Datagrams forwarded."),                                                      \
		TOTAL("Datagrams Received Unknown Protocol", UNKNOWN_PROTOCOL,                     \
		      snmp "InUnknownProtos", LX_WINDOWS_32,                                       \
		      "Datagrams dropped because of an unknown protocol, since boot."),            \
		TOTAL("Datagrams Received Discarded", IN_DISCARDED, snmp "InDiscards",             \
		      LX_WINDOWS_32,                                                               \
		      "Received datagrams dropped for other reasons, such as a lack of buffers, "  \
		      "since boot."),                                                              \
		RATE("Datagrams Received Delivered/sec", DELIVERED, snmp "InDelivers",             \
		     LX_WINDOWS_32, "Datagrams delivered to protocols, including ICMP."),          \
		RATE("Datagrams Sent/sec", SENT, snmp "OutRequests", LX_WINDOWS_32,                \
		     "Datagrams that local protocols passed to IP for sending."),                  \
		TOTAL("Datagrams Outbound Discarded", OUT_DISCARDED, snmp "OutDiscards",           \
		      LX_WINDOWS_32,                                                               \
		      "Outgoing datagrams dropped for other reasons, such as a lack of buffers, "  \
		      "since boot."),                                                              \
		TOTAL("Datagrams Outbound No Route", NO_ROUTE, snmp "OutNoRoutes", LX_WINDOWS_32,  \
		      "Outgoing datagrams dropped because there was no route, since boot."),       \
		RATE("Fragments Received/sec", FRAGMENTS_RECEIVED, snmp "ReasmReqds",              \
		     LX_WINDOWS_32, "Fragments received."),                                        \
		RATE("Fragments Re-assembled/sec", REASSEMBLED, snmp "ReasmOKs", LX_WINDOWS_32,    \
		     "Datagrams reassembled from fragments."),                                     \
		TOTAL("Fragment Re-assembly Failures", REASSEMBLY_FAILURES, snmp "ReasmFails",     \
		      LX_WINDOWS_32, "Reassembly failures, since boot."),                          \
		RATE("Fragmented Datagrams/sec", FRAGMENTED, snmp "FragOKs", LX_WINDOWS_32,        \
		     "Datagrams fragmented."),                                                     \
		TOTAL("Fragmentation Failures", FRAGMENTATION_FAILURES, snmp "FragFails",          \
		      LX_WINDOWS_32,                                                               \
		      "Datagrams dropped because they needed fragmentation, which was forbidden, " \
		      "since boot."),                                                              \
		RATE("Fragments Created/sec", FRAGMENTS_CREATED, snmp "FragCreates",               \
		     LX_WINDOWS_32, "Fragments created.")

static const struct live_counter ip4_counters[] = {
	IP_COUNTERS("/proc/net/snmp: Ip ", "ForwDatagrams"),
};
static const struct live_counter ip6_counters[] = {
	IP_COUNTERS("/proc/net/snmp6: Ip6", "OutForwDatagrams"),
};

enum {
	IN_ERRORS = OTHERS,
	OUT_ERRORS,
	IN_UNREACHABLE,
	OUT_UNREACHABLE,
	IN_TIME_EXCEEDED,
	OUT_TIME_EXCEEDED,
	IN_ECHO,
	OUT_ECHO,
	IN_ECHO_REPLY,
	OUT_ECHO_REPLY,
	IN_REDIRECT,
	OUT_REDIRECT
};

#define ICMP_COUNTERS(snmp, replies)                                                               \
	RATE("Messages/sec", BOTH, snmp "InMsgs + OutMsgs", LX_WINDOWS_32,                         \
	     "Messages received and sent."),                                                       \
		RATE("Messages Received/sec", RECEIVED, snmp "InMsgs", LX_WINDOWS_32,              \
		     "Messages received, including those with errors."),                           \
		TOTAL("Messages Received Errors", IN_ERRORS, snmp "InErrors", LX_WINDOWS_32,       \
		      "Messages received with errors, since boot."),                               \
		TOTAL("Received Dest. Unreachable", IN_UNREACHABLE, snmp "InDestUnreachs",         \
		      LX_WINDOWS_32, "Destination Unreachable messages received, since boot."),    \
		TOTAL("Received Time Exceeded", IN_TIME_EXCEEDED, snmp "InTimeExcds",              \
		      LX_WINDOWS_32, "Time Exceeded messages received, since boot."),              \
		RATE("Received Echo/sec", IN_ECHO, snmp "InEchos", LX_WINDOWS_32,                  \
		     "Echo requests received."),                                                   \
		RATE("Received Echo Reply/sec", IN_ECHO_REPLY, snmp "In" replies, LX_WINDOWS_32,   \
		     "Echo replies received."),                                                    \
		RATE("Received Redirect/sec", IN_REDIRECT, snmp "InRedirects", LX_WINDOWS_32,      \
		     "Redirect messages received."),                                               \
		RATE("Messages Sent/sec", SENT, snmp "OutMsgs", LX_WINDOWS_32, "Messages sent."),  \
		TOTAL("Messages Outbound Errors", OUT_ERRORS, snmp "OutErrors", LX_WINDOWS_32,     \
		      "Messages not sent because of errors, since boot."),                         \
		TOTAL("Sent Destination Unreachable", OUT_UNREACHABLE, snmp "OutDestUnreachs",     \
		      LX_WINDOWS_32, "Destination Unreachable messages sent, since boot."),        \
		TOTAL("Sent Time Exceeded", OUT_TIME_EXCEEDED, snmp "OutTimeExcds", LX_WINDOWS_32, \
		      "Time Exceeded messages sent, since boot."),                                 \
		RATE("Sent Echo/sec", OUT_ECHO, snmp "OutEchos", LX_WINDOWS_32,                    \
		     "Echo requests sent."),                                                       \
		RATE("Sent Echo Reply/sec", OUT_ECHO_REPLY, snmp "Out" replies, LX_WINDOWS_32,     \
		     "Echo replies sent."),                                                        \
		RATE("Sent Redirect/sec", OUT_REDIRECT, snmp "OutRedirects", LX_WINDOWS_32,        \
		     "Redirect messages sent.")

static const struct live_counter icmp4_counters[] = {
	ICMP_COUNTERS("/proc/net/snmp: Icmp ", "EchoReps"),
};
static const struct live_counter icmp6_counters[] = {
	ICMP_COUNTERS("/proc/net/snmp6: Icmp6", "EchoReplies"),
};

// ---- Where they are found -------------------------------------------------------------------

// A kernel name without its group prefix. Both versions share a list; if their names differ, it has both.
struct key {
	const char *name;
	uint8_t field;
};

static const struct key tcp_keys[] = {
	{"InSegs", RECEIVED},    {"OutSegs", SENT},          {"RetransSegs", RETRANSMITTED},
	{"ActiveOpens", ACTIVE}, {"PassiveOpens", PASSIVE},  {"AttemptFails", FAILURES},
	{"EstabResets", RESET},  {"CurrEstab", ESTABLISHED},
};
static const struct key tcp_ext_keys[] = {{"ListenOverflows", OVERFLOWS}};
static const struct key tcp_socket_keys[] = {{"inuse", SOCKETS}};
static const struct key udp_keys[] = {
	{"InDatagrams", RECEIVED},
	{"OutDatagrams", SENT},
	{"NoPorts", NO_PORT},
	{"InErrors", UDP_ERRORS},
};
static const struct key udp_socket_keys[] = {{"inuse", UDP_SOCKETS}};
static const struct key ip_keys[] = {
	{"InReceives", RECEIVED},
	{"OutRequests", SENT},
	{"InHdrErrors", HEADER_ERRORS},
	{"InAddrErrors", ADDRESS_ERRORS},
	{"ForwDatagrams", FORWARDED},
	{"OutForwDatagrams", FORWARDED},
	{"InUnknownProtos", UNKNOWN_PROTOCOL},
	{"InDiscards", IN_DISCARDED},
	{"InDelivers", DELIVERED},
	{"OutDiscards", OUT_DISCARDED},
	{"OutNoRoutes", NO_ROUTE},
	{"ReasmReqds", FRAGMENTS_RECEIVED},
	{"ReasmOKs", REASSEMBLED},
	{"ReasmFails", REASSEMBLY_FAILURES},
	{"FragOKs", FRAGMENTED},
	{"FragFails", FRAGMENTATION_FAILURES},
	{"FragCreates", FRAGMENTS_CREATED},
};
static const struct key icmp_keys[] = {
	{"InMsgs", RECEIVED},
	{"OutMsgs", SENT},
	{"InErrors", IN_ERRORS},
	{"OutErrors", OUT_ERRORS},
	{"InDestUnreachs", IN_UNREACHABLE},
	{"OutDestUnreachs", OUT_UNREACHABLE},
	{"InTimeExcds", IN_TIME_EXCEEDED},
	{"OutTimeExcds", OUT_TIME_EXCEEDED},
	{"InEchos", IN_ECHO},
	{"OutEchos", OUT_ECHO},
	{"InEchoReps", IN_ECHO_REPLY},
	{"OutEchoReps", OUT_ECHO_REPLY},
	{"InEchoReplies", IN_ECHO_REPLY},
	{"OutEchoReplies", OUT_ECHO_REPLY},
	{"InRedirects", IN_REDIRECT},
	{"OutRedirects", OUT_REDIRECT},
};

// The format of a file.
enum form {
	FORM_ROWS,  // "Tcp: RtoAlgorithm ...", and on the next line "Tcp: 1 ..."
	FORM_LINES, // "Ip6InReceives 2"
	FORM_PAIRS, // "TCP: inuse 1 orphan 0"
};

struct place {
	enum lx_file file;
	enum form form;
	const char *group;
	const struct key *keys;
	size_t n_keys;
};

#define PLACE(file, form, group, keys)                                                             \
	{                                                                                          \
		file, form, group, keys, sizeof(keys) / sizeof((keys)[0])                          \
	}
#define MAX_PLACES 3

enum protocol {
	TCP4,
	TCP6,
	UDP4,
	UDP6,
	IP4,
	IP6,
	ICMP4,
	ICMP6,
	PROTOCOLS
};

static const struct {
	const struct live_object *object;
	struct place places[MAX_PLACES];
	uint64_t momentary; // fields that are gauges (bits)
} protocols[PROTOCOLS] = {
	[TCP4] = {&pmon_lx_tcp4,
		  {PLACE(LX_NET_SNMP, FORM_ROWS, "Tcp", tcp_keys),
		   PLACE(LX_NET_NETSTAT, FORM_ROWS, "TcpExt", tcp_ext_keys),
		   PLACE(LX_NET_SOCKSTAT, FORM_PAIRS, "TCP", tcp_socket_keys)},
		  UINT64_C(1) << ESTABLISHED | UINT64_C(1) << SOCKETS},
	[TCP6] = {&pmon_lx_tcp6,
		  {PLACE(LX_NET_SOCKSTAT6, FORM_PAIRS, "TCP6", tcp_socket_keys)},
		  UINT64_C(1) << SOCKETS},
	[UDP4] = {&pmon_lx_udp4,
		  {PLACE(LX_NET_SNMP, FORM_ROWS, "Udp", udp_keys),
		   PLACE(LX_NET_SOCKSTAT, FORM_PAIRS, "UDP", udp_socket_keys)},
		  UINT64_C(1) << UDP_SOCKETS},
	[UDP6] = {&pmon_lx_udp6,
		  {PLACE(LX_NET_SNMP6, FORM_LINES, "Udp6", udp_keys),
		   PLACE(LX_NET_SOCKSTAT6, FORM_PAIRS, "UDP6", udp_socket_keys)},
		  UINT64_C(1) << UDP_SOCKETS},
	[IP4] = {&pmon_lx_ip4, {PLACE(LX_NET_SNMP, FORM_ROWS, "Ip", ip_keys)}, 0},
	[IP6] = {&pmon_lx_ip6, {PLACE(LX_NET_SNMP6, FORM_LINES, "Ip6", ip_keys)}, 0},
	[ICMP4] = {&pmon_lx_icmp4, {PLACE(LX_NET_SNMP, FORM_ROWS, "Icmp", icmp_keys)}, 0},
	[ICMP6] = {&pmon_lx_icmp6, {PLACE(LX_NET_SNMP6, FORM_LINES, "Icmp6", icmp_keys)}, 0},
};

// ---- Reading --------------------------------------------------------------------------------

static void
set_key(const struct place *place, struct pmon_span name, uint64_t value, struct live_row *row)
{
	for (size_t i = 0; i < place->n_keys; i++)
		if (strlen(place->keys[i].name) == name.len &&
		    memcmp(place->keys[i].name, name.ptr, name.len) == 0)
			live_row_set(row, place->keys[i].field, value);
}

// Values that are not counts, such as the "-1" of MaxConn, are skipped.
static void
read_rows(const struct place *place, struct pmon_scan text, struct live_row *row)
{
	struct pmon_scan names;
	struct pmon_scan values;
	struct pmon_span name;
	uint64_t n;

	while (pmon_lx_whole_line(&text, &names)) {
		if (!pmon_lx_key(&names, place->group))
			continue;
		if (!pmon_lx_whole_line(&text, &values) || !pmon_lx_key(&values, place->group))
			return;
		while (pmon_lx_word(&names, &name))
			if (pmon_lx_u64(&values, &n))
				set_key(place, name, n, row);
	}
}

static void
read_lines(const struct place *place, struct pmon_scan text, struct live_row *row)
{
	size_t len = strlen(place->group);
	struct pmon_scan line;
	struct pmon_span name;
	uint64_t n;

	while (pmon_lx_whole_line(&text, &line)) {
		if (!pmon_lx_word(&line, &name) || name.len < len ||
		    memcmp(name.ptr, place->group, len) != 0 || !pmon_lx_u64(&line, &n))
			continue;
		name.ptr += len;
		name.len -= len;
		set_key(place, name, n, row);
	}
}

static void
read_pairs(const struct place *place, struct pmon_scan text, struct live_row *row)
{
	struct pmon_scan line;
	struct pmon_span name;
	uint64_t n;

	while (pmon_lx_whole_line(&text, &line)) {
		if (!pmon_lx_key(&line, place->group))
			continue;
		while (pmon_lx_word(&line, &name))
			if (pmon_lx_u64(&line, &n))
				set_key(place, name, n, row);
	}
}

static uint64_t
fields_of(const struct place *place)
{
	uint64_t fields = 0;

	for (size_t i = 0; i < place->n_keys; i++)
		fields |= UINT64_C(1) << place->keys[i].field;
	return (fields & (1 << RECEIVED | 1 << SENT)) != 0 ? fields | 1 << BOTH : fields;
}

static void
read_place(struct live *live, const struct live_asked *asked, const struct place *place,
	   struct live_row *row)
{
	static void (*const read[])(const struct place *place, struct pmon_scan text,
				    struct live_row *row) = {
		[FORM_ROWS] = read_rows,
		[FORM_LINES] = read_lines,
		[FORM_PAIRS] = read_pairs,
	};
	struct lx_reading reading;

	if (!live_wants(asked, fields_of(place)) ||
	    !pmon_lx_file(live->host, place->file, &reading))
		return;
	// Sockets are gauges, so the stamp is that of the counts.
	if (place->form != FORM_PAIRS)
		row->stamp = reading.stamp;
	read[place->form](place, reading.text, row);
}

// ---- The objects ----------------------------------------------------------------------------

struct kept {
	struct lx_tally count[PROTOCOLS][MAX_FIELDS];
};

static void
free_kept(const struct live *live, void *kept)
{
	pmon_mem_free(live->allocator, kept, sizeof(struct kept));
}

// Where long has 32 bits, the counts wrap at 2^32.
static void
continue_counts(struct lx_tally *count, uint64_t momentary, struct live_row *row)
{
	for (unsigned f = 0; f < MAX_FIELDS; f++) {
		if (((row->present & ~momentary) >> f & 1) == 0)
			continue;
		pmon_lx_tally(&count[f], (uint64_t)row->field[f]);
		row->field[f] = (int64_t)pmon_lx_tally_value(&count[f]);
	}
}

static void
set_both(struct live_row *row)
{
	if ((row->present >> RECEIVED & row->present >> SENT & 1) != 0)
		live_row_set(row, BOTH,
			     (uint64_t)row->field[RECEIVED] + (uint64_t)row->field[SENT]);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_TCPIP, free_kept);
	struct live_row row;
	size_t p = 0;

	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(struct kept));
	if (*slot == NULL)
		return pmon_err_nomem(err);
	while (protocols[p].object != asked->object)
		p++;
	live_row_begin(&row, &live->now);
	for (size_t i = 0; i < MAX_PLACES && protocols[p].places[i].n_keys > 0; i++)
		read_place(live, asked, &protocols[p].places[i], &row);
	continue_counts(((struct kept *)*slot)->count[p], protocols[p].momentary, &row);
	set_both(&row);
	return row.present == 0 ? PMON_OK : pmon_live_put(live, asked, NULL, &row, err);
}

#define OBJECT(symbol, title, text, table)                                                         \
	const struct live_object symbol = {                                                        \
		.name = title,                                                                     \
		.help = text,                                                                      \
		.counters = table,                                                                 \
		.n_counters = sizeof(table) / sizeof((table)[0]),                                  \
		.collect = collect,                                                                \
	}

OBJECT(pmon_lx_tcp4, "TCPv4",
       "TCP. Linux does not split segments and connections by IP version, so these counters "
       "include IPv6.",
       tcp4_counters);
OBJECT(pmon_lx_tcp6, "TCPv6", "TCP over IPv6: what Linux counts separately from IPv4.",
       tcp6_counters);
OBJECT(pmon_lx_udp4, "UDPv4", "UDP over IPv4.", udp4_counters);
OBJECT(pmon_lx_udp6, "UDPv6", "UDP over IPv6.", udp6_counters);
OBJECT(pmon_lx_ip4, "IPv4", "IP version 4.", ip4_counters);
OBJECT(pmon_lx_ip6, "IPv6", "IP version 6.", ip6_counters);
OBJECT(pmon_lx_icmp4, "ICMP", "ICMP for IPv4.", icmp4_counters);
OBJECT(pmon_lx_icmp6, "ICMPv6", "ICMP for IPv6.", icmp6_counters);
