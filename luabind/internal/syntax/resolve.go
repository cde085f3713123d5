package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// A Kind says how a variable comes into being.
type Kind uint8

// The kinds of variables.
const (
	Global        Kind = iota // it is declared nowhere in the file
	Local                     // local NAME = VALUE
	LocalFunction             // local function NAME, which is visible in the function, too
	Parameter                 // of a function
	Self                      // the parameter self of a method, which the source does not write
	Arg                       // the local arg of a function with ..., which the source does not write
	LoopVariable              // of a for
)

// String returns a word for messages of tests.
func (k Kind) String() string {
	return [...]string{"global", "local", "local function", "parameter", "self", "arg", "loop variable"}[k]
}

// A Declaration is the place where a variable comes into being.
type Declaration struct {
	Name string
	Kind Kind

	// Node declares it: an *ast.LocalAssignStmt, *ast.NumberForStmt or *ast.GenericForStmt, or the *ast.FunctionExpr of a parameter, of self or
	// of arg; nil for a global, and for the arg of the file. Index is the place of the name in the list of names of Node, from 0.
	Node  ast.PositionHolder
	Index int

	// Value is what it begins with: of local a, b = 1, f() 1 for a, and nil for b and whatever else the source does not show. Of a local
	// without any value it is an *ast.NilExpr.
	Value ast.Expr
}

// Line returns the line of the declaration, 0 of a global.
func (d *Declaration) Line() int {
	if d.Node == nil {
		return 0
	}
	return d.Node.Line()
}

// A Variable is one variable of a file. All activations of a function share it: it stands for the variable of the source.
type Variable struct {
	Declaration

	// ID counts the declarations of the file from 0. A variable that is visible in a loop, and has an ID that is not less than that of the first
	// variable of the loop, is declared in it. Globals have -1.
	ID int

	Function *Function // that declares it; nil: it is global
	Uses     []Use     // in the order of the source, without the declaration
	Assigned bool      // something is assigned to it after its declaration
	Captured bool      // a function within Function uses it

	before   *Variable // the variable that was declared before it and is visible where it is
	shadowed *Variable // the variable of the same name that it hides
	renamed  string    // see Bindings.Rename
}

// A Use is an identifier that is bound to a variable.
type Use struct {
	Ident    *ast.IdentExpr
	In       *Function
	Assigned bool     // something is assigned to it here; otherwise it is read
	Value    ast.Expr // what is assigned, nil where the source does not show it
}

// IsGlobal reports whether a variable is the global of that name.
func (v *Variable) IsGlobal(name string) bool { return v.Kind == Global && v.Name == name }

// InTree returns the name that the identifiers of a variable have in the tree: its Name, unless it was renamed.
func (v *Variable) InTree() string {
	if v.renamed != "" {
		return v.renamed
	}
	return v.Name
}

// Functions lists the functions that use a variable, in the order of their first use.
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
	Node   *ast.FunctionExpr // nil: the file
	Parent *Function         // the function around it, nil of the file
	Name   string            // what the source calls it where it is made, "" if nothing
	Vararg bool
	Params []*Variable // in order, with self, without arg
}

// Bindings say what the identifiers of a tree are bound to. They are not changed after a file is loaded, except by [Cloner] and
// [Bindings.Rename], and may then be read by several goroutines.
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

// Of returns the variable that an identifier is bound to; nil for one that is not in the tree that was resolved, or a copy of it.
func (b *Bindings) Of(id *ast.IdentExpr) *Variable { return b.idents[id] }

// Variable returns the variable that an expression is; nil for an expression that is no identifier.
func (b *Bindings) Variable(e ast.Expr) *Variable {
	if id, ok := e.(*ast.IdentExpr); ok {
		return b.idents[id]
	}
	return nil
}

// Declared returns the variables that a node declares, in order: see [Declaration].
func (b *Bindings) Declared(n ast.PositionHolder) []*Variable { return b.declared[n] }

// Function returns the function of an expression; nil for one that is not in the tree that was resolved.
func (b *Bindings) Function(fn *ast.FunctionExpr) *Function { return b.functions[fn] }

// Visible returns the variable that a name in the tree means just before a loop, nil if that is a global. Its time grows with the number of
// variables that are visible there.
func (b *Bindings) Visible(st *ast.GenericForStmt, name string) *Variable {
	for v := b.visible[st]; v != nil; v = v.before {
		if v.InTree() == name {
			return v
		}
	}
	return nil
}

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

// resolver keeps what names mean while a tree is walked.
type resolver struct {
	b       *Bindings
	fn      *Function
	inner   *Variable            // the innermost that is visible
	outside []*Variable          // by open scope: what inner was when it was entered
	locals  map[string]*Variable // by name: the innermost that is visible
	globals map[string]*Variable
}

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

func (r *resolver) stmt(st ast.Stmt) {
	if loop, ok := st.(*ast.GenericForStmt); ok {
		r.b.visible[loop] = r.inner
	}
}

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

func (r *resolver) global(name string) *Variable {
	v := r.globals[name]
	if v == nil {
		v = &Variable{Declaration: Declaration{Name: name}, ID: -1}
		r.globals[name] = v
		r.b.Globals = append(r.b.Globals, v)
	}
	return v
}
