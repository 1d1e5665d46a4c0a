// dom.js - elements made from script. Texts become text nodes, never HTML.
// SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);

// el("td", {class: "number", on: {click: f}}, "text", node): attributes that are null or false are
// left out, true is the bare attribute.
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
	node.append(...children.filter((child) => child !== null));
	return node;
}

// Texts are written only where they differ, so that a live page leaves selections and focus alone.
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
	if (value === null) node.removeAttribute(name);
	else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// Puts new children into a node; what had the focus, by its data-key, has it again.
export function rebuild(node, children) {
	const active = document.activeElement;
	const key = node.contains(active) ? active.dataset.key : null;
	node.replaceChildren(...children);
	if (key) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

// Calls f once, when nothing has called for `wait_ms`.
export function debounce(f, wait_ms) {
	let timer = 0;
	return (...args) => {
		clearTimeout(timer);
		timer = setTimeout(() => f(...args), wait_ms);
	};
}
