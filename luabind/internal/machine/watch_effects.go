package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Here the records that a watched call has left for the host are compared with what the closures record: stores in rows of
// other entities, events and commands in their order, and flips of tags.

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
