package watch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Compared here: the records that a call has left for the host, with what closures have recorded. That is stores in rows of
// other entities, events and commands in their order, and changes of tags.

// compareRecords compares everything that the call has recorded, except for changes of tags.
func (t *rerun) compareRecords() *kernel.Difference {
	if t.frame.Unit.Logs {
		t.mine, t.theirs = t.mine[:0], sortedWrites(t.shadow.Writes(t.theirs[:0]))
		n := 0
		for at := t.frame.Log.Start; at < *t.frame.Log.End; at += abi.LogRecord {
			if d := t.compareLogged(at, t.logged[n]); d != nil {
				return d
			}
			n++
			if id, table, row, ok := t.frame.LoggedRow(at); ok {
				t.mine = append(t.mine, closures.Write{Component: id, Table: table, Row: row})
			}
		}
		t.mine = sortedWrites(t.mine)
		if !slices.Equal(t.mine, t.theirs) {
			return t.difference(-1, "which other rows it writes", strconv.Itoa(len(t.mine))+" rows", strconv.Itoa(len(t.theirs))+" rows")
		}
	}
	if t.frame.Unit.Effects {
		return t.compareEffects()
	}
	return nil
}

// compareLogged compares the value that code has stored, as a record of the log says, with that of closures.
func (t *rerun) compareLogged(at uint32, x uint64) *kernel.Difference {
	p, size := t.frame.Logged(at)
	home, text, ok := t.code.Home(at)
	switch {
	case text:
		if code, closures := t.frame.TextOf(uint32(x)), *(*string)(home); code != closures {
			return t.elsewhere(home, strconv.Quote(code), strconv.Quote(closures))
		}
		return nil
	case ok:
		p = home
	}
	if y := kernel.Peek(p, size); x != y && !bothNaN(size, x, y) && !t.frame.LoggedElement(at) {
		return t.elsewhere(p, "the bits "+strconv.FormatUint(x, 16), "the bits "+strconv.FormatUint(y, 16))
	}
	return nil
}

func sortedWrites(list []closures.Write) []closures.Write {
	slices.SortFunc(list, func(a, b closures.Write) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Row, b.Row))
	})
	return slices.Compact(list)
}

// compareEffects compares the events and commands in the ring, in their order.
func (t *rerun) compareEffects() *kernel.Difference {
	i := 0
	for at := t.frame.Ring.Start; at < *t.frame.Ring.End; {
		var site *ir.Stmt
		if site, at = t.frame.Site(at); site.Op == ir.Do {
			at += 8
			continue
		}
		if i >= t.shadow.Effects() {
			return t.difference(-1, "how many events and commands it sends", "more", strconv.Itoa(i))
		}
		effect, args := t.shadow.Effect(i)
		if effect != site.Effect {
			return t.difference(-1, "what it sends", nameOf(site.Effect), nameOf(effect))
		}
		var d *kernel.Difference
		if abi.SendsRow(effect) {
			d = t.compareRow(effect, args, at)
			at += abi.RowRecord(effect.Schema)
		} else {
			d, at = t.compareArgs(site, args, at)
		}
		if d != nil {
			return d
		}
		i++
	}
	if n := t.shadow.Effects(); i != n {
		return t.difference(-1, "how many events and commands it sends", strconv.Itoa(i), strconv.Itoa(n))
	}
	return nil
}

// nameOf returns the function of the script that makes an effect.
func nameOf(e *ir.Effect) string {
	names := [...]string{
		ir.Send: "world:send", ir.QueueSend: "commands:send", ir.QueueSpawn: "commands:spawn", ir.QueueDespawn: "commands:despawn",
		ir.QueueAdd: "commands:add", ir.QueueRemove: "commands:remove", ir.QueueSet: "commands:set", ir.QueueTag: "commands:tag",
		ir.QueueUntag: "commands:untag", ir.QueueRelate: "commands:relate", ir.QueueUnrelate: "commands:unrelate",
		ir.Made: "the tables that it makes", ir.TableSet: "what it stores in a table", ir.Print: "print",
	}
	if e.Prefab != "" {
		return "commands:instance"
	}
	return names[e.Op]
}

// compareRow compares the row of an event at an address with the row that closures would send.
func (t *rerun) compareRow(e *ir.Effect, args []kernel.Arg, at uint32) *kernel.Difference {
	size := e.Schema.Size()
	if uintptr(cap(t.event)) < size+8 {
		t.event = make([]byte, size+8)
	}
	t.event = t.event[:size+8]
	kernel.EventRow(t.event, e, args)
	fields := e.Schema.Fields()
	for i := range fields {
		f := &fields[i]
		if f.Type.Len() > 0 {
			continue // no loop sends one
		}
		x, y := kernel.Peek(unsafe.Add(t.frame.Memory.At(at), f.Offset), f.Type.Size()), kernel.Peek(unsafe.Pointer(&t.event[f.Offset]), f.Type.Size())
		if !sameBits(f.Type, x, y) {
			return t.sends(e, f, textOf(f.Type, x), textOf(f.Type, y))
		}
	}
	return nil
}

// sends describes a difference in a value of an effect: in a field, or in the entity if f is nil.
func (t *rerun) sends(e *ir.Effect, f *ecs.Field, code, closures string) *kernel.Difference {
	what := "the entity"
	if f != nil {
		what = fmt.Sprintf("the field %q", f.Name)
	}
	return t.difference(-1, what+" of "+nameOf(e), code, closures)
}

// compareArgs compares the arguments at an address, and returns the address of the next record.
func (t *rerun) compareArgs(site *ir.Stmt, args []kernel.Arg, at uint32) (d *kernel.Difference, next uint32) {
	for i, x := range site.Args {
		var a kernel.Arg
		a, at = t.frame.ArgAt(x, at)
		if f := fieldOfArg(site.Effect, i); d == nil && (a.S != args[i].S || !sameArg(f, a.N, args[i].N)) {
			d = t.sends(site.Effect, f, argText(f, x.Type, a), argText(f, x.Type, args[i]))
		}
	}
	return d, at
}

// fieldOfArg returns the field that an argument of an effect goes to; nil for the entity that the effect is about, and for
// targets of relations.
func fieldOfArg(e *ir.Effect, i int) *ecs.Field {
	if e.ForEntity() {
		i--
	}
	if i < 0 || i >= len(e.Fields) {
		return nil
	}
	return e.Fields[i].Field
}

// sameArg compares two numbers as a field holds them: what it does not keep makes no difference.
func sameArg(f *ecs.Field, x, y float64) bool {
	if f == nil || f.Type == ecs.F64 || sameNumber(x, y) {
		return sameNumber(x, y)
	}
	a, b := kernel.Value(f.Type, kernel.Arg{N: x}), kernel.Value(f.Type, kernel.Arg{N: y})
	return f.Type != ecs.String && a.Equal(b) && (f.Type != ecs.F32 || sameNumber(a.Float(), b.Float()))
}

// argText formats an argument for a message. f is the field that it goes to: see fieldOfArg.
func argText(f *ecs.Field, t ir.Type, a kernel.Arg) string {
	if e, ok := ecs.EntityFromNumber(a.N); ok && (f == nil || f.Type == ecs.EntityField) {
		return e.String()
	}
	switch t {
	case ir.Bool:
		return strconv.FormatBool(a.N != 0)
	case ir.Text:
		return strconv.Quote(a.S)
	default:
		return ecs.Number(a.N).String()
	}
}

// elsewhere describes a difference in a value at p, in a row that either of both has written.
func (t *rerun) elsewhere(p unsafe.Pointer, code, reference string) *kernel.Difference {
	d := t.difference(-1, "a field of another row", code, reference)
	for _, list := range [...][]closures.Write{t.theirs, t.mine} {
		for _, w := range list {
			table := t.World.Tables()[w.Table]
			base, stride := ecs.Raw.Column(table.Column(w.Component))
			offset := uintptr(p) - uintptr(base) - uintptr(w.Row)*stride
			if offset >= stride {
				continue
			}
			info, _ := t.World.ComponentInfo(w.Component)
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

// compareFlips makes the changes of tags that are in the ring, as the host will do, and undoes them. They must be those that
// closures have made, in the same order.
func (t *rerun) compareFlips() *kernel.Difference {
	t.flipped = t.flipped[:0]
	for at := t.frame.Ring.Start; t.frame.Unit.Effects && at < *t.frame.Ring.End; {
		var site *ir.Stmt
		site, at = t.frame.Site(at)
		switch {
		case site.Op == ir.Do:
			t.flip(site.A, t.frame.NumberAt(at))
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
		f := &t.flipped[i]
		ecs.Raw.PutBackTag(f.Set, f.Entity, f.Place)
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
			d := t.difference(-1, "which tags it sets or takes off", flipText(x), flipText(y))
			d.Entity = y.Entity
			if y.Entity == ecs.None {
				d.Entity = x.Entity
			}
			return d
		}
	}
	return nil
}

// flipText formats the change of a tag for a message.
func flipText(f closures.Flip) string {
	switch {
	case f.Entity == ecs.None:
		return "none"
	case f.Place < 0:
		return "a tag for " + f.Entity.String()
	}
	return "a tag taken off " + f.Entity.String()
}

// flip changes a tag as the host does, and keeps what has changed.
func (t *rerun) flip(x *ir.Expr, to float64) {
	e, ok := ecs.EntityFromNumber(to)
	if !ok {
		return
	}
	set := t.World.TagSet(ecs.TagID(x.ID))
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
