// push.c - pmon push: send logs, or samples of this machine, to engines
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "os/clock.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/live.h"
#include "shell/input/logs_apart.h"
#include "shell/input/progress.h"
#include "shell/output/line.h"
#include "shell/output/number.h"
#include "shell/output/say.h"
#include "shell/process/folders.h"
#include "shell/process/memory.h"
#include "shell/process/sandbox.h"
#include "shell/process/signals.h"
#include "verbs/push/engine.h"

// Options of pmon push only.
struct push_options {
	const char *to;
	bool dry_run;
	bool verify;
	bool again;
	const char *retention;
	bool accept_id;
	bool allow_future;
	const char *state_dir;
	const char *batch;
};

#define MAX_BATCH    10000000u
#define MAX_DAYS     36500
#define LOOK_SAMPLES 16                         // samples between two checks for signals
#define GRACE_100NS  (5 * PMON_TIME_PER_SEC)    // time to send the rest after the first Ctrl-C
#define REPEAT_100NS (200 * PMON_TIME_PER_MSEC) // update interval of the progress line
// the longest that samples of a live source are buffered
#define LIVE_100NS (1 * PMON_TIME_PER_SEC)

struct push {
	const struct args *args;
	struct pmon_push_options options;
	const char *file; // the file being pushed, for messages
	struct logs logs;
	struct pmon_sink *sink;
	struct engine_login login;
	char state_dir[FOLDER_SIZE];
	int64_t begun;
	int64_t next_line;
	int64_t interrupted; // monotonic time of the interrupt; 0: none
	bool is_away;        // the engine could not be reached within the retry time
	int64_t flushed;
	bool has_loss; // the engine did not store all values of the file
};

static int
take_batch(const struct args *args, size_t *rows)
{
	const char *text = OWN_OPTIONS(push, args)->batch;
	uint64_t n = 0;

	if (text == NULL)
		return EXIT_DONE;
	if (!pmon_num_parse_u64((struct pmon_span){text, strlen(text)}, &n) || n == 0 ||
	    n > MAX_BATCH)
		return say(EXIT_USAGE, "--batch must be a number from 1 to %u, not \"%s\"",
			   MAX_BATCH, text);
	*rows = (size_t)n;
	return EXIT_DONE;
}

static int
take_retention(const struct args *args, int64_t *out_100ns)
{
	const int64_t day = 24 * 60 * PMON_TIME_PER_MIN;
	const char *text = OWN_OPTIONS(push, args)->retention;

	if (text == NULL)
		return EXIT_DONE;
	*out_100ns = PMON_PUSH_FOREVER;
	if (strcmp(text, "forever") == 0)
		return EXIT_DONE;
	if (!pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) ||
	    *out_100ns < day || *out_100ns % day != 0 || *out_100ns / day > MAX_DAYS)
		return say(EXIT_USAGE,
			   "--retention must be whole days, 1d to %dd, or \"forever\", not \"%s\"",
			   MAX_DAYS, text);
	return EXIT_DONE;
}

// ---- Words ----------------------------------------------------------------------------------

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	struct push *p = ctx;

	p->has_loss |= notice->is_loss;
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

static const char *
is_older(uint64_t n)
{
	return pmon_text_word(n, " is older than the retention", " are older than the retention");
}

static const char *
differs(uint64_t n)
{
	return pmon_text_word(n, " differs from the value that counts",
			      " differ from the values that count");
}

static const char *
is_ahead(uint64_t n)
{
	return pmon_text_word(n, " is ahead of the engine's clock and was not sent",
			      " are ahead of the engine's clock and were not sent");
}

// "server.blg: 1,200 of 15,000 values are missing, 1,200 of them of batches that were pushed"
static int
tell_verified(const struct push *p)
{
	struct pmon_push_counts counts = pmon_push_counts(p->sink);

	line_erase();
	out_clean(stdout, (struct pmon_span){p->file, strlen(p->file)});
	print_count(": ", counts.missing, " of ");
	print_count("", counts.stored + counts.missing,
		    pmon_text_word(counts.stored + counts.missing, " value", " values"));
	printf(" %s missing", pmon_text_word(counts.missing, "is", "are"));
	if (counts.lost > 0)
		print_count(", ", counts.lost,
			    pmon_text_word(counts.lost, " of them was pushed before",
					   " of them were pushed before"));
	printf("%s", counts.missing > 0 ? "; use --again to send them" : "");
	if (counts.different > 0)
		print_count("; ", counts.different, differs(counts.different));
	if (counts.expired > 0)
		print_count("; ", counts.expired, is_older(counts.expired));
	if (counts.ahead > 0)
		print_count("; ", counts.ahead, " from the future would not be sent");
	printf("\n");
	fflush(stdout);
	return counts.missing > 0 ? EXIT_FAILED : EXIT_DONE;
}

static void
tell_end(const struct push *p)
{
	struct pmon_push_counts counts = pmon_push_counts(p->sink);
	double s = seconds_since(p->begun);
	uint64_t unsent = counts.rows - counts.sent - counts.stored - counts.repeated -
			  counts.expired - counts.ahead;
	char bytes[2 * DRAW_NUMBER];
	char seconds[2 * DRAW_NUMBER];
	char rate[2 * DRAW_NUMBER];

	line_erase();
	out_clean(stdout, (struct pmon_span){p->file, strlen(p->file)});
	print_count(": ", counts.sent, pmon_text_word(counts.sent, " value", " values"));
	print_count(" of ", counts.series,
		    pmon_text_word(counts.series, " counter sent", " counters sent"));
	if (counts.stored > 0)
		print_count(", ", counts.stored,
			    pmon_text_word(counts.stored, " was there", " were there"));
	if (counts.repeated > 0)
		print_count(", ", counts.repeated, " left out");
	if (counts.expired > 0)
		print_count(", ", counts.expired, is_older(counts.expired));
	if (counts.ahead > 0)
		print_count(", ", counts.ahead, is_ahead(counts.ahead));
	if (counts.different > 0)
		print_count("; ", counts.different, differs(counts.different));
	put_amount(DRAW_BYTES, (double)counts.bytes, bytes);
	put_amount(DRAW_SECONDS, s, seconds);
	put_amount(DRAW_RATE, (double)(counts.sent + counts.stored) / s, rate);
	printf("; %s in %s, %s\n", bytes, seconds, rate);
	fflush(stdout);
	if (counts.different > 0)
		say(0,
		    "%s: for these times and counters the engine has other values; if another "
		    "machine has the same name, give one of them another with --machine",
		    p->file);
	if (unsent > 0)
		say(0, "%s: %llu %s, and everything after, were not sent%s", p->file,
		    (unsigned long long)unsent,
		    pmon_text_word(unsent, "value that was read", "values that were read"),
		    p->is_away || p->interrupted != 0 ? "; push it again to continue" : "");
	else if (p->is_away && counts.rows == 0)
		say(0, "%s: its values were not sent; push it again to continue", p->file);
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

// After an interrupt, data that is being sent may still arrive.
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
		say(0, "  use --machine NAME to push it under another name, or --accept-id if this "
		       "is the same machine, reinstalled");
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
	// Store also what was read before the log failed.
	if (pushed == PMON_OK)
		pushed = pmon_sink_finish(p->sink, &err);
	p->is_away = pushed == PMON_E_IO;
	if (pushed != PMON_OK)
		status = say_push_err(p, &err);
	else if (status == EXIT_DONE)
		status = logs_apart_patterns(&p->logs);
	return p->interrupted != 0 ? EXIT_FAILED : status;
}

// Does the log have values that cannot be right?
static bool
is_doubtful(const struct push *p)
{
	struct pmon_push_counts counts = pmon_push_counts(p->sink);

	return counts.ahead > 0 || counts.different > 0;
}

static int
push_logs(struct push *p)
{
	struct pmon_err err;
	int status;

	memory_guard_cxx();
	if (pmon_push_open(OWN_OPTIONS(push, p->args)->to, &p->options, &p->sink, &err) != PMON_OK)
		return say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "push: %s",
			   err.msg);
	p->begun = pmon_os_monotonic_100ns();
	p->has_loss = false;
	status = push_samples(p);
	if (status == EXIT_DONE && p->has_loss)
		status = EXIT_DAMAGED;
	if (p->options.check != PMON_PUSH_VERIFY)
		tell_end(p);
	else if (tell_verified(p) != EXIT_DONE)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && is_doubtful(p))
		status = EXIT_DAMAGED;
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
	if (status == EXIT_DONE && pmon_push_describe(OWN_OPTIONS(push, p->args)->to, &p->options,
						      pmon_source_schema(p->logs.source), sample,
						      print_text, NULL, &err) != PMON_OK)
		status = say(err.status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "push: %s",
			     err.msg);
	return status;
}

// Push one file, or this machine.
static int
push_one(struct push *p, const struct request *request)
{
	bool dry_run = OWN_OPTIONS(push, p->args)->dry_run;
	struct apart_options options = {.checks_patterns = true};
	int status = dry_run ? logs_open(&p->logs, request)
			     : logs_open_apart(&p->logs, request, &options);

	p->file = request->logs.n > 0 ? file_name(request->logs.list[0]) : "this machine";
	p->flushed = pmon_os_monotonic_100ns();
	if (status == EXIT_DONE)
		status = dry_run ? describe_logs(p) : push_logs(p);
	return logs_close(&p->logs, status);
}

static void
tell_left(const struct push *p, size_t n)
{
	if (n > 0)
		say(0, "push: %zu more %s not pushed%s", n,
		    pmon_text_word(n, "file was", "files were"),
		    p->is_away ? ", because the engine is unreachable" : "");
}

// Some engines need seconds to make data durable: wait once, after all files. An unreachable engine
// is retried once.
static int
finish_session(struct push *p, int worst)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	p->file = "push";
	if (p->is_away)
		p->options.retry.give_up_100ns = 1;
	status = pmon_push_session_finish(OWN_OPTIONS(push, p->args)->to, &p->options, &err);
	if (status != PMON_OK)
		worst = say(
			EXIT_FAILED,
			"push: the most recently sent values may be lost: %s; push the files again",
			err.msg);
	pmon_push_session_close(p->options.session);
	p->options.session = NULL;
	return worst;
}

// Push each file separately: a broken one does not stop the others, and one without a sample in the
// window is skipped if another has some. If the engine is unreachable for one, stop.
static int
push_files(struct push *p)
{
	const struct words *files = &p->args->operands;
	int worst = EXIT_DONE;
	size_t n_empty = 0;
	size_t i;

	for (i = 0; i < files->n && p->interrupted == 0 && !p->is_away; i++) {
		struct request one = request_of_log(p->args, &files->list[i]);
		int status;

		one.is_one_of_several = files->n > 1;
		status = push_one(p, &one);
		if (status == EXIT_USAGE)
			return status;
		n_empty += p->logs.window.is_empty;
		if (!p->logs.window.is_empty && (worst == EXIT_DONE || status == EXIT_FAILED))
			worst = status;
	}
	if (n_empty == files->n)
		worst = EXIT_FAILED;
	tell_left(p, files->n - i);
	return worst;
}

// With --dry-run and the like, treat all files as one.
static int
push_each(struct push *p)
{
	struct request request = request_from(p->args);
	size_t n = p->args->operands.n;
	struct pmon_err err;

	if (n == 0 || OWN_OPTIONS(push, p->args)->dry_run)
		return push_one(p, &request);
	if (pmon_push_session_open(p->options.allocator, &p->options.session, &err) != PMON_OK)
		return say(EXIT_FAILED, "push: %s", err.msg);
	return finish_session(p, push_files(p));
}

// Choose the folder that records what was sent: from the options, or the user's state folder.
static int
take_state_dir(struct push *p)
{
	const char *named = OWN_OPTIONS(push, p->args)->state_dir;

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
	if (OWN_OPTIONS(push, args)->verify)
		return PMON_PUSH_VERIFY;
	return OWN_OPTIONS(push, args)->again ? PMON_PUSH_AGAIN : PMON_PUSH_NEW;
}

static bool
push_is_apart(const struct args *args)
{
	return !OWN_OPTIONS(push, args)->dry_run;
}

static int
push_run(const struct args *args)
{
	struct push p = {.args = args};
	struct sandbox_inputs inputs = sandbox_inputs_of(args);
	int status = EXIT_DONE;

	if (OWN_OPTIONS(push, args)->to == NULL)
		return say(EXIT_USAGE,
			   "push: no engine given; use --to URL (see pmon push --help)");
	if (OWN_OPTIONS(push, args)->verify && OWN_OPTIONS(push, args)->again)
		return say(EXIT_USAGE, "push: --verify and --again cannot be combined: --verify "
				       "sends nothing, --again sends what is missing");
	if (OWN_OPTIONS(push, args)->verify && OWN_OPTIONS(push, args)->retention != NULL)
		return say(EXIT_USAGE, "push: --verify and --retention cannot be combined: "
				       "--verify changes nothing in the engine");
	if (args->operands.n > 1 && args->machines.n > 0 &&
	    strchr(args->machines.list[0], '=') == NULL)
		return say(EXIT_USAGE,
			   "push: to rename machines in several logs, use --machine OLD=NEW");
	if (OWN_OPTIONS(push, args)->verify && args->operands.n == 0)
		return say(EXIT_USAGE,
			   "push: --verify compares logs with the stored values; name the logs");
	p.options =
		(struct pmon_push_options){.size = sizeof(struct pmon_push_options),
					   .check = check_of(args),
					   .accept_ids = OWN_OPTIONS(push, args)->accept_id,
					   .allow_future = OWN_OPTIONS(push, args)->allow_future,
					   .labels = args->machine_labels.list,
					   .n_labels = args->machine_labels.n,
					   .notice = print_notice,
					   .notice_ctx = &p,
					   .progress = show_progress,
					   .progress_ctx = &p,
					   .cancel = wants_end,
					   .cancel_ctx = &p};
	status = engine_check_url("push", OWN_OPTIONS(push, args)->to);
	if (status == EXIT_DONE && !OWN_OPTIONS(push, args)->dry_run)
		status = take_state_dir(&p);
	if (status == EXIT_DONE)
		status = engine_take_options(args, &p.login, &p.options);
	if (status != EXIT_DONE)
		return status;
	status = take_batch(args, &p.options.batch_rows);
	if (status == EXIT_DONE)
		status = take_retention(args, &p.options.retention_100ns);
	// Credentials and the like have been read by now.
	if (status == EXIT_DONE && OWN_OPTIONS(push, args)->dry_run && !args->reading.no_sandbox &&
	    args->operands.n > 0)
		status = sandbox_enter(&inputs, NULL);
	if (status != EXIT_DONE)
		return status;
	progress_never(); // push has its own progress line
	(void)signals_catch();
	return push_each(&p);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_from),
	GROUP(options_at),
	GROUP(options_tz),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	OPTION(TEXT, push, to, "--to", NULL, "URL",
	       "URL of the engine: clickhouse+http://HOST:8123/DATABASE, "
	       "prometheus+http://HOST:9090, victoriametrics+http://HOST:8428, "
	       "otlp+http://HOST:4318 "
	       "(also +https), or postgresql://HOST/DATABASE"),
	OPTION_INTO(TEXT, to, LOGS, "--until", NULL, "TIME",
		    "end time, in the same formats as --from"),
	OPTION(FLAG, push, dry_run, "--dry-run", NULL, NULL,
	       "print what would be created, and send nothing"),
	OPTION(FLAG, push, verify, "--verify", NULL, NULL,
	       "send nothing: compare the logs with the stored values; exit status 1 if some are "
	       "missing"),
	OPTION(FLAG, push, again, "--again", NULL, NULL,
	       "compare with the stored values, not with the ledger, and send what is missing"),
	GROUP(options_machine_labels),
	GROUP(options_engine),
	OPTION(TEXT, push, retention, "--retention", NULL, "DAYS",
	       "how long the engine keeps values, such as 400d or \"forever\"; stored in the "
	       "engine"),
	OPTION(FLAG, push, accept_id, "--accept-id", NULL, NULL,
	       "accept a new machine ID, for example after the machine was reinstalled"),
	OPTION(FLAG, push, allow_future, "--allow-future", NULL, NULL,
	       "also send samples that are more than ten minutes ahead of the engine's clock"),
	OPTION(TEXT, push, state_dir, "--state-dir", NULL, "FOLDER",
	       "directory for the record of what was sent, for engines that cannot store it; the "
	       "user's state directory by default"),
	OPTION(TEXT, push, batch, "--batch", NULL, "N", "number of raw values per request"),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_push = {
	.name = "push",
	.operands = "--to URL [FILE...]",
	.summary =
		"store logs or live samples in ClickHouse, PostgreSQL, Prometheus or OpenTelemetry",
	.details = "Each file is pushed separately. Pushing a file twice stores it once; a push "
		   "that\nwas interrupted continues where it stopped. docs/engines/ has a page for "
		   "each\nengine, with its tables and with queries that return perfmon's "
		   "numbers.\n\nExamples:\n  pmon push --to clickhouse+http://db:8123/perf "
		   "server.blg\n  pmon push --to clickhouse+https://db:8443/perf -i 15s    this "
		   "machine\n",
	.options = options,
	.own_size = sizeof(struct push_options),
	.is_apart = push_is_apart,
	.run = push_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_NETWORK | VERB_OWNERS | VERB_UNTIL,
};
