package ecs

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// This file saves the state of a world to a file. The column "save" of [sections] has one function per part of the
// state, which writes the part as a section "world/NAME" of the file; the column "load" (load.go) is its inverse.
// Equal states give the same bytes: everything is written in the order of the state, nothing in the order of a map.
//
// Numbers are unsigned varints, values of columns are written field by field (savetables.go), so a file does not
// depend on how a machine lays out a row. What follows from other parts is not written: places of entities, sparse
// lists of tags, indexes.

// Save writes the whole state of the world: what [World.Copy] copies, but for the error of an observer that is to end
// the next frame. [Load] reads it. It is called between turns; a
// copy can be saved while the world goes on, on another goroutine. The file is compressed and has checksums, see
// package snapfile. Errors: [ErrLocked] inside of a system or a query loop; those of to; a component whose Go type
// has more than 4 KiB of padding; a value of a Go type without a codec, which is named (see [RegisterCodec]); those of
// codecs.
func (w *World) Save(to io.Writer) error {
	given(to != nil, "World.Save", "a writer")
	f := snapfile.NewWriter(to)
	if err := w.saveSections(f); err != nil {
		return err
	}
	return f.Close()
}

// saveSections writes the world as sections "world/…" of a file that has other sections, too. Its errors are those
// of [World.Save].
func (w *World) saveSections(f *snapfile.Writer) error {
	if w.busy() {
		return fail("save world", None, "", w.lockedBy())
	}
	w.beginChange() // nothing changes, but nothing may
	defer w.endChange()
	s := &saver{f: f}
	for i := range sections {
		if save := sections[i].save; save != nil && s.err == nil && w.uses(sections[i].name) {
			s.begin(worldSection + sections[i].name)
			save(w, s)
			s.end()
		}
	}
	if s.err != nil {
		return fmt.Errorf("save world: %w", s.err)
	}
	return nil
}

// uses reports whether a world has something for a section. Sections that it does not use are not in its files.
func (w *World) uses(section string) bool {
	switch section {
	case waitSection:
		return w.waits.last > 0
	case stateSection:
		return len(w.states) > 0
	case prefabSection:
		return len(w.prefabs) > 0
	}
	return true
}

// optionalSection reports whether a file may have no such section.
func optionalSection(name string) bool {
	return name == waitSection || name == stateSection || name == prefabSection
}

// worldSection begins the names of the sections of a world.
const worldSection = "world/"

// A saver writes the content of sections. It keeps the first error.
type saver struct {
	f   *snapfile.Writer
	err error
	b   []byte // pending small values

	texts map[string]uint64 // strings of this section that are written already, by number
	data  map[*Data]uint64  // plain data, likewise

	values         []byte // scratch of columns
	blocks         []blockStamp
	changed, added []uint32
	coded          []byte // what a codec has returned
}

// smallValues is the number of pending bytes at which a saver hands them on.
const smallValues = 4096

// maxShared is the number of strings, and of plain data, of a section of which only the first occurrence is
// written in full. It bounds the memory of savers and loaders.
const maxShared = 1 << 20

func (s *saver) begin(name string) {
	s.texts, s.data = nil, nil
	s.fail(s.f.Begin(name))
}

func (s *saver) end() { s.flush() }

// flush hands the pending bytes to the file.
func (s *saver) flush() {
	if len(s.b) > 0 {
		_, err := s.f.Write(s.b)
		s.fail(err)
		s.b = s.b[:0]
	}
}

func (s *saver) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// number writes an unsigned number.
func (s *saver) number(n uint64) {
	s.b = binary.AppendUvarint(s.b, n)
	if len(s.b) >= smallValues {
		s.flush()
	}
}

func (s *saver) count(n int) { s.number(uint64(n)) }

func (s *saver) flag(on bool) {
	if on {
		s.number(1)
	} else {
		s.number(0)
	}
}

// word writes 8 bytes.
func (s *saver) word(v uint64) {
	s.b = binary.LittleEndian.AppendUint64(s.b, v)
	if len(s.b) >= smallValues {
		s.flush()
	}
}

func (s *saver) float(v float64) { s.word(math.Float64bits(v)) }

// text writes a string: 0 if it is empty, 1 and its bytes, or 2 and more for one that the section has already.
func (s *saver) text(v string) {
	if v == "" {
		s.number(0)
		return
	}
	if n, known := s.texts[v]; known {
		s.number(2 + n)
		return
	}
	if s.texts == nil {
		s.texts = map[string]uint64{}
	}
	if n := len(s.texts); n < maxShared {
		s.texts[v] = uint64(n)
	}
	s.number(1)
	s.count(len(v))
	s.flush()
	_, err := io.WriteString(s.f, v)
	s.fail(err)
}

// plain writes plain data, likewise. Data is numbered after the data that it contains.
func (s *saver) plain(d *Data) {
	if d.Len() == 0 {
		s.number(0)
		return
	}
	if n, known := s.data[d]; known {
		s.number(2 + n)
		return
	}
	s.number(1)
	s.count(d.Len())
	for i := range d.Len() {
		key, v := d.At(i)
		s.value(key)
		s.value(v)
	}
	if s.data == nil {
		s.data = map[*Data]uint64{}
	}
	if n := len(s.data); n < maxShared {
		s.data[d] = uint64(n)
	}
}

// value writes a value with its kind.
func (s *saver) value(v Value) {
	s.number(uint64(v.kind))
	switch v.kind {
	case NilValue:
	case NumberValue, IntValue, EntityValue, UintValue, BoolValue:
		s.word(v.bits)
	case StringValue:
		s.text(v.Str())
	case TableValue:
		s.plain(v.Data())
	default:
		s.fail(fmt.Errorf("a value of the unknown kind %d", v.kind))
	}
}

// schema writes a layout: the fields, and where they are unless [NewSchema] would put them there.
func (s *saver) schema(of *Schema) {
	s.count(len(of.fields) + of.kept())
	for i := range of.fields {
		f := &of.fields[i]
		s.text(f.Name)
		s.text(f.Type.String())
		s.value(f.Default)
	}
	s.opaqueSchema(of)
	if len(of.opaque) > 0 { // the loader has another Go type for the rows, and so another layout
		s.flag(false)
		return
	}
	usual, err := newSchema(of.fields, MaxArrayItems)
	if err == nil {
		err = usual.close()
	}
	if err != nil {
		s.fail(err)
		return
	}
	if usual.sameLayout(of) && usual.align == of.align {
		s.flag(false)
		return
	}
	if of.size > usual.size+mostPadding {
		s.fail(fmt.Errorf("a Go type of %d bytes for the fields %s has more than %d bytes of padding, which cannot be saved", of.size, of, mostPadding))
	}
	s.flag(true)
	s.number(uint64(of.size))
	s.number(uint64(of.align))
	for i := range of.fields {
		s.number(uint64(of.fields[i].Offset))
	}
}

// mostPadding is the number of bytes by which a row may be longer than NewSchema would make it. It bounds what a
// small file can make a loader allocate.
const mostPadding = 4096
