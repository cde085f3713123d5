package luabind

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A budget that is spent while a coroutine starts is a passed limit like any other.
func TestLimitWhereACoroutineStarts(t *testing.T) {
	for limit := uint64(90); limit < 130; limit++ {
		for name, body := range map[string]string{
			"wrap":   "coroutine.wrap(function() end)()",
			"resume": "coroutine.resume(coroutine.create(function() end))",
		} {
			r, err := New(Options{
				Log:   strictLog(t),
				World: ecs.NewWorld(ecs.Options{}), Limits: Limits{Instructions: limit},
				Scripts: files(map[string]string{"a": "return function(world)\n  " + body + "\nend"}),
			})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: Lua})
			}
			if err == nil {
				err = r.Load()
			}
			if err != nil {
				t.Fatal(err)
			}
			err = r.Frame(context.Background(), 1)
			se := (*ScriptError)(nil)
			if err != nil && (!errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) || !errors.As(err, &se) || se.File != "a.lua" || se.Line < 1 || se.Line > 3) {
				t.Errorf("%s, %d instructions: %v", name, limit, err)
			}
		}
	}
}

// A coroutine pays for the calls in which it waits when it begins to wait in them, under every implementation, and also if it was saved in between.
func TestCallsOfWaitingCoroutinesAreAllocations(t *testing.T) {
	const script = `
local function deep(n)
  if n > 0 then return deep(n - 1) + 1 end
  for i = 1, 3 do coroutine.yield() end
  return 0
end
local co = coroutine.wrap(function() for _, n in ipairs{ 50, 300, 14000, 200, 500, 97, 98, 99 } do deep(n) end end)
return function() co() end`
	left := func(t *testing.T, impl Impl, saved int) (out []int64) {
		t.Helper()
		x := scriptOf(script)
		x.systems[0].Impl, x.allocations = impl, 1<<30
		tr := &runTrace{}
		rt := x.open(t, tr)
		start(t, rt)
		for i := range 23 {
			if i == saved {
				var file bytes.Buffer
				if err := rt.Save(&file); err != nil {
					t.Fatal(err)
				}
				rt = x.open(t, tr)
				if err := rt.Restore(&file); err != nil {
					t.Fatal(err)
				}
			}
			tr.frames(t, rt, 1)
			out = append(out, rt.state.Budget().AllocationsLeft())
		}
		return out
	}
	want := left(t, Lua, -1)
	if paid := want[1] - want[6]; paid != 384*(14003-303) {
		t.Errorf("a coroutine that waited in 303 calls, and then in 14,003, pays %d bytes for them", paid)
	}
	for saved := range 23 {
		if got := left(t, Auto, saved); !slices.Equal(got, want) {
			t.Fatalf("saved before turn %d, %v bytes are left\n   under impl: lua %v", saved+1, got, want)
		}
	}
}
