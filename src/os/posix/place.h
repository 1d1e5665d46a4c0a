// place.h - the temporary file of an output, and its rename
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_POSIX_PLACE_H
#define PMON_OS_POSIX_PLACE_H

#include "os/outfile.h"
#include "os/posix/target.h"

#define PMON_PLACE_SUFFIX 32 // of a temporary name, at the most

struct pmon_place {
	int fd;
	bool has_temp; // a temporary file exists
	bool replaces; // the final name exists already
	bool overwrite;
	bool sync;
	struct pmon_target target;                       // target.path is the final name
	char temp[PMON_TARGET_PATH + PMON_PLACE_SUFFIX]; // the temporary one
	pmon_temporary_fn temporary;
	void *temporary_ctx;
};

// Create a temporary file next to the path, or next to the target of a link; open a device or a pipe
// directly. Statuses are those of pmon_outfile_open(). On failure no file is left behind.
PMON_NODISCARD enum pmon_status pmon_place_begin(const char *path,
						 const struct pmon_outfile_options *options,
						 struct pmon_place *place, struct pmon_err *err);

// Finish a temporary file: copy the access rights of the file that it replaces, sync it if requested,
// close and rename it. Returns an errno, or 0.
int pmon_place_finish(struct pmon_place *place);

// Close the file, and remove the temporary file if it still exists.
void pmon_place_forget(struct pmon_place *place);

#endif
