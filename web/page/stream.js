// stream.js - the server's event stream, shared by all visible tabs
// SPDX-License-Identifier: MIT
//
// A browser has six connections to a server of HTTP/1.1, over all of its tabs: streams of six tabs
// would leave none for requests. So a shared worker runs this for all of them, and a hidden tab
// needs no events. EventSource cannot send the secret.

const RETRY_MS = 3000;

// Calls take({type, data}) with each event of a body.
async function readEvents(body, take) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	for (;;) {
		const { value, done } = await reader.read();
		if (done) return;
		const parts = (text + value).split("\n\n");
		text = parts.pop();
		for (const part of parts) {
			const event = { type: "", data: null };
			for (const line of part.split("\n")) {
				if (line.startsWith("event: ")) event.type = line.slice(7);
				if (line.startsWith("data: ")) event.data = JSON.parse(line.slice(6));
			}
			if (event.type) take(event);
		}
	}
}

export class Stream {
	#members = new Set();
	#authorization = "";
	#running = null; // its AbortController
	#isOpen = false;
	#retry = 0;

	// deliver(event) gets {type, data}: "open", before the first "log"; "joined", when that was sent already;
	// "log"; "sample"; "lost", with the error of the server if it has one.
	join(deliver) {
		const member = { deliver, watches: false };
		this.#members.add(member);
		return {
			watch: (authorization) => {
				this.#authorization = authorization;
				member.watches = true;
				if (this.#isOpen) deliver({ type: "joined" });
				this.#update();
			},
			rest: () => {
				member.watches = false;
				this.#update();
			},
		};
	}

	#deliver(event) {
		for (const member of this.#members) if (member.watches) member.deliver(event);
	}

	#update() {
		const isWanted = [...this.#members].some((member) => member.watches);
		if (isWanted && !this.#running) {
			this.#running = new AbortController();
			this.#run(this.#running.signal);
		} else if (!isWanted && this.#running) {
			clearTimeout(this.#retry);
			this.#running.abort();
			this.#running = null;
			this.#isOpen = false;
		}
	}

	async #run(signal) {
		let error = null;
		try {
			const headers = { Authorization: this.#authorization };
			const answer = await fetch("api/events", { headers, signal, cache: "no-store" });
			if (answer.ok) {
				this.#isOpen = true;
				this.#deliver({ type: "open" });
				await readEvents(answer.body, (event) => this.#deliver(event));
			} else {
				error = (await answer.json()).error;
			}
		} catch {
			// The server stopped or cannot be reached.
		}
		if (signal.aborted) return;
		this.#isOpen = false;
		this.#deliver({ type: "lost", data: error });
		this.#retry = setTimeout(() => this.#run(signal), RETRY_MS);
	}
}
