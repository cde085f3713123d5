// The view of time: what each system took in each of the last frames.

import { h, fill, setText, empty, download } from "./dom.js";
import { durationText } from "./format.js";
import { drawing, seriesColours, colour, ticks } from "./canvas.js";

const kept = 10000;
const left = 104;

export class TimelineView extends HTMLElement {
  constructor() {
    super();
    /** @type {string[]} */
    this.systems = [];
    /** @type {{ frame: number, seconds: number[] }[]} */
    this.frames = [];
    this.shown = 300;
    this.chosen = -1;
  }

  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    this.zoom = h("select", { "aria-label": "frames shown", onchange: () => { this.shown = Number(this.zoom.value); this.picture?.paint(); } },
      ...[100, 300, 1000, 3000, kept].map((n) => h("option", { value: n, selected: n === this.shown }, n + " frames")));
    this.picture = drawing("time of each system in the last frames; the arrow keys choose a frame", (context, width, height) => this.paint(context, width, height));
    this.picture.canvas.addEventListener("click", (/** @type {MouseEvent} */ event) => this.choose(this.frameAt(event.offsetX)));
    this.picture.canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step === 0) return;
      event.preventDefault();
      this.choose(this.chosen < 0 ? this.frames.length - 1 : this.chosen + step);
    });
    this.detail = h("section", { class: "detail", "aria-live": "polite" });
    this.nothing = h("div", {});
    this.append(h("div", { class: "bar" }, h("h2", {}, "Time of each frame"), h("span", { class: "grow" }), this.zoom,
      h("button", { onclick: () => this.export() }, "Export as Chrome trace")), this.nothing, this.picture.canvas, this.detail);
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
      const after = this.frames.length ? this.frames[this.frames.length - 1].frame : -1;
      const found = await run.connection.call("schedule.turns", { after });
      if (this.systems.length !== found.systems.length || found.first > after + 1) this.frames = [];
      this.systems = found.systems;
      this.frames.push(...found.frames);
      if (this.frames.length > kept) {
        const gone = this.frames.length - kept;
        this.frames.splice(0, gone);
        if (this.chosen >= 0) this.chosen = Math.max(-1, this.chosen - gone);
      }
      fill(this.nothing, this.frames.length ? [] : [empty("No frame has run yet.", "Step with the key . or let the run go on with Space.")]);
    } catch (error) {
      fill(this.nothing, [h("p", { class: "error" }, /** @type {Error} */ (error).message)]);
    } finally {
      this.loading = false;
    }
    this.picture?.paint();
  }

  visible() {
    return this.frames.slice(-this.shown);
  }

  /** @param {number} x */
  frameAt(x) {
    const width = (this.picture?.canvas.clientWidth ?? 1) - left;
    const visible = this.visible();
    const at = Math.floor(((x - left) / width) * visible.length);
    return this.frames.length - visible.length + Math.max(0, Math.min(at, visible.length - 1));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  paint(context, width, height) {
    const visible = this.visible();
    if (visible.length === 0) return;
    const upper = Math.max(60, height - 22 - Math.min(this.systems.length * 18, height * 0.55));
    const total = visible.map((frame) => frame.seconds.reduce((sum, one) => sum + one, 0));
    const dt = this.run?.info?.dt ?? 0;
    const sorted = [...total].sort((a, b) => a - b);
    const top = Math.max(sorted[Math.floor(sorted.length * 0.99)] * 1.2, 1e-6);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const tick of ticks(0, top, 4)) {
      const y = upper - (tick / top) * (upper - 8);
      context.fillStyle = colour("line");
      context.fillRect(left, y, width - left, 1);
      context.fillStyle = colour("dim");
      context.textAlign = "right";
      context.fillText(tick === 0 ? "0" : durationText(tick), left - 6, y);
    }
    const step = (width - left) / visible.length;
    visible.forEach((frame, i) => {
      let y = upper;
      frame.seconds.forEach((seconds, system) => {
        const size = Math.min((seconds / top) * (upper - 8), y);
        context.fillStyle = seriesColours[system % seriesColours.length];
        context.fillRect(left + i * step, y - size, Math.max(step - (step > 3 ? 1 : 0), 0.5), size);
        y -= size;
      });
    });
    if (dt > 0 && dt < top) {
      context.fillStyle = colour("bad");
      context.fillRect(left, upper - (dt / top) * (upper - 8), width - left, 1);
    }
    const rowsTop = upper + 14;
    const rowHeight = Math.max(4, Math.min(18, (height - rowsTop) / Math.max(1, this.systems.length)));
    this.systems.forEach((name, system) => {
      const y = rowsTop + system * rowHeight;
      const most = Math.max(...visible.map((frame) => frame.seconds[system] ?? 0), 1e-9);
      context.fillStyle = seriesColours[system % seriesColours.length];
      visible.forEach((frame, i) => {
        context.globalAlpha = Math.min(1, (frame.seconds[system] ?? 0) / most);
        context.fillRect(left + i * step, y, Math.max(step, 0.5), rowHeight - 1);
      });
      context.globalAlpha = 1;
      if (rowHeight >= 10) {
        context.fillStyle = colour("dim");
        context.textAlign = "right";
        context.fillText(name.length > 15 ? name.slice(0, 14) + "…" : name, left - 6, y + rowHeight / 2);
      }
    });
    const chosen = this.chosen - (this.frames.length - visible.length);
    if (chosen >= 0) {
      context.strokeStyle = colour("text");
      context.strokeRect(left + chosen * step - 0.5, 0.5, Math.max(step, 2), height - 1);
    }
  }

  /** @param {number} index */
  choose(index) {
    const frame = this.frames[index];
    if (!frame) return;
    this.chosen = index;
    this.picture?.paint();
    const total = frame.seconds.reduce((sum, one) => sum + one, 0);
    const order = this.systems.map((name, i) => ({ name, seconds: frame.seconds[i] ?? 0, i })).sort((a, b) => b.seconds - a.seconds);
    fill(this.detail, [h("h3", {}, "frame " + frame.frame + ", " + durationText(total)), h("table", {}, h("tbody", {}, ...order.map((one) => {
      const mark = h("span", { class: "mark" });
      mark.style.background = seriesColours[one.i % seriesColours.length];
      return h("tr", {}, h("th", { scope: "row" }, mark, one.name), h("td", { class: "number" }, durationText(one.seconds)), h("td", { class: "number dim" }, Math.round((one.seconds / Math.max(total, 1e-12)) * 100) + " %"));
    })))]);
  }

  /** Offers the frames in the trace format of Chrome, which Perfetto reads too. */
  export() {
    /** @type {any[]} */
    const events = [];
    let at = 0;
    for (const frame of this.frames) {
      const begin = at;
      frame.seconds.forEach((seconds, i) => {
        if (seconds > 0) events.push({ name: this.systems[i], ph: "X", ts: at * 1e6, dur: seconds * 1e6, pid: 1, tid: 2, args: { frame: frame.frame } });
        at += seconds;
      });
      events.push({ name: "frame " + frame.frame, ph: "X", ts: begin * 1e6, dur: (at - begin) * 1e6, pid: 1, tid: 1 });
    }
    download("ecsrun-trace.json", JSON.stringify({ traceEvents: events, displayTimeUnit: "ms" }), "application/json");
  }
}
