// worker.js - one stream of events for all tabs of a server
// SPDX-License-Identifier: MIT

import { Stream } from "./stream.js";

const stream = new Stream();

addEventListener("connect", ({ ports: [port] }) => {
	const member = stream.join((event) => port.postMessage(event));
	port.onmessage = ({ data }) => (data === null ? member.rest() : member.watch(data));
});
