package loops

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Each key is new once, however many there are, and when all are forgotten each is new again.
func TestUnread(t *testing.T) {
	var u unread
	for round, n := range []int{3, 1000, 5, 0, 47, 48, 49, 1000} {
		for again := range 2 {
			for i := range n {
				key := float64(uint64(i)*4294967296*7 + uint64(i%13))
				if bytes, ok := u.add(key); !ok || (bytes == interp.EntryBytes) != (again == 0) {
					t.Fatalf("round %d, time %d, key %v: %d bytes, %v", round, again+1, key, bytes, ok)
				}
			}
		}
		if len(u.keys) != n {
			t.Errorf("round %d: %d keys, want %d", round, len(u.keys), n)
		}
		u.clear()
		for _, slot := range u.slots {
			if slot != 0 {
				t.Fatalf("round %d: a slot is used after clear", round)
			}
		}
	}
}

// The table of a sink that nobody reads gets its keys, in their order, when the interpreter goes on with the loop, and otherwise none. Each key
// is paid for once.
func TestUnreadTables(t *testing.T) {
	effect := &ir.Effect{Op: ir.TableSet, Key: ir.Number, Value: &ir.TableItem{Type: ir.Bool}}
	p := &ir.Program{Effects: []*ir.Effect{effect}, Sinks: []ir.Sink{{}}}
	for _, c := range []struct {
		name    string
		of      ownership
		program func(p *ir.Program)
		unread  bool
	}{
		{"temporary", temporaryTable, func(*ir.Program) {}, true},
		{"of the file", ownTable, func(*ir.Program) {}, false},
		{"used elsewhere", sharedTable, func(*ir.Program) {}, false},
		{"names", temporaryTable, func(p *ir.Program) {
			p.Effects = []*ir.Effect{effect, {Op: ir.TableSet, Key: ir.Text, Value: &ir.TableItem{Type: ir.Bool}}}
		}, false},
		{"read", temporaryTable, func(p *ir.Program) { p.Keyed = []ir.Keyed{{Input: 0}} }, false},
		{"tables", temporaryTable, func(p *ir.Program) {
			p.Effects = []*ir.Effect{{Op: ir.TableSet, Key: ir.Number, Value: &ir.TableItem{Kind: ir.ItemTable}}}
		}, false},
	} {
		q := *p
		c.program(&q)
		for _, over := range []bool{true, false} {
			var budget sandbox.Budget
			budget.LimitAllocations(1 << 20)
			budget.Reset(0)
			v := &variant{writer: newTableWriter(&q, func(int) ownership { return c.of }, &budget)}
			table := &lua.LTable{Metatable: lua.LNil}
			v.writer.sinks[0] = table
			before := budget.AllocationsLeft()
			for _, key := range []float64{1 << 33, 1 << 32, 1 << 33, 0} {
				if q.Effects[0].Value.Kind == ir.ItemValue {
					v.writer.SetElement(q.Effects[0], []kernel.Arg{{N: key}, {N: 1}})
				}
			}
			if paid := before - budget.AllocationsLeft(); q.Effects[0].Value.Kind == ir.ItemValue && paid != 3*interp.EntryBytes {
				t.Errorf("%s: %d bytes are paid", c.name, paid)
			}
			if (v.writer.unread[0] != nil) != c.unread {
				t.Errorf("%s: unread %v", c.name, v.writer.unread[0] != nil)
			}
			v.endSinks(over)
			var keys []lua.LValue
			for k, _ := table.Next(lua.LNil); k != lua.LNil; k, _ = table.Next(k) {
				keys = append(keys, k)
			}
			want := 3
			if c.unread && over || q.Effects[0].Value.Kind != ir.ItemValue {
				want = 0
			}
			if len(keys) != want || want > 0 && (keys[0] != lua.LNumber(1<<33) || keys[2] != lua.LNumber(0)) {
				t.Errorf("%s, over %v: the table has %v", c.name, over, keys)
			}
		}
	}
}

// A list has a length, and entries behind its end; when it gets a hole, the table has everything.
func TestUnreadLists(t *testing.T) {
	var u unread
	for _, c := range []struct {
		key   float64
		bytes int64
		ok    bool
		items int
	}{
		{1, interp.EntryBytes, true, 1},
		{2, interp.EntryBytes, true, 2},
		{1, 0, true, 2},
		{2.5, interp.EntryBytes, true, 2},
		{3, interp.EntryBytes, true, 3},
		{0, interp.EntryBytes, true, 3},
		{-1, interp.EntryBytes, true, 3},
		{sandbox.MaxList + 1, interp.EntryBytes, true, 3},
		{5, 0, false, 3},
		{4, interp.EntryBytes, true, 4},
	} {
		if bytes, ok := u.add(c.key); bytes != c.bytes || ok != c.ok || u.items != c.items {
			t.Errorf("%v: %d bytes, %v, %d items", c.key, bytes, ok, u.items)
		}
	}
	table := &lua.LTable{Metatable: lua.LNil}
	u.store(table, new(interp.Boxes))
	if table.Len() != 4 || u.items != 0 || len(u.keys) != 0 {
		t.Errorf("%d items, %+v", table.Len(), u)
	}
}
