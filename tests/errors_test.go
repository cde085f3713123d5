package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The functions whose string arguments are messages, and the files in which messages are put together with Sprintf.
var (
	messageFunctions = []string{"Errorf", "New", "RaiseError", "Raisef", "usageError", "fail", "add", "loadError", "Problem", "raise", "failf", "wrong", "refused"}
	messageFiles     = []string{"luabind/internal/host/surface/names.go", "luabind/internal/lua/sandbox/text.go", "luabind/internal/lua/sandbox/env.go", "luabind/internal/lua/syntax/hint.go"}
	messageFolders   = []string{"luabind/internal/host/surface", "luabind/internal/lua/sandbox", "luabind/internal/lua/syntax", "luabind/internal/load/script", "luabind/luatest", "luabind", "config", "cmd/ecsrun/app", "cmd/ecsrun/app/control", "cmd/ecsrun/app/folderlock", "cmd/ecsrun/app/inspector", "cmd/ecsrun/app/query", "ecs", "ecs/native"}
)

// Messages that no page has to explain, by file or by words, with the reason.
var unexplained = map[string]string{
	"luabind/report_errors.go": "the texts of error values, which are listed under In Go",
	"luabind/save_copy":        "copies in Go",
	"Restore after Start":      "restoring in Go",
	"name one, as in":          "a hint",
	"a pipe or a device":       "a hint",
	"write KEY=VALUE":          "a hint",
	"ecs/check.go":             "World.Check: broken invariants, which are bugs",
	"ecs/waitcheck.go":         "World.Check",
	"ecs/prefabstate.go":       "World.Check, damaged files, restoring worlds in Go",
	"ecs/indexcheck.go":        "World.Check",
	"ecs/relationcheck.go":     "World.Check",
	"ecs/forest.go":            "World.Check",
	"ecs/copy":                 "copying worlds in Go",
	"ecs/save":                 "saving worlds in Go",
	"ecs/adopt":                "taking over the state of a world with other declarations: docs/embedding.md",
	"ecs/load":                 "what is wrong in a damaged file: the message begins with damaged snapshot",
	"ecs/restore":              "restoring worlds in Go",
	"ecs/schedulestate.go":     "restoring schedules in Go",
	"ecs/declarations.go":      "restoring worlds in Go",
	"ecs/reschedule.go":        "changing schedules in Go",
	"ecs/schedule.go":          "building schedules in Go; package config says it before",
	"ecs/order.go":             "building schedules in Go; package config says it before",
	"ecs/gotype.go":            "components that Go declares",
	"ecs/parallel":             "parallel walks in Go",
	"ecs/cursor":               "cursors in Go",
	"ecs/step.go":              "loops of native systems in Go",
	"ecs/query.go":             "queries in Go",
	"ecs/system.go":            "native systems in Go",
	"ecs/typedevent.go":        "events that Go declares",
	"ecs/component.go":         "components that Go declares",
	"ecs/data.go":              "values that Go stores",
	"config/suggest":           "no messages of its own",
	"luabind/luatest/coverage": "reading LCOV files",
	"luabind/luatest/lcov":     "reading LCOV files",
	"EditInFrame":              "edits in Go",
	"no random stream":         "only in environments that programs make",
}

// TestMessagesAreExplained: each message that a modder can see contains a phrase of docs/errors.md, between backticks in
// the first column of a table under "All messages"; and each phrase is in some message. A message is a string with a
// space in it, without what is put into it.
func TestMessagesAreExplained(t *testing.T) {
	page, err := os.ReadFile("../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "\n## All messages\n")
	list, _, _ = strings.Cut(list, "\n## ")
	var phrases []string
	for line := range strings.Lines(list) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| message") {
			continue
		}
		for _, m := range regexp.MustCompile("``? ?(.+?) ?``?(?:$|,| )").FindAllStringSubmatch(strings.TrimPrefix(cells[0], "| "), -1) {
			phrases = append(phrases, m[1])
		}
		if strings.TrimSpace(cells[1]) == "" || strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(cells[2]), "|")) == "" {
			t.Errorf("no cause or no remedy: %s", line)
		}
	}
	if len(phrases) < 60 {
		t.Fatalf("only %d phrases", len(phrases))
	}
	verbs := regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]`)
	found, everything := messages(t)
	for _, m := range found {
		pieces := verbs.Split(m.text, -1)
		explained := false
		for _, p := range phrases {
			if slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(piece, p) }) {
				explained = true
			}
		}
		for where := range unexplained {
			explained = explained || strings.HasPrefix(m.file, where) || strings.Contains(m.text, where)
		}
		if !explained {
			t.Errorf("%s: docs/errors.md does not explain %q", m.file, m.text)
		}
	}
	for _, p := range phrases {
		if !strings.Contains(everything, p) {
			t.Errorf("docs/errors.md explains %q, which no message has", p)
		}
	}
}

// TestErrorValuesAreExplained: docs/errors.md lists each exported error value and error type.
func TestErrorValuesAreExplained(t *testing.T) {
	page, err := os.ReadFile("../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"ecs", "luabind", "config"} {
		goFiles(t, folder, func(_ string, f *ast.File) {
			for _, d := range f.Decls {
				d, ok := d.(*ast.GenDecl)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						if strings.HasPrefix(name.Name, "Err") && !strings.Contains(string(page), "`"+f.Name.Name+"."+name.Name+"`") {
							t.Errorf("docs/errors.md does not list %s.%s", f.Name.Name, name.Name)
						}
					}
				}
			}
		})
	}
}

type message struct{ file, text string }

// wraps recognizes a text that only says what another message is about, or adds a suggestion to one.
var wraps = regexp.MustCompile(`: %w$|^%w|^;|^%s;|^:|^ and |^%s \(looking for|^%s (?:%q|id %d) is %w$|^ecs: `)

// messages returns the strings that become messages, and all strings, each on a line.
func messages(t *testing.T) (out []message, everything string) {
	t.Helper()
	var all strings.Builder
	for _, folder := range messageFolders {
		goFiles(t, folder, func(file string, f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					all.WriteString(text + "\n")
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := ""
				switch fn := call.Fun.(type) {
				case *ast.Ident:
					name = fn.Name
				case *ast.SelectorExpr:
					name = fn.Sel.Name
				}
				if !slices.Contains(messageFunctions, name) && (name != "Sprintf" || !slices.Contains(messageFiles, file)) {
					return true
				}
				for i, arg := range call.Args {
					lit, ok := arg.(*ast.BasicLit)
					hint := (name == "add" || name == "Problem") && i >= 2 && i == len(call.Args)-1
					operation := name == "fail" && i == 0
					if !ok || lit.Kind != token.STRING || hint || operation {
						continue
					}
					text, err := strconv.Unquote(lit.Value)
					if err == nil && strings.Contains(strings.TrimSpace(text), " ") && !wraps.MatchString(text) {
						out = append(out, message{file, text})
					}
				}
				return true
			})
		})
	}
	return out, all.String()
}

// goFiles calls do for the Go files of a folder without tests.
func goFiles(t *testing.T, folder string, do func(file string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", folder), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != filepath.Join("..", folder) && folder != "config":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel("..", path)
		do(filepath.ToSlash(name), f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
