package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

const integersHead = `local ecs = require("ecs")
ecs.component("Counter", { n = "i64", u = "u64" })
ecs.component("Other", { x = "f64" })
ecs.resource("total", "i64")
ecs.resource("mask", "u64")
ecs.event("Mark", { id = "u64", n = "i64" })
local M = {}
function M.update(world)
`

// Integers of 64 bits are numbers in scripts up to 2^53 either way. Beyond, reading and writing are errors in every tier, and only where the field is used.
func TestIntegersOf64Bits(t *testing.T) {
	const largest = 1 << 53
	for name, c := range map[string]struct {
		body  string
		n     int64
		u     uint64
		total int64
		want  string // lines that are printed, or the error
	}{
		"read and written": {`for e, c, o in world:each("Counter", "Other") do c.n = c.n + 1; c.u = c.u * 2; o.x = c.n end
for e, c, o in world:each("Counter", "Other") do print(c.n, c.u, o.x) end`, 4, 5, 0, "5\t10\t5\n"},
		"the largest":                     {`for e, c in world:each("Counter") do print(c.n == -2^53, c.u == 2^53) end`, -largest, largest, 0, "true\ttrue\n"},
		"the largest in a loop":           {`local s = 0 for e, c in world:each("Counter") do s = s + c.n + c.u end print(s)`, -largest, largest, 0, "0\n"},
		"a larger one":                    {`for e, c, o in world:each("Counter", "Other") do o.x = c.n end`, largest + 1, 0, 0, "get Counter.n on 0v1: a Lua number cannot hold 9007199254740993 exactly: it holds whole numbers up to 2^53 either way"},
		"a smaller one":                   {`for e, c, o in world:each("Counter", "Other") do o.x = c.n end`, -largest - 1, 0, 0, "cannot hold -9007199254740993 exactly"},
		"a larger u64":                    {`local s = 0 for e, c in world:each("Counter") do s = s + c.u end`, 0, 1 << 63, 0, "get Counter.u on 0v1: a Lua number cannot hold 9223372036854775808 exactly"},
		"a larger one that nobody reads":  {`for e, c, o in world:each("Counter", "Other") do o.x = c.n c.n = 7 print(o.x) end`, 3, 1 << 63, 0, "3\n"},
		"a larger one that is replaced":   {`for e, c in world:each("Counter") do c.n = 1 end for e, c in world:each("Counter") do print(c.n) end`, 1 << 60, 0, 0, "1\n"},
		"too large to write":              {`for e, c in world:each("Counter") do c.n = 2^53 + 2 end`, 0, 0, 0, "set Counter.n on 0v1: 9007199254740994 does not fit i64 (-9007199254740992 to 9007199254740992)"},
		"negative to write":               {`for e, c in world:each("Counter") do c.u = -1 end`, 0, 0, 0, "does not fit u64 (0 to 9007199254740992)"},
		"a fraction":                      {`for e, c in world:each("Counter") do c.n = 0.5 end`, 0, 0, 0, "0.5 is not a whole number, as i64 needs"},
		"a resource":                      {`world.resources.total = world.resources.total + 1 for e, o in world:each("Other") do o.x = world.resources.total world.resources.total = o.x + 1 end print(world.resources.total)`, 0, 0, 41, "43\n"},
		"a larger resource":               {`for e, o in world:each("Other") do o.x = world.resources.total end`, 0, 0, 1 << 55, "get resource total: a Lua number cannot hold 36028797018963968 exactly"},
		"too large for a resource":        {`for e, o in world:each("Other") do world.resources.mask = -1 end`, 0, 0, 0, "set resource mask: -1 does not fit u64 (0 to 9007199254740992)"},
		"an event":                        {`world:send("Mark", { id = 7, n = -7 }) for ev in world:read("Mark") do print(ev.id + ev.n) end`, 0, 0, 0, "0\n"},
		"an event that does not fit":      {`for e in world:each("Other") do world:send("Mark", { id = -7 }) end`, 0, 0, 0, "-7 does not fit u64"},
		"ecs.fields of a larger one":      {`local e, c = world:first("Counter") ecs.fields(c)`, 1 << 60, 0, 0, "get Counter.n on 0v1: a Lua number cannot hold"},
		"the text of a larger one":        {`local e, c = world:first("Counter") print(c)`, 1 << 60, 1 << 63, 0, "Counter of 0v1 {n = 1152921504606846976, u = 9223372036854775808}\n"},
		"a condition that is not reached": {`for e, c, o in world:each("Counter", "Other") do if o.x > 1 then o.x = c.n end end print("done")`, 1 << 60, 0, 0, "done\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, impl := range []Impl{Lua, Closures, Auto} {
				var out bytes.Buffer
				w := ecs.NewWorld(ecs.Options{Memory: restlessMemory()})
				r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: files(map[string]string{"a": integersHead + c.body + "\nend\nreturn M"})})
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
					t.Fatal(err)
				}
				if err := r.Load(); err != nil {
					t.Fatal(err)
				}
				counter, _ := w.LookupComponent("Counter")
				other, _ := w.LookupComponent("Other")
				total, _ := w.LookupResource("total")
				e, err := w.Spawn(counter, other)
				if err != nil {
					t.Fatal(err)
				}
				ref := w.Ref(e, counter)
				for i, v := range []ecs.Value{ecs.Int(c.n), ecs.Uint(c.u)} {
					if err := ref.Set(i, v); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Resource(total).Set(0, ecs.Int(c.total)); err != nil {
					t.Fatal(err)
				}
				err = r.Start(context.Background())
				if err == nil {
					err = r.Frame(context.Background(), 1)
				}
				if reason := r.Explain(); name == "read and written" && reason[0].Reason != "" {
					t.Errorf("%v: the loop is interpreted: %s", impl, reason[0].Reason)
				}
				got := out.String()
				if err != nil {
					got = fmt.Sprint(err)
				}
				if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
					t.Errorf("%v: got %q, want %q", impl, got, c.want)
				}
			}
		})
	}
}

// An event of Go code with a larger integer is an error where a script reads the field.
func TestLargeIntegersOfEvents(t *testing.T) {
	for body, want := range map[string]string{
		`for ev in world:read("Mark") do print(ev.n) end`:                       "5\n",
		`for ev in world:read("Mark") do print(ev) end`:                         "Mark {id = <a Lua number cannot hold 18446744073709551615 exactly: it holds whole numbers up to 2^53 either way>, n = 5}\n",
		`local s = 0 for ev in world:read("Mark") do s = s + ev.n end print(s)`: "5\n",
		`local s = 0 for ev in world:read("Mark") do s = s + ev.id end`:         "get Mark.id: a Lua number cannot hold 18446744073709551615 exactly",
		`for ev in world:read("Mark") do ecs.fields(ev) end`:                    "get Mark.id: a Lua number cannot hold 18446744073709551615 exactly",
	} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			var out bytes.Buffer
			w := ecs.NewWorld(ecs.Options{Memory: restlessMemory()})
			r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: files(map[string]string{"a": integersHead + body + "\nend\nreturn M"})})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
				t.Fatal(err)
			}
			if err := r.Load(); err != nil {
				t.Fatal(err)
			}
			if err := r.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			id, _ := w.LookupEvent("Mark")
			if err := w.Send(id, ecs.FieldValue{Index: 0, Value: ecs.Uint(1<<64 - 1)}, ecs.FieldValue{Index: 1, Value: ecs.Int(5)}); err != nil {
				t.Fatal(err)
			}
			err = r.Frame(context.Background(), 1)
			got := out.String()
			if err != nil {
				got = fmt.Sprint(err)
			}
			if got != want && (err == nil || !strings.Contains(got, want)) {
				t.Errorf("%s, %v: got %q, want %q", body, impl, got, want)
			}
		}
	}
}
