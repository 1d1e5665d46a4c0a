// arrow_rows.mjs - the rows of an Arrow file or stream as JSON lines, and its schema, as apache-arrow reads them
// SPDX-License-Identifier: MIT
//
//	node arrow_rows.mjs MODULES FILE EVERY
//
// Each EVERY-th row of a batch, from its first one on. Integers and times are texts, so that nothing is rounded here; times are nanoseconds since 1970.

import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, name, every] = process.argv.slice(2);
const { RecordBatchReader, Table } = await import(pathToFileURL(path.join(modules, "apache-arrow/Arrow.node.mjs")).href);

const reader = RecordBatchReader.from(readFileSync(name));
reader.open({ autoDestroy: false });
const { schema } = reader;
const isFile = reader.isFile();
const batches = [...reader];
const fields = schema.fields.map(({ name, nullable, type }) => ({ name, nullable, type: String(type) }));
const sizes = batches.map((batch) => batch.numRows);
const metadata = Object.fromEntries(schema.metadata);
process.stdout.write(JSON.stringify({ isFile, fields, sizes, metadata }) + "\n");

// The values themselves: apache-arrow makes milliseconds of times.
function cells(vector) {
	const out = [];
	for (const data of vector.data) {
		const isBig = data.values instanceof BigInt64Array;
		for (let i = 0; i < data.length; i += +every) {
			if (!data.getValid(i)) out.push(null);
			else if (data.dictionary) out.push(data.dictionary.get(data.values[i]));
			else out.push(isBig ? String(data.values[i]) : data.values[i]);
		}
	}
	return out;
}

for (const batch of batches) {
	const table = new Table([batch]);
	const columns = fields.map(({ name }) => [name, cells(table.getChild(name))]);
	for (let i = 0; i < columns[0][1].length; i++)
		process.stdout.write(JSON.stringify(Object.fromEntries(columns.map(([name, list]) => [name, list[i]]))) + "\n");
}
