package lint

import (
	"fmt"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/yuin/gopher-lua/ast"
)

// The values that world:at, all, count and around give for the fields of an index.

// placeOf reports a call that names an index and gives it other values than it has fields.
func (c *checker) placeOf(f *file, call *ast.FuncCallExpr, name string) {
	if !slices.Contains([]string{"world:at", "world:all", "world:count", "world:around"}, name) || len(call.Args) == 0 {
		return
	}
	v := c.value(f, call.Args[0])
	if v.text == nil {
		return
	}
	x := c.World.LookupIndex(*v.text)
	if x == nil {
		return
	}
	spec, given := x.Spec(), call.Args[1:]
	if name == "world:around" {
		if len(spec.Fields) != 2 || x.FieldType(0) == ecs.String || x.FieldType(0) == ecs.EntityField || x.FieldType(1) == ecs.String || x.FieldType(1) == ecs.EntityField {
			c.add("E205", f, call.Line(), fmt.Sprintf("world:around needs an index of two integer fields, and %q has %s", spec.Name, spec), "use world:all")
			return
		}
		c.neighbourhood(f, call, 4)
		return
	}
	if n, want := len(given), len(spec.Fields); n > want || n < want && !several(given) {
		c.add("E205", f, call.Line(), fmt.Sprintf("%s gets %d %s for the %d %s of index %q", name, n, plural(n, "value"), want, plural(want, "field"), spec.Name), "give one for each of "+spec.String())
		return
	}
	for i, arg := range given {
		v, t := c.value(f, arg), x.FieldType(i)
		wants, ok := "a whole number", v.sort == number && (v.number == nil || *v.number == math.Trunc(*v.number))
		switch t {
		case ecs.String:
			wants, ok = "a string", v.sort == str
		case ecs.EntityField:
			wants, ok = "an entity", v.is(number, nothing)
		}
		if !ok && v.sort != unknown {
			c.unfit(f, arg, v, fmt.Sprintf("%s.%s of index %q", spec.Component, spec.Fields[i], spec.Name), wants, v.advice)
			return
		}
	}
}
