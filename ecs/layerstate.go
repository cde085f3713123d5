package ecs

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// The functions of the section of layers in [sections].

// declareLayers declares the layers of from, with their first values.
func declareLayers(to, from *World) {
	for _, l := range from.layers {
		to.addLayer(l.spec, l.schema)
	}
}

func differentLayers(a, b *World) error {
	if err := differentNames("layer", a.LayerNames(), b.LayerNames()); err != nil {
		return err
	}
	for i, l := range a.layers {
		if o := b.layers[i]; !l.spec.same(o.spec) {
			return fmt.Errorf("%w: layer %q is %s here and %s there", ErrMismatch, l.spec.Name, l.spec, o.spec)
		}
	}
	return nil
}

func restoreLayers(w, from *World) {
	w.closePages()
	for i, l := range w.layers {
		copy(l.span(0, l.Len()), from.layers[i].span(0, l.Len()))
		l.wrote = 0
	}
}

func saveLayers(w *World, s *saver) {
	s.count(len(w.layers))
	for _, l := range w.layers {
		s.text(l.spec.Name)
		s.schema(l.schema)
		s.count(l.spec.Width)
		s.count(l.spec.Height)
		s.flag(l.spec.Wrap)
		s.rows(l.schema, l.cells, l.Len())
	}
}

func loadLayers(w *World, l *loader) {
	for range l.count(4) {
		spec := LayerSpec{Name: l.text()}
		s := l.schema()
		if len(s.fields) != 1 {
			l.fail("layer %q has %d fields", spec.Name, len(s.fields))
		}
		spec.Type, spec.Default = s.fields[0].Type, s.defaultOf(0)
		spec.Width, spec.Height = int(l.below(MaxLayerCells+1, "a width")), int(l.below(MaxLayerCells+1, "a height"))
		spec.Wrap = l.flag()
		if w.LookupLayer(spec.Name) != nil {
			l.fail("layer %q is declared twice", spec.Name)
		}
		if err := spec.check(); err != nil {
			l.fail("layer %q: %v", spec.Name, err)
		}
		if s.shortest(spec.Width*spec.Height) > l.c.Left() {
			l.fail("layer %q: %d × %d cells do not fit into the section", spec.Name, spec.Width, spec.Height)
		}
		n := w.addLayer(spec, s)
		l.rows(s, n.cells, n.Len())
	}
}

func digestLayers(w *World, d *digester) {
	for _, l := range w.layers {
		d.text(l.spec.Name)
		d.u64(uint64(l.spec.Width))
		digestCells(l, d)
	}
}

// digestCells hashes the values of a layer.
func digestCells(l *AnyLayer, d *digester) {
	t := l.spec.Type
	if t == F64 || t == F32 { // all NaNs are equal
		for i := range l.Len() {
			d.value(l.at(i), t)
		}
		return
	}
	if l.size == 1 {
		d.flush()
		_, _ = d.hash.Write(l.span(0, l.Len()))
		return
	}
	for i := range l.Len() {
		d.integer(l.at(i), l.size)
	}
}

// integer hashes an integer of 2, 4 or 8 bytes, in that many bytes.
func (d *digester) integer(p unsafe.Pointer, size uintptr) {
	if len(d.buf)+8 > cap(d.buf) {
		d.flush()
	}
	switch size {
	case 2:
		d.buf = binary.LittleEndian.AppendUint16(d.buf, *(*uint16)(p))
	case 4:
		d.buf = binary.LittleEndian.AppendUint32(d.buf, *(*uint32)(p))
	default:
		d.buf = binary.LittleEndian.AppendUint64(d.buf, *(*uint64)(p))
	}
}

// layers compares layers by name, cell by cell.
func (c *comparison) layers() {
	for _, name := range c.a.LayerNames() {
		a, b := c.a.LookupLayer(name), c.b.LookupLayer(name)
		switch {
		case b == nil:
			c.differ(Difference{Kind: DifferentDeclaration, Name: "layer " + name}, "declared", "not declared")
		case !a.spec.same(b.spec):
			c.differ(Difference{Kind: DifferentDeclaration, Name: "layer " + name}, a.spec.String(), b.spec.String())
		default:
			c.cells(a, b)
		}
	}
	for _, name := range c.b.LayerNames() {
		if !slices.Contains(c.a.LayerNames(), name) {
			c.differ(Difference{Kind: DifferentDeclaration, Name: "layer " + name}, "not declared", "declared")
		}
	}
}

// cells compares two layers with the same spec.
func (c *comparison) cells(a, b *AnyLayer) {
	t := a.spec.Type
	for i := range a.Len() {
		if string(a.span(i, i+1)) == string(b.span(i, i+1)) {
			continue
		}
		if x, y := loadValue(a.at(i), t), loadValue(b.at(i), t); different(x, y) {
			d := Difference{Kind: DifferentCell, Name: a.spec.Name, Field: fmt.Sprintf("%d,%d", i%a.spec.Width, i/a.spec.Width)}
			if c.differ(d, x.String(), y.String()); c.full() {
				return
			}
		}
	}
}

// holding returns how many cells have another value than at first.
func (l *AnyLayer) holding() int {
	n, err := l.Count(l.spec.Default)
	if err != nil {
		panic("ecs: the default of a layer does not fit: " + err.Error())
	}
	return l.Len() - n
}
