package templates

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// write puts a template into a folder.
func write(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := Files(name, "v0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		file := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(f.Text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The files of a template lie where the program looks for them, and none of them speaks of the folders of this repository.
func TestFiles(t *testing.T) {
	for _, name := range Names {
		files, err := Files(name, "v1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		config, test := false, false
		for i, f := range files {
			if i > 0 && files[i-1].Path >= f.Path {
				t.Errorf("%s: %s comes after %s", name, f.Path, files[i-1].Path)
			}
			config = config || f.Path == "config.yaml" && strings.HasPrefix(f.Text, schemaLine)
			test = test || strings.HasSuffix(f.Path, "_test.lua")
			for _, bad := range []string{"../scripts", "config/arena", "config/tutorial", "{{"} {
				if strings.Contains(f.Text, bad) {
					t.Errorf("%s: %s has %q", name, f.Path, bad)
				}
			}
			if base := path.Base(f.Path); strings.HasPrefix(base, "dot-") || strings.HasSuffix(base, ".txt") {
				t.Errorf("%s: %s has kept the name that it has only here", name, f.Path)
			}
		}
		if !config || !test {
			t.Errorf("%s: a config with a schema: %v, a test: %v", name, config, test)
		}
	}
	if _, err := Files("none", ""); err == nil {
		t.Error("there is a template none")
	}
}

// The template go has the same system in Lua and in Go, and both give the same world.
func TestGo(t *testing.T) {
	dir := write(t, "go")
	var digests []string
	for _, config := range []string{"config.yaml", "native.yaml"} {
		out, err := exec.Command("go", "run", "./go", "run", filepath.Join(dir, config), "--hash", "--quiet").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", config, err, out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		digests = append(digests, lines[len(lines)-1])
	}
	if digests[0] != digests[1] || !strings.HasPrefix(digests[0], "digest ") {
		t.Errorf("in Lua %s, in Go %s", digests[0], digests[1])
	}
}
