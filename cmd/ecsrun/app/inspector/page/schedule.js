// The view of the schedule: systems in the order in which they run, their time, their loops, their errors.

import { h, fill, setText, empty } from "./dom.js";
import { countText, durationText, shareText } from "./format.js";

export class ScheduleView extends HTMLElement {
  constructor() {
    super();
    this.shape = "";
  }

  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    this.opened = "";
    /** @type {Map<string, Record<string, any>>} */
    this.places = new Map();
    this.show = () => this.draw();
    run.addEventListener("info", this.show);
    this.draw();
  }

  disconnectedCallback() {
    if (this.show) this.run?.removeEventListener("info", this.show);
  }

  draw() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const systems = run.info?.systems ?? [];
    if (systems.length === 0) return fill(this, [empty("The world has no systems.", "The config lists them under systems:.")]);
    const next = run.info?.turn;
    const shape = JSON.stringify(systems.map((one) => [one.name, one.stage])) + run.connection.saved;
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(systems);
    }
    for (const system of systems) {
      const place = this.places?.get(system.name);
      if (!place) continue;
      place.row.classList.toggle("off", !system.enabled);
      place.row.classList.toggle("next", next === system.name);
      place.on.checked = system.enabled;
      if (document.activeElement !== place.impl) place.impl.value = system.impl;
      if (document.activeElement !== place.every) place.every.value = String(system.every ?? 1);
      setText(place.share, shareText(system.share ?? 0));
      place.bar.style.width = Math.round((system.share ?? 0) * 100) + "%";
      setText(place.mean, system.turns ? durationText(system.seconds / system.turns) : "–");
      setText(place.last, system.last === undefined ? "–" : durationText(system.last));
      setText(place.turns, countText(system.turns ?? 0));
      setText(place.failures, system.failures ? countText(system.failures) + " failed" : "");
      setText(place.why, system.error ?? "");
    }
  }

  /** @param {import("./run.js").System[]} systems */
  build(systems) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const saved = run.connection.saved;
    this.places = new Map();
    const rows = [];
    let stage = "";
    for (const system of systems) {
      if (system.stage !== stage) {
        stage = system.stage;
        rows.push(h("tr", { class: "stage" }, h("th", { colspan: 8, scope: "colgroup" }, stage)));
      }
      const name = system.name;
      const set = (/** @type {Record<string, any>} */ change) => run.change("system.set", { system: name, ...change });
      /** @type {Record<string, any>} */
      const place = {
        on: h("input", { type: "checkbox", "aria-label": name + " is enabled", disabled: saved, onchange: (/** @type {any} */ event) => set({ enabled: event.target.checked }) }),
        impl: h("select", { "aria-label": "implementation of " + name, disabled: saved, onchange: (/** @type {any} */ event) => set({ impl: event.target.value }) },
          ...[...new Set([system.impl, "auto", "lua", "closures", "native"])].map((impl) => h("option", {}, impl))),
        every: h("input", { class: "value short", type: "number", min: 1, "aria-label": name + " runs every so many frames", disabled: saved, onchange: (/** @type {any} */ event) => set({ every: Number(event.target.value) }) }),
        share: h("span", { class: "figure" }), bar: h("span", { class: "share" }), mean: h("td", { class: "number" }), last: h("td", { class: "number" }),
        turns: h("td", { class: "number" }), failures: h("span", { class: "bad" }), why: h("p", { class: "error" }), loops: h("div", { class: "loops" }),
      };
      place.row = h("tr", {}, h("td", {}, place.on),
        h("th", { scope: "row" }, h("button", { class: "bare link", "aria-expanded": "false", onclick: (/** @type {any} */ event) => this.open(name, place, event.currentTarget) }, name), " ", place.failures, system.when ? h("span", { class: "dim" }, " when " + system.when) : null),
        h("td", {}, place.impl), h("td", {}, place.every), h("td", { class: "number share-cell" }, place.bar, place.share), place.mean, place.last, place.turns);
      place.more = h("tr", { class: "more", hidden: true }, h("td", {}), h("td", { colspan: 7 }, place.why, place.loops));
      this.places.set(name, place);
      rows.push(place.row, place.more);
    }
    fill(this, [h("div", { class: "scroller" }, h("table", { class: "schedule" },
      h("thead", {}, h("tr", {}, ...["on", "system", "impl", "every", "share", "a turn", "last", "turns"].map((label, i) => h("th", { scope: "col", class: i > 3 ? "number" : null }, label)))),
      h("tbody", {}, ...rows)))]);
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} place
   * @param {HTMLElement} button
   */
  async open(name, place, button) {
    place.more.hidden = !place.more.hidden;
    button.setAttribute("aria-expanded", String(!place.more.hidden));
    if (place.more.hidden) return;
    const run = /** @type {import("./run.js").Run} */ (this.run);
    try {
      const found = await run.connection.call("system.explain", { system: name });
      fill(place.loops, found.loops.length === 0 ? [h("p", { class: "dim" }, "no query loops")] : found.loops.map((/** @type {any} */ loop) =>
        h("p", {}, h("span", { class: "mono" }, loop.file + ":" + loop.line), " ", h("span", { class: "badge" }, loop.runs), " ", h("span", { class: "dim" }, loop.reason ?? ""))));
    } catch (error) {
      fill(place.loops, [h("p", { class: "error" }, /** @type {Error} */ (error).message)]);
    }
  }
}
