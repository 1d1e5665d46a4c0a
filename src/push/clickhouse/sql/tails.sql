-- tails.sql - the newest raw value of the series in `sent`, and whether a row is between it and the first one sent
SELECT toString(t.series), reinterpretAsInt64(t.time), t.first, t.second, t.multi, t.raw_status, t.owner, t.owner_start,
 t.owner_known,
 (t.machine, t.series) IN (
  SELECT f.machine, f.series FROM {db}.pmon_fact AS f
  INNER JOIN (SELECT * FROM sent) AS s ON s.machine = f.machine AND s.series = f.series
  INNER JOIN (SELECT * FROM {db}.pmon_tail FINAL) AS l ON l.machine = f.machine AND l.series = f.series
  WHERE (f.machine, f.series) IN (SELECT machine, series FROM sent)
   AND f.time > (SELECT min(time) FROM {db}.pmon_tail FINAL
    WHERE (machine, series) IN (SELECT machine, series FROM sent))
   AND f.time < (SELECT max(time) FROM sent) AND f.time > l.time AND f.time < s.time AND f.kind <> 'none')
FROM (SELECT * FROM {db}.pmon_tail FINAL) AS t
WHERE (machine, series) IN (SELECT machine, series FROM sent)
