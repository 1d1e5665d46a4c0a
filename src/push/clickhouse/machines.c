// machines.c - the ids of machines in ClickHouse
// SPDX-License-Identifier: MIT
//
// Each shard has those of all machines, so that none is forgotten while a shard is away.

#include <string.h>

#include "base/err.h"
#include "os/term.h"
#include "push/clickhouse/engine.h"

#define STATEMENT_SIZE 4096

// There are no transactions, and times are seconds: whoever comes after this is later, and those of the same second
// are seen by all of them.
#define SETTLES_100NS (15 * PMON_TIME_PER_SEC / 10)

// A statement on each shard that answers. answers may be NULL.
static enum pmon_status
run_on_all(struct ch_engine *e, const char *sql, const struct pmon_text *text,
	   struct pmon_push_machines *answers, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = PMON_OK;

	if (text->len >= STATEMENT_SIZE)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the name of the machine is too long");
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++) {
		if (e->shards.hosts[shard] == 0)
			continue;
		status = pmon_ch_run(e, e->shards.hosts[shard], sql, &answer, err);
		if (status == PMON_OK && answers != NULL)
			pmon_push_machines_add_text(answers, answer);
	}
	return status;
}

enum pmon_status
pmon_ch_read_machine(struct pmon_push_sink *push, const char *name, struct pmon_push_machines *out,
		     struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	char sql[STATEMENT_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));

	pmon_text_str(&text, "SELECT id, toUInt32(min(since)), max(accepted) FROM ");
	pmon_ch_put_name(&e->place, "pmon_machine", true, &text);
	pmon_text_str(&text, " WHERE name = ");
	pmon_ch_put_quoted(&text, (struct pmon_span){name, strlen(name)});
	pmon_text_str(&text, " GROUP BY id");
	return run_on_all(e, sql, &text, out, err);
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
	pmon_ch_put_name(&e->place, "pmon_machine", true, &text);
	pmon_text_str(&text, " (name, id, accepted) VALUES (");
	pmon_ch_put_quoted(&text, (struct pmon_span){name, strlen(name)});
	pmon_text_str(&text, ", ");
	pmon_ch_put_quoted(&text, (struct pmon_span){id, strlen(id)});
	pmon_text_str(&text, is_accepted ? ", 1)" : ", 0)");
	status = run_on_all(e, sql, &text, NULL, err);
	if (status == PMON_OK && !is_accepted)
		pmon_os_sleep(SETTLES_100NS);
	return status;
}
