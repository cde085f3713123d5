package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Calls of library functions: ir.Invoke. Most of them take plain values (sandbox.PlainFunctions). The others are here,
// because they look into tables, which are values of this package.

// typeTexts are the results of the function type, by the kind of a value.
var typeTexts = map[ecs.ValueKind]ecs.Value{
	ecs.NilValue: ecs.Text("nil"), ecs.BoolValue: ecs.Text("boolean"), ecs.StringValue: ecs.Text("string"), ecs.TableValue: ecs.Text("table"),
	ecs.NumberValue: ecs.Text("number"), ecs.IntValue: ecs.Text("number"), ecs.UintValue: ecs.Text("number"), ecs.EntityValue: ecs.Text("number"),
}

// anyTable stands for a table where all that matters is that it is one.
var anyTable = ecs.TableOf(nil)

// invoke compiles ir.Invoke.
func (c *compiler) invoke(s *ir.Stmt) step {
	args := make([]refFn, len(s.Args))
	for i, x := range s.Args {
		args[i] = c.ref(x, true)
	}
	switch s.Func {
	case "type", "gsub type":
		return invokeType(s, args[0])
	case "next":
		return invokeNext(s, args[0])
	case "ecs.name":
		return invokeName(s, args[0])
	case "resource":
		return c.invokeResource(s)
	case "set resource":
		return c.invokeSetResource(s, args[1])
	case "table.concat":
		return invokeConcat(s, args)
	case "unpack":
		return invokeUnpack(s, args)
	}
	shows := s.Func == "print" || s.Func == "tostring" || s.Func == "string.format"
	run := sandbox.PlainFunctions[s.Func].Run
	call := &sandbox.PlainCall{Args: make([]ecs.Value, len(args))} // the statement does not run inside itself
	return func(f *frame) int {
		for i, arg := range args {
			r := arg(f)
			n, isNumber := r.Number()
			switch {
			case f.failed:
				return stopped
			case shows && r.IsTable():
				call.Args[i] = anyTable
			case !r.IsPlain():
				return stopped
			case isNumber:
				call.Args[i] = ecs.Number(n)
			default:
				call.Args[i] = *r.Value
			}
		}
		call.Results, call.Bytes, call.Cost = call.Results[:0], 0, 0
		if !run(call) || s.Mark == 1 && len(call.Results) == 0 || !f.effects.Takes(call.Bytes) || !f.burn(call.Cost) {
			return stopped
		}
		for i := range s.J {
			v := &draft.Nil
			if i < len(call.Results) {
				v = &call.Results[i]
			}
			f.a[s.I+i].set(draft.Ref{Value: v})
		}
		return next
	}
}

// invokeType compiles a call of type.
func invokeType(s *ir.Stmt, arg refFn) step {
	return func(f *frame) int {
		r := arg(f)
		kind := ecs.TableValue
		if !r.IsTable() {
			kind = r.Value.Kind()
		}
		v, ok := typeTexts[kind]
		if !ok || f.failed {
			return stopped
		}
		if s.J > 0 {
			f.a[s.I].set(draft.Ref{Value: &v})
		}
		return next
	}
}

// invokeNext compiles a call of next with a table: the first key of the table, with its value.
func invokeNext(s *ir.Stmt, arg refFn) step {
	held := new(ecs.Value)
	walk := new(draft.Walk)
	return func(f *frame) int {
		r := arg(f).Held(held)
		if f.failed || !r.IsTable() {
			return stopped
		}
		*walk = draft.Walk{}
		k := draft.Ref{Value: &walk.Key}
		v, more, ok := walk.Next(r, r.Table != nil)
		if !more {
			k, v = draft.Ref{Value: &draft.Nil}, draft.Ref{Value: &draft.Nil}
		}
		if !ok || s.J > 1 && lacksIdentity(v) {
			return stopped
		}
		for i := range s.J {
			switch i {
			case 0:
				f.a[s.I].set(k)
			case 1:
				f.a[s.I+1].set(v)
			default:
				f.a[s.I+i].set(draft.Ref{Value: &draft.Nil})
			}
		}
		return next
	}
}

// invokeName compiles a call of ecs.name.
func invokeName(s *ir.Stmt, arg refFn) step {
	out := new(ecs.Value)
	return func(f *frame) int {
		n, ok := arg(f).Number()
		if !ok || f.failed {
			return stopped
		}
		if s.J > 0 {
			*out = ecs.Text(handle(n).String())
			f.a[s.I].set(draft.Ref{Value: out})
		}
		return next
	}
}

// invokeResource compiles the read of a resource of type table. As in Lua, each read gives another table.
func (c *compiler) invokeResource(s *ir.Stmt) step {
	id, drafts, out := ecs.ResourceID(s.Args[0].A.N), c.p.Drafts, new(ecs.Value)
	return func(f *frame) int {
		*out = f.world.Resource(id).Get(0)
		if drafts {
			f.a[s.I].set(draft.Ref{Table: f.pool.Table(out.Data())})
		} else {
			f.a[s.I].set(draft.Ref{Value: out})
		}
		return next
	}
}

// mostCopied is how many entries a row may copy for a resource. The interpreter, which copies a table once for all rows, is faster for more.
const mostCopied = 256

// invokeSetResource compiles the store of a table in a resource, which is logged in the undo log.
func (c *compiler) invokeSetResource(s *ir.Stmt, table refFn) step {
	id := ecs.ResourceID(s.Args[0].A.N)
	c.exact, c.setsResources = true, true
	return func(f *frame) int {
		x := table(f)
		if f.failed {
			return stopped
		}
		d, ok := f.frozen(x)
		if !ok || f.pool.Copied > mostCopied {
			return stopped
		}
		row := f.world.Resource(id)
		f.undo.resources = append(f.undo.resources, storedResource{row, row.Get(0)})
		if len(f.undo.resources) > mostUndone || row.Set(0, ecs.TableOf(d)) != nil {
			return stopped
		}
		return f.settle()
	}
}

func (f *frame) itemAt(list draft.Ref, i int) draft.Ref {
	v, ok := list.Item(float64(i), list.Table != nil)
	if !ok {
		f.failed = true
	}
	return v
}

// lacksIdentity reports whether a value is a table of a field that has no identity, so no register may get it.
func lacksIdentity(r draft.Ref) bool { return r.IsTable() && r.Table == nil }

// itemsOf returns the length of a list. It fails for what is no table, and for a list that is long.
func (f *frame) itemsOf(list draft.Ref) int {
	n := 0.0
	switch {
	case f.failed || !list.IsTable():
		f.failed = true
	default:
		n, _ = list.Length()
	}
	if n > mostJoined {
		f.failed = true
		return 0
	}
	return int(n)
}

// part returns the bounds that a call gives as arguments i and i+1 for a part of a list of n items; without them, or where
// they are nil, the part is the whole list. It fails for a part that is not within the list.
func (f *frame) part(args []refFn, i, n int) (from, to int) {
	bound := func(i, otherwise int) int {
		if i >= len(args) {
			return otherwise
		}
		r := args[i](f)
		x, ok := r.Number()
		if !r.IsTable() && r.IsNil() {
			return otherwise
		}
		if !ok || x != float64(int(x)) || x < 1 || int(x) > n && int(x) > otherwise {
			f.failed = true
			return 1
		}
		return int(x)
	}
	from, to = bound(i, 1), bound(i+1, n)
	if f.failed || to > n || from > to+1 {
		f.failed = true
		return 1, 0
	}
	return from, to
}

// invokeConcat compiles a call of table.concat with a list, a string between the items, and bounds.
func invokeConcat(s *ir.Stmt, args []refFn) step {
	var buf []byte // the statement does not run inside itself
	held, out := new(ecs.Value), new(ecs.Value)
	return func(f *frame) int {
		list := args[0](f).Held(held)
		between := ""
		if len(args) > 1 {
			r := args[1](f)
			text, ok := r.Text()
			if between = text; !ok && (r.IsTable() || !r.IsNil()) {
				return stopped
			}
		}
		from, n := f.part(args, 2, f.itemsOf(list))
		if f.failed || !f.burn(int64(n)) {
			return stopped
		}
		buf = buf[:0]
		for i := from; i <= n; i++ {
			v := f.itemAt(list, i)
			if text, ok := v.Text(); ok {
				buf = append(buf, text...)
			} else if number, ok := v.Number(); ok {
				buf = sandbox.AppendNumber(buf, number)
			} else {
				return stopped
			}
			if i < n {
				buf = append(buf, between...)
			}
			if f.failed || len(buf) >= mostJoined {
				return stopped
			}
		}
		if !f.effects.Takes(sandbox.StringBytes + int64(len(buf))) {
			return stopped
		}
		if s.J > 0 {
			*out = ecs.Text(string(buf))
			f.a[s.I].set(draft.Ref{Value: out})
		}
		return next
	}
}

// invokeUnpack compiles a call of unpack with a list, and bounds.
func invokeUnpack(s *ir.Stmt, args []refFn) step {
	held := new(ecs.Value)
	return func(f *frame) int {
		list := args[0](f).Held(held)
		from, to := f.part(args, 1, f.itemsOf(list))
		if f.failed {
			return stopped
		}
		for i := range s.J {
			if from+i > to {
				f.a[s.I+i].set(draft.Ref{Value: &draft.Nil})
				continue
			}
			v := f.itemAt(list, from+i)
			if f.failed || lacksIdentity(v) {
				return stopped
			}
			f.a[s.I+i].set(v)
		}
		return next
	}
}
