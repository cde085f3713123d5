package ecs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// This file reads what save.go has written. The column "load" of [sections] has one function per part of the
// state. A file is not trusted: its checksums find accidents, and everything that is read is checked against the
// file's length before memory is allocated, against what was read before, and in the end by [World.Check]. So a
// file that was made to deceive is an error, and no world is made that panics later.

// Load reads a world that [World.Save] has written. Components, events and resources are declared by the layouts in
// the file; a program with Go types registers them on the loaded world as on any other, or restores the loaded
// world into its own with [World.Restore] or [Schedule.Adopt]. Types with opaque fields ([Schema.OpaqueFields]) need
// the second way, with Adopt: until then the loaded world holds these fields as the bytes of the file.
//
// The seed is that of the file. o.Memory is used; o.MaxEntities, o.MaxBytes, o.MaxEvents and o.MaxTags replace those of the
// file unless they are 0. Event readers of systems are kept by [Schedule.SaveSections]; those that the program has opened
// itself keep their positions when the world is restored into one in which the program has opened as many, in the
// same order.
//
// Errors: a [snapfile.Damage] for a file that is cut or changed; a [snapfile.LaterVersion] for one of a later program; those of from.
func Load(from io.Reader, o Options) (*World, error) {
	given(from != nil, "Load", "a reader")
	f, err := snapfile.Read(from)
	if err != nil {
		return nil, err
	}
	return loadSections(f, o)
}

// loadSections is [Load] for the sections "world/…" of a file that has others, too.
func loadSections(f *snapfile.Reader, o Options) (w *World, err error) {
	l := newLoader(f)
	defer l.recoverDamage(&err)
	w = l.world(o)
	return w, nil
}

// A loader reads the content of sections. Its methods panic with a loadFault at the first thing that is wrong, which
// recoverDamage turns into the error of Load.
type loader struct {
	f     *snapfile.Reader
	c     *snapfile.Contents // the open section
	texts []string           // as saver.texts, by number
	data  []*Data

	values []byte          // scratch of columns
	spawns map[uint32]bool // slots that a queued spawn cannot have: those on the free list, and those of other spawns

	spare int64 // bytes of memory that may still be allocated for rows and elements that are not used
	extra int64 // bytes of memory that may still be allocated for indexes, of which a file holds a part only
}

// Memory that a file asks for without filling it. Worlds keep memory that they no longer need, and a loaded world
// has as much, because near a limit of bytes it decides what is refused. Beyond these amounts a file is not
// believed: then the loaded world has the memory that it needs.
const (
	spareFloor = 16 << 20
	spareRatio = 64 // times the decoded length of the file
	extraFloor = 24 << 20
	extraRatio = 256
)

func newLoader(f *snapfile.Reader) *loader {
	return &loader{f: f, spare: spareFloor + spareRatio*f.Raw(), extra: extraFloor + extraRatio*f.Raw()}
}

// A loadFault carries the error of a load through its calls.
type loadFault struct{ err error }

// recoverDamage sets err if a method of the loader has failed. Other panics go on.
func (l *loader) recoverDamage(err *error) {
	switch p := recover().(type) {
	case nil:
	case loadFault:
		*err = fmt.Errorf("load world: %w", p.err)
	default:
		panic(p)
	}
}

// fail ends the load: the content of the open section is wrong.
func (l *loader) fail(format string, args ...any) {
	panic(loadFault{l.c.Damaged(format, args...)})
}

// must ends the load if something that the file asks for is refused.
func (l *loader) must(err error) {
	if err != nil {
		l.fail("%v", err)
	}
}

// read reads the next len(p) bytes.
func (l *loader) read(p []byte) {
	switch _, err := io.ReadFull(l.c, p); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		l.fail("the section ends early")
	case err != nil:
		panic(loadFault{err})
	}
}

// world reads all sections of a world.
func (l *loader) world(o Options) *World {
	w := newWorld(Options{Memory: o.Memory})
	for i := range sections {
		if load := sections[i].load; load != nil && (!optionalSection(sections[i].name) || l.f.Has(worldSection+sections[i].name)) {
			l.section(worldSection+sections[i].name, func() { load(w, l) })
		}
	}
	if err := w.checkLoaded(); err != nil {
		panic(loadFault{&snapfile.Damage{Section: "world", Reason: err.Error()}})
	}
	if o.MaxEntities > 0 {
		w.options.MaxEntities = o.MaxEntities
	}
	if o.MaxBytes > 0 {
		w.options.MaxBytes = o.MaxBytes
	}
	if o.MaxEvents > 0 {
		w.options.MaxEvents = o.MaxEvents
	}
	if o.MaxTags > 0 {
		w.options.MaxTags = o.MaxTags
	}
	return w
}

// section opens a section and has it read to its end.
func (l *loader) section(name string, load func()) {
	c, err := l.f.Section(name)
	if err != nil {
		panic(loadFault{err})
	}
	l.c, l.texts, l.data = c, nil, nil
	load()
	if c.Left() > 0 {
		l.fail("%d bytes too many in the section", c.Left())
	}
}

// number reads an unsigned number.
func (l *loader) number() uint64 {
	n, err := binary.ReadUvarint(l.c)
	switch {
	case err == nil:
		return n
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		l.fail("the section ends early")
	case errors.As(err, new(*snapfile.Damage)):
		panic(loadFault{err})
	}
	l.fail("a number is too long")
	return 0
}

// below reads a number that must be less than n. what is named in the error.
func (l *loader) below(n uint64, what string) uint64 {
	v := l.number()
	if v >= n {
		l.fail("%s is %d, not below %d", what, v, n)
	}
	return v
}

// count reads the number of things of which each takes at least size bytes in the section.
func (l *loader) count(size int) int {
	n := l.number()
	if n > uint64(l.c.Left())/uint64(size) {
		l.fail("%d things do not fit into the section", n)
	}
	return int(n)
}

func (l *loader) flag() bool { return l.below(2, "a flag") == 1 }

func (l *loader) word() uint64 {
	var b [8]byte
	l.read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

func (l *loader) float() float64 { return math.Float64frombits(l.word()) }

func (l *loader) text() string {
	switch n := l.number(); n {
	case 0:
		return ""
	case 1:
		b := make([]byte, l.count(1))
		l.read(b)
		if len(l.texts) < maxShared {
			l.texts = append(l.texts, string(b))
			return l.texts[len(l.texts)-1]
		}
		return string(b)
	default:
		if n -= 2; n >= uint64(len(l.texts)) {
			l.fail("there is no string %d", n)
		}
		return l.texts[n]
	}
}

// mostEntries is the number of entries of one value with plain data, with those of nested data, that is believed.
const mostEntries = 1 << 24

// plain reads plain data that is nested levels deep in other data.
func (l *loader) plain(levels int) *Data {
	switch n := l.number(); n {
	case 0:
		return nil
	case 1:
		if levels == MaxDataDepth {
			l.fail("plain data nests deeper than %d tables", MaxDataDepth)
		}
	default:
		if n -= 2; n >= uint64(len(l.data)) {
			l.fail("there is no table %d", n)
		}
		return l.data[n]
	}
	n, total := l.count(3), 0
	if n == 0 || n > mostEntries {
		l.fail("a table has %d entries", n)
	}
	d, values := roomFor(n)
	var few [mostSharedKeys]Value
	var last Value
	keys, items := few[:0], 0
	for i := range n {
		e := DataEntry{Key: l.value(levels + 1), Value: l.value(levels + 1)}
		if k := e.Key.kind; k != NumberValue && k != StringValue && k != BoolValue || e.Value.kind == NilValue {
			l.fail("a table has a %s with the key %s", e.Value.kind, e.Key)
		}
		l.must(e.check())
		if i > 0 && compareKeys(last, e.Key) >= 0 {
			l.fail("the keys of a table are not in order")
		}
		if total += 1 + e.Value.Data().Total(); total > mostEntries {
			l.fail("a table has more than %d entries", mostEntries)
		}
		if last = e.Key; i == items && e.Key.isIndex(i+1) {
			items++
		} else {
			keys = append(keys, e.Key)
		}
		values = append(values, e.Value)
	}
	d.fill(values, items, shareKeys(keys))
	if len(l.data) < maxShared {
		l.data = append(l.data, d)
	}
	return d
}

// value reads a value, which is nested levels deep in plain data.
func (l *loader) value(levels int) Value {
	switch kind := ValueKind(l.below(uint64(len(valueKindNames)), "the kind of a value")); kind {
	case NumberValue, IntValue, EntityValue:
		return Value{kind: kind, bits: l.word()}
	case UintValue:
		v := l.word()
		if v <= math.MaxInt64 {
			l.fail("an unsigned integer fits a signed one")
		}
		return Uint(v)
	case BoolValue:
		v := l.word()
		if v > 1 {
			l.fail("a boolean is %d", v)
		}
		return Boolean(v == 1)
	case StringValue:
		return Text(l.text())
	case TableValue:
		return TableOf(l.plain(levels))
	default:
		return Value{}
	}
}

// schema reads a layout.
func (l *loader) schema() *Schema {
	n := l.count(3)
	if n > MaxFields {
		l.must(tooManyFields(n))
	}
	var fields []Field
	var opaque [][2]string
	for range n {
		name, kind := l.text(), l.text()
		if kind == opaqueType {
			opaque = append(opaque, [2]string{name, l.value(0).Str()})
			continue
		}
		t, known := ParseFieldType(kind)
		if !known {
			l.fail("field %q has the unknown type %q", name, kind)
		}
		fields = append(fields, Field{Name: name, Type: t, Default: l.value(0)})
	}
	s, err := encodedSchema(fields, opaque)
	l.must(err)
	if s.arrays {
		l.charge(1, s.size)
	}
	if !l.flag() {
		return s
	}
	if len(opaque) > 0 {
		l.fail("a row with opaque fields has a layout")
	}
	size, align := l.below(uint64(s.size)+mostPadding+1, "the size of a row"), l.below(65, "the alignment of a row")
	for i := range fields {
		fields[i].Offset = uintptr(l.below(size+1, "the offset of a field"))
	}
	s, err = laidOut(fields, uintptr(size), uintptr(align))
	l.must(err)
	return s
}
