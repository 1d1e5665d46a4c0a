// rules.c - recording rules for Prometheus and VictoriaMetrics that reproduce Performance Monitor's
// numbers
// SPDX-License-Identifier: MIT
//
// The difference of any two values of a counter is the sum of the good differences between them. So
// a displayed value is a quotient of the differences of the last two points, and an average one of
// the differences over a window. irate() of two counters with the same times cancels the time.
// increase() would not work for windows: it extrapolates, and by a different factor if one of the
// two began near zero. The difference of counters that never decrease is exactly max_over_time() -
// min_over_time().
//
// The average of a set is the sum of numerators over the sum of denominators, as everywhere
// (docs/reference/counters.md, "Groups"). Family names contain the object, ignoring case, so sets
// omit its label.

#include "format/openmetrics/openmetrics.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "core/calc.h"
#include "query/slots.h"

// The scope of a rule.
enum level {
	EACH,    // every series
	MACHINE, // the instances of an object together
	FLEET,   // the machines together
};

struct rule {
	const struct om_out *out;
	const struct om_family *family;
	enum level level;
	bool is_average;
	bool only_totals; // all instances are totals
	const char *window;
	const struct om_asked *asked; // NULL: a recording rule
};

static void
put(const struct om_out *out, const char *text)
{
	out->put(out->ctx, text, strlen(text));
}

// Text from a log, where YAML must not interpret it.
static void
put_plain(const struct om_out *out, struct pmon_span text)
{
	size_t pos = 0;

	while (pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);
		bool printable = (c >= ' ' && c < 0x7F) || (c >= 0xA0 && c < 0x2028) ||
				 (c > 0x2029 && c < 0xD800) || (c >= 0xE000 && c < 0xFEFF);

		if (c == '"' || c == '\\')
			put(out, "\\");
		if (printable)
			out->put(out->ctx, text.ptr + at, pos - at);
		else
			put(out, "?");
	}
}

// ---- Terms ----------------------------------------------------------------------------------

// function without the labels that distinguish the series of a set; nothing for a single series.
static void
put_over_set(const struct rule *rule, const char *function)
{
	bool is_target = rule->out->is_target;

	if (rule->level == EACH)
		return;
	put(rule->out, function);
	if (rule->asked != NULL) { // its selectors define the set
		put(rule->out, " ");
		return;
	}
	put(rule->out, " without (");
	if (rule->level == FLEET) {
		put(rule->out, is_target ? "instance, machine, object) " : "machine, object) ");
		return;
	}
	put(rule->out,
	    is_target ? "counter_instance, duplicate, index" : "duplicate, index, instance");
	put(rule->out, ", object, parent) ");
}

// function(NAME{matchers}[window] at); NULL: the newest value.
static void
put_selector(const struct rule *rule, const char *function, int part, const char *matchers)
{
	bool is_counter = pmon_om_is_counter(&rule->family->plan.parts[part]);

	if (function != NULL) {
		put(rule->out, function);
		put(rule->out, "(");
	}
	put(rule->out, rule->family->names[part]);
	put(rule->out, is_counter ? "_total" : "");
	put(rule->out, matchers);
	if (function != NULL) {
		put(rule->out, "[");
		put(rule->out, rule->window);
		put(rule->out, "]");
		put(rule->out, rule->asked != NULL ? rule->asked->at : "");
		put(rule->out, ")");
	}
}

static const char *
matchers_of(const struct rule *rule)
{
	// excludes sums of the others
	if (rule->level == MACHINE && !rule->only_totals)
		return rule->out->is_target ? "{counter_instance!~\"(?i)(.*,)?_total\"}"
					    : "{instance!~\"(?i)(.*,)?_total\"}";
	return "";
}

static void
put_selected(const struct rule *rule, const char *function, int part)
{
	const struct om_asked *asked = rule->asked;

	if (asked == NULL) {
		put_selector(rule, function, part, matchers_of(rule));
		return;
	}
	put(rule->out, asked->n_matchers > 1 ? "(" : "");
	for (size_t i = 0; i < asked->n_matchers; i++) {
		put(rule->out, i > 0 ? " or " : "");
		put_selector(rule, function, part, asked->matchers[i]);
	}
	put(rule->out, asked->n_matchers > 1 ? ")" : "");
}

// The value of a counter at or before the start of the range.
static void
put_beginning(const struct rule *rule, int part)
{
	struct om_asked before;
	struct rule lead = *rule;

	if (rule->asked == NULL || rule->asked->lead == NULL) {
		put_selected(rule, "min_over_time", part);
		return;
	}
	before = *rule->asked;
	before.at = before.lead;
	lead.asked = &before;
	lead.window = OM_LEAD;
	put(rule->out, "(");
	put_selected(&lead, "last_over_time", part);
	put(rule->out, " or ");
	put_selected(rule, "min_over_time", part);
	put(rule->out, ")");
}

// By how much a counter increased, without the sum over a set. irate() still finds two points of a
// series that is gone, so require that it exists.
static void
put_difference(const struct rule *rule, int part)
{
	put(rule->out, "(");
	put_selected(rule, rule->is_average ? "max_over_time" : "irate", part);
	put(rule->out, rule->is_average ? " - " : " and ");
	if (rule->is_average)
		put_beginning(rule, part);
	else
		put_selected(rule, NULL, part);
	put(rule->out, ")");
}

static void
put_term(const struct rule *rule, int part)
{
	put_over_set(rule, "sum");
	put_difference(rule, part);
}

// The base times the number of units.
static void
put_capacity(const struct rule *rule)
{
	put_over_set(rule, "sum");
	put(rule->out, "(");
	put_difference(rule, OM_BASE);
	put(rule->out, " * ");
	put_selected(rule, rule->is_average ? "last_over_time" : NULL, OM_EXTRA);
	put(rule->out, ")");
}

// A sum over the set, of the newest values or of all in the window.
static void
put_gauge(const struct rule *rule, const char *over_time, int part)
{
	put_over_set(rule, "sum");
	put(rule->out, "(");
	put_selected(rule, rule->is_average ? over_time : NULL, part);
	put(rule->out, ")");
}

// ---- Expressions ----------------------------------------------------------------------------

// Divide differences. If no time passed there is no value; if a base did not change over a good
// pair it is 0.
static void
put_quotient(const struct rule *rule)
{
	put_term(rule, OM_MAIN);
	put(rule->out, " / (");
	put_term(rule, OM_BASE);
	put(rule->out, " > 0)");
}

static void
put_or_zero(const struct rule *rule)
{
	if (rule->family->plan.type->second != PMON_SECOND_BASE)
		return;
	put(rule->out, " or 0 * (");
	put_term(rule, OM_EXTRA);
	put(rule->out, " > 0)");
}

static void
put_multi(const struct rule *rule, bool is_inverse)
{
	put(rule->out, is_inverse ? "100 * ((" : "100 * (");
	if (is_inverse) {
		put_capacity(rule);
		put(rule->out, " - ");
	}
	put_term(rule, OM_MAIN);
	put(rule->out, is_inverse ? ") / (" : " / (");
	if (is_inverse)
		put_term(rule, OM_BASE);
	else
		put_capacity(rule);
	put(rule->out, " > 0))");
	put(rule->out, is_inverse ? " >= 0" : "");
}

// Instantaneous values: the mean over a set, and over time.
static void
put_mean(const struct rule *rule)
{
	put(rule->out, rule->family->plan.parts[OM_MAIN].from == OM_RATIO ? "100 * " : "");
	if (rule->level == EACH) {
		put_selected(rule, rule->is_average ? "avg_over_time" : NULL, OM_MAIN);
		return;
	}
	put_gauge(rule, "sum_over_time", OM_MAIN);
	put(rule->out, " / ");
	if (rule->is_average) {
		put_gauge(rule, "count_over_time", OM_MAIN);
	} else {
		put_over_set(rule, "count");
		put(rule->out, "(");
		put_selected(rule, NULL, OM_MAIN);
		put(rule->out, ")");
	}
}

// The mean of the fractions, and for an average also over time.
static void
put_mean_fraction(const struct rule *rule)
{
	put(rule->out, "100 * ");
	put_over_set(rule, "avg");
	put(rule->out, "(");
	put_selected(rule, rule->is_average ? "avg_over_time" : NULL, OM_EXTRA);
	put(rule->out, ")");
}

// All parts of a set divided by all its wholes. For a set of one series the type's average is the
// mean over time; and if all wholes are 0, the mean is 0.
static void
put_fraction(const struct rule *rule)
{
	if (rule->level != EACH) {
		put(rule->out, "(100 * ");
		put_gauge(rule, "sum_over_time", OM_MAIN);
		put(rule->out, " / (");
		put_gauge(rule, "sum_over_time", OM_BASE);
		put(rule->out, " > 0)");
		if (rule->is_average) {
			put(rule->out, " and ");
			put_over_set(rule, "count");
			put(rule->out, "(");
			put_selected(rule, "count_over_time", OM_EXTRA);
			put(rule->out, ") > 1");
		}
		put(rule->out, ") or ");
	}
	put_mean_fraction(rule);
}

static void
put_expression(const struct rule *rule)
{
	switch (rule->family->plan.type->formula) {
	case PMON_FORMULA_NONE:
		break;
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_DOUBLE:
		put_mean(rule);
		break;
	case PMON_FORMULA_FRACTION:
		put_fraction(rule);
		break;
	case PMON_FORMULA_ELAPSED:
		put_selected(rule, rule->is_average ? "last_over_time" : NULL, OM_MAIN);
		break;
	case PMON_FORMULA_DELTA:
	case PMON_FORMULA_RATE:
	case PMON_FORMULA_RATIO:
	case PMON_FORMULA_AVERAGE_TIME:
		put_quotient(rule);
		put_or_zero(rule);
		break;
	case PMON_FORMULA_PERCENT:
		put(rule->out, "100 * (");
		put_quotient(rule);
		put(rule->out, ")");
		put_or_zero(rule);
		break;
	case PMON_FORMULA_PERCENT_INV:
		put(rule->out, "100 * (1 - ");
		put_quotient(rule);
		put(rule->out, ") >= 0");
		break;
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
		put_multi(rule, rule->family->plan.type->formula == PMON_FORMULA_MULTI_INV);
		break;
	}
}

// In the unit that the counter displays.
void
pmon_om_put_asked(const struct om_out *out, const struct om_family *family,
		  const struct om_asked *asked)
{
	struct rule rule = {.out = out,
			    .family = family,
			    .level = asked->is_set ? FLEET : EACH,
			    .is_average = asked->is_average,
			    .window = asked->window,
			    .asked = asked};
	double scale = family->plan.scale;
	char number[PMON_NUM_SIZE];

	put(out, scale != 1 ? "(" : "");
	put_expression(&rule);
	if (scale == 1)
		return;
	pmon_num_shortest(scale > 1 ? scale : 1 / scale, number);
	put(out, scale > 1 ? ") / " : ") * ");
	put(out, number);
}

void
pmon_om_put_counted(const struct om_out *out, const struct om_family *family,
		    const struct om_asked *asked)
{
	struct rule rule = {.out = out,
			    .family = family,
			    .level = asked->is_set ? FLEET : EACH,
			    .window = asked->window,
			    .asked = asked};

	put_over_set(&rule, "sum");
	put(out, "(");
	put_selected(&rule, "count_over_time", OM_MAIN);
	put(out, ")");
}

void
pmon_om_put_points(const struct om_out *out, const struct om_family *family,
		   const struct om_asked *asked)
{
	put(out, family->names[OM_MAIN]);
	put(out, pmon_om_is_counter(&family->plan.parts[OM_MAIN]) ? "_total" : "");
	put(out, asked->matchers[0]);
	put(out, "[");
	put(out, asked->window);
	put(out, "]");
}

// ---- Rules ----------------------------------------------------------------------------------

static void
put_rule(const struct rule *rule)
{
	static const char *const levels[] = {"instance", "machine", "fleet"};

	put(rule->out, "      - record: ");
	put(rule->out, levels[rule->level]);
	put(rule->out, ":");
	put(rule->out, rule->family->names[OM_MAIN]);
	put(rule->out, rule->is_average ? ":average" : ":value");
	put(rule->out, rule->is_average ? rule->window : "");
	put(rule->out, "\n        expr: '");
	put_expression(rule);
	put(rule->out, "'\n");
}

static bool
has_instances(const struct om_registry *registry, const struct om_family *family)
{
	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = registry->tracks[id]->next)
		if (registry->tracks[id]->series->path.instance.ptr != NULL)
			return true;
	return false;
}

static bool
has_only_totals(const struct om_registry *registry, const struct om_family *family)
{
	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = registry->tracks[id]->next)
		if (!pmon_path_is_total(&registry->tracks[id]->series->path))
			return false;
	return true;
}

// The type and its formula. Displayed values are results of the formula, and averages are their
// means.
static void
put_type(const struct om_out *out, const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (series->formatted)
		put(out, "displayed values; ");
	put(out, type != NULL ? type->name : "type not known");
	put(out, ", ");
	if (!series->formatted)
		put(out, type->formula_text);
	else if (pmon_series_average_kind(series) == PMON_AVERAGE_MEAN)
		put(out, "averages are their mean, which is not the average of the type");
	else
		put(out, "averages are their mean");
	put(out, "\n");
}

// Are rules wanted, and can a value be computed? Not if ticks per second are missing.
bool
pmon_om_has_rules(const struct om_family *family, bool processes)
{
	if (!processes && pmon_object_is_process(family->series->path.object))
		return false;
	return pmon_formula_is_single(family->plan.type->formula) ||
	       family->plan.parts[OM_BASE].from != OM_NOTHING;
}

static void
put_family(const struct om_out *out, const struct om_registry *registry,
	   const struct om_family *family, const char *window)
{
	const struct pmon_counter_type *type = family->plan.type;
	struct rule rule = {.out = out,
			    .family = family,
			    .only_totals = has_only_totals(registry, family),
			    .window = window};

	put(out, "      # ");
	put_plain(out, family->series->path.counter);
	put(out, ": ");
	put_type(out, family->series);
	for (rule.level = EACH; rule.level <= FLEET; rule.level++) {
		// There is no average age of a set.
		if (rule.level > EACH && type->formula == PMON_FORMULA_ELAPSED)
			break;
		if (rule.level == MACHINE && !has_instances(registry, family))
			continue;
		rule.is_average = false;
		put_rule(&rule);
		rule.is_average = true;
		put_rule(&rule);
	}
}

static bool
same_object(const struct om_family *a, const struct om_family *b)
{
	return pmon_text_same(a->series->path.object, b->series->path.object);
}

// Does no earlier family of its object have rules?
static bool
begins_group(const struct om_registry *registry, size_t i, bool processes)
{
	if (!pmon_om_has_rules(&registry->families[i], processes))
		return false;
	for (size_t k = 0; k < i; k++)
		if (pmon_om_has_rules(&registry->families[k], processes) &&
		    same_object(&registry->families[k], &registry->families[i]))
			return false;
	return true;
}

void
pmon_om_put_rules(const struct om_out *out, const struct om_registry *registry, const char *window,
		  bool processes)
{
	put(out, "groups:\n");
	for (size_t i = 0; i < registry->n_families; i++) {
		if (!begins_group(registry, i, processes))
			continue;
		put(out, "  - name: \"pmon ");
		put_plain(out, registry->families[i].series->path.object);
		put(out, "\"\n    rules:\n");
		for (size_t k = i; k < registry->n_families; k++)
			if (pmon_om_has_rules(&registry->families[k], processes) &&
			    same_object(&registry->families[k], &registry->families[i]))
				put_family(out, registry, &registry->families[k], window);
	}
}
