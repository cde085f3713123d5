package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// gopher-lua's compiler searches the constants of a function for each use of one, which is quadratic in a data file. So in a function with
// many different constants all but the first ones are compiled as reads of an upvalue. Their lines are constantLine plus a number, by which
// they become instructions that load the constants.

const (
	hiddenConstant = "\x00k"
	constantLine   = gotoLine << 4
	fewConstants   = 1000 // a function with no more uses is compiled as it is
	fewOfKind      = 300  // nor are the strings of a function with no more different ones, or its numbers
	keptConstants  = 60   // of each kind: fewer than operands can name
	mostConstants  = 1<<18 - 1
)

// A loadedConstant is a use of a constant that the compiler does not see: of element number in the list of its function.
type loadedConstant struct {
	line   int
	list   *constantList
	number int
}

// A constantList has the constants of one function that the compiler does not see.
type constantList struct {
	values []lua.LValue
	first  int // the place of the first one among all constants of the function; -1 before they are put there
}

// constantUses are the places where a function uses strings, numbers, and numbers with a minus, and the names of the globals and methods in it,
// which stay constants of the compiler.
type constantUses struct {
	texts, numbers, minus []*ast.Expr
	names                 map[string]bool
	named                 int // how often
}

// name counts a use of a name.
func (u *constantUses) name(s string) {
	if u.names == nil {
		u.names = map[string]bool{}
	}
	u.names[s] = true
	u.named++
}

// loadConstants rewrites the constants of the functions that have many. The layout must be complete.
func (l *layout) loadConstants(stmts []ast.Stmt, bindings *syntax.Bindings) {
	var uses constantUses
	var block, function func(*[]ast.Stmt)
	var expr func(*ast.Expr)
	function = func(b *[]ast.Stmt) {
		outer := uses
		uses = constantUses{}
		block(b)
		if len(uses.texts)+len(uses.numbers)+len(uses.minus) > fewConstants {
			list := &constantList{first: -1}
			l.rewriteConstants(uses.texts, list)
			l.rewriteConstants(uses.numbers, list)
			l.rewriteConstants(uses.minus, list)
		}
		if uses.named*len(uses.names) > maxLookups {
			l.fail(1, "too many different names of globals and methods in one function; split the file")
		}
		uses = outer
	}
	expr = func(slot *ast.Expr) {
		switch e := (*slot).(type) {
		case *ast.StringExpr:
			uses.texts = append(uses.texts, slot)
		case *ast.NumberExpr:
			uses.numbers = append(uses.numbers, slot)
		case *ast.UnaryMinusOpExpr:
			if _, ok := e.Expr.(*ast.NumberExpr); ok {
				uses.minus = append(uses.minus, slot)
				return
			}
		case *ast.IdentExpr:
			if isGlobal(bindings.Of(e)) {
				uses.name(e.Value)
			}
		case *ast.FuncCallExpr:
			if e.Func == nil {
				uses.name(e.Method)
			}
		}
		syntax.Children(*slot, expr, function)
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			inner := block
			if _, ok := st.(*ast.FuncDefStmt); ok {
				inner = function
			}
			syntax.Parts(st, expr, inner)
		}
	}
	function(&stmts)
}

// rewriteConstants rewrites all uses of constants but those of the first ones, if there are many.
func (l *layout) rewriteConstants(uses []*ast.Expr, list *constantList) {
	different := map[string]bool{}
	for i := 0; i < len(uses) && len(different) <= fewOfKind; i++ {
		different[constantText(*uses[i])] = true
	}
	if len(different) <= fewOfKind {
		return
	}
	places := map[string]int{} // in the list; negative for those that stay
	for _, slot := range uses {
		text := constantText(*slot)
		at, known := places[text]
		if !known {
			if at = len(places) - keptConstants; at >= 0 {
				at = len(list.values)
				list.values = append(list.values, constantValue(*slot))
			}
			places[text] = at
		}
		if at < 0 {
			continue
		}
		id := &ast.IdentExpr{Value: hiddenConstant}
		id.SetLine(constantLine + len(l.constants))
		l.constants = append(l.constants, loadedConstant{(*slot).Line(), list, at})
		*slot = id
	}
	if len(list.values) > 0 {
		l.hidden[hiddenConstant] = false
	}
}

func isGlobal(v *syntax.Variable) bool { return v != nil && v.Kind == syntax.Global }

// constantText is what two uses of one constant have in common.
func constantText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StringExpr:
		return e.Value
	case *ast.UnaryMinusOpExpr:
		return e.Expr.(*ast.NumberExpr).Value
	}
	return e.(*ast.NumberExpr).Value
}

// constantValue returns the value of a string, of a number, or of a number with a minus.
func constantValue(e ast.Expr) lua.LValue {
	switch e := e.(type) {
	case *ast.StringExpr:
		return lua.LString(e.Value)
	case *ast.UnaryMinusOpExpr:
		return -constantValue(e.Expr).(lua.LNumber)
	}
	v, _ := syntax.ParseNumber(e.(*ast.NumberExpr).Value)
	return lua.LNumber(v)
}

// putConstants makes instructions that load constants of the reads that loadConstants has written, and gives the code its lines back.
func (l *layout) putConstants(p *lua.FunctionProto) {
	for pc, line := range p.DbgSourcePositions {
		if line < constantLine {
			continue
		}
		c := l.constants[line-constantLine]
		p.DbgSourcePositions[pc] = c.line
		in := instruction(p.Code[pc])
		if in.op() != lua.OP_GETUPVAL {
			continue
		}
		if c.list.first < 0 {
			c.list.first = len(p.Constants)
			p.Constants = append(p.Constants, c.list.values...)
			if len(p.Constants) > mostConstants {
				l.fail(c.line, "a function has more than %s different constants; split it", syntax.Grouped(mostConstants))
			}
		}
		p.Code[pc] = uint32(lua.OP_LOADK)<<26 | uint32(in.a())<<18 | uint32((c.list.first+c.number)&mostConstants)
	}
}

// countLists gives the instructions that store the items of long lists their numbers, which do not fit into them: gopher-lua's compiler leaves
// 0 in the words behind.
func countLists(p *lua.FunctionProto) {
	var last [256]int // by register: the number of the instruction before
	for pc := 0; pc < len(p.Code); pc++ {
		switch in := instruction(p.Code[pc]); in.op() {
		case lua.OP_NEWTABLE:
			last[in.a()] = 0
		case lua.OP_SETLIST:
			last[in.a()]++
			if in.c() == 0 {
				pc++
				p.Code[pc] = uint32(last[in.a()])
			}
		case lua.OP_CLOSURE:
			pc += int(p.FunctionPrototypes[in.bx()].NumUpvalues)
		}
	}
}
