// The view of the log and of events.

import { h, fill, empty } from "./dom.js";
import { valueText } from "./format.js";
import { names } from "./run.js";

const kept = 2000;

/** @type {{ frame: number, kind: string, text: string }[]} */
const lines = [];
/** @type {Set<string>} */
const followed = new Set();
let stopped = false;
/** @type {Set<() => void>} */
const readers = new Set();

/**
 * Follows the log or the events from now on, also while another view is open.
 * @param {import("./run.js").Run} run
 * @param {"log"|"events"} stream
 */
export function follow(run, stream) {
  if (followed.has(stream) || run.connection.saved) return;
  followed.add(stream);
  run.connection.watch(stream, {}, (/** @type {any} */ data, /** @type {number} */ frame) => {
    for (const one of Array.isArray(data) ? data : [data]) {
      if (stream === "events") add(frame, one.event ?? "event", valueText(one.with ?? one));
      else add(frame, logKind(one), typeof one === "string" ? one : one.text ?? JSON.stringify(one));
    }
  });
}

/** @param {any} data */
function logKind(data) {
  return data?.kind === "error" ? "error" : (data?.level ?? data?.kind ?? "log").toLowerCase();
}

/**
 * @param {number} frame
 * @param {string} kind
 * @param {string} text
 */
function add(frame, kind, text) {
  if (stopped) return;
  lines.push({ frame, kind, text });
  if (lines.length > kept) lines.splice(0, lines.length - kept);
  for (const reader of readers) reader();
}

/** The lines that were seen, for a saved page. */
export function logged() {
  return lines;
}

/** @param {any[]} saved */
export function logAgain(saved) {
  lines.push(...saved);
}

export class LogView extends HTMLElement {
  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    follow(run, "log");
    follow(run, "events");
    this.filter = h("input", { type: "search", class: "where wide", placeholder: "text", "aria-label": "only lines with", oninput: () => this.draw() });
    this.kind = h("select", { "aria-label": "kind", onchange: () => this.draw() }, h("option", { value: "" }, "log and events"), h("option", { value: "log" }, "log"), h("option", { value: "events" }, "events"),
      ...names(run.info?.events).map((name) => h("option", {}, name)));
    this.hold = h("button", { "aria-pressed": "false", onclick: () => { stopped = !stopped; this.hold.setAttribute("aria-pressed", String(stopped)); } }, "Hold");
    this.list = h("div", { class: "log", role: "log", tabindex: "0", "aria-label": "log and events" });
    this.append(h("div", { class: "bar" }, this.filter, this.kind, h("span", { class: "grow" }), this.hold, h("button", { onclick: () => { lines.length = 0; this.draw(); } }, "Clear"), this.sending()), this.list);
    this.reader = () => { if (!this.asked) { this.asked = requestAnimationFrame(() => { this.asked = 0; this.draw(); }); } };
    readers.add(this.reader);
    this.draw();
  }

  disconnectedCallback() {
    if (this.reader) readers.delete(this.reader);
  }

  sending() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const events = names(run.info?.events);
    if (run.connection.saved || events.length === 0) return null;
    const event = h("select", { "aria-label": "event" }, ...events.map((name) => h("option", {}, name)));
    const fields = h("input", { class: "where", placeholder: '{"key": "up"}', "aria-label": "fields as JSON", spellcheck: "false" });
    return h("form", { class: "inline", onsubmit: (/** @type {Event} */ submitted) => {
      submitted.preventDefault();
      let sent = {};
      try {
        sent = fields.value.trim() ? JSON.parse(fields.value) : {};
      } catch {
        fields.setAttribute("aria-invalid", "true");
        return;
      }
      fields.removeAttribute("aria-invalid");
      run.change("event.send", { event: event.value, with: sent }, event.value + " was sent");
    } }, event, fields, h("button", {}, "Send"));
  }

  draw() {
    const list = /** @type {HTMLElement} */ (this.list);
    const events = names(this.run?.info?.events);
    const text = this.filter.value.toLowerCase();
    const kind = this.kind.value;
    const shown = lines.filter((line) => (!kind || line.kind === kind || (kind === "events" && events.includes(line.kind)) || (kind === "log" && !events.includes(line.kind))) && (!text || line.text.toLowerCase().includes(text)));
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 30;
    fill(list, shown.length ? shown.slice(-500).map((line) => h("p", { class: "level-" + line.kind }, h("span", { class: "dim figure" }, String(line.frame)), h("span", { class: "kind" }, line.kind), line.text))
      : [empty(lines.length ? "No line has this." : "Nothing was printed or sent yet.", "Lines of print, errors and events come here as they happen.")]);
    if (atEnd) list.scrollTop = list.scrollHeight;
  }
}
