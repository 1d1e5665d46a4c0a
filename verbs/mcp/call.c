// call.c - the command line of a call, from its arguments
// SPDX-License-Identifier: MIT

#include "verbs/mcp/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 4000 // bytes of an argument

static bool
add_word(struct tool_call *call, const char *word, const char *shown)
{
	if (call->n == TOOL_WORDS)
		return false;
	call->words[call->n] = strdup(word);
	call->shown[call->n] = strdup(shown);
	call->n++;
	return call->words[call->n - 1] != NULL && call->shown[call->n - 1] != NULL;
}

static bool
fail(char why[TOOL_WHY], const char *fmt, const char *a, const char *b)
{
	(void)snprintf(why, TOOL_WHY, fmt, a, b);
	return false;
}

static bool
no_room(char why[TOOL_WHY])
{
	return fail(why, "the arguments are too many%s%s", "", "");
}

static bool
add_option(struct tool_call *call, const struct tool_param *param, const struct json_t *value,
	   char why[TOOL_WHY])
{
	const char *text = rpc_text(value);
	char word[TEXT_MOST + 64];

	if (text == NULL)
		return fail(why, "%s must be a text%s", param->name,
			    param->kind == TOOL_TEXTS ? " in each place of the list" : "");
	if (strlen(text) > TEXT_MOST)
		return fail(why, "%s is too long%s", param->name, "");
	for (size_t i = 0; param->choices != NULL; i++) {
		if (param->choices[i] == NULL)
			return fail(
				why,
				"%s cannot be \"%.100s\"; the schema of the tool has the choices",
				param->name, text);
		if (strcmp(param->choices[i], text) == 0)
			break;
	}
	(void)snprintf(word, sizeof(word), "%s=%s", param->option, text);
	return add_word(call, word, word) || no_room(why);
}

static bool
add_options(struct tool_call *call, const struct tool_param *param, const struct json_t *list,
	    char why[TOOL_WHY])
{
	if (!rpc_is_list(list))
		return fail(why, "%s must be a list of texts%s", param->name, "");
	for (size_t i = 0; i < rpc_count(list); i++)
		if (!add_option(call, param, rpc_at(list, i), why))
			return false;
	return true;
}

static bool
take_number(const struct tool_param *param, const struct json_t *value, uint64_t least,
	    uint64_t most, uint64_t *out, char why[TOOL_WHY])
{
	if (!rpc_number(value, out) || *out < least || *out > most)
		return fail(why, "%s must be a whole number%s", param->name,
			    most == ROWS_MOST ? " from 1 to 500" : "");
	return true;
}

static bool
take_flag(const struct tool_param *param, const struct json_t *value, bool *out, char why[TOOL_WHY])
{
	return rpc_flag(value, out) || fail(why, "%s must be true or false%s", param->name, "");
}

static bool
take_param(struct tool_call *call, const struct tool_param *param, const struct json_t *value,
	   char why[TOOL_WHY])
{
	bool flag;

	switch (param->kind) {
	case TOOL_TEXT:
		return add_option(call, param, value, why);
	case TOOL_TEXTS:
		return add_options(call, param, value, why);
	case TOOL_FLAG:
		return take_flag(param, value, &flag, why);
	case TOOL_OFFSET:
		return take_number(param, value, 0, UINT32_MAX, &call->offset, why);
	case TOOL_ROWS:
		return take_number(param, value, 1, ROWS_MOST, &call->rows, why);
	case TOOL_CONDITION:
		if (rpc_text(value) == NULL)
			return fail(why, "%s must be a text%s", param->name, "");
		return true;
	case TOOL_LOGS:
		if (!rpc_is_list(value) || rpc_count(value) == 0 || rpc_count(value) > LOGS_OF_CALL)
			return fail(why, "%s must be a list of 1 to 64 names%s", param->name, "");
		return true;
	}
	return true;
}

static bool
is_known(const void *ctx, const char *name)
{
	const struct tool *tool = ctx;

	for (const struct tool_param *param = tool->params; param->name != NULL; param++)
		if (strcmp(param->name, name) == 0)
			return true;
	return false;
}

static bool
chooses_other(const struct tool *tool, const struct json_t *arguments)
{
	const struct json_t *value;
	bool flag;

	if (tool->other.param == NULL)
		return false;
	value = rpc_member(arguments, tool->other.param);
	return rpc_flag(value, &flag) ? flag : value != NULL;
}

// The verb and its options. The first screen has no verb.
static bool
begin_words(struct tool_call *call, const struct json_t *arguments, const char *picture,
	    char why[TOOL_WHY])
{
	const struct tool *tool = call->tool;
	bool is_other = chooses_other(tool, arguments);
	const char *verb = is_other ? tool->other.verb : tool->verb;
	bool good = verb == NULL || add_word(call, verb, verb);
	char output[4096];

	memcpy(call->lists, tool->lists, sizeof(call->lists));
	if (is_other) {
		call->lists[0] = tool->other.list;
		call->lists[1] = NULL;
	}
	if (tool->draws) {
		(void)snprintf(output, sizeof(output), "--output=%s", picture);
		good &= add_word(call, output, "--output=chart.png");
	} else {
		good &= add_word(call, "--format=json", "--format=json");
	}
	// Times of answers are in UTC, so those of questions are too.
	if (verb == NULL || strcmp(verb, "list") != 0)
		good &= add_word(call, "--tz=utc", "--tz=utc");
	return good || no_room(why);
}

static bool
take_options(struct tool_call *call, const struct json_t *arguments, char why[TOOL_WHY])
{
	const char *unknown = rpc_unknown(arguments, is_known, call->tool);

	if (unknown != NULL)
		return fail(why, "%s has no argument \"%.100s\"", call->tool->name, unknown);
	for (const struct tool_param *param = call->tool->params; param->name != NULL; param++) {
		const struct json_t *value = rpc_member(arguments, param->name);

		if (value == NULL && param->is_needed)
			return fail(why, "%s needs %s", call->tool->name, param->name);
		if (value != NULL && !take_param(call, param, value, why))
			return false;
	}
	return true;
}

static bool
add_log(struct tool_call *call, const struct folders *folders, const char *name, char why[TOOL_WHY])
{
	char reason[FOLDERS_WHY];
	char *real = folders_find(folders, name, reason);
	bool good;

	if (real == NULL)
		return fail(why, "%s%s", reason, "");
	good = add_word(call, real, name);
	free(real);
	call->n_logs++;
	return good || no_room(why);
}

// The logs that the server was started with.
static bool
add_given_logs(struct tool_call *call, const struct folders *folders, char why[TOOL_WHY])
{
	for (size_t i = 0; i < folders->n; i++)
		if (folders->list[i].is_file &&
		    !add_log(call, folders, folders->list[i].given, why))
			return false;
	if (call->n_logs > 0)
		return true;
	return fail(why, "%s needs logs%s", call->tool->name,
		    "; open without arguments lists them");
}

static bool
add_logs(struct tool_call *call, const struct json_t *arguments, const struct folders *folders,
	 char why[TOOL_WHY])
{
	const struct json_t *logs = rpc_member(arguments, "logs");

	if (logs == NULL && strcmp(call->tool->name, "open") == 0)
		return true;
	if (logs == NULL)
		return add_given_logs(call, folders, why);
	for (size_t i = 0; i < rpc_count(logs); i++) {
		const char *name = rpc_text(rpc_at(logs, i));

		if (name == NULL || strlen(name) > TEXT_MOST)
			return fail(why, "logs must be a list of names%s%s", "", "");
		if (!add_log(call, folders, name, why))
			return false;
	}
	return true;
}

bool
tool_call_begin(struct tool_call *call, const struct tool *tool, const struct json_t *arguments,
		const struct folders *folders, const char *picture, char why[TOOL_WHY])
{
	const char *condition = rpc_text(rpc_member(arguments, "condition"));

	*call = (struct tool_call){.tool = tool, .rows = tool->rows};
	if (arguments != NULL && !rpc_is_object(arguments))
		return fail(why, "the arguments of %s must be an object%s", tool->name, "");
	if (!begin_words(call, arguments, picture, why) || !take_options(call, arguments, why))
		return false;
	if (!add_word(call, "--", "--"))
		return no_room(why);
	if (condition != NULL && !add_word(call, condition, condition))
		return no_room(why);
	return add_logs(call, arguments, folders, why);
}

void
tool_call_free(struct tool_call *call)
{
	for (size_t i = 0; i < call->n; i++) {
		free(call->words[i]);
		free(call->shown[i]);
	}
	call->n = 0;
}
