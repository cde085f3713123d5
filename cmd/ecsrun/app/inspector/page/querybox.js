// The box in which a query is written, with completion of names.

import { h, fill } from "./dom.js";
import { names } from "./run.js";

/**
 * @param {import("./run.js").Run} run
 * @param {(query: string) => void} changed
 */
export function queryBox(run, changed) {
  const list = h("ul", { class: "completion", role: "listbox", id: "completion", hidden: true });
  const input = h("input", {
    type: "search", placeholder: "Position, !Frozen, #enemy, changed(Health)", value: run.query, spellcheck: "false", autocomplete: "off",
    role: "combobox", "aria-label": "query", "aria-controls": "completion", "aria-expanded": "false", "aria-autocomplete": "list",
    oninput: () => { offer(); delayed(); },
    onkeydown: key,
    onblur: () => setTimeout(close, 150),
  });
  /** @type {string[]} */
  let offered = [];
  let at = -1;
  let timer = 0;

  function delayed() {
    clearTimeout(timer);
    timer = setTimeout(apply, 300);
  }

  function apply() {
    clearTimeout(timer);
    if (run.query !== input.value.trim()) {
      run.query = input.value.trim();
      run.writeAddress();
      changed(run.query);
    }
  }

  /** The name under the caret: its start and text, with the "#" of a tag. */
  function word() {
    const before = input.value.slice(0, input.selectionStart ?? input.value.length);
    const found = /[#\w]*$/.exec(before);
    return found ? { start: before.length - found[0].length, text: found[0] } : { start: before.length, text: "" };
  }

  function offer() {
    const { text } = word();
    if (!text) return close();
    const all = [...names(run.info?.components), ...names(run.info?.tags).map((tag) => "#" + tag), ...names(run.info?.relations), "changed("];
    const small = text.toLowerCase();
    offered = all.filter((name) => name.toLowerCase().includes(small) && name !== text)
      .sort((a, b) => Number(b.toLowerCase().startsWith(small)) - Number(a.toLowerCase().startsWith(small)))
      .slice(0, 8);
    at = -1;
    draw();
  }

  function draw() {
    list.hidden = offered.length === 0;
    input.setAttribute("aria-expanded", String(offered.length > 0));
    if (at >= 0) input.setAttribute("aria-activedescendant", "completion-" + at);
    else input.removeAttribute("aria-activedescendant");
    fill(list, offered.map((name, i) => h("li", {
      role: "option", id: "completion-" + i, "aria-selected": String(i === at),
      onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(name); },
    }, name)));
  }

  function close() {
    offered = [];
    draw();
  }

  /** @param {string} name */
  function take(name) {
    const { start, text } = word();
    input.setRangeText(name, start, start + text.length, "end");
    close();
    apply();
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.key === "ArrowDown" && offered.length) at = (at + 1) % offered.length;
    else if (event.key === "ArrowUp" && offered.length) at = (at + offered.length - 1) % offered.length;
    else if ((event.key === "Enter" || event.key === "Tab") && at >= 0) take(offered[at]);
    else if (event.key === "Enter") { close(); apply(); return; }
    else if (event.key === "Escape" && offered.length) { close(); event.stopPropagation(); }
    else return;
    event.preventDefault();
    draw();
  }

  return h("div", { class: "querybox" }, input, list);
}
