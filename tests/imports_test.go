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
		module:                                          {}, // the top folder: the shipped worlds
		"ecs":                                           {"ecs/snapfile"},
		"ecs/snapfile":                                  {},
		"ecs/internal/gen":                              {},
		"ecs/native":                                    {"ecs"},
		"ecs/portable":                                  {},
		"config/suggest":                                {},
		"config/condition":                              {},
		"config/files":                                  {},
		"config":                                        {"config/condition", "config/files", "config/suggest", "ecs", "github.com/spf13/viper", "github.com/go-viper/", "github.com/pelletier/go-toml/", "github.com/goccy/go-yaml", "go.yaml.in/yaml/", "github.com/Masterminds/semver/"},
		"luabind/internal/lua/syntax":                   {"github.com/yuin/gopher-lua/ast", "github.com/yuin/gopher-lua/parse"},
		"luabind/internal/host/api":                     {},
		"luabind/internal/lua/interp":                   {"ecs", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/lua/sandbox":                  {"config/suggest", "ecs", "ecs/portable", "luabind/internal/lua/interp", "luabind/internal/lua/syntax", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/host/heap":                    {"ecs", "luabind/internal/lua/interp", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua"},
		"luabind/internal/host/surface":                 {"config/suggest", "ecs", "luabind/internal/host/api", "luabind/internal/lua/interp", "luabind/internal/lua/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/compile/ir":                   {"ecs"},
		"luabind/internal/compile/lower":                {"ecs", "luabind/internal/host/api", "luabind/internal/compile/ir", "luabind/internal/lua/sandbox", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/run/kernel":                   {"ecs", "luabind/internal/compile/ir"},
		"luabind/internal/lua/draft":                    {"ecs", "luabind/internal/lua/interp", "luabind/internal/lua/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/run/closures":                 {"ecs", "luabind/internal/lua/draft", "luabind/internal/lua/interp", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/lua/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/internal/run/machine":                  {"ecs", "luabind/internal/run/closures", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/emit", "luabind/internal/run/machine/engine", "luabind/internal/run/machine/frame", "luabind/internal/run/machine/memory", "luabind/internal/run/machine/packing", "luabind/internal/run/machine/selfcheck", "luabind/internal/run/machine/wasm", "luabind/internal/run/machine/watch", "luabind/internal/lua/sandbox", "luabind/internal/without", "github.com/tetratelabs/wazero"},
		"luabind/internal/run/machine/memory":           {"ecs", "golang.org/x/sys"},
		"luabind/internal/run/machine/engine":           {"luabind/internal/run/machine/abi", "luabind/internal/run/machine/memory", "luabind/internal/run/machine/wasm", "github.com/tetratelabs/wazero"},
		"luabind/internal/run/machine/selfcheck":        {"ecs", "luabind/internal/run/closures", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/memory", "luabind/internal/lua/sandbox"},
		"luabind/internal/run/machine/frame":            {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/memory", "luabind/internal/lua/sandbox"},
		"luabind/internal/run/machine/watch":            {"ecs", "luabind/internal/run/closures", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/analysis", "luabind/internal/run/machine/frame"},
		"luabind/internal/run/machine/emit":             {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/analysis", "luabind/internal/run/machine/memory", "luabind/internal/run/machine/packing", "luabind/internal/run/machine/scalar"},
		"luabind/internal/run/machine/packing":          {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/analysis", "luabind/internal/run/machine/scalar", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/scalar":           {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/analysis", "luabind/internal/run/machine/fieldcode", "luabind/internal/run/machine/mathfn", "luabind/internal/run/machine/nearby", "luabind/internal/run/machine/pcg", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/analysis":         {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/abi"},
		"luabind/internal/run/machine/nearby":           {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/pcg":              {"ecs", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/fieldcode":        {"ecs", "luabind/internal/run/machine/abi", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/abi":              {"ecs", "luabind/internal/compile/ir", "luabind/internal/run/machine/wasm"},
		"luabind/internal/run/machine/wasm":             {"luabind/internal/run/machine/mathfn"},
		"luabind/internal/run/machine/mathfn":           {},
		"luabind/internal/run/machine/mathfn/gen":       {"luabind/internal/run/machine/mathfn/source"},
		"luabind/internal/run/machine/mathfn/source":    {"luabind/internal/run/machine/mathfn/translate"},
		"luabind/internal/run/machine/mathfn/translate": {},

		"luabind/internal/load":    {},
		"luabind/internal/run":     {},
		"luabind/internal/compile": {},
		"luabind/internal/host":    {},
		"luabind/internal/lua":     {},

		"luabind/internal/casetest":     {"ecs"},
		"luabind/internal/without":      {},
		"luabind/internal/run/loops":    {"ecs", "luabind/internal/run/closures", "luabind/internal/lua/interp", "luabind/internal/compile/ir", "luabind/internal/run/kernel", "luabind/internal/compile/lower", "luabind/internal/lua/sandbox", "luabind/internal/host/surface", "luabind/internal/lua/syntax", "luabind/internal/without", "github.com/yuin/gopher-lua"},
		"luabind/internal/lua/coverage": {"luabind/internal/lua/interp", "luabind/internal/lua/sandbox", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua"},
		"luabind/internal/host/alias":   {"ecs", "luabind/internal/host/surface", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/load/lint":    {"ecs", "luabind/internal/host/alias", "luabind/internal/host/api", "luabind/internal/host/surface", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua/ast"},
		"luabind/internal/load/script":  {"config/suggest", "ecs", "luabind/internal/host/alias", "luabind/internal/host/api", "luabind/internal/lua/coverage", "luabind/internal/run/loops", "luabind/internal/lua/sandbox", "luabind/internal/host/surface", "luabind/internal/lua/syntax", "github.com/yuin/gopher-lua"},

		"cmd/ecsrun/app/sweep/design":  {"config", "gonum.org/v1/gonum/stat/"},
		"cmd/ecsrun/app/sweep/plan":    {"cmd/ecsrun/app/sweep/design", "config"},
		"cmd/ecsrun/app/sweep/job":     {"cmd/ecsrun/app/sample", "config", "config/suggest", "ecs"},
		"cmd/ecsrun/app/sweep/joblog":  {"cmd/ecsrun/app/sweep/job", "cmd/ecsrun/app/sweep/plan"},
		"cmd/ecsrun/app/sweep/ledger":  {"cmd/ecsrun/app/sweep/joblog", "cmd/ecsrun/app/sweep/plan"},
		"cmd/ecsrun/app/sweep/stats":   {"cmd/ecsrun/app/sweep/job", "config/suggest", "gonum.org/v1/gonum/stat/"},
		"cmd/ecsrun/app/sweep/queue":   {"cmd/ecsrun/app/sweep/job", "github.com/nats-io/nats.go"},
		"cmd/ecsrun/app/sweep/results": {"cmd/ecsrun/app/plot", "cmd/ecsrun/app/sweep/job", "cmd/ecsrun/app/sweep/plan", "cmd/ecsrun/app/sweep/stats", "config"},

		"luabind":           {"config/condition", "config/suggest", "ecs", "ecs/snapfile", "luabind/internal/", "github.com/yuin/gopher-lua"},
		"luabind/luatypes":  {"ecs", "luabind/internal/host/api", "luabind/internal/lua/sandbox", "github.com/yuin/gopher-lua"},
		"luabind/worldfile": {"config", "config/files", "ecs", "luabind"},
		"luabind/inputs":    {"config/suggest", "ecs", "luabind"},
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
