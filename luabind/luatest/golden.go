package luatest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// t.golden(world, "name"): compares the text of a world (worldtext.go) with a file that an earlier run has written,
// __golden__/FILE/name.txt beside the test file. Options.Golden writes it.

// golden is a golden file that a test has used.
type golden struct {
	text string
	by   string // full name of the test
}

// golden is t.golden(world, "name").
func (s *suite) golden(L *lua.LState) int {
	surface.AtMost(L, "golden", 2, 0)
	h := s.heldArg(L, "golden", `t.golden(world, "name")`)
	name := s.text(L, 2, "golden", "name")
	if err := fileName(name); err != nil {
		sandbox.Raisef(L, "t.golden: %w", err)
	}
	if h.bound.InLoop() {
		sandbox.Raise(L, inLoop("t.golden inside a query loop of the test; compare the world after the loop"))
	}
	text, err := s.worldText(h.Runtime.World())
	if err != nil {
		sandbox.Raisef(L, "t.golden: %w", err)
	}
	at := path.Join("__golden__", strings.TrimSuffix(path.Base(s.file.Path), ".lua"), name+".txt")
	if s.o.Golden != nil {
		s.update(L, name, at, text)
		return 0
	}
	shown := path.Join(path.Dir(s.file.Name), at)
	known, err := fs.ReadFile(s.file.FS, path.Join(path.Dir(s.file.Path), at))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		sandbox.Raise(L, &mismatch{message: fmt.Sprintf("no golden file %s; look at the world, and write it with --update", shown)})
	case err != nil:
		sandbox.Raisef(L, "t.golden: %s cannot be read: %w", shown, err)
	}
	if diff := lineDifferences(strings.ReplaceAll(string(known), "\r\n", "\n"), text); diff != nil {
		sandbox.Raise(L, &mismatch{
			message: fmt.Sprintf("the world differs from %s in %s; if it should, write it again with --update", shown, counted(len(diff), "line")),
			diff:    append([]string{"- is expected, + is found, ~ has changed"}, shortened(diff)...),
		})
	}
	return 0
}

// update writes a golden file, unless it has this text already.
func (s *suite) update(L *lua.LState, name, at, text string) {
	by := s.goldens[name]
	switch {
	case by != nil && by.text != text:
		sandbox.Raisef(L, "t.golden: %s has two texts: the test %s has compared another world with this name; use another name", quote(name), quote(by.by))
	case by != nil:
		return
	}
	if s.goldens == nil {
		s.goldens = map[string]*golden{}
	}
	s.goldens[name] = &golden{text, s.runningName()}
	if known, err := fs.ReadFile(s.file.FS, path.Join(path.Dir(s.file.Path), at)); err == nil && string(known) == text {
		return
	}
	if err := s.o.Golden(s.file, at, []byte(text)); err != nil {
		sandbox.Raisef(L, "t.golden: %w", err)
	}
}

// runningName returns the full name of the running test; that of the file in a setup.
func (s *suite) runningName() string {
	if s.running == nil {
		return s.file.Name
	}
	return s.result(s.running, Passed).FullName()
}

// fileName returns an error if a name cannot be that of a file everywhere.
func fileName(name string) error {
	for _, r := range name {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return fmt.Errorf("%s cannot be the name of a file; use letters, digits, spaces, - and _", quote(name))
		}
	}
	if name == "" || len(name) > 100 || strings.HasPrefix(name, ".") || strings.TrimSpace(name) != name || !fs.ValidPath(name) {
		return fmt.Errorf("%s cannot be the name of a file; use letters, digits, spaces, - and _", quote(name))
	}
	return nil
}

// heldArg returns the world that is the first argument. It must be one that t.world has made, and that is not closed.
func (s *suite) heldArg(L *lua.LState, function, form string) *held {
	if bound := surface.WorldOf(L.Get(1)); bound != nil {
		for _, h := range s.worlds {
			if h.bound == bound {
				return h
			}
		}
		sandbox.Raisef(L, "t.%s: this world ended with its test", function)
	}
	sandbox.Raisef(L, "bad argument #1 to '%s' (world expected, got %s); write %s", function, surface.Kind(L.Get(1)), form)
	return nil
}
