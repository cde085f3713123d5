package surface

import (
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Random numbers: math.random and ecs.random draw from the stream of the running system, or of the file that is being loaded, so that a run is
// reproducible.

// A stream is the generator behind math.random: the stream of whichever system runs, or of the file that is being loaded.
type stream struct {
	*Surface
	host Host
}

// Stream returns the generator for the math library of an environment.
func (s *Surface) Stream(host Host) sandbox.Random { return stream{s, host} }

func (s stream) Float64() float64 { return s.now(s.host).Float64() }
func (s stream) Int(lo, hi int64) int64 {
	return int64(s.now(s.host).Between(float64(lo), float64(hi)))
}
func (s stream) Seed(n float64) { s.now(s.host).Seed(n) }

// now returns the stream to draw from; nil if there is none. The stream of a file follows from the world's seed and the name of the file, and ends
// with its loading.
func (s *Surface) now(host Host) *ecs.Random {
	if len(s.files) == 0 {
		return host.Random()
	}
	f := &s.files[len(s.files)-1]
	if w := host.World(); f.random == nil && f.name != "" && w != nil {
		f.random = ecs.NewWorld(ecs.Options{Seed: w.Options().Seed}).Stream("file " + f.name)
	}
	return f.random
}

// errNoStream is raised by a draw while neither a system runs nor a file is being loaded.
var errNoStream = errors.New("there are no random numbers here: draw them in init or update, where the system's own stream is")

// GuardRandom makes math.random and math.randomseed of an environment raise errNoStream if there is no stream. It
// returns random, which is also ecs.random.
func (s *Surface) GuardRandom(host Host, env *sandbox.Env) *lua.LFunction {
	library, _ := env.Table.RawGetString("math").(*lua.LTable)
	guard := func(name string, form interp.Native) *lua.LFunction {
		inner := library.RawGetString(name).(*lua.LFunction).GFunction
		fn := s.state.NewNative(func(L *lua.LState) int {
			if s.now(host) == nil {
				sandbox.Raise(L, errNoStream)
			}
			return inner(L)
		}, form)
		library.RawSetString(name, fn)
		env.Own("math", name, fn, false)
		return fn
	}
	guard("randomseed", nil)
	return guard("random", s.nativeRandom(host))
}
