// options.c - read option structs of callers
// SPDX-License-Identifier: MIT

#include "base/options.h"

#include "base/err.h"

#include <string.h>

#define MOST_BYTES 4096 // no option struct is larger, so the size is garbage

enum pmon_status
pmon_options_read(void *own, size_t own_size, const void *theirs, struct pmon_err *err)
{
	const unsigned char *bytes = theirs;
	size_t size = own_size;

	memset(own, 0, own_size);
	memcpy(own, &own_size, sizeof(own_size));
	if (theirs == NULL)
		return PMON_OK;
	memcpy(&size, theirs, sizeof(size));
	if (size < sizeof(size) || size > MOST_BYTES)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "options do not begin with their size: set .size to sizeof");
	for (size_t i = own_size; i < size; i++)
		if (bytes[i] != 0)
			return pmon_err_set(
				err, PMON_E_ARG, i,
				"an option is set that this version of libpmon does not have");
	if (size > own_size)
		size = own_size;
	memcpy((unsigned char *)own + sizeof(size), bytes + sizeof(size), size - sizeof(size));
	return PMON_OK;
}

void
pmon_options_write(void *theirs, const void *own, size_t own_size)
{
	size_t size;

	memcpy(&size, theirs, sizeof(size));
	if (size > own_size)
		size = own_size;
	memcpy((unsigned char *)theirs + sizeof(size), (const unsigned char *)own + sizeof(size),
	       size - sizeof(size));
}

enum pmon_status
pmon_limits_check(const struct pmon_limits *limits, struct pmon_err *err)
{
	for (size_t i = 0; i < sizeof(limits->reserved) / sizeof(limits->reserved[0]); i++)
		if (limits->reserved[i] != 0)
			return pmon_err_set(
				err, PMON_E_ARG, 0,
				"a limit is set that this version of libpmon does not have");
	return PMON_OK;
}
