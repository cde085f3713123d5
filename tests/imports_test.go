// Package tests holds what crosses packages: who may import whom, repeatable runs, and the documents' own snippets.
package tests

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/ecsrun/ecsrun"

// TestImports holds the arrows of ARCHITECTURE.md: for each package, the packages outside the standard library it may import.
func TestImports(t *testing.T) {
	allowed := map[string][]string{
		module:                                      {}, // the top folder: the shipped worlds
		"ecs":                                       {"ecs/snapfile"},
		"ecs/snapfile":                              {},
		"ecs/internal/gen":                          {},
		"ecs/native":                                {"ecs"},
		"ecs/portable":                              {},
		"config/suggest":                            {},
		"config/condition":                          {},
		"config/files":                              {},
		"config":                                    {"config/condition", "config/files", "config/suggest", "ecs", "github.com/spf13/viper", "github.com/go-viper/", "github.com/pelletier/go-toml/", "github.com/goccy/go-yaml", "go.yaml.in/yaml/", "github.com/Masterminds/semver/"},
		"luabind/internal/syntax":                   {"github.com/yuin/gopher-lua/ast", "github.com/yuin/gopher-lua/parse"},
		"luabind/internal/api":                      {},
		"luabind/internal/interp":                   {"ecs", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/sandbox":                  {"config/suggest", "ecs", "ecs/portable", "luabind/internal/interp", "luabind/internal/syntax", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/heap":                     {"ecs", "luabind/internal/interp", "luabind/internal/syntax", "github.com/yuin/gopher-lua"},
		"luabind/internal/surface":                  {"config/suggest", "ecs", "luabind/internal/api", "luabind/internal/interp", "luabind/internal/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/ir":                       {"ecs"},
		"luabind/internal/lower":                    {"ecs", "luabind/internal/api", "luabind/internal/ir", "luabind/internal/sandbox", "luabind/internal/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/kernel":                   {"ecs", "luabind/internal/ir"},
		"luabind/internal/draft":                    {"ecs", "luabind/internal/interp", "luabind/internal/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/closures":                 {"ecs", "luabind/internal/draft", "luabind/internal/interp", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/machine":                  {"ecs", "luabind/internal/closures", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/machine/abi", "luabind/internal/machine/emit", "luabind/internal/machine/engine", "luabind/internal/machine/frame", "luabind/internal/machine/memory", "luabind/internal/machine/packing", "luabind/internal/machine/selfcheck", "luabind/internal/machine/wasm", "luabind/internal/machine/watch", "luabind/internal/sandbox", "luabind/internal/without", "github.com/tetratelabs/wazero"},
		"luabind/internal/machine/memory":           {"ecs", "golang.org/x/sys"},
		"luabind/internal/machine/engine":           {"luabind/internal/machine/abi", "luabind/internal/machine/memory", "luabind/internal/machine/wasm", "github.com/tetratelabs/wazero"},
		"luabind/internal/machine/selfcheck":        {"ecs", "luabind/internal/closures", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/machine/abi", "luabind/internal/machine/memory", "luabind/internal/sandbox"},
		"luabind/internal/machine/frame":            {"ecs", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/machine/abi", "luabind/internal/machine/memory", "luabind/internal/sandbox"},
		"luabind/internal/machine/watch":            {"ecs", "luabind/internal/closures", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/machine/abi", "luabind/internal/machine/analysis", "luabind/internal/machine/frame"},
		"luabind/internal/machine/emit":             {"ecs", "luabind/internal/ir", "luabind/internal/machine/abi", "luabind/internal/machine/analysis", "luabind/internal/machine/memory", "luabind/internal/machine/packing", "luabind/internal/machine/scalar"},
		"luabind/internal/machine/packing":          {"ecs", "luabind/internal/ir", "luabind/internal/machine/abi", "luabind/internal/machine/analysis", "luabind/internal/machine/scalar", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/scalar":           {"ecs", "luabind/internal/ir", "luabind/internal/machine/abi", "luabind/internal/machine/analysis", "luabind/internal/machine/fieldcode", "luabind/internal/machine/mathfn", "luabind/internal/machine/nearby", "luabind/internal/machine/pcg", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/analysis":         {"ecs", "luabind/internal/ir", "luabind/internal/machine/abi"},
		"luabind/internal/machine/nearby":           {"ecs", "luabind/internal/ir", "luabind/internal/machine/abi", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/pcg":              {"ecs", "luabind/internal/machine/abi", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/fieldcode":        {"ecs", "luabind/internal/machine/abi", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/abi":              {"ecs", "luabind/internal/ir", "luabind/internal/machine/wasm"},
		"luabind/internal/machine/wasm":             {"luabind/internal/machine/mathfn"},
		"luabind/internal/machine/mathfn":           {},
		"luabind/internal/machine/mathfn/gen":       {"luabind/internal/machine/mathfn/source"},
		"luabind/internal/machine/mathfn/source":    {"luabind/internal/machine/mathfn/translate"},
		"luabind/internal/machine/mathfn/translate": {},

		"luabind/internal/casetest": {"ecs"},
		"luabind/internal/without":  {},
		"luabind/internal/loops":    {"ecs", "luabind/internal/closures", "luabind/internal/interp", "luabind/internal/ir", "luabind/internal/kernel", "luabind/internal/lower", "luabind/internal/sandbox", "luabind/internal/surface", "luabind/internal/syntax", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/coverage": {"luabind/internal/interp", "luabind/internal/sandbox", "luabind/internal/syntax", "github.com/yuin/gopher-lua"},
		"luabind/internal/alias":    {"ecs", "luabind/internal/surface", "luabind/internal/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/lint":     {"ecs", "luabind/internal/alias", "luabind/internal/api", "luabind/internal/surface", "luabind/internal/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/script":   {"config/suggest", "ecs", "luabind/internal/alias", "luabind/internal/api", "luabind/internal/coverage", "luabind/internal/loops", "luabind/internal/sandbox", "luabind/internal/surface", "luabind/internal/syntax", "github.com/yuin/gopher-lua"},

		"luabind":           {"config/condition", "config/suggest", "ecs", "ecs/snapfile", "luabind/internal/", "github.com/yuin/gopher-lua"},
		"luabind/luatypes":  {"ecs", "luabind/internal/api", "luabind/internal/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/worldfile": {"config", "config/files", "ecs", "luabind"},
		"luabind/inputs":    {"config/suggest", "ecs"},
		"luabind/record":    {},
		"luabind/luatest":   {"config/suggest", "ecs", "luabind", "luabind/internal/", "github.com/yuin/gopher-lua", "github.com/google/go-cmp/"},
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}|{{join .Imports \" \"}}", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		pkg, imports, _ := strings.Cut(line, "|")
		pkg = strings.TrimPrefix(pkg, module+"/")
		rules, ruled := allowed[pkg]
		if !ruled {
			if !strings.HasPrefix(pkg, "cmd/") && !strings.HasPrefix(pkg, "tests") {
				t.Errorf("package %s has no rule here: add it to ARCHITECTURE.md and to this list", pkg)
			}
			continue
		}
		for _, path := range strings.Fields(imports) {
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
				continue // standard library
			}
			local := strings.TrimPrefix(path, module+"/")
			ok := false
			for _, rule := range rules {
				// A rule of ours names one package unless it ends in a slash; a foreign one names a module and all in it.
				foreign := local == path && strings.HasPrefix(path, strings.TrimSuffix(rule, "/")+"/")
				ok = ok || local == rule || foreign || (strings.HasSuffix(rule, "/") && strings.HasPrefix(local, rule))
			}
			if !ok {
				t.Errorf("package %s imports %s, which ARCHITECTURE.md does not allow", pkg, path)
			}
		}
	}
}
