package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	lua "github.com/yuin/gopher-lua"
)

// Assignments to fields of views that are values: see viewvalue.go.

// putField is v.name = x, where v is a view.
func (f *frame) putField(v lua.LValue, name string, x draft.Ref) int {
	p, field := f.fieldOf(v, name)
	if p == nil {
		return stopped
	}
	if field.Type == ecs.TableField {
		d, ok := f.frozen(x)
		if !ok {
			return stopped
		}
		*(**ecs.Data)(p) = d
		return f.settle()
	}
	if !storeValue(p, field.Type, x) {
		return stopped
	}
	return next
}

// putNumberField is v.name = n.
func (f *frame) putNumberField(v lua.LValue, name string, n float64) int {
	p, field := f.fieldOf(v, name)
	if p == nil || !storeNumber(p, field.Type, n) {
		return stopped
	}
	return next
}

// storeValue writes a plain value to a field. It returns false if the interpreter has to do it, because the value does not fit,
// or is none that a script usually gives such a field.
func storeValue(p unsafe.Pointer, t ecs.FieldType, x draft.Ref) bool {
	if n, ok := x.Number(); ok {
		return storeNumber(p, t, n)
	}
	if s, ok := x.Text(); ok && t == ecs.String {
		*(*string)(p) = s
		return true
	}
	if is, ok := x.Flag(); ok && t == ecs.Bool {
		*(*bool)(p) = is
		return true
	}
	return false
}

// storeNumber is storeValue for a number.
func storeNumber(p unsafe.Pointer, t ecs.FieldType, n float64) bool {
	switch t {
	case ecs.F64:
		*(*float64)(p) = n
		return true
	case ecs.F32:
		*(*float32)(p) = float32(n)
		return true
	case ecs.EntityField:
		e, ok := ecs.EntityFromNumber(n)
		if ok {
			*(*ecs.Entity)(p) = e
		}
		return ok
	case ecs.I64, ecs.U64, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8:
	default:
		return false
	}
	lo, hi, _ := t.Range()
	if !within(n, lo, hi) {
		return false
	}
	switch t {
	case ecs.I64:
		*(*int64)(p) = int64(n)
	case ecs.U64:
		*(*uint64)(p) = uint64(n)
	case ecs.I32:
		*(*int32)(p) = int32(n)
	case ecs.U32:
		*(*uint32)(p) = uint32(n)
	case ecs.I16:
		*(*int16)(p) = int16(n)
	case ecs.U16:
		*(*uint16)(p) = uint16(n)
	case ecs.I8:
		*(*int8)(p) = int8(n)
	default:
		*(*uint8)(p) = uint8(n)
	}
	return true
}

// fieldOf finds a field of a view that a row is about to write. It returns nil if the interpreter has to write it.
func (f *frame) fieldOf(v lua.LValue, name string) (unsafe.Pointer, *ecs.Field) {
	e, id, ok := f.viewOf(v)
	if !ok || f.failed || f.effects.Changes() || f.world.Observed(ecs.OnSet, uint32(id)) != nil {
		return nil, nil
	}
	finder := f.finderOf(id)
	at := f.finders[finder].Find(e)
	info, _ := f.world.ComponentInfo(id)
	i := info.Schema.Index(name)
	if at.Memory == nil || at.Table < 0 || i < 0 {
		return nil, nil
	}
	field := &info.Schema.Fields()[i]
	p := unsafe.Add(at.Memory, field.Offset)
	if !f.undo.keep(p, field.Type) {
		return nil, nil
	}
	f.writes = append(f.writes, location{finder, at.Table, at.Row})
	return p, field
}

// finderOf returns the index in f.finders of a component that is only known now, and announces that it will be written.
func (f *frame) finderOf(id ecs.ComponentID) int {
	if i, ok := f.found[id]; ok {
		return i
	}
	if f.found == nil {
		f.found = map[ecs.ComponentID]int{}
	}
	i := len(f.finders)
	f.finders = append(f.finders, ecs.Raw.Finder(f.world, id))
	f.found[id] = i
	f.world.BeforeWrite(id)
	return i
}
