package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Calls of RUN: its arguments and its results, which template.go describes. RUN is a Go function with two forms.
// Package interp calls the one that gets its arguments from registers. It declines a loop that walks something new,
// because the functions that find out what is walked take their arguments from gopher-lua's stack. gopher-lua, and
// package interp after that, call the form that uses the stack.

// The places of the arguments of RUN, counted from 0.
const (
	numberAt    = 0
	generatorAt = 1 // the generator of a walk that was handed over; nil for a loop that begins
	firstInput  = 2 // variables; after them the world and the arguments of each
)

// A call is one call of RUN. A site uses its call again and again.
type call struct {
	given int            // the number of variables
	args  []lua.LValue   // their values; numbers in them are valid until the call returns
	head  []lua.LValue   // the world, and the arguments of each
	out   []interp.Value // the results

	all     []lua.LValue
	numbers []float64
}

// take takes the arguments.
func (c *call) take(args []interp.Value) {
	if len(c.numbers) < len(args) {
		c.numbers = make([]float64, len(args))
	}
	c.all = c.all[:0]
	for i := range args {
		c.all = append(c.all, args[i].Borrow(&c.numbers[i]))
	}
	c.args = c.all[firstInput : firstInput+c.given]
	c.head = c.all[firstInput+c.given:]
	c.out = c.out[:0]
}

// end forgets the values, so that the garbage collector can free them.
func (s *site) end() {
	clear(s.all)
	clear(s.values)
}

// A running is the function RUN of one instance of a file.
type running struct {
	*Runner
	owner any // the instance
	state *sandbox.State
	sites []site
	args  []interp.Value
}

// function makes RUN for one instance of the file.
func (r *Runner) function(state *sandbox.State, env *sandbox.Env, owner any) *lua.LFunction {
	f := &running{Runner: r, owner: owner, state: state, sites: make([]site, len(r.kernels))}
	for i, l := range r.kernels {
		f.sites[i] = newSite(i, l, env)
	}
	return state.NewMulti(f.stack, f.registers)
}

// stack is the form of RUN for gopher-lua.
func (f *running) stack(L *lua.LState) int {
	f.args = f.args[:0]
	for i := range L.GetTop() {
		f.args = append(f.args, interp.Of(L.Get(i+1)))
	}
	results, _ := f.run(L, f.args, true)
	clear(f.args)
	for i := range results {
		L.Push(boxed(results[i]))
	}
	return len(results)
}

// registers is the form of RUN for package interp.
func (f *running) registers(L *lua.LState, args []interp.Value) (results []interp.Value, ok bool) {
	return f.run(L, args, false)
}

// declined are the results of RUN if the interpreter is to run the whole loop.
var declined = []interp.Value{interp.Nil}

// run calls RUN. The results are valid until the next call. ok is false if nothing was done, because the arguments
// must be on the stack of L.
func (f *running) run(L *lua.LState, args []interp.Value, stack bool) (results []interp.Value, ok bool) {
	s := &f.sites[int(args[numberAt].Num)-1]
	why := f.refuses()
	f.state.Budget().Compile(why.text == "")
	if why.text != "" && args[generatorAt].IsNil() {
		if why == inObserver {
			f.begins(s)
			f.fell(s, why, false)
			s.why = why
		}
		return declined, true
	}
	if s.steady.ready && !stack && s.again(L, f.state, f.Runner, args) {
		return s.out, true
	}
	s.steady.ready = false
	s.take(args)
	if generator, over := s.all[generatorAt].(*lua.LFunction); over {
		s.goOn(L, f.state, f.Runner, generator)
	} else if !s.run(L, f.state, f.Runner, args, stack) {
		s.end()
		return declined, stack
	}
	s.end()
	return s.out, true
}

// dropFirst removes the first n arguments from the stack.
func dropFirst(L *lua.LState, n int) {
	top := L.GetTop()
	for i := n + 1; i <= top; i++ {
		L.Replace(i-n, L.Get(i))
	}
	L.SetTop(top - n)
}

// decline makes the interpreter run the whole loop.
func (s *site) decline() {
	s.out = append(s.out, interp.Nil)
}

// done makes the results of RUN for a walk that is over, when the variables keep their values.
func (s *site) done() {
	s.out = append(s.out, interp.True, interp.Nil)
	for _, out := range s.links[0].outputs {
		s.out = append(s.out, interp.Of(s.args[out.arg]))
	}
}

// push makes the results of RUN: done, rest, and the variables that the loop assigns. v is the variant whose kernel
// has run, nil if none has.
func (s *site) push(v *variant, done, rest interp.Value) {
	s.out = append(s.out, done, rest)
	for _, out := range s.outputs {
		x := interp.Of(s.args[out.arg])
		switch {
		case v == nil || out.input < 0:
		case s.sources[out.input].cell != nil: // the variable has its value already: see end
			x = interp.Of(s.sources[out.input].cell.up.Value())
		default:
			x = v.output(s, out.input, x)
		}
		s.out = append(s.out, x)
	}
}

// pushReturn makes the results of RUN for a kernel that has come to a return statement, with the values of that.
func (s *site) pushReturn(v *variant) {
	results := v.kernel.Results()
	values := v.p.Sites[int(results[0].N)]
	s.push(v, interp.Number(float64(len(values)+1)), interp.Nil)
	for _, arg := range values {
		x := interp.Nil
		if arg >= 0 {
			switch r := results[arg]; r.Type {
			case ir.Bool:
				x = interp.Bool(r.N != 0)
			case ir.Text:
				x.Ref = lua.LString(r.S)
			default:
				x = interp.Number(r.N)
			}
		}
		s.out = append(s.out, x)
	}
}

// output returns the value of an assigned variable after the kernel has run. before is the value that it had.
func (v *variant) output(s *site, input int, before interp.Value) interp.Value {
	for _, out := range v.p.Outputs {
		if out.Input != input {
			continue
		}
		if out.Mark >= 0 && !v.kernel.Bool(out.Mark) {
			if out.Nil {
				return interp.Nil
			}
			return before
		}
		return v.result(s, out)
	}
	return before
}
