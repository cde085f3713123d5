// The view of the console: Lua code, read-only unless the reader says otherwise.

import { h } from "./dom.js";
import { valueText } from "./format.js";

/** @type {string[]} */
const entered = [];
/** @type {{ code: string, out: string, kind: string }[]} */
const answers = [];

export class ConsoleView extends HTMLElement {
  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    this.at = entered.length;
    this.list = h("div", { class: "answers", role: "log", "aria-label": "answers", tabindex: "0" });
    this.code = h("textarea", { rows: 3, spellcheck: "false", "aria-label": "Lua code", placeholder: "return world:count('Health')", onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) });
    this.write = h("input", { type: "checkbox", id: "may-write" });
    const saved = run.connection.saved;
    this.append(this.list, h("form", { class: "console", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.enter(); } },
      this.code, h("div", { class: "bar" }, h("label", { for: "may-write" }, this.write, " may change the world"), h("span", { class: "dim" }, "Enter runs, Shift+Enter is a new line, ↑ is the last code"), h("span", { class: "grow" }), h("button", { class: "primary", disabled: saved }, "Run"))));
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const back = event.key === "ArrowUp" && this.code.selectionStart === 0 ? -1 : event.key === "ArrowDown" && this.code.selectionStart === this.code.value.length ? 1 : 0;
    if (event.key === "Enter" && !event.shiftKey) this.enter();
    else if (back !== 0 && entered.length > 0) {
      this.at = Math.max(0, Math.min((this.at ?? 0) + back, entered.length));
      this.code.value = entered[this.at] ?? "";
    } else return;
    event.preventDefault();
  }

  async enter() {
    const code = this.code.value.trim();
    if (!code) return;
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (entered[entered.length - 1] !== code) entered.push(code);
    this.at = entered.length;
    this.code.value = "";
    const as = this.write.checked ? "write" : "read";
    try {
      // A lone expression is what most people write here; the run compiles it as code if it is none.
      const found = await run.connection.call("lua.eval", { code: /^(return|local|for|while|if|function|do|repeat)\b|=[^=]/.test(code) ? code : "return " + code, as });
      const values = (found.values ?? []).map((/** @type {any} */ value) => (typeof value === "string" ? JSON.stringify(value) : valueText(value))).join("  ");
      answers.push({ code, out: (found.printed ?? "") + (found.printed && values && !found.printed.endsWith("\n") ? "\n" : "") + values, kind: "good" });
      if (as === "write") { run.refresh(); run.tell("frame"); }
    } catch (error) {
      answers.push({ code, out: /** @type {Error} */ (error).message, kind: "error" });
    }
    if (answers.length > 200) answers.splice(0, answers.length - 200);
    this.draw();
  }

  draw() {
    const list = /** @type {HTMLElement} */ (this.list);
    list.replaceChildren(...(answers.length ? answers.flatMap((one) => [h("pre", { class: "code" }, "> " + one.code), h("pre", { class: one.kind }, one.out || "(no value)")])
      : [h("div", { class: "empty" }, h("p", {}, "Lua code that looks at the world."), h("p", { class: "dim" }, "world and ecs are there as in a script; what it keeps in globals is there the next time. It cannot change the world unless you allow it."))]));
    list.scrollTop = list.scrollHeight;
  }
}
