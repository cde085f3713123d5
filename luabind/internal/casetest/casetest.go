// Package casetest has the world and the syntax of the cases in luabind/testdata: tests of the binding that are written in
// Lua. It is for tests only. Package luabind runs the cases with everything around them, package surface with a bare Lua
// state and a world.
//
// A file holds many small cases. "---" begins a case, with a fresh world. "--! text" expects an error on its line with that
// text in the message. A case is the body of a system's update function, run in frame 1; the words after "---" change that:
//
//	--- frames 3   the same body runs in frames 1 to 3
//	--- load       the case is the file itself, not a body
package casetest

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// CheckModule is the source of the module "check", with which cases compare values.
//
//go:embed check.lua
var CheckModule string

// Declare declares in a world what the cases use: some components, tags and resources, and an event.
func Declare(t testing.TB, w *ecs.World) {
	t.Helper()
	component := func(name string, fields ...ecs.Field) {
		s, err := ecs.NewSchema(fields...)
		if err == nil {
			_, err = w.DeclareComponent(name, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f := func(name string, typ ecs.FieldType) ecs.Field { return ecs.Field{Name: name, Type: typ} }
	component("Position", f("x", ecs.F64), f("y", ecs.F64))
	component("Velocity", f("dx", ecs.F64), f("dy", ecs.F64))
	component("Health", ecs.Field{Name: "current", Type: ecs.F64, Default: ecs.Number(100)}, ecs.Field{Name: "max", Type: ecs.F64, Default: ecs.Number(100)})
	component("Kinds", f("f64", ecs.F64), f("f32", ecs.F32), f("i32", ecs.I32), f("u32", ecs.U32), f("i16", ecs.I16), f("u16", ecs.U16),
		f("i8", ecs.I8), f("u8", ecs.U8), f("flag", ecs.Bool), f("who", ecs.EntityField), f("name", ecs.String), f("items", ecs.TableField))
	component("Marker")
	component("Cell", f("x", ecs.I32), f("y", ecs.I32), f("label", ecs.String), f("owner", ecs.EntityField))
	for _, tag := range []string{"player", "enemy", "selected"} {
		if _, err := w.DeclareTag(tag); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ecs.NewSchema(f("target", ecs.EntityField), f("amount", ecs.F64), f("note", ecs.String), f("extra", ecs.TableField))
	if err == nil {
		_, err = w.DeclareEvent("Hit", s)
	}
	if err == nil {
		_, err = w.DeclareResource("score", ecs.I32, ecs.Number(0))
	}
	for _, spec := range []ecs.LayerSpec{
		{Name: "ground", Type: ecs.U8, Width: 8, Height: 4, Default: ecs.Number(1)},
		{Name: "heat", Type: ecs.F64, Width: 5, Height: 3, Wrap: true},
		{Name: "wet", Type: ecs.Bool, Width: 3, Height: 3},
		{Name: "owner", Type: ecs.EntityField, Width: 3, Height: 3, Wrap: true},
		{Name: "wide", Type: ecs.I64, Width: 2, Height: 2},
	} {
		if err == nil {
			_, err = w.DeclareLayer(spec)
		}
	}
	for _, spec := range []ecs.IndexSpec{
		{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 8, Height: 4},
		{Name: "torus", Component: "Cell", Fields: []string{"x", "y"}, Width: 5, Height: 3, Wrap: true},
		{Name: "labels", Component: "Cell", Fields: []string{"label"}},
		{Name: "owned", Component: "Cell", Fields: []string{"owner", "label"}},
		{Name: "anywhere", Component: "Cell", Fields: []string{"x", "y"}},
	} {
		if err == nil {
			_, err = w.DeclareIndex(spec)
		}
	}
	if err == nil {
		_, err = w.DeclareState(ecs.StateSpec{Name: "game", Values: []string{"menu", "playing", "over"}})
	}
	if err == nil {
		_, err = w.DeclareResource("title", ecs.String, ecs.Text("untitled"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A Case is some lines of a file.
type Case struct {
	How   string // the words after "---"
	Lines []string
	Skip  int // lines of the file before them
}

// Cases splits a file at the lines that begin with "---".
func Cases(source string) (list []Case) {
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	from, how := 0, ""
	for i := 0; i <= len(lines); i++ {
		if i < len(lines) && !strings.HasPrefix(lines[i], "---") {
			continue
		}
		if from < i {
			list = append(list, Case{how, lines[from:i], from})
		}
		if i < len(lines) {
			how, from = strings.TrimSpace(strings.TrimLeft(lines[i], "-")), i+1
		}
	}
	return list
}

// Expects returns the line of the file on which an error is expected, and its text; "" for none.
func (c Case) Expects() (line int, text string) {
	for i, l := range c.Lines {
		if _, after, ok := strings.Cut(l, "--!"); ok {
			line, text = c.Skip+i+1, strings.TrimSpace(after)
		}
	}
	return line, text
}

// Frames returns in how many frames the case runs.
func (c Case) Frames() (frames int, err error) {
	frames = 1
	if strings.HasPrefix(c.How, "frames") {
		_, err = fmt.Sscanf(c.How, "frames %d", &frames)
	}
	return frames, err
}

// Source returns the case as a script, in which lines have the numbers that they have in the file. It requires "ecs" and
// "check".
func (c Case) Source() string {
	head, body := "local ecs, check = require('ecs'), require('check') ", strings.Repeat("\n", c.Skip)+strings.Join(c.Lines, "\n")
	if c.How == "load" {
		return head + body
	}
	return head + "return function(world, dt) " + body + "\nend"
}
