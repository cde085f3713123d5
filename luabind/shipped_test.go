package luabind_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/ecs/native"
	"github.com/ecsrun/ecsrun/luabind"
)

// The shipped worlds are the same after every frame whether their loops are
// rewritten or not.
func TestShippedLoops(t *testing.T) {
	var inLua []string
	for name := range native.Systems() {
		inLua = append(inLua, "--set", "systems."+name+".impl=lua")
	}
	arena := append([]string{"run", "../config/arena.yaml", "--quiet", "--hash-every", "1", "--set", "resources.units=200"}, inLua...)
	for _, args := range [][]string{arena, append(slices.Clone(arena), "--seed", "5"), {"run", "../config/tutorial.yaml", "--quiet", "--hash-every", "1"}} {
		run := func(plain bool) string {
			luabind.SetPlainLoops(plain)
			defer luabind.SetPlainLoops(false)
			var stdout, stderr bytes.Buffer
			if code := app.Main(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
				t.Fatalf("exit code %d\n%s", code, stderr.String())
			}
			return stdout.String()
		}
		if want, got := run(true), run(false); got != want || !strings.Contains(want, "digest 3 ") {
			t.Errorf("%v: as written\n%s\nrewritten\n%s", args, want, got)
		}
	}
}
