package heap

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// A Target makes the values that are not written. Its errors become those of Decode.
type Target interface {
	// Named returns the value that a Source has named.
	Named(name string) (lua.LValue, error)
	// PrototypeAt returns the function of a file.
	PrototypeAt(file, index int) (*lua.FunctionProto, error)
	// MayHold reports whether the upvalue with that name can have that value in a function: one whose name no source can contain has a
	// certain value.
	MayHold(fn *lua.LFunction, upvalue string, v lua.LValue) bool
	// MakeObject begins a value of a kind that Source.PartsOf has returned. fill is called once, when all tables are complete.
	MakeObject(kind string) (v lua.LValue, fill func(parts []lua.LValue) error, err error)
	// MakeCoroutine begins a suspended coroutine. fill is called once, when all functions and tables are complete.
	MakeCoroutine() (v lua.LValue, fill func(body lua.LValue, calls []interp.SavedCall) error)
}

// A Root is a value with its label.
type Root struct {
	Label string
	Value lua.LValue
}

// A decoder makes the objects of a graph.
type decoder struct {
	*graph
	target Target
	values []lua.LValue // by object; nil for an upvalue
	ups    []*lua.Upvalue
	texts  []lua.LValue // the strings
	fills  []func([]lua.LValue) error
	begun  []func(lua.LValue, []interp.SavedCall) error // by object, of coroutines
}

// Decode makes the graph, and returns its roots in the order of Root. Tables that have a name and are open get the contents that
// are written. The error is a [*Damage], or one of the target; then the tables that have names may have changed.
func Decode(b []byte, target Target) ([]Root, error) {
	d := &decoder{graph: read(b), target: target}
	if err := d.err(); err != nil {
		return nil, err
	}
	d.texts = make([]lua.LValue, len(d.strings))
	for i, s := range d.strings {
		d.texts[i] = lua.LString(s)
	}
	if err := d.begin(); err != nil {
		return nil, err
	}
	if err := d.fill(); err != nil {
		return nil, err
	}
	roots := make([]Root, d.count(2, "roots"))
	for i := range roots {
		roots[i].Label = d.label()
		roots[i].Value = d.lua()
		if d.fail != nil {
			return nil, d.err()
		}
	}
	if d.at != len(d.b) {
		d.bad("%d bytes too many", len(d.b)-d.at)
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return roots, d.check()
}

// begin makes all objects, empty.
func (d *decoder) begin() error {
	d.values, d.ups = make([]lua.LValue, len(d.objects)), make([]*lua.Upvalue, len(d.objects))
	d.fills = make([]func([]lua.LValue) error, len(d.objects))
	d.begun = make([]func(lua.LValue, []interp.SavedCall) error, len(d.objects))
	protos := make([]*lua.FunctionProto, len(d.protos))
	for i := range d.protos {
		p, err := d.prototype(&d.protos[i])
		if err != nil {
			return err
		}
		protos[i] = p
	}
	for i, h := range d.objects {
		var err error
		switch h.kind {
		case tableObject:
			d.values[i] = &lua.LTable{Metatable: lua.LNil}
		case functionObject:
			p := protos[h.number]
			d.values[i] = &lua.LFunction{Proto: p, Upvalues: make([]*lua.Upvalue, p.NumUpvalues)}
		case upvalueObject:
			d.ups[i] = &lua.Upvalue{}
			d.ups[i].SetValue(lua.LNil)
			d.ups[i].Close()
		case userObject:
			d.values[i], d.fills[i], err = d.target.MakeObject(d.strings[h.number])
		case coroutineObject:
			d.values[i], d.begun[i] = d.target.MakeCoroutine()
		case namedObject:
			d.values[i], err = d.target.Named(d.strings[h.number])
		case openObject:
			if d.values[i], err = d.target.Named(d.strings[h.number]); err == nil {
				if _, ok := d.values[i].(*lua.LTable); !ok {
					err = fmt.Errorf("%s is no table", d.strings[h.number])
				}
			}
		default:
			panic("heap: an object of no kind")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// prototype returns a prototype of the target, which must be the one that was saved.
func (d *decoder) prototype(p *proto) (*lua.FunctionProto, error) {
	is, err := d.target.PrototypeAt(p.file, p.index)
	if err != nil {
		return nil, err
	}
	same := is.LineDefined == p.line && len(is.DbgUpvalues) == len(p.upvalues) && int(is.NumUpvalues) == len(p.upvalues)
	for i := 0; same && i < len(p.upvalues); i++ {
		same = is.DbgUpvalues[i] == d.strings[p.upvalues[i]]
	}
	if !same {
		return nil, fmt.Errorf("%s: the function of line %d is compiled in another way than when it was saved; it was saved by another version of ecsrun", is.SourceName, p.line)
	}
	return is, nil
}

// fill reads the bodies.
func (d *decoder) fill() error {
	var fills []func() error
	for i, h := range d.objects {
		switch h.kind {
		case tableObject, openObject:
			d.table(d.values[i].(*lua.LTable))
		case functionObject:
			d.function(d.values[i].(*lua.LFunction))
		case upvalueObject:
			d.ups[i].SetValue(d.lua())
		case userObject:
			parts := make([]lua.LValue, d.count(1, "parts"))
			for k := range parts {
				parts[k] = d.lua()
			}
			fills = append(fills, func() error { return d.fills[i](parts) })
		case coroutineObject:
			body, calls := d.lua(), d.calls()
			fills = append(fills, func() error { return d.begun[i](body, calls) })
		case namedObject:
		default:
			panic("heap: an object of no kind")
		}
		if d.fail != nil {
			return d.err()
		}
	}
	for _, fill := range fills {
		if err := fill(); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) lua() lua.LValue {
	v := d.value()
	if d.fail != nil {
		return lua.LNil
	}
	switch v.Kind {
	case falseValue:
		return lua.LFalse
	case trueValue:
		return lua.LTrue
	case wholeValue, numberValue:
		return lua.LNumber(v.Number)
	case stringValue:
		return d.texts[v.Index]
	case objectValue:
		if x := d.values[v.Index]; x != nil {
			return x
		}
		d.bad("object %d is a variable and no value", v.Index)
	case nilValue:
	default:
		panic("heap: a value of no kind")
	}
	return lua.LNil
}

// table reads the body of a table.
func (d *decoder) table(t *lua.LTable) {
	var list, keys, values []lua.LValue
	if n := d.count(1, "list items"); n > 0 {
		list = make([]lua.LValue, n)
		for i := range list {
			list[i] = d.lua()
		}
	}
	if n := d.count(2, "keys"); n > 0 {
		keys, values = make([]lua.LValue, n), make([]lua.LValue, n)
		for i := range keys {
			keys[i], values[i] = d.lua(), d.lua()
		}
	}
	mt := d.lua()
	if _, ok := mt.(*lua.LTable); !ok && mt != lua.LNil {
		d.bad("a metatable is a %s", mt.Type())
	}
	if d.fail == nil {
		interp.SetContents(t, list, keys, values)
		t.Metatable = mt
	}
}

// function reads the body of a function.
func (d *decoder) function(fn *lua.LFunction) {
	env, ok := d.lua().(*lua.LTable)
	if !ok {
		d.bad("an environment is no table")
		return
	}
	fn.Env = env
	for i := range fn.Upvalues {
		at := d.object(upvalueObject, "variable")
		if d.fail != nil {
			return
		}
		fn.Upvalues[i] = d.ups[at]
	}
}

// check compares the upvalues that no source can name with what the target has for them.
func (d *decoder) check() error {
	for i, h := range d.objects {
		if h.kind != functionObject {
			continue
		}
		fn := d.values[i].(*lua.LFunction)
		for k, name := range fn.Proto.DbgUpvalues {
			if !d.target.MayHold(fn, name, fn.Upvalues[k].Value()) {
				return &Damage{len(d.b), fmt.Sprintf("a hidden variable of the function in %s:%d has another value", fn.Proto.SourceName, fn.Proto.LineDefined)}
			}
		}
	}
	return nil
}
