package control

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// world.query: pages of rows. A page that takes long goes on at later edges; meanwhile rows may move.

// How many rows an answer has.
const (
	usualRows = 100
	mostRows  = 10_000
)

func reading() []*Method {
	return []*Method{
		{
			Name: "world.info", Doc: "Describes the world and the run.", Reads: true, Result: "world and run",
			Params: []Param{{"digest", Truth, false, "also the digest, which takes time in a large world"}},
			do:     (*Plane).info,
		},
		{
			Name: "world.query", Doc: "Answers a page of the entities that match.", Reads: true, Result: "rows, total, cursor, as_of",
			Params: []Param{
				{"query", Text, false, "Name, !Name, ?Name, #tag, !#tag, changed(Name), changed(Name, FRAME), (Relation, 17v2), (Relation, *), with commas between them; all entities if it is left out"},
				{"where", Text, false, "a Lua expression over fields (Position.x > 10), entity (ecs.name(entity) == '17v2') and frame"},
				{"sort", Text, false, "a field, Health.current or -Health.current; the answer has the first rows only"},
				{"limit", Whole, false, "how many rows, 100 if it is left out, 10,000 at most"},
				{"cursor", Cursor, false, "that of the answer before, or how many rows to pass over"},
			},
			do: (*Plane).query,
		},
		{
			Name: "entity.get", Doc: "Answers everything about an entity, with the last writer of each component.", Reads: true, Result: "components, tags, relations",
			Params: []Param{{"entity", Entity, true, "which one"}},
			do:     (*Plane).get,
		},
	}
}

// A page is a world.query under way.
type page struct {
	p     *Plane
	query *query.Query
	where *where
	sort  *sorting
	limit int

	table, row int    // of the next row to look at
	skip       int    // matching rows to pass over
	seen       int    // matching rows that were passed over
	counted    int    // matching rows so far
	total      int    // that an earlier page has counted; -1: it is to be counted
	next       string // the cursor of the next page
	rows       []match
	first      uint64 // the frame in which it began
}

// A pageOf is the answer.
type pageOf struct {
	Rows   []match `json:"rows"`
	Total  int     `json:"total"`
	Cursor *string `json:"cursor"`
	AsOf   any     `json:"as_of"`
}

func (p *Plane) query(c *call) (any, error) {
	r, err := p.newPage(c.args)
	if err == nil {
		c.read = r.on
	}
	return nil, err
}

// newPage begins a page.
func (p *Plane) newPage(a args) (*page, error) {
	r := &page{p: p, limit: usualRows, total: -1, rows: []match{}, first: p.firstFrame()}
	if a.has("limit") {
		if r.limit = int(a.whole("limit")); r.limit > mostRows {
			return nil, wrong(CodeParams, `world.query: "limit": %d is the most`, mostRows)
		}
	}
	var err error
	if r.query, err = p.parseQuery(a.text("query")); err != nil {
		return nil, err
	}
	if text := a.text("where"); strings.TrimSpace(text) != "" {
		if r.where, err = newWhere(p.world, text); err != nil {
			return nil, err
		}
	}
	if text := a.text("sort"); text != "" {
		if r.sort, err = sortBy(p.world, text); err != nil {
			return nil, err
		}
		if a.has("cursor") {
			return nil, wrong(CodeParams, `world.query: "sort" gives the first rows only; it goes with "limit", not with "cursor"`)
		}
	}
	if text := a["cursor"]; text != nil {
		if err := r.from(text); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// from begins at a cursor.
func (r *page) from(text json.RawMessage) error {
	if text[0] != '"' {
		r.skip = int(math.MaxInt32)
		_ = json.Unmarshal(text, &r.skip)
		return nil
	}
	var s string
	_ = json.Unmarshal(text, &s)
	var n int
	if _, err := fmt.Sscanf(s, "%d.%d.%d.%d", &r.table, &r.row, &r.seen, &n); err != nil || r.table < 0 || r.row < 0 || r.seen < 0 || n < -1 {
		return wrong(CodeParams, `world.query: "cursor": %s is not the cursor of an earlier answer`, shortened(text))
	}
	r.total, r.counted = n, r.seen
	return nil
}

// on goes on until some time. A sorted page has the first rows of one pass.
func (r *page) on(until time.Time) (bool, any, error) {
	tables := r.p.world.Tables()
	for n := 0; r.table < len(tables); r.table, r.row = r.table+1, 0 {
		t := tables[r.table]
		if !r.query.Takes(t) {
			continue
		}
		whole := r.query.Whole(t) && r.where == nil
		for r.row < t.Len() {
			if whole && r.sort == nil && r.jump(t) {
				break
			}
			if n++; n%64 == 0 && time.Now().After(until) {
				return false, nil, nil
			}
			row := r.row
			r.row++
			if !whole && !r.query.Row(t, row) {
				continue
			}
			if r.where != nil {
				holds, err := r.where.holds(t.Entities()[row], r.p.world.Frame())
				if err != nil {
					return true, nil, err
				}
				if !holds {
					continue
				}
			}
			if r.take(t.Entities()[row], row) {
				return r.end()
			}
		}
	}
	return r.end()
}

// jump passes over rows of a table that match all, and reports whether none of its rows is left.
func (r *page) jump(t *ecs.Table) bool {
	left := t.Len() - r.row
	n := 0
	switch {
	case r.full():
		r.mark(r.row)
		n = left
	case r.skip > 0:
		n = min(left, r.skip)
		r.skip, r.seen = r.skip-n, r.seen+n
	}
	r.row, r.counted = r.row+n, r.counted+n
	return r.row == t.Len()
}

func (r *page) full() bool { return r.sort == nil && r.skip == 0 && len(r.rows) >= r.limit }

// mark notes where the next page begins.
func (r *page) mark(row int) {
	if r.next == "" {
		r.next = fmt.Sprintf("%d.%d.%d.", r.table, row, r.seen+len(r.rows))
	}
}

// take takes a matching row, and reports whether the page is complete.
func (r *page) take(e ecs.Entity, row int) bool {
	switch {
	case r.sort != nil:
		r.sort.take(r, e)
	case r.skip > 0:
		r.skip--
		r.seen++
	case r.full():
		r.mark(row)
		if r.total >= 0 {
			return true
		}
	default:
		r.rows = append(r.rows, copied(r.p.world, r.query, e))
	}
	r.counted++
	return false
}

func (r *page) end() (bool, any, error) {
	out := pageOf{Rows: r.rows, Total: r.counted, AsOf: r.p.asOf(r.first)}
	if r.total >= 0 {
		out.Total = r.total
	}
	if r.sort != nil {
		out.Rows = r.sort.rows(r)
	} else if r.next != "" && r.limit > 0 {
		next := fmt.Sprintf("%s%d", r.next, out.Total)
		out.Cursor = &next
	}
	return true, out, nil
}

// A sorting keeps the first rows of an order: by a field, then as they come. Rows without the component, and NaN, come last.
type sorting struct {
	id      ecs.ComponentID
	field   int
	falling bool
	kept    []ranked
	n       int
}

type ranked struct {
	entity ecs.Entity
	value  ecs.Value // nil for none
	place  int
}

// sortBy parses "Health.current" and "-Health.current".
func sortBy(w *ecs.World, text string) (*sorting, error) {
	s := &sorting{}
	text, s.falling = strings.CutPrefix(strings.TrimSpace(text), "-")
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return nil, wrong(CodeParams, `world.query: "sort": a field expected, as in Health.current or -Health.current, got %.60q`, text)
	}
	var err error
	if s.id, err = query.Component(w, text[:dot]); err != nil {
		return nil, wrongParams(err)
	}
	info, _ := w.ComponentInfo(s.id)
	if s.field, err = query.Field(info.Name, info.Schema, text[dot+1:]); err != nil {
		return nil, wrongParams(err)
	}
	return s, nil
}

func (s *sorting) take(r *page, e ecs.Entity) {
	k := ranked{entity: e, place: s.n}
	s.n++
	if row, err := r.p.world.Ref(e, s.id).Row(); err == nil {
		k.value = row.Get(s.field)
	}
	if len(s.kept) >= 2*r.limit+64 {
		s.cut(r.limit)
	}
	if len(s.kept) < r.limit || r.limit == 0 || s.compare(k, s.kept[min(r.limit, len(s.kept))-1]) < 0 || len(s.kept) > r.limit {
		s.kept = append(s.kept, k)
	}
}

// cut keeps the first rows.
func (s *sorting) cut(limit int) {
	slices.SortFunc(s.kept, s.compare)
	s.kept = s.kept[:min(limit, len(s.kept))]
}

func (s *sorting) compare(a, b ranked) int {
	if x, y := missing(a.value), missing(b.value); x != y {
		if x {
			return 1
		}
		return -1
	} else if x {
		return cmp.Compare(a.place, b.place)
	}
	var c int
	switch a.value.Kind() {
	case ecs.StringValue:
		c = strings.Compare(a.value.Str(), b.value.Str())
	case ecs.BoolValue:
		c = cmp.Compare(map[bool]int{true: 1}[a.value.Bool()], map[bool]int{true: 1}[b.value.Bool()])
	case ecs.EntityValue:
		c = cmp.Compare(a.value.Entity(), b.value.Entity())
	default:
		c = cmp.Compare(a.value.Float(), b.value.Float())
	}
	if s.falling {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(a.place, b.place))
}

// missing reports whether a value has no place in an order.
func missing(v ecs.Value) bool {
	f := v.Float()
	return v.Kind() == ecs.NilValue || v.Kind() == ecs.TableValue || f != f
}

func (s *sorting) rows(r *page) []match {
	s.cut(r.limit)
	out := []match{}
	for _, k := range s.kept {
		if r.p.world.Alive(k.entity) {
			out = append(out, copied(r.p.world, r.query, k.entity))
		}
	}
	return out
}

// firstFrame and asOf say which state a read has seen: a frame, or the first and the last one.
func (p *Plane) firstFrame() uint64 {
	if f := p.world.Frame(); f > 0 && (p.inside || p.stand.within != nil) {
		return f - 1
	}
	return p.world.Frame()
}

func (p *Plane) asOf(first uint64) any {
	if last := p.world.Frame(); last != first && (p.stand.within == nil || last-1 != first) {
		return [2]uint64{first, last}
	}
	return first
}
