// A field of a component that is edited in place.

import { h, setText } from "./dom.js";
import { valueText, isEntity } from "./format.js";

/**
 * What a text means for a field of a type, or an error in words.
 * @param {import("./run.js").Field} field
 * @param {string} text
 * @returns {{ value?: any, error?: string }}
 */
export function parse(field, text) {
  const type = field.type;
  if (/^[iuf]\d+$/.test(type) || type === "number") {
    const number = Number(text);
    if (/^(NaN|-?inf(inity)?)$/i.test(text.trim())) return { value: text.trim() };
    if (text.trim() === "" || Number.isNaN(number)) return { error: "not a number" };
    if (!type.startsWith("f") && type !== "number" && !Number.isInteger(number)) return { error: "not a whole number" };
    if (field.min !== undefined && number < field.min) return { error: "less than " + field.min };
    if (field.max !== undefined && number > field.max) return { error: "more than " + field.max };
    return { value: Number.isSafeInteger(number) || !Number.isInteger(number) ? number : text.trim() };
  }
  if (type === "bool" || type === "boolean") return { value: text === "true" };
  if (type === "entity") return text === "" || text === "nil" ? { value: null } : /^@|^\d+v\d+$/.test(text) ? { value: text } : { error: "an entity is written as 17v2" };
  if (type === "string" || field.values) return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: "not JSON" };
  }
}

/**
 * An input for one field. It shows the value that comes until somebody edits it; Enter or leaving it sends the new one.
 * @param {import("./run.js").Field} field
 * @param {string} label
 * @param {(value: any) => Promise<{ ok: boolean }>} send
 * @param {boolean} fixed whether it cannot be edited
 */
export function fieldInput(field, label, send, fixed) {
  const error = h("span", { class: "error", role: "alert" });
  let shown = "";
  const boolean = field.type === "bool" || field.type === "boolean";
  const attributes = { "aria-label": label, title: field.type + range(field), disabled: fixed, onchange: changed };
  const input = boolean ? h("input", { type: "checkbox", ...attributes })
    : field.values ? h("select", attributes, ...field.values.map((value) => h("option", {}, value)))
    : h("input", { class: "value", spellcheck: "false", autocomplete: "off", ...attributes, onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") { input.value = shown; input.blur(); event.stopPropagation(); }
      if (event.key === "Enter") input.blur();
    } });

  async function changed() {
    const text = boolean ? String(input.checked) : input.value;
    if (text === shown) return;
    const { value, error: wrong } = parse(field, text);
    setText(error, wrong ?? "");
    input.setAttribute("aria-invalid", String(wrong !== undefined));
    if (wrong !== undefined) return;
    const { ok } = await send(value);
    if (!ok && !boolean) input.value = shown;
    if (!ok && boolean) input.checked = shown === "true";
  }

  return {
    element: h("span", { class: "field-value" }, input, error),
    /** @param {any} value */
    show(value) {
      const text = valueText(value);
      if (text === shown || document.activeElement === input) return;
      if (shown !== "") input.classList.toggle("changed", true);
      shown = text;
      if (boolean) input.checked = value === true;
      else input.value = text;
    },
    calm() {
      input.classList.remove("changed");
    },
  };
}

/** @param {import("./run.js").Field} field */
function range(field) {
  if (field.min === undefined && field.max === undefined) return "";
  return ", " + (field.min ?? "−∞") + " to " + (field.max ?? "∞");
}
