// api.js - questions to the server, and its errors in words
// SPDX-License-Identifier: MIT

import { answerOf, isShared } from "./shared.js";

export class ApiError extends Error {
	constructor(message, status, parameter = null) {
		super(message);
		this.name = "ApiError";
		this.status = status; // 0: the server could not be reached
		this.parameter = parameter;
	}
}

// The address of an endpoint; parameters that are null are left out.
export function address(endpoint, parameters = {}) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== null && value !== undefined)
			query.set(name, Array.isArray(value) ? value.join(",") : String(value));
	}
	const text = query.toString();
	return `api/${endpoint}${text ? "?" + text : ""}`;
}

export async function ask(endpoint, parameters = {}, signal = undefined) {
	let answer;
	if (isShared) {
		const stored = answerOf(endpoint, parameters);
		if (stored) return structuredClone(stored);
		throw new ApiError("This file has a view, not its log: open the log with pmon view.", 404);
	}
	try {
		answer = await fetch(address(endpoint, parameters), { signal, cache: "no-store" });
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw new ApiError("The server does not answer.", 0);
	}
	if (answer.ok) return answer.json();
	const said = await answer.json().catch(() => ({}));
	throw new ApiError(
		said.error ?? `The server says ${answer.status}.`,
		answer.status,
		said.parameter,
	);
}

// Only the newest of several requests of one kind matters: a new one cancels the one before.
export function newest() {
	let controller = null;
	return (endpoint, parameters) => {
		controller?.abort();
		controller = new AbortController();
		return ask(endpoint, parameters, controller.signal);
	};
}

export const isStale = (error) => error.name === "AbortError";
