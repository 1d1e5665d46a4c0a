// share.js - the view as one HTML file: the page itself and its data, which opens without pmon
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { mainSet, shown } from "./load.js";
import { knownCounters } from "./state.js";

const COLUMNS = 2000;

async function textOf(name) {
	const answer = await fetch(name, { cache: "no-store" });
	if (!answer.ok) throw new Error(`The server does not have ${name}.`);
	return answer.text();
}

// Every module that main.js needs, by its name.
async function modules() {
	const found = new Map();
	const open = ["main.js"];
	while (open.length > 0) {
		const name = open.pop();
		if (found.has(name)) continue;
		const text = await textOf(name);
		found.set(name, text.replaceAll(/ from "\.\//g, ' from "pmon/').replaceAll(/^\t+|^\/\/.*\n/gm, ""));
		for (const [, other] of text.matchAll(/ from "\.\/([\w.]+)";/g)) open.push(other);
	}
	return found;
}

function base64(text) {
	let bytes = "";
	for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
	return btoa(bytes);
}

// All that the page asks of the server for this view.
async function collect() {
	const ids = knownCounters().map((counter) => counter.series.id);
	const { from, to } = shown.data;
	const [data, marks, findings] = await Promise.all([
		ask("data", { set: 0, ids, from, to, columns: COLUMNS }),
		ask("marks", { set: 0, ids, from, to }),
		ask("findings", { set: 0 }),
	]);
	const log = mainSet();
	const set = { ...log, live: false, state: "complete", fraction: 1, first_time: from, last_time: to };
	const known = new Set(ids);
	findings.episodes = findings.episodes
		.filter(({ id }) => known.has(id))
		.map((one) => ({ ...one, who: one.who.filter((busy) => known.has(busy.id)) }));
	return {
		hash: location.hash,
		log: { version: 1, program: "pmon", sets: [set] },
		series: knownCounters().map((counter) => counter.series),
		data,
		marks,
		findings,
	};
}

// In a script element nothing may look like the end of it.
const inScript = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

const POLICY =
	"default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; " +
	"base-uri 'none'; form-action 'none'";

export async function sharedFile() {
	const parts = [textOf("index.html"), textOf("style.css"), modules(), collect()];
	const [html, css, code, data] = await Promise.all(parts);
	const imports = {};
	for (const [name, text] of code) imports[`pmon/${name}`] = `data:text/javascript;base64,${base64(text)}`;
	const head =
		`\t<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n\t<style>${css}</style>\n` +
		`\t<script type="application/json" id="shared">${inScript(data)}</script>\n` +
		`\t<script type="importmap">${JSON.stringify({ imports })}</script>\n` +
		`\t<script type="module">import "pmon/main.js";</script>\n</head>`;
	const page = html.replace(/\t<(link|script)[^>]*>(<\/script>)?\n/g, "").replace("</head>", () => head);
	return new Blob([page], { type: "text/html" });
}
