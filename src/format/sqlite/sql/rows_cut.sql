-- In a file that was cut the indexes are lost, and pmon_sample may be lost too: the values alone give most of it, and
-- those before the cut are in order as well.
SELECT d.Sample, 0, d.Sample - 1, d.Time100ns, NULL, 0, d.CounterID, d.FirstValueA, d.FirstValueB, d.SecondValueA,
 d.SecondValueB, d.MultiCount, d.Status, d.Time100ns, NULL
FROM CounterData AS d NOT INDEXED ORDER BY d.rowid
