package luabind_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/config"
)

// The shipped worlds are the same after every frame whether their loops are
// interpreted or compiled.
func TestShippedKernels(t *testing.T) {
	for file, flags := range map[string][]string{"arena": {"--set", "resources.units=200", "--frames", "60"}, "tutorial": nil} {
		path := "../config/" + file + ".yaml"
		listed := func(command ...string) string {
			var stdout, stderr bytes.Buffer
			if code := app.Main(command, strings.NewReader(""), &stdout, &stderr); code != 0 {
				t.Fatalf("%v: exit code %d\n%s", command, code, stderr.String())
			}
			return stdout.String()
		}
		digests := func(impl string) string {
			command := append([]string{"run", path, "--quiet", "--hash-every", "1"}, flags...)
			for _, name := range scripted(t, path) {
				command = append(command, "--set", "systems."+name+".impl="+impl)
			}
			return listed(command...)
		}
		want := digests("lua")
		for _, impl := range []string{"closures", "auto"} {
			if got := digests(impl); got != want || !strings.Contains(want, "digest 3 ") {
				t.Errorf("%s: interpreted\n%s\n%s\n%s", file, want, impl, got)
			}
		}
	}
}

// scripted lists the systems of a config that have a script.
func scripted(t *testing.T, path string) (out []string) {
	c, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Systems {
		if s.Script != "" {
			out = append(out, s.Name)
		}
	}
	return out
}
