// test_folders.c - the user's folder for state
// SPDX-License-Identifier: MIT
//
// XDG Base Directory Specification 0.8: $XDG_STATE_HOME, or $HOME/.local/state if it is not set or empty; paths
// must be absolute, and those that are relative are ignored.

#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/process/folders.h"

static void
set(const char *name, const char *value)
{
	assert_int_equal(value != NULL ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void
where_it_is(void **state)
{
	static const struct {
		const char *state;
		const char *home;
		const char *want; // NULL: nowhere
	} rows[] = {
		{"/x", "/home/me", "/x/pmon"},
		{"/x", NULL, "/x/pmon"},
		{NULL, "/home/me", "/home/me/.local/state/pmon"},
		{"", "/home/me", "/home/me/.local/state/pmon"},
		{"x", "/home/me", "/home/me/.local/state/pmon"},
		{NULL, NULL, NULL},
		{"x", "home", NULL},
		{NULL, "", NULL},
	};
	char folder[FOLDER_SIZE];
	char label[32];

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		set("XDG_STATE_HOME", rows[i].state);
		set("HOME", rows[i].home);
		(void)snprintf(label, sizeof(label), "row %zu", i);
		T_EQ_BOOL_AT(folder_of_state(folder), rows[i].want != NULL, label);
		if (rows[i].want != NULL)
			T_EQ_STR_AT(folder, rows[i].want, label);
	}
}

static void
too_long(void **state)
{
	static char name[FOLDER_SIZE];
	char folder[FOLDER_SIZE];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[0] = '/';
	set("HOME", NULL);
	set("XDG_STATE_HOME", name);
	assert_false(folder_of_state(folder));
	name[FOLDER_SIZE - sizeof("/pmon")] = '\0';
	set("XDG_STATE_HOME", name);
	assert_true(folder_of_state(folder));
	T_EQ_U64(strlen(folder), FOLDER_SIZE - 1);
}

static void
it_is_made(void **state)
{
	char base[] = "/tmp/pmon-folders.XXXXXX";
	char path[256];
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(base));
	(void)snprintf(path, sizeof(path), "%s/a/b", base);
	assert_true(folder_create(path));
	assert_true(folder_create(path)); // again
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 077, 0);
	assert_int_equal(rmdir(path), 0);
	(void)snprintf(path, sizeof(path), "%s/a", base);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(base), 0);
	assert_false(folder_create("/dev/null/a"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_it_is),
		cmocka_unit_test(too_long),
		cmocka_unit_test(it_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
