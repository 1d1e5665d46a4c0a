// push.c - pmon push: logs, or this machine, into engines
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apps/push/engine.h"
#include "base/num.h"
#include "base/time.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/line.h"
#include "cli/output/number.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "cli/process/folders.h"
#include "cli/process/signals.h"
#include "os/term.h"

#define MAX_BATCH    10000000u
#define MAX_DAYS     36500
#define LOOK_SAMPLES 16                         // samples between two looks at signals
#define GRACE_100NS  (5 * PMON_TIME_PER_SEC)    // to send what is there after the first Ctrl-C
#define REPEAT_100NS (200 * PMON_TIME_PER_MSEC) // of the line of progress
#define LIVE_100NS   (1 * PMON_TIME_PER_SEC)    // samples of a live source wait no longer

struct push {
	const struct args *args;
	struct pmon_push_options options;
	const char *file; // that is being pushed, for words
	struct logs logs;
	struct pmon_sink *sink;
	struct engine_login login;
	char state_dir[FOLDER_SIZE];
	int64_t begun;
	int64_t next_line;
	int64_t interrupted; // when, on the monotonic clock; 0: not
	bool is_away;        // the engine could not be reached for as long as was tried
	int64_t flushed;
};

static int
take_batch(const struct args *args, size_t *rows)
{
	const char *text = args_text(args, "--batch");
	uint64_t n = 0;

	if (text == NULL)
		return EXIT_DONE;
	if (!pmon_num_parse_u64((struct pmon_span){text, strlen(text)}, &n) || n == 0 ||
	    n > MAX_BATCH)
		return say(EXIT_USAGE, "--batch takes a number from 1 to %u, not \"%s\"", MAX_BATCH,
			   text);
	*rows = (size_t)n;
	return EXIT_DONE;
}

static int
take_retention(const struct args *args, int64_t *out_100ns)
{
	const int64_t day = 24 * 60 * PMON_TIME_PER_MIN;
	const char *text = args_text(args, "--retention");

	if (text == NULL)
		return EXIT_DONE;
	*out_100ns = PMON_PUSH_FOREVER;
	if (strcmp(text, "forever") == 0)
		return EXIT_DONE;
	if (!pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) ||
	    *out_100ns < day || *out_100ns % day != 0 || *out_100ns / day > MAX_DAYS)
		return say(EXIT_USAGE,
			   "--retention takes whole days, 1d to %dd, or \"forever\", not \"%s\"",
			   MAX_DAYS, text);
	return EXIT_DONE;
}

// ---- Words ----------------------------------------------------------------------------------

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	const struct push *p = ctx;

	say(0, "%s: %s%s", p->file, notice->is_loss ? "" : "note: ", notice->text);
}

static double
seconds_since(int64_t begun)
{
	double s = (double)(pmon_os_monotonic_100ns() - begun) / PMON_TIME_PER_SEC;

	return s > 0.001 ? s : 0.001;
}

static void
put_amount(enum draw_quantity quantity, double value, char buf[2 * DRAW_NUMBER])
{
	const struct draw_unit unit = {.quantity = quantity, .factor = 1};

	(void)draw_amount(value, &unit, buf, 2 * DRAW_NUMBER);
}

// "server.blg: 45 %, 1,200,000 values, 560 k/s"
static void
show_progress(void *ctx, const struct pmon_push_counts *counts)
{
	struct push *p = ctx;
	const struct pmon_source_info *info = pmon_source_info(p->logs.source);
	int64_t now = pmon_os_monotonic_100ns();
	char part[32] = "";
	char line[512];
	char rows[DRAW_NUMBER];
	char rate[2 * DRAW_NUMBER];

	if (now < p->next_line)
		return;
	p->next_line = now + REPEAT_100NS;
	if (info->size_bytes > 0 && info->bytes_read <= info->size_bytes)
		(void)snprintf(part, sizeof(part), "%.0f %%, ",
			       100.0 * (double)info->bytes_read / (double)info->size_bytes);
	(void)out_count(counts->rows, rows, sizeof(rows));
	put_amount(DRAW_RATE, (double)counts->rows / seconds_since(p->begun), rate);
	(void)snprintf(line, sizeof(line), "%.200s: %s%s values, %s", p->file, part, rows, rate);
	line_show(line);
}

static void
print_count(const char *before, uint64_t n, const char *after)
{
	char number[DRAW_NUMBER];

	(void)out_count(n, number, sizeof(number));
	printf("%s%s%s", before, number, after);
}

// "server.blg: 1,200 of 15,000 values are missing, 1,200 of them of batches that were pushed"
static int
tell_verified(const struct push *p)
{
	struct pmon_push_counts counts = pmon_push_counts(p->sink);

	line_erase();
	out_clean(stdout, (struct pmon_span){p->file, strlen(p->file)});
	print_count(": ", counts.missing, " of ");
	print_count("", counts.stored + counts.missing, " values are missing");
	if (counts.lost > 0)
		print_count(", ", counts.lost, " of them were pushed before");
	printf("%s", counts.missing > 0 ? "; --again sends them" : "");
	if (counts.different > 0)
		print_count("; ", counts.different, " differ from the values that count");
	if (counts.expired > 0)
		print_count("; ", counts.expired, " are older than the retention");
	printf("\n");
	fflush(stdout);
	return counts.missing > 0 || counts.different > 0 ? EXIT_FAILED : EXIT_DONE;
}

static void
tell_end(const struct push *p)
{
	struct pmon_push_counts counts = pmon_push_counts(p->sink);
	double s = seconds_since(p->begun);
	uint64_t unsent =
		counts.rows - counts.sent - counts.stored - counts.repeated - counts.expired;
	char bytes[2 * DRAW_NUMBER];
	char seconds[2 * DRAW_NUMBER];
	char rate[2 * DRAW_NUMBER];

	line_erase();
	out_clean(stdout, (struct pmon_span){p->file, strlen(p->file)});
	print_count(": ", counts.sent, " values");
	print_count(" of ", counts.series, " counters sent");
	if (counts.stored > 0)
		print_count(", ", counts.stored, " were there");
	if (counts.repeated > 0)
		print_count(", ", counts.repeated, " left out");
	if (counts.expired > 0)
		print_count(", ", counts.expired, " are older than the retention");
	put_amount(DRAW_BYTES, (double)counts.bytes, bytes);
	put_amount(DRAW_SECONDS, s, seconds);
	put_amount(DRAW_RATE, (double)(counts.sent + counts.stored) / s, rate);
	printf("; %s in %s, %s\n", bytes, seconds, rate);
	fflush(stdout);
	if (unsent > 0)
		say(0, "%s: %llu values that were read, and everything after them, were not sent%s",
		    p->file, (unsigned long long)unsent,
		    p->is_away || p->interrupted != 0 ? "; push it again to continue" : "");
	else if (p->interrupted != 0)
		say(0, "%s: interrupted before its end; push it again to continue", p->file);
}

// ---- Pushing --------------------------------------------------------------------------------

static bool
is_interrupted(struct push *p)
{
	if (signals_take().end && p->interrupted == 0)
		p->interrupted = pmon_os_monotonic_100ns();
	return p->interrupted != 0;
}

// What is on its way when the user interrupts may still arrive.
static bool
wants_end(void *ctx)
{
	struct push *p = ctx;

	return is_interrupted(p) && pmon_os_monotonic_100ns() - p->interrupted > GRACE_100NS;
}

static enum pmon_status
flush_live(struct push *p, struct pmon_err *err)
{
	int64_t now = pmon_os_monotonic_100ns();

	if (!pmon_source_info(p->logs.source)->live || now - p->flushed < LIVE_100NS)
		return PMON_OK;
	p->flushed = now;
	return pmon_sink_flush(p->sink, false, err);
}

static int
say_push_err(const struct push *p, const struct pmon_err *err)
{
	(void)say(EXIT_FAILED, "%s: %s", p->file, err->msg);
	if (err->status == PMON_E_EXISTS)
		say(0, "  --machine NAME pushes it under another name; --accept-id if this is the "
		       "same machine, set up anew");
	return EXIT_FAILED;
}

static int
push_samples(struct push *p)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status pushed;
	int status = EXIT_DONE;

	pushed = pmon_sink_begin(p->sink, pmon_source_schema(p->logs.source),
				 pmon_source_info(p->logs.source), &err);
	while (pushed == PMON_OK && logs_next(&p->logs, &sample, &status)) {
		if (sample->starts && !(pmon_sink_needs(p->sink) & PMON_SINK_STARTS))
			continue;
		pushed = pmon_sink_add(p->sink, sample, NULL, &err);
		if (pushed == PMON_OK)
			pushed = flush_live(p, &err);
		if (p->logs.read % LOOK_SAMPLES == 0 && is_interrupted(p))
			break;
	}
	// What was read before the log failed is stored too.
	if (pushed == PMON_OK)
		pushed = pmon_sink_finish(p->sink, &err);
	p->is_away = pushed == PMON_E_IO;
	if (pushed != PMON_OK)
		status = say_push_err(p, &err);
	else if (status == EXIT_DONE)
		status = logs_apart_patterns(&p->logs);
	return p->interrupted != 0 ? EXIT_FAILED : status;
}

static int
push_logs(struct push *p)
{
	struct pmon_err err;
	int status;

	memory_guard_cxx();
	if (pmon_push_open(args_text(p->args, "--to"), &p->options, &p->sink, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "push: %s",
			   err.msg);
	p->begun = pmon_os_monotonic_100ns();
	status = push_samples(p);
	if (p->options.check != PMON_PUSH_VERIFY)
		tell_end(p);
	else if (tell_verified(p) != EXIT_DONE)
		status = EXIT_FAILED;
	pmon_sink_close(p->sink);
	p->sink = NULL;
	return status;
}

static void
print_text(void *ctx, struct pmon_span text)
{
	(void)ctx;
	out_exact(stdout, text);
}

static int
describe_logs(struct push *p)
{
	const struct pmon_sample *sample = NULL;
	struct pmon_err err;
	int status = EXIT_DONE;

	if (!logs_next(&p->logs, &sample, &status))
		sample = NULL;
	if (status == EXIT_DONE && pmon_push_describe(args_text(p->args, "--to"), &p->options,
						      pmon_source_schema(p->logs.source), sample,
						      print_text, NULL, &err) != PMON_OK)
		status = say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "push: %s",
			     err.msg);
	return status;
}

// One file, or this machine.
static int
push_one(struct push *p, const struct args *args)
{
	struct apart_options options = {.checks_patterns = true};
	int status = args_flag(args, "--dry-run") ? logs_open(&p->logs, args)
						  : logs_open_apart(&p->logs, args, &options);

	p->file = args->operands.n > 0 ? file_name(args->operands.list[0]) : "this machine";
	p->flushed = pmon_os_monotonic_100ns();
	if (status == EXIT_DONE)
		status = args_flag(args, "--dry-run") ? describe_logs(p) : push_logs(p);
	return logs_close(&p->logs, status);
}

static void
tell_left(const struct push *p, size_t n)
{
	if (n > 0)
		say(0, "push: %zu more %s not pushed%s", n, n == 1 ? "file was" : "files were",
		    p->is_away ? ", as the engine is away" : "");
}

// Some engines need seconds to have what they took safe: that is waited for once, at the end of all files.
// An engine that is away is asked once more.
static int
finish_session(struct push *p, int worst)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	p->file = "push";
	if (p->is_away)
		p->options.retry.give_up_100ns = 1;
	status = pmon_push_session_finish(args_text(p->args, "--to"), &p->options, &err);
	if (status != PMON_OK)
		worst = say(EXIT_FAILED,
			    "push: what was sent last may be lost: %s; push the files again",
			    err.msg);
	pmon_push_session_close(p->options.session);
	p->options.session = NULL;
	return worst;
}

// Each file by itself: one that is broken stops no other, and one without a sample in the window is
// skipped while another has some. An engine that is away for one is so for all.
static int
push_files(struct push *p)
{
	const struct words *files = &p->args->operands;
	int worst = EXIT_DONE;
	size_t n_empty = 0;
	size_t i;

	for (i = 0; i < files->n && p->interrupted == 0 && !p->is_away; i++) {
		struct args one = *p->args;
		int status;

		one.operands = (struct words){.list = &files->list[i], .n = 1};
		one.is_one_of_several = files->n > 1;
		status = push_one(p, &one);
		if (status == EXIT_USAGE)
			return status;
		n_empty += p->logs.is_empty;
		if (!p->logs.is_empty && (worst == EXIT_DONE || status == EXIT_FAILED))
			worst = status;
	}
	if (n_empty == files->n)
		worst = EXIT_FAILED;
	tell_left(p, files->n - i);
	return worst;
}

// What is only shown is that of all files together.
static int
push_each(struct push *p)
{
	size_t n = p->args->operands.n;
	struct pmon_err err;

	if (n == 0 || args_flag(p->args, "--dry-run"))
		return push_one(p, p->args);
	if (pmon_push_session_open(p->options.allocator, &p->options.session, &err) != PMON_OK)
		return say(EXIT_FAILED, "push: %s", err.msg);
	return finish_session(p, push_files(p));
}

// Where is remembered what was sent: where the user says, else in the user's folder for such things.
static int
take_state_dir(struct push *p)
{
	const char *named = args_text(p->args, "--state-dir");

	if (named != NULL && !folder_create(named))
		return say(EXIT_FAILED, "%s: %s", named, strerror(errno));
	if (named != NULL)
		p->options.state_dir = named;
	else if (folder_of_state(p->state_dir) && folder_create(p->state_dir))
		p->options.state_dir = p->state_dir;
	else
		say(0, "push: no state directory: set --state-dir or XDG_STATE_HOME");
	return EXIT_DONE;
}

static enum pmon_push_check
check_of(const struct args *args)
{
	if (args_flag(args, "--verify"))
		return PMON_PUSH_VERIFY;
	return args_flag(args, "--again") ? PMON_PUSH_AGAIN : PMON_PUSH_NEW;
}

int
push_run(const struct args *args)
{
	struct push p = {.args = args, .logs = {.args = args}};
	int status = EXIT_DONE;

	if (args_text(args, "--to") == NULL)
		return say(EXIT_USAGE, "push: name the engine with --to URL; see pmon push --help");
	if (args_flag(args, "--verify") && args_flag(args, "--again"))
		return say(EXIT_USAGE, "push: --verify sends nothing and --again sends what is "
				       "missing; give one of them");
	if (args_flag(args, "--verify") && args_text(args, "--retention") != NULL)
		return say(EXIT_USAGE, "push: --verify changes nothing in the engine; leave "
				       "--retention out");
	if (args->operands.n > 1 && args->machines.n > 0 &&
	    strchr(args->machines.list[0], '=') == NULL)
		return say(EXIT_USAGE, "push: to rename machines of several logs, write --machine "
				       "OLD=NEW");
	if (args_flag(args, "--verify") && args->operands.n == 0)
		return say(EXIT_USAGE,
			   "push: --verify compares logs with what is stored; name them");
	p.options = (struct pmon_push_options){.check = check_of(args),
					       .accept_ids = args_flag(args, "--accept-id"),
					       .notice = print_notice,
					       .notice_ctx = &p,
					       .progress = show_progress,
					       .progress_ctx = &p,
					       .cancel = wants_end,
					       .cancel_ctx = &p};
	status = engine_check_url("push", args_text(args, "--to"));
	if (status == EXIT_DONE && !args_flag(args, "--dry-run"))
		status = take_state_dir(&p);
	if (status == EXIT_DONE)
		status = engine_take_options(args, &p.login, &p.options);
	if (status != EXIT_DONE)
		return status;
	status = take_batch(args, &p.options.batch_rows);
	if (status == EXIT_DONE)
		status = take_retention(args, &p.options.retention_100ns);
	if (status != EXIT_DONE)
		return status;
	progress_never(); // there is a line of its own
	(void)signals_catch();
	return push_each(&p);
}
