package luabind

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Code that only looks at the world. It has a Lua state of its own, so that nothing it does is seen by scripts.

// A looker is where code that looks runs: see Runtime.Look.
type looker struct {
	world   *ecs.World
	state   *sandbox.State
	surface *surface.Surface
	bound   *surface.World
	env     *sandbox.Env
	random  *ecs.Random // of the code that runs
	printed strings.Builder
}

// Look runs a chunk of Lua that may read the world, with the globals world and ecs, and changes nothing: what would change the world
// is an error. Its environment is its own, and is kept between calls, but not in snapshots. Random numbers come from a stream of
// the frame and the code. Call it between frames, or between turns. It may use 1,000,000 instructions and make 16 MiB. The error is
// a [*ScriptError], or that of the syntax.
func (r *Runtime) Look(code string) (res Result, err error) {
	if err := r.closed("Look"); err != nil {
		return res, err
	}
	if r.looker == nil {
		r.looker = newLooker(r.world)
	}
	l := r.looker
	chunk, err := sandbox.CompileText(codeName, code, l.env)
	if err != nil {
		return res, err
	}
	l.random = ecs.NewWorld(ecs.Options{Seed: r.world.Options().Seed}).Stream(fmt.Sprintf("eval %d %s", r.world.Frame(), code))
	l.printed.Reset()
	fn := l.env.LoadText(chunk)
	b := l.state.Budget()
	b.LimitAllocations(evalBytes)
	b.Reset(evalInstructions)
	defer l.bound.EndTurn()
	out, err := l.state.CallResults(fn, -1)
	for _, v := range out {
		var plain ecs.Value
		if plain, err = l.surface.Answer(v); err != nil {
			break
		}
		res.Values = append(res.Values, plain)
	}
	if err == nil {
		err = l.state.SpentAfter(fn)
	}
	res.Printed = l.printed.String()
	if err != nil {
		se := r.scriptError(Inspector, err)
		se.Message = ofConsole.Replace(se.Message)
		return Result{Printed: res.Printed}, se
	}
	res.Done = true
	return res, nil
}

func newLooker(w *ecs.World) *looker {
	l := &looker{world: w, state: sandbox.New(sandbox.Options{Plain: true})}
	l.surface = surface.New(l.state)
	l.bound = l.surface.Bind(w, l)
	l.bound.ReadOnly()
	l.env = l.state.NewEnv(sandbox.EnvOptions{Print: l, Random: l.surface.Stream(l), Open: true, Scripts: true})
	l.env.Set("ecs", l.surface.Module(l, l.env, l.surface.GuardRandom(l, l.env)))
	l.env.Set("world", l.bound.Value())
	return l
}

// World implements [surface.Host]: nothing can be declared.
func (l *looker) World() *ecs.World { return nil }

// Random implements [surface.Host].
func (l *looker) Random() *ecs.Random { return l.random }

// Log implements [surface.Host]: messages are printed.
func (l *looker) Log(_ sandbox.Pos, level slog.Level, message string, _ []slog.Attr) {
	_, _ = fmt.Fprintf(l, "%s %s\n", level, message)
}

// Write is what print writes to.
func (l *looker) Write(b []byte) (int, error) {
	l.printed.Write(b[:max(0, min(len(b), evalPrints-l.printed.Len()))])
	return len(b), nil
}
