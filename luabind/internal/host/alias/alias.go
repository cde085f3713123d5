// Package alias finds what the variables and expressions of a script stand for, as far as its source shows it: the world, a view of a component, an event, an
// entity, a query. It works on the tree of one file, before any code runs. Package script looks up names with it, package lint warns with it. In doubt a meaning is
// [Unclear], because a wrong one would report a mistake in a correct script.
package alias

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A Kind says what sort of thing an expression stands for.
type Kind uint8

// The kinds.
const (
	Unclear   Kind = iota
	Other          // certainly none of the others
	World          // the world
	Commands       // world.commands
	Resources      // world.resources
	Layers         // world.layers
	States         // world.states
	Layer          // the layer Name
	Module         // the module ecs
	Log            // ecs.log
	Entity         // an entity
	View           // a view of the component Name; a target if Name is a relation
	Event          // an event of the type Name
	Query          // a query object
	Events         // what world:read, peek or drain returns for the event Name
)

// A Meaning is what an expression stands for.
type Meaning struct {
	Kind Kind
	Name string // of the component, event or layer; "" for all other kinds
	Condition
}

// Object returns the object whose functions can be called on an expression of that meaning; false if there is none.
func (m Meaning) Object() (surface.Object, bool) {
	switch m.Kind {
	case World:
		return surface.WorldObject, true
	case Commands:
		return surface.CommandsObject, true
	case Module:
		return surface.ModuleObject, true
	case Log:
		return surface.LogObject, true
	case Layer:
		return surface.LayerObject, true
	case Unclear, Other, Resources, Layers, States, Entity, View, Event, Query, Events:
	}
	return "", false
}

// A Names finds the meanings of one file. It knows variables that were given a known value and are never assigned again, the variables of loops
// over the world, the first parameter of the functions of a system, the parameters of local functions that are only ever called, with arguments of
// one meaning, and parameters called world, if the calls give it.
type Names struct {
	names   *syntax.Bindings
	known   map[*syntax.Variable]Meaning
	open    map[*syntax.Variable]bool                // variables whose meaning is being looked up
	entries map[*ast.FunctionExpr]string             // the functions of a system, by what they are: init or update
	holders map[*ast.FunctionExpr]*syntax.Variable   // the variable that holds a function from its declaration on
	calls   map[*ast.IdentExpr]*ast.FuncCallExpr     // by the identifier that is called
	systems map[any]bool                             // the tables that may be systems: variables that hold them, and their constructors
	given   map[*ast.FunctionExpr]*ast.FuncCallExpr  // functions that are written as an argument, by the call
	changed map[*syntax.Variable]bool                // variables with an assignment to something in them
	kept    map[*ast.FunctionExpr][]string           // the members under which functions are kept; "" for what the file returns
	placed  map[*ast.IdentExpr]bool                  // identifiers of local functions that are kept or returned there
	handed  map[*ast.IdentExpr]*ast.FuncCallExpr     // those that are given to a method on, by its call
	tables  map[*syntax.Variable][]*ast.FunctionExpr // functions that are kept in a variable

	functions []*ast.FunctionExpr           // all, in the order of the source
	number    map[*ast.FunctionExpr]int     // their places there, counted from 1
	stored    map[ast.Expr]*syntax.Variable // what is stored in a local, by the expression
	arguments map[ast.Expr]argumentOf
	stands    map[ast.Expr]bool                     // functions and calls that are called where they stand
	rest      map[*ast.Comma3Expr]*ast.FunctionExpr // the function of each ...
}

// New finds the functions that may be functions of a system: those that the file returns, and those named init or update of the tables that it
// returns, or that are in one. Meanings of variables are computed when they are asked for.
func New(file *syntax.Chunk) *Names {
	a := &Names{
		names: file.Bindings, known: map[*syntax.Variable]Meaning{}, open: map[*syntax.Variable]bool{}, entries: map[*ast.FunctionExpr]string{},
		holders: map[*ast.FunctionExpr]*syntax.Variable{}, calls: map[*ast.IdentExpr]*ast.FuncCallExpr{}, systems: map[any]bool{},
		given: map[*ast.FunctionExpr]*ast.FuncCallExpr{}, changed: map[*syntax.Variable]bool{},
		kept: map[*ast.FunctionExpr][]string{}, placed: map[*ast.IdentExpr]bool{}, handed: map[*ast.IdentExpr]*ast.FuncCallExpr{},
		tables: map[*syntax.Variable][]*ast.FunctionExpr{}, number: map[*ast.FunctionExpr]int{}, stored: map[ast.Expr]*syntax.Variable{},
		arguments: map[ast.Expr]argumentOf{}, stands: map[ast.Expr]bool{}, rest: map[*ast.Comma3Expr]*ast.FunctionExpr{},
	}
	for _, v := range file.Bindings.Locals {
		if fn, ok := v.Value.(*ast.FunctionExpr); ok && !v.Assigned {
			a.holders[fn] = v
		}
		for _, e := range a.sources(v) {
			a.store(v, e)
		}
	}
	for _, st := range file.Stmts {
		ret, ok := st.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, e := range ret.Exprs {
			if id, ok := e.(*ast.IdentExpr); ok {
				a.placed[id] = true
			}
			if fn := a.only(e); fn != nil {
				a.entries[fn] = "update"
				a.keepAs(fn, "")
			}
		}
		for _, e := range ret.Exprs {
			a.system(e, true)
		}
	}
	var within []*ast.FunctionExpr
	file.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			if s.Function {
				fn, _ := s.Node.(*ast.FunctionExpr)
				within = append(within, fn)
			}
		},
		Leave: func(s syntax.Scope) {
			if s.Function {
				within = within[:len(within)-1]
			}
		},
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.AssignStmt:
				for i, to := range st.Lhs {
					if get, ok := to.(*ast.AttrGetExpr); ok && i < len(st.Rhs) {
						a.method(get.Object, get.Key, st.Rhs[i])
					}
					a.change(to)
				}
			case *ast.FuncDefStmt:
				a.count(st.Func)
				if get, ok := st.Name.Func.(*ast.AttrGetExpr); ok {
					a.method(get.Object, get.Key, st.Func)
				} else if st.Name.Func == nil {
					a.keepAs(st.Func, st.Name.Method)
				}
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FunctionExpr:
				a.count(e)
			case *ast.Comma3Expr:
				a.rest[e] = within[len(within)-1]
			case *ast.TableExpr:
				for _, f := range e.Fields {
					a.method(e, f.Key, f.Value)
				}
			case *ast.FuncCallExpr:
				if id, ok := e.Func.(*ast.IdentExpr); ok {
					a.calls[id] = e
				}
				a.stands[e.Func] = true
				for i, arg := range e.Args {
					a.arguments[arg] = argumentOf{e, i}
					switch arg := arg.(type) {
					case *ast.FunctionExpr:
						a.given[arg] = e
					case *ast.IdentExpr:
						if e.Method == "on" {
							a.handed[arg] = e
						}
					}
				}
			}
		},
	})
	return a
}

// system notes a table that the file returns, and with within those in it: they may be systems. So may the table that it returns with a metatable.
func (a *Names) system(e ast.Expr, within bool) {
	if v := a.names.Variable(e); v != nil {
		a.systems[v] = true
		e = v.Value
	}
	switch e := e.(type) {
	case *ast.TableExpr:
		a.systems[e] = true
		for _, f := range e.Fields {
			if within && f.Key == nil { // of a list
				a.system(f.Value, false)
			}
		}
	case *ast.FuncCallExpr:
		if v := a.names.Variable(e.Func); v != nil && v.IsGlobal("setmetatable") && len(e.Args) > 0 {
			a.system(e.Args[0], within)
		}
	}
}

// method notes a function that is stored in a table. Under the key init or update it may be a function of a system.
func (a *Names) method(table, key, value ast.Expr) {
	a.keep(key, value)
	fn := a.only(value)
	if v := a.names.Variable(table); v != nil && fn != nil {
		a.tables[v] = append(a.tables[v], fn)
	}
	name, ok := key.(*ast.StringExpr)
	if !ok || fn == nil || name.Value != "init" && name.Value != "update" {
		return
	} else if v := a.names.Variable(table); v != nil && a.systems[v] || a.systems[table] {
		a.entries[fn] = name.Value
	}
}

// within returns the functions that the source keeps in a table.
func (a *Names) within(table ast.Expr) []*ast.FunctionExpr {
	v := a.names.Variable(table)
	if v == nil {
		return nil
	}
	out := slices.Clone(a.tables[v])
	if t, ok := v.Value.(*ast.TableExpr); ok {
		for _, f := range t.Fields {
			if fn := a.only(f.Value); fn != nil {
				out = append(out, fn)
			}
		}
	}
	return out
}

// change notes an assignment to something in a variable.
func (a *Names) change(to ast.Expr) {
	for {
		get, ok := to.(*ast.AttrGetExpr)
		if !ok {
			return
		}
		to = get.Object
		if v := a.names.Variable(to); v != nil {
			a.changed[v] = true
		}
	}
}

// Entry returns what a function of a system is, "init" or "update": one that the file returns, or one of that name of a table that it
// returns, or that is in one. It is "" for any other function.
func (a *Names) Entry(fn *ast.FunctionExpr) string { return a.entries[fn] }

// IsSystem reports whether a table may be a system: the file returns it, or a list that it is in.
func (a *Names) IsSystem(table ast.Expr) bool {
	v := a.names.Variable(table)
	return v != nil && a.systems[v]
}

// Argument returns the call that a function is written as an argument of, nil if it stands elsewhere.
func (a *Names) Argument(fn *ast.FunctionExpr) *ast.FuncCallExpr { return a.given[fn] }

// Calls returns the calls of the local function that a parameter belongs to; ok is false if that function is used for more than
// calls, so that not all of them are known.
func (a *Names) Calls(parameter *syntax.Variable) (calls []*ast.FuncCallExpr, ok bool) {
	fn, _ := parameter.Node.(*ast.FunctionExpr)
	holder := a.holders[fn]
	if holder == nil || a.entries[fn] != "" {
		return nil, false
	}
	for _, use := range holder.Uses {
		call := a.calls[use.Ident]
		if call == nil {
			return nil, false
		}
		calls = append(calls, call)
	}
	return calls, len(calls) > 0
}

// Constructor returns the table constructor that an expression is in every execution, with nothing else in it: it is written there, or in the
// declaration of a local that is never assigned again, nor anything in it. It is nil if the source does not show it.
func (a *Names) Constructor(e ast.Expr) *ast.TableExpr {
	if v := a.names.Variable(e); v != nil && !v.Assigned && !a.changed[v] {
		e = v.Value
	}
	t, _ := e.(*ast.TableExpr)
	return t
}

// Function returns the function that an expression is in every execution: it is written there, or in the declaration
// of a local that is never assigned again. It is nil if the source does not show it.
func (a *Names) Function(e ast.Expr) *ast.FunctionExpr {
	if v := a.names.Variable(e); v != nil && !v.Assigned {
		e = v.Value
	}
	fn, _ := e.(*ast.FunctionExpr)
	return fn
}
