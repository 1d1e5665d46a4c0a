-- compare.sql - {head}: counted or stored, the rows of `sent` by how they differ from those that are stored
{head}
FROM (
 SELECT s.*, f.is_there AS is_there,
  f.is_there = 1 AND s.kind = f.kind AND s.span = f.span AND (s.n, s.d, s.b, s.x) <> (f.n, f.d, f.b, f.x) AS is_different,
  f.is_there = 1 AND s.version > f.version AS is_newer
 FROM (SELECT * FROM sent) AS s
 LEFT JOIN (
  SELECT machine, series, time, nth, n, d, b, x, span, version, toInt8(kind) AS kind, 1 AS is_there
  FROM {db}.pmon_fact FINAL
  WHERE (machine, series, time) IN (SELECT machine, series, time FROM sent)) AS f USING (machine, series, time, nth))
{where}
