package tests

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocsGo compiles every go fence, in a module of its own beside this one. One that begins with `package` is a file of a
// program: of its own if it has a main, otherwise of the one before it on the page; with a comment `// Output:` at its end the program is
// run, too. Any other is a piece: what it needs is imported, and names that only its surroundings
// would declare are passed over; everything else must compile.
func TestDocsGo(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", strings.Replace(string(mod), "module "+module, "module pages", 1)+
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root))
	write("go.sum", string(sum))

	fences := map[string]docFence{} // by file: programs/p3/f5.go, pieces/p4/f6.go
	for _, page := range docPages(t) {
		program := "" // the folder of the page's last one
		for _, f := range docFences(t, page) {
			if f.kind != "go" {
				continue
			}
			folder, text := fmt.Sprintf("programs/p%d", len(fences)+1), f.text
			switch {
			case !regexp.MustCompile(`(?m)^package `).MatchString(text):
				folder, text = fmt.Sprintf("pieces/p%d", len(fences)+1), piece(text)
			case program != "" && !strings.Contains(text, "func main()"):
				folder = program
			default:
				program = folder
			}
			name := fmt.Sprintf("%s/f%d.go", folder, len(fences)+1)
			fences[name] = f
			write(name, text)
		}
	}
	if len(fences) == 0 {
		t.Fatal("no go fences")
	}
	write("bin/.keep", "")
	for _, of := range []string{"programs", "pieces"} {
		args := []string{"build", "-mod=mod", "-gcflags=-e", "./" + of + "/..."}
		if of == "programs" {
			args = append(args[:3], "-o", "bin/", args[3])
		}
		build := exec.Command("go", args...)
		build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
		out, err := build.CombinedOutput()
		complaints := 0
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSpace(line)
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "./"), ":")
			f, ok := fences[name]
			if ok {
				complaints++
			}
			if ok && (of == "programs" || !surroundings.MatchString(line)) || !ok && !strings.HasPrefix(line, "#") {
				t.Errorf("%s: go build: %s\n%s", f.at(), line, f.text)
			}
		}
		if err != nil && complaints == 0 {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	if t.Failed() {
		return
	}
	for name, f := range fences {
		_, want, ok := strings.Cut(f.text, "// Output:\n")
		if !ok {
			continue
		}
		var got bytes.Buffer
		run := exec.Command(filepath.Join(dir, "bin", filepath.Base(filepath.Dir(name))))
		run.Dir, run.Stdout, run.Stderr = t.TempDir(), &got, &got
		if err := run.Run(); err != nil {
			t.Errorf("%s: %v\n%s", f.at(), err, got.String())
		}
		var text string
		for line := range strings.Lines(want) {
			text += strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		}
		compareLines(t, f.at(), got.String(), text)
	}
}

// surroundings matches complaints about names that a piece does not declare itself, and about its own that nobody uses.
var surroundings = regexp.MustCompile(`undefined: [a-z]\w*$|declared and not used: `)

// known are the packages a piece may use, by the name in front of the dot.
var known = map[string]string{
	"ecs": module + "/ecs", "native": module + "/ecs/native", "luabind": module + "/luabind", "config": module + "/config",
	"app": module + "/cmd/ecsrun/app",
	"os":  "os", "fmt": "fmt", "context": "context", "errors": "errors", "io": "io", "fs": "io/fs", "embed": "embed", "slog": "log/slog",
	"strings": "strings", "fstest": "testing/fstest", "math": "math", "bytes": "bytes", "log": "log", "time": "time", "runtime": "runtime",
}

// piece makes a file of a piece of Go.
func piece(text string) string {
	imports := ""
	for name, path := range known {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(text) {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	text = strings.ReplaceAll(text, "func main()", "func main_()")
	if _, err := parser.ParseFile(token.NewFileSet(), "", "package piece\n"+text, 0); err != nil { // no declarations, but statements
		text = "func _() {\n" + text + "}\n"
	}
	return "package piece\n\n" + imports + "\n" + text
}
