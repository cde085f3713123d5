package luabind

import (
	"context"
	"errors"
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
