// sql.h - the statements of sql/*.sql, which the build embeds in a C source (cmake/sql.cmake)
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_SQLITE_SQL_H
#define PMON_FORMAT_SQLITE_SQL_H

extern const char pmon_sqlite_sql_tables[];
extern const char pmon_sqlite_sql_machines[];
extern const char pmon_sqlite_sql_key_index[];
extern const char pmon_sqlite_sql_live_indexes[];
extern const char pmon_sqlite_sql_drop_indexes[];

extern const char pmon_sqlite_sql_counters[];
extern const char pmon_sqlite_sql_counters_pdh[];
extern const char pmon_sqlite_sql_rows_cut[];
extern const char pmon_sqlite_sql_rows_pdh[];

extern const char pmon_sqlite_sql_old_values[];
extern const char pmon_sqlite_sql_old_series[];
extern const char pmon_sqlite_sql_old_instances[];

#endif
