// cpu.c - read what the kernel reports for each processor
// SPDX-License-Identifier: MIT

#include "live/linux/cpu.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define MAX_CPUS  8192 // the most that any kernel is built for
#define MAX_NODES 1024
#define SYS_CPU   "sys/devices/system/cpu/"
#define SYS_NODE  "sys/devices/system/node/"

// ---- The list -------------------------------------------------------------------------------

static void
free_cpus(const struct live *live, void *kept)
{
	struct lx_cpus *cpus = kept;

	pmon_mem_free(live->allocator, cpus->list, cpus->cap * sizeof(*cpus->list));
	pmon_mem_free(live->allocator, cpus->columns, cpus->columns_cap * sizeof(*cpus->columns));
	pmon_mem_free(live->allocator, cpus, sizeof(*cpus));
}

static struct lx_cpus *
kept_cpus(struct live *live)
{
	void **kept = pmon_lx_kept(live->host, LX_SLOT_CPU, free_cpus);

	if (*kept == NULL)
		*kept = pmon_mem_alloc0(live->allocator, sizeof(struct lx_cpus));
	return *kept;
}

// Find or add a processor, with a number below MAX_CPUS.
static struct lx_cpu *
cpu_at(const struct live *live, struct lx_cpus *cpus, uint64_t number)
{
	if (number >= cpus->n) {
		if (!pmon_mem_grow(live->allocator, &cpus->list, &cpus->cap, (size_t)number + 1,
				   sizeof(*cpus->list)))
			return NULL;
		memset(&cpus->list[cpus->n], 0,
		       ((size_t)number + 1 - cpus->n) * sizeof(*cpus->list));
		cpus->n = (size_t)number + 1;
	}
	return &cpus->list[number];
}

// A processor that is online, or NULL.
static struct lx_cpu *
online_at(struct lx_cpus *cpus, uint64_t number)
{
	return number < cpus->n && cpus->list[number].is_online ? &cpus->list[number] : NULL;
}

// ---- Times ----------------------------------------------------------------------------------

// The ticks between two readings. Idle and iowait are one amount of time that the kernel splits
// anew for each reading. Any other state that went back, as steal does when a guest is migrated,
// adds nothing.
static uint64_t
passed(const uint64_t *before, const uint64_t *now)
{
	uint64_t idle_before = before[LX_IDLE] + before[LX_IOWAIT];
	uint64_t idle = now[LX_IDLE] + now[LX_IOWAIT];
	uint64_t sum = idle > idle_before ? idle - idle_before : 0;

	for (unsigned state = 0; state <= LX_STEAL; state++)
		if (state != LX_IDLE && state != LX_IOWAIT && now[state] > before[state])
			sum += now[state] - before[state];
	return sum;
}

// A line that ends before the idle time is incomplete and is ignored.
static void
read_ticks(struct pmon_scan *line, struct lx_cpu *cpu, bool is_first_sample)
{
	uint64_t ticks[LX_STATES] = {0};
	unsigned n = 0;

	while (n < LX_STATES && pmon_lx_u64(line, &ticks[n]))
		n++;
	if (n <= LX_IDLE)
		return;
	cpu->clock += passed(cpu->ticks, ticks);
	if (cpu->n_states == 0 && !is_first_sample) {
		cpu->is_late = true;
		cpu->clock_before = cpu->clock;
		memcpy(cpu->ticks_before, ticks, sizeof(ticks));
	}
	memcpy(cpu->ticks, ticks, sizeof(ticks));
	cpu->n_states = n;
	cpu->is_online = true;
}

// "cpu3 4705 0 ...". False if memory runs out.
static bool
read_cpu(const struct live *live, struct lx_cpus *cpus, struct pmon_scan *line)
{
	struct lx_cpu *cpu;
	uint64_t number;

	if (!pmon_lx_numbered(line, "cpu", &number) || number >= MAX_CPUS)
		return true;
	cpu = cpu_at(live, cpus, number);
	if (cpu == NULL)
		return false;
	cpus->new_cpus = cpus->new_cpus || cpu->n_states == 0;
	read_ticks(line, cpu, cpus->sample == 0);
	return true;
}

static bool
read_times(const struct live *live, struct lx_cpus *cpus)
{
	struct lx_reading reading;
	struct pmon_scan line;

	for (size_t i = 0; i < cpus->n; i++) {
		cpus->list[i].is_online = false;
		memset(cpus->list[i].has_count, 0, sizeof(cpus->list[i].has_count));
	}
	cpus->stamp = live->now;
	if (!pmon_lx_file(live->host, LX_STAT, &reading))
		return true;
	cpus->stamp = reading.stamp;
	while (pmon_lx_line(&reading.text, &line))
		if (!read_cpu(live, cpus, &line))
			return false;
	return true;
}

// ---- Tables with a column for each processor ------------------------------------------------

// "CPU0 CPU2 ...": returns the number of columns, SIZE_MAX if memory runs out.
static size_t
read_columns(const struct live *live, struct lx_cpus *cpus, struct pmon_scan line)
{
	uint64_t number;
	size_t n = 0;

	while (n < MAX_CPUS && pmon_lx_numbered(&line, "CPU", &number) && number < MAX_CPUS) {
		if (!pmon_mem_grow(live->allocator, &cpus->columns, &cpus->columns_cap, n + 1,
				   sizeof(*cpus->columns)))
			return SIZE_MAX;
		cpus->columns[n++].cpu = (uint32_t)number;
	}
	return n;
}

// "24: 17 4 IO-APIC ...": false if some processor has no number, as in ERR and MIS; with a single
// processor these are recognized by name.
static bool
read_cells(struct lx_cpus *cpus, size_t n, struct pmon_scan *line)
{
	uint64_t cell;

	if (pmon_lx_key(line, "ERR") || pmon_lx_key(line, "MIS") || !pmon_lx_skip(line, 1))
		return false;
	for (size_t c = 0; c < n; c++) {
		if (!pmon_lx_u64(line, &cell))
			return false;
		cpus->columns[c].cell = (uint32_t)cell;
	}
	return true;
}

// Before the first row: every processor with a column has a count.
static void
begin_counts(struct lx_cpus *cpus, size_t n, enum lx_count which)
{
	for (size_t c = 0; c < n; c++) {
		struct lx_cpu *cpu = online_at(cpus, cpus->columns[c].cpu);

		if (cpu == NULL)
			continue;
		cpu->has_count[which] = true;
		cpu->count[which] = 0;
	}
}

static void
end_counts(struct lx_cpus *cpus, enum lx_count which)
{
	for (size_t i = 0; i < cpus->n; i++) {
		struct lx_cpu *cpu = &cpus->list[i];

		if (cpu->has_count[which] && cpu->is_late && !cpu->is_counted[which])
			cpu->count_before[which] = cpu->count[which];
		cpu->is_counted[which] = cpu->is_counted[which] || cpu->has_count[which];
	}
}

static void
add_cells(struct lx_cpus *cpus, size_t n, enum lx_count which)
{
	for (size_t c = 0; c < n; c++) {
		struct lx_cpu *cpu = online_at(cpus, cpus->columns[c].cpu);

		if (cpu != NULL)
			cpu->count[which] += cpus->columns[c].cell;
	}
}

static bool
read_counts(const struct live *live, struct lx_cpus *cpus, enum lx_file file, enum lx_count which)
{
	struct lx_reading reading;
	struct pmon_scan line;
	size_t n;

	if (!pmon_lx_file(live->host, file, &reading) || !pmon_lx_line(&reading.text, &line))
		return true;
	n = read_columns(live, cpus, line);
	if (n == SIZE_MAX)
		return false;
	begin_counts(cpus, n, which);
	while (n > 0 && pmon_lx_line(&reading.text, &line))
		if (read_cells(cpus, n, &line))
			add_cells(cpus, n, which);
	end_counts(cpus, which);
	return true;
}

// ---- Frequencies ----------------------------------------------------------------------------

// A small file containing one number; 0 if it is missing.
static uint32_t
read_number(struct live_host *host, const char *folder, size_t number, const char *name)
{
	char path[96];
	char buf[32];
	struct lx_reading reading;
	struct pmon_scan line;
	uint64_t n;

	(void)snprintf(path, sizeof(path), "%s%zu/%s", folder, number, name);
	if (!pmon_lx_read(host, path, buf, sizeof(buf), &reading) ||
	    !pmon_lx_line(&reading.text, &line) || !pmon_lx_u64(&line, &n) || n > UINT32_MAX)
		return 0;
	return (uint32_t)n;
}

// Without a frequency driver, the kernel may still know frequencies: "cpu MHz : 2596.142" after
// "processor : 0", on some architectures.
static void
read_cpuinfo(struct live_host *host, struct lx_cpus *cpus)
{
	struct lx_reading reading;
	struct pmon_scan line;
	struct lx_cpu *cpu = NULL;
	uint64_t n;

	if (!pmon_lx_file(host, LX_CPUINFO, &reading))
		return;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_key(&line, "processor") && pmon_lx_key(&line, ":"))
			cpu = pmon_lx_u64(&line, &n) ? online_at(cpus, n) : NULL;
		else if (cpu != NULL && pmon_lx_key(&line, "cpu") && pmon_lx_key(&line, "MHz") &&
			 pmon_lx_key(&line, ":") && pmon_lx_fixed(&line, 3, &n) && n <= UINT32_MAX)
			cpu->khz = (uint32_t)n;
}

// If the first processor has no driver, none has.
static void
read_frequencies(struct live_host *host, struct lx_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n; i++)
		cpus->list[i].khz = 0;
	for (size_t i = 0; i < cpus->n; i++) {
		struct lx_cpu *cpu = online_at(cpus, i);

		if (cpu == NULL)
			continue;
		cpu->khz = read_number(host, SYS_CPU "cpu", i, "cpufreq/scaling_cur_freq");
		if (cpu->khz == 0) {
			read_cpuinfo(host, cpus);
			return;
		}
		if (cpu->max_khz == 0)
			cpu->max_khz =
				read_number(host, SYS_CPU "cpu", i, "cpufreq/cpuinfo_max_freq");
	}
}

// ---- Nodes ----------------------------------------------------------------------------------

static void
set_node(struct lx_cpus *cpus, struct pmon_scan list, uint32_t node)
{
	uint64_t first;
	uint64_t last;

	while (pmon_lx_range(&list, &first, &last))
		for (uint64_t i = first; i <= last && i < cpus->n; i++)
			cpus->list[i].node = node;
	if (node >= cpus->n_nodes)
		cpus->n_nodes = node + 1;
}

static void
read_node(struct live_host *host, struct lx_cpus *cpus, uint32_t node)
{
	char path[64];
	char buf[4096];
	struct lx_reading reading;
	struct pmon_scan line;

	(void)snprintf(path, sizeof(path), SYS_NODE "node%u/cpulist", (unsigned)node);
	if (pmon_lx_read(host, path, buf, sizeof(buf), &reading) &&
	    pmon_lx_line(&reading.text, &line))
		set_node(cpus, line, node);
}

// A processor's place in the topology does not change while it exists; a list contains only those
// online.
static void
read_nodes(struct live_host *host, struct lx_cpus *cpus)
{
	char buf[1024];
	struct lx_reading reading;
	struct pmon_scan list;
	uint64_t first;
	uint64_t last;

	cpus->n_nodes = 1;
	if (!pmon_lx_read(host, SYS_NODE "online", buf, sizeof(buf), &reading) ||
	    !pmon_lx_line(&reading.text, &list))
		return;
	while (pmon_lx_range(&list, &first, &last))
		for (uint64_t node = first; node <= last && node < MAX_NODES; node++)
			read_node(host, cpus, (uint32_t)node);
}

// ---- A sample -------------------------------------------------------------------------------

enum pmon_status
pmon_lx_cpus(struct live *live, unsigned parts, const struct lx_cpus **out, struct pmon_err *err)
{
	struct lx_cpus *cpus = kept_cpus(live);
	bool is_new = cpus != NULL && cpus->sample != live->taken + 1;

	*out = cpus;
	if (cpus == NULL || (is_new && !read_times(live, cpus)))
		return pmon_err_nomem(err);
	if (is_new)
		cpus->parts = 0;
	cpus->sample = live->taken + 1;
	parts &= ~cpus->parts;
	cpus->parts |= parts;
	if (((parts & LX_CPU_INTERRUPTS) != 0 &&
	     !read_counts(live, cpus, LX_INTERRUPTS, LX_COUNT_INTERRUPTS)) ||
	    ((parts & LX_CPU_SOFTIRQS) != 0 &&
	     !read_counts(live, cpus, LX_SOFTIRQS, LX_COUNT_SOFTIRQS)))
		return pmon_err_nomem(err);
	if ((parts & LX_CPU_FREQUENCY) != 0)
		read_frequencies(live->host, cpus);
	if ((parts & LX_CPU_NODES) != 0 && cpus->new_cpus) {
		read_nodes(live->host, cpus);
		cpus->new_cpus = false;
	}
	return PMON_OK;
}

// ---- Sums -----------------------------------------------------------------------------------

static bool
is_of_node(const struct lx_cpu *cpu, uint32_t node)
{
	return node == LX_ALL_NODES || cpu->node == node;
}

// The mean of only some processors would be misleading.
static void
add_frequencies(const struct lx_cpus *cpus, struct lx_cpu *sum)
{
	bool has_khz = true;
	bool has_max = true;
	uint64_t khz = 0;
	uint64_t max_khz = 0;
	uint64_t n = 0;

	for (size_t i = 0; i < cpus->n; i++) {
		const struct lx_cpu *cpu = &cpus->list[i];

		if (!cpu->is_online || !is_of_node(cpu, sum->node))
			continue;
		has_khz = has_khz && cpu->khz != 0;
		has_max = has_max && cpu->max_khz != 0;
		khz += cpu->khz;
		max_khz += cpu->max_khz;
		n++;
	}
	if (n > 0 && has_khz)
		sum->khz = (uint32_t)(khz / n);
	if (n > 0 && has_max)
		sum->max_khz = (uint32_t)(max_khz / n);
}

static void
add_cpu(const struct lx_cpu *cpu, struct lx_cpu *sum)
{
	sum->clock += cpu->clock - cpu->clock_before;
	for (unsigned state = 0; state < LX_STATES; state++)
		sum->ticks[state] += cpu->ticks[state] - cpu->ticks_before[state];
	if (cpu->n_states > 0 && (sum->n_states == 0 || cpu->n_states < sum->n_states))
		sum->n_states = cpu->n_states;
	for (unsigned which = 0; which < LX_COUNTS; which++) {
		sum->count[which] += cpu->count[which] - cpu->count_before[which];
		sum->has_count[which] = sum->has_count[which] || cpu->has_count[which];
	}
}

// If a running processor has no count, neither has the sum.
static void
drop_counts(const struct lx_cpu *cpu, struct lx_cpu *sum)
{
	for (unsigned which = 0; which < LX_COUNTS; which++)
		if (cpu->is_online && !cpu->has_count[which])
			sum->has_count[which] = false;
}

void
pmon_lx_cpu_sum(const struct lx_cpus *cpus, uint32_t node, struct lx_cpu *sum)
{
	*sum = (struct lx_cpu){.node = node};
	for (size_t i = 0; i < cpus->n; i++)
		if (is_of_node(&cpus->list[i], node))
			add_cpu(&cpus->list[i], sum);
	for (size_t i = 0; i < cpus->n; i++)
		if (is_of_node(&cpus->list[i], node))
			drop_counts(&cpus->list[i], sum);
	add_frequencies(cpus, sum);
}
