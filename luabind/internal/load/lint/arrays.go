package lint

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Arrays: fields of views, and resources. Their keys are 1 to their length, and their values are of one type.

// An arrayField is an array in storage.
type arrayField struct {
	owner, name string // as in messages: Bag and w, or resource and map
	of          ecs.FieldType
}

// array returns the array that an expression is, also through a local that is never assigned again. ok is false if the source does not show it.
func (c *checker) array(f *file, e ast.Expr) (out arrayField, ok bool) {
	if v := f.Chunk.Bindings.Variable(e); v != nil && v.Kind == syntax.Local && !v.Assigned && v.Value != nil {
		e = v.Value
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok || member(get) == "" {
		return arrayField{}, false
	}
	on := f.names.Of(get.Object)
	switch {
	case !f.holds(on):
	case on.Kind == alias.View:
		if s := c.schemaOf(f, get.Object); s != nil && s.Index(member(get)) >= 0 {
			out = arrayField{on.Name, member(get), s.Fields()[s.Index(member(get))].Type}
		}
	case on.Kind == alias.Resources:
		if id, found := c.World.LookupResource(member(get)); found {
			if s := c.World.Resource(id).Schema(); len(s.Fields()) == 1 && s.Fields()[0].Name == "value" {
				out = arrayField{"resource", member(get), s.Fields()[0].Type}
			}
		}
	}
	return out, out.of.Len() > 0
}

func (a arrayField) String() string {
	if a.owner == "resource" {
		return "resource " + a.name
	}
	return a.owner + "." + a.name
}

// item returns the item of an array that an expression reads.
func (c *checker) item(f *file, e ast.Expr) (out field, ok bool) {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return field{}, false
	}
	a, ok := c.array(f, get.Object)
	if !ok || c.wrongKey(a.of, c.value(f, get.Key)) != "" {
		return field{}, false
	}
	key := "…"
	if n := c.value(f, get.Key).number; n != nil {
		key = strconv.FormatFloat(*n, 'f', -1, 64)
	}
	if a.owner == "resource" {
		return field{"world.resources", a.name + "[" + key + "]", a.of.Elem()}, true
	}
	return field{a.owner, a.name + "[" + key + "]", a.of.Elem()}, true
}

// wrongKey returns why an array has no such key; "" if it may have it.
func (c *checker) wrongKey(t ecs.FieldType, k value) string {
	switch {
	case k.sort == unknown, k.sort == number && k.number == nil:
		return ""
	case k.number != nil && *k.number >= 1 && *k.number <= float64(t.Len()) && *k.number == math.Trunc(*k.number):
		return ""
	}
	shown := k.shown()
	if k.number != nil {
		shown = strconv.FormatFloat(*k.number, 'g', 14, 64)
	}
	return fmt.Sprintf("[%s] is outside of %s, whose keys are 1 to %d", shown, t, t.Len())
}

// keyed reports a key that an array does not have.
func (c *checker) keyed(f *file, e *ast.AttrGetExpr) {
	a, ok := c.array(f, e.Object)
	if !ok {
		return
	}
	if why := c.wrongKey(a.of, c.value(f, e.Key)); why != "" {
		c.add("E203", f, e.Line(), fmt.Sprintf("%s: %s", a, why), "")
	}
}

// storedItem reports an assignment of a value that the items of an array cannot be.
func (c *checker) storedItem(f *file, to *ast.AttrGetExpr, v value) {
	if a, ok := c.array(f, to.Object); ok {
		if why := itemMisfit(a.of.Elem(), v); why != "" {
			c.add("E204", f, to.Line(), fmt.Sprintf("%s: %s", a, why), v.advice)
		}
	}
}

// itemMisfit returns why a value cannot be an item of a type; "" if it can, or may.
func itemMisfit(t ecs.FieldType, v value) string {
	s, err := ecs.NewSchema(ecs.Field{Name: "item", Type: t})
	if err != nil {
		return ""
	}
	return misfit(s, 0, v)
}

// items reports what cannot be in a list that is stored in an array.
func (c *checker) items(f *file, line int, where string, t ecs.FieldType, e ast.Expr) {
	list := c.list(f, e)
	if list == nil || t.Len() == 0 {
		return
	}
	next := 1
	for _, one := range list.Fields {
		v := c.value(f, one.Value)
		k := plain(number)
		if one.Key != nil {
			k = c.value(f, one.Key)
		} else {
			n := float64(next)
			k.number = &n
			next++
		}
		if v.sort == nothing || v.sort == unknown { // there is no such key, or there may be none
			continue
		}
		why := c.wrongKey(t, k)
		if why == "" {
			if why = itemMisfit(t.Elem(), v); why == "" {
				continue
			}
			if k.number != nil {
				where = fmt.Sprintf("%s[%g]", where, *k.number)
			}
		}
		c.add("E204", f, line, fmt.Sprintf("%s: %s", where, why), v.advice)
		return
	}
}

// list returns the table that an expression is, unless functions such as table.remove may have changed it.
func (c *checker) list(f *file, e ast.Expr) *ast.TableExpr {
	if v := f.Chunk.Bindings.Variable(e); v != nil && len(v.Uses) > 1 {
		return nil
	}
	return c.constructor(f, e)
}

// resized reports a function that would change the length of an array, and then returns true.
func (c *checker) resized(f *file, name string, args []ast.Expr) bool {
	switch name {
	case "table.insert", "table.remove", "table.sort":
	default:
		return false
	}
	if len(args) == 0 {
		return false
	}
	a, ok := c.array(f, args[0])
	if ok {
		c.add("E205", f, args[0].Line(), fmt.Sprintf("%s of %s: an array has a fixed length and order of its own", name, a), "assign to its items, as in a[1] = 2")
	}
	return ok
}
