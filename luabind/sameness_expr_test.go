package luabind

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

func numeric(t ecs.FieldType) bool { return t.Numeric() }

func typed(want ecs.FieldType) func(ecs.FieldType) bool {
	return func(t ecs.FieldType) bool { return t == want }
}

// field is a field of a view that fits, "" without one. Of a view that may be nil
// it is mostly asked for with care.
func (g *author) field(fits func(ecs.FieldType) bool, otherwise string) string {
	var found []string
	for _, v := range g.views {
		for _, f := range v.fields {
			switch x := v.name + "." + f.Name; {
			case !fits(f.Type):
			case v.sure:
				found = append(found, x, x)
			case g.IntN(8) > 0:
				found = append(found, "("+v.name+" and "+x+" or "+otherwise+")")
			case g.IntN(6) == 0:
				found = append(found, x)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return g.pick(found...)
}

// resource is a resource that fits, "" without one.
func (g *author) resource(fits func(ecs.FieldType) bool) string {
	for _, i := range g.Perm(len(g.resources)) {
		if f := g.resources[i]; g.may("resources") && fits(f.Type) {
			if g.body == nil && g.IntN(2) == 0 {
				return "res." + f.Name
			}
			return "world.resources." + f.Name
		}
	}
	return ""
}

// call is a call of a function of the file whose first value is as wanted, ""
// without one.
func (g *author) call(gives string) string {
	for _, i := range g.Perm(len(g.functions)) {
		if f := g.functions[i]; strings.HasPrefix(f.gives, gives) && g.callable(f) {
			return f.name + "(" + g.arguments(f) + ")"
		}
	}
	return ""
}

// callable reports whether a function may be called here: not without the world it
// takes.
func (g *author) callable(f function) bool {
	return g.body == nil || strings.Contains(g.body.takes, "w") || !strings.Contains(f.takes, "w")
}

func (g *author) arguments(f function) string {
	var args []string
	for i, kind := range f.takes {
		if strings.HasPrefix(f.takes[i:], "nn") && g.IntN(3) == 0 { // all that a call gives
			if x := g.call("nn"); x != "" {
				return strings.Join(append(args, x), ", ")
			}
		}
		args = append(args, g.value(kind, 1))
	}
	if g.IntN(12) == 0 {
		args = append(args, g.simple()) // one too many
	}
	return strings.Join(args, ", ")
}

// value is an expression of a kind.
func (g *author) value(kind rune, depth int) string {
	switch kind {
	case 'n':
		return g.number(depth)
	case 'b':
		return g.condition(depth)
	case 's':
		return g.text()
	case 'e':
		return g.entity()
	case 'w':
		return "world"
	case 'd': // a number, or the default
		return g.pick("nil", g.number(depth))
	}
	for _, i := range g.Perm(len(g.views)) {
		if g.views[i].part == 0 && (g.views[i].sure || g.IntN(4) == 0) {
			return g.views[i].name
		}
	}
	return "world:get(" + g.entity() + ", \"A\")"
}

var mathOne = []string{"floor", "abs", "sqrt", "ceil", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10", "deg", "rad", "sinh", "cosh", "tanh"}

func (g *author) number(depth int) string {
	if depth <= 0 || g.IntN(4) == 0 {
		return g.simple()
	}
	a := func() string { return g.number(depth - 1) }
	switch g.IntN(15) {
	case 0, 1, 2:
		return "(" + a() + " + " + a() + ")"
	case 3, 4:
		return "(" + a() + " - " + a() + ")"
	case 5, 6, 7:
		return "(" + a() + " * " + a() + ")"
	case 8:
		return "(" + a() + " / " + a() + ")"
	case 9:
		if g.can["math"] {
			return "(" + a() + g.pick(" % ", " % ", " ^ ") + a() + ")"
		}
		return "(" + a() + " % " + g.pick("3", "8", "0.5", "-7") + ")"
	case 10:
		return "(- " + g.variable() + ")"
	case 11:
		if g.can["math"] {
			return "math." + g.pick(mathOne...) + "(" + a() + ")"
		}
		return g.pick("floor", "math.abs", "math.sqrt", "math.ceil") + "(" + a() + ")"
	case 12:
		if g.can["math"] && g.IntN(2) == 0 {
			return "math." + g.pick("fmod", "pow", "atan2", "mod") + "(" + a() + ", " + a() + ")"
		}
		return "math." + g.pick("min", "max") + "(" + a() + ", " + a() + g.pick("", ", "+g.simple()) + ")"
	case 13:
		if c := g.call("n"); c != "" {
			return g.pick(c, "("+c+")")
		}
	}
	return "(" + g.condition(depth-1) + " and " + a() + " or " + a() + ")"
}

// variable is something that is no constant.
func (g *author) variable() string {
	if len(g.nums) > 0 && g.IntN(2) == 0 {
		return g.pick(g.nums...)
	}
	if x := g.field(numeric, "2"); x != "" {
		return x
	}
	return "k"
}

func (g *author) simple() string {
	x := ""
	switch n := g.IntN(20); {
	case n < 2:
		return g.pick("0", "-0", "1", "2", "0.5", "3", "10", "100", "255", "0.1", "-1", "-7", "1e300", "1e-310", "4294967296")
	case n < 5 && len(g.nums) > 0:
		return g.pick(g.nums...)
	case n == 5 && g.can["random"]:
		return g.pick("random()", "ecs.random(6)", "math.random(2, 5)", "random()", "random(-3, 3)", "random(0, 0)", "random(3, math.max(3, "+g.variable()+"))", "ecs.random("+g.pick("3", "1", "-2", g.variable())+", 3)")
	case n == 6:
		x = g.resource(numeric)
	case n == 7:
		if g.may("math") || g.body == nil {
			return g.pick("world.dt", "world.time", "world.frame", "world.dt", "math.pi")
		}
		return g.pick("math.pi", "math.huge", "k")
	case n < 10 && g.can["tables"]:
		return g.pick("nums[1]", "nums[2]", "nums[0]", "nums["+g.index()+"]", "goals["+g.index()+"].x", "goals[1].y", "conf.speed", "conf.count", "same[1]")
	case n == 10 && g.can["entities"]:
		return g.entity()
	case n == 13 && g.may("places"):
		if g.indexed() >= 0 && g.IntN(2) == 0 {
			return fmt.Sprintf(`world:count("ix", %s, %s)`, g.place(), g.place())
		}
		return fmt.Sprintf("world.layers.%s, %s)", g.pick("L:get("+g.place(), "L:get("+g.variable(), "K:get("+g.place()), g.place())
	case n == 11 && len(g.late) > 0:
		v := g.pick(g.late...)
		return g.pick("("+v+" or 3)", "("+v+" or "+g.variable()+")", "("+v+" ~= nil and "+v+" or 1)")
	case n == 12 && g.may("others") && g.IntN(6) == 0:
		p := g.parts[g.IntN(len(g.parts))]
		for _, f := range p.fields {
			if f.Type.Numeric() {
				return "world:get(" + g.entity() + ", \"" + p.name + "\")." + f.Name
			}
		}
	}
	if x == "" {
		x = g.field(numeric, "2")
	}
	if x == "" {
		x = g.variable()
	}
	return x
}

// index is mostly an index of the tables.
func (g *author) index() string {
	if g.can["random"] && g.IntN(4) == 0 {
		return "random(0, 1)"
	}
	return g.pick("1", "2", "world.frame % 2", "world.frame % 2 + 1", "floor("+g.variable()+") % 3", g.variable()+" % 2", "conf.count % 2")
}

func (g *author) condition(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		if g.IntN(4) == 0 {
			return "(not " + g.condition(depth-1) + ")"
		}
		return "(" + g.condition(depth-1) + g.pick(" and ", " or ", " == ", " ~= ") + g.condition(depth-1) + ")"
	}
	x := ""
	if (g.may("floats") || g.body == nil) && g.IntN(12) == 0 {
		return g.pick("(world.frame == 1)", "(world.frame == 2)", "(world.frame ~= 3)", "(world.time > 0.3)", "(world.frame % 2 == 0)")
	}
	switch g.IntN(18) {
	case 0:
		if g.may("others") {
			x = "world:alive(" + g.entity() + ")"
		}
	case 1:
		if g.may("others") {
			x = "world:has(" + g.entity() + ", " + g.pick(`"A"`, `"B"`, `"A", "B"`, `"IsA"`, `"Likes"`, `"B"`, `"Owns"`) + ")"
			if g.IntN(6) == 0 {
				x = "world:relates(" + g.entity() + ", \"Owns\", " + g.entity() + ")"
			}
		}
	case 2:
		if g.may("tests") {
			x = "world:tagged(" + g.entity() + ", " + g.tags() + ")"
		}
	case 3:
		if g.may("flips") && g.IntN(2) == 0 {
			x = "world:" + g.pick("tag", "untag") + "(" + g.entity() + ", " + g.tags() + ")"
		}
	case 4, 5:
		if g.can["texts"] {
			x = "(" + g.text() + g.pick(" == ", " ~= ") + g.text() + ")"
		}
	case 6:
		for _, v := range g.views {
			if !v.sure {
				x = g.pick("(not "+v.name+")", "("+v.name+" ~= nil)", "("+v.name+" == nil)")
			}
		}
	case 7:
		x = g.resource(typed(ecs.Bool))
	case 8, 9, 10:
		x = g.field(typed(ecs.Bool), "false")
	case 11:
		if len(g.bools) > 0 {
			x = g.pick(g.bools...)
		}
	case 12:
		x = g.call("b")
	case 13:
		if g.can["entities"] {
			x = "(" + g.entity() + g.pick(" == ", " ~= ") + g.entity() + ")"
		}
	case 14:
		if len(g.late) > 0 {
			v := g.pick(g.late...)
			x = g.pick("("+v+" == nil)", "("+v+" ~= nil)", "("+v+" ~= nil and "+v+" > 1)", "(not "+v+")")
		}
	case 15:
		x = g.pick("true", "false", "(nil == "+g.variable()+")")
	}
	if x == "" {
		x = "(" + g.number(1) + g.pick(" < ", " > ", " <= ", " >= ", " == ", " ~= ") + g.number(1) + ")"
	}
	return x
}

func (g *author) tags() string {
	return g.pick(`"red"`, `"blue"`, `"green"`, `"red", "blue"`, `"blue", "green", "red"`, "TAG")
}

func (g *author) text() string {
	x := ""
	switch g.IntN(6) {
	case 0:
		x = g.field(typed(ecs.String), "\"none\"")
	case 1, 2:
		if len(g.texts) > 0 {
			x = g.pick(g.texts...)
		}
	case 3:
		x = g.resource(typed(ecs.String))
	case 4:
		if g.IntN(2) == 0 {
			x = "(" + g.condition(0) + ` and "low" or ` + g.text() + ")"
		}
	}
	if x == "" {
		x = g.pick(`"calm"`, `"storm"`, `""`, `"s"`)
	}
	return x
}

// entity is an expression that is mostly a handle.
func (g *author) entity() string {
	switch g.IntN(10) {
	case 0:
		return g.pick("4294967296", "4294967299", "ecs.none", "0", "-0", "4294967300.5", "-1", "8589934592")
	case 1:
		if g.can["misfits"] {
			return g.variable()
		}
	case 2, 3, 4:
		if x := g.field(typed(ecs.EntityField), "0"); x != "" {
			return x
		}
	case 6:
		if g.may("others") && len(g.ents) > 0 {
			return "(world:related(" + g.pick(g.ents...) + ", " + g.pick(`"Likes"`, "LIKES", `"IsA"`) + ") or " + g.pick(g.ents...) + ")"
		}
	case 5:
		if x := g.resource(typed(ecs.EntityField)); x != "" {
			return x
		}
	}
	if len(g.ents) > 0 {
		return g.pick(g.ents...)
	}
	return "4294967298"
}
