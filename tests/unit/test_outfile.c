// test_outfile.c - files that are whole under their name or not there
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/outfile.h"
#include "t.h"

static char folder[] = "/tmp/pmon-outfile-XXXXXX";
static char path[64];
static char other[64];
static const struct pmon_outfile_options new_one = {.overwrite = false};
static const struct pmon_outfile_options overwriting = {.overwrite = true};

static int
make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/out", folder);
	(void)snprintf(other, sizeof(other), "%s/other", folder);
	return 0;
}

static int
remove_folder(void **state)
{
	(void)state;
	(void)unlink(path);
	(void)unlink(other);
	return rmdir(folder); // fails when anything else is left in it
}

static void
write_file(const char *name, bool overwrite, const char *text)
{
	struct pmon_outfile *file;

	assert_int_equal(pmon_outfile_open(name,
					   &(struct pmon_outfile_options){.overwrite = overwrite},
					   &file, NULL),
			 PMON_OK);
	pmon_outfile_write(file, text, strlen(text));
	assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
}

static void
check_content(const char *name, const char *want)
{
	size_t len;
	char *text = t_read_file(name, &len);

	assert_non_null(text);
	T_EQ_STR(text, want);
	free(text);
}

static void
nothing_before_the_commit(void **state)
{
	struct pmon_outfile *file;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "half", 4);
	assert_int_equal(pmon_outfile_flush(file, true, NULL), PMON_OK);
	assert_int_not_equal(access(path, F_OK), 0);
	pmon_outfile_close(file);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void
whole_after_it(void **state)
{
	struct pmon_outfile *file;
	char large[100000];

	(void)state;
	(void)unlink(path);
	memset(large, 'x', sizeof(large));
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "head", 4);
	pmon_outfile_write(file, large, sizeof(large)); // larger than the buffer
	pmon_outfile_write(file, "tail", 4);
	T_EQ_U64(pmon_outfile_size(file), sizeof(large) + 8);
	pmon_outfile_write_at(file, 0, "HEAD", 4);
	assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
	{
		size_t len;
		char *text = t_read_file(path, &len);

		T_EQ_U64(len, sizeof(large) + 8);
		assert_memory_equal(text, "HEADxx", 6);
		assert_memory_equal(text + len - 5, "xtail", 5);
		free(text);
	}
}

static void
never_over_a_file_unasked(void **state)
{
	struct pmon_outfile *file;
	struct pmon_err err;

	(void)state;
	write_file(path, true, "mine");
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, &err), PMON_E_EXISTS);
	check_content(path, "mine");
	write_file(path, true, "yours");
	check_content(path, "yours");
}

// Another process creates the file name during writing: its file is kept.
static void
the_name_is_taken_during_the_write(void **state)
{
	struct pmon_outfile *file;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "late", 4);
	write_file(path, true, "first");
	assert_int_not_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
	check_content(path, "first");
}

static void
a_link_stays_one(void **state)
{
	struct stat st;

	(void)state;
	(void)unlink(path);
	write_file(other, true, "old");
	assert_int_equal(symlink(other, path), 0);
	write_file(path, true, "new");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_content(other, "new");
}

// The target of a link need not exist: as with cp --remove-destination and the shell's >.
static void
a_link_to_nothing_stays_one(void **state)
{
	struct pmon_outfile *file;
	struct stat st;

	(void)state;
	(void)unlink(path);
	(void)unlink(other);
	assert_int_equal(symlink("other", path), 0); // from the folder of the link
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_E_EXISTS);
	write_file(path, true, "new");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_content(other, "new");
	(void)unlink(path);
}

static void
links_in_a_circle(void **state)
{
	struct pmon_outfile *file;
	struct pmon_err err;

	(void)state;
	(void)unlink(path);
	assert_int_equal(symlink("out", path), 0);
	assert_int_equal(pmon_outfile_open(path, &overwriting, &file, &err), PMON_E_IO);
	assert_int_equal(err.sys, ELOOP);
	(void)unlink(path);
}

// proc(5), protected_symlinks: outside a sticky folder that everybody may write, or for the owner of the
// link, or where the owner of the folder is that of the link.
static void
a_planted_link_is_not_followed(void **state)
{
	static const struct {
		mode_t folder_mode;
		uid_t folder;
		uid_t link;
		enum pmon_status status;
	} cases[] = {
		{01777, 0, 12345, PMON_E_IO}, {01777, 12345, 12345, PMON_OK},
		{01777, 12345, 0, PMON_OK},   {0777, 0, 12345, PMON_OK},
		{01770, 0, 12345, PMON_OK},   {01777, 12345, 23456, PMON_E_IO},
		{01777, 0, 0, PMON_OK},
	};
	struct pmon_outfile *file;

	(void)state;
	if (geteuid() != 0)
		skip(); // only root can change the owner of a link
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int live = 0; live < 2; live++) {
			struct pmon_err err = {.sys = 0};
			enum pmon_status status;

			(void)unlink(path);
			write_file(other, true, "mine");
			assert_int_equal(symlink(other, path), 0);
			assert_int_equal(lchown(path, cases[i].link, 0), 0);
			assert_int_equal(chown(folder, cases[i].folder, 0), 0);
			assert_int_equal(chmod(folder, cases[i].folder_mode), 0);
			status =
				live ? pmon_outfile_open_live(path, &overwriting, true, &file, &err)
				     : pmon_outfile_open(path, &overwriting, &file, &err);
			assert_int_equal(status, cases[i].status);
			if (status == PMON_OK)
				pmon_outfile_close(file);
			else
				assert_int_equal(err.sys, EACCES);
			check_content(other, "mine");
		}
	assert_int_equal(chown(folder, 0, 0), 0);
	assert_int_equal(chmod(folder, 0700), 0);
	(void)unlink(path);
}

static void
mode_and_owner_stay(void **state)
{
	static const mode_t modes[] = {0600, 0444, 0664, 0640};
	struct stat st;

	(void)state;
	(void)unlink(path);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		write_file(path, true, "old");
		assert_int_equal(chmod(path, modes[i]), 0);
		if (geteuid() == 0)
			assert_int_equal(chown(path, 12345, 23456), 0);
		write_file(path, true, "new");
		check_content(path, "new");
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, modes[i]);
		if (geteuid() == 0) {
			assert_int_equal(st.st_uid, 12345);
			assert_int_equal(st.st_gid, 23456);
		}
	}
	(void)unlink(path);
}

// Until it is complete, a replacement file is readable only by its owner. The hook gets its name.
static char last_temporary[sizeof(path) + 64];

static void
take_temporary(void *ctx, const char *name)
{
	*(int *)ctx += name != NULL ? 1 : -1;
	if (name != NULL)
		(void)snprintf(last_temporary, sizeof(last_temporary), "%s", name);
}

static void
the_temporary_file_is_private(void **state)
{
	int told = 0;
	struct pmon_outfile_options options = {.overwrite = true,
					       .sync = true,
					       .temporary = take_temporary,
					       .temporary_ctx = &told};
	struct pmon_outfile *file;
	struct stat st;

	(void)state;
	for (int commits = 0; commits < 2; commits++) {
		write_file(path, true, "old");
		assert_int_equal(chmod(path, 0644), 0);
		assert_int_equal(pmon_outfile_open(path, &options, &file, NULL), PMON_OK);
		assert_int_equal(told, 1);
		assert_int_equal(stat(last_temporary, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		if (commits)
			assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
		pmon_outfile_close(file);
		assert_int_equal(told, 0);
		assert_int_not_equal(stat(last_temporary, &st), 0);
	}
	(void)unlink(path);
}

// Before the fix the temporary file was renamed over the device.
static void
a_device_stays_one(void **state)
{
	struct stat st;

	(void)state;
	write_file("/dev/null", true, "gone");
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

// Before the fix its fsync() was a failure, and only one at a time could write it.
static void
a_device_is_written_live(void **state)
{
	struct pmon_outfile *files[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			pmon_outfile_open_live("/dev/null", &overwriting, false, &files[i], NULL),
			PMON_OK);
		pmon_outfile_write(files[i], "gone", 4);
		assert_int_equal(pmon_outfile_flush(files[i], true, NULL), PMON_OK);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_outfile_commit(files[i], NULL), PMON_OK);
		pmon_outfile_close(files[i]);
	}
}

static void
a_full_disk_is_reported(void **state)
{
	struct pmon_outfile *file;
	struct pmon_err err;

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(pmon_outfile_open("/dev/full", &overwriting, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "x", 1);
	assert_int_equal(pmon_outfile_commit(file, &err), PMON_E_IO);
	assert_non_null(strstr(err.msg, "No space left"));
	assert_int_equal(pmon_outfile_commit(file, &err), PMON_E_IO); // it sticks
	pmon_outfile_close(file);
}

static void
a_live_file_is_there_at_once(void **state)
{
	struct pmon_outfile *file;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open_live(path, &new_one, false, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "one", 3);
	assert_int_equal(pmon_outfile_flush(file, false, NULL), PMON_OK);
	check_content(path, "one");
	pmon_outfile_close(file);
	assert_int_equal(pmon_outfile_open_live(path, &new_one, true, &file, NULL), PMON_OK);
	T_EQ_U64(pmon_outfile_size(file), 3);
	pmon_outfile_write(file, "two", 3);
	assert_int_equal(pmon_outfile_flush(file, true, NULL), PMON_OK);
	pmon_outfile_close(file);
	check_content(path, "onetwo");
	assert_int_equal(pmon_outfile_open_live(path, &new_one, false, &file, NULL), PMON_E_EXISTS);
}

// A file whose disk space is reserved in advance keeps only what it fills. Its bytes come in
// pieces, large and small, some written in place.
static void
a_large_file(void **state)
{
	static uint8_t piece[100000];
	struct pmon_outfile *file;
	struct stat st;
	size_t len = 0, got;
	size_t size = 0;
	char *text;

	(void)state;
	(void)unlink(path);
	for (size_t i = 0; i < sizeof(piece); i++)
		piece[i] = (uint8_t)(i % 251);
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	for (size_t i = 0; size < (size_t)20 << 20; i++, size += len) {
		len = i % 2 ? 1 + i % 4096 : sizeof(piece) - i;
		if (i % 2)
			memcpy(pmon_outfile_room(file, 4096), piece, len);
		if (i % 2)
			pmon_outfile_put(file, len);
		else
			pmon_outfile_write(file, piece, len);
	}
	pmon_outfile_write_at(file, 0, "begun", 5);
	assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
	assert_int_equal(stat(path, &st), 0);
	T_EQ_U64((uint64_t)st.st_size, size);
	assert_true((uint64_t)st.st_blocks * 512 < size + ((uint64_t)1 << 20));
	text = t_read_file(path, &got);
	assert_non_null(text);
	assert_memory_equal(text, "begun", 5);
	for (size_t i = 0, at = 0; at < got; i++, at += len) {
		len = i % 2 ? 1 + i % 4096 : sizeof(piece) - i;
		assert_memory_equal(text + at + (i == 0 ? 5 : 0), piece + (i == 0 ? 5 : 0),
				    len - (i == 0 ? 5 : 0));
	}
	free(text);
	(void)unlink(path);
}

// Overwritten bytes stay overwritten, whether they were flushed before or not; and bytes that are being
// written to reserved space at that time keep their place.
static void
written_over(void **state)
{
	enum {
		PIECE = 65536,
		N = 40
	};
	static uint8_t want[PIECE * N];
	struct pmon_outfile *file;
	size_t len;
	char *text;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	for (size_t i = 0; i < N; i++) {
		uint8_t *room = pmon_outfile_room(file, PIECE);
		uint8_t over[300];
		struct t_rand rand = {i};

		memset(room, (int)i, PIECE);
		memset(want + i * PIECE, (int)i, PIECE);
		for (size_t k = 0; i > 0 && k < 20; k++) {
			// Also where blocks begin, which have a whole number of pieces.
			size_t at = k % 2 ? t_rand_below(&rand, i * PIECE - sizeof(over))
					  : t_rand_below(&rand, i) * PIECE;

			if (k % 4 == 0 && at > 0)
				at -= sizeof(over) / 2;
			memset(over, (int)(100 + i + k), sizeof(over));
			pmon_outfile_write_at(file, at, over, sizeof(over));
			memcpy(want + at, over, sizeof(over));
		}
		T_EQ_U64(pmon_outfile_size(file), i * PIECE);
		pmon_outfile_put(file, PIECE);
	}
	assert_int_equal(pmon_outfile_status(file, NULL), PMON_OK);
	assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
	text = t_read_file(path, &len);
	assert_int_equal(len, sizeof(want));
	assert_memory_equal(text, want, sizeof(want));
	free(text);
	(void)unlink(path);
}

// In-place writes keep the order: earlier data is in the file before anything is overwritten.
static void
written_over_in_place(void **state)
{
	struct pmon_outfile *file;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open_live(path, &new_one, false, &file, NULL), PMON_OK);
	pmon_outfile_write(file, "onetwo", 6);
	pmon_outfile_write_at(file, 0, "ONE", 3);
	check_content(path, "ONEtwo");
	pmon_outfile_close(file);
	(void)unlink(path);
}

// A library writes the file itself, by its path; then something in it is written over.
static void
written_over_by_path(void **state)
{
	struct pmon_outfile *file;
	FILE *other_hand;

	(void)state;
	(void)unlink(path);
	assert_int_equal(pmon_outfile_open(path, &new_one, &file, NULL), PMON_OK);
	other_hand = fopen(pmon_outfile_path(file), "wb");
	assert_non_null(other_hand);
	assert_true(fputs("onetwo", other_hand) >= 0);
	assert_int_equal(fclose(other_hand), 0);
	pmon_outfile_write_at(file, 3, "TWO", 3);
	assert_int_equal(pmon_outfile_commit(file, NULL), PMON_OK);
	pmon_outfile_close(file);
	check_content(path, "oneTWO");
	(void)unlink(path);
}

// At any size, and also if it was as large as before when somebody looked.
static void
a_live_file_is_truncated(void **state)
{
	static const char bytes[] = {'o', 'n', 'e', '\n', 0, 0};
	(void)state;
	for (off_t size = 0; size <= (off_t)sizeof(bytes); size++) {
		struct pmon_outfile *file;

		(void)unlink(path);
		assert_int_equal(pmon_outfile_open_live(path, &new_one, false, &file, NULL),
				 PMON_OK);
		pmon_outfile_write(file, bytes, sizeof(bytes));
		assert_int_equal(pmon_outfile_flush(file, false, NULL), PMON_OK);
		assert_int_equal(truncate(path, size), 0);
		for (int i = 0; i < 2; i++) {
			pmon_outfile_write(file, bytes, sizeof(bytes));
			assert_int_equal(pmon_outfile_flush(file, false, NULL), PMON_OK);
		}
		assert_int_equal(pmon_outfile_state(file).size, 3 * sizeof(bytes));
		assert_int_equal(pmon_outfile_state(file).is_emptied, size < 4);
		pmon_outfile_close(file);
		(void)unlink(path);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_before_the_commit),
		cmocka_unit_test(whole_after_it),
		cmocka_unit_test(never_over_a_file_unasked),
		cmocka_unit_test(the_name_is_taken_during_the_write),
		cmocka_unit_test(a_link_stays_one),
		cmocka_unit_test(a_link_to_nothing_stays_one),
		cmocka_unit_test(links_in_a_circle),
		cmocka_unit_test(a_planted_link_is_not_followed),
		cmocka_unit_test(mode_and_owner_stay),
		cmocka_unit_test(the_temporary_file_is_private),
		cmocka_unit_test(a_device_stays_one),
		cmocka_unit_test(a_device_is_written_live),
		cmocka_unit_test(a_full_disk_is_reported),
		cmocka_unit_test(a_live_file_is_there_at_once),
		cmocka_unit_test(a_live_file_is_truncated),
		cmocka_unit_test(a_large_file),
		cmocka_unit_test(written_over),
		cmocka_unit_test(written_over_in_place),
		cmocka_unit_test(written_over_by_path),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
