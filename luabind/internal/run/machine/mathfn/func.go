package mathfn

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Value types of the binary format, as in the Params and Results of a [Func].
const (
	F64 byte = 0x7c
	I64 byte = 0x7e
)

// A Func is a function to be put into a module. Its name and types are those of [Func.Name], [Func.Params] and [Func.Results]; treat all as
// read-only.
type Func struct {
	Name            string // what it is called in package portable, for listings
	Params, Results []byte // value types; those asked for take one or two F64 and give one
	code            string
	calls           []call // with callees by their place in the list
}

// function is a Func as generated, whose calls are places in functions.
type function struct {
	name, params, results string
	calls                 []call
	code                  string
}

// call is a place in a code that five bytes of a function's number belong to.
type call struct{ at, callee int }

// Has says whether [Closure] knows a name: a function of Lua's math table that needs code, "^" or "%".
func Has(name string) bool {
	_, ok := byName[name]
	return ok
}

// Closure returns the functions of the given names and all that they call, each once. A function stands after those it calls; the order
// depends on the set of names only. It panics on a name that [Has] denies.
func Closure(names ...string) []Func {
	wanted := make([]bool, len(functions))
	for _, name := range names {
		i, ok := byName[name]
		if !ok {
			panic(fmt.Sprintf("mathfn: no function %q", name))
		}
		wanted[i] = true
	}
	for i := len(functions) - 1; i >= 0; i-- { // callees stand before callers
		if wanted[i] {
			for _, c := range functions[i].calls {
				wanted[c.callee] = true
			}
		}
	}
	var out []Func
	place := make([]int, len(functions))
	for i, f := range functions {
		if !wanted[i] {
			continue
		}
		calls := slices.Clone(f.calls)
		for j := range calls {
			calls[j].callee = place[calls[j].callee]
		}
		place[i] = len(out)
		out = append(out, Func{Name: f.name, Params: []byte(f.params), Results: []byte(f.results), code: f.code, calls: calls})
	}
	return out
}

// Index is the place of a name's function in a list from [Closure], -1 if it is not in it.
func Index(list []Func, name string) int {
	i, ok := byName[name]
	if !ok {
		return -1
	}
	return slices.IndexFunc(list, func(f Func) bool { return f.Name == functions[i].name })
}

// AppendBody appends the function's entry of the code section, size first, to b. base is the number in the module of the first function of
// the list that f came from; the others must follow it in their order.
func (f *Func) AppendBody(b []byte, base uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(f.code)))
	from := len(b)
	b = append(b, f.code...)
	for _, c := range f.calls {
		n := base + uint32(c.callee)
		for i := range 5 { // an LEB128 number as wide as any
			digit := byte(n>>(7*i)) & 0x7f
			if i < 4 {
				digit |= 0x80
			}
			b[from+c.at+i] = digit
		}
	}
	return b
}

// Inline is the code of a function of Lua's math table that is an instruction or two: it takes its argument from the stack and leaves the
// result there. It is nil for names that need [Closure], and for those that are no function of one number to a number.
func Inline(name string) []byte {
	switch name {
	case "abs":
		return []byte{0x99}
	case "ceil":
		return []byte{0x9b}
	case "floor":
		return []byte{0x9c}
	case "sqrt":
		return []byte{0x9f}
	case "deg":
		return append(binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(math.Pi/180)), 0xa3)
	case "rad":
		return append(binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(math.Pi/180)), 0xa2)
	}
	return nil
}
