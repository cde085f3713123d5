package surface

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/casetest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// What scripts see is tested in their language. The cases in luabind/testdata, which package luabind runs in systems of a Runtime, run here in a bare state;
// those in testdata are about the surface alone. "---" begins a fresh world, "--! text" expects an error on its line; see package casetest.
func TestChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"commands", "entities", "events", "loops", "relations", "views"} {
		files = append(files, filepath.Join("../../../testdata", name+".lua"))
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range casetest.Cases(string(source)) {
			t.Run(fmt.Sprintf("%s:%d", strings.TrimSuffix(filepath.Base(file), ".lua"), c.Skip+1), func(t *testing.T) {
				s := newScene(t)
				err := s.runCase(c)
				if problem := s.world.Check(); problem != nil {
					t.Errorf("the world is broken: %v", problem)
				}
				line, text := c.Expects()
				if text == "" {
					s.ok(err)
					return
				}
				var e *sandbox.Error
				if !errors.As(err, &e) || e.Pos.Line != line || !strings.Contains(e.Message, text) {
					t.Fatalf("got  %v\nwant line %d: %s", err, line, text)
				}
			})
		}
	}
}
