-- The rows of a database of PDH.
SELECT d.Id, d.RecordIndex, NULL, NULL, NULL, NULL, d.CounterID, d.FirstValueA, d.FirstValueB, d.SecondValueA,
 d.SecondValueB, d.MultiCount, NULL, d.Moment,
 min(replace(d.Moment, '/', '-')) OVER (PARTITION BY d.Id, d.RecordIndex) AS t
FROM (SELECT substr(GUID, 1, 65) AS Id, substr(CounterDateTime, 1, 33) AS Moment, RecordIndex, CounterID, FirstValueA,
  FirstValueB, SecondValueA, SecondValueB, MultiCount FROM CounterData) AS d
ORDER BY t, d.Id, d.RecordIndex, d.CounterID
