package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// BenchmarkWorld is what worlds are made of, one operation each: tables with wide keys, resources, layers, indexes and orders.
func BenchmarkWorld(b *testing.B) {
	const n = 10_000
	for _, c := range []struct {
		name   string
		items  int // that a frame does; 0: the figure is of the frame
		before string
		body   string
	}{
		{"seen", 0, "", `local seen = {} for y = 1, 300 do seen[y * 1000 + y] = true end`},
		{"map read", 3200, "", `local s = 0 for i = 1, 3200 do s = s + world.resources.map[i] end`},
		{"map written", 3200, "", `for i = 1, 3200 do world.resources.map[i] = i end`},
		{"layer get", n, "", `local ground = world.layers.ground for e, foe in world:each("Foe") do foe.v = ground:get(foe.x, foe.y) end`},
		{"layer set", n, "", `local ground = world.layers.ground for e, foe in world:each("Foe") do ground:set(foe.x, foe.y, foe.v) end`},
		{"at", n, "", `for e, foe in world:each("Foe") do if world:at("cells", foe.x, foe.y) == e then foe.v = foe.v + 1 end end`},
		{"moved", n, "", `for e, cell in world:each("Cell") do cell.x = (cell.x + cell.y) % 99 + 1 end`},
		{"moved outside", n, "local list = {}", `if not list[1] then for e in world:each("Cell") do list[#list + 1] = e end end
		  for i = 1, #list do local cell = world:get(list[i], "Cell") cell.x = (cell.x + cell.y) % 99 + 1 end`},
		{"cells", n, "", `local ground = world.layers.ground for x, y, v in ground:each() do ground:set(x, y, v + 1) end`},
		{"cells around", 8 * n, "", `local s, ground = 0, world.layers.ground for x, y, v in ground:each() do for _, _, o in ground:around(x, y, 1) do s = s + o end end`},
		{"few cells", 1000, "", `local s, ground = 0, world.layers.ground for i = 1, 1000 do for _, _, o in ground:around(50, 9, 1) do s = s + o end end`},
		{"unordered", n, "", ordinary(`"Foe"`)},
		{"ordered", n, "", ordinary(`"Foe", { order = "Foe.seq" }`)},
		{"unordered short", n, "", `for e, foe in world:each("Foe") do foe.x = foe.x + foe.v end` + changes},
		{"ordered short", n, "", `for e, foe in world:each("Foe", { order = "Foe.seq" }) do foe.x = foe.x + foe.v end` + changes},
	} {
		b.Run(c.name, func(b *testing.B) {
			frame := frameOf(b, worldOfParts(b, n), Auto, c.before+"\nreturn function(world)\n"+c.body+"\nend")
			for range 20 { // the loop has become machine code
				frame()
			}
			of, items := "item", c.items
			if items == 0 {
				of, items = "turn", 1
			}
			quickest(b, 4, items, of, frame)
		})
	}
}

// ordinary is a loop of some arithmetic, which changes the keys of one row in a hundred. Half of them move by 37 places, the others back.
func ordinary(each string) string {
	return `
  world.resources.turn = (world.resources.turn + 1) % 200
  local turn, before = world.resources.turn, (world.resources.turn + 199) % 200
  for e, foe in world:each(` + each + `) do
    local dx, dy = 50 - foe.x, 20 - foe.y
    local d = math.sqrt(dx * dx + dy * dy + 1)
    foe.v = foe.v * 0.9 + d / (1 + foe.v * foe.v)
    foe.x, foe.y = foe.x + dx / d * foe.v, foe.y + dy / d * foe.v
    if foe.nr % 200 == turn then foe.seq = foe.nr + 37.5 elseif foe.nr % 200 == before then foe.seq = foe.nr end
  end`
}

// changes changes the keys of one row in a hundred likewise.
const changes = `
  world.resources.turn = (world.resources.turn + 1) % 200
  local turn, before = world.resources.turn, (world.resources.turn + 199) % 200
  for i = 1, 9801, 200 do
    local foe = world:get(world.resources.foes[i + turn], "Foe")
    foe.seq = foe.nr + 37.5
    foe = world:get(world.resources.foes[i + before], "Foe")
    foe.seq = foe.nr
  end`

// worldOfParts is a world with n cells of a layer and of an index, and n foes with different keys.
func worldOfParts(b *testing.B, n int) *ecs.World {
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	number := func(name string) ecs.Field { return ecs.Field{Name: name, Type: ecs.F64} }
	cell := ecs.Must(w.DeclareComponent("Cell", ecs.Must(ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.I32}, ecs.Field{Name: "y", Type: ecs.I32}, number("n")))))
	foe := ecs.Must(w.DeclareComponent("Foe", ecs.Must(ecs.NewSchema(number("seq"), number("nr"), number("x"), number("y"), number("v")))))
	ecs.Must(w.DeclareIndex(ecs.IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 100, Height: 100}))
	ecs.Must(w.DeclareLayer(ecs.LayerSpec{Name: "ground", Type: ecs.F64, Width: 100, Height: 100}))
	ecs.Must(w.DeclareResource("turn", ecs.F64, ecs.Value{}))
	foes, cells := make([]ecs.DataEntry, n), make([]ecs.DataEntry, 3200)
	for i := range n {
		e := ecs.Must(w.Spawn(cell))
		for field, v := range []int{i % 100, i / 100} {
			if err := w.Ref(e, cell).Set(field, ecs.Number(float64(v))); err != nil {
				b.Fatal(err)
			}
		}
	}
	for i := range n {
		e := ecs.Must(w.Spawn(foe))
		for field, v := range []int{i, i, i % 100, i / 100, 1} {
			if err := w.Ref(e, foe).Set(field, ecs.Number(float64(v))); err != nil {
				b.Fatal(err)
			}
		}
		foes[i] = ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.Number(float64(e))}
	}
	for i := range cells {
		cells[i] = ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.Number(1)}
	}
	ecs.Must(w.DeclareResource("foes", ecs.TableField, ecs.TableOf(ecs.Must(ecs.NewData(foes)))))
	ecs.Must(w.DeclareResource("map", ecs.TableField, ecs.TableOf(ecs.Must(ecs.NewData(cells)))))
	return w
}
