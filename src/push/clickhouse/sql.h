// sql.h - the files sql/*.sql as texts, made by cmake/sql.cmake; pmon_ch_put_sql() fills in their placeholders
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_CLICKHOUSE_SQL_H
#define PMON_PUSH_CLICKHOUSE_SQL_H

extern const char pmon_ch_sql_schema[];
extern const char pmon_ch_sql_hours[];
extern const char pmon_ch_sql_tails[];
extern const char pmon_ch_sql_compare[];
extern const char pmon_ch_sql_known[];
extern const char pmon_ch_sql_unsettled[];
extern const char pmon_ch_sql_rows[];

#endif
