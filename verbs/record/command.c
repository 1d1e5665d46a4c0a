// command.c - the output of a command as a source of samples
// SPDX-License-Identifier: MIT

#include "verbs/record/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "format/jsonl/jsonl.h"
#include "model/source.h"
#include "os/clock.h"
#include "os/file.h"
#include "shell/output/say.h"
#include "shell/process/piped.h"
#include "shell/process/signals.h"

#define GRACE_100NS (5 * PMON_TIME_PER_SEC) // for a command that was asked to end

struct command {
	struct piped piped;
	int signals;
	int64_t until_100ns; // 0: no end
	uint64_t total;      // bytes read so far
	bool is_ended;
	bool asks_rotation;
	const struct patterns *patterns;
	// Opening reads the first sample and then starts over, so these bytes are kept.
	bool is_opening;
	char *head;
	size_t head_len;
	size_t head_cap;
};

static void
stop(struct command *command)
{
	if (command->piped.is_stopped) {
		command->is_ended = true; // it was asked before
		return;
	}
	piped_stop(&command->piped);
	command->until_100ns = pmon_os_monotonic_100ns() + GRACE_100NS;
}

static bool
keep(struct command *command, const void *bytes, size_t n)
{
	size_t cap = command->head_cap > 0 ? command->head_cap : 65536;
	char *grown;

	if (!command->is_opening)
		return true;
	while (cap < command->head_len + n)
		cap *= 2;
	grown = cap > command->head_cap ? realloc(command->head, cap) : command->head;
	if (grown == NULL)
		return false;
	command->head = grown;
	command->head_cap = cap;
	memcpy(grown + command->head_len, bytes, n);
	command->head_len += n;
	return true;
}

static void
take_signals(struct command *command)
{
	struct signals signals = signals_take();

	command->asks_rotation |= signals.rotate;
	if (signals.end)
		stop(command);
}

static enum pmon_status
read_output(struct command *command, void *buf, size_t len, size_t *got, struct pmon_err *err)
{
	while (!command->is_ended) {
		switch (piped_read(&command->piped, command->signals, command->until_100ns, buf,
				   len, got)) {
		case PIPED_BYTES:
			if (!keep(command, buf, *got))
				return pmon_err_nomem(err);
			command->total += *got;
			return PMON_OK;
		case PIPED_END:
			command->is_ended = true;
			break;
		case PIPED_SIGNAL:
			take_signals(command);
			break;
		case PIPED_LATE:
			stop(command);
			break;
		}
	}
	return PMON_OK;
}

// pmon_file_ops.read
static enum pmon_status
read_bytes(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got, struct pmon_err *err)
{
	struct command *command = ctx;

	*got = 0;
	if (offset < command->head_len) {
		*got = command->head_len - (size_t)offset;
		*got = *got < len ? *got : len;
		memcpy(buf, command->head + offset, *got);
		return PMON_OK;
	}
	if (offset != command->total)
		return pmon_err_set(err, PMON_E_STATE, offset,
				    "the output of a command can be read only once");
	return read_output(command, buf, len, got, err);
}

static bool
want(void *ctx, const struct pmon_path *path)
{
	const struct command *command = ctx;

	return patterns_want(command->patterns, path);
}

static enum pmon_status
open_output(struct command *command, const struct command_options *options,
	    struct pmon_source **source, struct pmon_err *err)
{
	static const struct pmon_file_ops ops = {.read = read_bytes};
	struct pmon_log_options log = {
		.size = sizeof(log), .notice = options->notice, .notice_ctx = options->ctx};
	struct pmon_log_files files = {.file = NULL};
	enum pmon_status status =
		pmon_file_custom(&ops, command, PMON_FILE_ENDLESS, NULL, &files.file, err);

	if (options->patterns->select != NULL) {
		log.want = want;
		log.want_ctx = command;
	}
	if (status == PMON_OK)
		status = pmon_format_open(&pmon_format_jsonl, &files, &log, source, err);
	if (status == PMON_OK) {
		(*source)->info.live = true;
		(*source)->info.size_bytes = 0;
	}
	return status;
}

int
command_open(struct command **out, const struct command_options *options,
	     struct pmon_source **source)
{
	struct command *command = calloc(1, sizeof(*command));
	struct pmon_err err;

	*out = command;
	if (command == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (pmon_format_jsonl.open == NULL)
		return say(EXIT_FAILED,
			   "this pmon was built without jansson, which reads JSON lines");
	*command = (struct command){.piped = {.fd = -1},
				    .signals = signals_catch(),
				    .patterns = options->patterns,
				    .is_opening = true};
	if (options->duration_100ns > 0)
		command->until_100ns = pmon_os_monotonic_100ns() + options->duration_100ns;
	if (!piped_begin(&command->piped, options->text))
		return say(EXIT_FAILED, "cannot start the command: %s",
			   errno == ENOSYS ? "pmon cannot start programs on this system"
					   : strerror(errno));
	if (open_output(command, options, source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s",
			   err.status == PMON_E_FORMAT
				   ? "the command wrote no JSON line with the value of a counter"
				   : err.msg);
	command->is_opening = false;
	return EXIT_DONE;
}

bool
command_asks_rotation(struct command *command)
{
	bool asks = command->asks_rotation;

	command->asks_rotation = false;
	return asks;
}

int
command_close(struct command *command)
{
	char why[PROGRAM_WHY];
	int status = EXIT_DONE;

	if (command == NULL)
		return EXIT_DONE;
	if (command->piped.process > 0 && !command->is_ended && !command->piped.is_stopped)
		piped_stop(&command->piped);
	if (!piped_end(&command->piped, why))
		status = say(EXIT_FAILED, "the command failed: %s", why);
	free(command->head);
	free(command);
	return status;
}
