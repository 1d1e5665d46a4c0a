-- unsettled.sql - series with rows whose interval does not begin at the row before them, from {from} up to {to}
SELECT machine, toString(series), s.type, s.time_base, s.size, min(f.since), max(f.at)
FROM (
 SELECT machine, series, reinterpretAsInt64(time) AS at, span, kind, raw_status,
  lagInFrame(toNullable(reinterpretAsInt64(time)), 1, NULL) OVER (PARTITION BY machine, series ORDER BY time, nth
   ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before,
  least(assumeNotNull(before), at - span) AS since
 FROM {db}.pmon_fact FINAL
 WHERE kind <> 'none' AND time >= reinterpret(toInt64({from} - 27648000000000), 'DateTime64(7, \'UTC\')')
  AND time < reinterpret(toInt64({to}), 'DateTime64(7, \'UTC\')')
  AND (machine, series) IN (SELECT machine, series FROM {db}.pmon_series
   WHERE formula NOT IN ('none', 'count', 'double', 'fraction', 'elapsed'))) AS f
INNER JOIN (SELECT * FROM {db}.pmon_series FINAL) AS s USING (machine, series)
WHERE f.at >= {from} AND isNotNull(f.before) AND f.raw_status <> 536870914
 AND (f.at - f.span <> f.before OR f.kind = 'start' AND f.span = 0)
GROUP BY machine, series, s.type, s.time_base, s.size
ORDER BY machine, series
