package ecs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"unsafe"
)

// This file is the column "digest" of [sections]: one function per part of the world, which feeds the part to a
// hash. Tests and the commands that compare runs use the result. The bytes that are hashed are fixed by golden
// digests: a change here changes all of them.

// A Digest identifies the content of a world: 16 bytes of a SHA-256. See the example of [World.Digest].
//
// The same operations give the same world, down to the order of rows. Nothing depends on the order of a map, the
// clock, an address or a global random number.
type Digest [16]byte

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// digester feeds a hash through a buffer, so that the hash is not called for each number.
type digester struct {
	hash  hash.Hash
	buf   []byte
	coded []byte // what a codec has returned; reused
}

func (d *digester) u64(v uint64) {
	if len(d.buf)+8 > cap(d.buf) {
		d.flush()
	}
	d.buf = binary.LittleEndian.AppendUint64(d.buf, v)
}

// entities hashes handles.
func (d *digester) entities(list []Entity) {
	for len(list) > 0 {
		n := min(len(list), (cap(d.buf)-len(d.buf))/8)
		buf := d.buf
		for _, e := range list[:n] {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(e))
		}
		d.buf = buf
		if list = list[n:]; len(list) > 0 {
			d.flush()
		}
	}
}

// text hashes the length and the bytes of s.
func (d *digester) text(s string) {
	d.u64(uint64(len(s)))
	d.flush()
	d.hash.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func (d *digester) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}

// Digest hashes the content of the world in storage order: entities with generations and the free list, values,
// tags, relations, the events that Peek returns, resources and random streams. All NaNs count as the same value.
// Change stamps, event cursors and the clock do not count, nor do fields of Go types that are tagged transient. It costs
// O(bytes of the world). It panics if there is a value of a Go type without a codec, and names it: see [RegisterCodec].
func (w *World) Digest() Digest {
	d := &digester{hash: sha256.New(), buf: make([]byte, 0, 8192)}
	for i := range sections {
		if digest := sections[i].digest; digest != nil {
			digest(w, d)
		}
	}
	d.flush()
	var out Digest
	copy(out[:], d.hash.Sum(nil))
	return out
}

func digestSlots(w *World, d *digester) {
	d.u64(uint64(len(w.slots.all)))
	for i := range w.slots.all {
		d.u64(uint64(w.slots.all[i].meta & (liveMask | slotSpent)))
	}
	d.u64(uint64(len(w.slots.free)))
	for _, index := range w.slots.free {
		d.u64(uint64(index))
	}
}

// digestTables hashes the tables that have rows; an empty table does not count.
func digestTables(w *World, d *digester) {
	for _, t := range w.tables {
		if len(t.entities) > 0 {
			d.table(t)
		}
	}
}

func digestTags(w *World, d *digester) {
	for _, s := range w.tags {
		d.text(s.name)
		d.u64(uint64(len(s.dense)))
		d.entities(s.dense)
	}
}

// digestRelations hashes the order of the sources of each target, and that of many targets. Single targets are values of columns.
func digestRelations(w *World, d *digester) {
	for _, r := range w.relations {
		named := false                       // a relation without sources does not count, as an empty table does not
		for target, h := range r.heads.all { // slot index of the target
			for at := h.first; at != 0; at = r.links.at(at - 1).next {
				if !named {
					d.text(r.info.name)
					named = true
				}
				d.u64(uint64(target)<<32 | uint64(r.source(at-1)+1))
			}
		}
		r.digestTargets(d)
	}
}

// digestEvents hashes the events that Peek returns; events kept for slow readers do not count.
func digestEvents(w *World, d *digester) {
	for _, l := range w.events {
		d.text(l.name)
		d.u64(l.end - l.previous)
		for seq := l.previous; seq < l.end; seq++ {
			d.row(l.schema, l.at(int(seq-l.first)))
		}
	}
}

func digestResources(w *World, d *digester) {
	for _, r := range w.resources {
		d.text(r.name)
		d.row(r.schema, r.ptr)
	}
}

func digestStreams(w *World, d *digester) {
	for _, r := range w.streams {
		d.text(r.name)
		d.text(string(r.state()))
	}
}

func (d *digester) table(t *Table) {
	d.u64(uint64(len(t.ids)))
	for i := range t.columns {
		d.text(t.columns[i].info.name)
	}
	d.u64(uint64(len(t.entities)))
	d.entities(t.entities)
	for i := range t.columns {
		c := &t.columns[i]
		for row := range t.entities {
			d.row(c.info.schema, c.at(row))
		}
	}
}

// row hashes the fields of a row one by one, so that padding does not count.
func (d *digester) row(s *Schema, p unsafe.Pointer) {
	if s.pointerFree && !s.arrays && len(d.buf)+8*len(s.fields) <= cap(d.buf) {
		d.numbers(s.fields, p)
		return
	}
	for i := range s.fields {
		f := &s.fields[i]
		if n := f.Type.Len(); n > 0 {
			for k := range n {
				d.value(f.item(p, k), f.Type.Elem())
			}
			continue
		}
		d.value(unsafe.Add(p, f.Offset), f.Type)
	}
	for i := range s.opaque {
		d.opaque(s, &s.opaque[i], p)
	}
}

// numbers does the same as value for each field of a row. The fields have no pointers, and the buffer has room for them.
func (d *digester) numbers(fields []Field, p unsafe.Pointer) {
	buf := d.buf
	for i := range fields {
		f := &fields[i]
		var v uint64
		switch q := unsafe.Add(p, f.Offset); f.Type {
		case F64:
			v = canonicalBits(*(*float64)(q))
		case F32:
			v = canonicalBits(float64(*(*float32)(q)))
		case I64, U64, EntityField:
			v = *(*uint64)(q)
		default:
			v = canonicalBits(loadNumber(q, f.Type))
		}
		buf = binary.LittleEndian.AppendUint64(buf, v)
	}
	d.buf = buf
}

// opaque hashes what the codec of an opaque field makes of the row at p.
func (d *digester) opaque(s *Schema, f *opaqueField, p unsafe.Pointer) {
	if f.left() {
		return
	}
	var err error
	if d.coded, err = f.append(d.coded[:0], p); err != nil {
		panic(fmt.Sprintf("ecs: digest of a %s: %v", s.memory.row, err))
	}
	d.flush()
	d.hash.Write(d.coded)
}

func (d *digester) value(p unsafe.Pointer, t FieldType) {
	switch t {
	case F64:
		d.u64(canonicalBits(*(*float64)(p)))
	case I64, U64, EntityField:
		d.u64(*(*uint64)(p))
	case String:
		d.text(*(*string)(p))
	case TableField:
		d.data(*(**Data)(p))
	default:
		d.u64(canonicalBits(loadNumber(p, t)))
	}
}

func (d *digester) data(data *Data) {
	d.u64(uint64(data.Len()))
	for i := range data.Len() {
		key, v := data.At(i)
		d.any(key)
		d.any(v)
	}
}

func (d *digester) any(v Value) {
	d.u64(uint64(v.kind))
	switch v.kind {
	case StringValue:
		d.text(v.Str())
	case TableValue:
		d.data(v.Data())
	case NumberValue:
		d.u64(canonicalBits(v.Float()))
	default:
		d.u64(v.bits)
	}
}
