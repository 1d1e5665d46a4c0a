// door.h - open and create files on behalf of a sandboxed process
// SPDX-License-Identifier: MIT
//
// A sandboxed process cannot open, create or rename files. It asks another process, which does so and passes a
// descriptor. A NULL door means that the process opens files itself.

#ifndef PMON_OS_DOOR_H
#define PMON_OS_DOOR_H

#include <pmon/base.h>

struct pmon_outfile_options;
struct pmon_place;

struct pmon_door {
	// Open a file for reading, or a folder for listing. Returns a descriptor, or -1 with errno.
	int (*open)(const char *path);
	// Create an unnamed file for reading and writing. Returns a descriptor, or -1 with errno.
	int (*temporary)(void);
	// pmon_place_begin(), pmon_place_finish() and pmon_place_forget() (os/posix/place.h).
	enum pmon_status (*begin)(const char *path, const struct pmon_outfile_options *options,
				  struct pmon_place *place, struct pmon_err *err);
	int (*finish)(struct pmon_place *place);
	void (*forget)(struct pmon_place *place);
};

#endif
