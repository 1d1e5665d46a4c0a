// alias.c - pmon rules --alias: counters by the names of windows_exporter and node_exporter
// SPDX-License-Identifier: MIT
//
// What these give are counters and gauges in base units, and so is what pmon gives; a rule renames, and never
// computes a rate. Totals are left out, as the exporters leave them out.

#include "apps/rules/alias.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "cli/args/args.h"
#include "cli/output/say.h"

struct aliasing {
	const struct om_registry *registry;
	bool is_classic;
	bool has_linux; // there are counters that only Linux has
	enum alias_kind begun;
	bool has_begun;
};

static struct pmon_span
span(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// The family of a counter with raw values. Displayed values do not count up.
static const struct om_family *
find(const struct om_registry *registry, const char *object, const char *counter)
{
	for (size_t i = 0; i < registry->n_families; i++) {
		const struct om_family *family = &registry->families[i];

		if (!family->series->formatted &&
		    pmon_text_same(family->series->path.object, span(object)) &&
		    pmon_text_same(family->series->path.counter, span(counter)))
			return family;
	}
	return NULL;
}

static bool
is_there(const struct aliasing *a, const struct alias *alias)
{
	if (alias->kind == ALIAS_NODE && !a->has_linux)
		return false;
	for (size_t i = 0; i < ALIAS_COUNTERS && alias->counters[i] != NULL; i++)
		if (find(a->registry, alias->object, alias->counters[i]) == NULL)
			return false;
	return true;
}

// Has a line before it the same name and the same label? Then the two would be one series.
static bool
is_taken(const struct aliasing *a, const struct alias *alias)
{
	for (const struct alias *other = aliases; other < alias; other++)
		if (strcmp(other->name, alias->name) == 0 && is_there(a, other) &&
		    (alias->value == NULL || strcmp(other->value, alias->value) == 0))
			return true;
	return false;
}

// ---- Text -----------------------------------------------------------------------------------

static void
put_term(const struct aliasing *a, const struct alias *alias, size_t i)
{
	const struct om_family *family = find(a->registry, alias->object, alias->counters[i]);

	printf("%s%s%s", i > 0 ? " - " : "", family->names[OM_MAIN],
	       pmon_om_is_counter(&family->plan.parts[OM_MAIN]) ? "_total" : "");
	if (alias->label != NULL)
		printf("{%s!~\"(?i)(.*,)?_total\"}",
		       a->is_classic ? "instance" : "counter_instance");
}

// Of "0 C:" the exporter takes the number of the disk.
static const char *
regex_of(const struct alias *alias)
{
	return alias->label != NULL && strcmp(alias->label, "disk") == 0 ? "([^ ]*).*" : "(.*)";
}

// The instance of the counter goes to the exporter's label. "instance" is what was scraped, or the machine.
static void
put_expression(const struct aliasing *a, const struct alias *alias)
{
	double times =
		alias->times / find(a->registry, alias->object, alias->counters[0])->plan.scale;
	char number[PMON_NUM_SIZE];

	printf("%s%s", a->is_classic ? "label_replace(" : "",
	       alias->label != NULL ? "label_replace(" : "");
	for (size_t i = 0; i < ALIAS_COUNTERS && alias->counters[i] != NULL; i++)
		put_term(a, alias, i);
	if (times != 1) {
		pmon_num_shortest(times, number);
		printf(" * %s", number);
	}
	if (alias->label != NULL)
		printf(", \"%s\", \"$1\", \"%s\", \"%s\")", alias->label,
		       a->is_classic ? "instance" : "counter_instance", regex_of(alias));
	if (a->is_classic)
		printf(", \"instance\", \"$1\", \"machine\", \"(.*)\")");
}

static void
begin_group(struct aliasing *a, enum alias_kind kind)
{
	if (a->has_begun && a->begun == kind)
		return;
	printf("%s  - name: \"pmon as %s\"\n    rules:\n", a->has_begun ? "" : "groups:\n",
	       kind == ALIAS_NODE ? "node_exporter" : "windows_exporter");
	a->has_begun = true;
	a->begun = kind;
}

static void
put_alias(struct aliasing *a, const struct alias *alias)
{
	begin_group(a, alias->kind);
	printf("      # %s, %s\n      - record: %s\n        expr: '", alias->object,
	       alias->counters[0], alias->name);
	put_expression(a, alias);
	printf("'\n");
	if (alias->key != NULL || a->is_classic)
		printf("        labels:\n");
	if (alias->key != NULL)
		printf("          %s: %s\n", alias->key, alias->value);
	if (a->is_classic)
		printf("          job: pmon\n");
}

int
rules_put_aliases(const struct args *args, const struct om_registry *registry)
{
	struct aliasing a = {.registry = registry, .is_classic = args->labels == LABELS_CLASSIC};

	a.has_linux = find(registry, "Processor", "% I/O Wait Time") != NULL ||
		      find(registry, "System", "Softirqs/sec") != NULL ||
		      find(registry, "Memory", "Buffers Bytes") != NULL ||
		      find(registry, "PhysicalDisk", "Reads Merged/sec") != NULL ||
		      find(registry, "Network Interface", "Collisions/sec") != NULL;
	for (const struct alias *alias = aliases; alias->name != NULL; alias++)
		if (is_there(&a, alias) && !is_taken(&a, alias))
			put_alias(&a, alias);
	return a.has_begun
		       ? EXIT_DONE
		       : say(EXIT_FAILED, "rules: windows_exporter and node_exporter have none of "
					  "these counters as raw values");
}
