package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A Program is what the rewritten loops of a file need when the file is loaded.
type Program struct {
	Loops []*Loop // all loops of the file over entities or events, by line

	// Compile says whether kernels run, asked whenever a loop begins; nil: never.
	Compile func() bool

	// Machine makes machine code, nil when there can be none; nil: never.
	Machine func(p *kernel.Program, q *ecs.Query) kernel.Code

	// Place gives the number that commands queued at a line carry.
	Place func(line int) uint16

	// Differs is told of machine code that did something else than closures, in the loop
	// of a line; nil: nothing is compared.
	Differs func(line int, d *kernel.Difference)

	// Falls are the loops that the interpreter ran although they may have kernels: each with each of its reasons, in the order in which they came up.
	Falls []Fall

	openers []opener
	kernels []*Loop
	guesses []*Guess // by kernel; nil once they are forgotten
	made    int      // kernels
	machine int      // those of machine code
}

// opener is what the hidden function does for one rewritten loop.
type opener struct {
	guards []guard
	layout surface.Layout
}

// hiddenOpen is the name of the function that begins rewritten loops.
const hiddenOpen = "\x00loop"

// mostLoops bounds what is rewritten in a file.
const mostLoops = 100

// Rewrite returns a pass that rewrites the simple loops of a file and fills in p.
// A file that compiles no more with it, for want of registers, is to be compiled
// without.
func Rewrite(p *Program) sandbox.Pass {
	return func(chunk []ast.Stmt) ([]ast.Stmt, error) {
		f := &finder{}
		f.file(chunk)
		p.Loops, p.openers, p.kernels = f.loops, nil, nil
		full := false
		for _, n := range f.nests {
			if full = full || len(p.openers)+len(p.kernels)+len(n.loops) > mostLoops; full {
				n.leave(tooManyLoops(n.root))
				continue
			}
			interpreted := *n.slot
			if n.reason == nil {
				interpreted = p.rewrite(n)
			}
			if n.root.Kernel != nil {
				interpreted = p.call(n, interpreted)
			}
			*n.slot = interpreted
		}
		return chunk, nil
	}
}

// Fill gives values to the hidden names of a file that is about to be loaded into
// an environment that no script has run in yet.
func (p *Program) Fill(s *surface.Surface, state *sandbox.State, env *sandbox.Env) map[string]lua.LValue {
	if p == nil || len(p.openers)+len(p.kernels) == 0 {
		return nil
	}
	library, _ := env.Table.RawGetString("math").(*lua.LTable)
	pure := pureOf(library)
	open := make([]*lua.LFunction, len(p.openers))
	for i, o := range p.openers {
		open[i] = s.FieldLoop(o.layout)
	}
	run := state.NewFunction(p.runner(state, env, library))
	return map[string]lua.LValue{hiddenRun: run, hiddenOpen: state.NewFunction(func(L *lua.LState) int {
		i := int(L.Get(1).(lua.LNumber)) - 1
		world := surface.WorldOf(L.Get(2))
		for j, g := range p.openers[i].guards {
			v := L.Get(3 + j)
			if g.global {
				v = env.Table.RawGetString(g.name)
			}
			if world == nil || !g.holds(v, world, pure) {
				L.Push(lua.LNil)
				return 1
			}
		}
		for range p.openers[i].guards {
			L.Remove(3)
		}
		L.Remove(1)
		return open[i].GFunction(L)
	})}
}

// place is Place, 0 without it.
func (p *Program) place(line int) uint16 {
	if p.Place == nil {
		return 0
	}
	return p.Place(line)
}

// layout is which fields a loop reads and writes.
func (l *Loop) layout() surface.Layout {
	var out surface.Layout
	for _, v := range l.Views {
		out.Views = append(out.Views, v.Tested)
		for _, f := range v.Fields {
			ref := surface.FieldRef{View: v.Index, Field: f.Name, Number: f.Use == Number, Text: f.Use == Text}
			if f.Read {
				out.Reads = append(out.Reads, ref)
			}
			if f.Written {
				out.Writes = append(out.Writes, ref)
			}
		}
	}
	return out
}
