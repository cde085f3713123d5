package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Which names scripts use, and how: where they declare a name, where they only read it, and where they may give it to
// an entity. A string counts as giving unless it stands where only reading is possible.

// A place is a line of a file.
type place struct {
	file *file
	line int
}

// A usage says how the names of a world are used.
type usage struct {
	declared map[string]place // kind and name -> where a script declares it
	used     map[string]bool  // names that some script mentions outside of a declaration
	given    map[string]bool  // those that it may give to an entity, or send
	read     map[string]place // where a name is first read
	pieces   []string         // strings that are joined with others to a longer one
	hidden   bool             // some system runs only in Go, so not every use is known
}

func (c *checker) usage() *usage {
	u := &usage{declared: map[string]place{}, used: map[string]bool{}, given: map[string]bool{}, read: map[string]place{}}
	for _, s := range c.Systems {
		u.hidden = u.hidden || s.File == ""
		for _, word := range words.FindAllString(s.When, -1) {
			u.used[word] = true
		}
	}
	for _, name := range c.Inputs {
		u.given[name] = true
	}
	for _, name := range c.World.PrefabNames() {
		spec, _ := c.World.PrefabSpec(name)
		u.prefab(c.World, &spec)
	}
	for _, f := range c.files {
		u.file(f)
	}
	for _, v := range c.Data {
		u.data(c.World, v)
	}
	return u
}

// prefab adds the names that a prefab gives to its instances.
func (u *usage) prefab(w *ecs.World, spec *ecs.PrefabSpec) {
	for _, p := range spec.Components {
		info, _ := w.ComponentInfo(p.Component)
		u.used[info.Name], u.given[info.Name] = true, true
	}
	for _, id := range spec.Tags {
		u.used[w.TagName(id)], u.given[w.TagName(id)] = true, true
	}
	for i := range spec.Children {
		u.prefab(w, &spec.Children[i])
	}
}

var words = regexp.MustCompile(`\w+`)

// The functions of the world that give something to an entity, or send it. All others read.
var giving = map[string]bool{"add": true, "set": true, "spawn": true, "spawn_many": true, "tag": true, "send": true, "relate": true}

// file adds the names in a file. The visitor calls Expr for a call before its arguments, so what a string is for is
// known when the string is visited.
func (u *usage) file(f *file) {
	role := map[*ast.StringExpr]string{} // declare, or read
	mark := func(e ast.Expr, as string) {
		if s, ok := e.(*ast.StringExpr); ok {
			role[s] = as
		}
	}
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			u.call(f, e, mark)
		case *ast.StringConcatOpExpr:
			for _, side := range []ast.Expr{e.Lhs, e.Rhs} {
				if s, ok := side.(*ast.StringExpr); ok && len(s.Value) > 1 {
					u.pieces = append(u.pieces, s.Value)
				}
			}
		case *ast.StringExpr:
			if role[e] == "declare" {
				return
			}
			u.used[e.Value] = true                             // a tag may have a dot
			for name := range strings.SplitSeq(e.Value, ".") { // a field as in "Soldier.side"
				u.used[name] = true
			}
			if role[e] != "read" {
				u.given[e.Value] = true
			} else if _, known := u.read[e.Value]; !known {
				u.read[e.Value] = place{f, e.Line()}
			}
		}
	}})
}

// call marks what the strings in the arguments of a call are for.
func (u *usage) call(f *file, e *ast.FuncCallExpr, mark func(ast.Expr, string)) {
	if e.Method != "" {
		fn := api.Find(api.World, e.Method)
		if giving[e.Method] || fn == nil || !f.names.MaybeWorld(e.Receiver) {
			return
		}
		for i, arg := range e.Args {
			if fn.Role(i).Name() {
				mark(arg, "read")
			}
		}
		return
	}
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || f.names.Of(get.Object).Kind != alias.Module || len(e.Args) == 0 {
		return
	}
	name, _ := get.Key.(*ast.StringExpr)
	if name == nil {
		return
	}
	switch name.Value {
	case "component", "tag", "event", "resource", "relation", "grid":
		mark(e.Args[0], "declare")
		if s, ok := e.Args[0].(*ast.StringExpr); ok {
			u.declared[name.Value+" "+s.Value] = place{f, e.Line()}
			if name.Value == "event" && len(e.Args) > 2 && isInput(f.names.Constructor(e.Args[2])) {
				u.given[s.Value] = true
			}
		}
	}
	if name.Value == "query" || name.Value == "grid" {
		var inside func(e ast.Expr)
		inside = func(e ast.Expr) {
			mark(e, "read")
			if t, ok := e.(*ast.TableExpr); ok {
				for _, field := range t.Fields {
					inside(field.Value)
				}
			}
		}
		inside(e.Args[len(e.Args)-1])
	}
}

// isInput reports whether the options of an event say input = true.
func isInput(options *ast.TableExpr) bool {
	return options != nil && slices.ContainsFunc(options.Fields, func(f *ast.Field) bool {
		key, _ := f.Key.(*ast.StringExpr)
		_, yes := f.Value.(*ast.TrueExpr)
		return yes && key != nil && key.Value == "input"
	})
}

// made reports whether a name may be made of several strings.
func (u *usage) made(name string) bool {
	for _, p := range u.pieces {
		if len(p) < len(name) && (strings.HasPrefix(name, p) || strings.HasSuffix(name, p)) {
			return true
		}
	}
	return false
}

// never reports whether no script can give a name to an entity, or send an event of that name.
func (u *usage) never(name string) bool { return !u.hidden && !u.given[name] && !u.made(name) }

// valueTags returns the tags that are values of states.
func valueTags(w *ecs.World) map[string]bool {
	tags := map[string]bool{}
	for id := range w.StateNames() {
		spec := w.StateSpec(ecs.StateID(id))
		for _, v := range spec.Values {
			tags[spec.Name+"."+v] = true
		}
	}
	return tags
}

// unused reports names that nothing uses, and names that are only read.
func (c *checker) unused(u *usage) {
	if u.hidden {
		return
	}
	w := c.World
	relations := map[string]bool{}
	for _, name := range w.RelationNames() {
		relations[name] = true
		if name != ecs.ChildOf && name != ecs.IsA {
			c.unusedName(u, "relation", name)
		}
	}
	for _, name := range w.ComponentNames() {
		if !relations[name] {
			c.unusedName(u, "component", name)
			c.onlyRead(u, "W202", "component", name, "nothing spawns or adds it", fmt.Sprintf("spawn it, as in world:spawn{ %s = {} }, or do not ask for it", name))
		}
	}
	values := valueTags(w)
	for _, name := range w.TagNames() {
		if values[name] {
			continue // a state needs no entities
		}
		c.unusedName(u, "tag", name)
		c.onlyRead(u, "W203", "tag", name, "nothing gives it to an entity", fmt.Sprintf("give it, as in world:tag(e, %q), or do not ask for it", name))
	}
	for _, name := range w.EventNames() {
		c.unusedName(u, "event", name)
		c.onlyRead(u, "W204", "event", name, "nothing sends it", fmt.Sprintf("send it, as in world:send(%q), or do not read it", name))
	}
	for _, name := range w.ResourceNames() {
		c.unusedName(u, "resource", name)
	}
}

// unusedName reports a name that only its declaration mentions.
func (c *checker) unusedName(u *usage, kind, name string) {
	if u.used[name] || u.made(name) {
		return
	}
	x := Warning{Code: "W201", Kind: kind, Name: name, Message: fmt.Sprintf("%s %q is declared, and no script uses it", kind, name), Fix: "remove the declaration, or use it"}
	if at, ok := u.declared[kind+" "+name]; ok {
		x.File, x.Line, x.Kind, x.Name = at.file.Path, at.line, "", ""
	}
	c.found = append(c.found, x)
}

// onlyRead reports a name that scripts ask for and that nothing can give.
func (c *checker) onlyRead(u *usage, code, kind, name, why, fix string) {
	if at, ok := u.read[name]; ok && u.never(name) {
		c.add(code, at.file, at.line, fmt.Sprintf("%s %q is read here, and %s", kind, name, why), fix)
	}
}
