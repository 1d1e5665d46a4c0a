// logs.c - the logs of a command line, opened, selected, merged and cut
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "cli/cli.h"
#include "cli/input/live.h"
#include "cli/process/memory.h"
#include "os/threads.h"
#include "text/machines.h"

#define PROGRESS_SAMPLES 16 // so many samples between two looks at the clock
#define SOME_SAMPLES     10 // of this machine, where an end is needed and none is given
#define MINUTE_SAMPLES   60 // the same where they are drawn over time

// Something to be told of a file, while several threads read.
struct word {
	struct word *next;
	bool is_failure; // it cannot be read on, and why
	struct pmon_notice notice;
	struct pmon_err err;
	char text[]; // of the notice
};

// One file of the command line.
struct file {
	struct files *files;
	const char *path;
	pmon_notice_fn also;
	void *also_ctx;
	// A file may be opened more than once: notices since it was opened, and those that were told.
	size_t seen;
	size_t told;
	bool failed;
	struct word *words; // that are held back, in their order
	struct word **last;
};

// The files, and what they are opened with.
struct files {
	struct logs *logs;
	struct pmon_lock lock; // of the patterns, which count what they match
	bool is_holding;       // several threads read: what they have to tell waits
	size_t n;
	struct file list[];
};

static bool muted;           // the notices of the logs were printed already
static bool clashes_are_new; // the logs were read one by one, which finds none
static pmon_notice_fn also;  // called too, for logs that are opened from now on
static void *also_ctx;

void
logs_tell(pmon_notice_fn fn, void *ctx)
{
	also = fn;
	also_ctx = ctx;
}

void
logs_mute(void)
{
	muted = true;
	clashes_are_new = false;
}

void
logs_mute_notices(void)
{
	muted = true;
	clashes_are_new = true;
}

void
logs_unmute(void)
{
	muted = false;
}

bool
logs_are_muted(void)
{
	return muted;
}

static void
print_notice(const struct file *file, const struct pmon_notice *notice)
{
	const char *name = file_name(file->path);

	if (file->also != NULL)
		file->also(file->also_ctx, notice);
	if (muted)
		return;
	if (notice->is_loss && notice->length > 0)
		say(0, "%s: lost at byte %llu, %llu bytes: %s", name,
		    (unsigned long long)notice->offset, (unsigned long long)notice->length,
		    notice->text);
	else if (notice->is_loss && notice->offset > 0)
		say(0, "%s: lost at byte %llu: %s", name, (unsigned long long)notice->offset,
		    notice->text);
	else if (notice->is_loss) // where bytes are no place, the text names it: the row of a table
		say(0, "%s: lost: %s", name, notice->text);
	else
		say(0, "%s: note: %s", name, notice->text);
}

void
logs_notice(void *ctx, const struct pmon_notice *notice)
{
	struct file file = {.path = *(const char **)ctx};

	print_notice(&file, notice);
}

// ---- Opening --------------------------------------------------------------------------------

// A word that is no file may have been meant as what is counted on this machine.
static void
suggest_counters(const struct args *args, const char *word)
{
	struct pmon_live_counter counter;

	if (word[0] == '\\') {
		say(0, "  counters are named with -c, as in pmon %s -c '%s'", args->verb->name,
		    word);
		return;
	}
	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		if (!pmon_text_same((struct pmon_span){word, strlen(word)},
				    (struct pmon_span){counter.object, strlen(counter.object)}))
			continue;
		say(0, "  did you mean pmon %s -c '\\%s%s\\*'", args->verb->name, counter.object,
		    counter.instances ? "(*)" : "");
		return;
	}
}

static void
say_not_opened(const struct args *args, const char *file, const struct pmon_err *err)
{
	(void)say_err(file, err);
	memory_hint(err);
	if (err->status == PMON_E_LIMIT && strncmp(err->msg, "unpacks to", 10) == 0)
		say(0, "  --max-unpacked SIZE allows more");
	if (err->status == PMON_E_NOTFOUND && args->operands.n == 1 &&
	    args->verb->live != LIVE_NONE)
		suggest_counters(args, file);
}

// Keep a word until the threads have ended. Without memory for it, it is said at once.
static bool
hold(struct file *file, const struct pmon_notice *notice, const struct pmon_err *err)
{
	size_t size = notice != NULL ? strlen(notice->text) + 1 : 1;
	struct word *word = file->files->is_holding ? malloc(sizeof(*word) + size) : NULL;

	if (word == NULL)
		return false;
	*word = (struct word){.is_failure = err != NULL};
	if (err != NULL)
		word->err = *err;
	if (notice != NULL) {
		word->notice = *notice;
		word->notice.text = memcpy(word->text, notice->text, size);
	}
	*file->last = word;
	file->last = &word->next;
	return true;
}

// What was held back, file by file.
static void
tell_held(struct files *files)
{
	files->is_holding = false;
	for (size_t i = 0; i < files->n; i++) {
		struct file *file = &files->list[i];

		while (file->words != NULL) {
			struct word *word = file->words;

			if (word->is_failure)
				say_not_opened(files->logs->args, file->path, &word->err);
			else
				print_notice(file, &word->notice);
			file->words = word->next;
			free(word);
		}
		file->last = &file->words;
	}
}

static void
take_notice(void *ctx, const struct pmon_notice *notice)
{
	struct file *file = ctx;

	if (file->seen++ < file->told)
		return;
	file->told++;
	if (!hold(file, notice, NULL))
		print_notice(file, notice);
}

static bool
want(void *ctx, const struct pmon_path *path)
{
	struct files *files = ctx;
	const struct pmon_select *reading = files->logs->reading;
	bool wanted;

	pmon_lock_take(&files->lock);
	wanted = pmon_select_want(files->logs->select, path) ||
		 (reading != NULL && pmon_select_matches(reading, path));
	pmon_lock_give(&files->lock);
	return wanted;
}

// The verbs that print texts. PDH-CSV has no place for them.
static bool
shows_texts(const struct args *args)
{
	const char *verb = args->verb->name;

	return strcmp(verb, "raw") == 0 || strcmp(verb, "explain") == 0 ||
	       strcmp(verb, "stats") == 0 ||
	       (strcmp(verb, "values") == 0 && args->format != OUT_CSV);
}

static enum pmon_status
open_file(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	struct files *files = ctx;
	const struct args *args = files->logs->args;
	struct pmon_log_options options = {.notice = take_notice,
					   .notice_ctx = &files->list[i],
					   .encoding = args->encoding,
					   .known_types = args->known_types,
					   .dst_repair = args->dst_repair,
					   .names = args->names,
					   .ignore_changes = !logs_tells_processes(args) &&
							     args->verb->run != cmd_raw,
					   .limits.unpacked_bytes = args->max_unpacked,
					   .limits.series_bytes = memory_of_series(args),
					   .texts = shows_texts(args),
					   .stream = files->logs->streams};

	if (files->logs->select != NULL) {
		options.want = want;
		options.want_ctx = files;
	}
	files->list[i].seen = 0;
	return pmon_log_open(files->list[i].path, &options, source, err);
}

static void
note_failed(void *ctx, size_t i, const struct pmon_err *err)
{
	struct files *files = ctx;
	struct file *file = &files->list[i];

	files->logs->failed = true;
	if (!file->failed && !hold(file, NULL, err))
		say_not_opened(files->logs->args, file->path, err);
	file->failed = true;
}

static void
say_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct files *files = ctx;
	char time[PMON_TIME_SIZE];

	(void)pmon_time_iso(clash->time, time);
	if (!muted || clashes_are_new)
		say(0, "%s and %s: different values for one moment: %llu; the first: %s at %s",
		    file_name(files->list[clash->log].path),
		    file_name(files->list[clash->other].path), (unsigned long long)clash->n,
		    clash->path, time);
}

static struct files *
new_files(struct logs *logs)
{
	const struct words *paths = &logs->args->operands;
	struct files *files = calloc(1, sizeof(*files) + paths->n * sizeof(struct file));

	if (files == NULL)
		return NULL;
	if (!pmon_lock_init(&files->lock)) {
		free(files);
		return NULL;
	}
	files->logs = logs;
	files->n = paths->n;
	for (size_t i = 0; i < paths->n; i++) {
		files->list[i] = (struct file){
			.files = files, .path = paths->list[i], .also = also, .also_ctx = also_ctx};
		files->list[i].last = &files->list[i].words;
	}
	return files;
}

static void
free_files(struct files *files)
{
	if (files == NULL)
		return;
	tell_held(files);
	pmon_lock_destroy(&files->lock);
	free(files);
}

// One file is a source, more are merged. Files that cannot be opened are said and left out.
static int
open_files(struct logs *logs)
{
	struct pmon_err err = {.status = PMON_OK};
	struct pmon_logs merged = {.open = open_file,
				   .failed = note_failed,
				   .clash = say_clash,
				   .threads = (unsigned)pmon_threads_processors()};
	enum pmon_status status;

	logs->files = new_files(logs);
	if (logs->files == NULL)
		return say(EXIT_FAILED, "not enough memory");
	merged.ctx = logs->files;
	merged.n = logs->files->n;
	if (merged.n == 1) {
		status = open_file(logs->files, 0, &logs->source, &err);
		if (status != PMON_OK)
			note_failed(logs->files, 0, &err);
		return status == PMON_OK ? EXIT_DONE : EXIT_FAILED;
	}
	logs->files->is_holding = true;
	status = pmon_merge_logs(&merged, NULL, &logs->source, &err);
	tell_held(logs->files);
	logs->merge = logs->source;
	if (status != PMON_OK && !logs->failed)
		(void)say(EXIT_FAILED, "%s", err.msg);
	return status == PMON_OK ? EXIT_DONE : EXIT_FAILED;
}

// ---- Opening all of them --------------------------------------------------------------------

// Options of this machine say nothing of logs, and those of logs nothing of this machine.
static int
check_options(const struct args *args)
{
	const struct {
		const char *name;
		bool given;
		bool of_machine;
	} options[] = {
		{"--interval", args->interval != NULL, true},
		{"--count", args->count != NULL, true},
		{"--duration", args->duration != NULL, true},
		{"--root", args->root != NULL, true},
		{"--replay", args->replay != NULL, true},
		{"--pid-names", args->pid_names, true},
		{"--history", args->history != NULL, true},
		{logs_begin_option(args), args->from != NULL, false},
		{logs_end_option(args), args->to != NULL, false},
		{"--encoding", args->encoding != NULL, false},
		{"--known-types", args->known_types != NULL, false},
		{"--dst-repair", args->dst_repair, false},
		{"--names", args->names != NULL, false},
		{"--max-unpacked", args->max_unpacked != 0, false},
	};
	bool machine = args->operands.n == 0;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!options[i].given || options[i].of_machine == machine)
			continue;
		if (machine)
			return say(EXIT_USAGE, "%s: %s is for logs, and no file is named%s",
				   args->verb->name, options[i].name,
				   strcmp(options[i].name, logs_begin_option(args)) == 0 ||
						   strcmp(options[i].name, logs_end_option(args)) ==
							   0
					   ? "; --duration ends sampling"
					   : "");
		return say(EXIT_USAGE,
			   "%s: %s is for sampling this machine, and %s is named as a log",
			   args->verb->name, options[i].name, args->operands.list[0]);
	}
	return EXIT_DONE;
}

int
logs_open_machine(struct logs *logs, const struct args *args, const struct live_plan *plan)
{
	int status;

	*logs = (struct logs){.args = args};
	status = logs_make_select(logs);
	if (status == EXIT_DONE)
		status = live_open(args, plan, logs->reading != NULL ? logs->reading : logs->select,
				   &logs->source);
	logs->input = logs->source;
	if (status == EXIT_DONE)
		status = logs_set_clock(logs);
	// What is played back is read to its end in no time.
	if (status == EXIT_DONE && args->replay == NULL && !args->own_patterns) {
		logs->patience = (int)plan->patience;
		status = logs_check_patterns(logs);
		logs->checked = true;
	}
	if (status == EXIT_DONE && logs->waiting && plan->patience >= LIVE_AWAIT)
		status = live_await(logs->input);
	// After the first sample, so that the series it brought are known to whoever looks at the schema.
	return status == EXIT_DONE ? logs_identify(logs) : status;
}

// What runs until it is interrupted waits for counters that may come. Where an end was asked for, that
// end comes. Without either the user did not mean to wait.
static enum live_patience
patience_of_verb(const struct args *args)
{
	bool is_stream = args->verb->run == cmd_values || args->verb->run == cmd_raw;

	if (args->verb->live == LIVE_ONE)
		return LIVE_NOW;
	if (args->count != NULL)
		return LIVE_LATER;
	if (is_stream && args->format == OUT_CSV && args->verb->run == cmd_values)
		return LIVE_AWAIT_COLUMNS;
	if (is_stream)
		return LIVE_AWAIT;
	return args->verb->live == LIVE_ENDLESS || args->verb->live == LIVE_PACED ||
			       args->duration != NULL
		       ? LIVE_LATER
		       : LIVE_NOW;
}

// Where no file is named, verbs that can sample this machine do. They end by themselves, but for
// those that show samples as they come.
static int
plan_of_verb(const struct args *args, struct live_plan *plan)
{
	int status = live_plan(args, plan);

	if (args->verb->live == LIVE_ONE)
		plan->count = 1;
	else if ((args->verb->live == LIVE_SOME || args->verb->live == LIVE_MINUTE) &&
		 args->replay == NULL && plan->count == 0 && plan->duration_100ns == 0)
		plan->count = args->verb->live == LIVE_MINUTE ? MINUTE_SAMPLES : SOME_SAMPLES;
	if (args->verb->live == LIVE_PACED)
		plan->interval_100ns = 0;
	plan->first_shown = args->verb->live == LIVE_ONE || args->verb->live == LIVE_PACED ||
			    args->verb->run == cmd_raw || args->replay != NULL;
	plan->everything = args->verb->live == LIVE_ONE;
	plan->patience = patience_of_verb(args);
	return status;
}

static int
open_all(struct logs *logs, const struct args *args, bool plain, bool once)
{
	struct live_plan plan;
	bool is_fleet;
	int status = EXIT_DONE;

	*logs = (struct logs){.args = args};
	logs->streams = once && args->operands.n == 1 && args->from == NULL && args->to == NULL;
	if (args->operands.n == 0 && args->verb->live == LIVE_NONE)
		return say(EXIT_USAGE, "%s: name a log file; see pmon %s --help", args->verb->name,
			   args->verb->name);
	status = check_options(args);
	if (status == EXIT_DONE && args->operands.n == 0)
		status = plan_of_verb(args, &plan);
	if (status == EXIT_DONE && args->operands.n == 0)
		return logs_open_machine(logs, args, &plan);
	if (status == EXIT_DONE && !plain)
		status = logs_make_select(logs);
	if (status == EXIT_DONE)
		status = open_files(logs);
	if (status == EXIT_DONE)
		status = logs_set_clock(logs);
	is_fleet = once && logs->merge != NULL && !logs_by_process(args);
	// Statistics of several logs are read by many threads, which are not to wait for a look before.
	if (status == EXIT_DONE && !plain)
		status = logs_set_window(logs, is_fleet);
	if (status == EXIT_DONE && !plain && !is_fleet && !args->identifies_later)
		status = logs_identify(logs);
	return status;
}

int
logs_open(struct logs *logs, const struct args *args)
{
	return open_all(logs, args, false, false);
}

int
logs_open_plain(struct logs *logs, const struct args *args)
{
	return open_all(logs, args, true, false);
}

int
logs_open_once(struct logs *logs, const struct args *args, bool plain)
{
	return open_all(logs, args, plain, true);
}

int
logs_open_known(struct logs *logs, const struct args *args, struct pmon_source *source)
{
	*logs = (struct logs){.args = args, .source = source};
	return logs_set_clock(logs);
}

bool
logs_again(struct logs *logs, int *status)
{
	if (!logs->again)
		return false;
	pmon_source_close(logs->source);
	free_files(logs->files);
	logs->source = NULL;
	logs->files = NULL;
	logs->again = logs->streams = false;
	*status = open_files(logs);
	if (*status == EXIT_DONE)
		*status = logs_set_clock(logs);
	if (*status == EXIT_DONE && logs->identity != NULL)
		*status = logs_identify(logs);
	return *status == EXIT_DONE;
}

// What is being read, for words on it.
static const char *
name_of(const struct logs *logs)
{
	return logs->args->operands.n > 0 ? logs->args->operands.list[0] : "this machine";
}

int
logs_say_err(const struct logs *logs, const struct pmon_err *err)
{
	int status = say_err(name_of(logs), err);

	memory_hint(err);
	return status;
}

bool
logs_next(struct logs *logs, const struct pmon_sample **sample, int *status)
{
	struct pmon_err err = {.status = PMON_OK};

	// Whoever reads along sees each sample at once, and none is taken for a reader that is gone.
	if (pmon_source_info(logs->source)->live && fflush(stdout) != 0)
		return false;
	switch (pmon_source_next(logs->source, sample, &err)) {
	case PMON_OK:
		if (++logs->read % PROGRESS_SAMPLES == 0)
			progress_tell(NULL, pmon_source_info(logs->source));
		logs_note_sample(logs, *sample);
		return true;
	case PMON_END:
		progress_erase();
		return false;
	default:
		logs->again = logs->streams && err.status == PMON_E_STATE;
		if (!logs->again)
			*status = logs_say_err(logs, &err);
		return false;
	}
}

int
logs_rewind(struct logs *logs)
{
	struct pmon_err err;

	if (pmon_source_rewind(logs->source, &err) != PMON_OK)
		return logs_say_err(logs, &err);
	return EXIT_DONE;
}

int
logs_close(struct logs *logs, int status)
{
	bool damaged = logs->source != NULL && pmon_source_info(logs->source)->losses > 0;

	logs_note_apart(logs);
	if (logs->source != NULL && pmon_source_info(logs->source)->records_unknown > 0)
		say(0, "note: %llu records of unknown kinds were skipped",
		    (unsigned long long)pmon_source_info(logs->source)->records_unknown);
	if (status == EXIT_DONE && logs->failed)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && damaged)
		status = EXIT_DAMAGED;
	if (status == EXIT_DONE)
		logs_say_unknown_processes(logs);
	pmon_source_close(logs->source);
	free(logs->apart);
	pmon_select_free(logs->select);
	logs_free_identity(logs);
	free_files(logs->files);
	by_series_free(&logs->in_window);
	return status;
}

// Several files, each read by one thread.
static int
fleet_statistics(struct logs *logs, struct pmon_statistics **out)
{
	struct pmon_fleet_options options = {
		.read = {.calc = logs->args->calc,
			 .threads = (unsigned)pmon_threads_processors(),
			 .progress = progress_tell},
		.from = logs->from,
		.to = logs->to,
	};
	struct pmon_identity_options identity;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	logs->files->is_holding = true;
	identity = logs_identity_options(logs);
	if (logs_tells_processes(logs->args))
		options.identity = &identity;
	status = pmon_fleet_read(logs->merge, &options, NULL, out, &err);
	logs->unknown_processes = options.unknown_processes;
	progress_erase();
	tell_held(logs->files);
	if (status != PMON_OK)
		return logs_say_err(logs, &err);
	if (logs->window != NULL && !logs_note_statistics(logs, *out))
		return logs_say_empty_window(logs);
	return EXIT_DONE;
}

// Statistics of one log from its beginning to its end.
static int
statistics_of_one(struct logs *logs, struct pmon_statistics **out)
{
	struct pmon_statistics_options options = {
		.calc = logs->args->calc,
		.threads = (unsigned)pmon_threads_processors(),
		.progress = progress_tell,
	};
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	do {
		enum pmon_status read =
			pmon_statistics_read(logs->source, &options, NULL, out, &err);

		logs->again = logs->streams && read == PMON_E_STATE;
		if (read != PMON_OK && !logs->again)
			return logs_say_err(logs, &err);
	} while (logs_again(logs, &status));
	progress_erase();
	return status;
}

int
logs_statistics(struct logs *logs, struct pmon_statistics **out)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	if (logs->merge != NULL && logs->identity == NULL)
		return fleet_statistics(logs, out);
	if (logs->args->operands.n == 1 && logs->args->from == NULL && logs->args->to == NULL)
		return statistics_of_one(logs, out);
	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->args->calc, NULL, out,
				&err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	while (logs_next(logs, &sample, &status)) {
		if (pmon_statistics_add(*out, sample, NULL, &err) != PMON_OK) {
			status = say(EXIT_FAILED, "%s", err.msg);
			break;
		}
	}
	return status;
}

const struct pmon_series **
logs_series(const struct logs *logs, size_t *n)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	const struct pmon_series **list;

	*n = pmon_schema_count(schema);
	list = calloc(*n + 1, sizeof(const struct pmon_series *));
	if (list == NULL)
		say(0, "not enough memory");
	else
		pmon_schema_in_order(schema, list);
	return list;
}

bool
logs_of_one_machine(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	for (size_t i = 1; i < pmon_schema_count(schema); i++)
		if (!pmon_text_same(pmon_schema_at(schema, 0)->path.machine,
				    pmon_schema_at(schema, i)->path.machine))
			return false;
	return true;
}

struct pmon_span
logs_path(const struct logs *logs, const struct pmon_series *series)
{
	struct pmon_span name = logs_process_path(logs, series);
	size_t skip = series->path.machine.len + 2;

	if (series->path.machine.ptr == NULL || !logs->hide_machine || skip > name.len)
		return name;
	return (struct pmon_span){name.ptr + skip, name.len - skip};
}

void
logs_hide_machine(struct logs *logs)
{
	logs->hide_machine = logs->args->format == OUT_TEXT && logs_of_one_machine(logs);
}

void
logs_zone(const struct logs *logs, char buf[ZONE_SIZE])
{
	char offset[PMON_TIME_SIZE];

	pmon_time_offset(logs->clock.offset_min, offset);
	(void)snprintf(buf, ZONE_SIZE, "UTC%s", strcmp(offset, "Z") == 0 ? "" : offset);
}

// "12 logs", "11 of 12 logs"
static void
print_count(const struct files *files)
{
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++)
		n += !files->list[i].failed;
	if (n < files->n)
		printf("%zu of ", n);
	printf("%zu logs", files->n);
}

// "Machine SRV1, ", "26 machines: SRV1, SRV2 ..., "
static void
print_machines(const struct logs *logs)
{
	char text[MACHINES_TEXT];
	struct machines machines;

	if (!machines_find(pmon_source_schema(logs->source), &machines))
		memory_was_short();
	if (machines.n > 1 || (machines.n == 1 && logs->hide_machine)) {
		machines_text(&machines, text, sizeof(text));
		fputs(machines.n == 1 ? "Machine " : "", stdout);
		out_clean(stdout, (struct pmon_span){text, strlen(text)});
		fputs(", ", stdout);
	}
	machines_free(&machines);
}

void
logs_print_heading(const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char zone[ZONE_SIZE];

	print_machines(logs);
	logs_zone(logs, zone);
	if (info->live)
		fputs(logs->args->replay != NULL ? "played back" : "live", stdout);
	else if (logs->args->operands.n > 1)
		print_count(logs->files);
	else
		printf("%s log", info->format);
	printf(", times in %s\n\n", logs->clock.mode == CLOCK_LOCAL ? "local time" : zone);
}
