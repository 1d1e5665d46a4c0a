// hours.c - sums of whole hours in ClickHouse
// SPDX-License-Identifier: MIT
//
// The sums of an hour are made of the merged rows of all of it, and replace those that were there: rows
// that come twice count once. A view that adds while rows are inserted would count them twice.

#include <string.h>

#include "base/err.h"
#include "push/clickhouse/engine.h"
#include "push/clickhouse/sql.h"
#include "push/rollup.h"

#define SQL_SIZE   ((size_t)8 << 10)
#define WEEK_100NS (7 * PMON_DAY_100NS) // of a statement, whose memory grows with its hours

// The name of a machine without its length in front.
static struct pmon_span
name_of(const struct ch_machines *machines, const struct ch_machine *machine)
{
	const char *text = (const char *)machines->text + machine->at;
	size_t head = 1;

	while (((unsigned char)text[head - 1] & 128) != 0)
		head++;
	return (struct pmon_span){text + head, machine->len - head};
}

void
pmon_ch_put_machines(const struct ch_machines *machines, struct pmon_text *sql)
{
	pmon_text_str(sql, "AND f.machine IN (");
	for (size_t i = 0; i < machines->n && sql->len < sql->size; i++) {
		if (i > 0 && machines->of[i].at == machines->of[i - 1].at)
			continue;
		pmon_text_str(sql, i > 0 ? ", " : "");
		pmon_ch_put_quoted(sql, name_of(machines, &machines->of[i]));
	}
	pmon_text_char(sql, ')');
	if (sql->len >= sql->size)
		sql->buf[0] = '\0';
}

enum pmon_status
pmon_ch_sum(struct ch_engine *e, pmon_time from, pmon_time to, const struct ch_sum_options *options,
	    struct pmon_span *answer, struct pmon_err *err)
{
	static const char stores[] = "INSERT INTO {db}.pmon_hour\nSELECT *";
	char head[128];
	struct pmon_text put = pmon_text_init(head, sizeof(head));
	const struct pmon_push_name names[] = {{"head", options->counts ? CH_SUM_COUNTS : head, 0},
					       {"from", NULL, from - CH_EPOCH},
					       {"to", NULL, to - CH_EPOCH},
					       {"where", options->where, 0},
					       {"unless", options->unless, 0},
					       {"version", options->version, 0},
					       {NULL, NULL, 0}};
	char text[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(text, sizeof(text));

	pmon_ch_put_sql(&e->place, stores, NULL, &put);
	pmon_ch_put_sql(&e->place, pmon_ch_sql_hours, names, &sql);
	return pmon_ch_run(e, text, answer, err);
}

enum pmon_status
pmon_ch_sum_hours(struct ch_engine *e, struct pmon_err *err)
{
	pmon_time from = e->touched.from - e->touched.from % PMON_HOUR_100NS;
	pmon_time to = e->touched.to - e->touched.to % PMON_HOUR_100NS + PMON_HOUR_100NS;
	char where[CH_MACHINES_SIZE];
	const struct ch_sum_options options = {
		.where = where, .unless = "", .version = "toUnixTimestamp64Milli(now64(3))"};
	struct pmon_text text = pmon_text_init(where, sizeof(where));
	enum pmon_status status = PMON_OK;

	pmon_ch_put_machines(&e->batch.machines, &text);
	for (; status == PMON_OK && from < to; from += WEEK_100NS) {
		pmon_time end = to - from < WEEK_100NS ? to : from + WEEK_100NS;

		status = pmon_ch_sum(e, from, end, &options, NULL, err);
	}
	e->touched.is_any = status != PMON_OK;
	return status;
}
