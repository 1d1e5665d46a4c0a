-- compare.sql - count the rows that were sent and are missing, and those that differ from the stored ones from {from} to {to}
-- A row that was repaired has another interval than the one that was sent, so it is compared if it has the same.
SELECT count(*) FILTER (WHERE f.series IS NULL), count(*) FILTER (WHERE f.kind = i.kind AND f.span = i.span
 AND (f.n, f.d, f.b, f.x) IS DISTINCT FROM (i.n, i.d, i.b, i.x))
FROM pmon_in_fact AS i LEFT JOIN pmon_in_id AS id ON id.number = i.series
LEFT JOIN pmon_fact AS f ON f.series = id.id AND f.time = i.time AND f.nth = i.nth AND f.time BETWEEN {from} AND {to}
