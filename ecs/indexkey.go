package ecs

import (
	"math"
	"unsafe"
)

// An indexKey is the values of the fields of an index: numbers and handles in words; of strings a hash in words and the string in texts.
type indexKey struct {
	words [MaxIndexFields]uint64
	texts [MaxIndexFields]string
}

// hash returns a hash of n words of a key.
func (k *indexKey) hash(n int) (h uint64) {
	for _, word := range k.words[:n] {
		h = (h ^ word) * quick0
		h ^= h >> 32
	}
	return h
}

// hashText returns a hash of a string that is the same in every process.
func hashText(s string) uint64 {
	h := uint64(len(s))
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// keyOf sets a key to the values of a row.
func (x *Index) keyOf(k *indexKey, row unsafe.Pointer) {
	for i, f := range x.fields {
		p := unsafe.Add(row, f.Offset)
		if f.Type == String {
			k.texts[i] = *(*string)(p)
			k.words[i] = hashText(k.texts[i])
		} else {
			k.words[i] = loadWord(p, f.Type)
		}
	}
}

// loadWord returns an integer or a handle as 64 bits, with its sign.
func loadWord(p unsafe.Pointer, t FieldType) uint64 {
	switch t {
	case I8:
		return uint64(*(*int8)(p))
	case U8:
		return uint64(*(*uint8)(p))
	case I16:
		return uint64(*(*int16)(p))
	case U16:
		return uint64(*(*uint16)(p))
	case I32:
		return uint64(*(*int32)(p))
	case U32:
		return uint64(*(*uint32)(p))
	case I64, U64, EntityField:
		return *(*uint64)(p)
	}
	panic("ecs: an index of " + t.String())
}

// An area is the size of an index whose fields are i32, as most are, and where they are in a row. Whether a row has moved is asked of each row that was
// written, so it must cost little.
type area struct {
	width, height uint64
	x, y          uintptr
}

// area returns the area of an index; its width is 0 if the index has none, or has other fields.
func (x *Index) area() area {
	if x.spec.Width == 0 || x.fields[0].Type != I32 || x.fields[1].Type != I32 {
		return area{}
	}
	return area{uint64(x.spec.Width), uint64(x.spec.Height), x.fields[0].Offset, x.fields[1].Offset}
}

// has reports whether a row is inside, in a place that is counted from 1.
func (a *area) has(place uint32, row unsafe.Pointer) bool {
	if a.width == 0 {
		return false
	}
	x, y := uint64(*(*int32)(unsafe.Add(row, a.x))), uint64(*(*int32)(unsafe.Add(row, a.y)))
	return x < a.width && y < a.height && uint32(y)*uint32(a.width)+uint32(x)+1 == place
}

// cellOf returns the place of a row in an index with a size, counted from 1; 0 for none.
func (x *Index) cellOf(row unsafe.Pointer) uint32 {
	fx, fy := x.fields[0], x.fields[1]
	a, b := loadWord(unsafe.Add(row, fx.Offset), fx.Type), loadWord(unsafe.Add(row, fy.Offset), fy.Type)
	if a < uint64(x.spec.Width) && b < uint64(x.spec.Height) {
		return uint32(b)*uint32(x.spec.Width) + uint32(a) + 1
	}
	if !x.spec.Wrap {
		return 0
	}
	return uint32(moduloWord(b, fy.Type, x.spec.Height)*x.spec.Width+moduloWord(a, fx.Type, x.spec.Width)) + 1
}

// moduloWord returns an integer of a type modulo n.
func moduloWord(word uint64, t FieldType, n int) int {
	if t == U64 {
		return int(word % uint64(n))
	}
	m := int64(word) % int64(n)
	if m < 0 {
		m += int64(n)
	}
	return int(m)
}

// placeOf returns the place of values, counted from 1; 0 if there is none, or nobody is there.
func (x *Index) placeOf(values []Value) (uint32, error) {
	made(x.world != nil, "Index", "World.DeclareIndex")
	var k indexKey
	place, ok, err := x.keyFor(&k, values)
	if x.spec.Width > 0 || !ok {
		return place, err
	}
	return x.find(&k), nil
}

// keyFor checks values. In an index with a size it returns their place, 0 for none; otherwise it sets the key. It reports false if no row can
// have the values.
func (x *Index) keyFor(k *indexKey, values []Value) (place uint32, ok bool, err error) {
	if len(values) != len(x.fields) {
		return 0, false, x.wrong("%d values given for %d fields", len(values), len(x.fields))
	}
	ok = true
	for i, f := range x.fields {
		v := values[i]
		switch {
		case f.Type == String && v.kind == StringValue:
			k.texts[i] = v.Str()
			k.words[i] = hashText(k.texts[i])
		case f.Type == EntityField && (v.kind == EntityValue || v.kind == NilValue):
			k.words[i] = uint64(v.Entity())
		case f.Type.Numeric() && (v.kind == NumberValue || v.kind == IntValue || v.kind == UintValue):
			fits, whole := x.number(k, i, v)
			if !whole {
				return 0, false, x.wrong("%s is %s; a whole number expected", f.Name, v)
			}
			ok = ok && fits
		default:
			return 0, false, x.wrong("%s is %s; %s expected", f.Name, v.kind, kindOf(f.Type))
		}
	}
	if x.spec.Width > 0 && ok {
		return uint32(k.words[1])*uint32(x.spec.Width) + uint32(k.words[0]) + 1, true, nil
	}
	return 0, ok, nil
}

// number sets word i of a key for a number: in an index with a size to the coordinate of the place. It reports whether a row can have it, and
// whether it is a whole number.
func (x *Index) number(k *indexKey, i int, v Value) (fits, whole bool) {
	f := v.Float()
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		return false, false
	}
	if x.spec.Width == 0 {
		t := x.fields[i].Type
		if v.kind == NumberValue {
			if checkNumber(t, f) != nil {
				return false, true
			}
			v = Value{kind: IntValue, bits: uint64(int64(f))}
			if f >= 1<<63 {
				v.bits = uint64(f)
			}
		} else if !fitsExactly(t, v) {
			return false, true
		}
		k.words[i] = v.bits
		return true, true
	}
	n := x.spec.Width
	if i == 1 {
		n = x.spec.Height
	}
	switch {
	case f >= 0 && f < float64(n):
		k.words[i] = uint64(f)
	case !x.spec.Wrap:
		return false, true
	case v.kind == UintValue:
		k.words[i] = v.bits % uint64(n)
	case v.kind == IntValue:
		k.words[i] = uint64(moduloWord(v.bits, I64, n))
	default:
		if f = math.Mod(f, float64(n)); f < 0 {
			f += float64(n)
		}
		k.words[i] = uint64(f)
	}
	return true, true
}

// fitsExactly reports whether an integer fits a type.
func fitsExactly(t FieldType, v Value) bool {
	switch {
	case t == U64:
		return v.kind == UintValue || int64(v.bits) >= 0
	case t == I64:
		return v.kind == IntValue || int64(v.bits) >= 0
	}
	return checkNumber(t, v.Float()) == nil
}
