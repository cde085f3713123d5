package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Tables that the body makes. No kernel makes a Lua table while it runs: a constructor becomes a list of values,
// which go into registers, or into the arguments of an effect.

// A made is a table constructor, with its values in the order of the source.
type made struct {
	kept  bool // a local holds the table: each value has a register, and the table itself is not needed
	items []*symbol
	named []madeEntry
}

// A madeEntry is NAME = VALUE in a constructor.
type madeEntry struct {
	name  string
	value *symbol
}

// constructor lowers a table constructor. As in Lua, a name whose value is nil is left out.
func (c *lowerer) constructor(t *ast.TableExpr) *symbol {
	last := c.lastItems(t)
	c.allocates(c.constructorBytes(t, last), t)
	m := &made{}
	if from := slices.IndexFunc(t.Fields, isComputed); from >= 0 {
		return plain(c.makeKeyed(t, from))
	}
	for i, f := range t.Fields {
		if call, ok := f.Value.(*ast.FuncCallExpr); ok && f.Key == nil && i == len(t.Fields)-1 && last != 1 {
			c.pay()
			values := c.call(call, last)
			if len(values) != last {
				refuseWith(call, makeBefore, "makes a table of all values of a call")
			}
			for _, s := range values {
				m.items = append(m.items, c.listed(s, call))
			}
			continue
		}
		if f.Key == nil {
			m.items = append(m.items, c.listed(c.operand(f.Value), f.Value))
			continue
		}
		c.namedEntry(m, t, f)
	}
	return &symbol{kind: madeSymbol, made: m}
}

// namedEntry adds NAME = VALUE of a constructor to a table.
func (c *lowerer) namedEntry(m *made, t *ast.TableExpr, f *ast.Field) {
	s, key := c.namedPart(c.operand(f.Value), f.Value), f.Key.(*ast.StringExpr)
	if slices.ContainsFunc(m.named, func(e madeEntry) bool { return e.name == key.Value }) {
		refuse(t, "gives %q twice", key.Value)
	}
	if s.kind != nilSymbol {
		m.named = append(m.named, madeEntry{key.Value, s})
	}
}

// isComputed reports whether a field of a constructor is [KEY] = VALUE, where KEY is no string in the source.
func isComputed(f *ast.Field) bool {
	_, name := f.Key.(*ast.StringExpr)
	return f.Key != nil && !name
}

// makeKeyed lowers a constructor with computed keys, and returns its table. from is the first field with one: that and the fields
// after it are assigned one by one, and list items after them, as in Lua. Their memory counts as that of the constructor.
func (c *lowerer) makeKeyed(t *ast.TableExpr, from int) *ir.Expr {
	if len(t.Fields) > sandbox.ItemsAtOnce || c.lastItems(t) != 1 {
		refuseWith(t, makeBefore, "makes a table with a key that is no name, and all values of a call or many items")
	}
	m, items := &made{}, []*ir.Expr(nil)
	for _, f := range t.Fields[:from] {
		if f.Key == nil {
			items = append(items, c.keep(c.anyOf(c.operand(f.Value), f.Value)))
			continue
		}
		c.namedEntry(m, t, f)
	}
	table := c.make(m, t)
	for _, f := range t.Fields[from:] {
		if f.Key == nil {
			items = append(items, c.keep(c.anyOf(c.operand(f.Value), f.Value)))
			continue
		}
		var x *ir.Expr
		key := c.anyKey(f.Key)
		c.after(func() { x = c.anyOf(c.operand(f.Value), f.Value) }, &key)
		c.emit(&ir.Stmt{Op: ir.PutItem, A: table, B: key, C: x})
	}
	for i, x := range items {
		key := wrapped(&ir.Expr{Op: ir.Const, Type: ir.Number, N: float64(i + 1)})
		c.emit(&ir.Stmt{Op: ir.PutItem, A: table, B: key, C: x})
	}
	return table
}

// part returns a value that a constructor puts into its table.
func (c *lowerer) part(s *symbol, at ast.Expr) *symbol {
	switch s = c.settled(s, at); s.kind {
	case nilSymbol, madeSymbol, worldSymbol, commandsSymbol, resourcesSymbol, layersSymbol, statesSymbol, layerSymbol:
		return s
	case viewSymbol:
		return c.viewIn(s, at)
	default:
		return plain(c.keep(c.value(s, at)))
	}
}

// namedPart is part for a value with a name. It may be nil: then the table does not have the name.
func (c *lowerer) namedPart(s *symbol, at ast.Expr) *symbol {
	s = c.settled(s, at)
	if o := c.optional(s); isOptional(o) {
		x := c.keep(o.x)
		return &symbol{kind: valueSymbol, x: x, has: c.keep(o.has)}
	}
	return c.part(s, at)
}

// listed is part for an item of the list. A row in which it is nil is left to the interpreter.
func (c *lowerer) listed(s *symbol, at ast.Expr) *symbol {
	if s = c.part(s, at); s.kind == nilSymbol {
		refuseWith(at, makeBefore, "makes a table with nil in its list")
	}
	return s
}

// lastItems returns how many values a constructor puts into its table for its last field.
func (c *lowerer) lastItems(t *ast.TableExpr) int {
	n := len(t.Fields)
	if n == 0 || t.Fields[n-1].Key != nil {
		return 1
	}
	last := []ast.Expr{t.Fields[n-1].Value}
	values, known := c.t.exactly(last)
	if !known && c.t.values(last) != 1 {
		refuseWith(last[0], makeBefore, "makes a table of all values of a call")
	} else if !known {
		return 1
	}
	return values
}

// constructorBytes returns the price of a table constructor whose last field gives so many values.
func (c *lowerer) constructorBytes(t *ast.TableExpr, last int) int64 {
	if bytes, ok := c.t.spreads.prices[t]; ok {
		return bytes
	}
	return sandbox.OpenConstructorBytes(t, last)
}

// allocates emits that the interpreter would allocate so many bytes here.
func (c *lowerer) allocates(bytes int64, at ast.PositionHolder) {
	e := &ir.Effect{Index: len(c.p.Effects), Op: ir.Made, File: c.file, Line: at.Line(), Bytes: bytes}
	c.p.Effects = append(c.p.Effects, e)
	c.p.Exact = true
	c.emit(&ir.Stmt{Op: ir.Emit, I: -1, Effect: e})
}

// viewIn returns a view as a value of a table that the body makes: another name for the view. It stays the view of the
// same entity if the variable that held it is assigned later.
func (c *lowerer) viewIn(s *symbol, at ast.PositionHolder) *symbol {
	if s.owned && s.variable != nil && c.t.assigned[s.variable] {
		if s.entity == nil {
			refuseWith(at, useFields, "uses the view %q as a value", s.name)
		}
		s = c.look(s.component, s.entity)
	}
	alias := *s
	alias.owned = false
	return &alias
}

// keepMade gives each value of a table that a local holds a register of its own. The body may use its entries only
// by name, or by a constant index in its list.
func (c *lowerer) keepMade(m *made) {
	m.kept = true
	entry := func(s *symbol) *symbol {
		switch s.kind {
		case madeSymbol:
			c.keepMade(s.made)
			return s
		case viewSymbol, worldSymbol, commandsSymbol, resourcesSymbol, layersSymbol, statesSymbol, layerSymbol:
			return s
		case registerSymbol: // of a table that another local, such as a parameter, holds already
			return s
		}
		reg, mark := c.register(s.x.Type), -1
		if c.set(reg, -1, s.x); s.has != nil {
			mark = c.register(ir.Bool)
			c.set(mark, -1, s.has)
		}
		return &symbol{kind: registerSymbol, typ: s.x.Type, i: reg, mark: mark, input: -1}
	}
	for i, s := range m.items {
		m.items[i] = entry(s)
	}
	for i := range m.named {
		m.named[i].value = entry(m.named[i].value)
		m.named[i].value.name = m.named[i].name
	}
}

// entry returns the symbol of TABLE.NAME or TABLE[INDEX], for a table that a local holds; nil if it has no such
// entry, as far as that is known here.
func (c *lowerer) entry(m *made, e *ast.AttrGetExpr) *symbol {
	if key := keyOf(e); key != "" {
		for _, x := range m.named {
			if x.name == key {
				return x.value
			}
		}
		return nil
	}
	if n, ok := e.Key.(*ast.NumberExpr); ok {
		if i, ok := syntax.ParseNumber(n.Value); ok && i >= 1 && i <= float64(len(m.items)) && i == float64(int(i)) {
			return m.items[int(i)-1]
		}
	}
	return nil
}
