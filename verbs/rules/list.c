// list.c - pmon rules list and show: the shipped rules
// SPDX-License-Identifier: MIT

#include "verbs/rules/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "shell/args/suggest.h"
#include "shell/input/rules_file.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"

static const struct out_column columns[] = {
	{"pack", "Pack", 0, OUT_LEFT},       {"rule", "Rule", 0, OUT_LEFT},
	{"warning", "Warning", 0, OUT_LEFT}, {"critical", "Critical", 0, OUT_LEFT},
	{"for", "For", 0, OUT_LEFT},         {"counter", "Counter", 0, OUT_LEFT},
	{"source", "Source", 0, OUT_LEFT},
};

static void
put_hold(struct pmon_text *t, const struct rules_hold *hold)
{
	if (hold->lasting == RULES_TIME)
		episode_put_length(t, hold->time_100ns);
	else if (hold->lasting == RULES_SHARE) {
		pmon_text_double(t, hold->share * 100);
		pmon_text_str(t, " %");
	} else if (hold->samples > 1) {
		pmon_text_u64(t, hold->samples);
		pmon_text_str(t, " samples");
	}
}

static void
put_limit(struct out *out, const struct rules_limit *limit)
{
	char text[2 * sizeof(limit->threshold.text) + 64];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (limit->given) {
		pmon_text_str(&t, limit->threshold.below ? "<" : ">");
		pmon_text_str(&t, limit->or_equal ? "= " : " ");
		pmon_text_str(&t, limit->threshold.text);
	}
	if (limit->has_own_hold) {
		pmon_text_str(&t, " for ");
		put_hold(&t, &limit->hold);
	}
	out_str(out, pmon_text_get(&t));
}

static void
put_lasting(struct out *out, const struct rules_rule *rule)
{
	char text[64];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	put_hold(&t, &rule->hold);
	out_str(out, pmon_text_get(&t));
}

// The texts of all sources, as far as they fit on a line.
static void
put_sources(struct out *out, const struct rules_rule *rule)
{
	char buf[1024];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	for (size_t i = 0; i < rule->n_sources; i++)
		for (size_t k = 0; k < rule->sources[i].texts.n; k++) {
			if (t.len > 0)
				pmon_text_str(&t, k > 0 ? " " : "; ");
			pmon_text_span(&t, rule->sources[i].texts.list[k]);
		}
	out_str(out, pmon_text_get(&t));
}

int
rules_list(const struct args *args)
{
	struct rules rules;
	struct out out;
	int status = rules_load(args, &rules);

	if (status != EXIT_DONE)
		return status;
	out_begin(&out, stdout, OUT_TEXT, "rules", columns, sizeof(columns) / sizeof(columns[0]),
		  NULL);
	for (size_t i = 0; i < rules.n; i++) {
		const struct rules_rule *rule = &rules.list[i];

		out_text(&out, rule->pack);
		out_text(&out, rule->name);
		put_limit(&out, &rule->limits[RULES_WARNING]);
		put_limit(&out, &rule->limits[RULES_CRITICAL]);
		put_lasting(&out, rule);
		out_text(&out, rule->counters.list[0]->text);
		put_sources(&out, rule);
	}
	status = out_end(&out);
	rules_free(&rules);
	return status;
}

// ---- One rule -------------------------------------------------------------------------------

// The lines of a rule in its pack's text, with the pack's common settings after its name.
static void
print_rule(const struct rules_pack *pack, const struct rules *rules, size_t i)
{
	const struct rules_rule *rule = &rules->list[i];
	unsigned end = i + 1 < rules->n ? rules->list[i + 1].line : UINT32_MAX;
	struct pmon_span text = pack->text;

	for (unsigned line = 1; text.len > 0 && line < end; line++) {
		const char *newline = memchr(text.ptr, '\n', text.len);
		size_t len = newline != NULL ? (size_t)(newline - text.ptr) : text.len;

		if (line >= rule->line && len > 0 && text.ptr[0] != '#')
			printf("%.*s\n", (int)len, text.ptr);
		if (line == rule->line) {
			printf("pack = %s\n", pack->name);
			for (size_t k = 0; k < rule->without.n; k++)
				printf("without = %.*s\n", (int)rule->without.list[k]->text.len,
				       rule->without.list[k]->text.ptr);
		}
		len += newline != NULL;
		text = (struct pmon_span){text.ptr + len, text.len - len};
	}
}

struct search {
	struct pmon_span name;
	char near[256]; // the name of a similar rule
	size_t distance;
};

// Print a rule of a pack. False if the pack does not have it.
static bool
show_from(const struct rules_pack *pack, struct search *search)
{
	struct rules rules;
	struct rules_error why;
	bool found = false;

	if (!rules_parse(pack->text, &rules, &why))
		return false;
	for (size_t i = 0; !found && i < rules.n; i++) {
		struct pmon_span name = rules.list[i].name;
		size_t distance = suggest_distance(name, search->name);

		found = pmon_text_same(name, search->name);
		if (found)
			print_rule(pack, &rules, i);
		if (distance >= search->distance)
			continue;
		search->distance = distance;
		(void)snprintf(search->near, sizeof(search->near), "%.*s", (int)name.len, name.ptr);
	}
	rules_free(&rules);
	return found;
}

int
rules_show(const char *name)
{
	struct search search = {.name = {name, strlen(name)}, .distance = 4};

	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		if (strcmp(pack->name, name) == 0) {
			out_exact(stdout, pack->text);
			return EXIT_DONE;
		}
		if (show_from(pack, &search))
			return EXIT_DONE;
	}
	if (search.near[0] != '\0')
		return say(EXIT_USAGE, "there is no rule \"%s\"; did you mean \"%s\"?", name,
			   search.near);
	return say(EXIT_USAGE, "there is no rule or pack \"%s\"; pmon rules list shows them", name);
}
