package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	lua "github.com/yuin/gopher-lua"
)

// Tables that only one loop uses (ownership.go), such as local last = {} beside the function of a system: machine code keeps what rows
// have assigned from one turn to the next, and the Lua table does not get it until something needs it. That is anything but the same
// kernel: another one of the loop, one of a loop that calls the function around this one, the interpreter, a snapshot. release does this for a
// loop, Keeping.settled for the loop that keeps a table, and Keeping.Settle for all loops.
//
// What can be seen is the same as if the table were up to date: the kinds of inputs (held.kind), the number of keys by which a kernel
// begins to rest (keyedInput.count), and what new keys cost (Pay).

// mayKeep reports whether a kernel may keep the table of an input of its loop: nothing else of the Program uses the same table.
func mayKeep(p *ir.Program, k *ir.Keyed) bool {
	uses := 0
	for i := range p.Keyed {
		if p.Keyed[i].Input == k.Input {
			uses++
		}
	}
	return uses == 1 && k.Stored && (k.Rows || k.Type != ir.Text) && k.Key == ir.Number &&
		!slices.ContainsFunc(p.Sinks, func(s ir.Sink) bool { return s.Input == k.Input }) &&
		!slices.ContainsFunc(p.Tables, func(t ir.Table) bool { return t.Input == k.Input })
}

// mayKeepRecords reports whether a kernel may keep the tables in a table: they have numbers and booleans only, and each one that rows make
// has all members that rows store. So no row adds a member, which would cost memory, to a table that is kept.
func mayKeepRecords(p *ir.Program, k *ir.Keyed, number int) bool {
	if !k.Makes || len(k.Methods) > 0 {
		return false
	}
	for _, m := range k.Members {
		if m.Kind != ir.Plain || m.Type != ir.Number && m.Type != ir.Bool {
			return false
		}
	}
	return makesWhole(p.Body, k, number)
}

// makesWhole reports whether each table that statements make in a table has all members that rows store.
func makesWhole(body []*ir.Stmt, k *ir.Keyed, number int) bool {
	for _, s := range body {
		if s.Op == ir.PutRow && s.I == number {
			for i, m := range k.Members {
				if m.Stored && !slices.Contains(s.Members, i) {
					return false
				}
			}
		}
		if !makesWhole(s.Body, k, number) || !makesWhole(s.Else, k, number) {
			return false
		}
	}
	return true
}

// count returns the number of keys of the table that are numbers, or more, with those that only the kernel has.
func (in *keyedInput) count() int { return interp.Numbers(in.table) + in.prepaid }

// Pay implements [kernel.Keyed].
func (in *keyedInput) Pay(keys int) {
	in.budget.Allocate(int64(keys) * interp.EntryBytes)
	if in.of == ownTable {
		in.prepaid += keys
	}
}

// pay charges what a key costs that the table gets, unless it was charged when the kernel kept it.
func (in *keyedInput) pay(bytes int64) {
	if bytes > 0 && in.prepaid > 0 {
		in.prepaid--
		return
	}
	in.budget.Allocate(bytes)
}

// take gives an input its table for a run. What the kernel has kept of another table, or what it may not keep any longer, is settled.
func (v *variant) take(s *site, i int, t *lua.LTable) {
	in := &v.keyed[i]
	if in.held != nil && in.held != t {
		delete(s.keeping.tables, in.held)
		v.settle(i)
	}
	in.table = t
	in.keys.begin()
	if in.p.Key == ir.Number && !in.Whole(0) && in.held != nil {
		delete(s.keeping.tables, t)
		v.settle(i)
		in.table = t
	}
	if k, ok := v.kernel.(kernel.Keeper); ok && in.of != sharedTable {
		k.Keep(i, in.of == temporaryTable)
	}
}

// kept notes which tables the kernel keeps after a run. It reports whether there is one.
func (v *variant) kept(s *site) (some bool) {
	k, ok := v.kernel.(kernel.Keeper)
	for i := range v.keyed {
		in := &v.keyed[i]
		switch {
		case ok && in.of == ownTable && k.Kept(i):
			in.held, some = in.table, true
		case in.held != nil:
			delete(s.keeping.tables, in.held)
			in.held = nil
		}
	}
	return some
}

// settle puts what the kernel has kept into the table of an input.
func (v *variant) settle(i int) {
	in := &v.keyed[i]
	in.table = in.held
	v.kernel.(kernel.Keeper).Settle(i)
	in.table, in.held, in.prepaid = nil, nil, 0
}

// A Keeping lists the loops of one Lua state whose kernels keep tables. Its zero value is empty.
type Keeping struct {
	tables map[*lua.LTable]*site // which are kept
	ever   bool
}

// Ever reports whether a kernel has kept a table so far.
func (k *Keeping) Ever() bool { return k.ever }

// Len returns the number of tables that are kept.
func (k *Keeping) Len() int { return len(k.tables) }

// Settle puts what kernels have kept into the Lua tables. It must be called before anything but functions of scripts looks at the values of
// scripts, and before a site is replaced. No loop may be running.
func (k *Keeping) Settle() {
	for _, s := range k.tables { // in any order: they have nothing in common
		s.release(-1)
	}
}

// settled settles a table that another loop than s keeps. The function around that loop may be a part of s, with the loop in it.
func (k *Keeping) settled(t *lua.LTable, s *site) {
	if of := k.tables[t]; of != nil && of != s {
		of.release(-1)
	}
}

// add notes that the kernel of a site that has run keeps tables.
func (k *Keeping) add(s *site) {
	s.holder, s.keeping, k.ever = s.latest, k, true
	if k.tables == nil {
		k.tables = map[*lua.LTable]*site{}
	}
	v := &s.variants[s.holder]
	for i := range v.keyed {
		if t := v.keyed[i].held; t != nil {
			k.tables[t] = s
		}
	}
}

// release settles all tables that a kernel of the loop keeps, unless it is the kernel of that variant; -1 stands for none.
func (s *site) release(variant int) {
	if s.holder < 0 || s.holder == variant {
		return
	}
	v := &s.variants[s.holder]
	s.holder = -1
	for i := range v.keyed {
		if t := v.keyed[i].held; t != nil {
			v.settle(i)
			delete(s.keeping.tables, t)
		}
	}
}

// A held is what a site has to know about kept tables when its loop begins. Its zero value is for a loop that does not begin.
type held struct {
	site    *site
	keeping *Keeping
}

// settled settles a table that another loop keeps.
func (h held) settled(t *lua.LTable) {
	if h.keeping != nil {
		h.keeping.settled(t, h.site)
	}
}

// kind returns the kind of an input that is a table, given the kind by what the table holds: of a kept one, what it will hold.
func (h held) kind(t *lua.LTable, k lower.Kind) lower.Kind {
	if h.site == nil || h.site.holder < 0 {
		return k
	}
	of := &h.site.variants[h.site.holder]
	for i := range of.keyed {
		if in := &of.keyed[i]; in.held == t && in.prepaid > 0 {
			return lower.Kind{InputKind: lower.TableInput, Map: true, Type: in.p.Type, Rows: in.p.Rows}
		}
	}
	return k
}
