package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newProject makes a project as init does.
func newProject(t *testing.T, template string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	var out strings.Builder
	if code := Main([]string{"init", dir, "--template", template}, strings.NewReader(""), &out, &out); code != exitOK {
		t.Fatalf("init: exit code %d\n%s", code, out.String())
	}
	return dir
}

// Where luacheck is on PATH, new projects are clean.
func TestLuacheckOfProjects(t *testing.T) {
	luacheck, err := exec.LookPath("luacheck")
	if err != nil {
		t.Log("luacheck is not on PATH")
		return
	}
	for _, template := range []string{"empty", "tutorial", "mod", "go"} {
		cmd := exec.Command(luacheck, "--no-color", ".")
		cmd.Dir = newProject(t, template)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", template, err, out)
		}
	}
}

// Where lua-language-server is on PATH, it finds nothing in a new project, and it finds a misspelt field of a view in a loop: so it knows the types of views.
func TestLuaLanguageServer(t *testing.T) {
	server, err := exec.LookPath("lua-language-server")
	if err != nil {
		t.Log("lua-language-server is not on PATH")
		return
	}
	check := func(dir string) string {
		out, _ := exec.Command(server, "--check="+dir, "--checklevel=Warning", "--logpath="+t.TempDir()).CombinedOutput() // newer versions exit with 1 for findings
		return string(out)
	}
	dir := newProject(t, "empty")
	if out := check(dir); !strings.Contains(out, "no problems found") {
		t.Errorf("a new project: %s", out)
	}
	wrong := "---@param world ecs.World\nreturn function(world)\n  for e, pos in world:each(\"Position\") do pos.xx = pos.yy + 1 end\nend\n"
	if err := os.WriteFile(filepath.Join(dir, "scripts", "wrong.lua"), []byte(wrong), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := check(dir); strings.Contains(out, "no problems found") {
		t.Errorf("a misspelt field was not found: %s", out)
	}
}
