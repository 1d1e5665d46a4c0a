// processor.c - the objects Processor and Processor Information: /proc/stat, interrupts, softirqs
// SPDX-License-Identifier: MIT
//
// The kernel counts in ticks of 10 ms how long a processor was in each state, and every tick of its
// life is in one of them. So the clock of a processor's percentages is the sum of its states, not a
// clock that is read beside them: they are within 0 and 100 and add up to 100 whatever the interval,
// and those of several processors are the mean over the time that each of them was online. Their sums
// do not jump when a processor goes or comes (cpu.h).
//
// Waiting for a disk is idle time, as on Windows: a thread waits, the processor does not. Time that a
// hypervisor took away is not idle.

#include <stdio.h>

#include "live/linux/cpu.h"

enum {
	IDLE,
	USER,
	PRIVILEGED,
	INTERRUPT,
	DPC,
	IOWAIT,
	STEAL,
	NICE,
	GUEST,
	INTERRUPTS,
	SOFTIRQS,
	MHZ,
	KHZ,
	MAX_KHZ
};

#define BIT(field) (UINT64_C(1) << (field))
#define NO_BASE    LIVE_NO_FIELD

// Those of Processor, and after them those that Processor Information has beyond.
static const struct live_counter counters[] = {
	{"% Processor Time", PMON_PERF_100NSEC_TIMER_INV, 0, IDLE, NO_BASE,
	 "/proc/stat: cpuN, fields 4 and 5 (idle, iowait), against the sum of fields 1 to 8",
	 "The same; on Windows against the system clock.",
	 "Share of time in which the processor was not idle. Time that a hypervisor took away "
	 "counts, waiting for a disk does not."},
	{"% User Time", PMON_PERF_100NSEC_TIMER, 0, USER, NO_BASE,
	 "/proc/stat: cpuN, fields 1 and 2 (user, nice)", "=",
	 "Share of time in programs themselves, in guests of this machine too."},
	{"% Privileged Time", PMON_PERF_100NSEC_TIMER, 0, PRIVILEGED, NO_BASE,
	 "/proc/stat: cpuN, fields 3, 6 and 7 (system, irq, softirq)", "=",
	 "Share of time in the kernel, for programs, interrupts and the work they put off."},
	{"% Idle Time", PMON_PERF_100NSEC_TIMER, 0, IDLE, NO_BASE,
	 "/proc/stat: cpuN, fields 4 and 5 (idle, iowait)", "=",
	 "Share of time with nothing to run, also when a disk was waited for."},
	{"% Interrupt Time", PMON_PERF_100NSEC_TIMER, 0, INTERRUPT, NO_BASE,
	 "/proc/stat: cpuN, field 6 (irq)",
	 "The same; 0 on kernels that do not measure it, which put it where it interrupted.",
	 "Share of time in which interrupts were served."},
	{"% DPC Time", PMON_PERF_100NSEC_TIMER, 0, DPC, NO_BASE,
	 "/proc/stat: cpuN, field 7 (softirq)",
	 "What Windows puts off as deferred procedure calls Linux does in softirqs.",
	 "Share of time in work that interrupts had put off."},
	{"Interrupts/sec", PMON_PERF_COUNTER_COUNTER, -2, INTERRUPTS, NO_BASE,
	 "/proc/interrupts: the sum of the processor's column", "=",
	 "Interrupts that the processor took, those of its clock and of other processors too."},
	{"DPCs Queued/sec", PMON_PERF_COUNTER_COUNTER, 0, SOFTIRQS, NO_BASE,
	 "/proc/softirqs: the sum of the processor's column",
	 "Softirqs, counted when they are done; Windows counts when one is queued.",
	 "Pieces of work put off by interrupts."},
	{"% I/O Wait Time", PMON_PERF_100NSEC_TIMER, 0, IOWAIT, NO_BASE,
	 "/proc/stat: cpuN, field 5 (iowait)", "",
	 "Share of time with nothing to run while a thread that ran here last waits for a disk. "
	 "It is part of the idle time, and less than exact: the kernel's number can go back."},
	{"% Steal Time", PMON_PERF_100NSEC_TIMER, 0, STEAL, NO_BASE,
	 "/proc/stat: cpuN, field 8 (steal)", "",
	 "Share of time in which a hypervisor ran something else though there was work to do."},
	{"% Nice Time", PMON_PERF_100NSEC_TIMER, 0, NICE, NO_BASE,
	 "/proc/stat: cpuN, field 2 (nice)", "",
	 "Share of time in programs of low priority; part of the user time."},
	{"% Guest Time", PMON_PERF_100NSEC_TIMER, 0, GUEST, NO_BASE,
	 "/proc/stat: cpuN, fields 9 and 10 (guest, guest_nice)", "",
	 "Share of time in which virtual machines ran on the processor; part of the user time."},
	{"Processor Frequency", PMON_PERF_COUNTER_RAWCOUNT, 0, MHZ, NO_BASE,
	 "/sys/devices/system/cpu/cpuN/cpufreq/scaling_cur_freq; /proc/cpuinfo: cpu MHz",
	 "Windows shows the nominal frequency on most machines; this is the one of the moment.",
	 "Frequency in MHz; of several processors, their mean."},
	{"% of Maximum Frequency", PMON_PERF_RAW_FRACTION, 0, KHZ, MAX_KHZ,
	 "/sys/devices/system/cpu/cpuN/cpufreq: scaling_cur_freq of cpuinfo_max_freq",
	 "On Windows a plain number (PERF_COUNTER_RAWCOUNT).",
	 "Frequency as a part of the highest that the processor can have."},
};

#define N_COUNTERS  (sizeof(counters) / sizeof(counters[0]))
#define N_PROCESSOR (N_COUNTERS - 2)

static void
set_counts(struct live_row *row, const struct lx_cpu *cpu)
{
	if (cpu->has_count[LX_COUNT_INTERRUPTS])
		live_row_set(row, INTERRUPTS, cpu->count[LX_COUNT_INTERRUPTS]);
	if (cpu->has_count[LX_COUNT_SOFTIRQS])
		live_row_set(row, SOFTIRQS, cpu->count[LX_COUNT_SOFTIRQS]);
	if (cpu->khz != 0) {
		live_row_set(row, MHZ, (cpu->khz + 500) / 1000);
		live_row_set(row, KHZ, cpu->khz);
	}
	if (cpu->max_khz != 0)
		live_row_set(row, MAX_KHZ, cpu->max_khz);
}

static void
fill_row(const struct lx_cpus *cpus, const struct lx_cpu *cpu, struct live_row *row)
{
	const uint64_t *t = cpu->ticks;
	const struct {
		unsigned field;
		unsigned last_state; // that it needs
		uint64_t ticks;
	} times[] = {
		{IDLE, LX_IDLE, t[LX_IDLE] + t[LX_IOWAIT]},
		{USER, LX_NICE, t[LX_USER] + t[LX_NICE]},
		{PRIVILEGED, LX_SYSTEM, t[LX_SYSTEM] + t[LX_IRQ] + t[LX_SOFTIRQ]},
		{INTERRUPT, LX_IRQ, t[LX_IRQ]},
		{DPC, LX_SOFTIRQ, t[LX_SOFTIRQ]},
		{IOWAIT, LX_IOWAIT, t[LX_IOWAIT]},
		{STEAL, LX_STEAL, t[LX_STEAL]},
		{NICE, LX_NICE, t[LX_NICE]},
		{GUEST, LX_GUEST, t[LX_GUEST] + t[LX_GUEST_NICE]},
	};
	uint64_t all = 0;

	live_row_begin(row, &cpus->stamp);
	for (unsigned state = 0; state <= LX_STEAL; state++)
		all += t[state];
	row->stamp.time = (pmon_time)(all * LX_TICK_100NS);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (cpu->n_states > times[i].last_state)
			live_row_set(row, times[i].field, times[i].ticks * LX_TICK_100NS);
	set_counts(row, cpu);
}

// Where rows go, and the processors that they are of.
struct target {
	struct live *live;
	const struct live_asked *asked;
	const struct lx_cpus *cpus;
	struct pmon_err *err;
};

static enum pmon_status
put(const struct target *to, const char *name, const struct lx_cpu *cpu)
{
	struct live_row row;

	if (cpu->n_states == 0)
		return PMON_OK;
	fill_row(to->cpus, cpu, &row);
	return pmon_live_put(to->live, to->asked, name, &row, to->err);
}

static enum pmon_status
put_total(const struct target *to)
{
	struct lx_cpu total;

	pmon_lx_cpu_sum(to->cpus, LX_ALL_NODES, &total);
	return put(to, "_Total", &total);
}

static unsigned
parts_of(const struct live_asked *asked)
{
	return (live_wants(asked, BIT(INTERRUPTS)) ? LX_CPU_INTERRUPTS : 0) |
	       (live_wants(asked, BIT(SOFTIRQS)) ? LX_CPU_SOFTIRQS : 0) |
	       (live_wants(asked, BIT(MHZ) | BIT(KHZ)) ? LX_CPU_FREQUENCY : 0);
}

static enum pmon_status
collect_processor(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct target to = {live, asked, NULL, err};
	enum pmon_status status = pmon_lx_cpus(live, parts_of(asked), &to.cpus, err);
	char name[16];

	for (size_t i = 0; status == PMON_OK && i < to.cpus->n; i++) {
		(void)snprintf(name, sizeof(name), "%u", (unsigned)i);
		if (to.cpus->list[i].is_online)
			status = put(&to, name, &to.cpus->list[i]);
	}
	return status == PMON_OK ? put_total(&to) : status;
}

const struct live_object pmon_lx_processor = {
	.name = "Processor",
	.help = "Each processor, by its number, and all together.",
	.instances = true,
	.counters = counters,
	.n_counters = N_PROCESSOR,
	.collect = collect_processor,
};

// ---- Processor Information ------------------------------------------------------------------

static enum pmon_status
put_node(const struct target *to, uint32_t node)
{
	enum pmon_status status = PMON_OK;
	struct lx_cpu sum;
	char name[32];

	for (size_t i = 0; status == PMON_OK && i < to->cpus->n; i++) {
		const struct lx_cpu *cpu = &to->cpus->list[i];

		(void)snprintf(name, sizeof(name), "%u,%u", (unsigned)node, (unsigned)i);
		if (cpu->is_online && cpu->node == node)
			status = put(to, name, cpu);
	}
	pmon_lx_cpu_sum(to->cpus, node, &sum);
	(void)snprintf(name, sizeof(name), "%u,_Total", (unsigned)node);
	return status == PMON_OK ? put(to, name, &sum) : status;
}

static enum pmon_status
collect_information(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct target to = {live, asked, NULL, err};
	enum pmon_status status = pmon_lx_cpus(live, parts_of(asked) | LX_CPU_NODES, &to.cpus, err);

	for (uint32_t node = 0; status == PMON_OK && node < to.cpus->n_nodes; node++)
		status = put_node(&to, node);
	return status == PMON_OK ? put_total(&to) : status;
}

const struct live_object pmon_lx_processor_information = {
	.name = "Processor Information",
	.help = "Each processor as node,number; all of a node; all together. The number is that of "
		"the object Processor.",
	.instances = true,
	.counters = counters,
	.n_counters = N_COUNTERS,
	.collect = collect_information,
};
