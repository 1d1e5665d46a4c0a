// module.js - the API of the page, answered by pmon-view.wasm (web/alone/module.c)
// SPDX-License-Identifier: MIT

import { Wasi } from "./wasi.js";

export class LogModule {
	#exports;
	#wasi;
	#said = ""; // messages on standard error
	#logs = 0;

	// module: a WebAssembly.Module.
	static async start(module) {
		const made = new LogModule();
		const decoder = new TextDecoder();
		made.#wasi = new Wasi((bytes) => (made.#said += decoder.decode(bytes, { stream: true })));
		const { exports } = await WebAssembly.instantiate(module, made.#wasi.imports(module));
		made.#exports = exports;
		made.#wasi.useMemory(exports.memory);
		exports._initialize();
		return made;
	}

	// What was said since the last call, without the name of the program.
	messages() {
		const said = this.#said.trim().replaceAll(/^pmon: /gm, "");
		this.#said = "";
		return said;
	}

	// Put texts into the memory of the module; returns how many bytes.
	#put(texts) {
		const bytes = new TextEncoder().encode(texts.map((text) => `${text.replaceAll("\0", "")}\0`).join(""));
		const room = this.#exports.module_room(bytes.length + 1);
		if (room === 0) throw new Error("not enough memory");
		new Uint8Array(this.#exports.memory.buffer, room, bytes.length + 1).set([...bytes, 0]);
		return bytes.length;
	}

	// Each in a folder of its own, as several may have the same name.
	#add({ name, source }) {
		const path = `/logs/${++this.#logs}/${name.replaceAll("/", "_")}`;
		this.#wasi.addInput(path, source);
		return path;
	}

	// {status, type, bytes} from the struct that the module points to.
	#answer(at) {
		if (at === 0) throw new Error("not enough memory");
		const { buffer } = this.#exports.memory;
		const [status, type, text, size] = new Uint32Array(buffer, at, 4);
		const all = new Uint8Array(buffer);
		const name = new TextDecoder().decode(all.subarray(type, all.indexOf(0, type)));
		return { status, type: name, bytes: all.slice(text, text + size) };
	}

	// Opens logs, [{name, source: {size, read(at, into)}}], and merges them. Throws with the message if that fails.
	open(logs) {
		const length = this.#put(logs.map((log) => this.#add(log)));
		if (this.#exports.module_open(length) !== 0) throw new Error(this.messages());
	}

	// Reads for about so many milliseconds; false when all is read.
	read(milliseconds) {
		return this.#exports.module_read(milliseconds) !== 0;
	}

	// Makes a log the second set, or removes it (null).
	compare(log) {
		this.messages();
		const answer = this.#answer(this.#exports.module_compare(this.#put(log ? [this.#add(log)] : [])));
		const said = this.messages();
		if (answer.status === 200 || said === "") return answer;
		return { ...answer, bytes: new TextEncoder().encode(JSON.stringify({ error: said, parameter: null })) };
	}

	// Answers an endpoint: parameters is a list of [name, text].
	ask(endpoint, parameters) {
		return this.#answer(this.#exports.module_ask(this.#put([`/api/${endpoint}`, ...parameters.flat()])));
	}
}
