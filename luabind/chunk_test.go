package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/casetest"
)

// declareForTests declares what the cases of testdata use: see package casetest.
func declareForTests(t testing.TB, w *ecs.World) {
	t.Helper()
	casetest.Declare(t, w)
}

// The binding is tested in the language it is for: testdata/*.lua.
func TestChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chunk files: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		for _, c := range casetest.Cases(string(source)) {
			t.Run(fmt.Sprintf("%s:%d", name, c.Skip+1), func(t *testing.T) { runCase(t, c) })
		}
	}
}

// runCase runs a case as a system of a Runtime.
func runCase(t *testing.T, c casetest.Case) {
	wantLine, wantText := c.Expects()
	frames, err := c.Frames()
	if err != nil {
		t.Fatal(err)
	}
	w := ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000})
	declareForTests(t, w)
	var out bytes.Buffer
	r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: fstest.MapFS{
		"case.lua":         {Data: []byte(c.Source())},
		"check.lua":        {Data: []byte(casetest.CheckModule)},
		"lib/counter.lua":  {Data: []byte(`local n = 0; return { next = function() n = n + 1; return n end }`)},
		"lib/broken.lua":   {Data: []byte("local x =\n= 1")},
		"lib/failing.lua":  {Data: []byte("local t = nil\nreturn t.x")},
		"lib/circle.lua":   {Data: []byte(`return require("lib.circle")`)},
		"lib/stateful.lua": {Data: []byte(`local M = {}; return M`)},
	}, Limits: Limits{Instructions: 2_000_000}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(System{Name: "case", Script: "case.lua"}); err != nil {
		t.Fatal(err)
	}
	err = r.Load()
	if err == nil {
		err = r.Start(context.Background())
	}
	for i := 0; i < frames && err == nil; i++ {
		err = r.Frame(context.Background(), 0.5)
	}
	if out.Len() > 0 {
		t.Logf("printed:\n%s", out.String())
	}
	if problem := w.Check(); problem != nil {
		t.Fatalf("the world is broken: %v", problem)
	}
	if wantText == "" {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	var se *ScriptError
	if !errors.As(err, &se) {
		t.Fatalf("line %d: got error %v, want %q", wantLine, err, wantText)
	}
	if se.Line != wantLine || !strings.Contains(se.Message, wantText) {
		t.Fatalf("got %v\nwant line %d: %s", err, wantLine, wantText)
	}
}
