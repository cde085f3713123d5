package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// switches is the file that every mutated package gets. active is the number of the mutant that the process has; 0 is the original code. In a process that
// records, reached is a file in memory with a byte for every mutant.
const switches = `package %s

import (
	"os"
	"strconv"
	"syscall"
)

var μactive, μreached = μstart()

func μstart() (int, []byte) {
	n, _ := strconv.Atoi(os.Getenv("MUTANT"))
	name := os.Getenv("MUTANTS_REACHED")
	if name == "" {
		return n, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return n, m
}

func μ(id int) bool {
	if μreached != nil {
		μreached[id] = 1
	}
	return μactive == id
}

func μ1(id int) int {
	if μ(id) {
		return 1
	}
	return 0
}
`

// A listed is what go list says of a package.
type listed struct {
	Dir, ImportPath, Name, Export string
	GoFiles                       []string
}

// list calls go list for a package and what it imports.
func list(pattern string) (target listed, exports map[string]string, err error) {
	out, err := command("go", "list", "-deps", "-export", "-json=Dir,ImportPath,Name,Export,GoFiles", pattern)
	if err != nil {
		return listed{}, nil, err
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return target, exports, nil
		} else if err != nil {
			return listed{}, nil, err
		}
		exports[p.ImportPath] = p.Export
		target = p // go list prints a package after what it imports
	}
}

// A suite is the mutants of all packages, with the test binaries that contain them.
type suite struct {
	Mutants  []mutant
	Binaries []binary
	dir      string // where everything is written
}

// A binary is one compiled test package.
type binary struct {
	Dir, Path string // working folder; the executable
	Tests     []test // the quickest first
}

// build makes the test binaries of o.tests with all mutants of o.packages in them. A line that does not compile with its mutants loses them.
func build(o options, dir string) (*suite, error) {
	skip := map[string]bool{}
	for {
		s, err := attempt(o, dir, skip)
		var failed *compileError
		if !errors.As(err, &failed) {
			return s, err
		}
		before := len(skip)
		for _, place := range failed.places {
			skip[place] = true
		}
		if len(skip) == before {
			return nil, fmt.Errorf("the mutated code does not compile:\n%s", failed.output)
		}
	}
}

// A compileError names the lines that do not compile.
type compileError struct {
	places []string
	output string
}

func (e *compileError) Error() string { return e.output }

var errorLine = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

func attempt(o options, dir string, skip map[string]bool) (*suite, error) {
	s := &suite{dir: dir}
	overlay := map[string]string{} // path in the tree: file that stands for it
	for i, pattern := range o.packages {
		if err := s.mutate(pattern, i, skip, overlay); err != nil {
			return nil, err
		}
	}
	tests := o.tests
	if len(tests) == 0 {
		tests = o.packages
	}
	for i, pattern := range tests {
		b := binary{Dir: pattern, Path: filepath.Join(dir, fmt.Sprintf("tests%d", i))}
		if err := compile(pattern, b.Path, overlay, dir); err != nil {
			return nil, err
		}
		s.Binaries = append(s.Binaries, b)
	}
	return s, nil
}

// mutate writes the mutated files of one package into s.dir and adds them to the overlay.
func (s *suite) mutate(pattern string, number int, skip map[string]bool, overlay map[string]string) error {
	p, exports, err := list(pattern)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	sources, files := map[string][]byte{}, []*ast.File{}
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		sources[path] = text
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	pkg, err := config.Check(p.ImportPath, fset, files, info)
	if err != nil {
		return err
	}
	c := &collector{fset: fset, info: info, pkg: pkg, skip: skip, next: len(s.Mutants)}
	for _, f := range files {
		path := fset.Position(f.Package).Filename
		if generated(f) {
			continue
		}
		local, err := relative(path)
		if err != nil {
			return err
		}
		text := apply(sources[path], c.file(local, sources[path], f))
		to := filepath.Join(s.dir, fmt.Sprintf("p%d_%s", number, filepath.Base(path)))
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
		overlay[path] = to
	}
	s.Mutants = append(s.Mutants, c.mutants...)
	to := filepath.Join(s.dir, fmt.Sprintf("p%d_switches.go", number))
	if err := os.WriteFile(to, fmt.Appendf(nil, switches, p.Name), 0o644); err != nil {
		return err
	}
	overlay[filepath.Join(p.Dir, "mutation_switches.go")] = to
	return nil
}

// generated reports whether a file was generated.
func generated(f *ast.File) bool { return ast.IsGenerated(f) }

func relative(path string) (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.Rel(wd, path)
}

// compile builds one test binary, with files replaced by an overlay.
func compile(pattern, to string, overlay map[string]string, dir string) error {
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	file := to + ".overlay.json"
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	out, err := exec.Command("go", "test", "-c", "-gcflags=-e", "-vet=off", "-overlay", file, "-o", to, pattern).CombinedOutput()
	if err == nil {
		return nil
	}
	failed := &compileError{output: string(out)}
	for _, m := range errorLine.FindAllStringSubmatch(string(out), -1) {
		path := m[1]
		for original, replaced := range overlay { // errors name either of the two
			if strings.HasSuffix(path, filepath.Base(replaced)) {
				path = original
			}
		}
		if filepath.IsAbs(path) {
			if path, err = relative(path); err != nil {
				return err
			}
		}
		failed.places = append(failed.places, fmt.Sprintf("%s:%s", filepath.Clean(path), m[2]))
	}
	return failed
}

// command runs a program and returns its output.
func command(name string, arguments ...string) ([]byte, error) {
	var errors bytes.Buffer
	c := exec.Command(name, arguments...)
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(arguments, " "), err, errors.String())
	}
	return out, nil
}
