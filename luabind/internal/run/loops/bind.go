package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// Binding: which functions a linked template is for. A script may make a function anew each turn, such as one that
// uses locals of the turn. All functions that the same source has made have the same code, so a template is tied to
// that code and not to one function. When a loop begins with other functions than before, the upvalues of the new ones
// take the places of the old ones.

// A binding has the functions of a linked template, and those of its copies for other environments.
type binding struct {
	calls []linkedCall // a function comes after the one in whose upvalue it is
	cells []*cell      // the upvalues of the functions in calls, after bind
	round int          // how often bind was called
	bound bool         // the cells have the upvalues of the functions in calls
}

// An inlined is the code of a function that is a part of a linked template.
type inlined struct {
	proto *lua.FunctionProto
	env   *lua.LTable
	cells []*cell // by index of the upvalue; nil for one that the template does not use
}

// A cell holds the upvalue that a variable of a linked template stands for. Functions that share the upvalue share
// the cell.
type cell struct {
	up    *lua.Upvalue
	proto *lua.FunctionProto // of the function that had it first
	index int                // of the upvalue there
	round int                // the last binding.round in which up was set
}

// A linkedCall is a function that a linked template has inlined, and the place that has to hold it.
type linkedCall struct {
	source
	variable *syntax.Variable // the variable, if it belongs to the loop's own file
	member   string           // the member of the table there, a lower.Place.Path; "" for the variable itself
	fn       *lua.LFunction   // the function that the place held last
	of       *inlined
	entry    *entry // of a function in a constant table; nil for any other
}

// An entry is where a function is in a table that a template takes for a constant.
type entry struct {
	at   lower.Place  // of the constant
	keys []lua.LValue // the keys that lead to the function, from the table at that place on
	in   *copied      // the copy of the table that has the function
	item int          // its value there
}

// is reports whether a value is a function with that code.
func (of *inlined) is(x lua.LValue) (fn *lua.LFunction, ok bool) {
	fn, ok = x.(*lua.LFunction)
	return fn, ok && !fn.IsG && fn.Proto == of.proto && fn.Env == of.env
}

// now returns what the place of a call holds now; nil if that is not known.
func (c *linkedCall) now(args []lua.LValue) lua.LValue {
	v := called(c.source, c.member, args)
	if c.entry == nil {
		return v
	}
	for _, key := range c.entry.keys {
		t, ok := v.(*lua.LTable)
		if !ok {
			return nil
		}
		v = interp.Get(t, key)
	}
	return v
}

// bind makes the template one for the functions that the places of its calls hold now. It returns false if one of them
// holds another kind of function, or if the functions share other upvalues than those for which the template was made.
func (b *binding) bind(args []lua.LValue) bool {
	b.bound = false
	b.round++
	cells := b.cells[:0]
	for i := range b.calls {
		c := &b.calls[i]
		fn, ok := c.of.is(c.now(args))
		if !ok {
			return false
		}
		for i, to := range c.of.cells {
			if to == nil {
				continue
			}
			switch up := fn.Upvalues[i]; {
			case to.round == b.round:
				if to.up != up {
					return false
				}
			default:
				to.up, to.round = up, b.round
				cells = append(cells, to)
			}
		}
		c.fn = fn
		if c.entry != nil {
			c.entry.in.set(c.entry.item, fn)
		}
	}
	b.cells = cells
	for i := range cells {
		for j := range i {
			if cells[i].up == cells[j].up {
				return false
			}
		}
	}
	b.bound = true
	return true
}

// callsHold reports whether the places of the calls hold the functions that the template has inlined, or others with
// the same code, which it then binds. The functions in constants are compared with the constants.
func (b *binding) callsHold(args []lua.LValue) bool {
	same := b.bound
	for i := 0; same && i < len(b.calls); i++ {
		c := &b.calls[i]
		same = c.entry != nil || c.now(args) == c.fn
	}
	return same || b.bind(args)
}

// call returns a linkedCall for a function that instance has copied.
func (n *linker) call(from source, x lua.LValue) linkedCall {
	fn := x.(*lua.LFunction)
	return linkedCall{source: from, fn: fn, of: n.codes[fn]}
}
