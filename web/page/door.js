// door.js - the way to the program that reads the logs: the server of pmon view
// SPDX-License-Identifier: MIT
//
// No other module contacts the server. In pmon.html, web/alone/door.js takes the place of this one.

import { bearer, enter, secretName } from "./secret.js";
import { Stream } from "./stream.js";

export { enter };

// The URL of an endpoint; null parameters are omitted.
function address(endpoint, parameters) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== null && value !== undefined)
			query.set(name, Array.isArray(value) ? value.join(",") : String(value));
	}
	const text = query.toString();
	return `api/${endpoint}${text ? "?" + text : ""}`;
}

// The response of an endpoint. Throws if there is none.
export const request = (endpoint, parameters, signal) =>
	fetch(address(endpoint, parameters), { headers: { Authorization: bearer() }, signal, cache: "no-store" });

let change = null; // the request in progress that changes the second set

// Makes a file the second set, or removes that (null): {status, answer, isStale}. The browser reads the file piece by
// piece, and calls progress(part).
export function replaceSecond(file, progress) {
	change?.abort();
	const mine = (change = new XMLHttpRequest());
	mine.open(file ? "POST" : "DELETE", address("compare", { name: file?.name }));
	mine.setRequestHeader("Authorization", bearer());
	mine.responseType = "json";
	mine.upload.addEventListener("progress", ({ loaded, total }) => progress?.(loaded / total));
	return new Promise((done) => {
		mine.addEventListener("loadend", () => {
			const { status: code, response: answer } = mine;
			done({ status: code, answer, isStale: mine !== change });
		});
		mine.send(file);
	});
}

// Calls deliver({type, data}) with events while they are watched: {watch(), rest()}. A shared worker has the stream; in
// browsers without one, such as on some phones, this tab has it.
export function joinEvents(deliver) {
	let member = null;
	const alone = () => (member = new Stream().join(deliver));
	if (typeof SharedWorker === "undefined") {
		alone();
		return { watch: () => member.watch(bearer()), rest: () => member.rest() };
	}
	const worker = new SharedWorker("worker.js", { type: "module", name: secretName() });
	worker.port.onmessage = ({ data }) => deliver(data);
	worker.addEventListener("error", () => {
		alone();
		if (!document.hidden) member.watch(bearer());
	});
	const send = (message) => worker.port.postMessage(message);
	return {
		watch: () => (member ? member.watch(bearer()) : send(bearer())),
		rest: () => (member ? member.rest() : send(null)),
	};
}
