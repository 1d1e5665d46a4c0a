// retention.c - how long PostgreSQL keeps values
// SPDX-License-Identifier: MIT
//
// The table pmon_retention records it. Months that have expired are dropped by pushes, when they begin and when
// a day ends while they run.

#include "push/postgres/postgres.h"

#include <stdio.h>

#include "base/err.h"

void
pmon_pg_put_retention(struct pmon_text *sql, uint32_t days)
{
	pmon_text_str(sql, "INSERT INTO pmon_retention (days) VALUES (");
	pmon_text_u64(sql, days);
	pmon_text_str(sql, ") ON CONFLICT (one) DO UPDATE SET days = excluded.days\n"
			   " WHERE pmon_retention.days <> excluded.days");
}

enum pmon_status
pmon_pg_read_retention(struct pg_connection *pg, struct pmon_push_sink *push, uint32_t *days,
		       bool *again, struct pmon_err *err)
{
	const struct pmon_push_options *options = &push->options;
	char buf[256];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	const char *answer = "";
	unsigned n = 0;
	enum pmon_status status = PMON_OK;

	pmon_pg_put_retention(&sql, pmon_push_retention_days(options));
	if (options->retention_100ns != 0)
		status = pmon_pg_run(pg, buf, NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_run(pg, "SELECT days FROM pmon_retention", &answer, again, err);
	if (status == PMON_OK)
		(void)sscanf(answer, "%u", &n);
	*days = n;
	push->keep_from = INT64_MIN;
	return status;
}

enum pmon_status
pmon_pg_keep(struct pg_connection *pg, struct pmon_push_sink *push, uint32_t days, bool *again,
	     struct pmon_err *err)
{
	pmon_time keep_from = pmon_push_keep_from(days);
	char sql[64];
	enum pmon_status status = PMON_OK;

	if (keep_from == push->keep_from)
		return PMON_OK;
	(void)snprintf(sql, sizeof(sql), "SELECT pmon_drop_months(%lld)", (long long)keep_from);
	if (push->options.check != PMON_PUSH_VERIFY)
		status = pmon_pg_run(pg, sql, NULL, again, err);
	if (status == PMON_OK)
		push->keep_from = keep_from;
	return status;
}
