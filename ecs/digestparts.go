package ecs

import (
	"encoding/binary"
	"hash"
	"math/bits"
)

// This file hashes parts of a world: each component, tag, event, resource and random stream by itself, and what one turn
// has written. Records of runs keep these, so that a replay can say which system and which component differ first. The
// hash has 64 bits and is several times faster than that of [World.Digest]; it finds accidents, and resists no attack.

// A PartDigest is the digest of one part of a world.
type PartDigest struct {
	Part   string // "entities", "component Position", "tag lit", "event Hit", "resource score", "random move"
	Digest uint64
}

// PartDigests appends the digests of all parts to list: of the entities with their generations and the free list, and of
// every declared component, relation, tag, event and resource and every random stream, in the order of declaration. A
// component's part has the entities that have it, in storage order, with their values; a relation's part has the order
// of sources, too. What counts is what counts for [World.Digest]. It costs O(bytes of the world).
func (w *World) PartDigests(list []PartDigest) []PartDigest {
	h := &quickHash{}
	d := &digester{hash: h, buf: make([]byte, 0, 8192)}
	done := func(part string) {
		d.flush()
		list = append(list, PartDigest{part, h.sum()})
		h.Reset()
	}
	digestSlots(w, d)
	done("entities")
	for _, info := range w.components {
		for _, t := range w.tables {
			c := t.Column(info.id)
			if c == nil || len(t.entities) == 0 {
				continue
			}
			for row, e := range t.entities {
				d.u64(uint64(e))
				d.row(info.schema, c.at(row))
			}
		}
		if r := info.relation; r != nil {
			for target, head := range r.heads.all {
				for at := head.first; at != 0; at = r.links.at(at - 1).next {
					d.u64(uint64(target)<<32 | uint64(at))
				}
			}
		}
		done("component " + info.name)
	}
	for _, s := range w.tags {
		d.entities(s.dense)
		done("tag " + s.name)
	}
	for _, l := range w.events {
		for seq := l.previous; seq < l.end; seq++ {
			d.row(l.schema, l.at(int(seq-l.first)))
		}
		d.u64(l.end)
		done("event " + l.name)
	}
	for _, r := range w.resources {
		d.row(r.schema, r.ptr)
		done("resource " + r.name)
	}
	for _, r := range w.streams {
		d.u64(r.at.Hi)
		d.u64(r.at.Lo)
		done("random " + r.name)
	}
	return list
}

// TurnDigests hashes what turns write: call Begin before a turn and End after it, as from [Schedule].Before and After.
type TurnDigests struct {
	w     *World
	since Tick
	sent  []uint64 // by event: the number of events that were sent before the turn
	hash  quickHash
	d     digester
}

// NewTurnDigests returns a TurnDigests for the turns in a world.
func (w *World) NewTurnDigests() *TurnDigests {
	t := &TurnDigests{w: w}
	t.d = digester{hash: &t.hash, buf: make([]byte, 0, 8192)}
	return t
}

// Begin notes the state before a turn. It costs O(event types).
func (t *TurnDigests) Begin() {
	t.since = t.w.Tick()
	t.sent = t.sent[:0]
	for _, l := range t.w.events {
		t.sent = append(t.sent, l.end)
	}
}

// End returns the digest of what has happened since Begin: the values that carry a stamp of the turn, equal or not, which
// entities are in which table and row, the free list, tags, events that were sent and not drained, resources, and the
// random stream of the system (nil: none). Streams and resources in without do not count. It costs O(entities + tag entries
// + what was written), and allocates nothing once its memory has grown.
func (t *TurnDigests) End(sys *System, without func(part string) bool) uint64 {
	w, d := t.w, &t.d
	since := w.stampSince(t.since)
	t.hash.Reset()
	for _, table := range w.tables {
		if len(table.entities) == 0 {
			continue
		}
		d.u64(uint64(len(table.entities)))
		d.entities(table.entities)
		for i := range table.columns {
			if c := &table.columns[i]; c.newest.changed > since {
				t.column(c, since)
			}
		}
	}
	d.u64(uint64(len(w.slots.free)))
	for _, index := range w.slots.free {
		d.u64(uint64(index))
	}
	for _, s := range w.tags {
		d.u64(uint64(len(s.dense)))
		d.entities(s.dense)
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
	for _, r := range w.resources {
		if without == nil || !without("resource "+r.name) {
			d.row(r.schema, r.ptr)
		}
	}
	if sys != nil && (without == nil || !without("random "+sys.random.name)) {
		d.u64(sys.random.at.Hi)
		d.u64(sys.random.at.Lo)
	}
	d.flush()
	return t.hash.sum()
}

// column hashes the rows of a column that were changed after a stamp.
func (t *TurnDigests) column(c *Column, since uint32) {
	n := len(c.table.entities)
	t.d.text(c.info.name)
	for b := 0; b<<blockShift < n; b++ {
		if s := &c.blocks[b]; max(s.changedAll, s.changedNewest) <= since {
			continue
		}
		for row := b << blockShift; row < min(n, (b+1)<<blockShift); row++ {
			if c.stampOf(row).changed > since {
				t.d.u64(uint64(row))
				t.d.row(c.info.schema, c.at(row))
			}
		}
	}
}

// A quickHash multiplies and mixes eight bytes at a time. It implements hash.Hash as far as a digester needs it.
type quickHash struct{ a, b, n uint64 }

var _ hash.Hash = (*quickHash)(nil)

// Write implements hash.Hash. A part of eight bytes at the end is padded with zeros; the length of everything counts.
func (h *quickHash) Write(p []byte) (int, error) {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	n := len(p)
	h.n += uint64(n)
	a, b := h.a, h.b
	for ; len(p) >= 16; p = p[16:] { // two chains, so that one does not wait for the other
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(p)^a^k0, k1|1)
		a = hi ^ lo ^ bits.RotateLeft64(a, 29)
		hi, lo = bits.Mul64(binary.LittleEndian.Uint64(p[8:])^b^k1, k0)
		b = hi ^ lo ^ bits.RotateLeft64(b, 31)
	}
	for len(p) > 0 {
		var last [8]byte
		p = p[copy(last[:], p):]
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(last[:])^a^k0, k1|1)
		a, b = b, hi^lo^bits.RotateLeft64(a, 29)
	}
	h.a, h.b = a, b
	return n, nil
}

// sum returns the hash of what was written.
func (h *quickHash) sum() uint64 {
	hi, lo := bits.Mul64(h.a^bits.RotateLeft64(h.b, 32)^0xbf58476d1ce4e5b9, h.b^h.n^0x94d049bb133111eb|1)
	x := hi ^ lo ^ h.n
	x ^= x >> 31
	x *= 0x94d049bb133111eb
	return x ^ x>>29
}

// Sum implements hash.Hash.
func (h *quickHash) Sum(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, h.sum()) }

// Reset implements hash.Hash.
func (h *quickHash) Reset() { *h = quickHash{} }

// Size implements hash.Hash.
func (h *quickHash) Size() int { return 8 }

// BlockSize implements hash.Hash.
func (h *quickHash) BlockSize() int { return 16 }
