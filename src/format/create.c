// create.c - the formats that can be written
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/err.h"
#include "format/format.h"

static const struct pmon_writer *const writers[] = {
	NULL, // the last
};

const char *
pmon_log_writable(size_t i)
{
	return i < sizeof(writers) / sizeof(writers[0]) && writers[i] != NULL ? writers[i]->name
									      : NULL;
}

enum pmon_status
pmon_log_create(const char *path, const char *format, const struct pmon_create_options *options,
		struct pmon_sink **sink, struct pmon_err *err)
{
	static const struct pmon_create_options defaults;

	*sink = NULL;
	for (size_t i = 0; writers[i] != NULL; i++)
		if (strcmp(writers[i]->name, format) == 0)
			return writers[i]->create(path, options != NULL ? options : &defaults, sink,
						  err);
	return pmon_err_set(err, PMON_E_ARG, 0, "no format \"%s\" can be written", format);
}
