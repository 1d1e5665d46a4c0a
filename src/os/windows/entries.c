// entries.c - inspect paths and list directories: Windows
// SPDX-License-Identifier: MIT

#include "os/dir.h"

#include <errno.h>
#include <wchar.h>
#include <windows.h>

#include "base/err.h"
#include "os/entries.h"

#define NAME_BYTES 1024 // of UTF-8; a name has at most 255 units of UTF-16

static uint64_t
joined(DWORD high, DWORD low)
{
	return (uint64_t)high << 32 | low;
}

static HANDLE
open_any(const char *path)
{
	wchar_t *wide = pmon_win_path(path);
	HANDLE handle = INVALID_HANDLE_VALUE;

	if (wide != NULL)
		handle = CreateFileW(wide, FILE_READ_ATTRIBUTES,
				     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
				     OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	free(wide);
	return handle;
}

// Access lists are inherited. Unless they were changed, only the user's own profile is private, and
// that is where state is kept.
struct pmon_os_stat
pmon_os_stat(const char *path, bool follow)
{
	BY_HANDLE_FILE_INFORMATION info;
	HANDLE handle = open_any(path);
	struct pmon_os_stat out = {.is_there = handle != INVALID_HANDLE_VALUE, .is_private = true};
	bool is_file = out.is_there && GetFileType(handle) == FILE_TYPE_DISK &&
		       GetFileInformationByHandle(handle, &info);

	(void)follow;
	if (out.is_there)
		(void)CloseHandle(handle);
	if (!is_file)
		return out;
	out.is_directory = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
	out.is_regular = !out.is_directory;
	out.size = joined(info.nFileSizeHigh, info.nFileSizeLow);
	out.modified = (pmon_time)joined(info.ftLastWriteTime.dwHighDateTime,
					 info.ftLastWriteTime.dwLowDateTime);
	out.modified -= out.modified % PMON_TIME_PER_SEC; // whole seconds, as on other systems
	out.device = info.dwVolumeSerialNumber;
	out.number = joined(info.nFileIndexHigh, info.nFileIndexLow);
	return out;
}

bool
pmon_os_remove(const char *path)
{
	return unlink(path) == 0;
}

// ---- Lists ----------------------------------------------------------------------------------

// List what FindFirstFileW() finds, with `prefix` prepended. PMON_E_NOTFOUND if that is nothing.
static enum pmon_status
find_all(const char *pattern, const char *prefix, bool wants_all, bool of_folders,
	 pmon_entry_fn take, void *ctx, struct pmon_err *err)
{
	wchar_t *wide = pmon_win_path(pattern);
	size_t begin = strlen(prefix);
	char *path = malloc(begin + NAME_BYTES);
	enum pmon_status status = PMON_OK;
	WIN32_FIND_DATAW found;
	HANDLE search =
		wide != NULL && path != NULL ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
	bool is_there = search != INVALID_HANDLE_VALUE;

	if (path != NULL)
		memcpy(path, prefix, begin + 1);
	else
		errno = ENOMEM;
	if (!is_there && wide != NULL && path != NULL)
		pmon_win_errno();
	for (bool more = is_there; more && status == PMON_OK;
	     more = FindNextFileW(search, &found)) {
		bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
		int n = WideCharToMultiByte(CP_UTF8, 0, found.cFileName, -1, path + begin,
					    NAME_BYTES, NULL, NULL);

		if (n > 0 && path[begin] != '.' && (wants_all || is_folder == of_folders))
			status = take(ctx, path, err);
	}
	if (is_there)
		(void)FindClose(search);
	free(path);
	free(wide);
	if (is_there)
		return status;
	return pmon_err_sys(err, errno == ENOENT ? PMON_E_NOTFOUND : PMON_E_IO, errno,
			    "cannot list the directory");
}

enum pmon_status
pmon_os_entries(const char *folder, bool of_folders, pmon_entry_fn take, void *ctx,
		struct pmon_err *err)
{
	size_t size = strlen(folder) + sizeof("/*");
	char *pattern = malloc(size);
	enum pmon_status status;

	if (pattern == NULL)
		return pmon_err_nomem(err);
	// "//*" would be a network path.
	(void)snprintf(pattern, size, "%s%s*", folder, *pmon_os_name(folder) != '\0' ? "/" : "");
	status = find_all(pattern, "", false, of_folders, take, ctx, err);
	free(pattern);
	return status;
}

// Wildcards are allowed only in the last component, as usual on Windows.
enum pmon_status
pmon_os_matches(const char *pattern, pmon_entry_fn take, void *ctx, struct pmon_err *err)
{
	size_t len = (size_t)(pmon_os_name(pattern) - pattern);
	char *folder = malloc(len + 1);
	enum pmon_status status;

	if (folder == NULL)
		return pmon_err_nomem(err);
	memcpy(folder, pattern, len);
	folder[len] = '\0';
	status = find_all(pattern, folder, true, false, take, ctx, err);
	free(folder);
	return status;
}

const char *
pmon_os_name(const char *path)
{
	const char *name = path;

	for (const char *at = path; *at != '\0'; at++)
		if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
			name = at + 1;
	return name;
}
