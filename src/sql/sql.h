// sql.h - logs as tables of SQLite
// SPDX-License-Identifier: MIT
//
// pmon_sql_register() gives a connection the modules pmon_values, pmon_raw, pmon_counters and
// pmon_machines, and the functions pmon_avg(), pmon_total(), pmon_percentile() and pmon_step():
//
//	CREATE VIRTUAL TABLE temp.log USING pmon_values('server.blg');
//	SELECT instance, pmon_avg(operands) FROM log GROUP BY instance;
//	SELECT * FROM pmon_raw('server.blg') LIMIT 10;
//
// Each scan of a table reads its logs from the beginning, and keeps one sample in memory. Logs are opened by a host: the
// command has its own, and pmon_sql_files() opens files for programs that load the extension.

#ifndef PMON_SQL_H
#define PMON_SQL_H

#include <pmon/log.h>
#include <pmon/query.h>

struct sqlite3;

// What a scan needs.
struct pmon_sql_scope {
	const char *const *files; // of the table; none: the host's
	size_t n_files;
	const char *const *patterns; // series that match any of them; none: all series
	size_t n_patterns;
	bool averages; // also the rates that averages per operation need in a log of displayed values
};

// Open logs.
struct pmon_sql_input {
	struct pmon_source *source;
	const struct pmon_source *identity; // the step that distinguishes processes; NULL: none
	// Other series of the source are read for averages, and have no rows. NULL: all have rows.
	const struct pmon_select *shown;
	struct pmon_calc_options calc;
	bool is_read; // to its end
	void *own;    // the host's
};

struct pmon_sql_host {
	// On failure nothing is open, and err->msg may be empty if the host has reported it.
	enum pmon_status (*open)(void *ctx, const struct pmon_sql_scope *scope,
				 struct pmon_sql_input *input, struct pmon_err *err);
	void (*close)(void *ctx, struct pmon_sql_input *input);
	// Reading failed: add the name of the file to err. May be NULL.
	void (*failed)(void *ctx, const struct pmon_sql_input *input, struct pmon_err *err);
	void *ctx;
};

// A host that opens the files that a table names. Its notices of damage go to SQLite's log.
extern const struct pmon_sql_host pmon_sql_files;

// The host is copied. Returns an SQLite status.
int pmon_sql_register(struct sqlite3 *db, const struct pmon_sql_host *host);

#endif
