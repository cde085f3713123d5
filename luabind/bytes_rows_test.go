package luabind

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// A table with so many rows that machine code needs several calls meets the limit of bytes at the same row as the
// interpreter.
func TestTheLimitOfBytesInTheMiddleOfATable(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(2)
	defer pool.Close()
	refused, passed := 0, 0
	for most := uint64(900_000); most <= 1_400_000; most += 50_000 {
		first := ""
		for _, o := range []struct {
			impl Impl
			pool ecs.Pool
		}{{Lua, nil}, {Closures, nil}, {Auto, nil}, {Auto, pool}} {
			w := bytesWorld(t, most)
			if i := memory.InstrumentsOf(w); i != nil {
				i.ShareFrom = 1
			}
			r, err := New(Options{Log: strictLog(t), World: w, Pool: o.pool, Scripts: files(map[string]string{"a": `return function(world)
  for e, pos in world:each("Position") do
    pos.x = pos.x + 1
    world:send("Bump", { n = pos.x })
    world:send("Bump", { n = pos.x })
  end
end`})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: o.impl})
			}
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			if err == nil {
				p, _ := w.LookupComponent("Position")
				var b *ecs.Bundle
				if b, err = w.Bundle(p); err == nil {
					_, err = b.SpawnMany(20_000, nil)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			err = r.Frame(context.Background(), 1)
			switch {
			case err == nil:
				passed++
			case errors.Is(err, ErrLimit):
				refused++
			default:
				t.Error(err)
			}
			if got := fmt.Sprint(err, w.Digest(), w.Check()); first == "" {
				first = got
			} else if got != first {
				t.Errorf("%d bytes, %v: %s\ninterpreted: %s", most, o.impl, got, first)
			}
		}
	}
	if refused == 0 || passed == 0 {
		t.Errorf("%d runs reach the limit, %d do not", refused, passed)
	}
}
