package interp

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Values in registers, and boxes: how numbers become values of gopher-lua when they leave the registers.

// A Value is a Lua value in a register: a number without an allocation, or any other value of gopher-lua. It is a
// number if and only if Ref is nil. The zero Value is the number 0.
type Value struct {
	Ref lua.LValue
	Num float64
}

// Nil, True and False are Lua's.
var (
	Nil   = Value{Ref: lua.LNil}
	True  = Value{Ref: lua.LTrue}
	False = Value{Ref: lua.LFalse}
)

// Number returns the Value of a number.
func Number(f float64) Value { return Value{Num: f} }

// Of returns the Value of a value of gopher-lua.
func Of(v lua.LValue) Value {
	if n, ok := v.(lua.LNumber); ok {
		return Value{Num: float64(n)}
	}
	return Value{Ref: v}
}

// Bool returns the Value of a boolean.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Borrow returns v as a value of gopher-lua, without an allocation: a number stays in *place. So the result is valid
// until *place changes, and nothing may keep it.
func (v *Value) Borrow(place *float64) (out lua.LValue) {
	if v.Ref != nil {
		return v.Ref
	}
	*place = v.Num
	*(*iface)(unsafe.Pointer(&out)) = iface{numberTab, unsafe.Pointer(place)}
	return out
}

// Is reports whether v is the value in *ref, the same one and not only an equal one; or any number, if *ref is nil.
func (v *Value) Is(ref *lua.LValue) bool {
	a, b := (*iface)(unsafe.Pointer(&v.Ref)), (*iface)(unsafe.Pointer(ref))
	return a.tab == b.tab && (a.tab == nil || a.data == b.data)
}

// IsNumber reports whether v is a number.
func (v *Value) IsNumber() bool { return v.Ref == nil }

// SetNumber makes v a number. It writes no pointer, and so has no write barrier; the object that the second word of
// Ref points at stays alive until v gets another value.
func (v *Value) SetNumber(f float64) {
	v.Num = f
	*(*uintptr)(unsafe.Pointer(&v.Ref)) = 0
}

// kindOf returns the first word of a lua.LValue, which tells the type of the value.
func kindOf(v *lua.LValue) unsafe.Pointer { return (*iface)(unsafe.Pointer(v)).tab }

// dataOf returns the second word: a pointer to the value, or the value itself if that is a pointer.
func dataOf(v *lua.LValue) unsafe.Pointer { return (*iface)(unsafe.Pointer(v)).data }

func isNil(v *lua.LValue) bool { return kindOf(v) == kindNil }

// kind returns the first word of a value.
func kind(v lua.LValue) unsafe.Pointer { return kindOf(&v) }

// The first words of the types that run looks for.
var (
	kindNil   = kind(lua.LNil)
	kindBool  = kind(lua.LTrue)
	kindTable = kind(&lua.LTable{})
)

// isFalse reports whether v is nil or false.
func (v *Value) isFalse() bool {
	k := kindOf(&v.Ref)
	return k == kindNil || k == kindBool && !*(*bool)(dataOf(&v.Ref))
}

// Truth reports whether v is neither nil nor false.
func (v *Value) Truth() bool { return !v.isFalse() }

// IsNil reports whether v is nil.
func (v *Value) IsNil() bool { return isNil(&v.Ref) }

// small are the boxes of the whole numbers below 128, which gopher-lua shares too.
var small = func() (out [128]lua.LValue) {
	for i := range out {
		out[i] = lua.LNumber(i)
	}
	return out
}()

// numberTab is the first word of each lua.LValue that holds a number.
var numberTab = kind(lua.LNumber(1.5))

// A boxes allocates numbers as values of gopher-lua, a page at a time.
type boxes struct {
	page *[boxesPerPage]float64
	left int // how many numbers still fit
}

const boxesPerPage = 64

// number returns lua.LNumber(f) as a value. In contrast to gopher-lua it keeps the sign of -0.
func (b *boxes) number(f float64) lua.LValue {
	if v := smallNumber(f); v != nil {
		return *v
	}
	if b.left == 0 {
		b.page, b.left = new([boxesPerPage]float64), boxesPerPage
	}
	var v lua.LValue
	*(*iface)(unsafe.Pointer(&v)) = iface{numberTab, b.place(f)}
	return v
}

// smallNumber returns the shared box of a number; nil if it has none.
func smallNumber(f float64) *lua.LValue {
	if i := int(f); uint(i) < uint(len(small)) && math.Float64bits(float64(i)) == math.Float64bits(f) {
		return &small[i]
	}
	return nil
}

// place keeps a number. There must be room for it.
func (b *boxes) place(f float64) unsafe.Pointer {
	b.left--
	p := &b.page[b.left&(boxesPerPage-1)]
	*p = f
	return unsafe.Pointer(p)
}

// value returns v as a value of gopher-lua.
func (b *boxes) value(v *Value) lua.LValue {
	if v.Ref == nil {
		return b.number(v.Num)
	}
	return v.Ref
}
