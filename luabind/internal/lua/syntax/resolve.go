package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Resolving: each identifier of a tree is bound to its variable. A tree within the limits comes in, [Bindings] go
// out. The rules of scopes are in visit.go; this file keeps a table of visible names while a tree is visited.

// A Kind says how a variable is declared.
type Kind uint8

// The kinds of variables.
const (
	Global        Kind = iota // not declared in the file
	Local                     // local NAME = VALUE
	LocalFunction             // local function NAME, which is visible in the function, too
	Parameter                 // of a function
	Self                      // the parameter self of a method, which the source does not write
	Arg                       // the local arg of a function with ..., which the source does not write
	LoopVariable              // a variable of a for loop
)

// String returns the kind as a word, for messages of tests.
func (k Kind) String() string {
	return [...]string{"global", "local", "local function", "parameter", "self", "arg", "loop variable"}[k]
}

// A Declaration is the place where a variable is declared.
type Declaration struct {
	Name string
	Kind Kind

	// Node declares it: an *ast.LocalAssignStmt, *ast.NumberForStmt or *ast.GenericForStmt; for a parameter, self
	// and arg the *ast.FunctionExpr; nil for a global, and for the arg of the file. Index is the position of the
	// name in the list of names of Node, from 0.
	Node  ast.PositionHolder
	Index int

	// Value is the first value of the variable, as far as the source shows it. In local a, b = 1, f() it is 1 for
	// a, and f() for b. It is nil if the source does not show it. For a local without any value it is an
	// *ast.NilExpr.
	Value ast.Expr
}

// Line returns the line of the declaration; 0 for a global.
func (d *Declaration) Line() int {
	if d.Node == nil {
		return 0
	}
	return d.Node.Line()
}

// A Variable is one variable of the source. Two variables with the same name are two Variables. All activations of
// a function share its Variables.
type Variable struct {
	Declaration

	// ID is the number of the declaration in the file, from 0. A variable that is visible in a loop is declared in
	// it if its ID is not less than that of the first variable of the loop. Globals have -1.
	ID int

	Function *Function // the function that declares it; nil for a global
	Uses     []Use     // in the order of the source, without the declaration
	Assigned bool      // something is assigned to it after its declaration
	Captured bool      // a function inside Function uses it: it is an upvalue there

	before   *Variable // the visible variable that was declared just before it
	shadowed *Variable // the variable of the same name that it hides
	renamed  string    // see Bindings.Rename
}

// A Use is one identifier that is bound to a variable.
type Use struct {
	Ident    *ast.IdentExpr
	In       *Function
	Assigned bool     // the variable is assigned here; otherwise it is read
	Value    ast.Expr // what is assigned; nil if the source does not show it
}

// IsGlobal reports whether the variable is the global with that name.
func (v *Variable) IsGlobal(name string) bool { return v.Kind == Global && v.Name == name }

// InTree returns the name of the variable's identifiers in the tree: Name, unless the variable was renamed.
func (v *Variable) InTree() string {
	if v.renamed != "" {
		return v.renamed
	}
	return v.Name
}

// Functions lists the functions that use the variable, in the order of their first use. It may include the function
// that declares it.
func (v *Variable) Functions() []*Function {
	var out []*Function
	for _, u := range v.Uses {
		if !slices.Contains(out, u.In) {
			out = append(out, u.In)
		}
	}
	return out
}

// A Function is a function of a file, or the file itself.
type Function struct {
	Node   *ast.FunctionExpr // nil for the file
	Parent *Function         // the function around it; nil for the file
	Name   string            // what the source calls it where it is made, "" if nothing
	Vararg bool
	Params []*Variable // in order, with self, without arg
}

// Bindings say which variable each identifier of a tree means. After a file is loaded, only [Cloner],
// [Bindings.Instance] and [Bindings.Rename] change them. While none of these runs, several goroutines may read
// them.
type Bindings struct {
	Main    *Function
	Globals []*Variable // in the order of their first use
	Locals  []*Variable // all others, by ID

	idents    map[*ast.IdentExpr]*Variable
	declared  map[ast.PositionHolder][]*Variable
	functions map[*ast.FunctionExpr]*Function
	visible   map[*ast.GenericForStmt]*Variable // the innermost variable that is visible before the statement
}

// Resolve binds the identifiers of a tree. It takes local f = function for a local function, as gopher-lua's compiler does; the Bindings of a
// [Chunk] know better. Its time is linear in the size of the tree, which must be within the limits of [CheckLimits].
func Resolve(stmts []ast.Stmt) *Bindings { return resolve(stmts, nil) }

// Of returns the variable that an identifier means; nil for an identifier that is neither in the tree that was
// resolved nor in a bound copy.
func (b *Bindings) Of(id *ast.IdentExpr) *Variable { return b.idents[id] }

// Variable returns the variable that an expression is; nil for an expression that is not an identifier.
func (b *Bindings) Variable(e ast.Expr) *Variable {
	if id, ok := e.(*ast.IdentExpr); ok {
		return b.idents[id]
	}
	return nil
}

// Declared returns the variables that a node declares, in order: see [Declaration].
func (b *Bindings) Declared(n ast.PositionHolder) []*Variable { return b.declared[n] }

// Function returns the function of a function expression; nil for one that is not in the tree that was resolved or
// in a bound copy.
func (b *Bindings) Function(fn *ast.FunctionExpr) *Function { return b.functions[fn] }

// Visible returns the variable that a name means just before a loop, where the name is the one in the tree; nil if
// it means a global. The time grows with the number of variables that are visible there.
func (b *Bindings) Visible(st *ast.GenericForStmt, name string) *Variable {
	for v := b.visible[st]; v != nil; v = v.before {
		if v.InTree() == name {
			return v
		}
	}
	return nil
}

// resolve is Resolve of a tree for which it is known which local functions are written as values.
func resolve(stmts []ast.Stmt, values functionValues) *Bindings {
	r := &resolver{
		b: &Bindings{
			idents: map[*ast.IdentExpr]*Variable{}, declared: map[ast.PositionHolder][]*Variable{}, functions: map[*ast.FunctionExpr]*Function{},
			visible: map[*ast.GenericForStmt]*Variable{},
		},
		locals: map[string]*Variable{}, globals: map[string]*Variable{},
	}
	visit(stmts, Visitor{Enter: r.enter, Leave: r.leave, Declare: r.declare, Ident: r.ident, Stmt: r.stmt}, values)
	return r.b
}

// A resolver keeps what each name means at the current place of the walk. visit calls its methods.
type resolver struct {
	b       *Bindings
	fn      *Function
	inner   *Variable            // the innermost visible variable
	outside []*Variable          // for each open scope: inner when the scope was entered
	locals  map[string]*Variable // by name: the innermost that is visible
	globals map[string]*Variable
}

// enter begins a scope, and a Function if the scope is one.
func (r *resolver) enter(s Scope) {
	r.outside = append(r.outside, r.inner)
	if !s.Function {
		return
	}
	r.fn = &Function{Parent: r.fn, Name: s.Name}
	if s.Node == nil {
		r.b.Main = r.fn
		return
	}
	r.fn.Node = s.Node.(*ast.FunctionExpr)
	r.b.functions[r.fn.Node] = r.fn
}

// leave ends a scope: its variables are no longer visible, and the ones that they hid are visible again.
func (r *resolver) leave(s Scope) {
	last := len(r.outside) - 1
	for r.inner != r.outside[last] {
		v := r.inner
		r.inner = v.before
		if v.shadowed == nil {
			delete(r.locals, v.Name)
		} else {
			r.locals[v.Name] = v.shadowed
		}
	}
	r.outside = r.outside[:last]
	if s.Function {
		r.fn = r.fn.Parent
	}
}

// declare makes a Variable, which is visible from now on.
func (r *resolver) declare(d Declaration) {
	v := &Variable{Declaration: d, ID: len(r.b.Locals), Function: r.fn, before: r.inner, shadowed: r.locals[d.Name]}
	r.inner, r.locals[d.Name] = v, v
	r.b.Locals = append(r.b.Locals, v)
	if d.Node != nil {
		r.b.declared[d.Node] = append(r.b.declared[d.Node], v)
	}
	switch d.Kind {
	case Parameter, Self:
		r.fn.Params = append(r.fn.Params, v)
	case Arg:
		r.fn.Vararg = true
	case Global, Local, LocalFunction, LoopVariable:
	}
}

// stmt keeps which variables are visible before a generic for, for [Bindings.Visible].
func (r *resolver) stmt(st ast.Stmt) {
	if loop, ok := st.(*ast.GenericForStmt); ok {
		r.b.visible[loop] = r.inner
	}
}

// ident binds an identifier to the visible variable of its name, or to a global.
func (r *resolver) ident(id *ast.IdentExpr, assigned bool, value ast.Expr) {
	v := r.locals[id.Value]
	if v == nil {
		v = r.global(id.Value)
	}
	r.b.idents[id] = v
	v.Uses = append(v.Uses, Use{Ident: id, In: r.fn, Assigned: assigned, Value: value})
	v.Assigned = v.Assigned || assigned
	v.Captured = v.Captured || v.Function != nil && v.Function != r.fn
}

// global returns the Variable of a global, and makes it at its first use.
func (r *resolver) global(name string) *Variable {
	v := r.globals[name]
	if v == nil {
		v = &Variable{Declaration: Declaration{Name: name}, ID: -1}
		r.globals[name] = v
		r.b.Globals = append(r.b.Globals, v)
	}
	return v
}
