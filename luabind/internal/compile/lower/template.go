package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The data of the first step: a Source comes into this package, and [Prepare] makes a Template of it. Package loops
// makes Sources and keeps Templates.

// A Source is a loop as it is written. A [Template] keeps its syntax trees and those of the functions, so they must
// not be changed.
type Source struct {
	Line      int
	Names     Names              // bindings of the file, and of the functions of other files
	Variables []*syntax.Variable // the variables of the loop: the entity and the views, or the event
	World     *syntax.Variable   // the variable that holds the world; nil if it is not known
	Events    bool               // it is a loop over events, or over cells
	Body      []ast.Stmt

	// Function returns the Lua function that a variable declared outside the loop holds whenever the Template is used;
	// nil if that is not certain. It is called once for each variable.
	Function func(v *syntax.Variable) *Function

	// Member returns the same for NAME.MEMBER, a member of the table that a variable holds; name may be a
	// [Place.Path]. It may be nil if nothing is certain.
	Member func(v *syntax.Variable, name string) *Function

	// Constant returns the Lua table that is found at a place whenever the Template is used; nil if it may change, or
	// if it is not worth knowing. If the field is nil, the Template lists what it would have asked.
	Constant func(at Place, purpose Purpose) *Constant

	// Classes returns the classes of the objects in the Lua table that is found at a place when the loop begins; nil if
	// there are none. If the field is nil, the Template lists what it would have asked.
	Classes func(at Place) []*Class
}

// Names say which variables the identifiers of a Source mean: a [*syntax.Bindings], or several.
type Names interface {
	Of(id *ast.IdentExpr) *syntax.Variable
	Variable(e ast.Expr) *syntax.Variable
	Declared(n ast.PositionHolder) []*syntax.Variable
}

// A Function is a Lua function that a loop may call. Lowering inlines it.
type Function struct {
	File   string // the file that it is in; "" for the file of the loop
	Line   int
	Params []*syntax.Variable
	Vararg bool
	Body   []ast.Stmt

	of *Function // of a copy for one call: the function with `...`
}

// A Template is a loop that can be lowered when the kinds of its inputs are known. It does not change, so it can be
// lowered any number of times.
type Template struct {
	Source
	Inputs  []Input // what the loop uses from around itself; each variable and each member once
	Returns []int   // for each return statement of the loop: the number of its values
	Asks    []Ask   // the constants that Source could not be asked for

	functions  map[member]*Function // by the variable or member that holds it; nil if that is not certain
	constants  map[Place]*Constant  // the constant tables that the body uses
	classes    map[Place][]*Class   // the classes of objects in tables
	methods    map[classMethod]*Function
	closures   map[*ast.FunctionExpr]*Function
	calls      map[*ast.FuncCallExpr][]*Function         // the functions that a call may call, where they are known
	iterators  map[*ast.GenericForStmt]*ast.FuncCallExpr // for loops over iterators that the script has written: the call of the iterator
	walks      map[*ast.GenericForStmt]walkedList        // for loops over what a function of the script returns, as ipairs(list): the list
	giving     map[*ast.ReturnStmt]bool                  // returns of a function that the body makes
	callables  map[*ast.FuncCallExpr]*Function           // calls of tables: the function that they call
	spreads    *spreads
	spread     map[callTo]*Function                    // the copy that a call enters instead of a function with `...`
	joins      map[*ast.FuncCallExpr]*Function         // stands for all functions that a call may call, where there are several: it has no body
	givenCalls map[*ast.FuncCallExpr]*ast.FuncCallExpr // by the call of a library function: the call of the function that it is given
	entered    map[*Function]bool                      // functions whose bodies were walked
	counts     map[*Function]int                       // the largest number of values that a function returns
	own        map[*syntax.Variable]bool               // variables that the loop and these functions declare; all others are inputs
	assigned   map[*syntax.Variable]bool               // variables that the loop or these functions assign
	tested     map[*syntax.Variable]bool               // variables for which the body asks whether they are nil
	cleared    map[*syntax.Variable]bool               // variables to which they assign nil, explicitly or for lack of a value
	sites      map[*ast.ReturnStmt]int                 // the number of each return of the loop
	passed     map[Place]*Reason                       // tables that are no constants because the body passes them to unknown functions
	exits      exits                                   // statements that no kernel can do whatever the types are
}

// An Input is a value declared outside the loop that is read once, when the loop begins: a variable, or a member of the
// Lua table that a variable holds (NAME.MEMBER).
type Input struct {
	Variable *syntax.Variable
	Member   string // "": it is the variable itself

	Read     bool    // the body uses it as a value
	Called   bool    // the body calls it, and Source did not know the function
	Assigned bool    // the body assigns it
	object   bool    // the body uses members or elements of it, or calls its methods
	Looked   bool    // the body reads elements of it at computed keys
	Filled   bool    // the body assigns elements of it at computed keys
	Puts     ir.Type // type of what the body assigns at computed keys, as far as the source shows it
	Named    bool    // it is the name of a component, tag, grid or the like, so its string is a part of its kind
	File     string  // of the first use: the file of Line; "" for the file of the loop
	Line     int     // of the first use
	At       int     // of the first assignment: its line
	In       string  // likewise: the file
	Spare    bool    // only a linked template of the loop uses it: see AddSpare
	Passed   bool    // a linked template of the loop may assign it
}

// Name returns the name of the variable in the source.
func (in Input) Name() string { return in.Variable.Name }

// Global reports whether the variable is global.
func (in Input) Global() bool { return in.Variable.Kind == syntax.Global }

// Text returns the input as it is written: NAME or NAME.MEMBER.
func (in Input) Text() string {
	if in.Member != "" {
		return in.Name() + "." + in.Member
	}
	return in.Name()
}

func (t *Template) isInput(v *syntax.Variable) bool {
	return slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Variable == v && in.Member == "" })
}

// readInput reports whether a variable is an input whose value at the beginning matters.
func (t *Template) readInput(v *syntax.Variable) bool {
	return slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Variable == v && in.Member == "" && in.Read })
}

// A member identifies an input: a member of the table in a variable, or the variable itself if the name is "".
type member struct {
	variable *syntax.Variable
	name     string
}

// values returns the number of values of a list of expressions. A call at its end of a function that is inlined
// gives all values of the function.
func (t *Template) values(list []ast.Expr) int {
	n := len(list)
	if n == 0 {
		return 0
	}
	if call, ok := list[n-1].(*ast.FuncCallExpr); ok && !call.AdjustRet {
		if list := t.calls[call]; len(list) > 0 {
			most := 0
			for _, f := range list {
				most = max(most, t.results(f))
			}
			return n - 1 + most
		}
		if t.isSelect(call) {
			return n - 1 + selectedValues(call, t.values(call.Args)-1)
		}
		if inner := t.protected(call); inner != nil {
			return n + t.values([]ast.Expr{inner})
		}
		if t.isPrint(call) {
			return n - 1
		}
		if call.Func == nil && call.Method == "first" {
			return n - 1 + firstValues(t.Names, call)
		}
	}
	return n
}

// Function returns the function that a variable declared outside the loop always holds; nil if the loop calls no such
// function.
func (t *Template) Function(v *syntax.Variable) *Function { return t.functions[member{v, ""}] }

// HasClasses reports whether the Template depends on the classes of the objects in the table at a place.
func (t *Template) HasClasses(at Place) bool { return len(t.classes[at]) > 0 }

// HasConstant reports whether the Template depends on the Constant at a place.
func (t *Template) HasConstant(at Place) bool { return t.constants[at] != nil }

// returnsOf lists the return statements of a function.
func (t *Template) returnsOf(f *Function) (list []*ast.ReturnStmt) {
	syntax.Search(f.Body, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			list = append(list, n)
		case *ast.FunctionExpr:
			return syntax.Past
		}
		return syntax.Deeper
	})
	return list
}

// results returns the largest number of values that a function returns.
func (t *Template) results(f *Function) int {
	if n, ok := t.counts[f]; ok {
		return n
	}
	t.counts[f] = 0 // of a function that calls itself, in an exit: no kernel uses these values
	most := 0
	for _, st := range t.returnsOf(f) {
		most = max(most, t.values(st.Exprs))
	}
	t.counts[f] = most
	return most
}

// AddSpare adds an input for a variable declared outside the loop, if there is none and there is room. Nothing in this template
// uses it.
func (t *Template) AddSpare(v *syntax.Variable, line int) {
	if len(t.Inputs) < mostInputs && !slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Variable == v && in.Member == "" }) {
		t.Inputs = append(t.Inputs, Input{Variable: v, Passed: v.Assigned, Spare: true, Line: line})
	}
}
