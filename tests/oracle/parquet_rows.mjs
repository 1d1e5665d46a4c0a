// parquet_rows.mjs - the rows of a Parquet file as JSON lines, and its metadata, as hyparquet reads them
// SPDX-License-Identifier: MIT
//
//	node parquet_rows.mjs MODULES FILE
//
// Integers and times are texts, so that nothing is rounded here; times are nanoseconds since 1970.

import { open, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, name] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(modules, file)).href);
const { parquetMetadataAsync, parquetReadObjects } = await load("hyparquet/src/index.js");
const { compressors } = await load("hyparquet-compressors/src/index.js");

const handle = await open(name);
const file = {
	byteLength: (await stat(name)).size,
	async slice(begin, end = this.byteLength) {
		const bytes = new Uint8Array(end - begin);
		await handle.read(bytes, 0, bytes.length, begin);
		return bytes.buffer;
	},
};
const parsers = {
	timestampFromNanoseconds: (nanoseconds) => nanoseconds,
	stringFromBytes: (bytes) => bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes),
};
const asText = (_, value) => (typeof value === "bigint" ? value.toString() : value);
const metadata = await parquetMetadataAsync(file, { parsers });

process.stdout.write(JSON.stringify(metadata, asText) + "\n");
let begin = 0;
for (const group of metadata.row_groups) {
	const end = begin + Number(group.num_rows);
	const rows = await parquetReadObjects({ file, metadata, compressors, parsers, rowStart: begin, rowEnd: end });
	for (const row of rows)
		process.stdout.write(JSON.stringify(row, asText) + "\n");
	begin = end;
}
await handle.close();
