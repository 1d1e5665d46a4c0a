// files.h - open a request's log files, and print their notices
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_FILES_H
#define PMON_SHELL_INPUT_FILES_H

#include "shell/input/patterns.h"
#include "shell/input/request.h"

struct files;

// One file is a source, several are merged. Files that cannot be opened are reported and skipped.
// Without patterns->select everything is read. streams: read compressed logs while they are
// decompressed. Both pointers and *out, even after a failure, are valid until files_free(). Returns
// an exit status.
int files_open(struct files **out, const struct request *request, const struct patterns *patterns,
	       bool streams, struct pmon_source **source);
void files_free(struct files *files);

// Could some file not be opened or read?
bool files_have_failed(const struct files *files);

// The merged files; NULL if there is one, or none.
struct pmon_source *files_merged(const struct files *files);

// While several threads read, hold messages back; then print them file by file.
void files_hold(struct files *files);
void files_tell_held(struct files *files);

// The name of machine i among those whose counters are in the files, selected or not; NULL after
// the last. Only the first ones are known, and none if sources are read whole or by another
// process.
#define FILES_MACHINES 1025
const char *files_machine(const struct files *files, size_t i);

// "3 of 4 logs", for a heading.
void files_print_count(const struct files *files);

#endif
