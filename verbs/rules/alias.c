// alias.c - pmon rules --alias: counters under node_exporter's names
// SPDX-License-Identifier: MIT
//
// node_exporter provides counters and gauges in base units, and so does pmon; a rule only renames
// them, and never computes a rate. Totals are omitted, as in node_exporter.

#include "verbs/rules/alias.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "shell/args/args.h"
#include "shell/output/say.h"

struct aliasing {
	const struct om_registry *registry;
	bool is_classic;
	bool has_begun;
};

static struct pmon_span
span(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// The family of a counter with raw values. Displayed values are not cumulative.
static const struct om_family *
find_metric(const struct om_registry *registry, const char *object, const char *counter)
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
	for (size_t i = 0; i < ALIAS_COUNTERS && alias->counters[i] != NULL; i++)
		if (find_metric(a->registry, alias->object, alias->counters[i]) == NULL)
			return false;
	return true;
}

// ---- Text -----------------------------------------------------------------------------------

static void
put_term(const struct aliasing *a, const struct alias *alias, size_t i)
{
	const struct om_family *family =
		find_metric(a->registry, alias->object, alias->counters[i]);

	printf("%s%s%s", i > 0 ? " - " : "", family->names[OM_MAIN],
	       pmon_om_is_counter(&family->plan.parts[OM_MAIN]) ? "_total" : "");
	if (alias->label != NULL)
		printf("{%s!~\"(?i)(.*,)?_total\"}",
		       a->is_classic ? "instance" : "counter_instance");
}

// The instance of the counter becomes the exporter's label. "instance" is the scrape target, or the
// machine.
static void
put_expression(const struct aliasing *a, const struct alias *alias)
{
	double times = 1 / find_metric(a->registry, alias->object, alias->counters[0])->plan.scale;
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
		printf(", \"%s\", \"$1\", \"%s\", \"(.*)\")", alias->label,
		       a->is_classic ? "instance" : "counter_instance");
	if (a->is_classic)
		printf(", \"instance\", \"$1\", \"machine\", \"(.*)\")");
}

static void
put_alias(struct aliasing *a, const struct alias *alias)
{
	if (!a->has_begun)
		printf("groups:\n  - name: \"pmon as node_exporter\"\n    rules:\n");
	a->has_begun = true;
	printf("      # %s, %s\n      - record: %s\n        expr: '", alias->object,
	       alias->counters[0], alias->name);
	put_expression(a, alias);
	printf("'\n");
	if (alias->mode != NULL || a->is_classic)
		printf("        labels:\n");
	if (alias->mode != NULL)
		printf("          mode: %s\n", alias->mode);
	if (a->is_classic)
		printf("          job: pmon\n");
}

// Does the machine have Linux-only counters? Counters that Windows has too mean something else
// there.
static bool
is_of_linux(const struct om_registry *registry)
{
	return find_metric(registry, "Processor", "% I/O Wait Time") != NULL ||
	       find_metric(registry, "System", "Softirqs/sec") != NULL ||
	       find_metric(registry, "Memory", "Buffers Bytes") != NULL ||
	       find_metric(registry, "PhysicalDisk", "Reads Merged/sec") != NULL ||
	       find_metric(registry, "Network Interface", "Collisions/sec") != NULL;
}

int
rules_put_aliases(const struct args *args, const struct om_registry *registry)
{
	struct aliasing a = {.registry = registry, .is_classic = args->labels == LABELS_CLASSIC};

	if (is_of_linux(registry))
		for (const struct alias *alias = aliases; alias->name != NULL; alias++)
			if (is_there(&a, alias))
				put_alias(&a, alias);
	return a.has_begun ? EXIT_DONE
			   : say(EXIT_FAILED,
				 "rules: node_exporter has none of these counters as raw values");
}
