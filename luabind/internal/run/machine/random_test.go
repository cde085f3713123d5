package machine

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/selfcheck"
)

// ownBed is checkBed with an event of a field of each kind, some with defaults.
func ownBed(t testing.TB, names string) *bed {
	t.Helper()
	b := checkBed(t, names)
	s, err := ecs.NewSchema(
		ecs.Field{Name: "small", Type: ecs.I8, Default: ecs.Number(-3)}, ecs.Field{Name: "who", Type: ecs.EntityField}, ecs.Field{Name: "x", Type: ecs.F64, Default: ecs.Number(2.5)},
		ecs.Field{Name: "f", Type: ecs.F32}, ecs.Field{Name: "flag", Type: ecs.Bool, Default: ecs.Boolean(true)}, ecs.Field{Name: "wide", Type: ecs.I64}, ecs.Field{Name: "u", Type: ecs.U16},
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*ecs.Schema{"Told": s} {
		if _, err := b.world.DeclareEvent(name, s); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// Bodies that draw, each followed by some that draw otherwise: the code of each does what the closures do, and that of the others does not.
var ownBodies = map[string][]string{
	"below 1":         {"a.x = math.random()", "a.x = math.random(1, 1)", "a.x = math.random() math.random()"},
	"up to":           {"a.x = math.random(6)", "a.x = math.random(7)", "a.x = math.random()"},
	"a power of two":  {"a.x = math.random(0, 255)", "a.x = math.random(0, 254)"},
	"one choice":      {"a.x = math.random(5, 5)", "a.x = 5"},
	"below 0":         {"a.x = math.random(-7.9, -2.5)", "a.x = math.random(-8, -2)"},
	"many":            {"a.x = math.random(0, 6e15)", "a.x = math.random(0, 6.5e15)"},
	"to the limit":    {"a.x = math.random(-2^53, 2^53)", "a.x = math.random(0, 2^53)"},
	"by fields":       {"a.x = math.random(a.x, a.y)", "a.x = math.random(a.x, a.y + 1)"},
	"beyond":          {"a.x = math.random(a.x * 2^53, a.y * 2^60)", "a.x = math.random(a.x * 2^53, a.x * 2^53)"},
	"now and then":    {"if a.x > 3 then a.y = math.random() end a.x = 1", "if a.x > 4 then a.y = math.random() end a.x = 1"},
	"and is put back": {"a.y = math.random() if a.x > 30 then world:get(e, \"B\").x = 1 end", "a.y = math.random(2) if a.x > 30 then world:get(e, \"B\").x = 1 end"},
	"in a loop":       {"for i = 1, 3 do if math.random(3) == 1 then a.x = i break end end", "for i = 1, 3 do if math.random(3) == 2 then a.x = i break end end"},

	"a test first": {
		"if a.x > 3 then local b = world:get(e, \"B\") if b then a.x = b.y else a.x = 1 end end",
		"if a.x > 4 then local b = world:get(e, \"B\") if b then a.x = b.y else a.x = 1 end end",
		"if a.x > 3 then local b = world:get(e, \"B\") if b then a.x = b.x else a.x = 1 end end",
	},
	"a test to go on": {
		"local d = a.x - a.y if d <= 0 or a.x < -20 then goto continue end world.commands:set(e, \"A\", { x = math.sqrt(d) }) a.y = d * 2 ::continue::",
		"local d = a.x - a.y if d < 0 or a.x < -20 then goto continue end world.commands:set(e, \"A\", { x = math.sqrt(d) }) a.y = d * 3 ::continue::",
	},
	"a row": {
		"world:send(\"Told\", { who = e, x = a.x, f = a.y })", "world:send(\"Told\", { who = e, x = a.x, f = a.x })", "world:send(\"Told\", { who = e, x = a.x })", "world:send(\"Told\", { x = a.x, f = a.y })",
		"world:send(\"Told\", { who = e, x = a.x, f = a.y, flag = false })",
	},
	"a row that may not fit": {
		"world:send(\"Told\", { small = math.floor(a.x) % 140, u = math.floor(a.y) % 65600, wide = math.floor(a.y) % 70 })",
		"world:send(\"Told\", { small = math.floor(a.x) % 140, u = math.floor(a.y) % 65600, wide = math.floor(a.y) % 69 })",
		"world:send(\"Told\", { small = math.floor(a.x) % 139, u = math.floor(a.y) % 65600, wide = math.floor(a.y) % 70 })",
	},
	"rows of defaults": {"if a.x > 3 then world:send(\"Told\") end", "if a.x > 3 then world:send(\"Told\", { x = 2 }) end"},
}

func TestOwnFormsAreChecked(t *testing.T) {
	for name, bodies := range ownBodies {
		for _, other := range bodies {
			err := ownBed(t, "A").checkAs(bodies[0], other)
			if wrong := other != bodies[0]; errors.Is(err, selfcheck.ErrDiffers) != wrong || err != nil && !wrong {
				t.Errorf("%s: %s\nas the code of\n%s\n%v", name, other, bodies[0], err)
			}
		}
	}
}

// The forms are used where they are meant to be.
func TestOwnFormsAreUsed(t *testing.T) {
	for name, want := range map[string]struct{ guards, rows bool }{
		"up to": {}, "a test first": {guards: true}, "a test to go on": {guards: true}, "a row": {rows: true}, "now and then": {},
	} {
		b := ownBed(t, "A")
		u, _ := b.codeOf(ownBodies[name][0])
		if u.FastPath != want.guards {
			t.Errorf("%s: it has a fast path: %v", name, u.FastPath)
		}
		rows := len(u.Emits) > 0 && abi.SendsRow(u.Emits[0].Effect)
		if rows != want.rows {
			t.Errorf("%s: it records rows: %v", name, rows)
		}
	}
}
