// chdb_server.cjs - a current ClickHouse over HTTP: node chdb_server.cjs PORT FOLDER
// SPDX-License-Identifier: MIT
//
// npm's chdb is the engine without its server. This answers what pmon push and the tests ask: a statement
// in the body, or rows in the body of a statement in the query.

"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { Session } = require("chdb");

const [port, folder] = process.argv.slice(2);
const session = new Session(path.join(folder, "data"));

function run(url, body) {
	const insert = new URL(url, "http://localhost").searchParams.get("query");
	if (insert === null)
		return body.length > 0 ? session.query(body.toString(), "TabSeparated") : "Ok.\n";
	const file = path.join(folder, "rows");
	fs.writeFileSync(file, body);
	return session.query(insert.replace(" FORMAT ", ` FROM INFILE '${file}' FORMAT `), "TabSeparated");
}

http.createServer((request, response) => {
	const parts = [];
	request.on("data", (part) => parts.push(part));
	request.on("end", () => {
		try {
			const answer = run(request.url, Buffer.concat(parts));
			response.writeHead(200).end(answer);
		} catch (error) {
			response.writeHead(500).end(`Code: ${error.clickhouseCode}, ${error.message}\n`);
		}
	});
}).listen(Number(port), "127.0.0.1");
