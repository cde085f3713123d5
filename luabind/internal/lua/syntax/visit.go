package syntax

import "github.com/yuin/gopher-lua/ast"

// The walk that knows the rules of scopes: where a declaration begins to hold and where it ends. It visits a whole
// file in the order of the source and calls the functions of a Visitor. Resolving is one of its users; the checks
// of names are others.

// A Visitor is called for the parts of a tree, in the order of the source. Functions that are nil are not called.
type Visitor struct {
	// Enter is called when a scope begins, Leave when it ends. They come in pairs.
	Enter, Leave func(Scope)

	// Declare is called when a variable begins to be visible. It stays visible until the scope that was entered
	// last is left, or another variable with its name hides it.
	Declare func(Declaration)

	// Stmt and Expr are called for each statement and expression, before those inside it. For a function definition
	// Expr is called with the name, or the receiver of a method, and not with the function.
	Stmt func(ast.Stmt)
	Expr func(ast.Expr)

	// Ident is called for each identifier, after Expr. If assigned is set, the variable is assigned there: the
	// value is value, or nil if the source does not show it. Otherwise the variable is read.
	Ident func(id *ast.IdentExpr, assigned bool, value ast.Expr)
}

// A Scope is a part of a file in which declarations hold: the file, a function, a block, or a loop with its variables.
type Scope struct {
	Node  ast.PositionHolder // the statement or *ast.FunctionExpr whose scope it is; nil: the file
	Stmts []ast.Stmt

	Function bool   // it is the scope of a function or of the file
	Name     string // of a function: its name in the source, "" if it has none
}

// Visit walks a tree. It takes local f = function for a local function, as gopher-lua's compiler does.
// [Chunk.Visit] distinguishes the two.
func Visit(stmts []ast.Stmt, v Visitor) { visit(stmts, v, nil) }

// visit is Visit with the statements that are written as local f = function.
func visit(stmts []ast.Stmt, v Visitor, values functionValues) {
	scope, expr := func(Scope) {}, func(ast.Expr) {}
	if v.Enter == nil {
		v.Enter = scope
	}
	if v.Leave == nil {
		v.Leave = scope
	}
	if v.Declare == nil {
		v.Declare = func(Declaration) {}
	}
	if v.Stmt == nil {
		v.Stmt = func(ast.Stmt) {}
	}
	if v.Expr == nil {
		v.Expr = expr
	}
	if v.Ident == nil {
		v.Ident = func(*ast.IdentExpr, bool, ast.Expr) {}
	}
	w := walker{v, values}
	w.within(Scope{Stmts: stmts, Function: true}, func() {
		if usesVarargs(stmts) {
			v.Declare(Declaration{Name: "arg", Kind: Arg})
		}
	})
}

// A walker is the state of a visit. It knows which parts of a tree are scopes, and where in them variables begin to
// be visible.
type walker struct {
	Visitor
	values functionValues
}

// within walks a scope. declare declares the variables that are visible from its beginning.
func (w *walker) within(s Scope, declare func()) {
	w.Enter(s)
	declare()
	w.stmts(s.Stmts)
	w.Leave(s)
}

// block walks a block that declares nothing at its beginning.
func (w *walker) block(st ast.Stmt, stmts []ast.Stmt) {
	w.within(Scope{Node: st, Stmts: stmts}, func() {})
}

// stmts walks the statements of a block.
func (w *walker) stmts(stmts []ast.Stmt) {
	for _, st := range stmts {
		w.stmt(st)
	}
}

// stmt walks one statement.
func (w *walker) stmt(st ast.Stmt) {
	w.Stmt(st)
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		w.local(st)
	case *ast.AssignStmt:
		for i, lhs := range st.Lhs {
			w.target(lhs, at(st.Rhs, i))
		}
		for i, e := range st.Rhs {
			name := ""
			if i < len(st.Lhs) {
				name = lastName(st.Lhs[i])
			}
			w.named(e, name)
		}
	case *ast.FuncDefStmt:
		if st.Name.Func == nil {
			w.expr(st.Name.Receiver)
			w.function(st.Func, st.Name.Method, true)
			return
		}
		w.target(st.Name.Func, st.Func)
		w.function(st.Func, lastName(st.Name.Func), false)
	case *ast.DoBlockStmt:
		w.block(st, st.Stmts)
	case *ast.WhileStmt:
		w.expr(st.Condition)
		w.block(st, st.Stmts)
	case *ast.RepeatStmt: // the condition sees the locals of the body
		s := Scope{Node: st, Stmts: st.Stmts}
		w.Enter(s)
		w.stmts(st.Stmts)
		w.expr(st.Condition)
		w.Leave(s)
	case *ast.IfStmt:
		w.expr(st.Condition)
		w.block(st, st.Then)
		w.block(st, st.Else)
	case *ast.NumberForStmt:
		w.expr(st.Init)
		w.expr(st.Limit)
		if st.Step != nil {
			w.expr(st.Step)
		}
		w.loop(st, []string{st.Name}, st.Stmts)
	case *ast.GenericForStmt:
		w.exprs(st.Exprs)
		w.loop(st, st.Names, st.Stmts)
	case *ast.FuncCallStmt:
		w.expr(st.Expr)
	case *ast.ReturnStmt:
		w.exprs(st.Exprs)
	default: // Parts panics for an unknown kind; the known ones that come here contain nothing
		Parts(st, nil, nil)
	}
}

// local walks a local statement. Its values do not see its variables; a local function sees itself.
func (w *walker) local(st *ast.LocalAssignStmt) {
	if fn := functionOf(st); fn != nil && !w.values[st] {
		w.Declare(Declaration{Name: st.Names[0], Kind: LocalFunction, Node: st, Value: fn})
		w.named(fn, st.Names[0])
		return
	}
	for i, e := range st.Exprs {
		name := ""
		if i < len(st.Names) {
			name = st.Names[i]
		}
		w.named(e, name)
	}
	for i, name := range st.Names {
		value := at(st.Exprs, i)
		if len(st.Exprs) == 0 {
			value = At(&ast.NilExpr{}, st)
		}
		w.Declare(Declaration{Name: name, Kind: Local, Node: st, Index: i, Value: value})
	}
}

// loop walks the body of a for with its variables.
func (w *walker) loop(st ast.Stmt, names []string, body []ast.Stmt) {
	w.within(Scope{Node: st, Stmts: body}, func() {
		for i, name := range names {
			w.Declare(Declaration{Name: name, Kind: LoopVariable, Node: st, Index: i})
		}
	})
}

// function walks a function. name is its name in the source; method says that it has the parameter self.
func (w *walker) function(fn *ast.FunctionExpr, name string, method bool) {
	w.within(Scope{Node: fn, Stmts: fn.Stmts, Function: true, Name: name}, func() {
		if method {
			w.Declare(Declaration{Name: "self", Kind: Self, Node: fn})
		}
		for i, p := range fn.ParList.Names {
			w.Declare(Declaration{Name: p, Kind: Parameter, Node: fn, Index: i})
		}
		if fn.ParList.HasVargs {
			w.Declare(Declaration{Name: "arg", Kind: Arg, Node: fn})
		}
	})
}

// target walks the left side of an assignment. value is what is assigned.
func (w *walker) target(e, value ast.Expr) {
	id, ok := e.(*ast.IdentExpr)
	if !ok {
		w.expr(e)
		return
	}
	w.Expr(id)
	w.Ident(id, true, value)
}

// exprs walks a list of expressions.
func (w *walker) exprs(list []ast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

// expr walks one expression.
func (w *walker) expr(e ast.Expr) { w.named(e, "") }

// named walks an expression. If it is a function, its name is name.
func (w *walker) named(e ast.Expr, name string) {
	w.Expr(e)
	switch e := e.(type) {
	case *ast.IdentExpr:
		w.Ident(e, false, nil)
	case *ast.FunctionExpr:
		w.function(e, name, false)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			key := ""
			if f.Key != nil {
				w.expr(f.Key)
				if k, ok := f.Key.(*ast.StringExpr); ok {
					key = k.Value
				}
			}
			w.named(f.Value, key)
		}
	default:
		Children(e, func(e *ast.Expr) { w.expr(*e) }, nil)
	}
}

// at returns element i of a list, nil beyond its end.
func at(list []ast.Expr, i int) ast.Expr {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// lastName returns the name of a function that is assigned to an expression: the identifier, or the last key.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if k, ok := e.Key.(*ast.StringExpr); ok {
			return k.Value
		}
	}
	return ""
}
