// Making elements without a framework.

/**
 * Makes an element. Attributes whose names begin with "on" are listeners, `false`, `null` and `undefined` leave an attribute out, `true` sets
 * it without a value. Children are nodes or texts; `null` and `false` are left out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  fill(element, children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {(Node|string|number|null|undefined|false)[]} children
 */
export function fill(element, children) {
  const nodes = [];
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) nodes.push(child instanceof Node ? child : String(child));
  }
  element.replaceChildren(...nodes);
}

/**
 * Sets the text of an element if it differs, so that a selection of the reader stays where nothing changed.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Says something to a screen reader, and shows it for some seconds at the lower edge.
 * @param {string} text
 * @param {"good"|"bad"} [kind]
 */
export function say(text, kind = "good") {
  const place = document.querySelector("#said");
  if (!place) return;
  const line = h("p", { class: kind }, text);
  place.append(line);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => line.remove(), kind === "bad" ? 12000 : 4000);
}

/**
 * An empty state: what is missing, and what to do.
 * @param {string} what
 * @param {...(Node|string)} hint
 */
export function empty(what, ...hint) {
  return h("div", { class: "empty" }, h("p", {}, what), hint.length ? h("p", { class: "dim" }, ...hint) : null);
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
