// sql.h - the files sql/*.sql as texts, made by cmake/sql.cmake; pmon_push_fill() fills in their placeholders
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_POSTGRES_SQL_H
#define PMON_PUSH_POSTGRES_SQL_H

extern const char pmon_pg_sql_schema[];
extern const char pmon_pg_sql_session[];
extern const char pmon_pg_sql_series[];
extern const char pmon_pg_sql_insert[];
extern const char pmon_pg_sql_compare[];
extern const char pmon_pg_sql_newer[];
extern const char pmon_pg_sql_tails[];
extern const char pmon_pg_sql_store_tails[];
extern const char pmon_pg_sql_hours[];
extern const char pmon_pg_sql_sum[];
extern const char pmon_pg_sql_sum_dry[];
extern const char pmon_pg_sql_unsettled[];
extern const char pmon_pg_sql_rows[];
extern const char pmon_pg_sql_repair[];
extern const char pmon_pg_sql_days[];

#endif
