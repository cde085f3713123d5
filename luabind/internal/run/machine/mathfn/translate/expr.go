package translate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (f *fun) typeOf(e ast.Expr) types.Type { return f.t.info.TypeOf(e) }

// expr pushes what a value is made of.
func (f *fun) expr(e ast.Expr) {
	if tv := f.t.info.Types[e]; tv.Value != nil {
		f.constant(e, tv.Type, tv.Value)
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.expr(e.X)
	case *ast.Ident:
		if v := f.t.values[f.t.info.Uses[e]]; v != nil {
			f.expr(v)
			return
		}
		f.get(f.variable(e)...)
	case *ast.SelectorExpr:
		f.get(f.field(e)...)
	case *ast.CompositeLit:
		if s, ok := f.typeOf(e).Underlying().(*types.Struct); !ok || len(e.Elts) != s.NumFields() {
			fail(e, "a literal that is no struct with all its fields")
		}
		for _, x := range e.Elts {
			f.expr(x)
		}
	case *ast.UnaryExpr:
		f.unary(e)
	case *ast.BinaryExpr:
		f.binary(e, e.Op, e.X, e.Y, f.typeOf(e.X))
	case *ast.IndexExpr:
		f.index(e)
	case *ast.CallExpr:
		f.call(e)
	default:
		fail(e, "an expression %T", e)
	}
}

func (f *fun) constant(at ast.Expr, typ types.Type, v constant.Value) {
	switch flat(at, typ)[0] {
	case f64:
		x, _ := constant.Float64Val(constant.ToFloat(v))
		f.float(x)
	case i64:
		if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
			f.opN(opI64Const, n)
			return
		}
		n, exact := constant.Uint64Val(constant.ToInt(v))
		if !exact {
			fail(at, "a constant that is no 64-bit integer")
		}
		f.opN(opI64Const, int64(n))
	default:
		n := int64(0)
		if constant.BoolVal(v) {
			n = 1
		}
		f.opN(opI32Const, n)
	}
}

// field is where a field lives. What is no variable is put into one.
func (f *fun) field(e *ast.SelectorExpr) []int {
	sel := f.t.info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
		fail(e, "%s is no field", e.Sel.Name)
	}
	var whole []int
	inner, isField := e.X.(*ast.SelectorExpr)
	if id, ok := e.X.(*ast.Ident); ok && f.t.values[f.t.info.Uses[id]] == nil {
		whole = f.variable(id)
	} else if isField {
		whole = f.field(inner)
	} else {
		f.expr(e.X)
		whole = f.locals(flat(e, f.typeOf(e.X)))
		f.set(whole...)
	}
	at := 0
	s := f.typeOf(e.X).Underlying().(*types.Struct)
	for i := range sel.Index()[0] {
		at += len(flat(e, s.Field(i).Type()))
	}
	return whole[at : at+len(flat(e, f.typeOf(e)))]
}

func (f *fun) unary(e *ast.UnaryExpr) {
	kind := flat(e, f.typeOf(e))[0]
	switch {
	case e.Op == token.ADD:
		f.expr(e.X)
	case e.Op == token.SUB && kind == f64:
		f.expr(e.X)
		f.op(opF64Neg)
	case e.Op == token.SUB:
		f.opN(opI64Const, 0)
		f.expr(e.X)
		f.op(opI64Sub)
	case e.Op == token.XOR:
		f.expr(e.X)
		f.opN(opI64Const, -1)
		f.op(opI64Xor)
	case e.Op == token.NOT:
		f.expr(e.X)
		f.op(opI32Eqz)
	default:
		fail(e, "operator %s", e.Op)
	}
}

func (f *fun) binary(at ast.Node, op token.Token, x, y ast.Expr, typ types.Type) {
	switch op {
	case token.LAND, token.LOR:
		f.logical(op, x, y)
		return
	case token.SHL, token.SHR:
		f.checkShift(y)
	}
	f.expr(x)
	f.expr(y)
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if b, ok := typ.Underlying().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			typ = f.typeOf(y)
		}
		f.compare(at, op, typ)
	default:
		f.arithmetic(at, op, typ)
	}
}

// logical evaluates the right side only if Go does; where it is cheap and cannot trap that makes no difference.
func (f *fun) logical(op token.Token, x, y ast.Expr) {
	f.expr(x)
	if f.harmless(y) {
		f.expr(y)
		if op == token.LAND {
			f.op(opI32And)
		} else {
			f.op(opI32Or)
		}
		return
	}
	f.opN(opIf, int64(i32))
	f.depth++
	if op == token.LAND {
		f.expr(y)
		f.op(opElse)
		f.opN(opI32Const, 0)
	} else {
		f.opN(opI32Const, 1)
		f.op(opElse)
		f.expr(y)
	}
	f.end()
}

func (f *fun) harmless(e ast.Expr) bool {
	nodes, ok := 0, true
	ast.Inspect(e, func(n ast.Node) bool {
		nodes++
		switch n := n.(type) {
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM
		case *ast.IndexExpr:
			ok = false
		case *ast.CallExpr:
			name := f.calledFrom(n, "math")
			ok = ok && (name == "Abs" || name == "IsInf" || name == "Signbit" || name == "Float64bits")
		}
		return true
	})
	return ok && nodes < 16
}

// checkShift: Go shifts everything out from 64 on, WebAssembly begins anew.
func (f *fun) checkShift(count ast.Expr) {
	if v := f.t.info.Types[count].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n >= 0 && n < 64 {
			return
		}
	}
	if p, ok := count.(*ast.ParenExpr); ok {
		if b, ok := p.X.(*ast.BinaryExpr); ok && b.Op == token.AND {
			if v := f.t.info.Types[b.Y].Value; v != nil {
				if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n >= 0 && n < 64 {
					return
				}
			}
		}
	}
	fail(count, "a shift by what is neither a constant nor masked: write (n & 63)")
}

func isUnsigned(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

var floatOps = map[token.Token]byte{
	token.ADD: 0xa0, token.SUB: 0xa1, token.MUL: 0xa2, token.QUO: 0xa3,
	token.EQL: 0x61, token.NEQ: 0x62, token.LSS: 0x63, token.GTR: 0x64, token.LEQ: 0x65, token.GEQ: 0x66,
}

var signedOps = map[token.Token]byte{
	token.ADD: 0x7c, token.SUB: 0x7d, token.MUL: 0x7e, token.QUO: 0x7f, token.REM: 0x81, token.AND: 0x83, token.OR: 0x84, token.XOR: 0x85,
	token.SHL: 0x86, token.SHR: 0x87,
	token.EQL: 0x51, token.NEQ: 0x52, token.LSS: 0x53, token.GTR: 0x55, token.LEQ: 0x57, token.GEQ: 0x59,
}

// unsignedOps are those that differ from signedOps.
var unsignedOps = map[token.Token]byte{
	token.QUO: 0x80, token.REM: 0x82, token.SHR: 0x88, token.LSS: 0x54, token.GTR: 0x56, token.LEQ: 0x58, token.GEQ: 0x5a,
}

var boolOps = map[token.Token]byte{token.EQL: 0x46, token.NEQ: 0x47}

func (f *fun) compare(at ast.Node, op token.Token, typ types.Type) {
	if flat(at, typ)[0] == i32 {
		f.op(boolOps[op])
		return
	}
	f.arithmetic(at, op, typ)
}

func (f *fun) arithmetic(at ast.Node, op token.Token, typ types.Type) {
	kinds := flat(at, typ)
	if len(kinds) != 1 || kinds[0] == i32 {
		fail(at, "operator %s of %s", op, typ)
	}
	if op == token.AND_NOT {
		f.opN(opI64Const, -1)
		f.op(opI64Xor)
		op = token.AND
	}
	code, ok := signedOps[op]
	if kinds[0] == f64 {
		code, ok = floatOps[op]
	} else if u := unsignedOps[op]; u != 0 && isUnsigned(typ) {
		code = u
	}
	if !ok {
		fail(at, "operator %s of %s", op, typ)
	}
	f.op(code)
}
