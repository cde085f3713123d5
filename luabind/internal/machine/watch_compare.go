package machine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// compare lets the closures do what a call has done, and returns the first thing
// that is not the same; nil when all is. Then the world is as the call left it;
// otherwise as it was before.
func (t *twin) compare(k *Kernel, status, done int, used int64) *kernel.Difference {
	if status == abi.Failed { // the row that was put back is not among those to compare
		for k.unit.Logs && *k.logAt > *k.undoAt {
			*k.logAt -= abi.LogRecord
			k.putBack(*k.logAt)
		}
	}
	t.takeOut(k)
	d := t.run(k, status, done, used)
	if d == nil {
		d = t.compareRecords(k)
	}
	t.stored = t.stored[:0]
	for i := range t.shadow.Stores() {
		p, typ := t.shadow.Store(i)
		t.stored = append(t.stored, twinStore{p, typ, peek(p, typ.Size())})
	}
	t.expected = t.shadow.Flips(t.expected[:0])
	t.shadow.TakeBack()
	t.write(k, t.old)
	if d == nil {
		d = t.compareFlips(k)
	}
	if d == nil {
		t.putIn(k)
		if d = t.compareStored(k); d != nil {
			t.takeOut(k)
		}
	}
	clear(t.stored)
	t.shadow.End()
	k.forgetPictures() // closures may have taken another one, outside the frames
	return d
}

// run runs the closures over the rows that are done, and compares what is to be seen
// before anything is taken back.
func (t *twin) run(k *Kernel, status, done int, used int64) *kernel.Difference {
	s := t.shadow
	s.Begin(t.world, 2*max(0, used)+2*abi.Grain, t.stream)
	if t.cursor != nil {
		s.Enter(t.cursor)
	}
	ran := 0
	var ends *kernel.Difference
	for i := 0; i < done && ends == nil; i++ {
		if !t.runs(k, i) {
			continue
		}
		want := closures.RowDone
		switch {
		case i < done-1:
		case status == abi.Broke:
			want = closures.RowBroke
		case status == abi.Returned:
			want = closures.RowReturned
		}
		if how := t.one(i); how != want {
			ends = t.what(i, "how the row ends", endings[want], endings[how])
		} else if d := t.compareMarks(k, i, ran); d != nil {
			return d
		}
		ran++
	}
	if d := t.compareRows(k); d != nil {
		return d
	}
	if ends != nil {
		return ends
	}
	// A turn whose budget is spent ends at the row that was put back, or before the
	// one that was not begun; how much that row used is not known.
	if status != abi.Failed || k.granted != 0 && !t.room {
		if status == abi.Failed {
			if how := t.one(done); how != closures.RowBailout {
				return t.what(done, "how the row ends", endings[closures.RowBailout], endings[how])
			}
		}
		if status == abi.Starved {
			used -= k.program.Price // of the row that was not begun
		}
		if got := s.Used(); got != used {
			return t.what(-1, "the fuel it uses", strconv.FormatInt(used, 10), strconv.FormatInt(got, 10))
		}
	}
	if d := t.compareRegisters(k); d != nil {
		return d
	}
	if status == abi.Returned {
		if d := t.compareResults(k); d != nil {
			return d
		}
	}
	if k.random != nil && s.Random() != *k.stream {
		return t.what(-1, "the random numbers it draws", "others", "others")
	}
	return nil
}

// endings are those of a row, in words.
var endings = [...]string{
	closures.RowDone: "the next row follows", closures.RowBroke: "the loop ends", closures.RowReturned: "the function returns",
	closures.RowBailout: "the row is left to the interpreter", closures.RowStarved: "the fuel is spent",
}

// one lets the closures do row i of the batch.
func (t *twin) one(i int) closures.RowEnding {
	if t.cursor != nil {
		return t.shadow.Row(t.first + i)
	}
	return t.shadow.Event(unsafe.Add(t.events, uintptr(i)*t.size))
}

// what is a difference that is of no field; i is the row of the batch, or -1.
func (t *twin) what(i int, what, code, closures string) *kernel.Difference {
	d := &kernel.Difference{Row: -1, Input: -1, What: what, Code: code, Closures: closures}
	t.place(d, i)
	return d
}

// place names row i of the batch.
func (t *twin) place(d *kernel.Difference, i int) {
	if i < 0 {
		return
	}
	d.Row = t.first + i
	if t.cursor != nil {
		d.Entity = t.cursor.Table().Entities()[d.Row]
	}
}

// compareMarks looks at which views a row has stored: ran is its number among those
// that were run.
func (t *twin) compareMarks(k *Kernel, i, ran int) *kernel.Difference {
	if k.unit.Marks < 0 {
		return nil
	}
	for bit, view := range k.unit.Others {
		code, closures := k.markBytes[i]>>bit&1 != 0, t.shadow.Dirty(ran)>>view&1 != 0
		if code != closures {
			return t.what(i, "whether it writes "+t.component(k.program.Components[view]), strconv.FormatBool(code), strconv.FormatBool(closures))
		}
	}
	return nil
}

// component is the name of one.
func (t *twin) component(id ecs.ComponentID) string {
	info, _ := t.world.ComponentInfo(id)
	return info.Name
}

// compareRows looks at the fields of the rows, those that are not done included.
func (t *twin) compareRows(k *Kernel) *kernel.Difference {
	for i, c := range t.cells {
		at, stride := t.at(k, c)
		if at == nil {
			continue
		}
		for row := range t.n {
			if x, y := t.code[i*mostWatched+row], peek(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size()); !sameBits(c.field.Type, x, y) {
				d := &kernel.Difference{Input: -1, Component: t.component(k.program.Components[c.view]), Field: c.field.Name, Code: textOf(c.field.Type, x), Closures: textOf(c.field.Type, y)}
				t.place(d, row)
				return d
			}
		}
	}
	return nil
}

// compareRegisters looks at the variables from around the loop and the resources
// that it assigns.
func (t *twin) compareRegisters(k *Kernel) *kernel.Difference {
	closures := t.shadow.Registers()
	for _, out := range k.program.Outputs {
		if out.Mark >= 0 {
			if x, y := k.Bool(out.Mark), closures.Bool(out.Mark); x != y {
				return &kernel.Difference{Row: -1, Input: out.Input, What: "whether it is assigned", Code: strconv.FormatBool(x), Closures: strconv.FormatBool(y)}
			} else if !x {
				continue
			}
		}
		differs, x, y := false, "", ""
		switch out.Type {
		case ir.Bool:
			if a, b := k.Bool(out.Reg), closures.Bool(out.Reg); a != b {
				differs, x, y = true, strconv.FormatBool(a), strconv.FormatBool(b)
			}
		case ir.Text:
			if a, b := k.strings[*k.textAt(out.Reg)], closures.Text(out.Reg); a != b {
				differs, x, y = true, strconv.Quote(a), strconv.Quote(b)
			}
		default:
			if a, b := k.Number(out.Reg), closures.Number(out.Reg); !sameNumber(a, b) {
				differs, x, y = true, ecs.Number(a).String(), ecs.Number(b).String()
			}
		}
		if differs {
			return &kernel.Difference{Row: -1, Input: out.Input, Code: x, Closures: y}
		}
	}
	return nil
}

// compareResults looks at the values of a return.
func (t *twin) compareResults(k *Kernel) *kernel.Difference {
	k.results = k.results[:0]
	k.result()
	closures := t.shadow.Registers().Results()
	same := len(k.results) == len(closures)
	for i := 0; same && i < len(closures); i++ {
		x, y := k.results[i], closures[i]
		same = x.Type == y.Type && sameNumber(x.N, y.N) && x.S == y.S
	}
	if same {
		k.results = k.results[:0]
		return nil
	}
	d := t.what(-1, "what it returns", fmt.Sprint(k.results), fmt.Sprint(closures))
	k.results = k.results[:0]
	return d
}

// compareRecords looks at what the call has recorded: values stored elsewhere, which
// rows those are of, and events and commands.
func (t *twin) compareRecords(k *Kernel) *kernel.Difference {
	if k.unit.Logs {
		t.mine, t.theirs = t.mine[:0], sortedWrites(t.shadow.Writes(t.theirs[:0]))
		n := 0
		for at := k.log; at < *k.logAt; at += abi.LogRecord {
			p, size := k.logPlace(at)
			if x, y := t.logged[n], peek(p, size); x != y && !bothNaN(size, x, y) && !k.inTable(at) {
				return t.elsewhere(p, "the bits "+strconv.FormatUint(x, 16), "the bits "+strconv.FormatUint(y, 16))
			}
			n++
			if ref := *(*uint32)(k.memory.At(at + abi.LogWhat)) / 16; ref > 0 {
				slot := *(*uint32)(k.memory.At(at + abi.LogSlot))
				t.mine = append(t.mine, closures.Write{
					Component: k.program.Refs[ref-1].Component,
					Table:     int(*(*uint32)(k.memory.At(slot + uint32(ecs.SlotTable)))),
					Row:       int(*(*uint32)(k.memory.At(slot + uint32(ecs.SlotRow)))),
				})
			}
		}
		t.mine = sortedWrites(t.mine)
		if !slices.Equal(t.mine, t.theirs) {
			return t.what(-1, "which other rows it writes", strconv.Itoa(len(t.mine))+" rows", strconv.Itoa(len(t.theirs))+" rows")
		}
	}
	if k.unit.Effects {
		return t.compareEffects(k)
	}
	return nil
}

func sortedWrites(list []closures.Write) []closures.Write {
	slices.SortFunc(list, func(a, b closures.Write) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Row, b.Row))
	})
	return slices.Compact(list)
}

// compareEffects looks at the events and commands in the ring, in their order.
func (t *twin) compareEffects(k *Kernel) *kernel.Difference {
	i := 0
	for at := k.ring; at < *k.ringAt; {
		site := k.unit.Emits[*(*uint32)(k.memory.At(at))]
		at += 8
		if site.Op == ir.Do {
			at += 8
			continue
		}
		if i >= t.shadow.Effects() {
			return t.what(-1, "how many events and commands it sends", "more", strconv.Itoa(i))
		}
		effect, args := t.shadow.Effect(i)
		if effect != site.Effect {
			return t.what(-1, "what it sends", nameOf(site.Effect), nameOf(effect))
		}
		var d *kernel.Difference
		if abi.SendsRow(effect) {
			d = t.compareRow(k, effect, args, at)
			at += abi.RowRecord(effect.Schema)
		} else {
			d, at = t.compareArgs(k, site, args, at)
		}
		if d != nil {
			return d
		}
		i++
	}
	if n := t.shadow.Effects(); i != n {
		return t.what(-1, "how many events and commands it sends", strconv.Itoa(i), strconv.Itoa(n))
	}
	return nil
}

// nameOf says what an effect is.
func nameOf(e *ir.Effect) string {
	names := [...]string{
		ir.Send: "world:send", ir.QueueSend: "commands:send", ir.QueueSpawn: "commands:spawn", ir.QueueDespawn: "commands:despawn",
		ir.QueueAdd: "commands:add", ir.QueueRemove: "commands:remove", ir.QueueSet: "commands:set", ir.QueueTag: "commands:tag",
		ir.QueueUntag: "commands:untag", ir.QueueRelate: "commands:relate", ir.QueueUnrelate: "commands:unrelate",
	}
	return names[e.Op]
}

// compareRow compares the row of an event at an address with the one that closures
// would send.
func (t *twin) compareRow(k *Kernel, e *ir.Effect, args []kernel.Arg, at uint32) *kernel.Difference {
	size := e.Schema.Size()
	if uintptr(cap(t.event)) < size+8 {
		t.event = make([]byte, size+8)
	}
	t.event = t.event[:size+8]
	kernel.EventRow(t.event, e, args)
	fields := e.Schema.Fields()
	for i := range fields {
		f := &fields[i]
		x, y := peek(unsafe.Add(k.memory.At(at), f.Offset), f.Type.Size()), peek(unsafe.Pointer(&t.event[f.Offset]), f.Type.Size())
		if !sameBits(f.Type, x, y) {
			return t.sends(e, f, textOf(f.Type, x), textOf(f.Type, y))
		}
	}
	return nil
}

// sends is a difference of a value that an effect has: of a field, or of an entity
// when that is nil.
func (t *twin) sends(e *ir.Effect, f *ecs.Field, code, closures string) *kernel.Difference {
	what := "the entity"
	if f != nil {
		what = fmt.Sprintf("the field %q", f.Name)
	}
	return t.what(-1, what+" of "+nameOf(e), code, closures)
}

// compareArgs compares the arguments at an address, and returns where the next record
// is.
func (t *twin) compareArgs(k *Kernel, site *ir.Stmt, args []kernel.Arg, at uint32) (d *kernel.Difference, next uint32) {
	for i, x := range site.Args {
		n := 0.0
		if !abi.IsConstantText(x) {
			n = *(*float64)(k.memory.At(at))
			at += 8
		}
		n, s := k.valueOf(x, n)
		if f := fieldOfArg(site.Effect, i); d == nil && (s != args[i].S || !sameArg(f, n, args[i].N)) {
			d = t.sends(site.Effect, f, argText(f, x.Type, n, s), argText(f, x.Type, args[i].N, args[i].S))
		}
	}
	return d, at
}

// fieldOfArg is the field that an argument of an effect goes to; nil for an entity that
// it is about, or relates to.
func fieldOfArg(e *ir.Effect, i int) *ecs.Field {
	if e.Op > ir.QueueSpawn {
		i--
	}
	if i < 0 || i >= len(e.Fields) {
		return nil
	}
	return e.Fields[i].Field
}

// sameArg compares numbers as the field that they go to will hold them.
func sameArg(f *ecs.Field, x, y float64) bool {
	if f == nil || f.Type == ecs.F64 || sameNumber(x, y) {
		return sameNumber(x, y)
	}
	a, b := kernel.Value(f.Type, kernel.Arg{N: x}), kernel.Value(f.Type, kernel.Arg{N: y})
	return f.Type != ecs.String && a.Equal(b) && (f.Type != ecs.F32 || sameNumber(a.Float(), b.Float()))
}

// argText is an argument in words: f is the field that it goes to, see fieldOfArg.
func argText(f *ecs.Field, t ir.Type, n float64, s string) string {
	if e, ok := ecs.EntityFromNumber(n); ok && (f == nil || f.Type == ecs.EntityField) {
		return e.String()
	}
	switch t {
	case ir.Bool:
		return strconv.FormatBool(n != 0)
	case ir.Text:
		return strconv.Quote(s)
	default:
		return ecs.Number(n).String()
	}
}

// elsewhere is a difference of a value that lies at p, in a row that one of both has
// written.
func (t *twin) elsewhere(p unsafe.Pointer, code, reference string) *kernel.Difference {
	d := t.what(-1, "a field of another row", code, reference)
	for _, list := range [...][]closures.Write{t.theirs, t.mine} {
		for _, w := range list {
			table := t.world.Tables()[w.Table]
			base, stride := ecs.Raw.Column(table.Column(w.Component))
			offset := uintptr(p) - uintptr(base) - uintptr(w.Row)*stride
			if offset >= stride {
				continue
			}
			info, _ := t.world.ComponentInfo(w.Component)
			for _, f := range info.Schema.Fields() {
				if f.Offset == offset {
					d.What, d.Component, d.Field = "", info.Name, f.Name
					d.Row, d.Entity = w.Row, table.Entities()[w.Row]
					return d
				}
			}
		}
	}
	return d
}

// compareFlips makes the flips of tags that are in the ring, as the host will do,
// and takes them back: the same ones must come of them, in the same order.
func (t *twin) compareFlips(k *Kernel) *kernel.Difference {
	t.flipped = t.flipped[:0]
	for at := k.ring; k.unit.Effects && at < *k.ringAt; {
		site := k.unit.Emits[*(*uint32)(k.memory.At(at))]
		at += 8
		switch {
		case site.Op == ir.Do:
			t.flip(k, site.A, *(*float64)(k.memory.At(at)))
			at += 8
		case abi.SendsRow(site.Effect):
			at += abi.RowRecord(site.Effect.Schema)
		default:
			for _, x := range site.Args {
				if !abi.IsConstantText(x) {
					at += 8
				}
			}
		}
	}
	for i := len(t.flipped) - 1; i >= 0; i-- {
		if f := t.flipped[i]; f.Place < 0 {
			f.Set.Untag(f.Entity)
		} else {
			ecs.Raw.PutBackTag(f.Set, f.Entity, f.Place)
		}
	}
	for i := range max(len(t.flipped), len(t.expected)) {
		var x, y closures.Flip
		if i < len(t.flipped) {
			x = t.flipped[i]
		}
		if i < len(t.expected) {
			y = t.expected[i]
		}
		if x != y {
			d := t.what(-1, "which tags it sets or takes off", flipText(x), flipText(y))
			d.Entity = y.Entity
			if y.Entity == ecs.None {
				d.Entity = x.Entity
			}
			return d
		}
	}
	return nil
}

// flipText says what a flip is.
func flipText(f closures.Flip) string {
	switch {
	case f.Entity == ecs.None:
		return "none"
	case f.Place < 0:
		return "a tag for " + f.Entity.String()
	}
	return "a tag taken off " + f.Entity.String()
}

// flip is [Kernel.flip], and notes what came of it.
func (t *twin) flip(k *Kernel, x *ir.Expr, to float64) {
	e, ok := ecs.EntityFromNumber(to)
	if !ok {
		return
	}
	set := k.outside.world.TagSet(ecs.TagID(x.ID))
	place := ecs.Raw.TagPlace(set, e)
	switch {
	case x.Op == ir.Tag:
		if place < 0 && set.Tag(e) {
			t.flipped = append(t.flipped, closures.Flip{Set: set, Entity: e, Place: -1})
		}
	case place >= 0:
		set.Untag(e)
		t.flipped = append(t.flipped, closures.Flip{Set: set, Entity: e, Place: place})
	}
}

// compareStored looks at what the closures have stored elsewhere, and at the elements
// of tables, once the values of code are in the world again.
func (t *twin) compareStored(k *Kernel) *kernel.Difference {
	for _, s := range t.stored {
		if got := peek(s.p, s.typ.Size()); !sameBits(s.typ, got, s.value) {
			return t.elsewhere(s.p, textOf(s.typ, got), textOf(s.typ, s.value))
		}
	}
	for i := range k.given {
		closures := t.shadow.Table(i)
		for j, x := range k.elements(i) {
			if !sameNumber(x, closures[j]) {
				return &kernel.Difference{Row: -1, Input: k.program.Tables[i].Input, Code: ecs.Number(x).String(), Closures: ecs.Number(closures[j]).String()}
			}
		}
	}
	return nil
}

// sameBits compares two values of a field; NaN is NaN.
func sameBits(t ecs.FieldType, x, y uint64) bool {
	return x == y || (t == ecs.F64 || t == ecs.F32) && bothNaN(t.Size(), x, y)
}

// sameNumber compares two numbers by their bits; NaN is NaN.
func sameNumber(a, b float64) bool {
	return sameBits(ecs.F64, math.Float64bits(a), math.Float64bits(b))
}

func bothNaN(size uintptr, x, y uint64) bool {
	switch size {
	case 8:
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		return a != a && b != b
	case 4:
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		return a != a && b != b
	}
	return false
}

// textOf is a value of a field in words.
func textOf(t ecs.FieldType, bits uint64) string {
	shift := 64 - 8*t.Size()
	switch t {
	case ecs.F64:
		return ecs.Number(math.Float64frombits(bits)).String()
	case ecs.F32:
		return ecs.Number(float64(math.Float32frombits(uint32(bits)))).String()
	case ecs.Bool:
		return strconv.FormatBool(bits != 0)
	case ecs.EntityField:
		return ecs.Entity(bits).String()
	case ecs.I8, ecs.I16, ecs.I32, ecs.I64:
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	case ecs.U8, ecs.U16, ecs.U32, ecs.U64:
		return strconv.FormatUint(bits, 10)
	}
	panic("machine: code stores a field of type " + t.String())
}
