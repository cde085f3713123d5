package ecs

import (
	"math/bits"
	"unsafe"
)

// This file hashes parts of a world: each component, tag, event, resource and random stream by itself, and what one turn
// has written. Records of runs keep these, so that a replay can say which system and which component differ first. The
// hash is that of quickhash.go, so digests are compared with those of the same version only; a change here is a new format
// of records.

// A PartDigest is the digest of one part of a world.
type PartDigest struct {
	Part   string // "entities", "component Position", "tag lit", "event Hit", "resource score", "random move"
	Digest uint64
}

// PartDigests appends the digests of all parts to list: of the entities with their generations and the free list, and of
// every declared component, relation, tag, event, resource, prefab, state, layer and index and every random stream, in the order of declaration. A
// component's part has the entities that have it, in storage order, with their values; a relation's part has the order
// of sources and of many targets, too. What counts is what counts for [World.Digest], but for the order of tables and declarations: that is in
// [World.OrderDigest]. It costs O(bytes of the world).
func (w *World) PartDigests(list []PartDigest) []PartDigest {
	h := newPartHash()
	done := func(part string) { list = append(list, PartDigest{part, h.sum()}) }
	digestSlots(w, &h.digester)
	done("entities")
	entities := make([]uint64, len(w.tables)) // by table
	for i, t := range w.tables {
		if len(t.entities) > 0 {
			h.handles(t.entities)
			entities[i] = h.sum()
		}
	}
	for _, info := range w.components {
		for i, t := range w.tables {
			if c := t.Column(info.id); c != nil && len(t.entities) > 0 {
				h.u64(entities[i])
				h.rows(c, 0, len(t.entities))
			}
		}
		if r := info.relation; r != nil {
			for target, head := range r.heads.all {
				for at := head.first; at != 0; at = r.links.at(at - 1).next {
					h.u64(uint64(target)<<32 | uint64(r.source(at-1)+1))
				}
			}
			r.digestTargets(&h.digester)
		}
		done("component " + info.name)
	}
	for _, s := range w.tags {
		h.handles(s.dense)
		done("tag " + s.name)
	}
	for _, l := range w.events {
		for seq := l.previous; seq < l.end; seq++ {
			h.row(l.schema, l.at(int(seq-l.first)))
		}
		h.u64(l.end)
		if int(l.id) < len(w.waits.stores) && w.waits.stores[l.id].n > 0 {
			h.waitingOf(w, l.id)
		}
		done("event " + l.name)
	}
	for _, r := range w.resources {
		h.row(r.schema, r.ptr)
		done("resource " + r.name)
	}
	for _, p := range w.prefabs {
		h.prefab(p)
		done("prefab " + p.spec.Name)
	}
	for i := range w.states {
		h.state(&w.states[i])
		done("state " + w.states[i].spec.Name)
	}
	for _, l := range w.layers {
		digestCells(l, &h.digester)
		done("layer " + l.spec.Name)
	}
	for _, x := range w.indexes {
		x.digest(&h.digester, false)
		done("index " + x.spec.Name)
	}
	for _, r := range w.streams {
		h.u64(r.at.Hi)
		h.u64(r.at.Lo)
		done("random " + r.name)
	}
	return list
}

// OrderDigest returns a digest of the tables that have rows, in their order, with their components and entities. Worlds with
// equal [World.PartDigests], and the same parts in the same order, are equal if this is, too. It costs O(entities).
func (w *World) OrderDigest() uint64 {
	h := newPartHash()
	for _, t := range w.tables {
		if len(t.entities) == 0 {
			continue
		}
		h.u64(uint64(len(t.ids)))
		for i := range t.columns {
			h.text(t.columns[i].info.name)
		}
		h.u64(uint64(len(t.entities)))
		h.handles(t.entities)
	}
	return h.sum()
}

// A partHash is a digester with a quickHash, that takes many rows at a time.
type partHash struct {
	digester
	quick  quickHash
	values [blockRows]uint64
}

func newPartHash() *partHash {
	h := &partHash{}
	h.digester = digester{hash: &h.quick, buf: make([]byte, 0, 8192)}
	return h
}

// sum returns the hash of what was added since the last sum, and begins anew.
func (h *partHash) sum() uint64 {
	h.flush()
	sum := h.quick.sum()
	h.quick.Reset()
	return sum
}

func (h *partHash) handles(list []Entity) {
	if len(list) == 0 {
		return
	}
	h.flush()
	h.quick.words(unsafe.Slice((*uint64)(unsafe.Pointer(&list[0])), len(list)))
}

// rows adds the values of rows from..to-1 of a column: field by field for 64 rows at a time.
func (h *partHash) rows(c *Column, from, to int) {
	schema := c.info.schema
	if !schema.pointerFree {
		for row := from; row < to; row++ {
			h.row(schema, c.at(row))
		}
		return
	}
	h.flush()
	for ; from < to; from += blockRows {
		values := h.values[:min(blockRows, to-from)]
		for i := range schema.fields {
			f := &schema.fields[i]
			if f.Type.Len() > 0 {
				for row := from; row < from+len(values); row++ {
					h.items(f, c.at(row))
				}
				continue
			}
			numbersOf(values, unsafe.Add(c.at(from), f.Offset), c.size, f.Type)
			h.quick.words(values)
		}
	}
}

// items adds the values of the array of a row.
func (h *partHash) items(f *Field, row unsafe.Pointer) {
	elem, room := f.Type.Elem(), f.Type.Len()
	for k := 0; k < room; k += len(h.values) {
		values := h.values[:min(len(h.values), room-k)]
		numbersOf(values, f.item(row, k), elem.Size(), elem)
		h.quick.words(values)
	}
}

// numbersOf reads a field of len(values) rows: the first at p, each further one size bytes on. Equal values have equal
// numbers, as for digester.value.
func numbersOf(values []uint64, p unsafe.Pointer, size uintptr, t FieldType) {
	switch t {
	case F64:
		for i := range values {
			values[i] = canonicalBits(*(*float64)(unsafe.Add(p, uintptr(i)*size)))
		}
	case I64, U64, EntityField:
		integersOf[uint64](values, p, size)
	case I32, U32:
		integersOf[uint32](values, p, size)
	case I16, U16:
		integersOf[uint16](values, p, size)
	case I8, U8, Bool:
		integersOf[uint8](values, p, size)
	default:
		for i := range values {
			values[i] = canonicalBits(loadNumber(unsafe.Add(p, uintptr(i)*size), t))
		}
	}
}

func integersOf[T uint8 | uint16 | uint32 | uint64](values []uint64, p unsafe.Pointer, size uintptr) {
	for i := range values {
		values[i] = uint64(*(*T)(unsafe.Add(p, uintptr(i)*size)))
	}
}

// TurnDigests hashes what turns write: call Begin before a turn and End after it, as from [Schedule].Before and After.
type TurnDigests struct {
	w     *World
	since Tick
	sent  []uint64 // by event: the number of events that were sent before the turn
	waits [2]int   // how many waiting events there were, and how many of them had ended
	hash  *partHash
}

// NewTurnDigests returns a TurnDigests for the turns in a world.
func (w *World) NewTurnDigests() *TurnDigests {
	return &TurnDigests{w: w, hash: newPartHash()}
}

// Begin notes the state before a turn. It costs O(event types).
func (t *TurnDigests) Begin() {
	made(t.w != nil, "TurnDigests", "World.NewTurnDigests")
	t.since = t.w.Tick()
	t.sent = t.sent[:0]
	for _, l := range t.w.events {
		t.sent = append(t.sent, l.end)
	}
	t.waits = [2]int{len(t.w.waits.all), t.w.waits.gone}
}

// End returns the digest of what has happened since Begin: the values that carry a stamp of the turn, equal or not, which
// entities are in which table and row, the free list, tags, events that were sent and not drained or that wait since then, resources, states, layers and the orders at places of indexes that were written, and the
// random stream of the system (nil: none). Streams and resources in without do not count. It costs O(entities + tag entries
// + what was written), and allocates nothing once its memory has grown.
func (t *TurnDigests) End(sys *System, without func(part string) bool) uint64 {
	made(t.w != nil, "TurnDigests", "World.NewTurnDigests")
	w, d := t.w, t.hash
	in := window{since: w.stampSince(t.since)}
	for _, table := range w.tables {
		if len(table.entities) == 0 {
			continue
		}
		d.u64(uint64(len(table.entities)))
		d.handles(table.entities)
		for i := range table.columns {
			if c := &table.columns[i]; c.newest.changed > in.since {
				t.column(c, in)
			}
		}
	}
	d.u64(uint64(len(w.slots.free)))
	for _, index := range w.slots.free {
		d.u64(uint64(index))
	}
	for _, s := range w.tags {
		d.u64(uint64(len(s.dense)))
		d.handles(s.dense)
	}
	for i, l := range w.events {
		d.u64(l.end)
		from := l.end
		if i < len(t.sent) {
			from = max(t.sent[i], l.previous)
		}
		for seq := from; seq < l.end; seq++ {
			d.row(l.schema, l.at(int(seq-l.first)))
		}
	}
	if now := [2]int{len(w.waits.all), w.waits.gone}; now != t.waits {
		d.u64(uint64(now[1] - t.waits[1]))
		d.waiting(w, t.waits[0])
	}
	for _, r := range w.resources {
		if without == nil || !without("resource "+r.name) {
			d.row(r.schema, r.ptr)
		}
	}
	for i := range w.states {
		d.state(&w.states[i])
	}
	for _, l := range w.layers {
		if l.wrote > t.since {
			d.text(l.spec.Name)
			digestCells(l, &d.digester)
		}
	}
	for _, x := range w.indexes {
		if x.wrote > t.since {
			x.digest(&d.digester, true)
		}
	}
	if sys != nil && sys.random != nil && (without == nil || !without("random "+sys.random.name)) {
		d.u64(sys.random.at.Hi)
		d.u64(sys.random.at.Lo)
	}
	return d.sum()
}

// column hashes the rows of a column that were changed in a window.
func (t *TurnDigests) column(c *Column, in window) {
	n := len(c.table.entities)
	t.hash.text(c.info.name)
	for from := 0; from < n; from += blockRows {
		rows := c.changedWord(from>>blockShift, in)
		all := ^uint64(0) >> (blockRows - min(blockRows, n-from))
		if rows &= all; rows == 0 {
			continue
		}
		t.hash.u64(uint64(from))
		t.hash.u64(rows)
		if r := c.info.relation; r != nil && r.pairs != nil {
			for left := rows; left != 0; left &= left - 1 {
				r.digestTargetsOf(&t.hash.digester, c.table.entities[from+bits.TrailingZeros64(left)].Index())
			}
		}
		if rows == all {
			t.hash.rows(c, from, min(n, from+blockRows))
			continue
		}
		for ; rows != 0; rows &= rows - 1 {
			t.hash.row(c.info.schema, c.at(from+bits.TrailingZeros64(rows)))
		}
	}
}
