package sandbox

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// The functions that make functions of text: load and loadstring. The text is compiled like a file. The function belongs to the environment of
// the function that calls load. It costs instructions and bytes for each byte of the text. There is no byte code.

const (
	compileCost  = 32 // instructions for each byte of a text: it takes as long as they do, 160 ns
	compileBytes = 64 // bytes of Lua values for each byte of a text
	mostTexts    = 256
)

// A Text says of a [Chunk] that load has compiled it.
type Text struct {
	env *lua.LTable // the environment of the function that called load
}

// Home returns the environment of the function that called load.
func (t *Text) Home() *lua.LTable { return t.env }

// CompileText compiles a text as load does, for an environment. name is that of the chunk as positions show it.
func CompileText(name, text string, env *Env) (*Chunk, error) {
	return compileText(name, text, env.Table)
}

func compileText(name, text string, env *lua.LTable) (*Chunk, error) {
	c, err := Compile(name, text)
	if err != nil {
		return nil, err
	}
	c.Of = &Text{env}
	return c, nil
}

// luaLoadString is loadstring(text, name).
func (s *State) luaLoadString(L *lua.LState) int {
	text := argString(L, 1)
	return s.loadText(L, text, optString(L, 2, text), nil)
}

// luaLoad is load(text or function, name, mode, env). A function gives the text in pieces, until it returns nil or "". Lua 5.1 has only the function and
// the name; libraries for later versions use the others where there is no setfenv.
func (s *State) luaLoad(L *lua.LState) int {
	text, name := "", ""
	switch from := L.Get(1).(type) {
	case lua.LString:
		text = string(from)
		name = optString(L, 2, text)
	case *lua.LFunction:
		name = optString(L, 2, "=(load)")
		var ok bool
		if text, ok = s.pieces(L, from); !ok {
			return failed(L, "reader function must return a string")
		}
	default:
		typeError(L, 1, "string or function")
	}
	if mode := optString(L, 3, "bt"); !strings.Contains(mode, "t") {
		return failed(L, fmt.Sprintf("attempt to load a text chunk (mode is '%s')", syntax.CutName(mode)))
	}
	var env *lua.LTable
	if L.GetTop() >= 4 {
		env = argTable(L, 4)
	}
	return s.loadText(L, text, name, env)
}

// pieces calls a function until it gives nothing more, and joins what it has given. ok is false if that is no string.
func (s *State) pieces(L *lua.LState, from *lua.LFunction) (text string, ok bool) {
	var b strings.Builder
	for {
		L.Push(from)
		L.Call(0, 1)
		v := L.Get(-1)
		L.Pop(1)
		piece, isText := v.(lua.LString)
		switch {
		case v == lua.LNil || isText && piece == "":
			return b.String(), true
		case !isText:
			return "", false
		}
		s.limitSize(L, b.Len()+len(piece))
		b.WriteString(string(piece))
	}
}

// failed makes the results of a load that has failed.
func failed(L *lua.LState, why string) int {
	L.Push(lua.LNil)
	L.Push(lua.LString(why))
	return 2
}

// loadText makes a function of a text. env is its environment; nil for that of the caller.
func (s *State) loadText(L *lua.LState, text, name string, env *lua.LTable) int {
	if strings.HasPrefix(text, "\x1b") {
		return failed(L, chunkName(name)+": byte code cannot be loaded; load takes the text of a program")
	}
	s.charge(L, compileCost*int64(len(text)))
	s.allocate(L, compileBytes*int64(len(text)))
	home := s.callerEnv(L)
	c, err := compileText(chunkName(name), text, s.homeOf(home))
	if err != nil {
		why := err.Error()
		s.checkSize(L, len(why))
		return failed(L, why)
	}
	if env == nil {
		env = home.Env
	}
	s.texts++
	L.Push(s.instantiate(c, env, nil))
	return 1
}

// callerEnv returns the innermost Lua function that runs, or one without an environment if there is none.
func (s *State) callerEnv(L *lua.LState) *lua.LFunction {
	if f := luaFrame(L); f != nil {
		return f.Fn
	}
	for i := len(s.active) - 1; i >= 0; i-- {
		if f := luaFrame(s.active[i]); f != nil && f.Fn.Proto != launcher {
			return f.Fn
		}
	}
	return &lua.LFunction{Env: s.base.Env, Proto: launcher}
}

// homeOf returns the environment of the mod that a function is from: its own, unless load was given another one.
func (s *State) homeOf(fn *lua.LFunction) *lua.LTable {
	if s.strings[fn.Env] == nil {
		if c := ChunkOf(fn.Proto); c != nil {
			if text, ok := c.Of.(*Text); ok {
				return text.env
			}
		}
	}
	return fn.Env
}

// chunkName returns how positions show a chunk, as Lua does: "=name" and "@name" are names, anything else is the text itself.
func chunkName(name string) string {
	const most = 60
	if rest, ok := strings.CutPrefix(name, "="); ok {
		return rest[:min(len(rest), most)]
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		if len(rest) > most {
			return "..." + rest[len(rest)-most+3:]
		}
		return rest
	}
	line, _, more := strings.Cut(name, "\n")
	if room := most - len(`[string "..."]`) - 1; len(line) > room {
		line, more = line[:room], true
	}
	if more {
		line += "..."
	}
	return `[string "` + line + `"]`
}

// sweep forgets what the State has kept for functions that were made of text; what is still in use is found again. Nothing may run on the State.
func (s *State) sweep() {
	s.texts = 0
	gone := func(p *lua.FunctionProto) bool {
		c := ChunkOf(p)
		if c == nil {
			return false
		}
		_, text := c.Of.(*Text)
		return text
	}
	for p := range s.loops {
		if gone(p) {
			delete(s.loops, p)
		}
	}
	for p := range s.named {
		if gone(p) {
			delete(s.named, p)
		}
	}
	s.budget.forget(gone)
	if s.machine != nil {
		s.machine.ForgetAll(gone)
	}
}
