package sandbox

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// A Chunk is a compiled source file. It has no state: it can be loaded into any
// number of environments and States, at the same time, too.
type Chunk struct {
	Name   string // as positions show it
	Source string

	proto     *lua.FunctionProto
	split     sync.Once
	lines     []string // of the source, split when the first one is asked for
	globals   []GlobalUse
	functions map[*lua.FunctionProto]*function
}

// A Pass sees the syntax of a file before it is compiled and may change it, or
// refuse it with an error (an *Error to have a position). Names that start with
// a zero byte cannot occur in a source; one that is bound to no local is filled
// in by Env.Load. New nodes need the lines of what they stand for.
type Pass func(chunk []ast.Stmt) ([]ast.Stmt, error)

// Compile makes a Chunk of a source file, after the passes in their order. An
// error is an *Error with line and, of a syntax error, column.
func Compile(name, source string, passes ...Pass) (*Chunk, error) {
	c := &Chunk{Name: name, Source: source, functions: map[*lua.FunctionProto]*function{}}
	if err := c.compile(passes); err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Message: err.Error(), Cause: err}
		}
		if e.Pos.File == "" {
			e.Pos.File = name
		}
		if e.Pos.Line == 0 {
			e.Pos.Line = 1
		}
		e.chunk = c
		if e.Value == nil {
			e.Value = lua.LString(e.Error())
		}
		return nil, e
	}
	return c, nil
}

func (c *Chunk) compile(passes []Pass) (err error) {
	tokens, e := scan(c.Name, c.Source)
	if e != nil {
		return e
	}
	stmts, err := parse.Parse(strings.NewReader(tokens.clean), c.Name)
	if err != nil {
		return c.syntaxError(err, tokens.clean)
	}
	opaque := opaqueLocals(stmts, tokens.locals)
	if e := checkTree(stmts); e != nil {
		return e
	}
	for _, pass := range passes {
		if stmts, err = pass(stmts); err != nil {
			return err
		}
	}
	if len(passes) > 0 {
		if e := checkTree(stmts); e != nil {
			return e
		}
	}
	r := &repairer{opaque: opaque, constants: constants{}}
	r.block(&stmts)
	if r.err != nil {
		return r.err
	}
	return c.generate(stmts)
}

// generate compiles the repaired syntax inside a function whose locals are the
// hidden names, so that the file's own code has them as upvalues.
func (c *Chunk) generate(stmts []ast.Stmt) error {
	s := &scoper{hidden: map[string]bool{}, inScope: map[string]int{}}
	vararg := usesVarargs(stmts)
	last := 0
	if len(stmts) > 0 {
		last = stmts[len(stmts)-1].LastLine()
	}
	fn := s.function("", 0, nil, vararg, true, stmts)
	if s.err != nil {
		return s.err
	}
	names := make([]string, 0, len(s.hidden))
	for n := range s.hidden {
		names = append(names, n)
	}
	slices.Sort(names)
	main := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: vararg}, Stmts: stmts}
	main.SetLastLine(max(last, s.maxLine))
	outer := []ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{main}}}
	if len(names) > 0 {
		outer = append([]ast.Stmt{&ast.LocalAssignStmt{Names: names}}, outer...)
	}
	proto, err := compileTree(outer, c.Name)
	if err != nil {
		return s.compileError(err)
	}
	c.proto = proto.FunctionPrototypes[0]
	c.globals = s.globals
	s.attach(c.proto, fn, c.functions)
	return nil
}

// compileTree is lua.Compile, whose panics on odd syntax are errors, too.
func compileTree(stmts []ast.Stmt, name string) (p *lua.FunctionProto, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, bug := r.(interface{ RuntimeError() }); bug {
				panic(r)
			}
			err = fmt.Errorf("%v", r)
		}
	}()
	return lua.Compile(stmts, name)
}

var atLine = regexp.MustCompile(`at line (\d+)`)

// compileError says what the compiler, which knows no more than a line, refused.
func (s *scoper) compileError(err error) error {
	var ce *lua.CompileError
	if !errors.As(err, &ce) {
		return err
	}
	e := &Error{Pos: Pos{Line: ce.Line}, Message: ce.Message}
	if ce.Line >= gotoLine && ce.Line-gotoLine < len(s.jumps) {
		e.Pos.Line = s.jumps[ce.Line-gotoLine].line
	}
	e.Message = atLine.ReplaceAllStringFunc(e.Message, func(m string) string {
		n, _ := strconv.Atoi(m[len("at line "):])
		if n >= gotoLine && n-gotoLine < len(s.jumps) {
			n = s.jumps[n-gotoLine].line
			e.Pos.Line = n
		}
		return fmt.Sprintf("at line %d", n)
	})
	e.Message = strings.NewReplacer("<", "", ">", "", "'", `"`).Replace(e.Message)
	switch {
	case strings.Contains(e.Message, "register overflow"), strings.Contains(e.Message, "too many local variables"):
		e.Message = "function too large: more than 200 locals and intermediate values; split it, or keep values in a table"
	case e.Message == "no loop to break":
		e.Message = "break outside a loop"
	case strings.HasPrefix(e.Message, `cannot use "..."`):
		e.Message = `"..." outside a function with "..." in its parameters`
	}
	return e
}

// usesVarargs: the file itself, not a function in it, uses "...".
func usesVarargs(stmts []ast.Stmt) bool {
	found := false
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) {
		switch (*e).(type) {
		case *ast.Comma3Expr:
			found = true
		case *ast.FunctionExpr:
		default:
			children(*e, expr, block)
		}
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if _, ok := st.(*ast.FuncDefStmt); !ok {
				parts(st, expr, block)
			}
		}
	}
	block(&stmts)
	return found
}

// opaqueLocals finds the statements written as local f = function … end whose
// function says f. gopher-lua's syntax has the same node for local function f,
// but in Lua the first means an f from further out.
func opaqueLocals(stmts []ast.Stmt, isFunction []bool) map[*ast.LocalAssignStmt]bool {
	out := map[*ast.LocalAssignStmt]bool{}
	n := 0
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) { children(*e, expr, block) }
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if st, ok := st.(*ast.LocalAssignStmt); ok {
				if n < len(isFunction) && !isFunction[n] && len(st.Names) == 1 && len(st.Exprs) == 1 {
					if fn, ok := st.Exprs[0].(*ast.FunctionExpr); ok && mentions(fn.Stmts, st.Names[0]) {
						out[st] = true
					}
				}
				n++
			}
			parts(st, expr, block)
		}
	}
	block(&stmts)
	return out
}

func mentions(stmts []ast.Stmt, name string) bool {
	found := false
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) {
		if id, ok := (*e).(*ast.IdentExpr); ok && id.Value == name {
			found = true
		}
		children(*e, expr, block)
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			parts(st, expr, block)
		}
	}
	block(&stmts)
	return found
}

// Globals lists the uses of names that are no locals, in the order of the
// source.
func (c *Chunk) Globals() []GlobalUse { return c.globals }

// Line is a line of the source, counted from 1, without its end; empty beyond
// it.
func (c *Chunk) Line(n int) string {
	c.split.Do(func() {
		c.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n").Replace(c.Source), "\n")
	})
	if n < 1 || n > len(c.lines) {
		return ""
	}
	return c.lines[n-1]
}

// Excerpt is a line of the source as an error shows it:
//
//	9 |   local hp = world:get(e, "Helth")
//
// with the number right-aligned to five columns; empty beyond the source.
func (c *Chunk) Excerpt(line int) string {
	if c.Line(line) == "" {
		return ""
	}
	return fmt.Sprintf("%5d | %s", line, cutLine(strings.TrimRight(c.Line(line), " \t")))
}

func cutLine(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " …"
}
