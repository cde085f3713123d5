package surface

import (
	"errors"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Random numbers: math.random and ecs.random draw from the stream of the running system, so that a run is
// reproducible.

// A stream is the generator behind math.random: the stream of whichever system runs.
type stream struct{ host Host }

// Stream returns the generator for the math library of an environment.
func Stream(host Host) sandbox.Random { return stream{host} }

func (s stream) Float64() float64 { return s.host.Random().Float64() }
func (s stream) Int(lo, hi int64) int64 {
	return int64(s.host.Random().Between(float64(lo), float64(hi)))
}
func (s stream) Seed(n float64) { s.host.Random().Seed(n) }

// errNoStream is raised by a draw while no system runs.
var errNoStream = errors.New("random numbers while a file is being loaded: draw them in init or update, where the system's own stream is")

// GuardRandom makes math.random and math.randomseed of an environment raise errNoStream if there is no stream. It
// returns random, which is also ecs.random.
func (s *Surface) GuardRandom(host Host, env *sandbox.Env) *lua.LFunction {
	library, _ := env.Table.RawGetString("math").(*lua.LTable)
	guard := func(name string, form interp.Native) *lua.LFunction {
		inner := library.RawGetString(name).(*lua.LFunction).GFunction
		fn := s.state.NewNative(func(L *lua.LState) int {
			if s.loading > 0 || host.Random() == nil {
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
