package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// tryProgram runs a pipeline of the shell or a program in Python, with ecsrun on its path, and compares what it prints with
// the text fence behind it. It is left out where there is no such interpreter.
func tryProgram(t *testing.T, f docFence, next *docFence) {
	t.Helper()
	interpreter, file := "sh", "page.sh"
	if f.kind == "python" {
		interpreter, file = "python3", "page.py"
	}
	if next == nil || next.kind != "text" {
		t.Errorf("%s: a text fence with the output has to follow", f.at())
		return
	}
	path, err := exec.LookPath(interpreter)
	if err != nil {
		t.Logf("%s: not run, there is no %s", f.at(), interpreter)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(bin, "ecsrun"): "#!/bin/sh\n" + asEcsrun + "=1 exec '" + self + "' \"$@\"\n",
		file:                         f.text,
	} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(path, file)
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", f.at(), err, out)
		return
	}
	compareLines(t, f.at(), string(out), next.text)
}
