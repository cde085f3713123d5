// A table of any number of rows, of which only the visible ones are elements.

import { h, fill, setText } from "./dom.js";

const rowHeight = 24;
const tallest = 8_000_000; // pixels; browsers cut elements that are higher than some 17 million

/**
 * @typedef {{ key: string, label: string, title?: string, width: number, number?: boolean, sortable?: boolean, text: (row: any) => string }} Column
 *   width is in characters
 */

/**
 * A virtual table. It tells "range" when other rows are visible, "open" with `detail` the index of a row, "sort" with the key of a column.
 */
export class RowTable extends HTMLElement {
  constructor() {
    super();
    /** @type {Column[]} */
    this.columns = [];
    this.total = 0;
    this.first = 0;
    this.active = 0;
    this.sortedBy = "";
    /** @type {(index: number) => any} */
    this.row = () => undefined;
    /** @type {(row: any) => string} */
    this.keyOf = (row) => row?.entity ?? "";
    this.told = "";
    this.chosen = "";
    /** @type {any[]} */
    this.lines = [];
  }

  connectedCallback() {
    if (this.head) return;
    this.head = h("div", { class: "head", role: "row" });
    this.space = h("div", { class: "space" });
    this.body = h("div", { class: "rows", role: "rowgroup" });
    this.scroller = h("div", { class: "scroller", tabindex: "0", role: "grid", "aria-label": this.getAttribute("aria-label") ?? "rows" },
      h("div", { class: "headline", role: "rowgroup" }, this.head), this.body, this.space);
    this.append(this.scroller);
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.scroller.addEventListener("wheel", (/** @type {WheelEvent} */ event) => this.wheel(event), { passive: false });
    this.scroller.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.body.addEventListener("click", (/** @type {Event} */ event) => {
      const line = /** @type {HTMLElement} */ (event.target).closest("[data-index]");
      if (line) this.go(Number(/** @type {HTMLElement} */ (line).dataset.index), true);
    });
    this.sizes = new ResizeObserver(() => this.update());
    this.sizes.observe(this.scroller);
  }

  disconnectedCallback() {
    this.sizes?.disconnect();
  }

  /** @param {Column[]} columns */
  setColumns(columns) {
    this.columns = columns;
    this.style.setProperty("--columns", columns.map((column) => "minmax(" + column.width + "ch, " + (column.number ? "max-content" : column.width * 2 + "ch") + ")").join(" "));
    fill(this.head, columns.map((column) => {
      const sorted = this.sortedBy.replace("-", "") === column.key;
      const order = sorted ? (this.sortedBy.startsWith("-") ? "descending" : "ascending") : "none";
      return h("div", { role: "columnheader", class: column.number ? "number" : null, "aria-sort": order, title: column.title },
        column.sortable ? h("button", { class: "bare", onclick: () => this.dispatchEvent(new CustomEvent("sort", { detail: column.key })) },
          column.label, sorted ? (order === "ascending" ? " ↑" : " ↓") : "") : column.label);
    }));
    this.lines = [];
    fill(this.body, []);
    this.update();
  }

  /** @param {number} total */
  setTotal(total) {
    this.total = total;
    this.active = Math.min(this.active, Math.max(0, total - 1));
    this.update();
  }

  get visible() {
    return Math.max(1, Math.floor(((this.scroller?.clientHeight || 400) - 28) / rowHeight));
  }

  get scaled() {
    return this.total * rowHeight > tallest;
  }

  scrolled() {
    if (this.placing) {
      this.placing = false;
      return;
    }
    const top = this.scroller.scrollTop;
    if (this.scaled) {
      const most = this.scroller.scrollHeight - this.scroller.clientHeight;
      this.first = Math.round((top / Math.max(1, most)) * Math.max(0, this.total - this.visible));
    } else this.first = Math.floor(top / rowHeight);
    this.update();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!this.scaled || event.deltaY === 0) return; // a step of the wheel would pass thousands of rows
    event.preventDefault();
    this.place(this.first + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / rowHeight)));
  }

  /** Shows the table from a row on.
   * @param {number} first */
  place(first) {
    this.first = Math.max(0, Math.min(first, this.total - this.visible));
    const most = this.scroller.scrollHeight - this.scroller.clientHeight;
    const top = this.scaled ? (this.first / Math.max(1, this.total - this.visible)) * most : this.first * rowHeight;
    if (Math.round(top) !== Math.round(this.scroller.scrollTop)) {
      this.placing = true;
      this.scroller.scrollTop = top;
    }
    this.update();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = this.visible - 1;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -this.total, End: this.total };
    if (event.key === "Enter") this.go(this.active, true);
    else if (event.key in steps) this.go(this.active + steps[event.key], false);
    else return;
    event.preventDefault();
  }

  /** Makes a row the active one.
   * @param {number} index
   * @param {boolean} opens */
  go(index, opens) {
    if (this.total === 0) return;
    this.active = Math.max(0, Math.min(index, this.total - 1));
    if (this.active < this.first) this.place(this.active);
    else if (this.active >= this.first + this.visible) this.place(this.active - this.visible + 1);
    else this.update();
    if (opens) this.dispatchEvent(new CustomEvent("open", { detail: this.active }));
  }

  /** Draws the visible rows again. */
  update() {
    if (!this.scroller) return;
    const height = Math.min(this.total * rowHeight, tallest);
    this.space.style.height = height + "px";
    this.first = Math.max(0, Math.min(this.first, this.total - this.visible));
    const count = Math.min(this.visible + 1, this.total - this.first);
    const top = this.scaled ? this.scroller.scrollTop : this.first * rowHeight;
    this.body.style.transform = "translateY(" + top + "px)";
    this.scroller.setAttribute("aria-rowcount", String(this.total + 1));
    while (this.lines.length < count) {
      const cells = this.columns.map((column) => h("div", { role: "gridcell", class: column.number ? "number" : null }));
      const line = h("div", { class: "line", role: "row" }, ...cells);
      this.lines.push({ line, cells });
      this.body.append(line);
    }
    for (const { line } of this.lines.splice(count)) line.remove();
    for (let i = 0; i < count; i++) this.draw(this.lines[i], this.first + i);
    const told = this.first + ":" + count;
    if (told !== this.told) {
      this.told = told;
      this.dispatchEvent(new CustomEvent("range", { detail: { first: this.first, count } }));
    }
  }

  /**
   * @param {{ line: HTMLElement, cells: HTMLElement[], key?: string }} place
   * @param {number} index
   */
  draw(place, index) {
    const row = this.row(index);
    const key = row === undefined ? "" : this.keyOf(row);
    place.line.dataset.index = String(index);
    place.line.id = "row-" + index;
    place.line.setAttribute("aria-rowindex", String(index + 2));
    place.line.classList.toggle("waiting", row === undefined);
    place.line.classList.toggle("active", index === this.active);
    place.line.setAttribute("aria-selected", String(key !== "" && key === this.chosen));
    if (index === this.active) this.scroller.setAttribute("aria-activedescendant", place.line.id);
    const same = place.key === key && key !== "";
    place.key = key;
    this.columns.forEach((column, i) => {
      const text = row === undefined ? "" : column.text(row);
      const cell = place.cells[i];
      cell.classList.toggle("changed", same && cell.textContent !== text);
      setText(cell, text);
      if (!column.number) cell.title = text.length > column.width ? text : "";
    });
  }
}

customElements.define("row-table", RowTable);
