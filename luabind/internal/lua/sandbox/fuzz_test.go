package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// FuzzRun compiles and runs what it is given for 10,000 instructions: no panic
// may reach the host, no error may be a bug, and the names of errors must fit
// the compiled functions.
func FuzzRun(f *testing.F) {
	for _, tt := range attacks {
		if len(tt.src) < 2000 {
			f.Add(tt.src)
		}
	}
	for _, r := range repairs {
		f.Add(r.src)
	}
	for _, m := range messages {
		f.Add(m.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := Compile("f.lua", src)
		if err != nil {
			if e := new(Error); !errors.As(err, &e) || e.Message == "" || e.Pos.Line < 1 {
				t.Fatalf("error without line or text: %#v", err)
			}
			return
		}
		if n := countProtos(c.proto); n != len(c.functions) {
			t.Fatalf("%d functions, names for %d", n, len(c.functions))
		}
		s := New(Options{MaxString: 1 << 16})
		s.Budget().Reset(10_000)
		err = s.Call(s.NewEnv(EnvOptions{}).Load(c, nil))
		var p *PanicError
		if errors.As(err, &p) {
			t.Fatalf("bug: %v\n%s", p, p.Stack)
		}
		if err != nil && err.Error() == "" {
			t.Fatal("empty error")
		}
		s.Budget().Reset(10_000)
		ok, err := Compile("ok.lua", "return 1 + 1")
		if err != nil {
			t.Fatal(err)
		}
		if out, err := s.CallResults(s.NewEnv(EnvOptions{}).Load(ok, nil), 1); err != nil || out[0] != lua.LNumber(2) {
			t.Fatalf("afterwards: %v, %v", out, err)
		}
	})
}

func countProtos(p *lua.FunctionProto) int {
	n := 1
	for _, kid := range p.FunctionPrototypes {
		n += countProtos(kid)
	}
	return n
}

// The scripts that ship are ordinary Lua: they compile, and their functions have
// names for errors.
func TestShippedScriptsCompile(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../../../scripts", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lua" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		c, err := Compile(filepath.Base(path), string(src))
		if err != nil {
			t.Error(err)
			return nil
		}
		if protos := countProtos(c.proto); protos != len(c.functions) {
			t.Errorf("%s: %d functions, names for %d", path, protos, len(c.functions))
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d scripts: %v", n, err)
	}
}
