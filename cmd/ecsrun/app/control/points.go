package control

import (
	"math"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// world.points: many entities as lists of numbers, without their other values.

const usualPoints = 50_000

// A numberField is a number field of a component.
type numberField struct {
	id    ecs.ComponentID
	field int
}

func numberFieldOf(w *ecs.World, param, text string) (f numberField, err error) {
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return f, wrong(CodeParams, `world.points: %q: a field expected, as Position.x, got %.60q`, param, text)
	}
	if f.id, err = query.Component(w, text[:dot]); err != nil {
		return f, wrongParams(err)
	}
	info, _ := w.ComponentInfo(f.id)
	if f.field, err = query.Field(info.Name, info.Schema, text[dot+1:]); err != nil {
		return f, wrongParams(err)
	}
	if t := info.Schema.Fields()[f.field].Type; !t.Numeric() {
		return f, wrong(CodeParams, `world.points: %q: a number field expected, and %s is %s`, param, text, t)
	}
	return f, nil
}

// of returns the value in a row of a table, or of the entity where it shares the component; false if it has none, or none that is finite.
func (f numberField) of(w *ecs.World, e ecs.Entity) (float64, bool) {
	row, err := w.Ref(e, f.id).Row()
	if err != nil {
		return 0, false
	}
	v := row.Number(f.field)
	return v, !math.IsNaN(v) && !math.IsInf(v, 0)
}

type cloud struct {
	p            *Plane
	query        *query.Query
	x, y, colour *numberField
	tag          *ecs.TagID
	limit, step  int
	table, row   int
	at           int // of the row among those that match
	first        uint64
	out          pointsOf
}

type pointsOf struct {
	Entities []string   `json:"entities"`
	X        []float64  `json:"x"`
	Y        []float64  `json:"y"`
	Colour   []float64  `json:"colour"`
	Shape    []int      `json:"shape"`
	Total    int        `json:"total"`
	Low      [2]float64 `json:"low"`
	High     [2]float64 `json:"high"`
	AsOf     any        `json:"as_of"`
}

func (p *Plane) points(c *call) (any, error) {
	r := &cloud{p: p, limit: usualPoints, first: p.firstFrame(), out: pointsOf{Entities: []string{}, X: []float64{}, Y: []float64{}, Colour: []float64{}, Shape: []int{}}}
	if c.args.has("limit") {
		if r.limit = int(c.args.whole("limit")); r.limit < 1 || r.limit > usualPoints {
			return nil, wrong(CodeParams, `world.points: "limit": 1 to %d expected`, usualPoints)
		}
	}
	for _, f := range []struct {
		param string
		to    **numberField
	}{{"x", &r.x}, {"y", &r.y}, {"colour", &r.colour}} {
		if !c.args.has(f.param) {
			continue
		}
		n, err := numberFieldOf(p.world, f.param, c.args.text(f.param))
		if err != nil {
			return nil, err
		}
		*f.to = &n
	}
	if c.args.has("shape") {
		id, err := query.Tag(p.world, c.args.text("shape"))
		if err != nil {
			return nil, wrongParams(err)
		}
		r.tag = &id
	}
	var err error
	if r.query, err = p.parseQuery(c.args.text("query")); err != nil {
		return nil, err
	}
	r.query.Require(r.x.id, r.y.id)
	candidates := 0
	for _, t := range p.world.Tables() {
		if r.query.Takes(t) {
			candidates += t.Len()
		}
	}
	r.step = max(1, (candidates+r.limit-1)/r.limit)
	c.read = r.on
	return nil, nil
}

// on goes on until some time.
func (r *cloud) on(until time.Time) (bool, any, error) {
	w, tables := r.p.world, r.p.world.Tables()
	for n := 0; r.table < len(tables); r.table, r.row = r.table+1, 0 {
		t := tables[r.table]
		if !r.query.Takes(t) {
			continue
		}
		whole := r.query.Whole(t)
		for r.row < t.Len() {
			if n++; n%64 == 0 && time.Now().After(until) {
				return false, nil, nil
			}
			row := r.row
			r.row++
			if !whole && !r.query.Row(t, row) {
				continue
			}
			r.out.Total++
			if r.at++; (r.at-1)%r.step == 0 {
				r.take(w, t.Entities()[row])
			}
		}
	}
	r.out.AsOf = r.p.asOf(r.first)
	return true, r.out, nil
}

func (r *cloud) take(w *ecs.World, e ecs.Entity) {
	x, ok := r.x.of(w, e)
	y, also := r.y.of(w, e)
	if !ok || !also || len(r.out.X) >= r.limit {
		return
	}
	o := &r.out
	if len(o.X) == 0 {
		o.Low, o.High = [2]float64{x, y}, [2]float64{x, y}
	}
	o.Low = [2]float64{min(o.Low[0], x), min(o.Low[1], y)}
	o.High = [2]float64{max(o.High[0], x), max(o.High[1], y)}
	o.Entities, o.X, o.Y = append(o.Entities, e.String()), append(o.X, x), append(o.Y, y)
	if r.colour != nil {
		v, _ := r.colour.of(w, e)
		o.Colour = append(o.Colour, v)
	}
	if r.tag != nil {
		shape := 0
		if w.Tagged(e, *r.tag) {
			shape = 1
		}
		o.Shape = append(o.Shape, shape)
	}
}
