// test_live_net.c - Network Interface and the protocols, from recorded files of /proc/net
// SPDX-License-Identifier: MIT
//
// /proc/net/dev is as proc(5) has it: after the name bytes, packets, errs, drop, fifo, frame,
// compressed and multicast of what was received; then bytes, packets, errs, drop, fifo, colls, carrier
// and compressed of what was sent. The names in snmp and snmp6 are those of RFC 1213 and RFC 4293.
// Trees are one second apart.

#include "t.h"

#include <stdlib.h>

#include "live_tree.h"

#define NIC(name, counter) "\\Network Interface(" name ")\\" counter
#define DEV                "proc/self/net/dev"
#define HEAD                                                                                       \
	"Inter-|   Receive                                                |  Transmit\n"           \
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs " \
	"drop fifo colls carrier compressed\n"

static bool
has_nic(struct tree *t, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\Network Interface(%s)\\Bytes Sent/sec", name);
	return tree_status(t, path) != TREE_ABSENT;
}

// ---- Interfaces -----------------------------------------------------------------------------

static void
counters_of_a_second(void **state)
{
	static const struct {
		const char *path;
		double want;
	} rows[] = {
		{NIC("eth0", "Bytes Received/sec"), 5000},
		{NIC("eth0", "Bytes Sent/sec"), 300},
		{NIC("eth0", "Bytes Total/sec"), 5300},
		{NIC("eth0", "Packets Received/sec"), 40},
		{NIC("eth0", "Packets Sent/sec"), 2},
		{NIC("eth0", "Packets/sec"), 42},
		{NIC("eth0", "Packets Received Multicast/sec"), 6},
		{NIC("eth0", "Packets Received Errors"), 3},
		{NIC("eth0", "Packets Received Discarded"), 4},
		{NIC("eth0", "Packets Outbound Errors"), 13},
		{NIC("eth0", "Packets Outbound Discarded"), 14},
		{NIC("eth0", "Collisions/sec"), 9},
		{NIC("eth0", "Current Bandwidth"), 2500e6},
	};
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "  eth0: 1000 10 3 4 5 6 7 8 900 9 13 14 15 16 17 18\n");
	tree_file(t, 1, DEV, HEAD "  eth0: 6000 50 3 4 5 6 7 14 1200 11 13 14 15 25 17 18\n");
	tree_files(t, 0, 1, "sys/class/net/eth0/speed", "2500\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(rows); i++)
		T_EQ_DBL_AT(tree_number(t, rows[i].path), rows[i].want, rows[i].path);
	assert_int_equal(tree_sample(t)->n, T_LEN(rows)); // Windows has no _Total here either
	tree_free(t);
}

// Old kernels have no blank after the name.
static void
no_blank_after_the_name(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "    lo:123456 1 0 0 0 0 0 0 123457 1 0 0 0 0 0 0\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	tree_play(t);
	T_EQ_I64(tree_raw(t, NIC("lo", "Bytes Received/sec")).first, 123456);
	T_EQ_I64(tree_raw(t, NIC("lo", "Bytes Sent/sec")).first, 123457);
	tree_free(t);
}

static void
unknown_speed_is_absent(void **state)
{
	// "-1" since Linux 3.x, before that as unsigned; a virtual interface gives an error or nothing.
	static const char *const speeds[] = {"-1\n", "4294967295\n", "65535\n", "0\n",
					     "",     "fast\n",       NULL};

	(void)state;
	for (size_t i = 0; i < T_LEN(speeds); i++) {
		struct tree *t = tree_new();

		tree_file(t, 0, DEV, HEAD "eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
		if (speeds[i] != NULL)
			tree_file(t, 0, "sys/class/net/eth0/speed", speeds[i]);
		tree_open(t, "\\Network Interface(*)\\*", NULL);
		tree_play(t);
		assert_int_equal(tree_status(t, NIC("eth0", "Current Bandwidth")), TREE_ABSENT);
		assert_true(has_nic(t, "eth0"));
		tree_free(t);
	}
}

static void
comes_goes_and_is_renamed(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "eth0: 1000 10 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	tree_file(t, 1, DEV,
		  HEAD "lan0: 1500 15 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		       "veth1: 7 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	tree_file(t, 2, DEV, HEAD "lan0: 1800 18 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	assert_false(has_nic(t, "eth0"));
	assert_int_equal(tree_status(t, NIC("lan0", "Bytes Received/sec")), PMON_V_FIRST);
	assert_int_equal(tree_status(t, NIC("veth1", "Bytes Received/sec")), PMON_V_FIRST);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, NIC("lan0", "Bytes Received/sec")), 300);
	assert_false(has_nic(t, "veth1"));
	tree_free(t);
}

// Bytes of a 32-bit kernel pass 2^32 = 4294967296, packets do not: 4294967000 + 796 is 2^32 + 500.
static void
bytes_wrap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "eth0: 4294967000 10 0 0 0 0 0 0 100 5 0 0 0 0 0 0\n");
	tree_file(t, 1, DEV, HEAD "eth0: 500 11 0 0 0 0 0 0 150 6 0 0 0 0 0 0\n");
	tree_file(t, 2, DEV, HEAD "eth0: 700 12 0 0 0 0 0 0 150 6 0 0 0 0 0 0\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	T_EQ_DBL(tree_number(t, NIC("eth0", "Bytes Received/sec")), 796);
	T_EQ_DBL(tree_number(t, NIC("eth0", "Bytes Total/sec")), 846);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, NIC("eth0", "Bytes Received/sec")), 200);
	tree_free(t);
}

// 64 bits go on without any of that.
static void
bytes_beyond_32_bits(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "eth0: 1000 10 0 0 0 0 0 0 4294967290 5 0 0 0 0 0 0\n");
	tree_file(t, 1, DEV, HEAD "eth0: 4000001000 11 0 0 0 0 0 0 4294967300 6 0 0 0 0 0 0\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, NIC("eth0", "Bytes Received/sec")), 4e9);
	T_EQ_DBL(tree_number(t, NIC("eth0", "Bytes Sent/sec")), 10);
	tree_free(t);
}

// A connection that was redialed: packets went back too, so that nothing wrapped.
static void
made_anew(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, DEV, HEAD "ppp0: 4000000000 9000 0 0 0 0 0 0 100 5 0 0 0 0 0 0\n");
	tree_file(t, 1, DEV, HEAD "ppp0: 500 4 0 0 0 0 0 0 150 6 0 0 0 0 0 0\n");
	tree_open(t, "\\Network Interface(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_status(t, NIC("ppp0", "Bytes Received/sec")), PMON_V_COUNTER_BACK);
	assert_int_equal(tree_status(t, NIC("ppp0", "Packets Received/sec")), PMON_V_COUNTER_BACK);
	T_EQ_DBL(tree_number(t, NIC("ppp0", "Bytes Sent/sec")), 50);
	tree_free(t);
}

static void
foreign_lines(void **state)
{
	static const char text[] = HEAD "a\0b: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					"short: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
					"nocolon 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					": 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					"../../../etc: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					"we(ird\\: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					"0123456789012345678901234567890123456789012345678901234567"
					"890123: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
					"huge: 18446744073709551616 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n"
					"big: 18446744073709551615 18446744073709551615 0 0 0 "
					"0 0 0 18446744073709551615 1 0 0 0 0 0 0\n"
					"torn: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
	struct tree *t = tree_new();

	(void)state;
	tree_bytes(t, 0, DEV, text, sizeof(text) - 1);
	tree_file(t, 1, DEV, HEAD "big: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	tree_bytes(t, 2, DEV, text, sizeof(text) - 1);
	tree_open(t, "\\Network Interface(*)\\Bytes Sent/sec", NULL);
	assert_true(tree_next(t));
	assert_true(has_nic(t, ".._.._.._etc"));
	assert_true(has_nic(t, "we[ird_"));
	assert_true(has_nic(t, "big"));
	assert_int_equal(tree_sample(t)->n, 3); // Linux has no names of 64 bytes
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 3);
	tree_free(t);
}

static void
very_many_interfaces(void **state)
{
	enum {
		LINES = 20000,
		LINE = 64
	};
	struct tree *t = tree_new();
	char *text = malloc(LINES * LINE);
	size_t len = 0;

	(void)state;
	assert_non_null(text);
	for (unsigned i = 0; i < LINES; i++)
		len += (size_t)sprintf(text + len, "v%u: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
				       i);
	for (unsigned n = 0; n < 2; n++)
		tree_bytes(t, n, DEV, text, len);
	free(text);
	tree_open(t, "\\Network Interface(*)\\Bytes Sent/sec", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 16384);
	tree_free(t);
}

// ---- Protocols ------------------------------------------------------------------------------

#define SNMP "proc/self/net/snmp"

static void
tcp(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, SNMP,
		  "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails "
		  "EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\n"
		  "Tcp: 1 200 120000 -1 26 4 1 7 3 1000 800 10 0 2 0\n");
	tree_file(t, 1, SNMP,
		  "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails "
		  "EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\n"
		  "Tcp: 1 200 120000 -1 28 5 2 8 2 1300 1000 15 0 2 0\n");
	tree_file(t, 0, "proc/self/net/netstat",
		  "TcpExt: SyncookiesSent ListenOverflows\nTcpExt: 1 5\n"
		  "IpExt: InNoRoutes ListenOverflows\nIpExt: 3 1000\n");
	tree_file(t, 1, "proc/self/net/netstat",
		  "TcpExt: SyncookiesSent ListenOverflows\nTcpExt: 1 7\n"
		  "IpExt: InNoRoutes ListenOverflows\nIpExt: 3 9000\n");
	tree_files(t, 0, 1, "proc/self/net/sockstat",
		   "sockets: used 13\nTCP: inuse 11 orphan 0 tw 0 alloc 1 mem 93\nUDP: inuse 4 mem "
		   "0\n");
	tree_files(t, 0, 1, "proc/self/net/sockstat6", "TCP6: inuse 6\nUDP6: inuse 2\n");
	tree_open(t, "\\TCPv4\\*", "\\TCPv6\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments Received/sec"), 300);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments Sent/sec"), 200);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments/sec"), 500);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments Retransmitted/sec"), 5);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connections Established"), 2);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connections Active"), 28);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connections Passive"), 5);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connection Failures"), 2);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connections Reset"), 8);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Listen Overflows/sec"), 2);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Sockets"), 11);
	T_EQ_DBL(tree_number(t, "\\TCPv6\\Sockets"), 6);
	// Counters that Linux does not distinguish occur once.
	assert_int_equal(tree_count(t, "\\TCPv6\\*"), 1);
	tree_free(t);
}

// The order of the names is the kernel's own; a line of values that is shorter has no more of them.
static void
names_decide(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, SNMP,
		  "Udp: OutDatagrams New InDatagrams NoPorts InErrors\nUdp: 5 6 7 8 9\n"
		  "UdpLite: InDatagrams NoPorts\nUdpLite: 100 100\n"
		  "Ip: InReceives OutRequests\nIp: 3\n"
		  "Icmp: InMsgs\nTcp: 4\n");
	tree_open(t, "\\UDPv4\\*", "\\IPv4\\*", "\\ICMP\\*", NULL);
	tree_play(t);
	T_EQ_I64(tree_raw(t, "\\UDPv4\\Datagrams Sent/sec").first, 5);
	T_EQ_I64(tree_raw(t, "\\UDPv4\\Datagrams Received/sec").first, 7);
	T_EQ_I64(tree_raw(t, "\\UDPv4\\Datagrams/sec").first, 12);
	T_EQ_I64(tree_raw(t, "\\UDPv4\\Datagrams No Port/sec").first, 8);
	T_EQ_DBL(tree_number(t, "\\UDPv4\\Datagrams Received Errors"), 9);
	T_EQ_I64(tree_raw(t, "\\IPv4\\Datagrams Received/sec").first, 3);
	assert_int_equal(tree_count(t, "\\IPv4\\*"), 1);
	assert_int_equal(tree_count(t, "\\ICMP\\*"), 0);
	tree_free(t);
}

static void
version_6(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/self/net/snmp6",
		  "Ip6InReceives                   \t20\nIp6OutRequests \t30\n"
		  "Ip6OutForwDatagrams \t40\nIp6ReasmReqds \t50\n"
		  "Icmp6InMsgs 5\nIcmp6OutMsgs 6\nIcmp6InEchoReplies 7\nIcmp6InDestUnreachs 8\n"
		  "Udp6InDatagrams 9\nUdp6OutDatagrams 10\nUdp6NoPorts 11\nUdpLite6NoPorts 99\n");
	tree_open(t, "\\UDPv6\\*", "\\IPv6\\*", "\\ICMPv6\\*", NULL);
	tree_play(t);
	T_EQ_I64(tree_raw(t, "\\IPv6\\Datagrams/sec").first, 50);
	T_EQ_I64(tree_raw(t, "\\IPv6\\Datagrams Forwarded/sec").first, 40);
	T_EQ_I64(tree_raw(t, "\\IPv6\\Fragments Received/sec").first, 50);
	T_EQ_I64(tree_raw(t, "\\ICMPv6\\Messages/sec").first, 11);
	T_EQ_I64(tree_raw(t, "\\ICMPv6\\Received Echo Reply/sec").first, 7);
	T_EQ_DBL(tree_number(t, "\\ICMPv6\\Received Dest. Unreachable"), 8);
	T_EQ_I64(tree_raw(t, "\\UDPv6\\Datagrams/sec").first, 19);
	T_EQ_I64(tree_raw(t, "\\UDPv6\\Datagrams No Port/sec").first, 11);
	assert_int_equal(tree_count(t, "\\IPv6\\*"), 5);
	tree_free(t);
}

// On a 32-bit kernel 4294967290 + 16 is 2^32 + 10; the number of connections is a level and may fall.
static void
counts_wrap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, SNMP, "Tcp: CurrEstab InSegs OutSegs\nTcp: 4000000000 4294967290 100\n");
	tree_file(t, 1, SNMP, "Tcp: CurrEstab InSegs OutSegs\nTcp: 3 10 101\n");
	tree_file(t, 2, SNMP, "Tcp: CurrEstab InSegs OutSegs\nTcp: 2 15 101\n");
	tree_open(t, "\\TCPv4\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments Received/sec"), 16);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments/sec"), 17);
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Connections Established"), 3);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\TCPv4\\Segments/sec"), 5);
	tree_free(t);
}

static void
torn_and_missing_files(void **state)
{
	static const char nuls[] = "Tcp: InSegs\0 OutSegs\nTcp: \0 5\n";
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, SNMP, "Tcp: InSegs OutSegs\nTcp: 12 34");
	tree_file(t, 1, SNMP, "Tcp: InSegs OutSegs\n");
	tree_file(t, 2, SNMP, "");
	tree_bytes(t, 3, SNMP, nuls, sizeof(nuls) - 1);
	tree_file(t, 4, SNMP, "Tcp: InSegs OutSegs\nTcp: 1 99999999999999999999999999\n");
	tree_open(t, "\\TCPv4\\*", "\\TCPv6\\*", "\\UDPv6\\*", NULL);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(tree_next(t));
		assert_int_equal(tree_sample(t)->n, 0);
	}
	assert_true(tree_next(t) && tree_next(t));
	assert_int_equal(tree_count(t, "\\TCPv4\\Segments Received/sec"), 1);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_of_a_second),
		cmocka_unit_test(no_blank_after_the_name),
		cmocka_unit_test(unknown_speed_is_absent),
		cmocka_unit_test(comes_goes_and_is_renamed),
		cmocka_unit_test(bytes_wrap),
		cmocka_unit_test(bytes_beyond_32_bits),
		cmocka_unit_test(made_anew),
		cmocka_unit_test(foreign_lines),
		cmocka_unit_test(very_many_interfaces),
		cmocka_unit_test(tcp),
		cmocka_unit_test(names_decide),
		cmocka_unit_test(version_6),
		cmocka_unit_test(counts_wrap),
		cmocka_unit_test(torn_and_missing_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
