package ir

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// The printer of Programs, for `ecsrun explain --dump` and for tests that record Programs in files. It finds fields
// by reflection, so a new field of an Expr, a Stmt or a Program shows without code here. A new operation needs a
// name in operationNames or statementNames.

// Dump returns a Program as text: first the fields of the Program, then its effects, then its statements, one a
// line, indented by nesting. Fields that are zero are left out. The same Program always has the same text.
func (p *Program) Dump() string {
	var t textOfProgram
	t.statements(p.Body, 1)
	head := *p
	head.Body, head.Effects = nil, nil
	var out strings.Builder
	v := reflect.ValueOf(head)
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			fmt.Fprintf(&out, " %s=%s", v.Type().Field(i).Name, valueText(f))
		}
	}
	for _, e := range p.Effects {
		fmt.Fprintf(&out, "\n  effect %s", valueText(reflect.ValueOf(*e)))
	}
	return strings.TrimSpace(out.String()) + "\n" + t.String()
}

// operationNames are the names of the operations of expressions, by Op.
var operationNames = strings.Fields("const reg load entity + - * / % ^ neg < <= == not and or select call min max present alive has tagged element exists lookup item as wrap truth length join shown haskey related pair random tag untag")

// statementNames are the names of the operations of statements, by StmtOp.
var statementNames = strings.Fields("set store if while repeat count break jump block do look put putkey make putitem insert remove sort invoke items entries fit emit each near sources return leave untouched")

// A textOfProgram collects the text of the statements.
type textOfProgram struct{ strings.Builder }

// statements writes statements, one a line, and the statements inside them one level deeper.
func (t *textOfProgram) statements(list []*Stmt, depth int) {
	for _, s := range list {
		fmt.Fprintf(t, "%s%s", strings.Repeat("  ", depth), statementNames[s.Op])
		shown := *s
		shown.File, shown.Line = "", 0 // they say where it was written, not what it does
		v := reflect.ValueOf(shown)
		for i := range v.NumField() {
			switch name := v.Type().Field(i).Name; name {
			case "Op", "Body", "Else":
			case "Effect":
				if s.Effect != nil {
					fmt.Fprintf(t, " effect=%d", s.Effect.Index)
				}
			default:
				if f := v.Field(i); !f.IsZero() {
					fmt.Fprintf(t, " %s=%s", name, valueText(f))
				}
			}
		}
		t.WriteString("\n")
		t.statements(s.Body, depth+1)
		if len(s.Else) > 0 {
			fmt.Fprintf(t, "%selse\n", strings.Repeat("  ", depth))
			t.statements(s.Else, depth+1)
		}
	}
}

// valueText returns the value of one field of a Program as text: a field of a component by its name, type and
// offset, a query by its terms, a function as "func".
func valueText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case *Expr:
		return exprText(x)
	case *ecs.Field:
		if x == nil {
			return "nil"
		}
		return fmt.Sprintf("%s:%v@%d", x.Name, x.Type, x.Offset)
	case *ecs.Schema:
		if x == nil {
			return "nil"
		}
		var names []string
		for _, f := range x.Fields() {
			names = append(names, f.Name)
		}
		return "schema(" + strings.Join(names, " ") + ")"
	case Departure:
		x.Advice = "" // is for the author of the script, and no part of what runs
		v = reflect.ValueOf(x)
	case *TableItem:
		return valueText(reflect.ValueOf(*x))
	case *ecs.Query:
		if x == nil {
			return "nil"
		}
		return fmt.Sprintf("query(%v required %d)", x.Terms(), x.Required())
	case *ecs.Grid:
		if x == nil {
			return "nil"
		}
		return "grid"
	}
	switch v.Kind() {
	case reflect.Slice:
		var list []string
		for i := range v.Len() {
			list = append(list, valueText(v.Index(i)))
		}
		return "[" + strings.Join(list, " ") + "]"
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				list = append(list, v.Type().Field(i).Name+"="+valueText(f))
			}
		}
		return "{" + strings.Join(list, " ") + "}"
	case reflect.Func:
		return "func"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

// exprText returns an expression as text, in prefix notation.
func exprText(x *Expr) string {
	if x == nil {
		return "nil"
	}
	var out strings.Builder
	out.WriteString("(" + operationNames[x.Op])
	if x.Type != Number {
		fmt.Fprintf(&out, " %s", typeNames[x.Type])
	}
	v := reflect.ValueOf(*x)
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case f.IsZero() || name == "Op" || name == "Type":
		case name == "A" || name == "B" || name == "C" || name == "N":
			out.WriteString(" " + valueText(f))
		default:
			fmt.Fprintf(&out, " %s=%s", name, valueText(f))
		}
	}
	if x.Op == Const && x.N == 0 && x.Type != Text {
		fmt.Fprintf(&out, " %v", x.N)
	}
	return out.String() + ")"
}
