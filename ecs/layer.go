package ecs

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// A layer is a grid of values of one type: terrain, heat, who owns a place. Its cells are one block of memory, row after
// row, at an address that never changes, so that compiled loops and Go slices read and write them in place. Layers have no
// stamps and no observers.

// MaxLayerCells is the largest number of cells of a layer.
const MaxLayerCells = 1 << 26

// A LayerSpec describes a layer. See the example of [Layer].
type LayerSpec struct {
	Name          string
	Type          FieldType // a number type, Bool or EntityField
	Width, Height int       // in cells, at least 1, together at most MaxLayerCells
	Wrap          bool      // coordinates outside are those of the other side
	Default       Value     // of each cell at first; the zero Value means the zero of the type
}

// An AnyLayer is a layer whose type is known at run time only; see the example of [Layer], which is the same with a Go type. Cells are numbered by x
// from 0 to Width-1 and y from 0 to Height-1. Handles stay valid as long as the world, also across [World.Restore].
type AnyLayer struct {
	world  *World
	spec   LayerSpec
	schema *Schema // one field, "value"
	size   uintptr // of a cell
	cells  unsafe.Pointer
	owned  bool   // whether the cells lie in the world's Memory
	open   []byte // by page of cells, behind the cells: 1 if the page was written in this turn, so that the journal has been told
	opened []int  // the pages that are open
	wrote  Tick   // of the last turn that wrote
}

// DeclareLayer declares a layer. If there is one of that name with the same spec, it is returned, with its values; with
// another spec the error is [ErrMismatch]. [ErrBytes]: there is no room for the cells.
func (w *World) DeclareLayer(spec LayerSpec) (*AnyLayer, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if err := spec.check(); err != nil {
		return nil, fail("declare layer", None, spec.Name, err)
	}
	s, err := NewSchema(Field{Name: "value", Type: spec.Type, Default: spec.Default})
	if err != nil {
		return nil, fail("declare layer", None, spec.Name, err)
	}
	spec.Default = s.defaultOf(0)
	if l := w.LookupLayer(spec.Name); l != nil {
		if !l.spec.same(spec) {
			return nil, fail("declare layer", None, spec.Name, fmt.Errorf("%w: it is %s, not %s", ErrMismatch, l.spec, spec))
		}
		return l, nil
	}
	w.mustBeAlone()
	if uint64(spec.bytes()) > Raw.BytesLeft(w) {
		return nil, fail("declare layer", None, spec.Name, w.full())
	}
	return w.addLayer(spec, s), nil
}

// check returns what is wrong with a spec but for its default, nil if nothing is.
func (s LayerSpec) check() error {
	switch {
	case s.Name == "":
		return errors.New("a layer needs a name")
	case !s.Type.Numeric() && s.Type != Bool && s.Type != EntityField:
		return fmt.Errorf("a layer holds numbers, bool or entity, not %s", s.Type)
	case s.Width < 1 || s.Height < 1 || s.Width > MaxLayerCells || s.Height > MaxLayerCells/s.Width:
		return fmt.Errorf("%d × %d cells; both must be at least 1, and the product at most %d", s.Width, s.Height, MaxLayerCells)
	}
	return nil
}

// addLayer adds a layer whose spec is right, with its first values.
func (w *World) addLayer(spec LayerSpec, s *Schema) *AnyLayer {
	l := &AnyLayer{world: w, spec: spec, schema: s, size: s.Size()}
	pages := (l.Len() + cellPage - 1) / cellPage
	l.cells, l.owned = allocRows(w.memory, s, l.Len()+(pages+int(l.size)-1)/int(l.size))
	l.open = unsafe.Slice((*byte)(l.at(l.Len())), pages)
	w.bytes.Add(spec.bytes())
	l.put(0, l.Len(), spec.Default)
	w.layers = append(w.layers, l)
	return l
}

// bytes returns the memory of cells and marks.
func (s LayerSpec) bytes() int64 {
	cells, size := int64(s.Width)*int64(s.Height), int64(s.Type.Size())
	return (cells + ((cells+cellPage-1)/cellPage+size-1)/size) * size
}

// same reports whether two specs with complete defaults describe the same layer.
func (s LayerSpec) same(o LayerSpec) bool {
	return s.Type == o.Type && s.Width == o.Width && s.Height == o.Height && s.Wrap == o.Wrap && !different(s.Default, o.Default)
}

// String returns the spec as messages show it: u8 of 80 × 40, wrapped, default 1.
func (s LayerSpec) String() string {
	text := fmt.Sprintf("%s of %d × %d", s.Type, s.Width, s.Height)
	if s.Wrap {
		text += ", wrapped"
	}
	if s.Default.kind != NilValue && different(s.Default, zeroValue(s.Type)) {
		text += ", default " + s.Default.String()
	}
	return text
}

// LookupLayer returns the layer of that name, nil if there is none.
func (w *World) LookupLayer(name string) *AnyLayer {
	for _, l := range w.layers {
		if l.spec.Name == name {
			return l
		}
	}
	return nil
}

// LayerNames returns the names of all layers in the order of declaration.
func (w *World) LayerNames() []string {
	names := make([]string, len(w.layers))
	for i, l := range w.layers {
		names[i] = l.spec.Name
	}
	return names
}

// Spec returns what the layer was declared with; its default is complete.
func (l *AnyLayer) Spec() LayerSpec { return l.spec }

// Len returns the number of cells.
func (l *AnyLayer) Len() int { return l.spec.Width * l.spec.Height }

func (l *AnyLayer) at(cell int) unsafe.Pointer { return unsafe.Add(l.cells, uintptr(cell)*l.size) }

// Cell returns the number of the cell at (x, y): y * Width + x, with coordinates taken modulo the size under Wrap. It
// returns an error for a place outside of a layer that does not wrap.
func (l *AnyLayer) Cell(x, y int) (int, error) {
	w, h := l.spec.Width, l.spec.Height
	if uint(x) < uint(w) && uint(y) < uint(h) {
		return y*w + x, nil
	}
	if !l.spec.Wrap {
		return 0, l.wrong("(%d, %d) is outside of it; x is 0 to %d, y 0 to %d", x, y, w-1, h-1)
	}
	return modulo(y, h)*w + modulo(x, w), nil
}

func modulo(a, n int) int {
	if a %= n; a < 0 {
		a += n
	}
	return a
}

func (l *AnyLayer) wrong(format string, args ...any) error {
	return fmt.Errorf("layer %q: %w", l.spec.Name, fmt.Errorf(format, args...))
}

// Get returns the value at (x, y). Error: the place is outside.
func (l *AnyLayer) Get(x, y int) (Value, error) {
	cell, err := l.Cell(x, y)
	if err != nil {
		return Value{}, err
	}
	return loadValue(l.at(cell), l.spec.Type), nil
}

// Set writes the value at (x, y). Errors, after which nothing is written: the place is outside; the value has another kind
// or does not fit the type.
func (l *AnyLayer) Set(x, y int, v Value) error {
	cell, err := l.Cell(x, y)
	if err != nil {
		return err
	}
	l.before(cell, cell+1)
	if err := storeValue(l.at(cell), l.spec.Type, v); err != nil {
		return l.wrong("%w", err)
	}
	return nil
}

// Add adds a number to that at (x, y), and returns the sum as it is stored. Errors, after which nothing is written: the
// place is outside; the layer has no numbers; the sum does not fit the type.
func (l *AnyLayer) Add(x, y int, v float64) (float64, error) {
	cell, err := l.Cell(x, y)
	if err != nil {
		return 0, err
	}
	t := l.spec.Type
	if !t.Numeric() {
		return 0, l.wrong("add needs numbers, and it holds %s", t)
	}
	l.before(cell, cell+1)
	p := l.at(cell)
	if t == I64 || t == U64 { // exact: a float64 does not hold all of them
		if err := addExact(p, t, v); err != nil {
			return 0, l.wrong("%w", err)
		}
	} else if err := storeNumber(p, t, loadNumber(p, t)+v); err != nil {
		return 0, l.wrong("%w", err)
	}
	return loadNumber(p, t), nil
}

// addExact adds a whole number to an integer of 64 bits.
func addExact(p unsafe.Pointer, t FieldType, v float64) error {
	if v != math.Trunc(v) || math.Abs(v) > maxExact {
		return fmt.Errorf("whole number within 2^53 expected, got %s", Number(v))
	}
	n := int64(v)
	if t == I64 {
		at := *(*int64)(p)
		if sum := at + n; (sum > at) == (n > 0) {
			*(*int64)(p) = sum
			return nil
		}
		return fmt.Errorf("%d + %d does not fit %s (%s)", at, n, t, t.exactRange())
	}
	at := *(*uint64)(p)
	if sum := at + uint64(n); n == 0 || (sum > at) == (n > 0) {
		*(*uint64)(p) = sum
		return nil
	}
	return fmt.Errorf("%d + %d does not fit %s (%s)", at, n, t, t.exactRange())
}

// before prepares a write of cells from..to-1.
func (l *AnyLayer) before(from, to int) {
	l.world.mustBeAlone()
	for page := from >> cellPageShift; page<<cellPageShift < to; page++ {
		if l.open[page] == 0 {
			l.openPage(page)
		}
	}
}
