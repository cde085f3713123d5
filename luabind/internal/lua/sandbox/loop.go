package sandbox

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// A Loop is a for … in loop as seen by its generator. Lua does not tell a generator when its loop is left; a Loop
// finds out by looking at the frames.
type Loop struct {
	state     *State
	thread    *lua.LState
	generator *lua.LFunction
	coroutine *lua.LState // in which it runs; nil outside of coroutines
}

// Loop returns the loop that is calling generator on L now. The generator must be a function of this loop alone.
func (s *State) Loop(L *lua.LState, generator *lua.LFunction) Loop {
	l := Loop{state: s, thread: L, generator: generator}
	if n := len(s.coroutines); n > 0 {
		l.coroutine = s.coroutines[n-1]
	}
	return l
}

// On records that the generator is being called on L now: it may have moved from one coroutine to another.
func (l *Loop) On(L *lua.LState) {
	if l.thread != L {
		*l = l.state.Loop(L, l.generator)
	}
}

// Running reports whether the body of the loop is running, or a coroutine is suspended in it. A generator that a
// script calls by hand has no loop.
func (l Loop) Running() bool {
	if l.coroutine != nil && l.coroutine.Dead || l.coroutine != l.thread && !slices.Contains(l.state.active, l.thread) && !l.suspended() {
		return false
	}
	var last *lua.FunctionProto // of the frame before; the frames of a recursion have the same one
	var bodies []loopBody
	for f := topFrame(l.thread); f != nil; f = f.Parent {
		if f.Fn.IsG {
			continue
		}
		if f.Fn.Proto != last {
			last, bodies = f.Fn.Proto, l.state.loopsOf(f.Fn.Proto)
		}
		for _, body := range bodies {
			if pc := f.Pc - 1; body.from <= pc && pc < body.to && l.generatorOf(f, body.register) {
				return true
			}
		}
	}
	return false
}

// suspended reports whether the loop is in a protected call of a coroutine that has yielded.
func (l Loop) suspended() bool {
	if l.coroutine == nil {
		return false
	}
	co := interp.CoroutineOf(l.coroutine)
	return co != nil && slices.Contains(co.Threads, l.thread)
}

func (l Loop) generatorOf(f *callFrame, register int) bool {
	v := frameRegister(l.thread, f, register)
	return v == lua.LValue(l.generator)
}

// frameRegister returns a register of a frame of L, nil beyond its top.
func frameRegister(L *lua.LState, f *callFrame, register int) lua.LValue {
	var dbg lua.Debug
	*(**callFrame)(unsafe.Pointer(&dbg)) = f // as checkFrameLayout found it
	name, v := L.GetLocal(&dbg, register+1)
	if name == "" {
		return nil
	}
	return v
}

// loopBody is the code of a generic for: the body is the instructions from..to-1, and register holds the
// generator.
type loopBody struct{ from, to, register int }

// maxSbx is the offset with which the distance of a jump is stored.
const maxSbx = 1<<17 - 1

// loopsOf returns the generic for loops of a function.
func (s *State) loopsOf(p *lua.FunctionProto) []loopBody {
	if l, ok := s.loops[p]; ok {
		return l
	}
	var out []loopBody
	for pc := 0; pc+1 < len(p.Code); pc++ {
		in := instruction(p.Code[pc])
		if in.op() != lua.OP_TFORLOOP || captures(p, pc) {
			continue
		}
		jump := instruction(p.Code[pc+1]) // back to the body
		out = append(out, loopBody{from: pc + 2 + jump.bx() - maxSbx, to: pc, register: in.a()})
	}
	s.loops[p] = out
	return out
}

// Where returns the line of the script that is running, the zero Pos if there is none.
func (s *State) Where() Pos {
	for i := len(s.active) - 1; i >= 0; i-- {
		if f := luaFrame(s.active[i]); f != nil {
			return f.pos()
		}
	}
	return Pos{}
}
