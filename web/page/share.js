// share.js - save the view as one HTML file with page and data, which opens without pmon
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { $ } from "./dom.js";
import { mainSet, shown } from "./load.js";
import { withoutNow } from "./usual.js";
import { redacted, redactedHash, redaction } from "./redact.js";
import { knownCounters } from "./state.js";

const COLUMNS = 2000;

const COMMENTS = /^\t*\/\/.*\n|^\t+|^\n/gm;

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
		found.set(name, text.replaceAll(/ from "\.\//g, ' from "pmon/').replaceAll(COMMENTS, ""));
		for (const [, other] of text.matchAll(/ from "\.\/([\w.]+)";/g)) open.push(other);
	}
	return found;
}

// The address of a module. What else an address cannot have, browsers encode.
const addressOf = (text) =>
	"data:text/javascript;charset=utf-8," + text.replace(/[%#\n\r\t]/g, (letter) => encodeURIComponent(letter));

// The incidents, with the counters that the file has.
function knownOf(answer, known) {
	const isKnown = ({ id }) => known.has(id);
	const cut = (one) => ({ ...one, evidence: one.evidence.filter(isKnown), who: one.who.filter(isKnown) });
	return { ...answer, incidents: answer.incidents.map(cut) };
}

// All requests of the page for this view.
async function collect() {
	const ids = knownCounters().map((counter) => counter.series.id);
	const { from, to } = shown.data;
	const [data, marks, findings, incidents, usual] = await Promise.all([
		ask("data", { set: 0, ids, from, to, columns: COLUMNS }),
		ask("marks", { set: 0, ids, from, to }),
		ask("findings", { set: 0 }),
		ask("incidents", { set: 0 }),
		ask("usual", { set: 0, ids, without: withoutNow() }),
	]);
	const log = mainSet();
	const set = { ...log, live: false, state: "complete", fraction: 1, first_time: from, last_time: to };
	const known = new Set(ids);
	findings.episodes = findings.episodes
		.filter(({ id }) => known.has(id))
		.map((one) => ({
			...one,
			who: one.who.filter((_, i) => known.has(one.who_ids[i])),
			who_ids: one.who_ids.filter((id) => known.has(id)),
		}));
	return {
		hash: location.hash,
		log: { version: 1, program: "pmon", sets: [set] },
		series: knownCounters().map((counter) => counter.series),
		data,
		marks,
		usual,
		findings,
		incidents: knownOf(incidents, known),
	};
}

// A script element must not contain its own end tag.
const inScript = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

const POLICY =
	"default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; " +
	"base-uri 'none'; form-action 'none'";

// Whether the switch in Share is on.
export const isRedacting = () => $("redact").checked;

// What is replaced now: nothing, unless the switch is on.
export function redactionNow(list) {
	return isRedacting() ? redaction(mainSet(), list) : (text) => text;
}

// All of it with the names replaced that the switch in Share replaces; the name of the file too.
function forOthers(data) {
	const redact = redactionNow(data.series);
	const { hash, ...rest } = redacted({ ...data, hash: "" }, redact);
	return { ...rest, hash: redactedHash(data.hash, redact) || hash };
}

export async function sharedFile() {
	const parts = [textOf("index.html"), textOf("style.css"), modules(), collect()];
	const [html, css, code, all] = await Promise.all(parts);
	const data = forOthers(all);
	const packed = css.replaceAll(/\/\*.*?\*\/|^\t+|^\n/gms, "");
	const imports = {};
	for (const [name, text] of code) imports[`pmon/${name}`] = addressOf(text);
	const head =
		`\t<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n\t<style>${packed}</style>\n` +
		`\t<script type="application/json" id="shared">${inScript(data)}</script>\n` +
		`\t<script type="importmap">${inScript({ imports })}</script>\n` +
		`\t<script type="module">import "pmon/main.js";</script>\n</head>`;
	const page = html.replace(/\t<(link|script)[^>]*>(<\/script>)?\n/g, "").replace("</head>", () => head);
	return new Blob([page], { type: "text/html" });
}
