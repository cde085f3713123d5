package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Lua tables that a loop writes and does not read. A kernel records what is stored, and calls SetElement when a row
// is done (closures), or when a batch of rows is done (machine code).

// A tableWriter stores in the tables of one variant. It implements [kernel.TableWriter].
type tableWriter struct {
	sinks  []*lua.LTable // by ir.Effect.Sink
	fills  []fill        // by ir.Effect.Sink
	makers []maker       // by ir.Effect.Index
	boxes  interp.Boxes
	budget *sandbox.Budget
	world  *surface.World // of the views in the tables
	views  []storedView   // by component: the view that was stored last
}

// A storedView is the value of a view of a row. A row makes one at most.
type storedView struct {
	component ecs.ComponentID
	entity    ecs.Entity
	value     lua.LValue
}

// view returns the value of a view of the row of an entity.
func (w *tableWriter) view(e ecs.Entity, id ecs.ComponentID) lua.LValue {
	i := slices.IndexFunc(w.views, func(v storedView) bool { return v.component == id })
	if i < 0 {
		i = len(w.views)
		w.views = append(w.views, storedView{component: id})
	}
	if v := &w.views[i]; v.value == nil || v.entity != e {
		v.entity, v.value = e, w.world.View(e, id)
	}
	return w.views[i].value
}

// A fill counts what one run of the loop stores in a table. The next run reserves that much room in the table at
// its beginning.
type fill struct{ items, others int }

// mostReserved is the largest room that is reserved; leastReserved is the smallest that is worth it.
const (
	mostReserved  = 1 << 14
	leastReserved = 32
)

// reserve makes room in a table for as much as the last run of the loop has stored.
func (f *fill) reserve(t *lua.LTable) {
	if f.items+f.others >= leastReserved {
		interp.Reserve(t, min(f.items, mostReserved), min(f.others, mostReserved))
	}
	*f = fill{}
}

// newTableWriter returns the writer of a Program; nil if no effect of the Program stores in a Lua table.
func newTableWriter(p *ir.Program, budget *sandbox.Budget) *tableWriter {
	n := len(p.Sinks)
	if n == 0 {
		return nil
	}
	w := &tableWriter{sinks: make([]*lua.LTable, n), fills: make([]fill, n), makers: make([]maker, len(p.Effects)), budget: budget}
	for i, e := range p.Effects {
		if e.Op == ir.TableSet {
			w.makers[i] = newMaker(e.Value)
		}
	}
	return w
}

// beginSinks looks up the tables. It returns false if one of them is also another input, because the loop would
// then read what it writes.
func (v *variant) beginSinks(s *site) bool {
	if v.writer == nil {
		return true
	}
	v.writer.world = s.world()
	for i, sink := range v.p.Sinks {
		t := s.values[sink.Input].(*lua.LTable)
		v.writer.sinks[i] = t
		v.writer.fills[i].reserve(t)
		for j := range s.template.Inputs {
			if j != sink.Input && s.values[j] == lua.LValue(t) {
				return false
			}
		}
		for j := range v.tables {
			if slices.Contains(v.tables[j].rows, t) {
				return false
			}
		}
	}
	return true
}

// endSinks forgets the tables, so that the garbage collector can free them.
func (v *variant) endSinks() {
	if v.writer != nil {
		clear(v.writer.sinks)
		clear(v.writer.views)
		v.writer.views = v.writer.views[:0]
	}
}

// SetElement implements [kernel.TableWriter].
func (w *tableWriter) SetElement(e *ir.Effect, args []kernel.Arg) {
	t := w.sinks[e.Sink]
	x, _ := w.makers[e.Index].value(w, args[1:])
	switch key := args[0].N; e.Key {
	case ir.Text:
		w.budget.Allocate(interp.GrowthBytes(t, lua.LString(args[0].S), x))
		t.RawSetString(args[0].S, x)
	case ir.Bool:
		w.budget.Allocate(interp.SetOther(t, lua.LBool(key != 0), x))
	case ir.Number:
		bytes, item := setNumber(t, key, x, &w.boxes)
		w.budget.Allocate(bytes)
		if item {
			w.fills[e.Sink].items++
		} else {
			w.fills[e.Sink].others++
		}
	}
}

func (w *tableWriter) key(e *ir.Effect, args []kernel.Arg) lua.LValue {
	switch e.Key {
	case ir.Text:
		return lua.LString(args[0].S)
	case ir.Bool:
		return lua.LBool(args[0].N != 0)
	}
	return w.boxes.Number(args[0].N)
}

// ElementBytes implements [kernel.PricedWriter]. The row may have set the key already, so this is only the most.
func (w *tableWriter) ElementBytes(e *ir.Effect, args []kernel.Arg) int64 {
	return max(sandbox.EntryBytes, interp.GrowthBytes(w.sinks[e.Sink], w.key(e, args), lua.LTrue))
}

// setNumber sets t[key] = x, without metatables. A new key may be -0. It returns the price, and whether the key is in the list part.
func setNumber(t *lua.LTable, key float64, x lua.LValue, boxes *interp.Boxes) (bytes int64, item bool) {
	if interp.IsItem(t, key) {
		return interp.SetItem(t, int(key), x), true
	}
	return interp.Set(t, boxes.Number(key), x), false
}

// A maker makes a value that is stored in a table: an ir.TableItem with its names converted to Lua values.
type maker struct {
	*ir.TableItem
	items  []maker
	named  []maker
	labels []lua.LValue   // the names of named
	layout *interp.Layout // of tables with these names; nil if there is none
}

// newMaker prepares the making of an item.
func newMaker(item *ir.TableItem) maker {
	m := maker{TableItem: item}
	for _, x := range item.Items {
		m.items = append(m.items, newMaker(x))
	}
	for _, x := range item.Named {
		if x.Value.Kind == ir.ItemNil {
			continue // it makes no entry, and takes no argument
		}
		m.named, m.labels = append(m.named, newMaker(x.Value)), append(m.labels, lua.LString(x.Name))
	}
	m.layout = interp.NewLayout(m.labels...)
	return m
}

// value makes the value from the first arguments, and returns the remaining ones.
func (m *maker) value(w *tableWriter, args []kernel.Arg) (lua.LValue, []kernel.Arg) {
	switch m.Kind {
	case ir.ItemNil:
		return lua.LNil, args
	case ir.ItemValue:
		switch x := args[0]; m.Type {
		case ir.Bool:
			return lua.LBool(x.N != 0), args[1:]
		case ir.Text:
			return lua.LString(x.S), args[1:]
		default:
			return w.boxes.Number(x.N), args[1:]
		}
	case ir.ItemView:
		e, _ := ecs.EntityFromNumber(args[0].N)
		return w.view(e, m.View), args[1:]
	}
	var t interp.TableMaker
	if m.layout != nil {
		t = m.layout.Table(len(m.items))
	} else {
		t = interp.NewTable(len(m.items), len(m.named))
	}
	for i := range m.items {
		var x lua.LValue
		x, args = m.items[i].value(w, args)
		t.Append(x)
	}
	for i := range m.named {
		var x lua.LValue
		x, args = m.named[i].value(w, args)
		t.Set(m.labels[i], x)
	}
	return t.Table(), args
}
