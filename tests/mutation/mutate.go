package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
)

// A mutant is one change of the source. It is written as text inserted into the file, so that all mutants of a file stand in it at once
// and every line keeps its number.
type mutant struct {
	ID           int
	File         string // path of the source file
	Line, Column int
	Change       string // what the change is, for the report
	Source       string // the changed code, on one line
}

// place returns where the mutant is: "ecs/digest.go:42:7".
func (m mutant) place() string { return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column) }

// key returns the name of the mutant in equivalent.txt. It has no line number, so that changes elsewhere in the
// file do not affect it.
func (m mutant) key() string { return fmt.Sprintf("%s: %s: %s", m.File, m.Change, m.Source) }

// An insertion is text to be put into a file before the byte at offset.
type insertion struct {
	offset  int
	text    string
	closing bool // closes what an insertion further ahead opened
	size    int  // length in bytes of the code that the pair encloses
}

// A collector walks the files of one package and gathers mutants and the insertions that make them.
type collector struct {
	fset       *token.FileSet
	info       *types.Info
	pkg        *types.Package
	name       string // path of the current file
	source     []byte // of the current file
	skip       map[string]bool
	insertions []insertion
	mutants    []mutant
	next       int // id of the next mutant; the first is 1
}

// file collects the mutants of one file. skip holds the lines that do not compile with mutants, as "path:line".
func (c *collector) file(name string, source []byte, f *ast.File) []insertion {
	c.name, c.source, c.insertions = name, source, nil
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !hints[fn.Name.Name] {
			ast.Inspect(fn.Body, c.node)
		}
	}
	return c.insertions
}

// hints are functions that only advise the system: without them a program has the same results.
var hints = map[string]bool{"adviseHuge": true}

func (c *collector) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	case *ast.IfStmt:
		if c.never(n.Cond) {
			if n.Else != nil {
				ast.Inspect(n.Else, c.node)
			}
			return false
		}
		c.condition(n.Cond)
	case *ast.BinaryExpr:
		c.binary(n)
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
				c.wrap(r, "return the opposite", "(μ(%d) != ", ")")
			}
		}
	case *ast.CallExpr:
		return !c.sizesMemory(n)
	}
	return true
}

// never reports whether a constant makes a condition false on this machine, such as that code is for pointers of another size.
func (c *collector) never(e ast.Expr) bool {
	if v := c.info.Types[e].Value; v != nil {
		return v.Kind() == constant.Bool && !constant.BoolVal(v)
	}
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == token.LAND && (c.never(b.X) || c.never(b.Y))
}

// sizesMemory reports whether a call only makes room, or gives advice about memory: with more memory a program has
// the same results.
func (c *collector) sizesMemory(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "make" && len(call.Args) == 3 || hints[f.Name]
	case *ast.SelectorExpr:
		pkg, ok := f.X.(*ast.Ident)
		return ok && pkg.Name == "slices" && f.Sel.Name == "Grow"
	}
	return false
}

// statements makes mutants that leave a statement out.
func (c *collector) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "panic" || hints[id.Name]) {
					continue // what follows may need a panic to compile, and it is the report of a fault, not its cause
				}
			}
			c.wrap(s, "leave out the call", "if !μ(%d) { ", " }")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !blank(s) {
				c.wrap(s, "leave out the assignment", "if !μ(%d) { ", " }")
			}
		case *ast.IncDecStmt:
			c.wrap(s, "leave out the step", "if !μ(%d) { ", " }")
		case *ast.BranchStmt:
			if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
				c.wrap(s, "leave out the "+s.Tok.String(), "if !μ(%d) { ", " }")
			}
		}
	}
}

// blank reports whether all that an assignment writes is the blank identifier.
func blank(s *ast.AssignStmt) bool {
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

func (c *collector) condition(e ast.Expr) {
	if c.info.Types[e].Value == nil {
		c.wrap(e, "negate the condition", "(μ(%d) != (", "))")
	}
}

// binary makes mutants of one operator: an operand of && and || that does not count, a border that is off by one, a sum that is off by one.
func (c *collector) binary(e *ast.BinaryExpr) {
	if c.info.Types[e].Value != nil {
		return
	}
	switch e.Op {
	case token.LAND:
		c.wrap(e.X, "take the left side of && as true", "(μ(%d) || (", "))")
		c.wrap(e.Y, "take the right side of && as true", "(μ(%d) || (", "))")
	case token.LOR:
		c.wrap(e.X, "take the left side of || as false", "(!μ(%d) && (", "))")
		c.wrap(e.Y, "take the right side of || as false", "(!μ(%d) && (", "))")
	case token.LSS, token.GEQ:
		c.border(e, "move the border up by one", "+")
	case token.LEQ, token.GTR:
		c.border(e, "move the border down by one", "-")
	case token.ADD, token.SUB, token.MUL:
		c.offByOne(e, e, "add one to the result", "+")
	}
}

// border makes a mutant of the right side of a comparison. Its source is the whole comparison: the border alone, often 0, would not tell it from others.
func (c *collector) border(e *ast.BinaryExpr, change, sign string) {
	before := len(c.mutants)
	c.offByOne(e.Y, e.X, change, sign)
	for i := before; i < len(c.mutants); i++ {
		c.mutants[i].Source = c.text(e)
	}
}

// text returns the code of a node on one line.
func (c *collector) text(n ast.Node) string {
	return string(bytes.Join(bytes.Fields(c.source[c.fset.Position(n.Pos()).Offset:c.fset.Position(n.End()).Offset]), []byte(" ")))
}

// offByOne makes a mutant that adds or subtracts one where the value is a whole number. like gives the type when e is a constant.
func (c *collector) offByOne(e, like ast.Expr, change, sign string) {
	basic, ok := c.info.TypeOf(like).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || basic.Info()&types.IsUntyped != 0 {
		return
	}
	var external bool
	name := types.TypeString(c.info.TypeOf(like), func(p *types.Package) string {
		external = external || p != c.pkg
		return ""
	})
	if external {
		name = basic.Name()
		if _, named := c.info.TypeOf(like).(*types.Basic); !named {
			return
		}
	}
	c.wrap(e, change, "((", ") "+sign+" "+name+"(μ1(%d)))")
}

// wrap makes a mutant that puts text before and after a node. One of the two has the mutant's number as %d.
func (c *collector) wrap(n ast.Node, change, before, after string) {
	from, to := c.fset.Position(n.Pos()), c.fset.Position(n.End())
	if c.skip[fmt.Sprintf("%s:%d", c.name, from.Line)] {
		return
	}
	c.next++
	number := func(text string) string {
		if bytes.Contains([]byte(text), []byte("%d")) {
			return fmt.Sprintf(text, c.next)
		}
		return text
	}
	size := to.Offset - from.Offset
	c.insertions = append(c.insertions,
		insertion{offset: from.Offset, text: number(before), size: size},
		insertion{offset: to.Offset, text: number(after), size: size, closing: true})
	c.mutants = append(c.mutants, mutant{
		ID: c.next, File: c.name, Line: from.Line, Column: from.Column, Change: change,
		Source: c.text(n),
	})
}

// apply puts the insertions into the source. Pairs nest: at one offset what closes comes first, inner pairs before outer ones; then what opens,
// outer pairs before inner ones.
func apply(source []byte, list []insertion) []byte {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := list[order[i]], list[order[j]]
		switch {
		case a.offset != b.offset:
			return a.offset < b.offset
		case a.closing != b.closing:
			return a.closing
		case a.size != b.size && a.closing:
			return a.size < b.size
		case a.size != b.size:
			return a.size > b.size
		case a.closing: // two pairs around the same code: the one that opened last closes first
			return order[i] > order[j]
		}
		return order[i] < order[j]
	})
	var out bytes.Buffer
	at := 0
	for _, i := range order {
		out.Write(source[at:list[i].offset])
		out.WriteString(list[i].text)
		at = list[i].offset
	}
	out.Write(source[at:])
	return out.Bytes()
}
