package luabind

import (
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
	lua "github.com/yuin/gopher-lua"
)

var record = flag.Bool("record", false, "write the recorded programs and code anew: look at what git diff says of them")

// recorded compares text with the file of that name in testdata, line by line.
func recorded(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if *record {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	have, need := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i, line := range have {
		if i >= len(need) || line != need[i] {
			t.Fatalf("%s:%d: got\n%s\nrecorded is\n%s\nIf the change is meant, run go test ./luabind -run %s -record", name, i+1, line, need[min(i, len(need)-1)], t.Name())
		}
	}
	t.Fatalf("%s: %d lines are missing", name, len(need)-len(have))
}

// loaded is a runtime that has loaded one script over the world of random programs.
func loaded(t *testing.T, seed uint64, source string) *Runtime {
	t.Helper()
	r, err := New(Options{Log: strictLog(t), World: kernelWorld(t, seed), Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
	}
	if err == nil {
		err = r.Load()
	}
	if err != nil && !strings.Contains(err.Error(), "is not declared") && !strings.Contains(err.Error(), "has no field") {
		t.Fatalf("%v\n%s", err, source)
	}
	return r
}

// becomes says what a loop becomes: its program and the outline of its code, or why there is none.
func becomes(r *Runtime, l *loops.Loop) (program, code string) {
	c, reason := l.Explain(r.bound, []*lua.LFunction{r.systems[0].init(), r.systems[0].update()}, r.library)
	if reason != nil {
		return fmt.Sprintf("interpreted: %s (line %d)", reason.Text, reason.Line), ""
	}
	if c.Narrowed {
		return c.Program.Dump(), "walks the sources of one target"
	}
	code, err := machine.Outline(c.Program, c.Query, r.world)
	if err != nil {
		return c.Program.Dump(), err.Error()
	}
	if text, err := machine.Dump(c.Program, c.Query, r.world); err != nil || !strings.Contains(text, "function run") { // each instruction has a name
		return c.Program.Dump(), fmt.Sprintf("no text: %v", err)
	}
	return c.Program.Dump(), code
}

// The programs and the machine code of random systems are those that were recorded: their checksums are.
func TestRecordedCode(t *testing.T) {
	var out strings.Builder
	for _, c := range []struct {
		name  string
		seeds uint64
		write func(seed uint64) string
		world func(seed uint64) uint64
	}{
		{"loop", 120, randomLoop, func(uint64) uint64 { return 1 }},
		{"system", 160, randomSystem, func(seed uint64) uint64 { return seed }},
		{"events", 40, randomEvents, func(seed uint64) uint64 { return seed * 4 }},
	} {
		for seed := range c.seeds {
			r := loaded(t, c.world(seed), c.write(seed))
			for _, l := range r.runner("a.lua").Loops {
				program, code := becomes(r, l)
				if code == "" {
					fmt.Fprintf(&out, "%s %d line %d %s\n", c.name, seed, l.Line, program)
					continue
				}
				if strings.Contains(code, " layout ") {
					size, _, _ := strings.Cut(code, " layout ")
					code = fmt.Sprintf("code %s, outline %08x", size, crc32.ChecksumIEEE([]byte(code)))
				}
				fmt.Fprintf(&out, "%s %d line %d program %08x, %s\n", c.name, seed, l.Line, crc32.ChecksumIEEE([]byte(program)), code)
			}
		}
	}
	recorded(t, "code.txt", out.String())
}
