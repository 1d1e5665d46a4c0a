-- days.sql - the days since 1601 that there are rows of, from {from} up to {to}
SELECT DISTINCT time / 864000000000 AS day FROM pmon_fact WHERE time >= {from} AND time < {to} ORDER BY day
