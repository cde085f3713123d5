package syntax

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// Renaming of hidden variables. gopher-lua's compiler looks names up by itself, so code that is added to a tree can
// only reach a variable that is visible there under its name. A variable that another one hides is renamed first.
// Its new name is the old one, a zero byte, which no name in a source can have, and a number.

// Rename gives a variable a name that no other variable has, in its declaration and in all its uses in the tree
// that was resolved. Copies keep the name of the source. It returns false, and does nothing, for a global, and for
// self and arg, which gopher-lua declares by itself.
func (b *Bindings) Rename(v *Variable) bool {
	name := fmt.Sprintf("%s\x00%d", v.Name, v.ID)
	switch v.Kind {
	case Local, LocalFunction, LoopVariable, Parameter:
	case Global, Self, Arg:
		return false
	default:
		panic("syntax: a variable of unknown kind")
	}
	switch n := v.Node.(type) {
	case *ast.LocalAssignStmt:
		n.Names[v.Index] = name
	case *ast.NumberForStmt:
		n.Name = name
	case *ast.GenericForStmt:
		n.Names[v.Index] = name
	case *ast.FunctionExpr:
		n.ParList.Names[v.Index] = name
	default:
		panic(fmt.Sprintf("syntax: a %T declares a variable", n))
	}
	for _, u := range v.Uses {
		u.Ident.Value = name
	}
	v.renamed = name
	return true
}

// SourceName returns the name that a variable has in the source, given the name that it has in a tree. It undoes
// [Bindings.Rename].
func SourceName(name string) string {
	if i := strings.IndexByte(name, 0); i > 0 {
		return name[:i]
	}
	return name
}
