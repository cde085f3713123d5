package luabind

import (
	"io"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Code from outside. It is compiled as load compiles a text, in an environment beside those of the mods, and runs as a turn of the
// inspector, under limits of its own.

// What the code of one edit may use.
const (
	evalInstructions = 1_000_000
	evalBytes        = 16 << 20 // of Lua values
	evalPrints       = 1 << 20  // bytes that are kept of what it prints
)

// ofConsole words the limits of code from outside: those of the config do not count for it.
var ofConsole = strings.NewReplacer("(limits.instructions)", "(the limit of an eval)", "(limits.allocations)", "(the limit of an eval)")

// codeName is the name of the code in messages.
const codeName = "eval"

// CheckCode returns what is wrong with the syntax of code for [EditEval], nil if nothing is.
func CheckCode(code string) error {
	_, err := sandbox.Compile(codeName, code)
	return err
}

func (r *Runtime) compileCode(code string) (*lua.LFunction, error) {
	env := r.scripts.Environment(script.Console)
	chunk, err := sandbox.CompileText(codeName, code, env.Env)
	if err != nil {
		return nil, err
	}
	if env.Table.RawGetString("world") == lua.LNil {
		env.BuiltIn("ecs")
		env.Set("ecs", env.Module("ecs"))
		env.Set("world", r.bound.Value())
	}
	return env.LoadText(chunk), nil
}

// eval runs a function as the inspector.
func (r *Runtime) eval(fn *lua.LFunction) (res Result, err error) {
	limits := r.options.Limits
	r.options.Limits.Instructions, r.options.Limits.Allocations = evalInstructions, evalBytes
	r.console = &strings.Builder{}
	defer func() {
		res.Printed = r.console.String()
		r.options.Limits, r.console = limits, nil
	}()
	r.running = &system{System: System{Name: Inspector}}
	defer func() { r.running = nil }()
	r.state.Plain(false)
	err = r.guarded(func() error {
		out, err := r.state.CallResults(fn, -1)
		for _, v := range out {
			var plain ecs.Value
			if plain, err = r.surface.Answer(v); err != nil {
				break
			}
			res.Values = append(res.Values, plain)
		}
		r.bound.EndTurn()
		if err == nil {
			err = r.state.SpentAfter(fn)
		}
		if err != nil {
			return err
		}
		r.applying = true
		defer func() { r.applying = false }()
		return r.world.Commands().ApplyCharged(r.charge)
	})
	res.Done = err == nil
	return res, err
}

// A printed is where print of the environment of code from outside writes: to the result of the edit that runs, otherwise
// to where scripts print.
type printed struct {
	*Runtime
	to io.Writer
}

func (p printed) Write(b []byte) (int, error) {
	switch c := p.console; {
	case c != nil:
		c.Write(b[:min(len(b), evalPrints-c.Len())])
	case p.to != nil:
		return p.to.Write(b)
	}
	return len(b), nil
}
