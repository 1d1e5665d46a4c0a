// identity.c - the step that distinguishes processes
// SPDX-License-Identifier: MIT

#include "shell/input/identity.h"

#include "shell/args/verb.h"
#include "shell/output/say.h"

struct pmon_identity_options
identity_options(const struct identity *identity, const struct request *request,
		 const struct patterns *patterns, const struct pmon_source_info *info)
{
	bool shows_chosen =
		patterns->reading != NULL && !request->delivers_identity && request->also == NULL;

	return (struct pmon_identity_options){
		.size = sizeof(struct pmon_identity_options),
		.shown = shows_chosen ? patterns->select : NULL,
		.hides = identity->hides,
		.hides_ctx = identity->hides_ctx,
		.by_process = request->by_process,
		.forget_after = request->forget_after,
		.from_start = (info->live || info->sampled_by_pmon) && !request->no_starts,
		.tells_owners = (request->verb->traits & VERB_OWNERS) != 0,
		.owners_in_utc = request->owners_in_utc};
}

int
identity_open(struct identity *identity, const struct request *request,
	      const struct patterns *patterns, struct pmon_source **source)
{
	struct pmon_source *input = *source;
	struct pmon_identity_options options =
		identity_options(identity, request, patterns, pmon_source_info(input));
	struct pmon_err err;

	*source = NULL;
	if (pmon_identity_open(input, &options, source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	identity->step = *source;
	return EXIT_DONE;
}

bool
identity_is_unknown(const struct identity *identity)
{
	return identity->step != NULL ? pmon_identity_is_unknown(identity->step)
				      : identity->is_unknown;
}

void
identity_say_unknown(void)
{
	static bool is_said; // static, because a program may read two logs

	if (is_said || ferror(stdout))
		return;
	is_said = true;
	say(0, "note: without `ID Process`, processes with the same name cannot be distinguished");
}
