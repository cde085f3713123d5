package lower

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Tables that the body makes. None is made while the body runs: what stands in the constructor is kept, each value by itself.

// A made is a table constructor. Its values are evaluated, in the order of the source.
type made struct {
	items []*symbol
	named []madeEntry
}

// A madeEntry is NAME = VALUE in a constructor.
type madeEntry struct {
	name  string
	value *symbol
}

// constructor lowers a table constructor. A name whose value is nil is left out, as Lua does.
func (c *lowerer) constructor(t *ast.TableExpr) *symbol {
	m := &made{}
	for i, f := range t.Fields {
		if call, ok := f.Value.(*ast.FuncCallExpr); ok && f.Key == nil && i == len(t.Fields)-1 && !call.AdjustRet && c.t.values([]ast.Expr{call}) != 1 {
			refuseWith(f.Value, makeBefore, "makes a table of all values of a call")
		}
		s := c.settled(c.operand(f.Value), f.Value)
		switch s.kind {
		case nilSymbol, madeSymbol:
		default:
			s = plain(c.keep(c.value(s, f.Value)))
		}
		if f.Key == nil {
			if s.kind == nilSymbol {
				refuseWith(f.Value, makeBefore, "makes a table with nil in its list")
			}
			m.items = append(m.items, s)
			continue
		}
		key, ok := f.Key.(*ast.StringExpr)
		if !ok {
			refuseWith(t, keysAsNames, "makes a table with a key that is no name")
		}
		if slices.ContainsFunc(m.named, func(e madeEntry) bool { return e.name == key.Value }) {
			refuse(t, "gives %q twice", key.Value)
		}
		if s.kind != nilSymbol {
			m.named = append(m.named, madeEntry{key.Value, s})
		}
	}
	return &symbol{kind: madeSymbol, made: m}
}
