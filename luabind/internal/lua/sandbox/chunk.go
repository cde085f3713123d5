package sandbox

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// This file is the way of a source file into the VM: parse (package syntax), passes of the caller (compiled
// loops), repairs (repair.go), layout of locals (layout.go), gopher-lua's compiler. The result, a Chunk, is loaded
// by Env.Load.

// A Chunk is a compiled source file. It has no state of its own, so it can be loaded into any number of
// environments and States, also at the same time.
type Chunk struct {
	Name   string // as positions show it
	Source string
	Of     any // what the caller of Compile has made of it

	proto     *lua.FunctionProto
	split     sync.Once
	lines     []string // of the source, split when the first one is asked for
	globals   globals
	functions map[*lua.FunctionProto]*function
	paths     map[*lua.FunctionProto]interp.Paths
}

// A Pass sees the syntax of a file before it is compiled. It may change the tree, or refuse the file with an
// error, which should be an *Error to have a position. The Bindings of the tree are those of the file as written.
// A pass can use names that start with a zero byte, which no source can contain; Env.Load gives values to those
// that are not locals. New nodes need the lines of what they stand for.
type Pass func(file *syntax.Chunk) error

// Compile compiles a source file into a Chunk. The passes run in their order. An error is an *Error with the line
// and, for a syntax error, the column.
func Compile(name, source string, passes ...Pass) (*Chunk, error) {
	c := &Chunk{Name: name, Source: source, functions: map[*lua.FunctionProto]*function{}, paths: map[*lua.FunctionProto]interp.Paths{}}
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

// Tree returns the syntax of the source, before the passes. It is parsed anew for each call, so the caller may
// change it.
func (c *Chunk) Tree() *syntax.Chunk {
	file, err := syntax.Parse(c.Name, c.Source)
	if err != nil {
		panic("sandbox: a source that was compiled does not parse: " + err.Error())
	}
	return file
}

func (c *Chunk) compile(passes []Pass) error {
	file, err := syntax.Parse(c.Name, c.Source)
	if err != nil {
		return syntaxError(err)
	}
	c.globals = globalsOf(file)
	for _, pass := range passes {
		if err := pass(file); err != nil {
			return err
		}
	}
	if len(passes) > 0 {
		if e := syntax.CheckLimits(file.Stmts); e != nil {
			return syntaxError(e)
		}
	}
	r := &repairer{file: file, constants: constants{}}
	r.block(&file.Stmts)
	if r.err != nil {
		return r.err
	}
	spill(&file.Stmts)
	return c.generate(file)
}

// syntaxError converts an error of package syntax to an *Error.
func syntaxError(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return &Error{Pos: Pos{File: e.File, Line: e.Line}, Column: e.Column, Message: e.Message}
}

// generate compiles the repaired syntax as a function inside another one. The locals of the outer function are the
// hidden names, so that the code of the file reads them as upvalues.
func (c *Chunk) generate(file *syntax.Chunk) error {
	stmts := file.Stmts
	l := layOut(stmts)
	if l.err != nil {
		return l.err
	}
	l.loadConstants(stmts, file.Bindings)
	last := 0
	if len(stmts) > 0 {
		last = stmts[len(stmts)-1].LastLine()
	}
	main := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: l.vararg}, Stmts: stmts}
	main.SetLastLine(max(last, l.maxLine))
	names := l.upvalues()
	outer := []ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{main}}}
	if len(names) > 0 {
		outer = append([]ast.Stmt{&ast.LocalAssignStmt{Names: names}}, outer...)
	}
	proto, err := compileTree(outer, c.Name)
	l.restorePaths()
	if err != nil {
		return l.compileError(err)
	}
	c.proto = proto.FunctionPrototypes[0]
	l.attach(c.proto, l.main, c.functions, c.paths)
	if l.err != nil {
		return l.err
	}
	mark := &lua.LUserData{Value: c, Metatable: lua.LNil}
	for _, p := range c.Prototypes() {
		p.Constants = append(p.Constants, mark) // no instruction uses it: see ChunkOf
	}
	return nil
}

// ChunkOf returns the chunk that a function is from; nil for a function that no chunk has.
func ChunkOf(p *lua.FunctionProto) *Chunk {
	if p == nil || len(p.Constants) == 0 {
		return nil
	}
	mark, ok := p.Constants[len(p.Constants)-1].(*lua.LUserData)
	if !ok {
		return nil
	}
	c, _ := mark.Value.(*Chunk)
	return c
}

// compileTree is lua.Compile with its panics on unusual syntax turned into errors.
func compileTree(stmts []ast.Stmt, name string) (p *lua.FunctionProto, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, bug := r.(interface{ RuntimeError() }); bug {
				panic(r)
			}
			err = fmt.Errorf("%v", r)
		}
	}()
	if p, err = lua.Compile(stmts, name); err == nil {
		trim(p)
	}
	return p, err
}

// trim frees the room that gopher-lua's compiler has reserved for longer functions: 16 kB for each.
func trim(p *lua.FunctionProto) {
	p.Code, p.DbgSourcePositions = exactly(p.Code), exactly(p.DbgSourcePositions)
	p.Constants, p.FunctionPrototypes = exactly(p.Constants), exactly(p.FunctionPrototypes)
	p.DbgLocals, p.DbgCalls, p.DbgUpvalues = exactly(p.DbgLocals), exactly(p.DbgCalls), exactly(p.DbgUpvalues)
	for _, inner := range p.FunctionPrototypes {
		trim(inner)
	}
}

// exactly returns a copy of a list without spare room.
func exactly[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }

var atLine = regexp.MustCompile(`at line (\d+)`)

// compileError converts an error of gopher-lua's compiler, which knows the line only.
func (l *layout) compileError(err error) error {
	var ce *lua.CompileError
	if !errors.As(err, &ce) {
		return err
	}
	ce.Line &^= pathLines
	e := &Error{Pos: Pos{Line: ce.Line}, Message: ce.Message}
	if ce.Line >= gotoLine && ce.Line-gotoLine < len(l.jumps) {
		e.Pos.Line = l.jumps[ce.Line-gotoLine].line
	}
	e.Message = atLine.ReplaceAllStringFunc(e.Message, func(m string) string {
		n, _ := strconv.Atoi(m[len("at line "):])
		n &^= pathLines
		if n >= gotoLine && n-gotoLine < len(l.jumps) {
			n = l.jumps[n-gotoLine].line
			e.Pos.Line = n
		}
		return fmt.Sprintf("at line %d", n)
	})
	e.Message = strings.NewReplacer("<", "", ">", "", "'", `"`).Replace(e.Message)
	switch {
	case strings.Contains(e.Message, "register overflow"), strings.Contains(e.Message, "too many local variables"):
		e.Message = "function too large: too many parameters, loop variables and intermediate values; split it, or keep values in a table"
	case e.Message == "no loop to break":
		e.Message = "break outside a loop"
	case strings.HasPrefix(e.Message, `cannot use "..."`):
		e.Message = `"..." outside a function with "..." in its parameters`
	}
	return e
}

// Line returns a line of the source, counted from 1, without its end. It is empty if there is no such line.
func (c *Chunk) Line(n int) string {
	c.split.Do(func() {
		c.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n").Replace(c.Source), "\n")
	})
	if n < 1 || n > len(c.lines) {
		return ""
	}
	return c.lines[n-1]
}

// Excerpt returns a line of the source as an error shows it:
//
//	9 |   local hp = world:get(e, "Helth")
//
// The number is right-aligned to five columns. The text is empty if there is no such line.
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
