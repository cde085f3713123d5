package ecs

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Many cells of a layer at once. Costs are O(cells touched), a block at a time.

// put writes a value that fits into cells from..to-1.
func (l *AnyLayer) put(from, to int, v Value) {
	if from >= to {
		return
	}
	if err := storeValue(l.at(from), l.spec.Type, v); err != nil {
		panic(fmt.Sprintf("ecs: layer %q: %v", l.spec.Name, err))
	}
	span := l.span(from, to)
	for done := int(l.size); done < len(span); done *= 2 {
		copy(span[done:], span[:done])
	}
}

// span returns the bytes of cells from..to-1.
func (l *AnyLayer) span(from, to int) []byte {
	return unsafe.Slice((*byte)(l.at(from)), uintptr(to-from)*l.size)
}

// fits returns an error if a value cannot be stored in a cell, and the bytes of the cell if it can.
func (l *AnyLayer) fits(v Value) (cell [8]byte, err error) {
	if err := storeValue(unsafe.Pointer(&cell), l.spec.Type, v); err != nil {
		return cell, l.wrong("%w", err)
	}
	return cell, nil
}

// Fill writes a value into each cell. Error: the value has another kind or does not fit the type; then nothing is written.
func (l *AnyLayer) Fill(v Value) error { return l.FillRect(v, 0, 0, l.spec.Width, l.spec.Height) }

// FillRect writes a value into the width × height cells whose lowest is (x, y). Under Wrap the rectangle goes on at the other
// side. Errors, after which nothing is written: the rectangle has a negative size, or is not inside; the value has another
// kind or does not fit the type.
func (l *AnyLayer) FillRect(v Value, x, y, width, height int) error {
	w, h := l.spec.Width, l.spec.Height
	if width < 0 || height < 0 {
		return l.wrong("fill: %d × %d cells; a size from 0 expected", width, height)
	}
	if !l.spec.Wrap && (x < 0 || y < 0 || x > w || y > h || width > w-x || height > h-y) {
		return l.wrong("fill: %d × %d cells at (%d, %d) are not inside; x is 0 to %d, y 0 to %d", width, height, x, y, w-1, h-1)
	}
	if _, err := l.fits(v); err != nil {
		return err
	}
	width, height = min(width, w), min(height, h)
	if width == w && height == h {
		l.before(0, l.Len())
		l.put(0, l.Len(), v)
		return nil
	}
	x = modulo(x, w)
	for dy := range height {
		row := modulo(y+dy, h) * w
		first := min(width, w-x)
		l.before(row, row+w)
		l.put(row+x, row+x+first, v)
		l.put(row, row+width-first, v)
	}
	return nil
}

// Copy makes all cells equal to those of another layer of the same world, type, width and height. The error says what
// differs.
func (l *AnyLayer) Copy(from *AnyLayer) error {
	given(from != nil, "AnyLayer.Copy", "a layer")
	a, b := l.spec, from.spec
	if l.world != from.world {
		return l.wrong("layer %q is of another world", b.Name)
	}
	if a.Type != b.Type || a.Width != b.Width || a.Height != b.Height {
		return l.wrong("copy: it is %s of %d × %d, and layer %q is %s of %d × %d", a.Type, a.Width, a.Height, b.Name, b.Type, b.Width, b.Height)
	}
	if l != from {
		l.before(0, l.Len())
		copy(l.span(0, l.Len()), from.span(0, l.Len()))
	}
	return nil
}

// Count returns how many cells have a value. All NaNs are equal, and so are 0 and -0. Error: no cell could have the value.
func (l *AnyLayer) Count(v Value) (int, error) {
	cell, err := l.fits(v)
	if err != nil {
		return 0, err
	}
	n, t := 0, l.spec.Type
	switch {
	case t == F64 || t == F32:
		want := loadNumber(unsafe.Pointer(&cell), t)
		for i := range l.Len() {
			if at := loadNumber(l.at(i), t); at == want || at != at && want != want {
				n++
			}
		}
	case l.size == 1:
		n = bytes.Count(l.span(0, l.Len()), cell[:1])
	default:
		want := cell[:l.size]
		for i := range l.Len() {
			if string(l.span(i, i+1)) == string(want) {
				n++
			}
		}
	}
	return n, nil
}

// Sum returns the sum of all cells, added in the order of the cells as float64; of a bool layer the number of true ones.
// Error: the layer holds entities.
func (l *AnyLayer) Sum() (float64, error) {
	if l.spec.Type == EntityField {
		return 0, l.wrong("sum needs numbers, and it holds entities")
	}
	sum := 0.0
	for i := range l.Len() {
		sum += loadNumber(l.at(i), l.spec.Type)
	}
	return sum, nil
}
