package translate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
)

func (f *fun) call(e *ast.CallExpr) {
	if f.t.info.Types[e.Fun].IsType() {
		f.convert(e)
		return
	}
	if name := f.calledFrom(e, "math"); name != "" {
		f.mathCall(e, name)
		return
	}
	if name := f.calledFrom(e, "bits"); name != "" {
		f.bitsCall(e, name)
		return
	}
	switch fn := e.Fun.(type) {
	case *ast.Ident:
		switch obj := f.t.info.Uses[fn].(type) {
		case *types.Builtin:
			f.builtin(e, fn.Name)
			return
		case *types.Func:
			f.args(e)
			f.enter(e, obj)
			return
		}
	case *ast.SelectorExpr:
		if sel := f.t.info.Selections[fn]; sel != nil && sel.Kind() == types.MethodVal {
			f.expr(fn.X)
			f.args(e)
			f.enter(e, sel.Obj().(*types.Func))
			return
		}
	}
	fail(e, "a call of %T", e.Fun)
}

// calledFrom is the name of the function of an imported package that e calls, empty if it calls none.
func (f *fun) calledFrom(e *ast.CallExpr, pkg string) string {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if p, ok := f.t.info.Uses[id].(*types.PkgName); ok && p.Name() == pkg {
			return sel.Sel.Name
		}
	}
	return ""
}

func (f *fun) args(e *ast.CallExpr) {
	for _, a := range e.Args {
		f.expr(a)
	}
}

// enter calls a function whose arguments are pushed, or puts it here.
func (f *fun) enter(at ast.Node, obj *types.Func) {
	sig := obj.Type().(*types.Signature)
	if sig.Recv() == nil && f.t.separate[obj.Name()] {
		f.opN(opCall, int64(f.t.function(obj.Name())))
		return
	}
	decl := f.t.decls[obj]
	if decl == nil {
		fail(at, "%s has no source", obj.Name())
	}
	if len(f.frames) > 30 {
		fail(at, "calls too deep, or without end")
	}
	params := []*types.Var{}
	if sig.Recv() != nil {
		params = append(params, sig.Recv())
	}
	for i := range sig.Params().Len() {
		params = append(params, sig.Params().At(i))
	}
	var into []int
	for _, p := range params {
		f.vars[p] = f.locals(flat(at, p.Type()))
		into = append(into, f.vars[p]...)
	}
	f.set(into...)
	fr := frame{inlined: true}
	list := decl.Body.List
	straight := returns(decl.Body) == 1
	if ret, ok := list[len(list)-1].(*ast.ReturnStmt); ok && straight {
		fr.last = ret
	} else {
		fr.results = f.locals(flat(at, sig.Results()))
		fr.exit = f.open(opBlock)
	}
	f.frames = append(f.frames, fr)
	f.named(decl, sig)
	f.block(list)
	f.frames = f.frames[:len(f.frames)-1]
	if fr.last == nil {
		f.end()
		f.get(fr.results...)
	}
}

func returns(body *ast.BlockStmt) int {
	n := 0
	ast.Inspect(body, func(x ast.Node) bool {
		if _, ok := x.(*ast.ReturnStmt); ok {
			n++
		}
		return true
	})
	return n
}

// convert is T(x). From float to integer it saturates where Go promises nothing.
func (f *fun) convert(e *ast.CallExpr) {
	from, to := f.typeOf(e.Args[0]), f.typeOf(e)
	f.expr(e.Args[0])
	a, b := flat(e, from)[0], flat(e, to)[0]
	switch {
	case a == b:
	case a == i64 && b == f64 && isUnsigned(from):
		f.op(0xba)
	case a == i64 && b == f64:
		f.op(0xb9)
	case a == f64 && b == i64 && !isUnsigned(to):
		f.add(instr{op: 6, sat: true})
	default:
		fail(e, "conversion of %s to %s", from, to)
	}
}

func (f *fun) builtin(e *ast.CallExpr, name string) {
	if name != "min" && name != "max" || len(e.Args) != 2 || flat(e, f.typeOf(e))[0] != i64 || isUnsigned(f.typeOf(e)) {
		fail(e, "%s of %s", name, f.typeOf(e))
	}
	f.args(e)
	v := f.locals([]byte{i64, i64})
	f.set(v...)
	a, b := v[0], v[1]
	if name == "max" {
		a, b = b, a
	}
	f.get(v...)
	f.get(a, b)
	f.op(opI64LtS)
	f.op(opSelect)
}

var mathOps = map[string]byte{"Abs": 0x99, "Ceil": 0x9b, "Floor": 0x9c, "Trunc": 0x9d, "Sqrt": 0x9f, "Copysign": 0xa6, "Float64bits": 0xbd, "Float64frombits": 0xbf}

func (f *fun) mathCall(e *ast.CallExpr, name string) {
	if op, ok := mathOps[name]; ok {
		f.args(e)
		f.op(op)
		return
	}
	sign := 0
	if name == "Inf" || name == "IsInf" {
		v := f.t.info.Types[e.Args[len(e.Args)-1]].Value
		if v == nil {
			fail(e, "a sign that is no constant")
		}
		sign = constant.Sign(v)
	}
	switch name {
	case "Inf":
		f.float(math.Inf(sign))
	case "NaN":
		f.float(math.NaN())
	case "IsInf":
		f.expr(e.Args[0])
		if sign == 0 {
			f.op(opF64Abs)
		}
		f.float(math.Inf(sign))
		f.op(opF64Eq)
	case "Signbit":
		f.expr(e.Args[0])
		f.op(mathOps["Float64bits"])
		f.opN(opI64Const, 0)
		f.op(opI64LtS)
	default:
		fail(e, "math.%s", name)
	}
}

func (f *fun) bitsCall(e *ast.CallExpr, name string) {
	f.args(e)
	if name == "LeadingZeros64" {
		f.op(0x79)
		return
	}
	obj, ok := f.t.byName["bits"+name].(*types.Func)
	if !ok {
		fail(e, "bits.%s", name)
	}
	f.enter(e, obj)
}
