package lint

import (
	"github.com/ecsrun/ecsrun/luabind/internal/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// How a file uses its variables, as far as it makes doubtful what they hold; and which lines have their errors caught.

// doubts is what look finds out about a file.
type doubts struct {
	tested  map[*syntax.Variable]bool    // a condition, or a comparison for equality, asks for the variable
	typed   map[*syntax.Variable]bool    // type, assert and their kin ask what it is
	escapes map[*syntax.Variable]bool    // it is stored, returned or given to a function that may do anything with it
	keyed   map[*syntax.Variable]bool    // something is assigned to it under a computed key
	methods map[*ast.FunctionExpr]string // functions that are defined with a colon, by the name of the table
	caught  [][2]int                     // first and last lines of functions that pcall calls

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
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.IfStmt:
				note(f.tested, st.Condition)
			case *ast.WhileStmt:
				note(f.tested, st.Condition)
			case *ast.RepeatStmt:
				note(f.tested, st.Condition)
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
			case *ast.LogicalOpExpr:
				note(f.tested, e.Lhs, e.Rhs)
				note(f.escapes, e.Lhs, e.Rhs)
			case *ast.UnaryNotOpExpr:
				note(f.tested, e.Expr)
			case *ast.RelationalOpExpr:
				if e.Operator == "==" || e.Operator == "~=" {
					note(f.tested, e.Lhs, e.Rhs)
				}
			case *ast.TableExpr:
				for _, field := range e.Fields {
					note(f.escapes, field.Value)
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
	} else if get, ok := call.Func.(*ast.AttrGetExpr); ok && text(get.Object) == "table" {
		name = "table"
	} else if text(call.Receiver) == "table" {
		name = "table"
	}
	switch name {
	case "type", "assert", "tonumber", "rawequal":
		note(f.typed, call.Args...)
		note(f.tested, call.Args...)
	case "pcall", "xpcall":
		if len(call.Args) > 0 {
			if fn := f.names.Function(call.Args[0]); fn != nil {
				f.caught = append(f.caught, [2]int{fn.Line(), fn.LastLine()})
			}
		}
		note(f.escapes, call.Args...)
	case "table": // keeps its first argument, and does nothing else with it
		if len(call.Args) > 0 {
			note(f.escapes, call.Args[1:]...)
		}
	case "setmetatable":
		f.metatables = true
		note(f.escapes, call.Args...)
	case "require":
		f.metatables = f.metatables || f.names.Of(call).Kind != alias.Module
	case "ipairs", "pairs", "print", "next", "unpack", "select", "tostring":
	default:
		note(f.escapes, call.Args...)
	}
}

// catches reports whether an error at a line is caught.
func (f *file) catches(line int) bool {
	for _, lines := range f.caught {
		if lines[0] <= line && line <= lines[1] {
			return true
		}
	}
	return false
}
