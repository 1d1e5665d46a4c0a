-- tails.sql - the newest raw value of the series with first rows, and whether a row is between the two
SELECT i.at, t.time, t.first, t.second, t.multi, t.raw_status, t.owner, t.owner_start, t.owner_known,
 EXISTS (SELECT FROM pmon_fact AS f WHERE f.series = t.series AND f.time > t.time AND f.time < i.time
  AND f.kind <> 'none')::integer
FROM pmon_in_first AS i JOIN pmon_in_id AS id ON id.number = i.number JOIN pmon_tail AS t ON t.series = id.id
