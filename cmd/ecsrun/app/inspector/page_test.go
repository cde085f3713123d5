package inspector

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// scripts returns the modules of the page by name.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(embedded, "page/*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	sources := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(embedded, name)
		if err != nil {
			t.Fatal(err)
		}
		sources[strings.TrimPrefix(name, "page/")] = string(text)
	}
	return sources
}

// TestScriptsAreSmall: the page's script is under 60 KB compressed.
func TestScriptsAreSmall(t *testing.T) {
	var n counter
	z, _ := gzip.NewWriterLevel(&n, gzip.BestCompression)
	for _, text := range scripts(t) {
		if _, err := io.WriteString(z, text); err != nil {
			t.Fatal(err)
		}
	}
	if z.Close(); n == 0 || n > 60<<10 {
		t.Errorf("the scripts of the page have %d bytes compressed", n)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// TestScriptsCanBeJoined: saved.js joins modules by their lines, so each import and export has the form that it knows, and no module
// needs itself.
func TestScriptsCanBeJoined(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^import \{([^}]*)\} from "\./([\w.-]+)";$`)
	export := regexp.MustCompile(`(?m)^export (?:async )?(?:class|function|const) (\w+)`)
	sources := scripts(t)
	exported := map[string]map[string]bool{}
	for name, text := range sources {
		exported[name] = map[string]bool{}
		for _, found := range export.FindAllStringSubmatch(text, -1) {
			exported[name][found[1]] = true
		}
	}
	var path []string
	var visit func(name string)
	visit = func(name string) {
		for _, before := range path {
			if before == name {
				t.Fatalf("%v needs itself", append(path, name))
			}
		}
		path = append(path, name)
		for _, found := range imports.FindAllStringSubmatch(sources[name], -1) {
			visit(found[2])
		}
		path = path[:len(path)-1]
	}
	for name, text := range sources {
		all := fmt.Sprint(strings.Count(text, "\nimport ") + strings.Count("\n"+text[:min(7, len(text))], "\nimport "))
		if known := fmt.Sprint(len(imports.FindAllString(text, -1))); known != all {
			t.Errorf("%s has %s imports, of which %s have the form that saved.js knows", name, all, known)
		}
		if n, all := len(export.FindAllString(text, -1)), strings.Count("\n"+text, "\nexport "); n != all {
			t.Errorf("%s has %d exports, of which %d have the form that saved.js knows", name, all, n)
		}
		for _, found := range imports.FindAllStringSubmatch(text, -1) {
			for one := range strings.SplitSeq(found[1], ",") {
				if one = strings.TrimSpace(one); one != "" && !exported[found[2]][one] {
					t.Errorf("%s imports %s of %s, which does not export it", name, one, found[2])
				}
			}
		}
		visit(name)
	}
}
