-- known.sql - one row if some are stored from {from} to {to} (100 ns since 1970) of the machines of `{where}`
SELECT 1 FROM {db}.pmon_fact AS f
WHERE f.time >= reinterpret(toInt64({from}), 'DateTime64(7, \'UTC\')')
 AND f.time <= reinterpret(toInt64({to}), 'DateTime64(7, \'UTC\')') {where}
LIMIT 1
