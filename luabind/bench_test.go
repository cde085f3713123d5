package luabind

import (
	"context"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// The interpreted movement loop beside the design it has to beat: the same loop
// over the same columns, where an iterator re-points two userdata with __index and
// __newindex in Go. It costs at most half of that. Views is the loop as it is
// written, for loops that are not simple. All run in the same process; compare
// ns/entity.

const moveLoop = `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end
`

func movingWorld(b *testing.B, n int) *ecs.World {
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	declareForTests(b, w)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	bundle, err := w.Bundle(p, v)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := bundle.SpawnMany(n, func(t *ecs.Table, from, to int) {
		col := t.Column(v)
		for i := from; i < to; i++ {
			if err := col.Row(i).SetNumber(0, 1.5); err != nil {
				b.Error(err)
			}
		}
	}); err != nil {
		b.Fatal(err)
	}
	return w
}

func frames(b *testing.B, w *ecs.World, perFrame int, unit, source string) {
	framesOf(b, w, Lua, perFrame, unit, source)
}

// framesOf measures frames of one system, and reports their time divided by perFrame.
func framesOf(b *testing.B, w *ecs.World, impl Impl, perFrame int, unit, source string) {
	frame := frameOf(b, w, impl, source)
	b.ReportAllocs()
	for b.Loop() {
		frame()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*perFrame), unit)
}

// frameOf starts a world with one system, and returns a function that runs a frame; one has run.
func frameOf(b *testing.B, w *ecs.World, impl Impl, source string) func() {
	b.Helper()
	r, err := New(Options{Log: strictLog(b), World: w, Limits: Limits{Instructions: 1 << 40}, Scripts: files(map[string]string{"a": source})})
	if err != nil {
		b.Fatal(err)
	}
	if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	if err := r.Load(); err != nil {
		b.Fatal(err)
	}
	if err := r.Start(ctx); err != nil {
		b.Fatal(err)
	}
	frame := func() {
		if err := r.Frame(ctx, 1.0/60); err != nil {
			b.Fatal(err)
		}
	}
	frame() // measure the steady state
	return frame
}

func BenchmarkMove(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("entities=%d/views", n), func(b *testing.B) {
			frames(b, movingWorld(b, n), n, "ns/entity", "return function(world, dt)"+moveLoop+"end")
		})
		b.Run(fmt.Sprintf("entities=%d/reused-proxies", n), func(b *testing.B) {
			w := movingWorld(b, n)
			L, step := reusedProxies(b, w)
			b.ReportAllocs()
			for b.Loop() {
				L.Push(step)
				L.Push(lua.LNumber(1.0 / 60))
				if err := L.PCall(1, 0, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
		})
	}
}

// reusedProxies is the design to beat, in gopher-lua as it comes: no budget, no
// stamps, no checks beyond the row's.
func reusedProxies(b *testing.B, w *ecs.World) (*lua.LState, *lua.LFunction) {
	L := lua.NewState()
	b.Cleanup(L.Close)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{p, v}})
	if err != nil {
		b.Fatal(err)
	}
	type proxy struct {
		row    ecs.Row
		schema *ecs.Schema
	}
	mt := L.NewTable()
	mt.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		x := L.Get(1).(*lua.LUserData).Value.(*proxy)
		L.Push(lua.LNumber(x.row.Number(x.schema.Index(string(L.Get(2).(lua.LString))))))
		return 1
	}))
	mt.RawSetString("__newindex", L.NewFunction(func(L *lua.LState) int {
		x := L.Get(1).(*lua.LUserData).Value.(*proxy)
		if err := x.row.SetNumber(x.schema.Index(string(L.Get(2).(lua.LString))), float64(L.Get(3).(lua.LNumber))); err != nil {
			L.RaiseError("%v", err)
		}
		return 0
	}))
	made := func(id ecs.ComponentID) (*proxy, *lua.LUserData) {
		info, _ := w.ComponentInfo(id)
		x := &proxy{schema: info.Schema}
		return x, &lua.LUserData{Value: x, Metatable: mt}
	}
	pos, posUD := made(p)
	vel, velUD := made(v)
	var cur ecs.Cursor
	next := L.NewFunction(func(L *lua.LState) int {
		if !cur.Next() {
			return 0
		}
		pos.row, vel.row = cur.Row(0), cur.Row(1)
		L.Push(lua.LNumber(cur.Entity()))
		L.Push(posUD)
		L.Push(velUD)
		return 3
	})
	world := L.NewTable()
	world.RawSetString("each", L.NewFunction(func(L *lua.LState) int {
		cur = ecs.Raw.Begin(q)
		L.Push(next)
		return 1
	}))
	L.SetGlobal("world", world)
	if err := L.DoString("return function(dt)" + moveLoop + "end"); err != nil {
		b.Fatal(err)
	}
	return L, L.Get(-1).(*lua.LFunction)
}

func BenchmarkGetSet(b *testing.B) {
	const n = 10_000
	for name, body := range map[string]string{
		"get":     `for i = 1, #list do local p = world:get(list[i], "Position") end`,
		"get-x":   `for i = 1, #list do local x = world:get(list[i], "Position").x end`,
		"set":     `for i = 1, #list do world:set(list[i], "Position", { x = i }) end`,
		"has":     `for i = 1, #list do local h = world:has(list[i], "Position") end`,
		"alive":   `for i = 1, #list do local h = world:alive(list[i]) end`,
		"tag":     `for i = 1, #list do world:tag(list[i], "selected") end`,
		"migrate": `for i = 1, #list do world:add(list[i], "Velocity") world:remove(list[i], "Velocity") end`,
	} {
		b.Run(name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{Seed: 1})
			declareForTests(b, w)
			frames(b, w, n, "ns/op", `local list; return function(world)
  list = list or world:spawn_many(10000, { Position = {} })
  `+body+`
end`)
		})
	}
}

func BenchmarkSpawn(b *testing.B) {
	const n = 10_000
	for name, body := range map[string]string{
		"each":     `for i = 1, 10000 do world:despawn(world:spawn{ Position = { x = 1 }, Velocity = {} }) end`,
		"many":     `for _, e in ipairs(world:spawn_many(10000, { Position = { x = 1 }, Velocity = {} })) do world:despawn(e) end`,
		"filled":   `for _, e in ipairs(world:spawn_many(10000, { Position = {}, Velocity = {} }, function(i) return { Position = { x = i } } end)) do world:despawn(e) end`,
		"commands": `for i = 1, 10000 do world.commands:despawn(world.commands:spawn{ Position = { x = 1 }, Velocity = {} }) end`,
	} {
		b.Run(name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{Seed: 1})
			declareForTests(b, w)
			frames(b, w, n, "ns/entity", "return function(world)\n"+body+"\nend")
		})
	}
}

func BenchmarkEvents(b *testing.B) {
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	declareForTests(b, w)
	frames(b, w, 10_000, "ns/event", `return function(world)
  for i = 1, 10000 do world:send("Hit", { amount = i }) end
  local sum = 0
  for ev in world:read("Hit") do sum = sum + ev.amount end
end`)
}
