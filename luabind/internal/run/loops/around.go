package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Values around loops, before they run. Once a file has run, the variables around its functions have values. Guess,
// Explain and Query read them there, as upvalues of the functions of systems.

// upvalue returns the value of a variable that is declared around a function; nil if the function does not use it,
// or if it is another variable.
func upvalue(v *syntax.Variable, fn *lua.LFunction) lua.LValue {
	at := slices.Index(fn.Proto.DbgUpvalues, v.InTree())
	if at < 0 || at >= len(fn.Upvalues) || !outside(v, fn.Proto) {
		return nil
	}
	return fn.Upvalues[at].Value()
}

// outside reports whether a variable is declared around a function, judged by lines.
func outside(v *syntax.Variable, p *lua.FunctionProto) bool {
	if v.Kind == syntax.Global {
		return false
	}
	fn := v.Function.Node
	return fn == nil || fn.Line() < p.LineDefined || fn.LastLine() > p.LastLineDefined
}

// Query returns the arguments that the loop gives to world:each, as far as they show without running fn, the
// function that contains the loop: names in quotes, or a query that is an upvalue of fn. ok is false for all other
// arguments.
func (l *Loop) Query(fn *lua.LFunction) (args []lua.LValue, ok bool) {
	for _, arg := range l.Args {
		switch arg := arg.(type) {
		case *ast.StringExpr:
			args = append(args, lua.LString(arg.Value))
		case *ast.IdentExpr:
			v := upvalue(l.names.Of(arg), fn)
			if v == nil || v.Type() != lua.LTUserData || len(l.Args) != 1 {
				return nil, false
			}
			args = append(args, v)
		default:
			return nil, false
		}
	}
	return args, true
}

// mostReached is the largest number of functions of a system that are looked at.
const mostReached = 256

// reached returns some functions, and those of the same file that they have as upvalues, directly or indirectly.
func reached(functions []*lua.LFunction) (out []*lua.LFunction) {
	add := func(fn *lua.LFunction) {
		if fn != nil && !fn.IsG && len(out) < mostReached && !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	for _, fn := range functions {
		add(fn)
	}
	for i := 0; i < len(out); i++ {
		for _, u := range out[i].Upvalues {
			if fn, ok := u.Value().(*lua.LFunction); ok && !fn.IsG && fn.Proto.SourceName == out[i].Proto.SourceName {
				add(fn)
			}
		}
	}
	return out
}

// around returns the innermost of some functions that contains the loop; nil if none does.
func (l *Loop) around(functions []*lua.LFunction) (around *lua.LFunction) {
	for _, fn := range functions {
		p := fn.Proto
		if p.LineDefined <= l.Line && l.Line <= p.LastLineDefined && (around == nil || p.LineDefined >= around.Proto.LineDefined) {
			around = fn
		}
	}
	return around
}

// surroundings returns the values of the variables around a loop, for each input of its own template; nil for those
// that are not known. around is the function that contains the loop, nil if it is not known.
func (l *Loop) surroundings(around *lua.LFunction) []lua.LValue {
	values := make([]lua.LValue, len(l.Template.Inputs))
	if around == nil {
		return values
	}
	for i, in := range l.Template.Inputs {
		v := upvalue(in.Variable, around)
		if v != nil && in.Member != "" {
			t, ok := v.(*lua.LTable)
			if !ok {
				continue
			}
			v = t.RawGetString(in.Member)
		}
		values[i] = v
	}
	return values
}

// expected returns the template that a loop will probably run with, the kinds of its inputs, and the values of
// those that are known. It combines the values outside the loop with what the source shows.
func (l *Loop) expected(world *surface.World, functions []*lua.LFunction, library *Library) (k *linked, kinds []lower.Kind, values []lua.LValue, reason *Reason) {
	guesses, reason := l.kinds(world.ECS())
	if reason != nil {
		return nil, nil, nil, reason
	}
	fn := l.around(functions)
	around := l.surroundings(fn)
	var args []lua.LValue
	for i, in := range l.Template.Inputs {
		if in.Member == "" {
			args = append(args, around[i])
		}
	}
	var env *lua.LTable
	if fn != nil {
		env = fn.Env
	}
	k = l.own(env)
	if !k.holds(args, library) {
		k = l.link(k, args, library)
	}
	if k.reason != nil {
		return nil, nil, nil, k.reason
	}
	n := len(k.template.Inputs)
	kinds, values = make([]lower.Kind, n), make([]lua.LValue, n)
	var names map[lua.LValue]string
	if library != nil {
		names = library.names
	}
	k.kinds(args, world, nil, names, values, kinds)
	for i, in := range k.template.Inputs {
		same := func(member string) int {
			return slices.IndexFunc(l.Template.Inputs, func(o lower.Input) bool { return o.Variable == in.Variable && o.Member == member })
		}
		of := same(in.Member)
		if of < 0 {
			if base := same(""); base >= 0 && around[base] == nil { // a member that only functions of other files use
				if kinds[i], reason = l.guessOf(in).in(world.ECS(), l.Line); reason != nil {
					return nil, nil, nil, reason
				}
			}
			continue
		}
		if _, ok := around[of].(*lua.LFunction); ok || around[of] == nil {
			kinds[i], values[i] = guesses[of], nil
		}
	}
	return k, kinds, values, nil
}

// listed reports whether the source shows that an input is a table with elements.
func (l *Loop) listed(in lower.Input) bool {
	i := slices.IndexFunc(l.Template.Inputs, func(o lower.Input) bool { return o.Variable == in.Variable && o.Member == in.Member })
	return i >= 0 && l.guess[i].listed
}
