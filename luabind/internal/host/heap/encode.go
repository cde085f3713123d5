package heap

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// A Source knows the values that scripts have not made.
type Source interface {
	// NameOf returns the name of a value that exists again by itself when files are loaded: of a function in Go, a table or
	// userdata. open says that scripts may have changed the table: then its contents are written, too. ok is
	// false for any other value.
	NameOf(v lua.LValue) (name string, open, ok bool)
	// PrototypeOf returns which function of which file p is. ok is false if the file is not known.
	PrototypeOf(p *lua.FunctionProto) (file, index int, ok bool)
	// LineOf returns the line in which the variable is declared that p uses as an upvalue with that name; 0 if it is not known.
	LineOf(p *lua.FunctionProto, upvalue string) int
	// PartsOf returns the kind and the parts of a userdata, a coroutine, or a function in Go without a name. What a Target
	// makes of these must be the same to a script. The error says what cannot be saved, as in "a suspended coroutine".
	PartsOf(v lua.LValue) (kind string, parts []lua.LValue, err error)
	// CallsOf returns the function and the calls of a suspended coroutine, outermost first; nil if it has not begun. ok is false for any other value.
	CallsOf(v lua.LValue) (body lua.LValue, calls []interp.SavedCall, ok bool)
}

// An Encoder writes a graph. Add the roots, Run, and take the Bytes. More roots may be added after a Run.
type Encoder struct {
	source  Source
	ids     map[unsafe.Pointer]int32
	objects []found
	done    int // objects whose bodies are written

	texts   map[string]int
	strings []byte
	protos  map[*lua.FunctionProto]int
	known   []byte // the prototypes
	heads   []byte
	bodies  []byte
	roots   []byte
	labels  []string
	version byte
}

// A found is an object, and where it was found.
type found struct {
	value lua.LValue   // nil for an upvalue
	up    *lua.Upvalue // nil for others
	from  int32        // the object that holds it; of a root -1 - its index
	edge  int32        // where in from; see edges
	parts []lua.LValue // of a userdata
	calls []interp.SavedCall
	body  lua.LValue // of a coroutine
	kind  byte
}

// The edges of a table are 2*i for the value of key i, 2*i+1 for the key itself, where list items come before other
// keys; those of a function are its upvalues; those of a userdata its parts.
const (
	byMetatable   = -1
	byEnvironment = -2
)

// NewEncoder makes an Encoder without roots.
func NewEncoder(source Source) *Encoder {
	return &Encoder{source: source, ids: map[unsafe.Pointer]int32{}, texts: map[string]int{}, protos: map[*lua.FunctionProto]int{}, version: version}
}

// Root adds a value. The label says in errors and in [Describe] what it is.
func (e *Encoder) Root(label string, v lua.LValue) error {
	at := int32(len(e.labels))
	e.labels = append(e.labels, label)
	e.roots = binary.AppendUvarint(e.roots, uint64(e.text(label)))
	var err error
	e.roots, err = e.value(e.roots, v, -1-at, 0)
	return err
}

// Run writes everything that can be reached from the roots so far. The error is an [*Unsaved].
func (e *Encoder) Run() error {
	for ; e.done < len(e.objects); e.done++ {
		if err := e.body(e.done); err != nil {
			return err
		}
	}
	return nil
}

// Bytes returns the graph, after Run.
func (e *Encoder) Bytes() []byte {
	out := make([]byte, 0, len(e.strings)+len(e.known)+len(e.heads)+len(e.bodies)+len(e.roots)+64)
	out = append(out, e.version)
	for _, part := range []struct {
		n     int
		bytes []byte
	}{{len(e.texts), e.strings}, {len(e.protos), e.known}, {len(e.objects), e.heads}} {
		out = append(binary.AppendUvarint(out, uint64(part.n)), part.bytes...)
	}
	out = append(out, e.bodies...)
	return append(binary.AppendUvarint(out, uint64(len(e.labels))), e.roots...)
}

// text returns the index of a string.
func (e *Encoder) text(s string) int {
	i, ok := e.texts[s]
	if !ok {
		i = len(e.texts)
		e.texts[s] = i
		e.strings = append(binary.AppendUvarint(e.strings, uint64(len(s))), s...)
	}
	return i
}

// value appends a value. from and edge say where it is.
func (e *Encoder) value(b []byte, v lua.LValue, from, edge int32) ([]byte, error) {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		return append(b, nilValue), nil
	case lua.LBool:
		if v {
			return append(b, trueValue), nil
		}
		return append(b, falseValue), nil
	case lua.LNumber:
		return appendNumber(b, float64(v)), nil
	case lua.LString:
		return binary.AppendUvarint(append(b, stringValue), uint64(e.text(string(v)))), nil
	}
	i, err := e.object(v, from, edge)
	return binary.AppendUvarint(append(b, objectValue), uint64(i)), err
}

// object returns the index of an object. A new one gets its head.
func (e *Encoder) object(v lua.LValue, from, edge int32) (int, error) {
	var at unsafe.Pointer
	switch v := v.(type) {
	case *lua.LTable:
		at = unsafe.Pointer(v)
	case *lua.LFunction:
		at = unsafe.Pointer(v)
	case *lua.LUserData:
		at = unsafe.Pointer(v)
	case *lua.LState:
		at = unsafe.Pointer(v)
	default:
		return 0, e.unsaved(from, edge, fmt.Errorf("a %s", v.Type()))
	}
	if i, ok := e.ids[at]; ok {
		return int(i), nil
	}
	o := found{value: v, from: from, edge: edge}
	if name, open, ok := e.source.NameOf(v); ok {
		o.kind = namedObject
		if open {
			o.kind = openObject
		}
		return e.add(at, o, e.text(name)), nil
	}
	switch v := v.(type) {
	case *lua.LTable:
		return e.add(at, o, -1), nil
	case *lua.LFunction:
		if !v.IsG {
			p, err := e.prototype(v.Proto)
			if err != nil {
				return 0, e.unsaved(from, edge, err)
			}
			o.kind = functionObject
			return e.add(at, o, p), nil
		}
	}
	if body, calls, ok := e.source.CallsOf(v); ok {
		e.version = coroutineVersion
		o.kind, o.body, o.calls = coroutineObject, body, calls
		return e.add(at, o, -1), nil
	}
	kind, parts, err := e.source.PartsOf(v)
	if err != nil {
		return 0, e.unsaved(from, edge, err)
	}
	o.kind, o.parts = userObject, parts
	return e.add(at, o, e.text(kind)), nil
}

// add gives an object its index, and writes its head: the kind, and a number unless that is negative.
func (e *Encoder) add(at unsafe.Pointer, o found, number int) int {
	i := len(e.objects)
	e.ids[at] = int32(i)
	e.objects = append(e.objects, o)
	e.heads = append(e.heads, o.kind)
	if number >= 0 {
		e.heads = binary.AppendUvarint(e.heads, uint64(number))
	}
	return i
}

// prototype returns the index of a prototype.
func (e *Encoder) prototype(p *lua.FunctionProto) (int, error) {
	if i, ok := e.protos[p]; ok {
		return i, nil
	}
	file, index, ok := e.source.PrototypeOf(p)
	if !ok {
		return 0, fmt.Errorf("a function of an earlier version of %s", p.SourceName)
	}
	i := len(e.protos)
	e.protos[p] = i
	for _, n := range []int{file, index, p.LineDefined, len(p.DbgUpvalues)} {
		e.known = binary.AppendUvarint(e.known, uint64(n))
	}
	for _, name := range p.DbgUpvalues {
		e.known = binary.AppendUvarint(e.known, uint64(e.text(name)))
	}
	return i, nil
}

// body writes the body of object i.
func (e *Encoder) body(i int) error {
	o := &e.objects[i]
	switch o.kind {
	case tableObject, openObject:
		return e.table(int32(i), o.value.(*lua.LTable))
	case functionObject:
		return e.function(int32(i), o.value.(*lua.LFunction))
	case upvalueObject:
		var err error
		e.bodies, err = e.value(e.bodies, o.up.Value(), int32(i), 0)
		return err
	case userObject:
		e.bodies = binary.AppendUvarint(e.bodies, uint64(len(o.parts)))
		for k, part := range o.parts {
			var err error
			if e.bodies, err = e.value(e.bodies, part, int32(i), int32(k)); err != nil {
				return err
			}
		}
	case coroutineObject:
		return e.coroutine(int32(i), o.body, o.calls)
	case namedObject:
	default:
		panic("heap: an object of no kind")
	}
	return nil
}

// table writes the body of a table.
func (e *Encoder) table(i int32, t *lua.LTable) (err error) {
	list, keys := interp.Contents(t)
	b := binary.AppendUvarint(e.bodies, uint64(len(list)))
	for k, v := range list {
		if b, err = e.value(b, v, i, int32(2*k)); err != nil {
			return err
		}
	}
	b = binary.AppendUvarint(b, uint64(len(keys)))
	for k, key := range keys {
		v := interp.Entry(t, key)
		if b, err = e.value(b, key, i, int32(2*(len(list)+k)+1)); err != nil {
			return err
		}
		if b, err = e.value(b, v, i, int32(2*(len(list)+k))); err != nil {
			return err
		}
	}
	e.bodies, err = e.value(b, t.Metatable, i, byMetatable)
	return err
}

// function writes the body of a function.
func (e *Encoder) function(i int32, fn *lua.LFunction) (err error) {
	if e.bodies, err = e.value(e.bodies, fn.Env, i, byEnvironment); err != nil {
		return err
	}
	for k, up := range fn.Upvalues {
		e.bodies = e.variable(e.bodies, up, i, int32(k))
	}
	return nil
}

// variable appends the index of an upvalue.
func (e *Encoder) variable(b []byte, up *lua.Upvalue, from, edge int32) []byte {
	id, ok := e.ids[unsafe.Pointer(up)]
	if !ok {
		id = int32(e.add(unsafe.Pointer(up), found{up: up, kind: upvalueObject, from: from, edge: edge}, -1))
	}
	return binary.AppendUvarint(b, uint64(id))
}
