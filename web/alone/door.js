// door.js - the way to the program that reads the logs: here a worker with the WebAssembly module
// SPDX-License-Identifier: MIT
//
// In pmon.html this takes the place of web/page/door.js. Nothing leaves this machine: the page has no network.

import { chooseLogs } from "./open.js";

const MODULE = document.getElementById("module");
const WORKER = document.getElementById("worker");

let worker = null; // a promise of the one that has the logs
let asked = 0;
const waiting = new Map(); // by the number of the question: what takes the answer
let onProgress = () => {};

// The bytes that a script element has as base64 of gzip.
async function unpack(text) {
	const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).arrayBuffer();
}

const unpacked = MODULE ? unpack(MODULE.textContent) : null;

function take({ id, progress, status, type, bytes }) {
	if (progress) return onProgress();
	const done = waiting.get(id);
	waiting.delete(id);
	done?.(new Response(bytes, { status, headers: { "Content-Type": type } }));
}

// Answers every open request with an error, because the worker is gone.
function endAll(reason) {
	for (const done of waiting.values())
		done(new Response(JSON.stringify({ error: reason, parameter: null }), { status: 500 }));
	waiting.clear();
}

async function startWorker() {
	const url = URL.createObjectURL(new Blob([WORKER.textContent], { type: "text/javascript" }));
	const started = new Worker(url);
	await new Promise((done, fail) => {
		started.addEventListener("message", ({ data }) => {
			if (data.started) done();
			else if (data.failed) fail(new Error(data.failed));
			else take(data);
		});
		started.addEventListener("error", ({ message }) => {
			endAll(message);
			fail(new Error(message));
		});
		unpacked.then((module) => started.postMessage({ module }), fail);
	});
	URL.revokeObjectURL(url);
	return started;
}

async function send(message, signal) {
	const to = await worker;
	signal?.throwIfAborted();
	const id = ++asked;
	return new Promise((done, fail) => {
		waiting.set(id, done);
		signal?.addEventListener("abort", () => {
			if (waiting.delete(id)) to.postMessage({ forget: id });
			fail(signal.reason);
		});
		to.postMessage({ id, ...message });
	});
}

// Opens logs: null, or why they cannot be opened.
async function open(files) {
	worker = startWorker();
	const answer = await send({ open: files }).catch((error) => ({ ok: false, json: () => ({ error: error.message }) }));
	if (answer.ok) return null;
	(await worker.catch(() => null))?.terminate();
	return (await answer.json()).error;
}

// Resolves when logs are open.
export async function enter() {
	await chooseLogs(open);
	return null;
}

const textOf = (value) => (Array.isArray(value) ? value.join(",") : String(value));

// The response of an endpoint.
export function request(endpoint, parameters, signal) {
	const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
	return send({ ask: endpoint, parameters: given.map(([name, value]) => [name, textOf(value)]) }, signal);
}

let changes = 0;

// Makes a file the second set, or removes that (null): {status, answer, isStale}.
export async function replaceSecond(file) {
	const mine = ++changes;
	const answer = await send({ compare: file });
	return { status: answer.status, answer: await answer.json(), isStale: mine !== changes };
}

// Calls deliver({type, data}) with each state of the logs while they are read: {watch(), rest()}.
export function joinEvents(deliver) {
	const tell = async () => {
		const answer = await request("log", {});
		if (answer.ok) deliver({ type: "log", data: await answer.json() });
		else deliver({ type: "lost", data: (await answer.json()).error });
	};
	return {
		watch: () => {
			onProgress = tell;
			tell();
		},
		rest: () => (onProgress = () => {}),
	};
}
