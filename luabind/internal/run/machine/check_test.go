package machine

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/selfcheck"
)

// checkBed is a world with what the bodies of these tests name.
func checkBed(t testing.TB, names string) *bed {
	t.Helper()
	b := newBed(t, 3, names, func() float64 { return 1 })
	if _, err := b.world.DeclareTag("red"); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bed) codeOf(body string) (*abi.Unit, *engine.Compiled) {
	b.tb.Helper()
	p, _, reason := b.program(body)
	if reason != nil {
		b.tb.Fatal(reason)
	}
	u, err := emitFor(p, b.query, b.world, packing.Forms, false, 0)
	if err != nil {
		b.tb.Fatal(err)
	}
	c, err := engine.Compile(u.Code)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.tb.Cleanup(func() { c.Drop(u.Code) })
	return u, c
}

// checkAs checks the code of one body as that of another.
func (b *bed) checkAs(body, other string) error {
	b.tb.Helper()
	p, _, reason := b.program(body)
	if reason != nil {
		b.tb.Fatal(reason)
	}
	u, c := b.codeOf(other)
	return selfcheck.Check(p, b.query, b.world, uint64(len(u.Code)), underTest(u, c))
}

// Each body is followed by some that do something else: their code is found out.
var checkedBodies = map[string][]string{
	"stores": {
		"a.x = a.x + a.y * 2", "a.x = a.x + a.y * 3", "a.x = a.x + a.y * -2", "a.y = a.x + a.y * 2",
		"if a.x < 1e300 then a.x = a.x + a.y * 2 end",
	},
	"an effect": {
		"if a.x > 3 then world.commands:set(e, \"A\", { x = a.x + 1 }) end",
		"if a.x > 3 then world.commands:set(e, \"A\", { x = a.x + 2 }) end",
		"if a.x > 3.1 then world.commands:set(e, \"A\", { x = a.x + 1 }) end",
		"if a.y > 3 then world.commands:set(e, \"A\", { x = a.x + 1 }) end",
	},
	"an end": {"if a.x > 3 then world.commands:despawn(e) end", "if a.x < 3 then world.commands:despawn(e) end"},
	"a component of another": {
		"local b = world:get(e, \"B\") if b then a.x = b.y end", "local b = world:get(e, \"B\") if b then a.x = b.x end",
		"local b = world:get(e, \"B\") if b then a.x = b.y else a.y = 1 end",
	},
	"a query within": {
		"for other, q in world:each(\"B\") do a.x = a.x + q.x end", "for other, q in world:each(\"B\") do a.x = a.x + q.y end",
		"for other, q in world:each(\"B\") do if other ~= e then a.x = a.x + q.x end end",
	},
	"a tag": {
		"if a.x > 3 then world:tag(e, \"red\") end", "if a.x > 4 then world:tag(e, \"red\") end",
		"if a.x > 3 then world:untag(e, \"red\") end",
	},
	"a question":         {"if world:tagged(e, \"red\") then a.x = 1 end", "if not world:tagged(e, \"red\") then a.x = 1 end"},
	"an end of the loop": {"if a.x > 80 then return end a.y = 1", "if a.x > 8 then return end a.y = 1", "if a.x > 80 then break end a.y = 1"},
	"fuel":               {"local n = 0 while n < a.x do n = n + 1 end", "local n = 0 while n < a.y do n = n + 1 end"},
}

// Code that does something else is found out, whatever the Program does.
func TestCheckFindsWrongCode(t *testing.T) {
	for name, bodies := range checkedBodies {
		for _, other := range bodies {
			err := checkBed(t, "A").checkAs(bodies[0], other)
			if wrong := other != bodies[0]; errors.Is(err, selfcheck.ErrDiffers) != wrong || err != nil && !wrong {
				t.Errorf("%s: %s\nas the code of\n%s\n%v", name, other, bodies[0], err)
			}
		}
	}
}

// What a check costs, for a Program of each kind.
func BenchmarkCheck(b *testing.B) {
	for name, bodies := range checkedBodies {
		b.Run(name, func(b *testing.B) {
			at := checkBed(b, "A")
			p, _, reason := at.program(bodies[0])
			if reason != nil {
				b.Fatal(reason)
			}
			u, c := at.codeOf(bodies[0])
			for b.Loop() {
				if err := selfcheck.Check(p, at.query, at.world, uint64(len(u.Code)), underTest(u, c)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A row that is put back in a loop over entities within has used the fuel of the turns it
// began, and of no others.
func TestFuelOfRowsPutBackWithin(t *testing.T) {
	for _, body := range []string{
		"local s = 0 for other, q in world:each(\"B\") do s = s + math.random(q.x, q.y) end a.x = s",
		"local s = 0 for other, q in world:each(\"B\") do s = s + numbers[q.x] end a.x = s",
		"local s = 0 for other, q in world:each(\"B\") do if q.x > 3 then s = numbers[q.y] end end a.x = s",
	} {
		if err := checkBed(t, "A").checkAs(body, body); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
	}
}

// The values of a check may close a circle of relations: the commands then fail in
// both runs, and that is no difference.
func TestCheckOfCommandsThatFail(t *testing.T) {
	for _, body := range []string{
		"world.commands:relate(e, \"ChildOf\", n)", "if a.x > 3 then world.commands:relate(n, \"ChildOf\", e) end",
		"world.commands:spawn{ A = { x = a.x }, ChildOf = e } world.commands:relate(n, \"IsA\", e)",
	} {
		b := checkBed(t, "A")
		for _, name := range []string{ecs.ChildOf, ecs.IsA} {
			if _, err := b.world.DeclareRelation(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.checkAs(body, body); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
		if err := b.checkAs(body, "if a.x > 3 then world.commands:relate(e, \"ChildOf\", e) end"); !errors.Is(err, selfcheck.ErrDiffers) {
			t.Errorf("%s\nas another: %v", body, err)
		}
	}
}

// Bodies in which something stands under a condition that no row by chance meets, or
// none does not meet, each followed by others that do something else there.
var guardedBodies = [][]string{
	{"if n == 7.25 then a.x = 1 end", "if n == 7.25 then a.x = 2 end", "a.x = a.x"},
	{"if n ~= 1e10 then a.x = a.y else a.y = a.x end", "if n ~= 1e10 then a.x = a.y else a.y = 3 end"},
	{
		"local dx, dy = a.x - 150.5, a.y - 1150.25 if dx * dx + dy * dy < 1 then a.x = 5 end",
		"local dx, dy = a.x - 150.5, a.y - 1150.25 if dx * dx + dy * dy < 1 then a.x = 6 end",
	},
	{"if a.x * 3 + a.y == 1234.5 then a.x = 1 end", "if a.x * 3 + a.y == 1234.5 then a.x = 2 end"},
	{"a.x = a.x + 0.001 if a.x > 400.25 and a.x < 400.26 and a.y < -7000 then a.y = 1 end", "a.x = a.x + 0.001 if a.x > 400.25 and a.x < 400.26 and a.y < -7000 then a.y = 2 end"},
	{"if n == 3 then if math.floor(a.x) == 777 then a.y = 1 end end", "if n == 3 then if math.floor(a.x) == 777 then a.y = 2 end end"},
	{"local k = 0 while k < 3 and a.x > 5e5 do k = k + 1 a.y = a.y + 1 end", "local k = 0 while k < 3 and a.x > 5e5 do k = k + 1 a.y = a.y + 2 end"},
	{"local hit if a.x - n > 12345 then hit = 5 end a.y = hit or 1", "local hit if a.x - n > 12345 then hit = 6 end a.y = hit or 1"},
	{"a.y = a.x == n + 0.125 and 1 or 2", "a.y = a.x == n + 0.125 and 3 or 2"},
}

// Both sides of each condition are driven: code that does something else on one of them
// is found out.
func TestCheckDrivesConditions(t *testing.T) {
	for _, bodies := range guardedBodies {
		for _, other := range bodies {
			err := checkBed(t, "A").checkAs(bodies[0], other)
			if wrong := other != bodies[0]; errors.Is(err, selfcheck.ErrDiffers) != wrong || err != nil && !wrong {
				t.Errorf("%s\nas the code of\n%s\n%v", other, bodies[0], err)
			}
		}
	}
}
