package ecs

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// saveTables writes the tables in their order, with rows, stamps and edges.
func saveTables(w *World, s *saver) {
	s.count(len(w.tables))
	for _, t := range w.tables {
		if t.prefab {
			s.ids(append(slices.Clone(t.ids), ComponentID(len(w.components)))) // see loader.archetype
		} else {
			s.ids(t.ids)
		}
	}
	for _, t := range w.tables {
		s.count(len(t.entities))
		s.count(t.capacity)
		saveColumn(s, t.entities, indexOfEntity, 4) // the slots have the generations
		for i := range t.columns {
			c := &t.columns[i]
			s.stamps(c)
			s.rows(c.info.schema, c.base, len(t.entities))
		}
	}
	for _, t := range w.tables {
		s.count(len(t.edges))
		for i := range t.edges {
			e := &t.edges[i]
			s.ids(e.ids)
			s.move(e.add)
			s.move(e.remove)
		}
	}
}

// ids writes a list of components.
func (s *saver) ids(ids []ComponentID) {
	s.count(len(ids))
	for _, id := range ids {
		s.number(uint64(id))
	}
}

// move writes where a cached move leads: 0 for none, the id of the table plus 1.
func (s *saver) move(m *move) {
	if m == nil {
		s.number(0)
	} else {
		s.number(uint64(m.to.id) + 1)
	}
}

// stamps writes the stamps of a column: the newest, those of the blocks, and those of the rows in blocks whose rows
// have not all the same. What a block's stamps hide is left out, so the stamps of most columns are short.
func (s *saver) stamps(c *Column) {
	s.number(uint64(c.newest.changed))
	s.number(uint64(c.newest.added))
	n := len(c.table.entities)
	blocks := slices.Grow(s.blocks[:0], (n+blockRows-1)>>blockShift)[:(n+blockRows-1)>>blockShift]
	changed, added := slices.Grow(s.changed[:0], n), slices.Grow(s.added[:0], n)
	for i := range blocks {
		b, stored := c.blocks[i].visible(), &c.blocks[i]
		blocks[i] = b
		from, to := i<<blockShift, min((i+1)<<blockShift, n)
		if b.changedNewest > 0 {
			for row := from; row < to; row++ {
				changed = append(changed, stored.of(row).changed)
			}
		}
		if b.addedNewest > 0 {
			for row := from; row < to; row++ {
				added = append(added, stored.of(row).added)
			}
		}
	}
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedAll), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedNewest), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.addedAll), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.addedNewest), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedBefore), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.newestRows), 8)
	saveColumn(s, changed, 0, 4)
	saveColumn(s, added, 0, 4)
	s.blocks, s.changed, s.added = blocks, changed, added
}

// visible returns the stamp of a block without those of single rows and without the fields that have no meaning: see
// [blockStamp].
func (b blockStamp) visible() blockStamp {
	b.single = nil
	if b.changedAll >= b.changedNewest {
		b.changedNewest, b.changedBefore, b.newestRows = 0, 0, 0
	}
	if b.addedAll >= b.addedNewest {
		b.addedNewest = 0
	}
	return b
}

// The rest of this file writes rows, and lists of numbers, in the form that compresses well: field by field, so that values of
// the same meaning stand together.

// valuesAtOnce is the number of bytes of one field that are gathered before they are handed to the file.
const valuesAtOnce = 32 << 10

// rows writes n rows of a schema that begin at base. A row without fields is a byte, so that no short file claims
// many rows.
func (s *saver) rows(of *Schema, base unsafe.Pointer, n int) {
	if n == 0 { // base may be nil
		return
	}
	if len(of.fields) == 0 {
		for range n {
			s.number(0)
		}
	}
	for i := range of.fields {
		f := &of.fields[i]
		at := unsafe.Add(base, f.Offset)
		switch {
		case f.Type == String:
			for row := range n {
				s.text(*(*string)(unsafe.Add(at, uintptr(row)*of.size)))
			}
		case f.Type == TableField:
			for row := range n {
				s.plain(*(**Data)(unsafe.Add(at, uintptr(row)*of.size)))
			}
		case f.Type.Len() > 0:
			width := f.Type.Elem().Size()
			for row := range n {
				s.gather(unsafe.Add(at, uintptr(row)*of.size), width, f.Type.Len(), int(width))
			}
		default:
			s.gather(at, of.size, n, int(f.Type.Size()))
		}
	}
	s.opaqueRows(of, base, n)
}

// gather writes n values of 1, 2, 4 or 8 bytes each, which lie stride bytes apart.
func (s *saver) gather(at unsafe.Pointer, stride uintptr, n, width int) {
	if s.values == nil {
		s.values = make([]byte, valuesAtOnce)
	}
	offset := uintptr(0) // of the next value; no pointer is made that lies after the last one
	for n > 0 {
		part := min(n, valuesAtOnce/width)
		to := s.values[:part*width]
		switch width {
		case 8:
			for i := 0; i < len(to); i, offset = i+8, offset+stride {
				binary.LittleEndian.PutUint64(to[i:], *(*uint64)(unsafe.Add(at, offset)))
			}
		case 4:
			for i := 0; i < len(to); i, offset = i+4, offset+stride {
				binary.LittleEndian.PutUint32(to[i:], *(*uint32)(unsafe.Add(at, offset)))
			}
		case 2:
			for i := 0; i < len(to); i, offset = i+2, offset+stride {
				binary.LittleEndian.PutUint16(to[i:], *(*uint16)(unsafe.Add(at, offset)))
			}
		default:
			for i := 0; i < len(to); i, offset = i+1, offset+stride {
				to[i] = *(*byte)(unsafe.Add(at, offset))
			}
		}
		s.list(to, width)
		n -= part
	}
}

// list writes values of width bytes each, little-endian.
func (s *saver) list(p []byte, width int) {
	s.flush()
	_, err := s.f.Values(p, width)
	s.fail(err)
}

// saveColumn writes one number of width bytes from each element of a list: the one that lies offset bytes after its
// beginning.
func saveColumn[T any](s *saver, list []T, offset uintptr, width int) {
	if len(list) == 0 {
		return
	}
	s.gather(unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), offset), unsafe.Sizeof(*new(T)), len(list), width)
}

// saveRoom writes the length and the capacity of a list whose capacity counts for the limit of bytes.
func saveRoom[T any](s *saver, list []T) {
	s.count(len(list))
	s.count(cap(list))
}
