// command.js - run pmon.wasm on the files of this machine
// SPDX-License-Identifier: MIT

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

// Node warns that its WASI is experimental. What pmon needs of it is tested with the package.
async function importWasi() {
	const warn = process.emitWarning;
	process.emitWarning = (warning, ...rest) => {
		if (!String(warning).includes("WASI"))
			warn.call(process, warning, ...rest);
	};
	try {
		return (await import("node:wasi")).WASI;
	} finally {
		process.emitWarning = warn;
	}
}

// The folders that the program sees. On Windows C:\logs is /C:/logs.
function folders() {
	if (process.platform !== "win32")
		return { "/": "/" };
	const drives = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => existsSync(`${letter}:\\`));
	return Object.fromEntries(drives.map((letter) => [`/${letter}:`, `${letter}:\\`]));
}

function pathForProgram(path) {
	return process.platform === "win32" ? "/" + path.replaceAll("\\", "/") : path;
}

// On Windows a word that begins with a drive is a path. Others are left alone: \Memory\* is a counter.
function wordForProgram(word) {
	return process.platform === "win32" && /^[A-Za-z]:[\\/]/.test(word) ? pathForProgram(word) : word;
}

// The calls of the program to its system, with two changes. Node 20 calls what is imported directly, and crashes when the
// program's memory has grown meanwhile; but not through functions of JavaScript. And the program closes its standard
// output at its end, which is the descriptor of the caller.
function callsOf(wasi) {
	const calls = wasi.getImportObject().wasi_snapshot_preview1;
	const wrapped = Object.entries(calls).map(([name, call]) => [name, (...words) => call(...words)]);
	const close = (fd) => fd <= 2 ? 0 : calls.fd_close(fd);
	return { wasi_snapshot_preview1: { ...Object.fromEntries(wrapped), fd_close: close } };
}

let compiled; // a promise, for all runs

// Returns the exit status of pmon with these words: 0 done, 1 failed, 2 usage, 3 damaged input. stdin, stdout and stderr
// are descriptors; those of this process by default.
export async function run(words, { stdin = 0, stdout = 1, stderr = 2 } = {}) {
	const WASI = await importWasi();
	compiled ??= readFile(new URL("pmon.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
	const wasi = new WASI({
		version: "preview1",
		args: ["pmon", ...words.map(wordForProgram)],
		env: { ...process.env, PWD: pathForProgram(process.cwd()) },
		preopens: folders(),
		returnOnExit: true,
		stdin,
		stdout,
		stderr,
	});

	return wasi.start(await WebAssembly.instantiate(await compiled, callsOf(wasi)));
}
