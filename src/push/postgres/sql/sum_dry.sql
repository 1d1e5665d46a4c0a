-- sum_dry.sql - what sum.sql would store
SELECT count(*), count(DISTINCT c.series), coalesce(sum(c.samples), 0),
 coalesce(bit_or(1 << (c.hour / 36000000000 % 24)::integer), 0)
FROM ({hours}) AS c LEFT JOIN pmon_hour AS h ON h.series = c.series AND h.hour = c.hour
WHERE {again} OR (h.samples, h.pairs, h.n, h.d, h.x, h.parts, h.wholes, h.lowest, h.highest, h.last) IS DISTINCT FROM
 (c.samples, c.pairs, c.n, c.d, c.x, c.parts, c.wholes, c.lowest, c.highest, c.last)
