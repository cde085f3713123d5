package heap

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The words of the format, and a reader that checks lengths before it believes them.

// version is the first number of the bytes; coroutineVersion is that of bytes with a suspended coroutine, which older programs cannot read.
const version, coroutineVersion = 1, 2

// The kinds of values. Numbers, strings and objects are followed by their contents.
const (
	nilValue    = iota
	falseValue  //
	trueValue   //
	wholeValue  // a whole number: zigzag
	numberValue // any other number: 8 bytes
	stringValue // index of the string
	objectValue // index of the object
	valueKinds
)

// The kinds of objects.
const (
	tableObject     = iota // body: list, keys with values, metatable
	functionObject         // with the number of its prototype; body: environment, upvalues
	upvalueObject          // body: its value
	userObject             // with the name of its kind; body: parts
	namedObject            // with its name; no body
	openObject             // a named table that scripts can change; with its name; body: that of a table
	coroutineObject        // a suspended coroutine; body: its function, and its calls
	objectKinds
)

// A Damage is the error for bytes that Encode has not written.
type Damage struct {
	Offset int // of the byte at which it was noticed
	Reason string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("script variables are damaged at byte %d: %s", d.Offset, d.Reason)
}

// A reader reads numbers and strings. The first mistake stays: everything that is read after it is zero.
type reader struct {
	b    []byte
	at   int
	fail *Damage
}

// bad notes a mistake.
func (r *reader) bad(format string, args ...any) {
	if r.fail == nil {
		r.fail = &Damage{r.at, fmt.Sprintf(format, args...)}
	}
	r.at = len(r.b)
}

// err returns the first mistake; nil if there was none.
func (r *reader) err() error {
	if r.fail == nil {
		return nil
	}
	return r.fail
}

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.bad("the data ends too early")
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) number() uint64 {
	if r.at < len(r.b) && r.b[r.at] < 0x80 {
		r.at++
		return uint64(r.b[r.at-1])
	}
	x, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.bad("a number is not complete")
		return 0
	}
	r.at += n
	return x
}

// below reads a number that must be less than n.
func (r *reader) below(n int, what string) int {
	x := r.number()
	if x >= uint64(n) {
		r.bad("there is no %s %d", what, x)
		return 0
	}
	return int(x)
}

// count reads how many things follow, each of which takes at least size bytes.
func (r *reader) count(size int, what string) int {
	x := r.number()
	if x > uint64(len(r.b)-r.at)/uint64(size) {
		r.bad("%d %s in %d bytes", x, what, len(r.b)-r.at)
		return 0
	}
	return int(x)
}

// text reads a length and that many bytes.
func (r *reader) text() string {
	n := r.count(1, "bytes of a string")
	r.at += n
	return string(r.b[r.at-n : r.at])
}

// float reads the 8 bytes of a number.
func (r *reader) float() float64 {
	if len(r.b)-r.at < 8 {
		r.bad("the data ends too early")
		return 0
	}
	r.at += 8
	return math.Float64frombits(binary.LittleEndian.Uint64(r.b[r.at-8:]))
}

// A Value is a value in the bytes.
type Value struct {
	Kind   byte // nilValue, …
	Number float64
	Index  int // of the string or object
}

func (r *reader) value(strings, objects int) (v Value) {
	v.Kind = r.byte()
	switch v.Kind {
	case nilValue, falseValue, trueValue:
	case wholeValue:
		x := r.number()
		n := int64(x>>1) ^ -int64(x&1)
		v.Number = float64(n)
	case numberValue:
		v.Number = r.float()
	case stringValue:
		v.Index = r.below(strings, "string")
	case objectValue:
		v.Index = r.below(objects, "object")
	default:
		r.bad("there is no kind of value %d", v.Kind)
	}
	return v
}

// appendNumber appends a number of Lua.
func appendNumber(b []byte, f float64) []byte {
	if n := int64(f); float64(n) == f && n > -1<<53 && n < 1<<53 && (n != 0 || !math.Signbit(f)) {
		return binary.AppendUvarint(append(b, wholeValue), uint64(n)<<1^uint64(n>>63))
	}
	return binary.LittleEndian.AppendUint64(append(b, numberValue), math.Float64bits(f))
}
