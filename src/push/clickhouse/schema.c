// schema.c - the tables and views in ClickHouse, as sql/schema.sql has them
// SPDX-License-Identifier: MIT

#include "push/clickhouse/clickhouse.h"

#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "push/clickhouse/sql.h"

void
pmon_ch_put_name(const struct ch_place *place, const char *name, struct pmon_text *sql)
{
	pmon_text_str(sql, place->database);
	pmon_text_char(sql, '.');
	pmon_text_str(sql, name);
}

static void
fill(const struct ch_place *place, struct pmon_span template, const struct pmon_push_name *names,
     struct pmon_text *sql)
{
	const struct pmon_push_name database[] = {{"db", place->database, 0}, {NULL, NULL, 0}};

	pmon_push_fill(sql, template, database, names);
}

void
pmon_ch_put_sql(const struct ch_place *place, const char *template,
		const struct pmon_push_name *names, struct pmon_text *sql)
{
	fill(place, (struct pmon_span){template, strlen(template)}, names, sql);
}

// ---- Statements -----------------------------------------------------------------------------

// The next statement of the schema, without what ends it; {NULL, 0} after the last.
static struct pmon_span
next_statement(const char **at)
{
	const char *begin = *at + strspn(*at, "\n");
	const char *end = strstr(begin, ";\n");

	if (end == NULL)
		return (struct pmon_span){NULL, 0};
	*at = end + 2;
	return (struct pmon_span){begin, (size_t)(end - begin)};
}

bool
pmon_ch_statement(const struct ch_place *place, size_t i, struct pmon_text *sql)
{
	static const struct pmon_push_name names[] = {{"views", NULL, CH_VIEWS_VERSION},
						      {"keys", NULL, PMON_PUSH_KEYS_VERSION},
						      {NULL, NULL, 0}};
	const char *at = pmon_ch_sql_schema;
	struct pmon_span statement;

	do
		statement = next_statement(&at);
	while (statement.ptr != NULL && i-- > 0);
	if (statement.ptr != NULL)
		fill(place, statement, names, sql);
	return statement.ptr != NULL;
}

// ---- Places ---------------------------------------------------------------------------------

// The name goes into statements as it is, so it is plain.
static enum pmon_status
take_database(const char *name, char out[CH_NAME_SIZE], struct pmon_err *err)
{
	size_t len = strlen(name);
	bool is_plain = len > 0 && len < CH_NAME_SIZE && !pmon_is_digit(name[0]);

	for (size_t i = 0; is_plain && i < len; i++)
		is_plain = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
				  name[i]) != NULL;
	if (!is_plain)
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"the name of the database may contain only letters, digits and _");
	memcpy(out, name, len + 1);
	return PMON_OK;
}

enum pmon_status
pmon_ch_find_place(const char *text, struct pmon_push_url *url, struct ch_place *place,
		   struct pmon_err *err)
{
	enum pmon_status status = pmon_push_url_parse(text, url, err);

	*place = (struct ch_place){.database = ""};
	if (status != PMON_OK)
		return status;
	if (url->path[0] == '\0')
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the URL has no database; write it as "
				    "clickhouse+http://HOST:8123/DATABASE");
	return take_database(url->path, place->database, err);
}
