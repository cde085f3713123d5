// The view of plots: resources, counts and aggregates over frames.

import { h, fill, setText, empty } from "./dom.js";
import { valueText } from "./format.js";
import { drawing, seriesColours, colour, ticks } from "./canvas.js";
import { names } from "./run.js";

const kept = 2000;
const left = 64;

/** The series that the page follows. They outlive the view, so that a plot goes on while another view is open.
 * @type {{ expression: string, error: string, points: { frame: number, value: number }[] }[]} */
const series = [];
let following = false;

/**
 * Takes a value of each series in each frame that the page sees.
 * @param {import("./run.js").Run} run
 */
async function sample(run) {
  if (series.length === 0 || run.connection.state !== "open") return;
  const frame = run.info?.frame ?? 0;
  for (const one of series) {
    const last = one.points[one.points.length - 1];
    if (last && last.frame === frame) continue;
    if (last && last.frame > frame) one.points = one.points.filter((point) => point.frame < frame);
    try {
      const answer = await run.connection.call("world.sample", { expression: one.expression });
      const value = Number(answer);
      one.error = "";
      if (answer !== null && Number.isFinite(value)) one.points.push({ frame, value });
      if (one.points.length > kept) one.points.splice(0, one.points.length - kept);
    } catch (error) {
      one.error = /** @type {Error} */ (error).message;
    }
  }
}

export class PlotsView extends HTMLElement {
  constructor() {
    super();
    this.shape = "";
  }

  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    if (!following) {
      following = true;
      run.addEventListener("frame", () => sample(run));
    }
    this.input = h("input", { class: "where wide", placeholder: "sum(Health.current), count(#enemy), score", "aria-label": "what is plotted", list: "plot-names", spellcheck: "false" });
    this.offered = h("datalist", { id: "plot-names" });
    this.list = h("div", { class: "plots" });
    this.append(h("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.add(); } }, this.input, this.offered, h("button", { class: "primary" }, "Plot")), this.list);
    this.show = () => this.draw();
    run.addEventListener("info", this.show);
    this.offer();
    this.draw();
  }

  disconnectedCallback() {
    if (this.show) this.run?.removeEventListener("info", this.show);
  }

  offer() {
    const info = this.run?.info;
    const all = names(info?.resources);
    for (const component of info?.components ?? []) {
      all.push("count(" + component.name + ")");
      for (const field of component.fields ?? []) if (/^[iuf]\d+$/.test(field.type)) all.push("sum(" + component.name + "." + field.name + ")", "mean(" + component.name + "." + field.name + ")");
    }
    for (const tag of names(info?.tags)) all.push("count(#" + tag + ")");
    fill(/** @type {Element} */ (this.offered), all.map((value) => h("option", { value })));
  }

  async add() {
    const expression = this.input.value.trim();
    if (!expression || series.some((one) => one.expression === expression)) return;
    series.push({ expression, error: "", points: [] });
    this.input.value = "";
    await sample(/** @type {any} */ (this.run));
    this.draw();
  }

  draw() {
    if (this.offered?.children.length === 0) this.offer();
    const shape = series.map((one) => one.expression).join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.pictures = series.map((one, i) => {
        const value = h("output", { class: "figure" });
        const error = h("p", { class: "error" });
        const picture = drawing(one.expression + " over frames", (context, width, height) => paint(context, width, height, one.points, seriesColours[i % seriesColours.length]));
        const place = h("section", { class: "plot" }, h("h3", {}, one.expression, value,
          h("button", { class: "quiet", "aria-label": "end the plot of " + one.expression, onclick: () => { series.splice(series.indexOf(one), 1); this.draw(); } }, "×")), error, picture.canvas);
        return { one, value, error, picture, place };
      });
      fill(this.list, this.pictures.length ? this.pictures.map((one) => one.place) : [empty("Nothing is plotted.",
        "Write a resource, or count, sum, mean, min or max of a query and a field: mean(Health.current; #enemy). Values are taken while the page is open; ecsrun run --sample takes every frame.")]);
    }
    for (const { one, value, error, picture } of this.pictures ?? []) {
      setText(value, one.points.length ? valueText(one.points[one.points.length - 1].value) : "–");
      setText(error, one.error);
      picture.paint();
    }
  }
}

/** What the plots hold, for a saved page. */
export function plotted() {
  return series;
}

/** @param {any[]} saved */
export function plotAgain(saved) {
  series.push(...saved);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 * @param {{ frame: number, value: number }[]} points
 * @param {string} ink
 */
function paint(context, width, height, points, ink) {
  if (points.length === 0) return;
  const values = points.map((point) => point.value);
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (low === high) { low -= 1; high += 1; }
  const first = points[0].frame;
  const span = Math.max(1, points[points.length - 1].frame - first);
  const x = (/** @type {number} */ frame) => left + ((frame - first) / span) * (width - left - 8);
  const y = (/** @type {number} */ value) => height - 18 - ((value - low) / (high - low)) * (height - 30);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const tick of ticks(low, high, 4)) {
    context.fillStyle = colour("line");
    context.fillRect(left, y(tick), width - left, 1);
    context.fillStyle = colour("dim");
    context.textAlign = "right";
    context.fillText(valueText(tick), left - 6, y(tick));
  }
  context.textAlign = "center";
  for (const tick of ticks(first, first + span, Math.max(2, Math.floor(width / 120)))) context.fillText(String(tick), x(tick), height - 7);
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.beginPath();
  points.forEach((point, i) => (i === 0 ? context.moveTo(x(point.frame), y(point.value)) : context.lineTo(x(point.frame), y(point.value))));
  context.stroke();
}
