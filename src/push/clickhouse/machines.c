// machines.c - the ids of machines in ClickHouse
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/err.h"
#include "os/clock.h"
#include "push/clickhouse/engine.h"

#define STATEMENT_SIZE 4096

// There are no transactions, and times are seconds: later writers have later times, and those of the same second
// are seen by all of them.
#define SETTLES_100NS (15 * PMON_TIME_PER_SEC / 10)

static enum pmon_status
run(struct ch_engine *e, const char *sql, const struct pmon_text *text, struct pmon_span *answer,
    struct pmon_err *err)
{
	if (text->len >= STATEMENT_SIZE)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the machine name is too long");
	return pmon_ch_run(e, sql, answer, err);
}

enum pmon_status
pmon_ch_read_machine(struct pmon_push_sink *push, const char *name, struct pmon_push_machines *out,
		     struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	char sql[STATEMENT_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	pmon_text_str(&text, "SELECT id, toUInt32(min(since)), max(accepted) FROM ");
	pmon_ch_put_name(&e->place, "pmon_machine", &text);
	pmon_text_str(&text, " WHERE name = ");
	pmon_ch_put_quoted(&text, (struct pmon_span){name, strlen(name)});
	pmon_text_str(&text, " GROUP BY id");
	status = run(e, sql, &text, &answer, err);
	if (status == PMON_OK)
		pmon_push_machines_add_text(out, answer);
	return status;
}

enum pmon_status
pmon_ch_write_machine(struct pmon_push_sink *push, const char *name, const char *id,
		      bool is_accepted, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	char sql[STATEMENT_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));
	enum pmon_status status;

	pmon_text_str(&text, "INSERT INTO ");
	pmon_ch_put_name(&e->place, "pmon_machine", &text);
	pmon_text_str(&text, " (name, id, accepted) VALUES (");
	pmon_ch_put_quoted(&text, (struct pmon_span){name, strlen(name)});
	pmon_text_str(&text, ", ");
	pmon_ch_put_quoted(&text, (struct pmon_span){id, strlen(id)});
	pmon_text_str(&text, is_accepted ? ", 1)" : ", 0)");
	status = run(e, sql, &text, NULL, err);
	if (status == PMON_OK && !is_accepted)
		pmon_os_sleep(SETTLES_100NS);
	return status;
}
