package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Words: numbers of 32 bits that the host puts into the frame before each call, to tell what lies outside the columns of
// the current table. See [abi.Word].

// word returns the local that holds a word. It is loaded in front of the row loops.
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

// wordAgain loads a word again, because the host may have changed it while the call runs.
func (e *Emitter) wordAgain(kind abi.WordKind, id int) {
	l := e.word(kind, id)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, e.layout.Words+4*uint32(slices.Index(e.beyond.words, abi.Word{Kind: kind, ID: id})))
	e.Set(l)
}

// around is an emitter as package nearby sees it.
type around struct{ *Emitter }

func (a around) Zero()                              { a.constant(0) }
func (a around) Word(kind abi.WordKind, id int) int { return a.word(kind, id) }
func (a around) IfLives(handle, at int, do func())  { a.ifLives(handle, at, do) }
func (a around) ColumnRow(slot int, id ecs.ComponentID, size int32, at int) {
	a.columnRow(slot, id, size, at)
}
func (a around) HasTag(handle int, id uint32, to int) { a.hasTag(handle, id, to) }
func (a around) ReadField(f *ecs.Field, at uint32)    { a.Emitter.ReadField(f, at) }
