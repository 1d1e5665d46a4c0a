// files.c - open the log files of a request, and print their notices
// SPDX-License-Identifier: MIT

#include "shell/input/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/err.h"
#include "base/time.h"
#include "shell/args/verb.h"
#include "shell/input/machines.h"
#include "shell/input/notices.h"
#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/memory.h"
#include "os/threads.h"

// A message about a file, held back while several threads read.
struct word {
	struct word *next;
	bool is_failure; // reading failed, and why
	struct pmon_notice notice;
	struct pmon_err err;
	char text[]; // text of the notice
};

// One file of the command line.
struct file {
	struct files *files;
	const char *path;
	struct notices_listener listener;
	// A file may be opened more than once: the number of notices since it was last opened, and
	// of those already printed.
	size_t seen;
	size_t told;
	bool failed;
	struct machines_of machines;
	struct word *words; // messages held back, in order
	struct word **last;
};

// The files, and how to open them.
struct files {
	const struct request *request;
	const struct patterns *patterns;
	bool streams;
	bool has_failed;            // to open one of them
	struct pmon_source *merged; // merged files; NULL: only one
	struct pmon_lock lock;      // protects the patterns, which count what they match
	bool is_holding;            // several threads read: messages are held back
	// Machines of counters that were seen, selected or not: the first of them.
	char *machines[FILES_MACHINES];
	uint32_t n_machines;
	struct pmon_map machine_map; // by name
	uint64_t seed;
	struct machines_rename rename;
	size_t n;
	struct file list[];
};

// ---- Opening --------------------------------------------------------------------------------

// A word that is no file may be meant as a counter of this machine.
static void
suggest_counters(const struct request *request, const char *word)
{
	struct pmon_live_counter counter;

	if (word[0] == '\\') {
		say(0, "  use -c to choose counters: pmon %s -c '%s'", request->verb->name, word);
		return;
	}
	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		if (!pmon_text_same((struct pmon_span){word, strlen(word)},
				    (struct pmon_span){counter.object, strlen(counter.object)}))
			continue;
		say(0, "  did you mean pmon %s -c '\\%s%s\\*'", request->verb->name, counter.object,
		    counter.instances ? "(*)" : "");
		return;
	}
}

static void
say_not_opened(const struct request *request, const char *file, const struct pmon_err *err)
{
	(void)say_err(file, err);
	memory_hint(err);
	if (err->status == PMON_E_LIMIT && strncmp(err->msg, "unpacks to", 10) == 0)
		say(0, "  use --max-unpacked SIZE to allow more");
	if (err->status == PMON_E_NOTFOUND && request->logs.n == 1 &&
	    request->verb->live != LIVE_NONE)
		suggest_counters(request, file);
}

static void
tell_notice(const struct file *file, const struct pmon_notice *notice)
{
	if (file->listener.fn != NULL)
		file->listener.fn(file->listener.ctx, notice);
	notices_print(file->path, notice);
}

// Keep a message until the threads have ended. If out of memory, print it at once.
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

void
files_tell_held(struct files *files)
{
	files->is_holding = false;
	for (size_t i = 0; i < files->n; i++) {
		struct file *file = &files->list[i];

		while (file->words != NULL) {
			struct word *word = file->words;

			if (word->is_failure)
				say_not_opened(files->request, file->path, &word->err);
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

// If out of memory, the name is skipped.
static void
note_machine(struct files *files, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_name(files->seed, name);
	uint32_t known;
	size_t at = 0;
	char *copy;

	if (name.len == 0 || files->n_machines == FILES_MACHINES)
		return;
	while ((known = pmon_map_next(&files->machine_map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same((struct pmon_span){files->machines[known],
						      strlen(files->machines[known])},
				   name))
			return;
	copy = calloc(1, name.len + 1); // the name is not NUL-terminated
	if (copy != NULL)
		memcpy(copy, name.ptr, name.len);
	if (copy == NULL ||
	    !pmon_map_put(&files->machine_map, pmon_mem_allocator(NULL), hash, files->n_machines))
		free(copy);
	else
		files->machines[files->n_machines++] = copy;
}

const char *
files_machine(const struct files *files, size_t i)
{
	return files != NULL && i < files->n_machines ? files->machines[i] : NULL;
}

static bool
want(void *ctx, const struct pmon_path *path)
{
	struct files *files = ctx;
	bool wanted;

	pmon_lock_take(&files->lock);
	note_machine(files, path->machine); // its name after --machine
	wanted = patterns_want(files->patterns, path);
	pmon_lock_give(&files->lock);
	return wanted;
}

static enum pmon_status
name_machine(void *ctx, struct pmon_span machine, const char *id, struct pmon_span *name,
	     struct pmon_err *err)
{
	struct file *file = ctx;
	enum pmon_status status = machines_name(&file->files->rename, machine, id, name, err);

	// Two machines with one name are intentional if both were renamed by "OLD=NEW".
	file->machines.is_named |=
		name->ptr != machine.ptr && strchr(file->files->rename.words->list[0], '=') != NULL;
	return status;
}

// Open it with the names from --machine. Series are then selected by these.
static enum pmon_status
open_renamed(struct file *file, struct pmon_log_options *options, struct pmon_source **source,
	     struct pmon_err *err)
{
	struct pmon_rename_options renames = {.size = sizeof(renames),
					      .name = name_machine,
					      .ctx = file,
					      .want = options->want,
					      .want_ctx = options->want_ctx};
	bool is_renamed = file->files->request->machines.n > 0;
	enum pmon_status status;

	if (is_renamed)
		options->want = NULL;
	status = pmon_log_open(file->path, options, source, err);
	if (status != PMON_OK && err->sys == EISDIR)
		(void)pmon_err_set(err, status, 0,
				   "the folder has no logs: no file ends with .blg, .csv, .tsv, "
				   ".db or .jsonl");
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
	const struct request *request = files->request;
	struct pmon_log_options options = {
		.size = sizeof(options),
		.notice = take_notice,
		.notice_ctx = &files->list[i],
		.encoding = request->reading.encoding,
		.known_types = request->reading.known_types,
		.threads = files->n == 1 ? (unsigned)pmon_threads_processors() : 1,
		.dst_repair = request->reading.dst_repair,
		.start_local = request->reading.start,
		.has_zone = request->reading.zone.is_given && request->reading.zone.name == NULL,
		.zone_offset_min = request->reading.zone.offset_min,
		.zone = request->reading.zone.name,
		.names = request->reading.names_table,
		.english = request->reading.names == NAMES_ENGLISH && request->format != OUT_JSON,
		.ignore_changes = !request->tells_processes && !request->keeps_marks &&
				  !(request->verb->traits & VERB_RAW),
		.limits.unpacked_bytes = request->reading.max_unpacked,
		.limits.series_bytes = request_series_bytes(request),
		.texts = (request->verb->traits & VERB_TEXTS) != 0 && !request_has_columns(request),
		.stream = files->streams,
		.door = door_get()};

	if (files->patterns->select != NULL) {
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

	files->has_failed = true;
	if (!file->failed && !hold(file, NULL, err))
		say_not_opened(files->request, file->path, err);
	file->failed = true;
}

static void
say_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct files *files = ctx;
	char time[PMON_TIME_SIZE];

	(void)pmon_time_iso(clash->time, time);
	if (notices_show_clashes())
		say(0, "%s and %s: conflicting values for the same time: %llu; first: %s at %s",
		    file_name(files->list[clash->log].path),
		    file_name(files->list[clash->other].path), (unsigned long long)clash->n,
		    clash->path, time);
}

static struct files *
new_files(const struct request *request, const struct patterns *patterns)
{
	const struct words *paths = &request->logs;
	struct files *files = calloc(1, sizeof(*files) + paths->n * sizeof(struct file));

	if (files == NULL)
		return NULL;
	if (!pmon_lock_init(&files->lock)) {
		free(files);
		return NULL;
	}
	files->request = request;
	files->patterns = patterns;
	files->seed = pmon_hash_seed();
	files->rename =
		(struct machines_rename){.words = &request->machines,
					 .lock = &files->lock,
					 .hits = calloc(request->machines.n + 1, sizeof(bool))};
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
files_hold(struct files *files)
{
	files->is_holding = true;
}

void
files_free(struct files *files)
{
	if (files == NULL)
		return;
	files_tell_held(files);
	for (size_t i = 0; i < files->n; i++)
		machines_forget(&files->list[i].machines);
	free(files->rename.hits);
	pmon_lock_destroy(&files->lock);
	for (size_t i = 0; i < files->n_machines; i++)
		free(files->machines[i]);
	pmon_map_free(&files->machine_map, pmon_mem_allocator(NULL));
	free(files);
}

// Did each --machine match something, and do machines with the same name have the same id? In the
// order of the files.
static int
check_machines(const struct files *files)
{
	struct machines_of *list = calloc(files->n, sizeof(*list));
	int status = machines_check_hits(&files->rename, files->request);

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

int
files_open(struct files **out, const struct request *request, const struct patterns *patterns,
	   bool streams, struct pmon_source **source)
{
	struct pmon_err err = {.status = PMON_OK};
	struct pmon_logs merged = {.size = sizeof(merged),
				   .open = open_file,
				   .failed = note_failed,
				   .clash = say_clash,
				   .threads = (unsigned)pmon_threads_processors()};
	struct files *files = *out = new_files(request, patterns);
	enum pmon_status status;

	if (files == NULL)
		return say(EXIT_FAILED, "not enough memory");
	files->streams = streams;
	merged.ctx = files;
	merged.n = files->n;
	if (merged.n == 1) {
		status = open_file(files, 0, source, &err);
		if (status != PMON_OK)
			note_failed(files, 0, &err);
		return status == PMON_OK ? check_machines(files) : EXIT_FAILED;
	}
	files_hold(files);
	status = pmon_merge_logs(&merged, NULL, source, &err);
	files_tell_held(files);
	files->merged = *source;
	if (status != PMON_OK && !files->has_failed)
		(void)say(EXIT_FAILED, "%s", err.msg);
	return status == PMON_OK ? check_machines(files) : EXIT_FAILED;
}

bool
files_have_failed(const struct files *files)
{
	return files != NULL && files->has_failed;
}

struct pmon_source *
files_merged(const struct files *files)
{
	return files != NULL ? files->merged : NULL;
}

void
files_print_count(const struct files *files)
{
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++)
		n += !files->list[i].failed;
	if (n < files->n)
		printf("%zu of ", n);
	printf("%zu logs", files->n);
}
