package machine

import (
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// word is the local that holds a word. It is loaded in front of the loops over
// rows.
func (e *emitter) word(kind abi.WordKind, id int) int {
	w := abi.Word{Kind: kind, ID: id}
	if l, ok := e.wordLocals[w]; ok {
		return l
	}
	if len(e.words) == abi.MostWords {
		abi.Refuse("it looks at too much beside its own rows")
	}
	l := e.Local(wasm.I32)
	e.ahead.Get(abi.ArgFrame)
	e.ahead.Memory(wasm.I32Load, e.Layout.Words+4*uint32(len(e.words)))
	e.ahead.Set(l)
	e.words = append(e.words, w)
	e.wordLocals[w] = l
	return l
}
