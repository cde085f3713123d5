package luabind

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/condition"
	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Conditions of systems: `when:` in a config. A condition is a Lua expression over resources, states, frame and time, or
// the name of a Go predicate. compileWhen turns it into a Go function while scripts are loaded; the schedule calls
// that function before each turn.

// compileWhen compiles the condition of a system to sys.when. Unknown names and undeclared resources are errors
// now, not when the condition is evaluated. Each evaluation has a budget of its own. Its errors are an
// [ErrCondition] and have no file, because the condition is not in a script.
func (r *Runtime) compileWhen(sys *system) error {
	if sys.When == "" {
		return nil
	}
	bad := func(err error) error {
		se := r.loadError("", sys.Name, "when %q: %w", cut(sys.When), err)
		se.Err = &caused{se.Message, []error{se.Err, ErrCondition}}
		return se
	}
	if name, ok := condition.Native(sys.When); ok {
		sys.when = r.options.Predicates[name]
		if sys.when == nil {
			text := fmt.Sprintf("no native predicate %q is registered", cut(name))
			if near, ok := suggest.Closest(name, slices.Collect(maps.Keys(r.options.Predicates))); ok {
				text += fmt.Sprintf("; did you mean %q?", near)
			}
			return bad(errors.New(text))
		}
		return nil
	}
	var used, states []string
	chunk, err := sandbox.Compile("when", "return "+sys.When, func(file *syntax.Chunk) error {
		ret, ok := file.Stmts[0].(*ast.ReturnStmt)
		if len(file.Stmts) != 1 || !ok || len(ret.Exprs) != 1 {
			return errors.New("one expression expected")
		}
		used, states = namesIn(file, "resources"), namesIn(file, "states")
		return nil
	})
	if err != nil {
		if se := (*sandbox.Error)(nil); errors.As(err, &se) {
			err = errors.New(strings.Replace(se.Message, "end of file", "end", 1)) // a condition is no file
		}
		return bad(err)
	}
	names := []string{"resources", "states", "frame", "time"}
	for _, g := range chunk.Globals() {
		if slices.Contains(names, g.Name) {
			continue
		}
		text := fmt.Sprintf("unknown name %q", cut(g.Name))
		if near, ok := suggest.Closest(g.Name, append(names, "world")); ok && near != "world" {
			text += fmt.Sprintf("; did you mean %q?", near)
		} else {
			text += "; a condition knows resources, states, frame and time"
		}
		return bad(errors.New(text))
	}
	for _, name := range used {
		if _, ok := r.world.LookupResource(name); !ok {
			text := fmt.Sprintf("resource %q is not declared", cut(name))
			if near, ok := suggest.Closest(name, r.world.ResourceNames()); ok {
				text += fmt.Sprintf("; did you mean %q?", near)
			} else {
				text += "; declare it under resources in the config, or with ecs.resource"
			}
			return bad(errors.New(text))
		}
	}
	for _, name := range states {
		if _, ok := r.world.LookupState(name); !ok {
			text := fmt.Sprintf("state %q is not declared", cut(name))
			if near, ok := suggest.Closest(name, r.world.StateNames()); ok {
				text += fmt.Sprintf("; did you mean %q?", near)
			} else {
				text += "; declare it under states in the config"
			}
			return bad(errors.New(text))
		}
	}
	env := r.state.NewEnv(sandbox.EnvOptions{})
	env.Set("resources", r.bound.Resources())
	env.Set("states", r.bound.States())
	fn := env.Load(chunk, nil)
	sys.when = func(w *ecs.World) (bool, error) {
		env.Set("frame", lua.LNumber(w.Frame()))
		env.Set("time", lua.LNumber(w.Time()))
		result := false
		err := r.guarded(func() error {
			out, err := r.state.CallResults(fn, 1)
			result = err == nil && lua.LVAsBool(out[0])
			return err
		})
		if err != nil {
			if r.cancelled(err) {
				return false, r.ctx.Err()
			}
			se := r.scriptError(sys.Name, err)
			se.File, se.Line, se.Excerpt, se.Stack = "", 0, "", nil
			se.Message = fmt.Sprintf("when %q: %s", cut(sys.When), se.Message)
			se.Err = &caused{se.Message, []error{se.Err, ErrCondition}}
			return false, se
		}
		return result, nil
	}
	return nil
}

// namesIn lists the names that a condition reads as OBJECT.NAME, in the order of the source.
func namesIn(file *syntax.Chunk, object string) (out []string) {
	file.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return
		}
		v := file.Bindings.Variable(get.Object)
		if name, ok := get.Key.(*ast.StringExpr); ok && v != nil && v.IsGlobal(object) {
			out = append(out, name.Value)
		}
	}})
	return out
}
