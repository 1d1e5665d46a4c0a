// vfs.c - SQLite's file system layer for databases that are not system files
// SPDX-License-Identifier: MIT
//
// The database is read through a struct pmon_file, so that standard input and compressed files work
// too. It is declared immutable: SQLite then neither locks it nor looks for a journal. Temporary
// files for sorting are the system's own. Reading and sorting are limited. A write-ahead log that
// no other program has open is read in exclusive mode: SQLite then keeps its index in memory and
// creates no -shm file.

#include "format/sqlite/sqlite.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define TEMPORARY                                                                                  \
	(SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_TRANSIENT_DB |               \
	 SQLITE_OPEN_SUBJOURNAL)

#define READ_AT_LEAST (UINT64_C(64) << 20)
#define READ_TIMES                                                                                 \
	64 // approximate reads per page: an index is read in any order, through a small cache
#define SPOOL_TIMES 100 // times the size of the database

struct vfs_file {
	sqlite3_file base;
	struct sqlog_vfs *vfs;
	struct pmon_file *input; // the database or its write-ahead log
	sqlite3_file *os;        // for a temporary file: the system's file, which does the work
};

// ---- The database ---------------------------------------------------------------------------

static int
file_close(sqlite3_file *f)
{
	(void)f;
	return SQLITE_OK;
}

// The missing end of a truncated file is read as zeros, which SQLite treats as damage only where it
// matters.
static int
file_read(sqlite3_file *f, void *buf, int len, sqlite3_int64 offset)
{
	struct sqlog_vfs *vfs = ((struct vfs_file *)f)->vfs;
	struct pmon_file *input = ((struct vfs_file *)f)->input;
	size_t got = 0;

	if ((uint64_t)len > vfs->read_left) {
		vfs->is_over = true;
		return SQLITE_IOERR_READ;
	}
	vfs->read_left -= (uint64_t)len;
	if (pmon_file_read(input, (uint64_t)offset, buf, (size_t)len, &got, &vfs->err) != PMON_OK)
		return SQLITE_IOERR_READ;
	if (got == (size_t)len)
		return SQLITE_OK;
	memset((char *)buf + got, 0, (size_t)len - got);
	return SQLITE_IOERR_SHORT_READ;
}

static int
file_write(sqlite3_file *f, const void *buf, int len, sqlite3_int64 offset)
{
	(void)f, (void)buf, (void)len, (void)offset;
	return SQLITE_READONLY;
}

static int
file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	(void)f, (void)size;
	return SQLITE_READONLY;
}

static int
file_sync(sqlite3_file *f, int flags)
{
	(void)f, (void)flags;
	return SQLITE_OK;
}

static int
file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	const struct vfs_file *file = (struct vfs_file *)f;

	*size = (sqlite3_int64)(file->input == file->vfs->file ? file->vfs->size
							       : pmon_file_size(file->input));
	return SQLITE_OK;
}

static int
file_lock(sqlite3_file *f, int level)
{
	(void)f, (void)level;
	return SQLITE_OK;
}

static int
file_reserved(sqlite3_file *f, int *out)
{
	(void)f;
	*out = 0;
	return SQLITE_OK;
}

static int
file_control(sqlite3_file *f, int op, void *arg)
{
	(void)f, (void)op, (void)arg;
	return SQLITE_NOTFOUND;
}

static int
file_sector(sqlite3_file *f)
{
	(void)f;
	return 0;
}

static int
file_traits(sqlite3_file *f)
{
	return ((struct vfs_file *)f)->vfs->wal == NULL ? SQLITE_IOCAP_IMMUTABLE : 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_lock,
	.xCheckReservedLock = file_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_traits,
};

// ---- Temporary files -------------------------------------------------------------------------

static sqlite3_file *
os_file(sqlite3_file *f)
{
	return ((struct vfs_file *)f)->os;
}

static int
temp_close(sqlite3_file *f)
{
	return os_file(f)->pMethods->xClose(os_file(f));
}

static int
temp_read(sqlite3_file *f, void *buf, int len, sqlite3_int64 offset)
{
	return os_file(f)->pMethods->xRead(os_file(f), buf, len, offset);
}

static int
temp_write(sqlite3_file *f, const void *buf, int len, sqlite3_int64 offset)
{
	struct sqlog_vfs *vfs = ((struct vfs_file *)f)->vfs;

	if ((uint64_t)len > vfs->spool_left) {
		vfs->is_over = true;
		return SQLITE_FULL;
	}
	vfs->spool_left -= (uint64_t)len;
	return os_file(f)->pMethods->xWrite(os_file(f), buf, len, offset);
}

static int
temp_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	return os_file(f)->pMethods->xTruncate(os_file(f), size);
}

static int
temp_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return os_file(f)->pMethods->xFileSize(os_file(f), size);
}

static int
temp_control(sqlite3_file *f, int op, void *arg)
{
	return os_file(f)->pMethods->xFileControl(os_file(f), op, arg);
}

static int
temp_traits(sqlite3_file *f)
{
	return os_file(f)->pMethods->xDeviceCharacteristics(os_file(f));
}

static const sqlite3_io_methods temp_methods = {
	.iVersion = 1,
	.xClose = temp_close,
	.xRead = temp_read,
	.xWrite = temp_write,
	.xTruncate = temp_truncate,
	.xSync = file_sync,
	.xFileSize = temp_size,
	.xLock = file_lock,
	.xUnlock = file_lock,
	.xCheckReservedLock = file_reserved,
	.xFileControl = temp_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = temp_traits,
};

static int
open_temp(struct sqlog_vfs *vfs, const char *name, struct vfs_file *file, int flags, int *flags_out)
{
	int rc;

	file->vfs = vfs;
	file->os = (sqlite3_file *)(file + 1);
	rc = vfs->os->xOpen(vfs->os, name, file->os, flags, flags_out);
	if (file->os->pMethods != NULL)
		file->base.pMethods = &temp_methods;
	return rc;
}

// ---- The file system --------------------------------------------------------------------------

static int
vfs_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *flags_out)
{
	struct sqlog_vfs *vfs = (struct sqlog_vfs *)v;
	struct vfs_file *file = (struct vfs_file *)f;

	f->pMethods = NULL;
	if (flags & TEMPORARY)
		return open_temp(vfs, name, file, flags, flags_out);
	file->vfs = vfs;
	file->input = flags & SQLITE_OPEN_MAIN_DB ? vfs->file
		      : flags & SQLITE_OPEN_WAL   ? vfs->wal
						  : NULL;
	if (file->input == NULL)
		return SQLITE_CANTOPEN;
	f->pMethods = &methods;
	if (flags_out != NULL)
		*flags_out = SQLITE_OPEN_READONLY |
			     (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
	return SQLITE_OK;
}

static int
vfs_delete(sqlite3_vfs *v, const char *name, int sync_folder)
{
	(void)v, (void)name, (void)sync_folder;
	return SQLITE_IOERR_DELETE_NOENT;
}

static int
vfs_access(sqlite3_vfs *v, const char *name, int flags, int *out)
{
	const struct sqlog_vfs *vfs = (struct sqlog_vfs *)v;
	size_t len = strlen(name);

	(void)flags;
	*out = vfs->wal != NULL && len > 4 && strcmp(name + len - 4, "-wal") == 0;
	return SQLITE_OK;
}

static int
vfs_full_path(sqlite3_vfs *v, const char *name, int size, char *out)
{
	(void)v;
	sqlite3_snprintf(size, out, "%s", name);
	return SQLITE_OK;
}

static int
vfs_randomness(sqlite3_vfs *v, int len, char *out)
{
	sqlite3_vfs *os = ((struct sqlog_vfs *)v)->os;

	return os->xRandomness(os, len, out);
}

static int
vfs_sleep(sqlite3_vfs *v, int microseconds)
{
	sqlite3_vfs *os = ((struct sqlog_vfs *)v)->os;

	return os->xSleep(os, microseconds);
}

static int
vfs_current_time(sqlite3_vfs *v, double *out)
{
	sqlite3_vfs *os = ((struct sqlog_vfs *)v)->os;

	return os->xCurrentTime(os, out);
}

static int
vfs_last_error(sqlite3_vfs *v, int size, char *out)
{
	(void)v, (void)size, (void)out;
	return 0;
}

void
pmon_sqlite_vfs_allow(struct sqlog_vfs *vfs, uint64_t size)
{
	size = size < UINT64_MAX / 256 ? size : UINT64_MAX / 256;
	vfs->read_left = READ_AT_LEAST + READ_TIMES * size;
	vfs->spool_left = SPOOL_TIMES * size;
}

bool
pmon_sqlite_vfs_register(struct sqlog_vfs *vfs, struct pmon_file *file)
{
	vfs->os = sqlite3_vfs_find(NULL);
	if (vfs->os == NULL)
		return false;
	vfs->file = file;
	vfs->size = pmon_file_size(file);
	pmon_sqlite_vfs_allow(vfs, vfs->size);
	// Addresses of open files are unique.
	(void)snprintf(vfs->name, sizeof(vfs->name), "pmon-%p", (void *)vfs);
	vfs->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = vfs->os->szOsFile + (int)sizeof(struct vfs_file),
		.mxPathname = vfs->os->mxPathname,
		.zName = vfs->name,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_full_path,
		.xRandomness = vfs_randomness,
		.xSleep = vfs_sleep,
		.xCurrentTime = vfs_current_time,
		.xGetLastError = vfs_last_error,
	};
	return sqlite3_vfs_register(&vfs->vfs, 0) == SQLITE_OK;
}

void
pmon_sqlite_vfs_unregister(struct sqlog_vfs *vfs)
{
	(void)sqlite3_vfs_unregister(&vfs->vfs);
}

char *
pmon_sqlite_name(const char *path, const struct pmon_allocator *allocator, size_t *size)
{
	char *name;

	*size = strlen(path) + sizeof("./");
	name = pmon_mem_alloc(allocator, *size);
	if (name != NULL)
		(void)snprintf(name, *size, "%s%s", path[0] == '/' ? "" : "./", path);
	return name;
}
