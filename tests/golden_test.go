package tests

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

// TestGoldenDigests pins the worlds that ship: a change of these digests is a change of what existing scripts do. When it is meant, put the
// new ones here and say so in CHANGELOG.md.
func TestGoldenDigests(t *testing.T) {
	for _, golden := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "../config/tutorial.yaml"}, "90c87d0a242e8de726e02c5a686d130c"},
		{[]string{"run", "../config/arena.yaml", "--set", "resources.units=1000", "--frames", "120"}, "6d059f8036bcf9c12f45178c54b0aa47"},
	} {
		var out, diagnostics bytes.Buffer
		if code := app.Main(append(golden.args, "--hash", "--quiet"), strings.NewReader(""), &out, &diagnostics); code != 0 {
			t.Fatalf("%v: exit code %d: %s", golden.args, code, diagnostics.String())
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := lines[len(lines)-1]; got != "digest "+golden.want {
			t.Errorf("%v ends with %q, want digest %s", golden.args, got, golden.want)
		}
	}
}
