// whole.js - the page as one file: its style, its modules, and the data that it shows
// SPDX-License-Identifier: MIT
//
// In pmon.html, which is one file already, web/alone/whole.js takes the place of this one.

const COMMENTS = /^\t*\/\/.*\n|^\t+|^\n/gm;

const POLICY =
	"default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; " +
	"base-uri 'none'; form-action 'none'";

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

// A script element must not contain its own end tag.
const inScript = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

// The text of the file.
export async function pageWith(data) {
	const [html, css, code] = await Promise.all([textOf("index.html"), textOf("style.css"), modules()]);
	const packed = css.replaceAll(/\/\*.*?\*\/|^\t+|^\n/gms, "");
	const imports = {};
	for (const [name, text] of code) imports[`pmon/${name}`] = addressOf(text);
	const head =
		`\t<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n\t<style>${packed}</style>\n` +
		`\t<script type="application/json" id="shared">${inScript(data)}</script>\n` +
		`\t<script type="importmap">${inScript({ imports })}</script>\n` +
		`\t<script type="module">import "pmon/main.js";</script>\n</head>`;
	return html.replace(/\t<(link|script)[^>]*>(<\/script>)?\n/g, "").replace("</head>", () => head);
}
