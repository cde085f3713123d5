package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The second step of lowering, begun here: Template.Lower walks the body of a loop and emits
// statements of the Program. This file has the lowerer, its registers and symbols, and blocks.
// Other files have the constructs: nesting.go inner statements, assign.go assignments, expr.go and
// access.go expressions, call.go, method.go and payload.go calls, inline.go functions of the script.

// A larger body is not lowered. These limits bound how long a back end works on a Program.
const (
	mostStatements = 1000   // of the body, with the functions it calls
	mostConstructs = 15_000 // likewise, operands included
)

// Lower makes the Program of a loop for inputs of these kinds, in the order of t.Inputs. It returns
// a reason instead when no kernel can run the loop with them. It may be called several times,
// for other kinds and contexts; each call makes a new Program.
func (t *Template) Lower(kinds []Kind, context Context) (*ir.Program, *Reason) {
	h := &hints{map[*syntax.Variable]bool{}, map[*syntax.Variable]ecs.ComponentID{}, map[slot]resultHint{}}
	var assumed map[int]tableUse
	left := maps.Clone(t.exits)
	for {
		p, seen, at, reason, again := t.attempt(kinds, context, assumed, left, h)
		if again || reason != nil && left.add(at, reason) {
			continue
		}
		if reason != nil || maps.Equal(seen, assumed) {
			return p, reason
		}
		assumed = seen // which can only grow
	}
}

// lower is Lower for a body that uses tables as it is assumed, with some hints, and of which some statements are left to the interpreter. It returns how the body uses
// tables, and the statement that may be left in place of giving up.
func (t *Template) lower(kinds []Kind, context Context, assumed map[int]tableUse, left exits, h *hints) (p *ir.Program, seen map[int]tableUse, at ast.Stmt, reason *Reason) {
	c := &lowerer{
		t: t, exits: left, kinds: kinds, context: context, hints: h, assumed: assumed, seen: maps.Clone(assumed), p: &ir.Program{Views: len(t.Variables) - 1, Inputs: make([]ir.Place, len(kinds)), Origins: make([]ir.Origin, len(kinds))},
		fixed: map[register]bool{}, symbols: map[*syntax.Variable]*symbol{}, members: map[member]*symbol{}, hasValue: map[*symbol]bool{}, entities: map[int]bool{},
	}
	defer func() { at = c.exit }()
	defer caught(&reason)
	if c.seen == nil {
		c.seen = map[int]tableUse{}
	}
	for i, in := range t.Inputs {
		c.p.Origins[i].Input = i
		s := &symbol{kind: inputSymbol, i: i}
		if in.Member == "" {
			c.declare(in.Variable, s)
		} else {
			c.members[member{in.Variable, in.Member}] = s
		}
	}
	if len(t.Variables)-1 > ir.MaxViews {
		panic(&Reason{Line: t.Line, Text: "the loop has too many views", Advice: SplitLoop})
	}
	if t.Events {
		c.events()
	} else {
		c.declare(t.Variables[0], &symbol{kind: valueSymbol, x: &ir.Expr{Op: ir.Entity}})
		for i, v := range t.Variables[1:] {
			c.declare(v, c.term(i))
		}
	}
	c.p.Body = c.block(t.Body, nil)
	c.p.Price = 1 + c.price
	c.flipped()
	c.unambiguous()
	c.always(c.p.Body)
	if len(c.p.Stores) > ir.MaxStores || c.p.Views+len(c.p.Refs) > ir.MaxViews {
		panic(&Reason{Line: t.Line, Text: "the body has too many variables, views or fields"})
	}
	if err := c.p.Verify(); err != nil {
		panic(&Reason{Line: t.Line, Text: "the loop is lowered to a wrong program, which is a fault of ecsrun: " + err.Error()})
	}
	return c.p, c.seen, nil, nil
}

// term returns the symbol of the i-th variable after the entity: view i, or nil when the query has no such term.
func (c *lowerer) term(i int) *symbol {
	s := &symbol{kind: nilSymbol}
	if terms := c.context.Query.Terms(); i < len(terms) {
		s = c.view(i, terms[i])
		s.nilable, s.entity = i >= c.context.Query.Required(), &ir.Expr{Op: ir.Entity}
		if s.nilable {
			c.p.Optional |= 1 << i
		}
		c.p.Components = append(c.p.Components, s.component)
	}
	return s
}

// A lowerer lowers one body. Its methods panic with a [Reason] where they refuse something.
type lowerer struct {
	t       *Template
	p       *ir.Program
	kinds   []Kind
	context Context

	symbols  map[*syntax.Variable]*symbol // what a variable stands for; in a function that is called several times: in the current call
	members  map[member]*symbol           // the same for members of the Lua tables that inputs hold
	labels   []label                      // those that a goto can reach from here, innermost last
	out      []*ir.Stmt                   // the statements of the current block so far
	price    int64                        // of the current row or iteration so far
	size     int                          // number of statements so far; those of a function count for each call of it
	made     int                          // number of constructs so far, counted in the same way
	at       ast.PositionHolder           // the current statement
	file     string                       // that it is in, "" for that of the loop
	jumps    int                          // number of labels so far
	fixed    map[register]bool            // registers that are set once, before anything reads them
	hasValue map[*symbol]bool             // variables that were declared without a value, and surely have one here

	entities map[int]bool // number registers that only hold entities
	hints    *hints

	assumed map[int]tableUse // by input: how the body uses the elements of tables; see use
	seen    map[int]tableUse // likewise: what was seen so far

	flips []ecs.TagID // tags that the body sets or removes
	tests []ecs.TagID // tags that inner queries ask for

	fn *inlined // the inlined function that is being lowered, nil in the loop itself

	exits exits // statements that are left to the interpreter
	position
}

// A register of the Program.
type register struct {
	ir.Type
	reg int
}

// A label is a goto label at the end of a block, and the number of its ir.Block.
type label struct {
	name string
	id   int
}

// declare makes a variable stand for a symbol.
func (c *lowerer) declare(v *syntax.Variable, s *symbol) *symbol {
	s.name, s.variable = v.Name, v
	c.symbols[v] = s
	return s
}

// lookup returns what an identifier stands for. Prepare has listed all variables that a loop uses, so an identifier
// that stands for nothing is refused here only to be safe.
func (c *lowerer) lookup(id *ast.IdentExpr) *symbol {
	s := c.symbols[c.t.Names.Of(id)]
	if s == nil {
		refuseWith(id, AdviceOnGlobal(id.Value), "uses the global %q", id.Value)
	}
	return s
}

// register returns a new register.
func (c *lowerer) register(t ir.Type) int {
	n := &c.p.Numbers
	switch t {
	case ir.Bool:
		n = &c.p.Bools
	case ir.Text:
		n = &c.p.Texts
	case ir.Number:
	}
	if *n == ir.MaxRegisters {
		panic(&Reason{whole: true, Line: c.t.Line, Text: "the body has too many variables, views or fields"})
	}
	*n++
	return *n - 1
}

// emit appends a statement to the current block.
func (c *lowerer) emit(s *ir.Stmt) { c.out = append(c.out, s) }

// set emits an ir.Set.
func (c *lowerer) set(reg, mark int, x *ir.Expr) {
	c.emit(&ir.Stmt{Op: ir.Set, I: reg, Mark: mark, A: x})
}

// departs adds an ir.Departure.
func (c *lowerer) departs(at ast.PositionHolder, format string, args ...any) {
	c.departure(ir.Departure{File: c.file, Line: at.Line(), Text: fmt.Sprintf(format, args...)})
}

func (c *lowerer) departure(d ir.Departure) {
	if !slices.Contains(c.p.Leaves, d) {
		c.p.Leaves = append(c.p.Leaves, d)
	}
}

// collect returns the statements that fn emits.
func (c *lowerer) collect(fn func()) []*ir.Stmt {
	saved := c.out
	c.out = nil
	fn()
	out := c.out
	c.out = saved
	return out
}

// within calls fn, and then forgets the labels of the block that fn lowered.
func (c *lowerer) within(fn func()) {
	n := len(c.labels)
	fn()
	c.labels = c.labels[:n]
}

// block lowers the statements of a block, after before. Labels may only be at its end.
func (c *lowerer) block(stmts []ast.Stmt, before func()) []*ir.Stmt {
	return c.collect(func() {
		c.within(func() {
			if before != nil {
				before()
			}
			c.stmts(stmts)
		})
	})
}

// stmts lowers statements. Labels at their end become an ir.Block around them.
func (c *lowerer) stmts(stmts []ast.Stmt) {
	n := len(stmts)
	id := 0
	for n > 0 {
		l, ok := stmts[n-1].(*ast.LabelStmt)
		if !ok {
			break
		}
		if id == 0 {
			c.jumps++
			id = c.jumps
		}
		c.labels = append(c.labels, label{l.Name, id})
		n--
	}
	run := func() {
		before := c.position
		for _, st := range stmts[:n] {
			c.stmt(st)
			if c.exits[st] != nil {
				break // nothing comes behind it
			}
			c.pass(st)
		}
		c.position = before
	}
	if id == 0 {
		run()
		return
	}
	c.emit(&ir.Stmt{Op: ir.Block, I: id, Body: c.collect(run)})
}

// pay counts a construct: for the price of the current row or iteration, and for the limit of the whole
// body. Functions that call each other several times can multiply to any size.
func (c *lowerer) pay() {
	c.price++
	if c.made++; c.made > mostConstructs {
		refuseWith(c.at, SplitLoop, tooLarge)
	}
}

const tooLarge = "the body is too large, with the functions that become a part of it"

func (c *lowerer) stmt(st ast.Stmt) {
	c.at = st
	c.pay()
	if c.size++; c.size > mostStatements {
		refuseWith(st, SplitLoop, tooLarge)
	}
	if why := c.exits[st]; why != nil {
		c.leaves(why)
		return
	}
	before := c.enter(st)
	c.construct(st)
	c.position = before
}

func (c *lowerer) construct(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		c.locals(st)
	case *ast.AssignStmt:
		c.assign(st)
	case *ast.FuncCallStmt:
		c.statement(st.Expr.(*ast.FuncCallExpr))
	case *ast.DoBlockStmt:
		c.emit(&ir.Stmt{Op: ir.Block, Body: c.block(st.Stmts, nil)})
	case *ast.IfStmt:
		c.branch(st)
	case *ast.WhileStmt:
		c.while(st)
	case *ast.RepeatStmt:
		c.repeat(st)
	case *ast.NumberForStmt:
		c.count(st)
	case *ast.GenericForStmt:
		c.generic(st)
	case *ast.BreakStmt:
		c.emit(&ir.Stmt{Op: ir.Break})
	case *ast.ReturnStmt:
		c.returns(st)
	case *ast.GotoStmt:
		for i := len(c.labels) - 1; i >= 0; i-- {
			if c.labels[i].name == st.Label {
				c.emit(&ir.Stmt{Op: ir.Jump, I: c.labels[i].id})
				return
			}
		}
		refuse(st, "jumps to %q, which is not at the end of a block around it", st.Label)
	case *ast.LabelStmt:
		refuse(st, "has the label %q in the middle of a block", st.Name)
	default:
		refuse(st, "has a statement of an unknown kind")
	}
}

// events declares the variables of a loop over events: the first one is the event, all others are nil.
func (c *lowerer) events() {
	c.p.Views, c.p.Events, c.p.Components = 1, c.context.Events, []ecs.ComponentID{ir.NoComponent}
	c.declare(c.t.Variables[0], &symbol{kind: viewSymbol, event: true, schema: c.context.Events})
	for _, v := range c.t.Variables[1:] {
		c.declare(v, &symbol{kind: nilSymbol})
	}
}
