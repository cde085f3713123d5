package translate

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// A table is a package variable whose elements are constants.
type table struct {
	kinds []byte // of an element
	rows  [][]constant.Value
}

func (t *translator) tableOf(obj types.Object) table {
	lit, ok := t.values[obj].(*ast.CompositeLit)
	var elem types.Type
	if ok {
		switch u := t.info.TypeOf(lit).Underlying().(type) {
		case *types.Array:
			elem = u.Elem()
		case *types.Slice:
			elem = u.Elem()
		}
	}
	if elem == nil {
		panic(failure{obj.Pos(), "is no table"})
	}
	out := table{kinds: flat(lit, elem)}
	for _, e := range lit.Elts {
		cells := []ast.Expr{e}
		if row, ok := e.(*ast.CompositeLit); ok {
			cells = row.Elts
		}
		var row []constant.Value
		for _, c := range cells {
			v := t.info.Types[c].Value
			if v == nil {
				fail(c, "no constant")
			}
			row = append(row, v)
		}
		if len(row) != len(out.kinds) {
			fail(e, "a row without all its fields")
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// index is table[i]. Beyond the end, where Go panics, it is the last element.
func (f *fun) index(e *ast.IndexExpr) {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		fail(e, "an element of what is no table")
	}
	f.expr(e.Index)
	if f.t.separate[id.Name] {
		f.opN(opCall, int64(f.t.function(id.Name)))
		return
	}
	at := f.locals([]byte{i64})[0]
	f.set(at)
	f.lookup(f.t.tableOf(f.t.info.Uses[id]), at, false)
}

// lookup branches to the row and pushes its constants, or returns them.
func (f *fun) lookup(t table, at int, leave bool) {
	into := f.locals(t.kinds)
	out := f.open(opBlock)
	for range t.rows {
		f.open(opBlock)
	}
	f.get(at)
	f.op(0xa7) // i32.wrap_i64
	f.add(instr{op: opBrTable, labels: len(t.rows)})
	for _, row := range t.rows {
		f.end()
		for i, v := range row {
			if t.kinds[i] == f64 {
				x, _ := constant.Float64Val(constant.ToFloat(v))
				f.float(x)
			} else {
				n, _ := constant.Uint64Val(constant.ToInt(v))
				f.opN(opI64Const, int64(n))
			}
		}
		if leave {
			f.op(opReturn)
			continue
		}
		f.set(into...)
		f.branch(opBr, out)
	}
	f.end()
	if !leave {
		f.get(into...)
	}
}
