-- schema.sql - the tables and views: one statement after the other, each of which can be run again
-- {db} is the database. include/pmon/increments.h says what n, d, b, x, add and mul are.

CREATE DATABASE IF NOT EXISTS {db};

-- A counter of a machine, and the constants of its averages.
CREATE TABLE IF NOT EXISTS {db}.pmon_series (
 machine LowCardinality(String),
 series UUID,
 host LowCardinality(String), -- the machine as the log writes it
 identity String, -- two of one key both stay, so that it is noticed
 object String,
 parent String,
 instance String,
 has_instance UInt8,
 instance_index Int32,
 counter String,
 path String,
 type UInt32,
 type_name LowCardinality(String),
 formula LowCardinality(String),
 unit LowCardinality(String),
 time_base Int64,
 scale Int32,
 size UInt8,
 duplicate UInt32,
 add Float64,
 mul Float64,
 is_real UInt8, -- the operand is x
 by_base UInt8, -- divided by a base, not by a clock
 has_average UInt8,
 labels Map(LowCardinality(String), String)) -- of the machine, as --label gave them
ENGINE = ReplacingMergeTree() ORDER BY (machine, series, identity);

-- A raw value as what its interval adds to an average.
CREATE TABLE IF NOT EXISTS {db}.pmon_fact (
 machine LowCardinality(String),
 series UUID,
 time DateTime64(7, 'UTC') CODEC(Delta, T64, ZSTD(1)),
 nth UInt32 CODEC(T64, ZSTD(1)), -- of the samples of this time
 n Int64 CODEC(T64, ZSTD(1)),
 d Int64 CODEC(T64, ZSTD(1)),
 b Int64 CODEC(T64, ZSTD(1)),
 x Float64 CODEC(ZSTD(1)),
 span Int64 CODEC(T64, ZSTD(1)), -- since the raw value before it in its log, 100 ns; 0: it is the first
 lag Int64 CODEC(T64, ZSTD(1)), -- from the time of the sample to that of the raw value, 100 ns
 multi UInt32 CODEC(T64, ZSTD(1)),
 raw_status UInt32 CODEC(T64, ZSTD(1)),
 owner Int64 CODEC(ZSTD(1)), -- process ID * 2^32 + thread ID, or the process ID
 owner_start Int64 CODEC(ZSTD(1)), -- 100 ns since 1601
 owner_known UInt8 CODEC(ZSTD(1)), -- a sum: 1 the process, 2 the thread, 4 the start
 wrapped UInt8 CODEC(T64, ZSTD(1)),
 kind Enum8('none' = 0, 'start' = 1, 'pair' = 2) CODEC(ZSTD(1)),
 status Enum8('ok' = 0, 'wrapped' = 1, 'base_zero' = 2, 'clamped' = 3, 'first_sample' = 4, 'no_data' = 5,
  'counter_went_back' = 6, 'clock_went_back' = 7, 'base_went_back' = 8, 'below_zero' = 9, 'bad_time_base' = 10,
  'bad_raw_status' = 11, 'not_finite' = 12, 'not_displayed' = 13, 'unknown_type' = 14, 'instance_changed' = 15,
  'clock_stepped' = 16) CODEC(ZSTD(1)),
 version UInt64 CODEC(T64, ZSTD(1))) -- the largest of a key counts
ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(time) ORDER BY (machine, series, time, nth)
SETTINGS index_granularity = 1024;

-- The newest raw value of a series, which the first one of the next log makes a pair with.
CREATE TABLE IF NOT EXISTS {db}.pmon_tail (
 machine LowCardinality(String),
 series UUID,
 time DateTime64(7, 'UTC'),
 nth UInt32,
 first Int64,
 second Int64,
 multi UInt32,
 raw_status UInt32,
 owner Int64,
 owner_start Int64,
 owner_known UInt8)
ENGINE = ReplacingMergeTree(time) ORDER BY (machine, series);

-- Sums of the rows of whole hours.
CREATE TABLE IF NOT EXISTS {db}.pmon_hour (
 machine LowCardinality(String),
 series UUID,
 hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
 samples UInt64 CODEC(T64, ZSTD(1)),
 pairs UInt64 CODEC(T64, ZSTD(1)),
 n Int128 CODEC(ZSTD(1)),
 d Int128 CODEC(ZSTD(1)),
 x Float64 CODEC(ZSTD(1)),
 parts Int128 CODEC(ZSTD(1)),
 wholes Int128 CODEC(ZSTD(1)),
 wrapped UInt8 CODEC(ZSTD(1)),
 lowest Nullable(Float64) CODEC(ZSTD(1)),
 highest Nullable(Float64) CODEC(ZSTD(1)),
 last Nullable(Float64) CODEC(ZSTD(1)),
 version UInt64 CODEC(T64, ZSTD(1)))
ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(hour) ORDER BY (machine, series, hour);

CREATE TABLE IF NOT EXISTS {db}.pmon_push (
 log String, -- digest of its first sample
 batch String, -- digest of its rows
 name String,
 rows UInt64,
 time_from DateTime64(7, 'UTC'),
 time_to DateTime64(7, 'UTC'),
 stored DateTime DEFAULT now())
ENGINE = ReplacingMergeTree() ORDER BY (log, batch);

CREATE TABLE IF NOT EXISTS {db}.pmon_machine (
 name String,
 id String,
 accepted UInt8, -- by the user, in addition to the first one
 since DateTime DEFAULT now())
ENGINE = ReplacingMergeTree() ORDER BY (name, id, accepted);

-- Displayed values.
CREATE OR REPLACE VIEW {db}.pmon_value AS
SELECT machine, series, time, nth, s.path AS path, s.object AS object, s.instance AS instance,
 s.counter AS counter, s.unit AS unit, f.status AS status,
 multiIf(f.status = 'base_zero', 0., f.status NOT IN ('ok', 'wrapped'), NULL,
  s.formula = 'elapsed', if(f.n = 0, 0., (f.d - f.n) / s.time_base),
  f.kind = 'pair', s.add + s.mul * if(s.is_real, f.x, toFloat64(f.n)) / f.d, NULL) AS value
FROM {db}.pmon_fact AS f FINAL
INNER JOIN (SELECT * FROM {db}.pmon_series FINAL) AS s USING (machine, series)
WHERE f.raw_status <> 536870914;

-- Averages over a time, whose ends belong to it: SELECT * FROM pmon_average(begin = '2026-11-01', end = '2026-12-01').
CREATE OR REPLACE VIEW {db}.pmon_average AS
SELECT s.machine AS machine, series, s.path AS path, s.object AS object, s.instance AS instance, s.counter AS counter,
 s.unit AS unit, samples, pairs,
 multiIf(s.formula = 'elapsed', if(ages = 0, NULL, last / s.time_base), pairs = 0 OR NOT s.has_average, NULL,
  d = 0, if(s.by_base, 0., NULL), s.formula IN ('percent_inv', 'multi_inv') AND mean < 0, NULL, mean) AS average,
 s.add + s.mul * if(s.is_real, x, toFloat64(n)) / toFloat64(d) AS mean
FROM (
 SELECT series, countIf(raw_status <> 536870914) AS samples, countIf(kind = 'pair') AS pairs,
  sumIf(toInt128(f.n), kind = 'pair') AS n, sumIf(toInt128(f.d), kind = 'pair') AS d, sumKahan(f.x) AS x,
  countIf(kind = 'none' AND status = 'ok') AS ages,
  argMaxIf(if(f.n = 0, 0, f.d - f.n), (time, nth), kind = 'none' AND status = 'ok') AS last
 FROM {db}.pmon_fact AS f FINAL
 WHERE time >= {begin:DateTime64(7, 'UTC')} AND time <= {end:DateTime64(7, 'UTC')}
 GROUP BY series) AS sums
INNER JOIN (SELECT * FROM {db}.pmon_series FINAL) AS s USING (series);

-- Averages of whole hours.
CREATE OR REPLACE VIEW {db}.pmon_hour_average AS
SELECT machine, series, hour, s.path AS path, s.object AS object, s.instance AS instance, s.counter AS counter,
 s.unit AS unit, h.samples AS samples, h.pairs AS pairs, h.lowest AS lowest, h.highest AS highest,
 multiIf(s.formula = 'elapsed', h.last, h.pairs = 0 OR NOT s.has_average, NULL, h.d = 0, if(s.by_base, 0., NULL),
  s.formula IN ('percent_inv', 'multi_inv') AND mean < 0, NULL, mean) AS average,
 s.add + s.mul * if(s.is_real, h.x, toFloat64(h.n)) / toFloat64(h.d) AS mean
FROM {db}.pmon_hour AS h FINAL
INNER JOIN (SELECT * FROM {db}.pmon_series FINAL) AS s USING (machine, series);

CREATE OR REPLACE VIEW {db}.pmon_version AS
SELECT {views} AS views, {keys} AS keys;
