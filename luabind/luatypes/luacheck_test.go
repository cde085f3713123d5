package luatypes

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write scripts/.luacheckrc anew")

// The .luacheckrc of the shipped scripts is what init writes.
func TestLuacheckConfigOfTheRepository(t *testing.T) {
	const path = "../../scripts/.luacheckrc"
	if *update {
		if err := os.WriteFile(path, []byte(LuacheckConfig()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != LuacheckConfig() {
		t.Error("scripts/.luacheckrc is not what LuacheckConfig returns; go test ./luabind/luatypes -update writes it")
	}
}

// Where luacheck is on PATH, it finds nothing in the shipped scripts, and finds what it should in a script with mistakes.
func TestLuacheck(t *testing.T) {
	luacheck, err := exec.LookPath("luacheck")
	if err != nil {
		t.Log("luacheck is not on PATH; .ci/run installs it")
		return
	}
	cmd := exec.Command(luacheck, "--no-color", "--codes", ".")
	cmd.Dir = "../../scripts"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("luacheck scripts: %v\n%s", err, out)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(".luacheckrc", LuacheckConfig())
	write("a.lua", "local unused = 1\nreturn function(world, dt)\n  for e in world:each(\"A\") do\n    os.exit(math.foo, dsecribe)\n  end\nend\n")
	write("a_test.lua", "describe(\"a\", function()\n  it(\"b\", function() assert.are.equal(1, 1) assert.eqals(1, 1) end)\nend)\n")
	cmd = exec.Command(luacheck, "--no-color", "--codes", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("luacheck found no mistake")
	}
	for _, want := range []string{
		"a.lua:1:7: (W211) unused variable 'unused'", "a.lua:4:5: (W113) accessing undefined variable 'os'", "undefined field 'foo' of global 'math'",
		"accessing undefined variable 'dsecribe'", "undefined field 'eqals' of global 'assert'",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("luacheck does not say %q:\n%s", want, out)
		}
	}
	if n := strings.Count(string(out), "(W"); n != 5 {
		t.Errorf("luacheck found %d mistakes, not five:\n%s", n, out)
	}
}
