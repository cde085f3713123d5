package sandbox

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// A PlainFunction does what the library function does, or declines.
func TestPlainFunctionsAreTheLibrary(t *testing.T) {
	s := New(Options{})
	var printed bytes.Buffer
	env := s.NewEnv(EnvOptions{Print: &printed})
	library := func(name string) lua.LValue {
		if module, fn, ok := strings.Cut(name, "."); ok {
			return env.Table.RawGetString(module).(*lua.LTable).RawGetString(fn)
		}
		return env.Table.RawGetString(name)
	}
	values := []ecs.Value{
		{},
		ecs.Boolean(true), ecs.Boolean(false), ecs.Number(0), ecs.Number(1), ecs.Number(2), ecs.Number(-1), ecs.Number(-3.5), ecs.Number(97), ecs.Number(300), ecs.Number(1e300),
		ecs.Number(math.NaN()), ecs.Number(math.Inf(-1)), ecs.Number(math.Copysign(0, -1)), ecs.Text(""), ecs.Text("a"), ecs.Text("unit-17;b34"), ecs.Text("FiRe\x00"), ecs.Text("%d"), ecs.Text("%5.2f|%-4s|%x"), ecs.Text("%s=%g"),
		ecs.Text("(%a+)(%d*)"), ecs.Text("^u"), ecs.Text("[%w]-"), ecs.Text("()i"), ecs.Text("("), ecs.Text("%"), ecs.Text("%1%0"), ecs.Text(" 0x1F "), ecs.Text("12e1"), ecs.Text(strings.Repeat("x", 200)), ecs.Text(strings.Repeat("ab", 200)),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, f := range PlainFunctions {
		if name == "<" || strings.Contains(name, " ") { // an operator, a step of a library function: tests of package luabind compare them
			continue
		}
		ran := 0
		for range 3000 {
			call := PlainCall{}
			var args []lua.LValue
			for range rng.IntN(5) {
				v := values[rng.IntN(len(values))]
				if strings.HasPrefix(name, "string.") && len(args) == 0 && rng.IntN(3) > 0 {
					v = values[14+rng.IntN(len(values)-14)]
				}
				call.Args, args = append(call.Args, v), append(args, luaOf(v))
			}
			if !f.Run(&call) {
				continue
			}
			ran++
			const most = 300 // results, more than any call here has
			want, err := s.CallResults(library(name), most, args...)
			if err != nil {
				t.Fatalf("%s %v: no error; the library says %v", name, args, err)
			}
			if name == "print" { // it gives what print prints
				want[0] = lua.LString(strings.TrimSuffix(printed.String(), "\n"))
				printed.Reset()
			}
			var got []lua.LValue
			for _, v := range call.Results {
				got = append(got, luaOf(v))
			}
			missing := most - len(got)
			for range missing {
				got = append(got, lua.LNil)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || f.Most == 1 && missing != most-1 {
				t.Fatalf("%s %v: %v, the library gives %v", name, args, got, want)
			}
		}
		if ran < 10 {
			t.Errorf("%s: only %d calls did not decline", name, ran)
		}
	}
}

// luaOf returns a plain value as one of gopher-lua.
func luaOf(v ecs.Value) lua.LValue {
	switch v.Kind() {
	case ecs.NumberValue:
		return lua.LNumber(v.Float())
	case ecs.StringValue:
		return lua.LString(v.Str())
	case ecs.BoolValue:
		return lua.LBool(v.Bool())
	}
	return lua.LNil
}
