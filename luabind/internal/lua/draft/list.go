package draft

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// The functions of the library table for a Table.

// list returns the number of items. It is not ok if the table has other numbers as keys, with which functions of
// the library table may do something else.
func (t *Table) list() (n int, ok bool) {
	return t.items, len(t.keys) == 0 || t.keys[0].Kind() != ecs.NumberValue
}

// IsList reports whether a table has no other numbers as keys than those of its items.
func (t *Table) IsList() bool {
	_, ok := t.list()
	return ok
}

// Insert is table.insert(t, at, v). It reports false if that has to be left to the interpreter.
func (t *Table) Insert(at float64, v Ref) bool {
	n, ok := t.list()
	i := int(at)
	if !ok || v.IsNil() || float64(i) != at || i < 1 || i > n+1 || n >= sandbox.MaxList {
		return false
	}
	if last := ecs.Number(float64(n + 1)); i > n {
		t.reaches(&last)
	} else {
		t.listLen = t.ListLen() + 1 // what is nil after the last item moves, too
	}
	t.insert(n, ecs.Number(float64(n+1)), Ref{Value: &Nil})
	t.widen()
	t.pool.Copied += int64(n-i) / 4
	for j := n; j >= i; j-- {
		t.own[j], t.kids[j] = t.own[j-1], t.kids[j-1]
	}
	t.put(i-1, v)
	return true
}

// Append is table.insert(t, v).
func (t *Table) Append(v Ref) bool { return t.Insert(float64(t.items+1), v) }

// Remove is table.remove(t, at), or table.remove(t) if last is true. The value that it returns is in out, which is
// not a part of the table any more. It reports false if that has to be left to the interpreter.
func (t *Table) Remove(at float64, last bool, out *ecs.Value) (r Ref, ok bool) {
	n, ok := t.list()
	i := int(at)
	if last {
		i = n
		if n == 0 {
			*out = Nil
			return Ref{Value: out}, ok
		}
	} else if float64(i) != at || i < 1 || i > n {
		return Ref{Value: &Nil}, false
	}
	if !ok {
		return Ref{Value: &Nil}, false
	}
	t.change(0)
	t.widen()
	r = Ref{Value: out}
	if t.kids[i-1] != nil || t.own[i-1].Kind() == ecs.TableValue {
		r = Ref{Table: t.inner(i - 1)}
	}
	*out = scalar(&t.own[i-1])
	t.pool.Copied += int64(n-i) / 4
	for j := i; j < n; j++ {
		t.own[j-1], t.kids[j-1] = t.own[j], t.kids[j]
	}
	t.listLen = t.ListLen() - 1
	t.remove(n - 1)
	return r, true
}
