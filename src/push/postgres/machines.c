// machines.c - the ids of machines in PostgreSQL
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

void
pmon_pg_put_machine_query(struct pmon_text *sql, const char *name)
{
	pmon_text_str(sql, "SELECT string_agg(id || E'\\t' || floor(extract(epoch FROM since))::"
			   "bigint || E'\\t' || accepted::integer, E'\\n') FROM pmon_machine "
			   "WHERE name = ");
	pmon_pg_put_quoted(sql, name);
}

// Under the lock, so that of several at the same time one has the name.
void
pmon_pg_put_machine_insert(struct pmon_text *sql, const char *name, const char *id,
			   bool is_accepted)
{
	pmon_text_str(sql, "BEGIN; ");
	pmon_text_str(sql, pmon_pg_lock);
	pmon_text_str(sql, "; INSERT INTO pmon_machine (name, id, accepted) SELECT n, ");
	pmon_pg_put_quoted(sql, id);
	pmon_text_str(sql, is_accepted ? ", TRUE FROM (SELECT " : ", FALSE FROM (SELECT ");
	pmon_pg_put_quoted(sql, name);
	pmon_text_str(sql, "::text AS n) AS m");
	pmon_text_str(sql, is_accepted
				   ? " ON CONFLICT (name, id) DO UPDATE SET accepted = TRUE"
				   : " WHERE NOT EXISTS (SELECT FROM pmon_machine WHERE name = n)");
	pmon_text_str(sql, "; COMMIT");
}
