// now.c - what is beyond a limit on this machine now, and for how long that is known
// SPDX-License-Identifier: MIT

#include <string.h>

#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "verbs/health/incidents.h"

#define TEXT 1024
#define WHO  3

// "for at least 3 s"
static void
put_known(struct pmon_text *t, const struct rules_unfinished *now)
{
	if (now->episode.length_100ns <= 0) {
		pmon_text_str(t, " in the newest sample");
		return;
	}
	pmon_text_str(t, now->may_be_longer ? " for at least " : " for ");
	episode_put_length(t, now->episode.length_100ns);
}

// "critical after 10 min"
static void
put_required(struct pmon_text *t, const struct rules_unfinished *now)
{
	const struct rules_rule *rule = now->episode.rule;
	const struct rules_hold *hold = &rule->limits[now->episode.level].hold;

	pmon_text_str(t, now->episode.level == RULES_CRITICAL ? "; critical " : "; warning ");
	if (rule->within_100ns > 0) {
		pmon_text_str(t, "if for ");
		pmon_text_u64(t, (uint64_t)(rule->window_share * 100 + 0.5));
		pmon_text_str(t, " % of ");
		episode_put_length(t, rule->within_100ns);
	} else if (hold->lasting == RULES_TIME) {
		pmon_text_str(t, "after ");
		episode_put_length(t, hold->time_100ns);
	} else {
		pmon_text_str(t, "after ");
		pmon_text_u64(t, hold->samples);
		pmon_text_str(t, " samples");
	}
}

static void
put_now(struct pmon_text *t, const struct judged *j, const struct rules_unfinished *now)
{
	const struct rules_episode *e = &now->episode;

	episode_put_what(t, e, rules_judge_machines(j->judge) > 1);
	pmon_text_str(t, ": ");
	episode_put_how(t, e);
	put_known(t, now);
	put_required(t, now);
	if (e->n_who == 0)
		return;
	pmon_text_str(t, "; busiest: ");
	episode_put_busiest(t, e, WHO);
}

void
health_now(FILE *stream, const struct judged *j, enum out_format format, bool *is_first)
{
	size_t n = args_rows(j->args, j->n_now);

	if (n == 0)
		return;
	fprintf(stream, "%sBeyond a limit now, not yet for as long as its rule requires:\n%s",
		*is_first ? "" : "\n", format == OUT_MARKDOWN ? "\n" : "");
	*is_first = false;
	for (size_t i = 0; i < n; i++) {
		char text[TEXT];
		struct pmon_text t = pmon_text_init(text, sizeof(text));
		struct pmon_span line;

		put_now(&t, j, &j->now[i]);
		line = (struct pmon_span){text, strlen(text)};
		fputs(format == OUT_MARKDOWN ? "- " : "  ", stream);
		if (format == OUT_MARKDOWN)
			out_markdown(stream, line);
		else
			out_clean(stream, line);
		putc('\n', stream);
	}
	if (n < j->n_now)
		fprintf(stream, "%s%zu more\n", format == OUT_MARKDOWN ? "- " : "  ", j->n_now - n);
}
