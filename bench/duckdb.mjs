// duckdb.mjs - the statistics of all columns of a text log by DuckDB: duckdb.mjs FILE COLUMNS THREADS
// SPDX-License-Identifier: MIT
//
// Prints the seconds that the query took, then average, minimum and maximum of each column.

import { DuckDBInstance } from "@duckdb/node-api";

const [file, columns, threads] = process.argv.slice(2);
const types = ["'t': 'VARCHAR'"];

for (let i = 1; i <= Number(columns); i++)
	types.push(`'c${i}': 'DOUBLE'`);

const instance = await DuckDBInstance.create(":memory:", { threads });
const connection = await instance.connect();
const table = `read_csv('${file.replaceAll("'", "''")}', header = false, skip = 1, quote = '"',
	columns = {${types.join(", ")}}, nullstr = [' ', ''])`;
const all = (name) => `${name}(COLUMNS(* EXCLUDE t))`;
const start = process.hrtime.bigint();
const result = await connection.runAndReadAll(
	`SELECT ${all("avg")}, ${all("min")}, ${all("max")} FROM ${table}`);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
const row = result.getRows()[0];
const n = Number(columns);

console.log(seconds.toFixed(4));
for (let i = 0; i < n; i++)
	console.log(row[i], row[n + i], row[2 * n + i]);
