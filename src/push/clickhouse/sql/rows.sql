-- rows.sql - the rows of some series of {machine} up to {to}, from a start at or before {from} on
SELECT toString(series), reinterpretAsInt64(time), nth, n, d, b, reinterpretAsInt64(x), span, lag, multi, raw_status,
 owner, owner_start, owner_known, wrapped, toInt8(kind), toInt8(status)
FROM {db}.pmon_fact FINAL
WHERE machine = {machine} AND series IN ({series})
 AND time <= reinterpret(toInt64({to}), 'DateTime64(7, \'UTC\')')
 AND time >= (SELECT min(since) FROM (
  SELECT series, max(time) AS since FROM {db}.pmon_fact FINAL
  WHERE machine = {machine} AND series IN ({series}) AND kind = 'start'
   AND time <= reinterpret(toInt64({from}), 'DateTime64(7, \'UTC\')') GROUP BY series))
ORDER BY series, time, nth
