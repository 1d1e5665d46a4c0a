// chdb_server.cjs - a current ClickHouse over HTTP: node chdb_server.cjs PORT FOLDER
// SPDX-License-Identifier: MIT
//
// npm's chdb is the engine without its server. This answers what pmon push and the tests ask: a statement
// in the body, rows in the body of an INSERT in the query, or rows in a form for a question in the query.

"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { Session } = require("chdb");

const [port, folder] = process.argv.slice(2);
const session = new Session(path.join(folder, "data"));
// Compiling an expression takes more than the little that tests store.
for (const what of ["expressions", "aggregate_expressions", "sort_description"])
	session.query(`SET compile_${what} = 0`);

// The file of a form with one file.
function formFile(body) {
	const head = body.indexOf("\r\n\r\n");
	return body.subarray(head + 4, body.lastIndexOf("\r\n--"));
}

function run(url, body, coding = "none") {
	const parameters = new URL(url, "http://localhost").searchParams;
	const query = parameters.get("query");
	for (const [name, value] of parameters)
		if (name.startsWith("max_"))
			session.query(`SET ${name} = ${value}`);
	if (query === null)
		return body.length > 0 ? session.query(body.toString(), "TabSeparated") : "Ok.\n";
	const file = path.join(folder, "rows");
	const structure = parameters.get("sent_structure");
	fs.writeFileSync(file, structure === null ? body : formFile(body));
	const sql = structure === null
		? query.replace(" FORMAT ", ` FROM INFILE '${file}' COMPRESSION '${coding}' FORMAT `)
		: query.replaceAll("FROM sent", `FROM file('${file}', RowBinary, '${structure}')`);
	return session.query(sql, "TabSeparated");
}

http.createServer((request, response) => {
	const parts = [];
	request.on("data", (part) => parts.push(part));
	request.on("end", () => {
		try {
			const answer = run(request.url, Buffer.concat(parts), request.headers["content-encoding"]);
			response.writeHead(200).end(answer);
		} catch (error) {
			const code = /Code: (\d+)/.exec(error.message)?.[1] ?? error.clickhouseCode;
			response.writeHead(500).end(`Code: ${code}, ${error.message}\n`);
		}
	});
}).listen(Number(port), "127.0.0.1");
