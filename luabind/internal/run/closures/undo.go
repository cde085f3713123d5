package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Restoring: a row that cannot be finished leaves no trace. There are two records. A copy (before) has the row's
// own fields, the outputs of the loop and the state of the random stream as they were when the row began. The undo
// log (undo) has what the row changed elsewhere, in order.

// mostUndone is the largest length of each list in the undo log. A row that does more is left to the interpreter.
const mostUndone = 1 << 20

// An undo is the undo log of a row, or of several rows of a [Shadow]. It is reverted from the end.
type undo struct {
	bits  []storedBits
	texts []storedText
	datas []storedData
	puts  []storedPut
	tags  []flipped

	resources []storedResource

	most int // the largest length of bits, texts or datas since the last call of end
}

// A storedBits is the old value of a field without pointers.
type storedBits struct {
	p    unsafe.Pointer
	old  uint64
	size uintptr
	typ  ecs.FieldType
}

// A storedText is the old value of a string.
type storedText struct {
	p       *string
	old     string
	element bool // it is an element of a table that is looked up, and no field
}

// A storedData is the old value of a field of type table.
type storedData struct {
	p   **ecs.Data
	old *ecs.Data
}

// A storedPut is the old value of an element of a Lua table, in the copy that rows work on.
type storedPut struct {
	p   *float64
	old float64
}

// A storedResource is the old value of a resource of type table.
type storedResource struct {
	row ecs.Row
	old ecs.Value
}

// A flipped is the change of a tag.
type flipped struct {
	set    ecs.TagSet
	entity ecs.Entity
	place  int // its position among the members before; -1: it did not have the tag
}

// keep logs the value of a field before it is stored. It returns false when the log is full.
func (u *undo) keep(p unsafe.Pointer, t ecs.FieldType) bool {
	if t == ecs.String {
		u.texts = append(u.texts, storedText{p: (*string)(p), old: *(*string)(p)})
		return len(u.texts) <= mostUndone
	}
	if t == ecs.TableField {
		u.datas = append(u.datas, storedData{(**ecs.Data)(p), *(**ecs.Data)(p)})
		return len(u.datas) <= mostUndone
	}
	u.bits = append(u.bits, storedBits{p, kernel.Peek(p, t.Size()), t.Size(), t})
	return len(u.bits) <= mostUndone
}

// done empties the log, because the row is done.
func (u *undo) done() {
	u.most = max(u.most, len(u.bits), len(u.texts), len(u.datas))
	u.bits, u.texts, u.datas, u.puts, u.tags = u.bits[:0], u.texts[:0], u.datas[:0], u.puts[:0], u.tags[:0]
	clear(u.resources)
	u.resources = u.resources[:0]
}

// A mark is a position in everything that is logged or recorded. The zero value is the beginning.
type mark struct {
	bits, texts, datas, puts, tags int
	resources                      int
	writes, moves                  int
	effects                        kernel.EffectsMark
}

// mark returns the current position.
func (f *frame) mark() mark {
	u := &f.undo
	return mark{len(u.bits), len(u.texts), len(u.datas), len(u.puts), len(u.tags), len(u.resources), len(f.writes), len(f.moves), f.effects.Mark()}
}

// revert undoes everything that was logged since a mark, from the end.
func (u *undo) revert(m mark) {
	for i := len(u.bits) - 1; i >= m.bits; i-- {
		kernel.Poke(u.bits[i].p, u.bits[i].size, u.bits[i].old)
	}
	for i := len(u.texts) - 1; i >= m.texts; i-- {
		*u.texts[i].p = u.texts[i].old
	}
	for i := len(u.datas) - 1; i >= m.datas; i-- {
		*u.datas[i].p = u.datas[i].old
	}
	for i := len(u.puts) - 1; i >= m.puts; i-- {
		*u.puts[i].p = u.puts[i].old
	}
	for i := len(u.tags) - 1; i >= m.tags; i-- {
		t := &u.tags[i]
		ecs.Raw.PutBackTag(t.set, t.entity, t.place)
	}
	for i := len(u.resources) - 1; i >= m.resources; i-- {
		r := &u.resources[i]
		if err := r.row.Set(0, r.old); err != nil {
			panic("closures: a resource does not take back what it held: " + err.Error())
		}
	}
	clear(u.resources[m.resources:])
	u.resources = u.resources[:m.resources]
	u.most = max(u.most, len(u.bits), len(u.texts), len(u.datas))
	u.bits, u.texts, u.datas, u.puts, u.tags = u.bits[:m.bits], u.texts[:m.texts], u.datas[:m.datas], u.puts[:m.puts], u.tags[:m.tags]
}

// end clears the log, so that the garbage collector can free what its entries point at.
func (u *undo) end() {
	clear(u.bits[:min(u.most, cap(u.bits))])
	clear(u.texts[:min(u.most, cap(u.texts))])
	clear(u.datas[:min(u.most, cap(u.datas))])
	u.most = 0
}

// A before is a copy of what a row may change in its own fields, in the outputs of the loop and in the random
// stream. newBefore lists the places once, Kernel.save fills in the values for each row.
type before struct {
	wides   []savedWide
	words   []savedWord
	strings []savedString
	datas   []savedData
	outputs []savedOutput
	random  ecs.RandomState
}

// A savedWide is a field of eight bytes without pointers, as bits: most fields are, so copying them takes no look at a size.
type savedWide struct {
	view int
	at   uintptr
	old  uint64
}

// A savedWord is a smaller field without pointers, as bits.
type savedWord struct {
	view int
	at   uintptr
	size uintptr
	old  uint64
}

// A savedString is a field that is a string.
type savedString struct {
	view int
	at   uintptr
	old  string
}

// A savedData is a field of type table.
type savedData struct {
	view int
	at   uintptr
	old  *ecs.Data
}

// A savedOutput is the register of an output, with its mark.
type savedOutput struct {
	ir.Output
	number      float64
	logic, mark bool
	text        string
}

// newBefore lists what Kernel.save has to copy.
func newBefore(p *ir.Program) (b before) {
	for _, t := range p.Stores {
		switch t.Field.Type {
		case ecs.String:
			b.strings = append(b.strings, savedString{view: t.View, at: t.Field.Offset})
		case ecs.TableField:
			b.datas = append(b.datas, savedData{view: t.View, at: t.Field.Offset})
		default:
			if size := t.Field.Type.Size(); size == 8 {
				b.wides = append(b.wides, savedWide{view: t.View, at: t.Field.Offset})
			} else {
				b.words = append(b.words, savedWord{view: t.View, at: t.Field.Offset, size: size})
			}
		}
	}
	for _, out := range p.Outputs {
		b.outputs = append(b.outputs, savedOutput{Output: out})
	}
	return b
}

// save copies what the row may change. A view that is nil has nothing to copy, because it cannot be stored.
func (k *Kernel) save() {
	b, f := &k.before, &k.frame
	for i := range b.wides {
		s := &b.wides[i]
		if p := f.ptr[s.view&(ir.MaxViews-1)]; p != nil {
			s.old = *(*uint64)(unsafe.Add(p, s.at))
		}
	}
	for i := range b.words {
		s := &b.words[i]
		if p := f.ptr[s.view&(ir.MaxViews-1)]; p != nil {
			s.old = kernel.Peek(unsafe.Add(p, s.at), s.size)
		}
	}
	for i := range b.strings {
		s := &b.strings[i]
		if p := f.ptr[s.view&(ir.MaxViews-1)]; p != nil {
			s.old = *(*string)(unsafe.Add(p, s.at))
		}
	}
	for i := range b.datas {
		s := &b.datas[i]
		if p := f.ptr[s.view&(ir.MaxViews-1)]; p != nil {
			s.old = *(**ecs.Data)(unsafe.Add(p, s.at))
		}
	}
	for i := range b.outputs {
		out := &b.outputs[i]
		switch out.Type {
		case ir.Bool:
			out.logic = f.b[out.Reg]
		case ir.Text:
			out.text = f.t[out.Reg]
		case ir.Number:
			out.number = f.n[out.Reg]
		case ir.Any: // outputs are of one type
		}
		out.mark = out.Mark >= 0 && f.b[out.Mark]
	}
	if k.program.Anys > 0 {
		f.pool.Reset()
	}
	if k.draws {
		b.random = ecs.Raw.RandomState(f.random)
	}
}

// restore makes everything as it was when the row began. m is the mark of that time: entries of the log after it
// are reverted.
func (k *Kernel) restore(m mark) {
	b, f := &k.before, &k.frame
	f.undo.revert(m)
	for i := range b.wides {
		s := &b.wides[i]
		if p := f.ptr[s.view]; p != nil {
			*(*uint64)(unsafe.Add(p, s.at)) = s.old
		}
	}
	for i := range b.words {
		s := &b.words[i]
		if p := f.ptr[s.view]; p != nil {
			kernel.Poke(unsafe.Add(p, s.at), s.size, s.old)
		}
	}
	for i := range b.strings {
		s := &b.strings[i]
		if p := f.ptr[s.view]; p != nil {
			*(*string)(unsafe.Add(p, s.at)) = s.old
		}
	}
	for i := range b.datas {
		s := &b.datas[i]
		if p := f.ptr[s.view]; p != nil {
			*(**ecs.Data)(unsafe.Add(p, s.at)) = s.old
		}
	}
	for i := range b.outputs {
		out := &b.outputs[i]
		switch out.Type {
		case ir.Bool:
			f.b[out.Reg] = out.logic
		case ir.Text:
			f.t[out.Reg] = out.text
		case ir.Number:
			f.n[out.Reg] = out.number
		case ir.Any:
		}
		if out.Mark >= 0 {
			f.b[out.Mark] = out.mark
		}
	}
	if k.draws {
		ecs.Raw.PutBackRandom(f.random, b.random)
	}
	f.effects.DropTo(m.effects)
	f.writes, f.moves = f.writes[:m.writes], f.moves[:m.moves]
}
