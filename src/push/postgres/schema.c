// schema.c - statements for PostgreSQL, as sql/*.sql have them
// SPDX-License-Identifier: MIT

#include <string.h>

#include "push/postgres/postgres.h"
#include "push/postgres/sql.h"

const char pmon_pg_lock[] = "SELECT pg_advisory_xact_lock(1886220142)"; // "pmon"

void
pmon_pg_put_sql(struct pmon_text *sql, const char *template, const struct pmon_push_name *names)
{
	pmon_push_fill(sql, (struct pmon_span){template, strlen(template)}, names, NULL);
}

void
pmon_pg_put_schema(struct pmon_text *sql)
{
	static const struct pmon_push_name names[] = {{"views", NULL, PG_VIEWS_VERSION},
						      {"keys", NULL, PMON_PUSH_KEYS_VERSION},
						      {NULL, NULL, 0}};

	pmon_pg_put_sql(sql, pmon_pg_sql_schema, names);
}

void
pmon_pg_put_quoted(struct pmon_text *sql, const char *text)
{
	pmon_text_str(sql, "E'");
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			pmon_text_char(sql, *text);
		pmon_text_char(sql, *text);
	}
	pmon_text_char(sql, '\'');
}
