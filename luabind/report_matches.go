package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	lua "github.com/yuin/gopher-lua"
)

// Counting the rows that a system's loops visit, for `ecsrun bench`. It uses what package loops knows about queries
// in the source, and calls world:count of the script surface with their arguments, inside the window of the system.

// Matches returns the number of entities that the query loops of a system's script match, as the system would see
// them if its turn came now. It counts the loops of update, and of the functions that update holds as upvalues,
// each once, without loops inside loops. So it is the number of entities that a turn visits if each loop runs once
// and to its end. ok is false if there is no such loop, or if the source does not show the query of one. Call it
// between turns only. It runs no turn. A query with conditions on changes costs a walk over its rows.
func (r *Runtime) Matches(system string) (n int, ok bool) {
	sys := r.system(system)
	if sys == nil || sys.update() == nil {
		return 0, false
	}
	q := queried{scripts: r.scripts, functions: map[*lua.LFunction]bool{}, loops: map[*loops.Loop]bool{}}
	if !q.function(sys.update()) || len(q.args) == 0 {
		return 0, false
	}
	err := r.schedule.Call(sys.entry, func(*ecs.World, float64) error {
		return r.guarded(func() error {
			for _, args := range q.args {
				out, err := r.state.CallResults(r.method("count"), 1, append([]lua.LValue{r.bound.Value()}, args...)...)
				if err != nil {
					return err
				}
				count, _ := out[0].(lua.LNumber)
				n += int(count)
			}
			return nil
		})
	})
	return n, err == nil
}

// method returns a function of the Lua object world.
func (r *Runtime) method(name string) lua.LValue {
	ud, _ := r.bound.Value().(*lua.LUserData)
	mt, _ := ud.Metatable.(*lua.LTable)
	methods, _ := mt.RawGetString("__index").(*lua.LTable)
	return methods.RawGetString(name)
}

// A queried collects the arguments that the loops of some functions give to world:each.
type queried struct {
	scripts   *script.Set
	functions map[*lua.LFunction]bool // those visited so far
	loops     map[*loops.Loop]bool    // those counted so far
	args      [][]lua.LValue          // for each counted loop: the arguments of world:each
}

// function adds the loops of a Lua function, and of the functions that it has as upvalues. It returns false when
// the query of one loop is not known.
func (q *queried) function(fn *lua.LFunction) bool {
	if fn.IsG || q.functions[fn] {
		return true
	}
	q.functions[fn] = true
	if of := q.scripts.Lookup(fn.Proto.SourceName); of != nil && of.Loops != nil {
		for _, l := range of.Loops.Loops {
			if l.Outer != nil || q.loops[l] || l.Line < fn.Proto.LineDefined || l.Line > fn.Proto.LastLineDefined {
				continue
			}
			q.loops[l] = true
			args, ok := l.Query(fn)
			if !ok {
				return false
			}
			q.args = append(q.args, args)
		}
	}
	for _, up := range fn.Upvalues {
		if inner, ok := up.Value().(*lua.LFunction); ok && !q.function(inner) {
			return false
		}
	}
	return true
}
