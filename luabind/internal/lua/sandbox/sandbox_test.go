package sandbox

import (
	"bytes"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// world is a State with one environment, for tests.
type world struct {
	t   testing.TB
	s   *State
	env *Env
	out bytes.Buffer
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, s: New(Options{})}
	w.env = w.s.NewEnv(EnvOptions{Print: &w.out})
	w.s.Budget().Reset(5_000_000)
	return w
}

// load compiles src as test.lua and loads it.
func (w *world) load(src string) *lua.LFunction {
	w.t.Helper()
	c, err := Compile("test.lua", src)
	if err != nil {
		w.t.Fatalf("compile: %v", err)
	}
	return w.env.Load(c, nil)
}

// run runs src and returns what it printed, without the last line end.
func (w *world) run(src string) (string, error) {
	w.t.Helper()
	c, err := Compile("test.lua", src)
	if err != nil {
		return "", err
	}
	w.out.Reset()
	err = w.s.Call(w.env.Load(c, nil))
	return strings.TrimSuffix(w.out.String(), "\n"), err
}

// must is run of a source that does not fail.
func (w *world) must(src string) string {
	w.t.Helper()
	out, err := w.run(src)
	if err != nil {
		w.t.Fatalf("%s\nfailed: %v", src, err)
	}
	return out
}

func TestSmoke(t *testing.T) {
	w := newWorld(t)
	out := w.must(`local t = {} for i = 1, 3 do t[#t+1] = "x" .. i end print(table.concat(t, ","), #t) print(pcall(error, "boom"))`)
	if out != "x1,x2,x3\t3\nfalse\tboom" {
		t.Error(out)
	}
}
