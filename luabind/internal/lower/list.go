package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Lists at the keys of a table from around the loop, to which the body adds at the end, as in
//
//	local g = groups[k]
//	if not g then g = {} groups[k] = g end
//	g[#g + 1] = e
//
// The list is looked up as any table at a key (keyed.go), and may be made there (record.go). Kernels know its length, which is a member
// without a name (ir.ListLength). What is added is an effect (ir.ListAppend). A body that adds to lists cannot read
// their elements; joined.go has those that only read.

// lengthMember returns the index of the length in Keyed.Members of the table in which a list was looked up. Lists that the body makes
// further up have to begin with a length, so Lower begins again when the first length is asked for.
func (c *lowerer) lengthMember(list *symbol) int {
	if !c.hints.lists[list.input] {
		c.hints.lists[list.input] = true
		panic(retry{})
	}
	t := &c.p.Keyed[list.i]
	i := t.LengthMember()
	if i < 0 {
		i = len(t.Members)
		t.Members = append(t.Members, ir.Member{Kind: ir.ListLength})
	}
	return i
}

// listLength returns the length of a list that was looked up.
func (c *lowerer) listLength(list *symbol, at ast.PositionHolder) *ir.Expr {
	if list.made != nil {
		refuseWith(at, makeBefore, "takes the length of a table made for %q before it is stored there", c.t.Inputs[list.input].Text())
	}
	if list.there != nil && !list.orEmpty && !c.hasValue[list] && list.there.Op != ir.Const {
		c.guard(list.there)
	}
	return c.ofList(list, c.lengthMember(list))
}

// keyKept returns a list that was looked up with its key in a register: the key is evaluated once, whatever is asked of the list.
func (c *lowerer) keyKept(list *symbol) *symbol {
	kept := *list
	if kept.x = c.keep(list.x); c.hasValue[list] {
		c.hasValue[&kept] = true
	}
	return &kept
}

// mustBeKeyed makes Lower begin again with lookups in a list of tables, if the body uses the length of one of them.
func (c *lowerer) mustBeKeyed(s *symbol) {
	if s.kind != elementSymbol {
		return
	}
	if input := c.p.Tables[s.i].Input; !c.hints.mapped[input] {
		c.hints.mapped[input] = true
		panic(retry{})
	}
}

// listTarget lowers LIST[#LIST + 1] on the left side of an assignment, for a list that was looked up. It returns the list and the key, which
// may be a local with that value, or one more than a local with the length.
func (c *lowerer) listTarget(object *symbol, at *ast.AttrGetExpr) (target *symbol, key *ir.Expr) {
	list := c.keyKept(object)
	c.lengthMember(list)
	return list, c.keep(c.expr(at.Key))
}

// endOf reports whether the source shows an expression to be the length of a list, or one more (ends), at the place where that is evaluated.
func (t *Template) endOf(e ast.Expr) (more int, ok bool) {
	switch e := e.(type) {
	case *ast.UnaryLenOpExpr:
		return 0, true
	case *ast.ArithmeticOpExpr:
		one, isNumber := e.Rhs.(*ast.NumberExpr)
		more, ok = t.endOf(e.Lhs)
		return 1, ok && more == 0 && isNumber && e.Operator == "+" && one.Value == "1"
	case *ast.IdentExpr:
		more, ok = t.ends[t.Names.Of(e)]
		return more, ok
	}
	return 0, false
}

// increased returns one more than a number.
func increased(x *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.Add, A: x, B: &ir.Expr{Op: ir.Const, N: 1}}
}

// appendAt emits LIST[KEY] = VALUE for a target of listTarget. A row in which the list has become longer is left to the interpreter.
func (c *lowerer) appendAt(t *target, s *symbol) {
	c.guard(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: t.end, B: increased(c.listLength(t.list, t.at))})
	c.append(t.list, s, t.at, false)
}

// append emits the adding of a value to a list that was looked up. prepaid says that its constructor has paid for it.
func (c *lowerer) append(list, s *symbol, at ast.PositionHolder, prepaid bool) {
	c.storesValue(s, at)
	item, values := c.item(s, at)
	length := c.listLength(list, at)
	k := &c.p.Keyed[list.i]
	k.Stored, k.Members[length.Member].Stored = true, true
	c.roomIn(length)
	e := &ir.Effect{Index: len(c.p.Effects), Op: ir.ListAppend, File: c.file, Line: at.Line(), Keyed: list.i, Key: k.Key, Value: item, Prepaid: prepaid}
	c.p.Effects = append(c.p.Effects, e)
	c.emit(&ir.Stmt{Op: ir.Emit, I: -1, Effect: e, Args: slices.Concat([]*ir.Expr{list.x}, values)})
	c.emit(&ir.Stmt{Op: ir.PutKey, I: list.i, Member: length.Member, A: list.x, B: increased(length)})
}

// appendRow emits table.insert(LIST, VALUE) for a list that was looked up.
func (c *lowerer) appendRow(list *symbol, e *ast.FuncCallExpr) {
	list = c.keyKept(list)
	value := c.settled(c.operand(e.Args[1]), e.Args[1])
	if value.kind != nilSymbol {
		c.append(list, value, e, false)
		return
	}
	c.roomIn(c.listLength(list, e))
}

// listsFit refuses a body that adds to lists at keys, if each row also does what no machine code can do. Closures would copy the lists, and
// an open template uses them where they are.
func (c *lowerer) listsFit() {
	for _, k := range c.p.Keyed {
		i := k.LengthMember()
		if i < 0 || !k.Members[i].Stored {
			continue
		}
		if work := openWork(c.p); work != nil {
			of := c.t.Inputs[k.Input]
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: fmt.Sprintf("the lists in %q get elements, and each row %s", of.Text(), workText(work)), Advice: SplitLoop})
		}
	}
}

// openStmts and openExprs are the operations on tables and values of any kind, for which there is no machine code.
var (
	openStmts = []ir.StmtOp{ir.Invoke, ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Sort, ir.Items, ir.Entries, ir.Recurse, ir.Again}
	openExprs = []ir.Op{ir.Item, ir.As, ir.Wrap, ir.Box, ir.Truth, ir.Length, ir.Join, ir.Shown}
)

// openWork returns the first statement, not within another one, in which each row does such an operation; nil if there is none.
func openWork(p *ir.Program) *ir.Stmt {
	results := ir.TextResultsOf(p)
	var is func(x *ir.Expr) bool
	is = func(x *ir.Expr) bool {
		chooses := x != nil && (x.Op == ir.Select || x.Op == ir.And || x.Op == ir.Or)
		return x != nil && !results.Makes(x) && (slices.Contains(openExprs, x.Op) || is(x.A) || !chooses && (is(x.B) || is(x.C)))
	}
	i := slices.IndexFunc(p.Body, func(s *ir.Stmt) bool {
		if results.Calls(s) {
			return false
		}
		return slices.Contains(openStmts, s.Op) || is(s.A) || is(s.B) || is(s.C) || slices.ContainsFunc(s.Args, is)
	})
	if i < 0 {
		return nil
	}
	return p.Body[i]
}

// workText says that rows do what openWork has found, and where if that is known.
func workText(s *ir.Stmt) string {
	const text = "does what only closures can do"
	switch {
	case s.Line == 0:
		return text
	case s.File == "":
		return fmt.Sprintf("%s (line %d)", text, s.Line)
	}
	return fmt.Sprintf("%s (%s:%d)", text, s.File, s.Line)
}
