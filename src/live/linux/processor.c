// processor.c - the objects Processor and Processor Information: /proc/stat, interrupts, softirqs
// SPDX-License-Identifier: MIT
//
// The kernel counts how long a processor was in each state, in ticks of 10 ms; every tick is in one
// state. So the clock for a processor's percentages is the sum of its states, not a clock that is
// read along with them: percentages are between 0 and 100 and add up to 100, whatever the interval.
// The sum adds up what each state gained from reading to reading, so that one that goes back spoils
// only its own share. For several processors the result is the mean over the time that each was
// online, without jumps when a processor comes or goes (cpu.h).
//
// As on Windows, waiting for a disk is idle time: the thread waits, not the processor. Time taken
// away by a hypervisor is not idle.

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

// The counters of Processor, followed by the additional ones of Processor Information.
static const struct live_counter counters[] = {
	{"% Processor Time", PMON_PERF_100NSEC_TIMER_INV, 0, IDLE, NO_BASE,
	 "/proc/stat: cpuN, fields 4 and 5 (idle, iowait), against the sum of fields 1 to 8",
	 "The same, but Windows divides by the system clock.",
	 "Percentage of time that the processor was not idle. Steal time counts as busy, I/O wait "
	 "as idle."},
	{"% User Time", PMON_PERF_100NSEC_TIMER, 0, USER, NO_BASE,
	 "/proc/stat: cpuN, fields 1 and 2 (user, nice)", "=",
	 "Percentage of time in user mode, including nice and guest time."},
	{"% Privileged Time", PMON_PERF_100NSEC_TIMER, 0, PRIVILEGED, NO_BASE,
	 "/proc/stat: cpuN, fields 3, 6 and 7 (system, irq, softirq)", "=",
	 "Percentage of time in the kernel, including interrupts and softirqs."},
	{"% Idle Time", PMON_PERF_100NSEC_TIMER, 0, IDLE, NO_BASE,
	 "/proc/stat: cpuN, fields 4 and 5 (idle, iowait)", "=",
	 "Percentage of time that the processor was idle, including I/O wait."},
	{"% Interrupt Time", PMON_PERF_100NSEC_TIMER, 0, INTERRUPT, NO_BASE,
	 "/proc/stat: cpuN, field 6 (irq)",
	 "The same; 0 on kernels without IRQ time accounting, which charge it to the interrupted "
	 "task.",
	 "Percentage of time spent handling hardware interrupts."},
	{"% DPC Time", PMON_PERF_100NSEC_TIMER, 0, DPC, NO_BASE,
	 "/proc/stat: cpuN, field 7 (softirq)",
	 "Softirqs are the counterpart of Windows' deferred procedure calls.",
	 "Percentage of time spent in softirqs."},
	{"Interrupts/sec", PMON_PERF_COUNTER_COUNTER, -2, INTERRUPTS, NO_BASE,
	 "/proc/interrupts: the sum of the processor's column", "=",
	 "Interrupts handled by the processor, including timer and inter-processor interrupts."},
	{"DPCs Queued/sec", PMON_PERF_COUNTER_COUNTER, 0, SOFTIRQS, NO_BASE,
	 "/proc/softirqs: the sum of the processor's column",
	 "Softirqs, counted when they run; Windows counts DPCs when they are queued.",
	 "Softirqs handled by the processor."},
	{"% I/O Wait Time", PMON_PERF_100NSEC_TIMER, 0, IOWAIT, NO_BASE,
	 "/proc/stat: cpuN, field 5 (iowait)", "",
	 "Idle time while a task that last ran on this processor waited for I/O. This is an "
	 "approximation: the kernel's count can decrease."},
	{"% Steal Time", PMON_PERF_100NSEC_TIMER, 0, STEAL, NO_BASE,
	 "/proc/stat: cpuN, field 8 (steal)", "",
	 "Percentage of time that the hypervisor ran something else while this processor had work "
	 "to do."},
	{"% Nice Time", PMON_PERF_100NSEC_TIMER, 0, NICE, NO_BASE,
	 "/proc/stat: cpuN, field 2 (nice)", "",
	 "Percentage of time in niced programs; part of % User Time."},
	{"% Guest Time", PMON_PERF_100NSEC_TIMER, 0, GUEST, NO_BASE,
	 "/proc/stat: cpuN, fields 9 and 10 (guest, guest_nice)", "",
	 "Percentage of time running virtual machines; part of % User Time."},
	{"Processor Frequency", PMON_PERF_COUNTER_RAWCOUNT, 0, MHZ, NO_BASE,
	 "/sys/devices/system/cpu/cpuN/cpufreq/scaling_cur_freq; /proc/cpuinfo: cpu MHz",
	 "Windows shows the nominal frequency on most machines; this is the current one.",
	 "Frequency in MHz; the mean if there are several processors."},
	{"% of Maximum Frequency", PMON_PERF_RAW_FRACTION, 0, KHZ, MAX_KHZ,
	 "/sys/devices/system/cpu/cpuN/cpufreq: scaling_cur_freq of cpuinfo_max_freq",
	 "A plain number on Windows (PERF_COUNTER_RAWCOUNT).",
	 "Current frequency as a percentage of the maximum."},
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

	live_row_begin(row, &cpus->stamp);
	row->stamp.time = (pmon_time)(cpu->clock * LX_TICK_100NS);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (cpu->n_states > times[i].last_state)
			live_row_set(row, times[i].field, times[i].ticks * LX_TICK_100NS);
	set_counts(row, cpu);
}

// Where to put rows, and the processors that they are for.
struct target {
	struct live *live;
	const struct live_asked *asked;
	const struct lx_cpus *cpus;
	struct pmon_err *err;
};

static enum pmon_status
put_processor(const struct target *to, const char *name, const struct lx_cpu *cpu)
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
	return put_processor(to, "_Total", &total);
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
			status = put_processor(&to, name, &to.cpus->list[i]);
	}
	return status == PMON_OK ? put_total(&to) : status;
}

const struct live_object pmon_lx_processor = {
	.name = "Processor",
	.help = "Each processor by number, and all of them (_Total).",
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
			status = put_processor(to, name, cpu);
	}
	pmon_lx_cpu_sum(to->cpus, node, &sum);
	(void)snprintf(name, sizeof(name), "%u,_Total", (unsigned)node);
	return status == PMON_OK ? put_processor(to, name, &sum) : status;
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
	.help = "Each processor as node,number; each node (node,_Total); and all of them (_Total). "
		"Numbers are the same as in the Processor object.",
	.instances = true,
	.counters = counters,
	.n_counters = N_COUNTERS,
	.collect = collect_information,
};
