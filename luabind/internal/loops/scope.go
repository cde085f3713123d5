package loops

import "github.com/yuin/gopher-lua/ast"

// A variable is one local of the source. Two of the same name are two.
type variable struct {
	name  string
	value ast.Expr // what it begins with, nil if that is not known

	fn       *ast.FunctionExpr // the function it begins with, nil if that is none
	sees     *variable         // the innermost variable that function sees
	assigned bool              // somewhere in the file, its beginning apart

	before   *variable // the one that was declared before it and is visible where it is; nil: it is the first
	shadowed *variable // the one of the same name that it hides, nil if there is none
	depth    int       // how many are visible before it
}

// visible returns the variable of that name that is seen from one, itself included; nil for a global. Its time grows with what is
// visible.
func visible(from *variable, name string) *variable {
	for v := from; v != nil; v = v.before {
		if v.name == name {
			return v
		}
	}
	return nil
}

// scopes is what the names mean at the place being looked at.
type scopes struct {
	inner  *variable            // the innermost; nil: there is none
	byName map[string]*variable // by name, the innermost of it
}

// depth is how many variables are visible.
func (s *scopes) depth() int {
	if s.inner == nil {
		return 0
	}
	return s.inner.depth + 1
}

func (s *scopes) declare(name string) *variable {
	if s.byName == nil {
		s.byName = map[string]*variable{}
	}
	v := &variable{name: name, before: s.inner, shadowed: s.byName[name], depth: s.depth()}
	s.inner, s.byName[name] = v, v
	return v
}

// lookup returns the local of that name and its depth; nil for a global.
func (s *scopes) lookup(name string) (*variable, int) {
	v := s.byName[name]
	if v == nil {
		return nil, 0
	}
	return v, v.depth
}

// within runs fn in a block of its own.
func (s *scopes) within(fn func()) {
	outside := s.inner
	fn()
	for s.inner != outside {
		v := s.inner
		s.inner = v.before
		if v.shadowed == nil {
			delete(s.byName, v.name)
		} else {
			s.byName[v.name] = v.shadowed
		}
	}
}
