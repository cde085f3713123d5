// The view of the map: two fields as places, a third as colour, tags as shapes, a brush that selects.

import { h, fill, setText, empty } from "./dom.js";
import { valueText, countText } from "./format.js";
import { drawing, colour, ticks } from "./canvas.js";
import { queryBox } from "./querybox.js";
import { names } from "./run.js";

const edge = 34;
const most = 50000;

export class MapView extends HTMLElement {
  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    /** @type {{ entities: string[], x: number[], y: number[], colour: number[], shape: number[], total: number, low: number[], high: number[] } | null} */
    this.points = null;
    this.box = null;
    const change = () => { this.box = null; this.load(); };
    this.x = h("select", { "aria-label": "x", onchange: change });
    this.y = h("select", { "aria-label": "y", onchange: change });
    this.ink = h("select", { "aria-label": "colour", onchange: change });
    this.shape = h("select", { "aria-label": "a tag that is drawn as squares", onchange: change });
    this.layer = h("select", { "aria-label": "ground", onchange: change });
    this.facts = h("span", { class: "dim", role: "status" });
    this.error = h("p", { class: "error", role: "alert" });
    this.picture = drawing("map of entities; drag to select those in a rectangle", (context, width, height) => this.paint(context, width, height));
    this.chosen = h("section", { class: "detail", "aria-live": "polite" });
    this.nothing = h("div", {});
    const canvas = this.picture.canvas;
    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => { canvas.setPointerCapture(event.pointerId); this.box = [event.offsetX, event.offsetY, event.offsetX, event.offsetY]; });
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => { if (this.box && event.buttons) { this.box = [this.box[0], this.box[1], event.offsetX, event.offsetY]; this.picture?.paint(); } });
    canvas.addEventListener("pointerup", () => this.brush());
    this.append(h("div", { class: "bar" }, queryBox(run, change), h("label", {}, "x ", this.x), h("label", {}, "y ", this.y), h("label", {}, "colour ", this.ink), h("label", {}, "squares ", this.shape), this.layer, this.facts), this.error, this.nothing, canvas, this.chosen);
    this.again = () => { this.offer(); this.load(); };
    run.addEventListener("frame", this.again);
    this.offer();
    this.load();
  }

  disconnectedCallback() {
    if (this.again) this.run?.removeEventListener("frame", this.again);
  }

  offer() {
    const info = this.run?.info;
    if (!info || this.offered) return;
    this.offered = true;
    const fields = info.components.flatMap((component) => (component.fields ?? []).filter((field) => /^[iuf]\d+$/.test(field.type)).map((field) => component.name + "." + field.name));
    const like = (/** @type {RegExp} */ pattern) => fields.find((field) => pattern.test(field)) ?? "";
    fill(this.x, fields.map((field) => h("option", { selected: field === (like(/position\.x$/i) || like(/\.x$/)) }, field)));
    fill(this.y, fields.map((field) => h("option", { selected: field === (like(/position\.y$/i) || like(/\.y$/)) }, field)));
    fill(this.ink, [h("option", { value: "" }, "none"), ...fields.map((field) => h("option", {}, field))]);
    fill(this.shape, [h("option", { value: "" }, "none"), ...names(info.tags).map((tag) => h("option", {}, tag))]);
    const layers = (/** @type {any} */ (info).layers ?? []).map((/** @type {any} */ one) => (typeof one === "string" ? one : one.name));
    this.layer.hidden = layers.length === 0;
    fill(this.layer, [h("option", { value: "" }, "no ground"), ...layers.map((/** @type {string} */ one) => h("option", {}, one))]);
  }

  async load() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (this.loading || run.connection.state !== "open" || !run.info) return;
    if (!this.x.value || !this.y.value) return fill(this.nothing, [empty("No component has numbers.", "The map needs two fields of numbers, such as Position.x and Position.y.")]);
    this.loading = true;
    try {
      const params = /** @type {Record<string, any>} */ ({ x: this.x.value, y: this.y.value, limit: most });
      if (run.query) params.query = run.query;
      if (this.ink.value) params.colour = this.ink.value;
      if (this.shape.value) params.shape = this.shape.value;
      if (this.layer.value) params.layer = this.layer.value;
      this.points = await run.connection.call("world.points", params);
      setText(this.error, "");
    } catch (error) {
      setText(this.error, /** @type {Error} */ (error).message);
    } finally {
      this.loading = false;
    }
    const points = this.points;
    const none = !points || points.x.length === 0;
    fill(this.nothing, none ? [empty("No entity has both fields.", "Choose other fields or another query.")] : []);
    if (points) setText(this.facts, countText(points.x.length) + (points.total > points.x.length ? " of " + countText(points.total) : "") + " entities");
    this.picture?.paint();
  }

  /** How places become pixels: equal scales for both axes where their spans are alike.
   * @param {number} width
   * @param {number} height */
  scale(width, height) {
    const points = /** @type {any} */ (this.points);
    const [lowX, lowY] = points.low;
    const spanX = points.high[0] - lowX || 1;
    const spanY = points.high[1] - lowY || 1;
    const alike = spanX / spanY < 8 && spanY / spanX < 8;
    const each = Math.min((width - 2 * edge) / spanX, (height - 2 * edge) / spanY);
    const sx = alike ? each : (width - 2 * edge) / spanX;
    const sy = alike ? each : (height - 2 * edge) / spanY;
    const left = (width - spanX * sx) / 2;
    const top = (height - spanY * sy) / 2;
    return { x: (/** @type {number} */ n) => left + (n - lowX) * sx, y: (/** @type {number} */ n) => top + (n - lowY) * sy };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  paint(context, width, height) {
    const points = this.points;
    if (!points || points.x.length === 0) return;
    const at = this.scale(width, height);
    const ground = /** @type {any} */ (points).layer;
    if (ground) paintGround(context, ground, at);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colour("dim");
    context.textAlign = "center";
    for (const tick of ticks(points.low[0], points.high[0], Math.floor((at.x(points.high[0]) - at.x(points.low[0])) / 90))) context.fillText(valueText(tick), at.x(tick), height - 8);
    context.textAlign = "left";
    for (const tick of ticks(points.low[1], points.high[1], Math.floor((at.y(points.high[1]) - at.y(points.low[1])) / 50))) context.fillText(valueText(tick), 2, at.y(tick) + 4);
    const lowest = points.colour.length ? Math.min(...spread(points.colour)) : 0;
    const highest = points.colour.length ? Math.max(...spread(points.colour)) : 1;
    const plain = colour("accent");
    const size = Math.max(1.5, Math.min(5, 120 / Math.sqrt(points.x.length)));
    for (let i = 0; i < points.x.length; i++) {
      const x = at.x(points.x[i]);
      const y = at.y(points.y[i]);
      context.fillStyle = points.colour.length ? "hsl(" + (250 - 220 * ((points.colour[i] - lowest) / (highest - lowest || 1))) + " 65% 50%)" : plain;
      const shape = points.shape[i] ?? 0;
      context.beginPath();
      if (shape === 1) context.rect(x - size, y - size, 2 * size, 2 * size);
      else context.arc(x, y, size, 0, 7);
      context.fill();
      if (points.entities[i] === this.run?.selected) { context.strokeStyle = colour("text"); context.lineWidth = 2; context.beginPath(); context.arc(x, y, size + 4, 0, 7); context.stroke(); }
    }
    if (this.box) { context.strokeStyle = colour("accent"); context.lineWidth = 1; const [x1, y1, x2, y2] = this.box; context.strokeRect(x1, y1, x2 - x1, y2 - y1); }
  }

  brush() {
    const points = this.points;
    const canvas = this.picture?.canvas;
    if (!points || !this.box || !canvas) return;
    let [x1, y1, x2, y2] = this.box;
    if (Math.abs(x2 - x1) < 4 && Math.abs(y2 - y1) < 4) { x1 -= 6; x2 += 6; y1 -= 6; y2 += 6; this.box = null; }
    const at = this.scale(canvas.clientWidth, canvas.clientHeight);
    const found = points.entities.filter((_, i) => {
      const x = at.x(points.x[i]);
      const y = at.y(points.y[i]);
      return x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
    });
    if (found.length === 1) this.run?.select(found[0]);
    fill(this.chosen, found.length === 0 ? [] : [h("h3", {}, countText(found.length) + (found.length === 1 ? " entity" : " entities")), h("div", { class: "chips" },
      ...found.slice(0, 200).map((entity) => h("button", { class: "chip link", onclick: () => this.run?.select(entity) }, entity)), found.length > 200 ? h("span", { class: "dim" }, "and " + countText(found.length - 200) + " more") : null)]);
    this.picture?.paint();
  }
}


/** A part of a long list that is small enough for arguments of a call.
 * @param {number[]} list */
function spread(list) {
  return list.length <= 20000 ? list : list.filter((_, i) => i % Math.ceil(list.length / 20000) === 0);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number, values: number[] }} ground
 * @param {{ x: (n: number) => number, y: (n: number) => number }} at
 */
function paintGround(context, ground, at) {
  const low = Math.min(...spread(ground.values));
  const high = Math.max(...spread(ground.values));
  const w = at.x(1) - at.x(0);
  const hgt = at.y(1) - at.y(0);
  for (let y = 0; y < ground.height; y++) {
    for (let x = 0; x < ground.width; x++) {
      const share = (ground.values[y * ground.width + x] - low) / (high - low || 1);
      if (share === 0) continue;
      context.fillStyle = "hsl(95 30% 50% / " + share * 0.6 + ")";
      context.fillRect(at.x(x) - w / 2, at.y(y) - hgt / 2, w + 0.5, hgt + 0.5);
    }
  }
}
