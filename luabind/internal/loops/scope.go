package loops

import "github.com/yuin/gopher-lua/ast"

// A variable is one local of the source. Two of the same name are two.
type variable struct {
	name  string
	view  *View    // when it is a view of the nest being looked at
	maker bool     // of local f = function … f … end, where f may mean another f
	value ast.Expr // what it begins with, nil if that is not known

	fn       *ast.FunctionExpr // the function it begins with, nil if that is none
	sees     []*variable       // what that function sees around itself
	assigned bool              // somewhere in the file, its beginning apart
}

// visible returns the variable of that name in a list of what is visible; nil for a
// global.
func visible(vars []*variable, name string) *variable {
	for i := len(vars) - 1; i >= 0; i-- {
		if vars[i].name == name {
			return vars[i]
		}
	}
	return nil
}

// scopes is what the names mean at the place being looked at.
type scopes struct{ vars []*variable }

func (s *scopes) declare(name string) *variable {
	v := &variable{name: name}
	s.vars = append(s.vars, v)
	return v
}

// lookup returns the local of that name and its depth; nil for a global.
func (s *scopes) lookup(name string) (*variable, int) {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return s.vars[i], i
		}
	}
	return nil, 0
}

// within runs fn in a block of its own.
func (s *scopes) within(fn func()) {
	n := len(s.vars)
	fn()
	s.vars = s.vars[:n]
}
