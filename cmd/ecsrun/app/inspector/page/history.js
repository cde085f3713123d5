// The view of history: go back to an earlier frame, and forward again.

import { h, fill, setText, empty } from "./dom.js";
import { countText } from "./format.js";

export class HistoryView extends HTMLElement {
  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    this.again = () => this.load();
    run.addEventListener("frame", this.again);
    run.addEventListener("state", this.again);
    this.load();
  }

  disconnectedCallback() {
    if (!this.again) return;
    this.run?.removeEventListener("frame", this.again);
    this.run?.removeEventListener("state", this.again);
  }

  async load() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (this.loading || run.connection.state !== "open") return;
    this.loading = true;
    try {
      this.show(await run.connection.call("history.list"));
    } catch (error) {
      this.shape = "";
      fill(this, [h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message)]);
    } finally {
      this.loading = false;
    }
  }

  /** @param {{ on: boolean, first: number, last: number, copies: number[], bytes: number, memory: number }} list */
  show(list) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (!list.on) {
      if (this.shape === "off") return;
      this.shape = "off";
      const memory = h("input", { class: "where", value: "256MiB", "aria-label": "memory for copies" });
      return fill(this, [h("h2", {}, "History"), empty("No history is kept.", "It takes copies of the world as it runs, within the memory you give. Then you can go back and see what led here."),
        run.connection.saved ? null : h("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); run.change("history.start", { memory: memory.value }, "history is kept from now on"); } }, memory, h("button", { class: "primary" }, "Keep history"))]);
    }
    const frame = run.info?.frame ?? 0;
    if (this.shape !== "on") {
      this.shape = "on";
      this.slider = h("input", { type: "range", "aria-label": "frame", list: "copies", oninput: () => setText(this.place, "frame " + countText(Number(this.slider.value))), onchange: () => this.go(Number(this.slider.value)) });
      this.copies = h("datalist", { id: "copies" });
      this.place = h("output", { class: "figure" });
      this.facts = h("p", { class: "dim" });
      this.frame = h("input", { class: "value short", type: "number", "aria-label": "go to frame", onchange: () => this.go(Number(this.frame.value)) });
      fill(this, [h("h2", {}, "History"), h("div", { class: "bar" },
        h("button", { onclick: () => this.go(Number(this.slider.value) - 1), "aria-label": "one frame back" }, "◀"),
        h("button", { onclick: () => this.go(Number(this.slider.value) + 1), "aria-label": "one frame forward" }, "▶"), this.place, h("span", { class: "grow" }), "go to ", this.frame),
        this.slider, this.copies, this.facts]);
    }
    if (document.activeElement === this.slider && this.slider.matches(":active")) return;
    this.slider.min = list.first;
    this.slider.max = Math.max(list.last, frame);
    this.slider.value = frame;
    setText(this.place, "frame " + countText(frame));
    fill(/** @type {Element} */ (this.copies), list.copies.slice(-200).map((copy) => h("option", { value: copy })));
    setText(this.facts, countText(list.copies.length) + " copies from frame " + countText(list.first) + " on, " + Math.round(list.bytes / 1048576) + " of " + Math.round(list.memory / 1048576) + " MiB. Going back pauses the run; frames between copies run again with the same results. Lines that were printed are not printed again.");
  }

  /** @param {number} frame */
  async go(frame) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (!run.info?.paused) await run.change("run.pause", {});
    await run.change("history.goto", { frame: Math.max(frame, 0) });
  }
}
