package lint

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// How a file uses its variables, as far as it makes doubtful what they hold; and which lines have their errors caught.

// doubts is what look finds out about a file.
type doubts struct {
	tested  map[*syntax.Variable]bool    // a condition, a call in one, or a comparison for equality asks for the variable
	typed   map[*syntax.Variable]bool    // type, assert and their kin ask what it is
	escapes map[*syntax.Variable]bool    // it is stored, returned or given to a function that may do anything with it
	keyed   map[*syntax.Variable]bool    // something is assigned to it under a computed key
	methods map[*ast.FunctionExpr]string // functions that are defined with a colon, by the name of the table
	caught  [][2]int                     // first and last lines of functions that pcall calls
	passed  [][2]int                     // of those that a function of the script gets, which may call pcall
	catcher bool                         // the file uses pcall

	metatables bool // the file may have tables with metatables
}

func (f *file) look() {
	f.doubts = doubts{
		tested: map[*syntax.Variable]bool{}, typed: map[*syntax.Variable]bool{}, escapes: map[*syntax.Variable]bool{}, keyed: map[*syntax.Variable]bool{},
		methods: map[*ast.FunctionExpr]string{},
	}
	note := func(in map[*syntax.Variable]bool, list ...ast.Expr) {
		for _, e := range list {
			if v := f.Chunk.Bindings.Variable(e); v != nil {
				in[v] = true
			}
		}
	}
	tested := func(list ...ast.Expr) {
		for _, e := range list {
			if call, ok := e.(*ast.FuncCallExpr); ok { // if set(x) then
				note(f.tested, call.Args...)
			}
		}
		note(f.tested, list...)
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.IfStmt:
				tested(st.Condition)
			case *ast.WhileStmt:
				tested(st.Condition)
			case *ast.RepeatStmt:
				tested(st.Condition)
			case *ast.AssignStmt:
				note(f.escapes, st.Rhs...)
				for _, to := range st.Lhs {
					if get, ok := to.(*ast.AttrGetExpr); ok && member(get) == "" {
						note(f.keyed, get.Object)
					}
				}
			case *ast.LocalAssignStmt:
				note(f.escapes, st.Exprs...)
			case *ast.ReturnStmt:
				note(f.escapes, st.Exprs...)
			case *ast.FuncDefStmt:
				if st.Name.Func == nil {
					f.methods[st.Func] = text(st.Name.Receiver)
				}
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.IdentExpr: // it may be called under another name
				if v := f.Chunk.Bindings.Of(e); v != nil && v.IsGlobal("setmetatable") {
					f.metatables = true
				}
			case *ast.LogicalOpExpr:
				tested(e.Lhs, e.Rhs)
				note(f.escapes, e.Lhs, e.Rhs)
			case *ast.UnaryNotOpExpr:
				tested(e.Expr)
			case *ast.RelationalOpExpr:
				if e.Operator == "==" || e.Operator == "~=" {
					note(f.tested, e.Lhs, e.Rhs)
				}
			case *ast.TableExpr:
				for _, field := range e.Fields {
					note(f.escapes, field.Value)
					if field.Key == nil { // of a list, from which anything may call it
						f.passed = append(f.passed, f.functionLines([]ast.Expr{field.Value})...)
					}
				}
			case *ast.FuncCallExpr:
				f.lookAtCall(e, note)
			}
		},
	})
}

func (f *file) lookAtCall(call *ast.FuncCallExpr, note func(map[*syntax.Variable]bool, ...ast.Expr)) {
	name := ""
	if v := f.Chunk.Bindings.Variable(call.Func); v != nil && v.Kind == syntax.Global {
		name = v.Name
	} else if get, ok := call.Func.(*ast.AttrGetExpr); ok && slices.Contains(libraries, text(get.Object)) {
		name = text(get.Object)
	} else if text(call.Receiver) == "table" {
		name = "table"
	}
	switch name {
	case "type", "assert", "tonumber", "rawequal":
		note(f.typed, call.Args...)
		note(f.tested, call.Args...)
	case "pcall", "xpcall":
		f.catcher = true
		f.caught = append(f.caught, f.functionLines(call.Args)...)
		note(f.escapes, call.Args...)
	case "table": // keeps its first argument, and does nothing else with it
		if len(call.Args) > 0 {
			note(f.escapes, call.Args[1:]...)
		}
	case "setmetatable":
		note(f.escapes, call.Args...)
	case "require":
		f.metatables = f.metatables || f.names.Of(call).Kind != alias.Module
	case "bit", "string", "math", "coroutine":
		note(f.escapes, call.Args...)
	case "ipairs", "pairs", "print", "next", "unpack", "select", "tostring":
	default:
		if !f.names.MaybeWorld(call.Receiver) || call.Receiver == nil {
			f.passed = append(f.passed, f.functionLines(call.Args)...)
		}
		note(f.escapes, call.Args...)
	}
}

// functionLines returns the first and last lines of the functions in a list of arguments.
func (f *file) functionLines(args []ast.Expr) (out [][2]int) {
	for _, arg := range args {
		if fn := f.names.Function(arg); fn != nil {
			out = append(out, [2]int{fn.Line(), fn.LastLine()})
		}
	}
	return out
}

// catches reports whether an error at a line is caught by a pcall that the source shows.
func (f *file) catches(line int) bool { return within(f.caught, line) }

// passes reports whether a line is in a function that another function of the scripts gets, which may catch its errors.
func (f *file) passes(line int) bool { return within(f.passed, line) }

func within(ranges [][2]int, line int) bool {
	return slices.ContainsFunc(ranges, func(lines [2]int) bool { return lines[0] <= line && line <= lines[1] })
}
