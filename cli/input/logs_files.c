// logs_files.c - the files of a command line: opening them, and what is said about each
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/err.h"
#include "base/time.h"
#include "cli/args/verb.h"
#include "cli/input/logs.h"
#include "cli/input/machines.h"
#include "cli/input/notices.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "os/threads.h"

// A message about a file, held back while several threads read.
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
	struct notices_listener listener;
	// A file may be opened more than once: notices since it was opened, and those already reported.
	size_t seen;
	size_t told;
	bool failed;
	struct machines_of machines;
	struct word *words; // that are held back, in their order
	struct word **last;
};

// The files, and what they are opened with.
struct files {
	struct logs *logs;
	struct pmon_lock lock; // of the patterns, which count what they match
	bool is_holding;       // several threads read: messages are held back
	// Machines of counters that were looked at, chosen or not: the first of them.
	char *machines[LOGS_MACHINES];
	uint32_t n_machines;
	struct pmon_map machine_map; // by name
	uint64_t seed;
	struct machines_rename rename;
	size_t n;
	struct file list[];
};

// ---- Opening --------------------------------------------------------------------------------

// A word that does not name a file may have been meant as a counter of this machine.
static void
suggest_counters(const struct args *args, const char *word)
{
	struct pmon_live_counter counter;

	if (word[0] == '\\') {
		say(0, "  use -c to choose counters: pmon %s -c '%s'", args->verb->name, word);
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

static void
tell_notice(const struct file *file, const struct pmon_notice *notice)
{
	if (file->listener.fn != NULL)
		file->listener.fn(file->listener.ctx, notice);
	notices_print(file->path, notice);
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
				tell_notice(file, &word->notice);
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
		tell_notice(file, notice);
}

// One more is left out where memory is short.
static void
note_machine(struct files *files, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_name(files->seed, name);
	uint32_t known;
	size_t at = 0;
	char *copy;

	if (name.len == 0 || files->n_machines == LOGS_MACHINES)
		return;
	while ((known = pmon_map_next(&files->machine_map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same((struct pmon_span){files->machines[known],
						      strlen(files->machines[known])},
				   name))
			return;
	copy = calloc(1, name.len + 1); // the name has no end of its own
	if (copy != NULL)
		memcpy(copy, name.ptr, name.len);
	if (copy == NULL ||
	    !pmon_map_put(&files->machine_map, pmon_mem_allocator(NULL), hash, files->n_machines))
		free(copy);
	else
		files->machines[files->n_machines++] = copy;
}

const char *
logs_machine(const struct logs *logs, size_t i)
{
	const struct files *files = logs->files;

	return files != NULL && i < files->n_machines ? files->machines[i] : NULL;
}

static bool
want(void *ctx, const struct pmon_path *path)
{
	struct files *files = ctx;
	const struct pmon_select *reading = files->logs->reading;
	bool wanted;

	pmon_lock_take(&files->lock);
	note_machine(files, path->machine); // by the name that --machine gave it
	wanted = pmon_select_want(files->logs->select, path) ||
		 (reading != NULL && pmon_select_matches(reading, path));
	pmon_lock_give(&files->lock);
	return wanted;
}

static enum pmon_status
name_machine(void *ctx, struct pmon_span machine, const char *id, struct pmon_span *name,
	     struct pmon_err *err)
{
	struct file *file = ctx;
	enum pmon_status status = machines_name(&file->files->rename, machine, id, name, err);

	// Two machines are one for the user if both are named by "OLD=NEW".
	file->machines.is_named |=
		name->ptr != machine.ptr && strchr(file->files->rename.words->list[0], '=') != NULL;
	return status;
}

bool
logs_has_columns(const struct args *args)
{
	return (args->verb->traits & VERB_COLUMNS) != 0 && args->format == OUT_CSV;
}

// Open it with the names that --machine gives. Then series are wanted by these.
static enum pmon_status
open_renamed(struct file *file, struct pmon_log_options *options, struct pmon_source **source,
	     struct pmon_err *err)
{
	struct pmon_rename_options renames = {.name = name_machine,
					      .ctx = file,
					      .want = options->want,
					      .want_ctx = options->want_ctx};
	bool is_renamed = file->files->logs->args->machines.n > 0;
	enum pmon_status status;

	if (is_renamed)
		options->want = NULL;
	status = pmon_log_open(file->path, options, source, err);
	if (status == PMON_OK && is_renamed)
		status = pmon_rename_machines(*source, &renames, source, err);
	if (status == PMON_OK && !machines_note(&file->machines, pmon_source_info(*source))) {
		pmon_source_close(*source);
		*source = NULL;
		status = pmon_err_nomem(err);
	}
	return status;
}

static enum pmon_status
open_file(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	struct files *files = ctx;
	const struct args *args = files->logs->args;
	struct pmon_log_options options = {
		.notice = take_notice,
		.notice_ctx = &files->list[i],
		.encoding = args->encoding,
		.known_types = args->known_types,
		.threads = files->n == 1 ? (unsigned)pmon_threads_processors() : 1,
		.dst_repair = args->dst_repair,
		.names = args->names_table,
		.english = args->names == NAMES_ENGLISH && args->format != OUT_JSON,
		.ignore_changes = !logs_tells_processes(args) && !(args->verb->traits & VERB_RAW),
		.limits.unpacked_bytes = args->max_unpacked,
		.limits.series_bytes = memory_of_series(args),
		.texts = (args->verb->traits & VERB_TEXTS) != 0 && !logs_has_columns(args),
		.stream = files->logs->streams};

	if (files->logs->select != NULL) {
		options.want = want;
		options.want_ctx = files;
	}
	files->list[i].seen = 0;
	return open_renamed(&files->list[i], &options, source, err);
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
	if (notices_show_clashes())
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
	files->seed = pmon_hash_seed();
	files->rename =
		(struct machines_rename){.words = &logs->args->machines,
					 .lock = &files->lock,
					 .hits = calloc(logs->args->machines.n + 1, sizeof(bool))};
	if (files->rename.hits == NULL) {
		pmon_lock_destroy(&files->lock);
		free(files);
		return NULL;
	}
	files->n = paths->n;
	for (size_t i = 0; i < paths->n; i++) {
		files->list[i] = (struct file){
			.files = files, .path = paths->list[i], .listener = notices_listener()};
		files->list[i].last = &files->list[i].words;
	}
	return files;
}

void
logs_hold(struct logs *logs)
{
	logs->files->is_holding = true;
}

void
logs_tell_held(struct logs *logs)
{
	tell_held(logs->files);
}

void
logs_free_files(struct logs *logs)
{
	struct files *files = logs->files;

	if (files == NULL)
		return;
	tell_held(files);
	for (size_t i = 0; i < files->n; i++)
		machines_forget(&files->list[i].machines);
	free(files->rename.hits);
	pmon_lock_destroy(&files->lock);
	for (size_t i = 0; i < files->n_machines; i++)
		free(files->machines[i]);
	pmon_map_free(&files->machine_map, pmon_mem_allocator(NULL));
	free(files);
}

// Did --machine name something, and are machines of one name one machine? In the order of the files.
static int
check_machines(const struct files *files)
{
	struct machines_of *list = calloc(files->n, sizeof(*list));
	int status = machines_check_hits(&files->rename, files->logs->args);

	if (list == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < files->n; i++) {
		list[i] = files->list[i].machines;
		list[i].file = file_name(files->list[i].path);
	}
	if (status == EXIT_DONE)
		status = machines_compare(list, files->n);
	free(list);
	return status;
}

// One file is a source, more are merged. Files that cannot be opened are said and left out.
int
logs_open_files(struct logs *logs)
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
		return status == PMON_OK ? check_machines(logs->files) : EXIT_FAILED;
	}
	logs_hold(logs);
	status = pmon_merge_logs(&merged, NULL, &logs->source, &err);
	logs_tell_held(logs);
	logs->merge = logs->source;
	if (status != PMON_OK && !logs->failed)
		(void)say(EXIT_FAILED, "%s", err.msg);
	return status == PMON_OK ? check_machines(logs->files) : EXIT_FAILED;
}

void
logs_print_count(const struct logs *logs)
{
	const struct files *files = logs->files;
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++)
		n += !files->list[i].failed;
	if (n < files->n)
		printf("%zu of ", n);
	printf("%zu logs", files->n);
}

// "Machine SRV1, ", "26 machines: SRV1, SRV2 ..., "
