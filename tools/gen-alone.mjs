#!/usr/bin/env node
// gen-alone.mjs - make pmon.html: the page of pmon view and pmon-view.wasm in one file
// SPDX-License-Identifier: MIT
//
//	tools/gen-alone.mjs MODULE LICENCES FOLDER OUTPUT		FOLDER is for temporary files
//
// A file of web/alone takes the place of that of its name in web/page. esbuild joins the modules; the page may run only
// this script, by its hash. The licences of the libraries in the module are in the file too. tools/wasm calls this.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [module, licences, folder, output] = process.argv.slice(2);
const source = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");

function joined(name, ...options) {
	const words = [join(folder, name), "--bundle", "--minify", "--target=es2022", "--charset=utf8", ...options];
	return execFileSync("esbuild", words, {
		encoding: "utf8",
		maxBuffer: 1 << 26,
		stdio: ["ignore", "pipe", "inherit"],
	});
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const part of ["page", "alone"]) cpSync(join(source, "web", part), folder, { recursive: true });

const script = joined("main.js", "--format=esm");
const worker = joined("worker.js", "--format=iife");
const licence = (name) => `${name}\n\n${readFileSync(join(licences, name), "utf8")}`;
const texts = readdirSync(licences).sort().map(licence).join("\n\n");
for (const text of [script, worker, texts])
	if (/<\/script|<!--/i.test(text)) throw new Error("a text would end its script element");
const style = joined("style.css") + joined("alone.css");
const icon = Buffer.from(readFileSync(join(folder, "icon.svg"))).toString("base64");
const packed = gzipSync(readFileSync(module), { level: 9 }).toString("base64");

const policy =
	`default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; worker-src blob:; ` +
	"style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
const head = `	<meta http-equiv="Content-Security-Policy" content="${policy}">
	<link rel="icon" href="data:image/svg+xml;base64,${icon}">
	<style>${style}</style>
	<script type="application/octet-stream" id="module">${packed}</script>
	<script type="text/plain" id="worker">${worker}</script>
	<script type="text/plain" id="licences">${texts}</script>
	<script type="module">${script}</script>
</head>`;
const html = readFileSync(join(folder, "index.html"), "utf8");
writeFileSync(output, html.replace(/\t<(link|script)[^>]*>(<\/script>)?\n/g, "").replace("</head>", () => head));
