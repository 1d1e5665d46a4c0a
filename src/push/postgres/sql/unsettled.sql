-- unsettled.sql - series with rows whose interval does not begin at the row before them, from {from} up to {to}
SELECT f.series, s.type, s.time_base, s.size, min(least(f.before, f.time - f.span)), max(f.time)
FROM (
 SELECT series, time, span, kind, raw_status, lag(time) OVER (PARTITION BY series ORDER BY time, nth) AS before
 FROM pmon_fact
 WHERE kind <> 'none' AND time >= {from} - 27648000000000 AND time < {to} AND series IN (SELECT series FROM pmon_series
  WHERE formula NOT IN ('none', 'count', 'double', 'fraction', 'elapsed'))) AS f
JOIN pmon_series AS s ON s.series = f.series
WHERE f.time >= {from} AND f.before IS NOT NULL AND f.raw_status IS DISTINCT FROM 536870914
 AND (f.time - f.span <> f.before OR f.kind = 'start' AND f.span = 0)
GROUP BY f.series, s.series ORDER BY f.series
