package luabind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// budgetRun is a frame of a system with a limit of 20,000 instructions over 600 entities, and 500 events.
func budgetRun(t *testing.T, impl Impl, pool ecs.Pool, body string) (w *ecs.World, r *Runtime, err error) {
	t.Helper()
	return limitedRun(t, impl, pool, body, 20_000)
}

func limitedRun(t *testing.T, impl Impl, pool ecs.Pool, body string, limit uint64) (w *ecs.World, r *Runtime, err error) {
	t.Helper()
	w = ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	k, _ := w.LookupComponent("Marker")
	for i := range 600 {
		if _, err := w.Spawn([]ecs.ComponentID{p, v}[:1+i%2]...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Spawn(k); err != nil {
		t.Fatal(err)
	}
	hit, _ := w.LookupEvent("Hit")
	source := "local ecs = require(\"ecs\")\nlocal news = ecs.query{ \"Position\", changed = { \"Position\" } }\n" +
		"return function(world, dt)\n" + body + "\nend"
	r, err = New(Options{Log: strictLog(t), World: w, Stdout: io.Discard, Pool: pool, Limits: Limits{Instructions: limit}, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range 500 {
		if err == nil {
			err = w.Send(hit, ecs.FieldValue{Index: 1, Value: ecs.Number(1)})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return w, r, r.Frame(context.Background(), 1)
}

var everyTier = []Impl{Lua, Closures, Auto}

// A loop over entities or events is not ended for how many there are.
func TestALoopIsNotEndedForTheSizeOfTheWorld(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(3)
	defer pool.Close()
	for name, body := range map[string]string{
		"a loop": `for e, pos in world:each("Position") do
			for i = 1, 20 do pos.y = pos.y + i end
		end`,
		"floats only": `for e, pos in world:each("Position") do
			local x = pos.x
			for i = 1, 20 do x = math.sqrt(x * x + i) end
			pos.x = x
		end`,
		"a loop whose view is used as a value": `for e, pos in world:each("Position") do
			local kept = { pos }
			for i = 1, 20 do kept[1].y = kept[1].y + i end
		end`,
		"changed": `for e, pos in world:each(news) do
			for i = 1, 20 do pos.y = pos.y + i end
		end`,
		"with effects": `for e, pos in world:each("Position") do
			for i = 1, 20 do pos.y = pos.y + i end
			world.commands:set(e, "Position", { x = 1 })
		end`,
		"a loop within": `for e, pos in world:each("Position") do
			for f, other in world:each("Position", "Velocity") do pos.y = pos.y + other.x end
		end`,
		"a loop within that is left": `for e, pos in world:each("Position") do
			for f, other in world:each("Position", "Velocity") do
				pos.y = pos.y + other.x
				if pos.y > 1e9 then break end
			end
		end`,
		"loops one after the other": `for n = 1, 40 do
			for e, pos in world:each("Position") do pos.y = pos.y + n end
		end`,
		"loops that are left": `for e, pos in world:each("Position") do
			for f, other in world:each("Position") do pos.y = pos.y + other.x break end
			for f, other in world:each("Velocity") do pos.y = pos.y + f break end
		end`,
		"events": `for hit in world:read("Hit") do
			for i = 1, 20 do world.resources.score = i end
		end`,
		"events that are peeked at": `local sum = 0
		for hit in world:peek("Hit") do
			for i = 1, 20 do sum = sum + hit.amount end
		end`,
		"a loop in a loop over events": `for hit in world:drain("Hit") do
			local sum = 0
			for e, pos in world:each("Position") do sum = sum + hit.amount end
		end`,
	} {
		for _, impl := range everyTier {
			t.Run(fmt.Sprint(name, "/", impl), func(t *testing.T) {
				_, got, err := budgetRun(t, impl, nil, body)
				_, want, also := limitedRun(t, impl, nil, body, 1<<40)
				if err != nil || also != nil {
					t.Fatal(err, also)
				}
				if got, want := got.state.Budget().Used(), want.state.Budget().Used(); got != want { // a kernel that lacks fuel leaves rows to the interpreter
					t.Errorf("it took %d instructions, and %d with a higher limit", got, want)
				}
			})
		}
		t.Run(name+"/on all cores", func(t *testing.T) {
			want, _, err := budgetRun(t, Auto, nil, body)
			got, _, also := budgetRun(t, Auto, pool, body)
			if err != nil || also != nil || want.Digest() != got.Digest() {
				t.Errorf("%v on one core, %v on three; digests %s and %s", err, also, want.Digest(), got.Digest())
			}
		})
	}
}

// An endless loop is ended, in a row of a query loop and around query loops, too.
func TestAnEndlessLoopAroundQueryLoopsIsEnded(t *testing.T) {
	for name, body := range map[string]string{
		"in a row": `for e, pos in world:each("Position") do
			while pos.x >= 0 do pos.x = pos.x + 1 end
		end`,
		"in the last row": `local n = 0
		for e, pos in world:each("Position") do
			n = n + 1
			while n == 600 do pos.x = pos.x + 1 end
		end`,
		"in an event": `for hit in world:read("Hit") do while hit.amount > 0 do end end`,
		"around a loop": `while true do
			for e, pos in world:each("Position") do pos.x = pos.x + 1 end
		end`,
		"around a loop that is empty": `while true do
			for e, hp in world:each("Health") do hp.current = 1 end
		end`,
		"around a loop over one entity": `while true do
			for e in world:each("Marker") do end
		end`,
		"around a loop that is left": `while true do
			for e, pos in world:each("Position") do pos.x = pos.x + 1 break end
		end`,
		"around events": `while true do
			for hit in world:peek("Hit") do end
		end`,
		"around an event that it sends": `while true do
			world:send("Hit")
			for hit in world:drain("Hit") do end
		end`,
		"around a loop, in a row": `for e, pos in world:each("Position") do
			while true do
				for f, other in world:each("Position") do other.y = pos.x end
			end
		end`,
		"around a loop, in a row of a loop within": `for e, pos in world:each("Position") do
			for f in world:each("Marker") do
				while true do
					for g, other in world:each("Position") do pos.y = other.x end
				end
			end
		end`,
		"around calls of a generator": `while true do
			local step = world:each("Position")
			step() step() step()
		end`,
		"by calling itself": `local function again()
			for e, pos in world:each("Marker") do pcall(again) end
			return again()
		end
		again()`,
		"with other loops each time": `local names = { "Position", "Velocity", "Marker", "Health" }
		while true do
			for i = 1, 4 do
				for j = 1, 4 do
					if i ~= j then for e in world:each(names[i], names[j]) do end end
				end
			end
		end`,
	} {
		for _, impl := range everyTier {
			t.Run(fmt.Sprint(name, "/", impl), func(t *testing.T) {
				_, _, err := budgetRun(t, impl, nil, body)
				if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "more than 20,000 instructions") {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// What rows add is the same for closures and machine code, on one core and on several: a turn that is ended leaves the same world.
func TestRowsAddTheSameInEveryKernel(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(3)
	defer pool.Close()
	for name, body := range map[string]string{
		"a loop": `for n = 1, 120 do
			for e, pos in world:each("Position") do
				for i = 1, 20 do pos.y = pos.y + i end
			end
		end`,
		"heavy rows": `for e, pos in world:each("Position") do
			for i = 1, 800 do pos.y = pos.y + i end
		end`,
		"heavy floats": `for e, pos in world:each("Position") do
			local x = pos.x
			for i = 1, 800 do x = math.sqrt(x * x + i) end
			pos.x = x
		end`,
		"a heavy loop within": `for e, pos in world:each("Position") do
			for f, other in world:each("Velocity") do
				for i = 1, 300 do pos.y = pos.y + i end
			end
		end`,
		"events": `for n = 1, 200 do
			for hit in world:peek("Hit") do
				for i = 1, 20 do world.resources.score = i end
			end
		end`,
	} {
		t.Run(name, func(t *testing.T) {
			want, _, err := budgetRun(t, Closures, nil, body)
			if !errors.Is(err, ErrLimit) {
				t.Errorf("got %v", err)
			}
			for _, pool := range []ecs.Pool{nil, pool} {
				if got, _, also := budgetRun(t, Auto, pool, body); also == nil || err == nil || also.Error() != err.Error() || got.Digest() != want.Digest() {
					t.Errorf("machine code: %v and %s, closures: %v and %s", also, got.Digest(), err, want.Digest())
				}
			}
		})
	}
}
