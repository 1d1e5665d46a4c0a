-- hours.sql - {head}: stored or counted, the sums of the hours from {from} up to {to} (100 ns since 1970), of all machines or `{where}`; all, or those {unless}
{head} FROM (
SELECT machine, series, toStartOfHour(time) AS hour, countIf(raw_status <> 536870914) AS samples,
 countIf(kind = 'pair') AS pairs, sumIf(toInt128(f.n), kind = 'pair') AS n, sumIf(toInt128(f.d), kind = 'pair') AS d,
 sumKahan(f.x) AS x, sumIf(toInt128(f.n), f.b > 0 AND formula = 'fraction') AS parts,
 sumIf(toInt128(f.b), f.b > 0 AND formula = 'fraction') AS wholes, max(f.wrapped) > 0 AS wrapped,
 min(value) AS lowest, max(value) AS highest, argMaxIf(value, (time, nth), isNotNull(value)) AS last,
 toUInt64({version}) AS version
FROM (
 SELECT f.*, s.formula AS formula,
  multiIf(f.status = 'base_zero', 0., f.status NOT IN ('ok', 'wrapped'), NULL,
   s.formula = 'elapsed', if(f.n = 0, 0., (f.d - f.n) / s.time_base),
   f.kind = 'pair', s.add + s.mul * if(s.is_real, f.x, toFloat64(f.n)) / f.d, NULL) AS value
 FROM {db}.pmon_fact AS f FINAL
 INNER JOIN (SELECT * FROM {db}.pmon_series FINAL) AS s USING (machine, series)
 WHERE f.time >= reinterpret(toInt64({from}), 'DateTime64(7, \'UTC\')')
  AND f.time < reinterpret(toInt64({to}), 'DateTime64(7, \'UTC\')') {where}) AS f
GROUP BY machine, series, hour)
{unless}
