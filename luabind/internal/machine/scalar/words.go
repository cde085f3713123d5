package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// word is the local that holds a word. It is loaded in front of the loops over
// rows.
func (e *Emitter) word(kind abi.WordKind, id int) int {
	w := abi.Word{Kind: kind, ID: id}
	if l, ok := e.beyond.wordLocals[w]; ok {
		return l
	}
	if len(e.beyond.words) == abi.MostWords {
		abi.Refuse("it looks at too much beside its own rows")
	}
	l := e.Local(wasm.I32)
	e.loop.ahead.Get(abi.ArgFrame)
	e.loop.ahead.Memory(wasm.I32Load, e.layout.Words+4*uint32(len(e.beyond.words)))
	e.loop.ahead.Set(l)
	e.beyond.words = append(e.beyond.words, w)
	e.beyond.wordLocals[w] = l
	return l
}

// around is what package nearby needs of an emitter.
type around struct{ *Emitter }

func (a around) Zero()                              { a.constant(0) }
func (a around) Word(kind abi.WordKind, id int) int { return a.word(kind, id) }
func (a around) IfLives(handle, at int, do func())  { a.ifLives(handle, at, do) }
func (a around) ColumnRow(slot int, id ecs.ComponentID, size int32, at int) {
	a.columnRow(slot, id, size, at)
}
