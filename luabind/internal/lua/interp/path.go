package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Paths: reads on the way to a write. Package sandbox finds them in the source; package surface uses them to write
// through to storage.

// A Path says that an instruction reads a field on the way to something that is written. In bag.items[2].count = 3
// it reads bag.items and bag.items[2]; in table.insert(bag.items, x) it reads bag.items. An Object whose field is a
// copy of stored data returns a live table for such a read: what is written to that table is written to storage.
type Path uint8

// The zero Path is that of any other read.
const (
	// Target is a read in the target of an assignment.
	Target Path = iota + 1
	// Argument is a read in the first argument of a call. The register below its own holds the function. The result counts as written
	// if the function is one that changes its first argument, see Changes.
	Argument
	// Step, alone or with one of the others, is a read whose result is only read from, at once: the bag.items of bag.items[2] and of #bag.items. An
	// Object whose field is stored data may return what reads it without a copy.
	Step Path = 1 << 2
)

// Paths are the reads of a function that have a Path, by the pc of the instruction.
type Paths map[int]Path

// Changes marks fn, which NewNative has made, as a function that changes the table in its first argument.
func Changes(fn *lua.LFunction) {
	(*NativeFunction)(unsafe.Pointer(fn)).changes = true
}

// Writes reports whether a read leads to something that is written. below is the value in the register below that
// of its result.
func (p Path) Writes(below lua.LValue) bool {
	switch p &^ Step {
	case Target:
		return true
	case Argument:
		fn, ok := below.(*lua.LFunction)
		return ok && fn.IsG && isMarked(fn, nativeMark) && (*NativeFunction)(unsafe.Pointer(fn)).changes
	}
	return false
}

// A Keyed is an Object that has values at keys of all kinds. Its methods return false in the same cases as those of
// Object.
type Keyed interface {
	GetKey(f *Field, key, out *Value) bool
	SetKey(key, v *Value) bool
}

// A Sized is the Value of a userdata that has a length. It returns false if the metamethod must decide.
type Sized interface {
	Length() (n float64, ok bool)
}

// mark notes which reads have a Path.
func (c *code) mark(paths Paths) {
	for pc, path := range paths {
		for i := c.start[pc]; i < c.start[pc+1]; i++ {
			switch in := &c.ins[i]; in.op {
			case opGetField, opGetTable, opGetTableK:
				c.sites[in.site].field.path = path
			}
		}
	}
}
