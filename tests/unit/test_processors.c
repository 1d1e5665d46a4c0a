// test_processors.c - how many processors a machine has, by what its log has of them
// SPDX-License-Identifier: MIT
//
// Windows: Processor covers the processor group of the one who reads, of at most 64 processors; Processor
// Information has all of them as "group,number" (learn.microsoft.com, "Processor Groups" and the counter
// set's description). A host of Hyper-V has its logical processors as "Hv LP n".

#include <pmon/pmon.h>

#include "memsource.h"
#include "rules/processors.h"
#include "rules/rules.h"
#include "t.h"

#define MOST_GROUPS 4

struct machine {
	unsigned plain;               // instances of Processor
	unsigned groups[MOST_GROUPS]; // of Processor Information, by group or node
	unsigned logical;             // of the hypervisor
	size_t want;
};

static const struct machine machines[] = {
	{1, {0}, 0, 1},
	{64, {0}, 0, 64},
	{0, {1}, 0, 1},
	{4, {4}, 0, 4},
	{64, {64, 64}, 0, 128},
	{40, {40, 40}, 0, 80},
	{0, {48, 48, 48, 48}, 0, 192},
	{64, {1}, 0, 64}, // one of Processor Information was logged
	{4, {4}, 64, 64},
	{64, {64, 64}, 320, 320},
	{0, {0}, 16, 16},
	{600, {600}, 0, 600}, // Linux has no groups
	{0, {0}, 0, 0},
};

static void
add(struct mem_source *m, const char *object, const char *instance)
{
	char path[200];
	const char *counters[] = {"% Processor Time", "% User Time"};

	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof(path), "\\\\A\\%s(%s)\\%s", object, instance,
			       counters[i]);
		(void)mem_source_series(m, path, PMON_PERF_100NSEC_TIMER, 1);
	}
}

static void
add_number(struct mem_source *m, const char *object, const char *form, unsigned a, unsigned b)
{
	char instance[32];

	(void)snprintf(instance, sizeof(instance), form, a, b);
	add(m, object, instance);
}

static struct mem_source *
source_of(const struct machine *machine)
{
	struct mem_source *m = mem_source_new();

	for (unsigned i = 0; i < machine->plain; i++)
		add_number(m, "Processor", "%u", i, 0);
	add(m, "Processor", "_Total");
	for (unsigned g = 0; g < MOST_GROUPS; g++) {
		for (unsigned i = 0; i < machine->groups[g]; i++)
			add_number(m, "Processor Information", "%u,%u", g, i);
		add_number(m, "Processor Information", "%u,_Total", g, 0);
	}
	add(m, "Processor Information", "_Total");
	for (unsigned i = 0; i < machine->logical; i++)
		add_number(m, "Hyper-V Hypervisor Logical Processor", "Hv LP %u", i, 0);
	add(m, "Hyper-V Hypervisor Logical Processor", "_Total");
	return m;
}

static size_t
count(struct mem_source *m)
{
	struct pmon_source *source = mem_source_open(m);
	struct rules_processors p = {.n = 0};
	size_t n;

	assert_true(rules_processors_take(&p, pmon_source_schema(source)));
	n = rules_processors_at(&p, PMON_SPAN("A"))->n;
	rules_processors_free(&p);
	pmon_source_close(source);
	return n;
}

static void
counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(machines); i++)
		T_EQ_U64(count(source_of(&machines[i])), machines[i].want);
}

// Logs of older versions, recorded soon after the start of Linux: with each sample the total line of
// /proc/stat was one processor more, by its user time in ticks.
static void
phantoms(void **state)
{
	static const unsigned real[] = {1, 2, 16, 64, 128};

	(void)state;
	for (size_t k = 0; k < T_LEN(real); k++) {
		struct mem_source *m = mem_source_new();

		for (unsigned sample = 0; sample < 30; sample++) {
			for (unsigned i = 0; sample == 0 && i < real[k]; i++)
				add_number(m, "Processor", "%u", i, 0);
			add_number(m, "Processor", "%u", 4020 + 120 * sample, 0);
		}
		T_EQ_U64(count(m), real[k]);
	}
}

// ---- Rules ----------------------------------------------------------------------------------

static bool
is(const struct rules_pattern *pattern, const char *text)
{
	return pmon_text_same(pattern->text, t_span(text));
}

// A shipped Windows rule for all processors first names the counters that cover all of them.
static void
check_order(const struct rules_patterns *list)
{
	for (size_t i = 0; i < list->n; i++) {
		char wide[200];
		const char *total = "\\Processor(_Total)";
		struct pmon_span text = list->list[i]->text;
		size_t len = strlen(total);

		if (text.len < len || memcmp(text.ptr, total, len) != 0)
			continue;
		(void)snprintf(wide, sizeof(wide), "\\Processor Information(_Total)%.*s",
			       (int)(text.len - len), text.ptr + len);
		assert_true(i > 0 && is(list->list[i - 1], wide));
	}
}

static void
packs(void **state)
{
	(void)state;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		struct rules rules;
		struct rules_error why;

		if (strcmp(pack->name, "linux") == 0) // it has no groups
			continue;
		assert_true(rules_parse(pack->text, &rules, &why));
		for (size_t i = 0; i < rules.n; i++) {
			check_order(&rules.list[i].counters);
			check_order(&rules.list[i].whiles);
		}
		rules_free(&rules);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(phantoms),
		cmocka_unit_test(packs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
