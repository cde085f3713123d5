// The view of one entity: its values, edited in place, who wrote them last, tags, relations.

import { h, fill, setText, empty } from "./dom.js";
import { isEntity } from "./format.js";
import { fieldInput } from "./field.js";
import { names } from "./run.js";

export class EntityView extends HTMLElement {
  constructor() {
    super();
    this.shape = "";
  }

  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.run = run;
    /** @type {{ component: string, field: string, input: ReturnType<typeof fieldInput> }[]} */
    this.inputs = [];
    /** @type {Map<string, HTMLElement>} */
    this.writers = new Map();
    this.listeners = /** @type {[string, () => void][]} */ ([["frame", () => this.load()], ["select", () => this.load()], ["pins", () => this.load()], ["info", () => this.shape === "" && this.load()]]);
    for (const [name, listener] of this.listeners) run.addEventListener(name, listener);
    this.load();
  }

  disconnectedCallback() {
    for (const [name, listener] of this.listeners ?? []) this.run?.removeEventListener(name, listener);
  }

  async load() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    if (!run.selected) {
      this.shape = "";
      return fill(this, [h("h2", {}, "Entity"), empty("No entity is selected.", "Choose a row of the view Entities, or write its name: "), this.asking()]);
    }
    if (this.loading) return;
    this.loading = true;
    try {
      const found = await run.connection.call("entity.get", { entity: run.selected });
      if (!found || !found.components) this.dead();
      else this.show(found);
    } catch (error) {
      this.dead(/** @type {Error} */ (error).message);
    } finally {
      this.loading = false;
    }
  }

  asking() {
    return h("input", { class: "where", placeholder: "17v2", "aria-label": "entity", onchange: (/** @type {any} */ event) => isEntity(event.target.value) && this.run?.select(event.target.value) });
  }

  /** @param {string} [why] */
  dead(why = "") {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    this.shape = "";
    fill(this, [this.heading(), empty(run.selected + " is dead, or never lived.", why)]);
  }

  heading() {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const entity = run.selected;
    const saved = run.connection.saved;
    return h("div", { class: "bar" }, h("h2", {}, entity), h("span", { class: "grow" }),
      h("button", { class: "quiet", onclick: () => run.pin(entity), "aria-pressed": String(run.pins.includes(entity)) }, run.pins.includes(entity) ? "Unpin" : "Pin"),
      saved ? null : h("button", { class: "quiet bad", onclick: () => confirm("Despawn " + entity + "?") && run.change("entity.despawn", { entity }, entity + " is gone") }, "Despawn"),
      /** @type {any} */ (this).closes ? h("button", { class: "quiet", "aria-label": "close", onclick: () => run.select("") }, "×") : null);
  }

  /** @param {any} found */
  show(found) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const components = Object.entries(found.components);
    const shape = JSON.stringify([found.entity, components.map(([name, one]) => [name, /** @type {any} */ (one).from, fieldNames(/** @type {any} */ (one).set)]), found.tags, found.relations, run.pins.includes(run.selected), run.info === null]);
    if (shape !== this.shape) {
      if (this.contains(document.activeElement) && document.activeElement?.matches("input.value") && this.shape.startsWith(JSON.stringify([found.entity]).slice(0, -1))) return; // somebody is writing
      this.shape = shape;
      this.build(found, components);
    }
    for (const { component, field, input } of this.inputs ?? []) {
      input.calm();
      input.show(found.components[component].set?.[field]);
    }
    for (const [component, place] of this.writers ?? []) {
      const one = found.components[component];
      setText(place, one.from ? "from " + one.from : written(one, typeof found.as_of === "number" ? found.as_of : run.info?.frame ?? 0));
    }
  }

  /**
   * @param {any} found
   * @param {[string, any][]} components
   */
  build(found, components) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const saved = run.connection.saved;
    const entity = found.entity;
    this.inputs = [];
    this.writers = new Map();
    const sections = components.map(([name, one]) => {
      const by = h("span", { class: "dim writer" });
      this.writers?.set(name, by);
      const inherited = one.from !== undefined;
      const fields = run.fields(name);
      const rows = Object.keys(one.set ?? {}).map((key) => {
        const field = fields.find((one) => one.name === key) ?? { name: key, type: typeof one.set[key] === "object" ? "table" : typeof one.set[key] };
        const input = fieldInput(field, name + "." + key, (value) => run.change("entity.set", { entity, set: { [name]: { [key]: value } } }), saved || inherited);
        this.inputs?.push({ component: name, field: key, input });
        const link = isEntity(one.set[key]) ? h("button", { class: "bare link", onclick: () => run.select(one.set[key]) }, "→") : null;
        return h("div", { class: "field" }, h("span", { class: "name", title: field.type }, key), input.element, link);
      });
      return h("section", { class: "component" }, h("h3", {}, name, by,
        inherited ? h("button", { class: "bare link", onclick: () => run.select(one.from) }, one.from) : null,
        saved || inherited ? null : h("button", { class: "quiet remove", "aria-label": "remove " + name, title: "remove " + name, onclick: () => run.change("entity.remove", { entity, remove: [name] }) }, "×")),
      ...rows);
    });
    const missing = names(run.info?.components).filter((name) => !(name in found.components));
    fill(this, [
      this.heading(),
      ...sections,
      saved ? null : chooser("add a component", missing, (name) => run.change("entity.add", { entity, add: [name] })),
      h("section", { class: "component" }, h("h3", {}, "tags"), h("div", { class: "chips" },
        ...(found.tags ?? []).map((/** @type {string} */ tag) => h("span", { class: "chip" }, "#" + tag,
          saved ? null : h("button", { class: "quiet", "aria-label": "take the tag " + tag + " away", onclick: () => run.change("entity.untag", { entity, tags: [tag] }) }, "×"))),
        saved ? null : chooser("tag", names(run.info?.tags).filter((tag) => !(found.tags ?? []).includes(tag)), (tag) => run.change("entity.tag", { entity, tags: [tag] })))),
      h("section", { class: "component" }, h("h3", {}, "relations"), ...relations(found.relations).map(([relation, target]) => h("div", { class: "field" },
        h("span", { class: "name" }, relation), h("button", { class: "bare link", onclick: () => run.select(target) }, target),
        saved ? null : h("button", { class: "quiet", "aria-label": "end " + relation + " to " + target, onclick: () => run.change("entity.unrelate", { entity, relation, target }) }, "×"))),
      saved ? null : this.relating(entity)),
    ]);
  }

  /** @param {string} entity */
  relating(entity) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const all = names(run.info?.relations);
    if (all.length === 0) return null;
    const relation = h("select", { "aria-label": "relation" }, ...all.map((name) => h("option", {}, name)));
    const target = h("input", { class: "value", placeholder: "17v2", "aria-label": "target" });
    return h("form", { class: "field", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      run.change("entity.relate", { entity, relation: relation.value, target: target.value });
    } }, relation, target, h("button", {}, "Relate"));
  }
}

/**
 * Who wrote a component, and how long ago.
 * @param {{ by?: string, in?: any }} one
 * @param {number} frame
 */
export function written(one, frame) {
  if (one.by === undefined) return "";
  const when = typeof one.in === "number" ? (one.in === frame ? "in this frame" : frame - one.in + (frame - one.in === 1 ? " frame ago" : " frames ago")) : "in frame " + one.in;
  return (one.by === "unknown" ? "written" : "written by " + one.by) + ", " + when;
}

/** @param {any} set */
function fieldNames(set) {
  return set && typeof set === "object" ? Object.keys(set) : [];
}

/**
 * Relations as pairs of names and targets, whether they came as an object, of one target or several, or as a list.
 * @param {any} relations
 * @returns {[string, string][]}
 */
export function relations(relations) {
  if (!relations) return [];
  return Object.entries(relations).flatMap(([name, targets]) => (Array.isArray(targets) ? targets : [targets]).map((target) => /** @type {[string, string]} */ ([name, target])));
}

/**
 * A list from which one name is chosen, and then done with.
 * @param {string} label
 * @param {string[]} all
 * @param {(name: string) => void} take
 */
function chooser(label, all, take) {
  if (all.length === 0) return null;
  const select = h("select", { class: "chooser", "aria-label": label, onchange: () => { if (select.value) take(select.value); select.value = ""; } },
    h("option", { value: "" }, "+ " + label), ...all.map((name) => h("option", { value: name }, name)));
  return select;
}
