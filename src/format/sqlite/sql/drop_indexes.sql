DROP INDEX CounterData_key;
DROP INDEX CounterData_sample;
DROP INDEX pmon_series_path;
