// journal.c - entries for the journal of systemd
// SPDX-License-Identifier: MIT

#include "shell/process/journal.h"

#include "base/err.h"

#ifdef PMON_WITH_SYSTEMD

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define SD_JOURNAL_SUPPRESS_LOCATION // of the C source
#include <systemd/sd-journal.h>

#include "os/library.h"

#define FIELDS_MOST 64

#define JOURNAL_CALLS(CALL) CALL(sd_, journal_sendv)

struct journal {
	JOURNAL_CALLS(PMON_OS_CALL)
};

struct journal *
journal_open(struct pmon_err *err)
{
	struct journal *journal = calloc(1, sizeof(*journal));

	if (journal == NULL) {
		(void)pmon_err_nomem(err);
		return NULL;
	}
	if (PMON_OS_LOAD(PMON_LIBRARY_SYSTEMD, JOURNAL_CALLS, journal, err) == PMON_OK)
		return journal;
	free(journal);
	return NULL;
}

void
journal_close(struct journal *journal)
{
	free(journal);
}

bool
journal_is_there(void)
{
	return access("/run/systemd/journal/socket", F_OK) == 0;
}

bool
journal_send(const struct journal *journal, const char *const *fields, size_t n)
{
	struct iovec parts[FIELDS_MOST];

	if (n > FIELDS_MOST)
		return false;
	for (size_t i = 0; i < n; i++)
		parts[i] = (struct iovec){(void *)(uintptr_t)fields[i], strlen(fields[i])};
	return journal->journal_sendv(parts, (int)n) == 0;
}

#else

struct journal *
journal_open(struct pmon_err *err)
{
	(void)pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"this pmon was built without libsystemd (Debian package libsystemd-dev)");
	return NULL;
}

void
journal_close(struct journal *journal)
{
	(void)journal;
}

bool
journal_is_there(void)
{
	return false;
}

bool
journal_send(const struct journal *journal, const char *const *fields, size_t n)
{
	(void)journal, (void)fields, (void)n;
	return false;
}

#endif
