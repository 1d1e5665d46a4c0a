// dom.js - create elements from script. Texts become text nodes, never HTML.
// SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);

// el("td", {class: "number", on: {click: f}}, "text", node): null and false are omitted as attributes and as children,
// true is an attribute without a value.
export function el(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "on") {
			for (const [event, listener] of Object.entries(value))
				node.addEventListener(event, listener);
		} else if (value !== null && value !== undefined && value !== false) {
			node.setAttribute(name, value === true ? "" : value);
		}
	}
	node.append(...children.filter((child) => child !== null && child !== false && child !== ""));
	return node;
}

// Writes only texts that differ, so that a live page keeps selections and focus.
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
	if (value === null) node.removeAttribute(name);
	else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// Replaces a node's children and restores the focus by data-key.
export function rebuild(node, children) {
	const active = document.activeElement;
	const key = node.contains(active) ? active.dataset.key : null;
	node.replaceChildren(...children);
	if (key) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

// Debounces: calls f once there was no call for `wait_ms`.
export function debounce(f, wait_ms) {
	let timer = 0;
	return (...args) => {
		clearTimeout(timer);
		timer = setTimeout(() => f(...args), wait_ms);
	};
}
