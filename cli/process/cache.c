// cache.c - what was found out of a file, kept in the user's cache folder
// SPDX-License-Identifier: MIT

#include "cli/process/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/output/out.h"
#include "os/dir.h"

#define HASHED_BYTES 65536 // at either end of a file
#define SETTLED_NS   (2 * INT64_C(1000000000))
#define NAME_LEN     16 // digits
#define MAX_FILES    100000

uint64_t
cache_hash(uint64_t seed, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		seed = (seed ^ p[i]) * UINT64_C(0x100000001B3);
	return seed;
}

bool
cache_folder(char folder[FOLDER_SIZE])
{
	const char *none = getenv("PMON_NO_CACHE");

	if (none != NULL && none[0] != '\0')
		return false;
	return folder_find(FOLDER_CACHE, folder);
}

// ---- Keys -----------------------------------------------------------------------------------

static int64_t
nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

// All bytes from an offset on, as far as they go. Returns their number.
static size_t
read_at(int fd, uint64_t offset, uint8_t *bytes, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(fd, bytes + got, len - got, (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return got;
}

static uint64_t
hash_ends(int fd, uint64_t size)
{
	uint8_t *bytes = malloc(HASHED_BYTES);
	uint64_t tail = size > HASHED_BYTES ? size - HASHED_BYTES : 0;
	uint64_t hash;

	if (bytes == NULL)
		return 0;
	hash = cache_hash(CACHE_HASH_SEED, bytes, read_at(fd, 0, bytes, HASHED_BYTES));
	hash = cache_hash(hash, bytes, read_at(fd, tail, bytes, HASHED_BYTES));
	free(bytes);
	return hash;
}

bool
cache_key_of(const char *file, struct cache_key *key)
{
	struct stat st;
	int fd = strcmp(file, "-") != 0 ? open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
					: -1;
	bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	if (is_file) {
		*key = (struct cache_key){
			.device = (uint64_t)st.st_dev,
			.inode = (uint64_t)st.st_ino,
			.size_bytes = (uint64_t)st.st_size,
			.changed_ns = nanoseconds(&st.st_mtim),
			.status_ns = nanoseconds(&st.st_ctim),
			.hash = hash_ends(fd, (uint64_t)st.st_size),
		};
	}
	if (fd >= 0)
		(void)close(fd);
	return is_file;
}

bool
cache_is_settled(const struct cache_key *key)
{
	struct timespec now;

	return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	       key->changed_ns < nanoseconds(&now) - SETTLED_NS;
}

// ---- Files ----------------------------------------------------------------------------------

// One name for each file that there is: what is kept anew takes the place of what was.
static bool
path_of(const char *folder, const struct cache_key *key, const char *ending, char *path)
{
	uint64_t hash = cache_hash(CACHE_HASH_SEED, &key->device, sizeof(key->device));
	int n;

	hash = cache_hash(hash, &key->inode, sizeof(key->inode));
	n = snprintf(path, FOLDER_SIZE, "%s/%016llx%s", folder, (unsigned long long)hash, ending);
	return (size_t)n < FOLDER_SIZE;
}

size_t
cache_get(const char *folder, const struct cache_key *key, uint8_t *bytes)
{
	char path[FOLDER_SIZE];
	struct stat st;
	size_t len = 0;
	int fd;

	if (!path_of(folder, key, ".info", path))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_size <= CACHE_ENTRY_BYTES)
		len = read_at(fd, 0, bytes, CACHE_ENTRY_BYTES);
	(void)close(fd);
	return len;
}

static bool
write_file(const char *path, const uint8_t *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool is_written;

	if (fd < 0)
		return false;
	is_written = write(fd, bytes, len) == (ssize_t)len;
	return close(fd) == 0 && is_written;
}

// ---- How much is kept -----------------------------------------------------------------------

struct kept {
	const char *path;
	int64_t changed_ns;
	size_t size_bytes;
};

static int
by_age(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->changed_ns > y->changed_ns) - (x->changed_ns < y->changed_ns);
}

static bool
is_own(const char *path)
{
	const char *name = strrchr(path, '/') + 1; // behind that of its folder

	return strspn(name, "0123456789abcdef") == NAME_LEN && name[NAME_LEN] == '.';
}

// total is the size of all of them.
static void
remove_oldest(struct kept *list, size_t n, size_t total)
{
	qsort(list, n, sizeof(*list), by_age);
	for (size_t i = 0; total > CACHE_TOTAL_BYTES; i++) {
		(void)unlink(list[i].path);
		total -= list[i].size_bytes;
	}
}

static void
bound(const char *folder)
{
	struct pmon_dir *dir;
	const char *const *paths;
	struct kept *list;
	size_t total = 0;
	size_t n_own = 0;
	size_t n;

	if (pmon_dir_list(folder, NULL, MAX_FILES, &dir, NULL) != PMON_OK)
		return;
	paths = pmon_dir_paths(dir, &n);
	list = calloc(n + 1, sizeof(*list));
	for (size_t i = 0; list != NULL && i < n; i++) {
		struct stat st;

		if (!is_own(paths[i]) || lstat(paths[i], &st) != 0)
			continue;
		list[n_own++] =
			(struct kept){paths[i], nanoseconds(&st.st_mtim), (size_t)st.st_size};
		total += (size_t)st.st_size;
	}
	if (list != NULL)
		remove_oldest(list, n_own, total);
	free(list);
	pmon_dir_free(dir);
}

void
cache_put(const char *folder, const struct cache_key *key, const uint8_t *bytes, size_t len)
{
	char path[FOLDER_SIZE];
	char temp[FOLDER_SIZE];
	char ending[32];

	(void)snprintf(ending, sizeof(ending), ".%ld.tmp", (long)getpid());
	if (!path_of(folder, key, ".info", path) || !path_of(folder, key, ending, temp) ||
	    !folder_make(folder))
		return;
	if (!write_file(temp, bytes, len) || rename(temp, path) != 0)
		(void)unlink(temp);
	else
		bound(folder);
}
