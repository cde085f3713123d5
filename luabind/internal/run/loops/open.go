package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Open templates of a loop: those in which Lua tables from around it are values of any kind (lower/open.go). RUN tries one
// when there is no kernel otherwise, when the tables do not hold what the kernel is for, and when the kernel leaves too
// many rows. Only closures run them.

// An openness says how much of what a loop finds in Lua tables is a value of any kind.
type openness uint8

const (
	closed   openness = iota
	open              // all Lua tables but constants
	openFlat          // constants with tables or functions in them, too: a row may keep one of them in a variable, or return it
)

// mostReopened is how often the open template of a linked one is made anew, because constants or functions have changed.
const mostReopened = 8

// readyOpen is ready for the open templates with the same functions as the template in use. It returns nil, and changes
// nothing, if there is no kernel for them.
func (s *site) readyOpen(state *sandbox.State, r *Runner) *variant {
	if r.Library.off.Has(without.Open) {
		return nil
	}
	k := s.linked
	for k.kind < openFlat {
		if k = s.moreOpen(k, r); k == nil {
			return nil
		}
		if v := s.readyIn(k, state, r); v != nil {
			return v
		}
	}
	return nil
}

// moreOpen returns the next more open template than k for the functions that the variables hold; nil if it was made anew
// too often.
func (s *site) moreOpen(k *linked, r *Runner) *linked {
	if k.opened != nil && !k.opened.holds(s.args, r.Library) {
		if k.reopened++; k.reopened > mostReopened {
			return nil
		}
		k.opened = nil
	}
	if k.opened == nil {
		k.opened = r.kernels[s.number].link(s.links[0], s.args, r.Library, k.next())
		if k.opened.inner = k; k.inner != nil {
			k.opened.inner = k.inner
		}
	}
	return k.opened
}

// next returns the openness of the next more open template.
func (k *linked) next() openness {
	if k.kind == open || k.template.Open {
		return openFlat
	}
	return open
}

// readyIn is ready for another template. It changes nothing if there is no kernel for it.
func (s *site) readyIn(k *linked, state *sandbox.State, r *Runner) *variant {
	if k.reason != nil {
		return nil
	}
	before, latest := s.linked, s.latest
	s.linked = k
	s.lookAt(r)
	if v := s.variant(state, r); v != nil && v.kernel != nil && !v.pace.resting() && v.observed(s.world().ECS()).text == "" && v.begin(s) {
		v.over, v.resumes = latest, false
		if s.resumes && s.leaver < len(s.variants) {
			if of := &s.variants[s.leaver]; of.linked.inner == nil {
				v.over, v.resumes = s.leaver, true
			} else {
				v.over, v.resumes = of.over, of.resumes
			}
		}
		return v
	}
	s.linked, s.latest = before, latest
	s.lookAt(r)
	return nil
}

// leavesFewer reports whether the Program of an open template leaves fewer statements to the interpreter than the one that
// was tried before.
func (s *site) leavesFewer(p *ir.Program) bool {
	statements := func(p *ir.Program) (n int) {
		for _, d := range p.Leaves {
			if d.Statement {
				n++
			}
		}
		return n
	}
	for i := range slices.Backward(s.variants) {
		if v := &s.variants[i]; v.linked == s.inner && v.p != nil {
			return statements(p) < statements(v.p)
		}
	}
	return false
}

// openKind returns the kind of an input of an open template: what a Lua table holds does not matter.
func openKind(k lower.Kind, v lua.LValue, in *lower.Input) lower.Kind {
	if t, ok := v.(*lua.LTable); ok {
		k = lower.Kind{InputKind: lower.TableInput}
		if t.Metatable != lua.LNil {
			k.InputKind = lower.ObjectInput
		}
	}
	return k
}

// library reports whether an input of an open template is a member of a library, such as math.floor or math.pi: a table
// of which the loop calls known functions. v is its value.
func (k *linked) library(input int, names map[lua.LValue]string, v lua.LValue) bool {
	if fn, ok := v.(*lua.LFunction); ok {
		return names[fn] != ""
	}
	for i, in := range k.template.Inputs {
		if in.Member != "" && in.Called && k.bases[i] == k.bases[input] {
			return true
		}
	}
	return false
}

// A luaKernel is a kernel whose inputs and outputs may be Lua tables.
type luaKernel interface {
	SetBoxes(view func(e ecs.Entity, id ecs.ComponentID) lua.LValue, objects [3]lua.LValue)
	SetLua(reg int, v lua.LValue) bool
	SetConstants(tables map[*lua.LTable]struct{})
	SetFunctions(list []*lua.LFunction)
	SetGuarded(tables map[*lua.LTable]struct{}, names []string)
	Lua(reg int) lua.LValue
}

// lua returns the part of the kernel that has Lua tables: of machine code, the closures that do rows for it.
func (v *variant) lua() luaKernel {
	if m, ok := v.kernel.(interface{ Closures() *closures.Kernel }); ok {
		return m.Closures()
	}
	return v.kernel.(luaKernel)
}

// beginOpen gives the kernel of an open template what it has to know about constants and methods.
func (v *variant) beginOpen(s *site) {
	if v.p.Lua && len(s.functions) > 0 {
		v.lua().SetFunctions(s.functions)
	}
	if v.p.Lua {
		if world := s.world(); world != v.boxes {
			v.boxes = world
			v.lua().SetBoxes(world.View, s.objects())
		}
		v.guard(s)
	}
	if !v.p.Lua || len(s.constants)+len(s.classes) == 0 {
		return
	}
	if v.constants == nil {
		v.constants = map[*lua.LTable]struct{}{}
	}
	clear(v.constants)
	for _, t := range s.constantTables() {
		v.constants[t] = struct{}{}
	}
	v.lua().SetConstants(v.constants)
}

// guard tells the kernel where the functions that the template has inlined were found. A row may reach the same tables in
// another way, and must not change what is found there.
func (v *variant) guard(s *site) {
	clear(v.guarded)
	v.names = v.names[:0]
	for i := range s.calls {
		c := &s.calls[i]
		if c.member == "" || c.entry != nil { // tables of constants do not change
			continue
		}
		if v.guarded == nil {
			v.guarded = map[*lua.LTable]struct{}{}
		}
		c.way(s.args, func(t *lua.LTable) { v.guarded[t] = struct{}{} }, func(name string) {
			if !slices.Contains(v.names, name) {
				v.names = append(v.names, name)
			}
		})
	}
	if len(v.names) > 0 {
		v.names = append(v.names, "__index")
	}
	v.lua().SetGuarded(v.guarded, v.names)
}

// setLua sets the register of an input that may be of any kind.
func (v *variant) setLua(place ir.Place, x lua.LValue) bool {
	return v.lua().SetLua(place.Reg, x)
}
