// The view of entities: a query, its rows, pinned rows.

import { h, fill, setText, empty } from "./dom.js";
import { countText, valueText } from "./format.js";
import { queryBox } from "./querybox.js";
import { RowTable } from "./table.js";
import { names } from "./run.js";

const page = 100;

export class EntitiesView extends HTMLElement {
  constructor() {
    super();
    /** @type {Map<number, any[]>} pages of rows by number */
    this.pages = new Map();
    /** @type {any[]} rows in the order they came, where the rows cannot be counted */
    this.rows = [];
    /** @type {string|null} */
    this.cursor = null;
    this.sort = "";
    this.columnsOf = "";
    this.asking = false;
    this.ended = false;
    this.begun = false;
    this.generation = 0;
    this.table = new RowTable();
  }

  connectedCallback() {
    const run = /** @type {import("./run.js").Run} */ (/** @type {any} */ (this).run);
    this.facts = h("span", { class: "dim", role: "status" });
    this.error = h("p", { class: "error", role: "alert", hidden: true });
    this.where = h("input", { class: "where", placeholder: "where Position.x > 10", "aria-label": "where: a Lua expression over fields", spellcheck: "false",
      onchange: () => this.restart() });
    this.table.setAttribute("aria-label", "entities");
    this.pinned = h("section", { class: "pinned", "aria-label": "pinned entities" });
    this.nothing = h("div", {});
    this.append(
      h("div", { class: "bar" }, queryBox(run, () => this.restart()), this.where, this.facts,
        h("button", { onclick: () => this.spawn() }, "Spawn")),
      this.error, this.pinned, this.table, this.nothing);
    this.table.row = (index) => this.counted ? this.pages.get(Math.floor(index / page))?.[index % page] : this.rows[index];
    this.table.addEventListener("range", () => this.load());
    this.table.addEventListener("open", (/** @type {any} */ event) => {
      const row = this.table.row(event.detail);
      if (row) run.select(row.entity);
    });
    this.table.addEventListener("sort", (/** @type {any} */ event) => {
      this.sort = this.sort === "-" + event.detail ? event.detail : this.sort === event.detail ? "" : "-" + event.detail;
      this.restart();
    });
    this.listeners = /** @type {[string, () => void][]} */ ([["frame", () => this.again()], ["info", () => this.begin()], ["select", () => this.choose()], ["pins", () => this.showPins()]]);
    for (const [name, listener] of this.listeners) run.addEventListener(name, listener);
    this.run = run;
    this.begin();
  }

  disconnectedCallback() {
    for (const [name, listener] of this.listeners ?? []) this.run?.removeEventListener(name, listener);
  }

  /** Whether rows can be asked for by number. */
  get counted() {
    return !this.sort && !this.where.value.trim();
  }

  begin() {
    if (this.begun || !this.run?.info) return;
    this.begun = true;
    this.restart();
    this.showPins();
  }

  restart() {
    this.generation++;
    this.pages.clear();
    this.rows = [];
    this.cursor = null;
    this.ended = false;
    this.asking = false;
    this.columnsOf = "";
    this.table.first = 0;
    this.table.active = 0;
    this.table.told = "";
    this.load();
  }

  /** Asks again for what is visible, since the world went on. */
  again() {
    if (this.asking) return;
    if (!this.counted && this.rows.length > page) return; // a list that was scrolled stays as it was read
    this.load(true);
    this.showPins();
  }

  /** @param {boolean} [fresh] whether rows that are here are asked for again */
  async load(fresh = false) {
    const run = this.run;
    if (!run || this.asking || run.connection.state !== "open") return;
    this.asking = true;
    const generation = this.generation;
    try {
      if (this.counted) await this.loadPages(fresh);
      else await this.loadList(fresh);
      this.error.hidden = true;
    } catch (error) {
      if (generation === this.generation) {
        setText(this.error, /** @type {Error} */ (error).message);
        this.error.hidden = false;
      }
    }
    if (generation === this.generation) this.asking = false;
  }

  /** @param {boolean} fresh */
  async loadPages(fresh) {
    const table = this.table;
    const from = Math.floor(table.first / page);
    const to = Math.floor((table.first + table.visible) / page);
    const missing = [];
    for (let number = from; number <= to; number++) if (fresh || !this.pages.has(number)) missing.push(number);
    for (const number of missing) {
      const generation = this.generation;
      const answer = await this.ask(number === 0 ? { limit: page } : { limit: page, cursor: number * page });
      if (generation !== this.generation) return;
      if (fresh) for (const old of [...this.pages.keys()]) if (old < from || old > to) this.pages.delete(old);
      this.pages.set(number, answer.rows);
      this.show(answer.rows, answer.total);
    }
  }

  /** @param {boolean} fresh */
  async loadList(fresh) {
    const table = this.table;
    const rows = this.rows;
    const atEnd = table.first + table.visible >= rows.length;
    if (!fresh && rows.length > 0 && (!atEnd || this.ended)) return;
    const params = /** @type {Record<string, any>} */ ({ limit: this.sort ? 1000 : page });
    if (this.where.value.trim()) params.where = this.where.value.trim();
    if (this.sort) params.sort = this.sort;
    else if (!fresh && this.cursor) params.cursor = this.cursor;
    const generation = this.generation;
    const answer = await this.ask(params);
    if (generation !== this.generation) return;
    this.rows = fresh || this.sort ? answer.rows : [...rows, ...answer.rows];
    this.cursor = answer.cursor;
    this.ended = !answer.cursor;
    this.show(this.rows, answer.total);
  }

  /** @param {Record<string, any>} params */
  ask(params) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    // Rows have the values of components that the query names: without any, all are asked for.
    const named = run.query.split(",").some((term) => /^\s*(\?|\w)/.test(term));
    const all = named ? [] : names(run.info?.components).map((name) => "?" + name);
    const query = [...(run.query ? [run.query] : []), ...all].join(", ");
    return run.connection.call("world.query", query ? { query, ...params } : params);
  }

  /**
   * @param {any[]} rows
   * @param {number|null} total
   */
  show(rows, total) {
    const table = this.table;
    const columns = this.columns(rows);
    const described = this.sort + " " + columns.map((column) => column.key).join(" ");
    if (described !== this.columnsOf) {
      this.columnsOf = described;
      table.sortedBy = this.sort;
      table.setColumns(columns);
    }
    const known = this.counted ? total ?? rows.length : rows.length;
    table.chosen = this.run?.selected ?? "";
    if (known !== table.total) table.setTotal(known);
    else table.update();
    const counted = typeof total === "number" ? countText(total) : countText(known) + (this.ended ? "" : " or more");
    setText(this.facts, counted + (known === 1 ? " entity" : " entities") + (this.sort && typeof total === "number" && total > known ? ", the first " + known : ""));
    table.hidden = known === 0;
    fill(this.nothing, known > 0 ? [] : [
      this.run?.query || this.where.value
        ? empty("No entity matches.", "A name without a sign must be there, ! means that it must not, # is a tag, ? asks for a value without requiring it.")
        : empty("The world has no entities.", "Scripts make them with world:spawn. Or use the button Spawn.")]);
  }

  /**
   * The columns of a set of rows: the entity, a column for each field of the components of the query, else of those of the first rows.
   * @param {any[]} rows
   * @returns {import("./table.js").Column[]}
   */
  columns(rows) {
    const run = /** @type {import("./run.js").Run} */ (this.run);
    const present = new Set();
    for (const row of rows.slice(0, page)) for (const name of Object.keys(row.components ?? {})) present.add(name);
    const shown = names(run.info?.components).filter((name) => present.has(name));
    /** @type {import("./table.js").Column[]} */
    const columns = [{ key: "entity", label: "entity", width: 9, text: (row) => row.entity }];
    for (const component of shown) {
      const fields = run.fields(component);
      if (fields.length === 0) {
        columns.push({ key: component, label: component, width: Math.max(8, component.length + 1), text: (row) => valueAt(row, component) });
        continue;
      }
      for (const field of fields) {
        const key = component + "." + field.name;
        const number = /^[iuf]\d+$|number/.test(field.type);
        columns.push({ key, label: key, title: field.type, width: Math.max(number ? 10 : 14, key.length + 3), number, sortable: true,
          text: (row) => row.components?.[component] === undefined ? "–" : valueText(row.components[component][field.name]) });
      }
    }
    columns.push({ key: "tags", label: "tags", width: 18, text: (row) => (row.tags ?? []).map((/** @type {string} */ tag) => "#" + tag).join(" ") });
    return columns;
  }

  choose() {
    this.table.chosen = this.run?.selected ?? "";
    this.table.update();
  }

  async showPins() {
    const run = this.run;
    if (!run || !this.pinned) return;
    if (run.pins.length === 0) return fill(this.pinned, []);
    const rows = await Promise.all(run.pins.map((entity) => run.connection.call("entity.get", { entity }).catch(() => null)));
    fill(this.pinned, run.pins.map((entity, i) => h("div", { class: "pin" },
      h("button", { class: "bare link", onclick: () => run.select(entity) }, entity),
      h("span", {}, rows[i] ? Object.entries(rows[i].components).map(([name, one]) => name + " " + valueText(/** @type {any} */ (one).set ?? one)).join("  ") : "dead"),
      h("button", { class: "quiet", "aria-label": "unpin " + entity, onclick: () => run.pin(entity) }, "×"))));
  }

  async spawn() {
    const { ok, value } = await /** @type {any} */ (this.run).change("entity.spawn", {}, "spawned");
    if (ok) this.run?.select(value);
  }
}

/**
 * @param {any} row
 * @param {string} component
 */
function valueAt(row, component) {
  const value = row.components?.[component];
  return value === undefined ? "–" : typeof value === "object" && value && Object.keys(value).length === 0 ? "✓" : valueText(value);
}
