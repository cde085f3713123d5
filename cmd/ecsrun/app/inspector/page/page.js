// The frame of the page: header, navigation, one view, the selected entity, keys.

import { h, fill, setText, say } from "./dom.js";
import { countText, durationText } from "./format.js";
import { Connection } from "./rpc.js";
import { Run } from "./run.js";
import { SavedConnection, savedFacts, savePage } from "./saved.js";
import { EntitiesView } from "./entities.js";
import { EntityView } from "./entity.js";
import { ScheduleView } from "./schedule.js";
import { TimelineView } from "./timeline.js";
import { PlotsView } from "./plots.js";
import { LogView, follow } from "./log.js";
import { ConsoleView } from "./console.js";
import { MapView } from "./map.js";
import { HistoryView } from "./history.js";

/** @type {{ id: string, label: string, tag: string, view: any }[]} */
const views = [
  { id: "entities", label: "Entities", tag: "entities-view", view: EntitiesView },
  { id: "entity", label: "Entity", tag: "entity-view", view: EntityView },
  { id: "schedule", label: "Schedule", tag: "schedule-view", view: ScheduleView },
  { id: "timeline", label: "Timeline", tag: "timeline-view", view: TimelineView },
  { id: "plots", label: "Plots", tag: "plots-view", view: PlotsView },
  { id: "log", label: "Log", tag: "log-view", view: LogView },
  { id: "console", label: "Console", tag: "console-view", view: ConsoleView },
  { id: "map", label: "Map", tag: "map-view", view: MapView },
  { id: "history", label: "History", tag: "history-view", view: HistoryView },
];

const keys = [
  ["1 … 9", "the views, in the order of the list"],
  ["Space", "pause and go on"],
  [".", "one frame"],
  [",", "the next system only"],
  ["/", "the query, the code"],
  ["↑ ↓ Home End", "rows of a table"],
  ["Enter", "open the row, edit the field"],
  ["p", "pin the entity"],
  ["Esc", "leave a field, close the entity"],
  ["?", "this list"],
];

class InspectorPage extends HTMLElement {
  connectedCallback() {
    const facts = savedFacts();
    this.run = new Run(facts ? new SavedConnection(facts) : new Connection(location.origin.replace(/^http/, "ws") + "/rpc", takeToken()));
    this.run.readAddress();
    this.build();
    this.listen();
    this.run.connection.open();
    follow(this.run, "log");
    this.showView();
    this.showSelected();
    this.look();
  }

  build() {
    const run = /** @type {Run} */ (this.run);
    this.frame = h("output", { class: "frame", "aria-label": "frame" }, "–");
    this.facts = h("span", { class: "dim facts" });
    this.state = h("span", { class: "badge", role: "status" });
    this.pauseButton = h("button", { class: "primary", onclick: () => this.togglePause(), title: "Space" }, "Pause");
    this.stepButton = h("button", { onclick: () => this.step({ frames: 1 }), title: "key ." }, "Step");
    this.systemButton = h("button", { onclick: () => this.step({ system: true }), title: "key ," }, "System");
    this.speed = h("select", { "aria-label": "speed", onchange: (/** @type {any} */ event) => run.change("run.speed", { speed: Number(event.target.value) }) },
      ...[["0.1", "0.1 ×"], ["0.5", "0.5 ×"], ["1", "1 ×"], ["2", "2 ×"], ["10", "10 ×"], ["0", "no wait"]].map(([value, label]) => h("option", { value }, label)));
    this.controls = h("div", { class: "controls", role: "toolbar", "aria-label": "run" }, this.pauseButton, this.stepButton, this.systemButton, this.speed);
    this.notice = h("p", { class: "notice", hidden: true, role: "alert" });
    this.nav = h("nav", { "aria-label": "views" }, ...views.map((view, i) =>
      h("a", { href: "#view=" + view.id, "data-view": view.id, title: "key " + (i + 1), onclick: (/** @type {Event} */ event) => { event.preventDefault(); run.show(view.id); } }, view.label)));
    this.main = h("main", {});
    this.aside = h("aside", { "aria-label": "selected entity" });
    this.help = h("dialog", { "aria-label": "keys" }, h("h2", {}, "Keys"),
      h("dl", { class: "keys" }, ...keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
    this.append(
      h("header", {},
        h("strong", { class: "brand" }, "ecsrun"), this.frame, this.facts, this.controls, this.state,
        h("span", { class: "grow" }),
        h("button", { class: "quiet", onclick: () => this.save(), title: "one HTML file that opens without a server" }, "Save page"),
        h("button", { class: "quiet", onclick: () => changeTheme(), "aria-label": "light or dark" }, "◐"),
        h("button", { class: "quiet", onclick: () => this.help.showModal(), "aria-label": "keys" }, "?")),
      this.notice, this.nav, this.main, this.aside, this.help,
      h("div", { id: "said", role: "status", "aria-live": "polite" }));
  }

  listen() {
    const run = /** @type {Run} */ (this.run);
    run.addEventListener("info", () => this.look());
    run.addEventListener("state", () => this.look());
    run.addEventListener("view", () => {
      this.showView();
      this.showSelected();
    });
    run.addEventListener("select", () => this.showSelected());
    addEventListener("hashchange", () => {
      run.readAddress();
      this.showView();
      this.showSelected();
    });
    addEventListener("keydown", (event) => this.key(event));
    setInterval(() => document.visibilityState === "visible" && run.refresh(), 250);
  }

  look() {
    const run = /** @type {Run} */ (this.run);
    const connection = run.connection;
    const info = run.info;
    this.state.dataset.state = connection.saved ? "saved" : connection.state;
    setText(this.state, connection.saved ? "saved" : connection.state === "open" ? (info?.ended ? "ended" : info?.paused ? "paused" : "running") : connection.state);
    if (connection.state === "open" && info?.paused) this.state.dataset.state = "paused";
    this.notice.hidden = connection.saved || connection.state === "open" || connection.state === "connecting";
    setText(this.notice, connection.state === "refused"
      ? "The run does not answer. Open the address that it printed: it ends with #t= and a token, which a shared link does not have."
      : "The run has ended or cannot be reached. The page connects again as soon as it is back; what you see is the last state.");
    if (!info) return;
    document.title = (info.config ?? "world") + " · ecsrun";
    setText(this.frame, countText(info.frame));
    setText(this.facts, durationText(info.time) + " · " + countText(info.entities) + " entities" + (info.edited ? " · edited" : "")
      + (info.turn ? " · next: " + info.turn : ""));
    setText(this.pauseButton, info.paused ? "Go on" : "Pause");
    const options = [...this.speed.options];
    const at = options.find((option) => Number(option.value) === info.speed);
    if (at && document.activeElement !== this.speed) this.speed.value = at.value;
    this.controls.hidden = connection.saved;
  }

  showView() {
    const run = /** @type {Run} */ (this.run);
    const view = views.find((one) => one.id === run.view) ?? views[0];
    for (const link of this.nav.children) {
      if (link.dataset.view === view.id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const element = document.createElement(view.tag);
    /** @type {any} */ (element).run = run;
    fill(this.main, [element]);
  }

  showSelected() {
    const run = /** @type {Run} */ (this.run);
    this.classList.toggle("with-entity", run.selected !== "" && run.view !== "entity");
    if (!run.selected || run.view === "entity") return fill(this.aside, []);
    const panel = document.createElement("entity-view");
    /** @type {any} */ (panel).run = run;
    /** @type {any} */ (panel).closes = true;
    fill(this.aside, [panel]);
  }

  togglePause() {
    const run = /** @type {Run} */ (this.run);
    run.change(run.info?.paused ? "run.resume" : "run.pause", {});
  }

  /** @param {Record<string, any>} params */
  async step(params) {
    const run = /** @type {Run} */ (this.run);
    if (!run.info?.paused) await run.change("run.pause", {});
    await run.change("run.step", params);
  }

  async save() {
    const run = /** @type {Run} */ (this.run);
    try {
      await savePage(run);
    } catch (error) {
      say("the page was not saved: " + /** @type {Error} */ (error).message, "bad");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const run = /** @type {Run} */ (this.run);
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const typing = target.matches("input, textarea, select, [contenteditable]");
    if (event.key === "Escape") {
      if (typing) target.blur();
      else if (run.selected) run.select("");
      return;
    }
    if (typing) return;
    if (event.key === " " && !target.matches("button, summary, a")) this.togglePause();
    else if (event.key === ".") this.step({ frames: 1 });
    else if (event.key === ",") this.step({ system: true });
    else if (event.key === "/") /** @type {HTMLElement|null} */ (this.querySelector("main input[type=search], main textarea, main .where"))?.focus();
    else if (event.key === "p" && run.selected) run.pin(run.selected);
    else if (event.key === "?") this.help.showModal();
    else if (event.key >= "1" && event.key <= String(views.length)) run.show(views[Number(event.key) - 1].id);
    else return;
    event.preventDefault();
  }
}

/** Takes the token out of the address, so that the address can be shared, and keeps it for this tab. */
function takeToken() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const token = parts.get("t");
  if (token !== null) {
    sessionStorage.setItem("token", token);
    parts.delete("t");
    const rest = parts.toString();
    history.replaceState(null, "", rest ? "#" + rest : location.pathname);
  }
  return sessionStorage.getItem("token") ?? "";
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

for (const view of views) customElements.define(view.tag, view.view);
customElements.define("inspector-page", InspectorPage);
