// secret.js - access to the server: exchange the URL's key once for a secret
// SPDX-License-Identifier: MIT
//
// The secret travels as a header, which no other page can set, and is not in a cookie: cookies
// ignore ports, so every server on this machine would get it. The tab keeps it for reloads and
// passes it to other tabs of this page, such as one opened from a bookmark.

import { isShared } from "./shared.js";

const STORED = "pmon-secret";
const NEIGHBOURS_MS = 500; // for other tabs to answer

const tabs = isShared ? null : new BroadcastChannel("pmon");
let secret = null;

export const bearer = () => `Bearer ${secret ?? ""}`;
export const secretName = () => (secret ?? "").slice(0, 8);

function keep(text) {
	secret = text;
	try {
		sessionStorage.setItem(STORED, text);
	} catch {
		// The browser stores nothing: the next load needs another key.
	}
}

function stored() {
	try {
		return sessionStorage.getItem(STORED);
	} catch {
		return null;
	}
}

// The secrets of other tabs: tabs of a stopped server have a different one.
function neighbours() {
	const found = new Set();
	const take = ({ data }) => data.secret && found.add(data.secret);
	tabs.addEventListener("message", take);
	tabs.postMessage({ asks: true });
	return new Promise((done) => {
		setTimeout(() => {
			tabs.removeEventListener("message", take);
			done([...found]);
		}, NEIGHBOURS_MS);
	});
}

async function answerTo(path, method, token) {
	const headers = { Authorization: `Bearer ${token}` };
	return fetch(path, { method, headers, cache: "no-store" });
}

const opens = async (text) => text && (await answerTo("api/log", "HEAD", text)).ok;

// Removes the key from the URL at once, so that a copied URL does not contain it.
function takeKey() {
	const key = new URLSearchParams(location.search).get("key");
	if (location.search) history.replaceState(null, "", location.pathname + location.hash);
	return key;
}

const key = isShared ? null : takeKey();

// Null if this page has access, otherwise why not: "used" or "missing". Throws while the server does not respond.
export async function enter() {
	const answer = key && secret === null ? await answerTo("api/enter", "POST", key) : null;
	if (answer?.ok) {
		keep((await answer.json()).secret);
		return null;
	}
	if (await opens(secret ?? stored())) {
		keep(secret ?? stored());
		return null;
	}
	for (const text of await neighbours()) {
		if (!(await opens(text))) continue;
		keep(text);
		return null;
	}
	return key ? "used" : "missing";
}

tabs?.addEventListener("message", ({ data }) => {
	if (data.asks && secret !== null) tabs.postMessage({ secret });
});
