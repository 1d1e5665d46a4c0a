-- rows.sql - the rows of some series up to {to}, from a start at or before {from} on
SELECT f.series, time, nth, n, d, b, span, lag, multi, raw_status, owner, owner_start, owner_known, wrapped,
 array_position(enum_range(NULL::pmon_kind), kind) - 1, array_position(enum_range(NULL::pmon_status), status) - 1
FROM unnest(ARRAY[{series}]) AS c (series) JOIN pmon_fact AS f ON f.series = c.series
WHERE time <= {to} AND time >= (SELECT max(time) FROM pmon_fact AS l WHERE l.series = c.series AND l.kind = 'start'
 AND l.time <= {from})
ORDER BY f.series, time, nth
