-- hours.sql - the sums of the hours from {from} up to {to}, of all series or {where}
SELECT f.series, f.time - f.time % 36000000000 AS hour,
 count(*) FILTER (WHERE f.raw_status IS DISTINCT FROM 536870914) AS samples, count(*) FILTER (WHERE f.kind = 'pair') AS pairs,
 coalesce(sum(f.n) FILTER (WHERE f.kind = 'pair'), 0) AS n, coalesce(sum(f.d) FILTER (WHERE f.kind = 'pair'), 0) AS d,
 coalesce(sum(f.x::text::numeric), 0)::float8 AS x,
 coalesce(sum(f.n) FILTER (WHERE f.b > 0 AND s.formula = 'fraction'), 0) AS parts,
 coalesce(sum(f.b) FILTER (WHERE f.b > 0 AND s.formula = 'fraction'), 0) AS wholes,
 coalesce(max(f.wrapped), 0) > 0 AS wrapped, min(v.value) AS lowest, max(v.value) AS highest,
 CASE WHEN s.formula = 'elapsed' THEN (array_agg(v.value ORDER BY f.time DESC, f.nth DESC)
  FILTER (WHERE s.formula = 'elapsed' AND v.value IS NOT NULL))[1] END AS last
FROM pmon_fact AS f JOIN pmon_series AS s ON s.series = f.series
CROSS JOIN LATERAL (SELECT CASE WHEN f.kind = 'pair' AND f.status IN ('ok', 'wrapped')
  THEN s.add + s.mul * CASE WHEN s.is_real THEN f.x ELSE f.n END / f.d
 WHEN f.status = 'base_zero' THEN 0
 WHEN s.formula = 'elapsed' AND f.status = 'ok'
  THEN CASE WHEN f.n = 0 THEN 0 ELSE (f.d::numeric - f.n)::float8 / s.time_base END END AS value) AS v
WHERE f.time >= {from} AND f.time < {to} {where}
GROUP BY s.series, f.series, hour ORDER BY 1, 2
