// api.js - questions about the logs, and error messages
// SPDX-License-Identifier: MIT

import { request } from "./door.js";
import { answerOf, isShared } from "./shared.js";

export class ApiError extends Error {
	constructor(message, status, parameter = null) {
		super(message);
		this.name = "ApiError";
		this.status = status; // 0: the server could not be reached
		this.parameter = parameter;
	}
}

// The response; throws if it is an error.
async function answerFrom(endpoint, parameters, signal) {
	let answer;
	try {
		answer = await request(endpoint, parameters, signal);
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw new ApiError("The server does not respond.", 0);
	}
	if (answer.ok) return answer;
	const said = await answer.json().catch(() => ({}));
	throw new ApiError(
		said.error ?? `The server returned status ${answer.status}.`,
		answer.status,
		said.parameter,
	);
}

export async function ask(endpoint, parameters = {}, signal = undefined) {
	if (!isShared) return (await answerFrom(endpoint, parameters, signal)).json();
	const stored = answerOf(endpoint, parameters);
	if (stored) return structuredClone(stored);
	throw new ApiError("This file contains a view, not the log: open the log with pmon view.", 404);
}

// Download a response as a file. A plain link could not send the secret.
export const fileOf = async (endpoint, parameters) => (await answerFrom(endpoint, parameters)).blob();

// Only the newest request of a kind matters: it cancels the previous one.
export function newest() {
	let controller = null;
	return (endpoint, parameters) => {
		controller?.abort();
		controller = new AbortController();
		return ask(endpoint, parameters, controller.signal);
	};
}

export const isStale = (error) => error.name === "AbortError";
