package tests

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/config"
)

// galleryDigests are the worlds of the gallery at their ends. docs/gallery.md holds what they print.
var galleryDigests = map[string]string{
	"bullets.yaml":     "f0f7363c33a50c8d78e061d522783bae",
	"crafting.yaml":    "4416d58cf6610f4d69e7077d2defcc80",
	"duel.yaml":        "524036922ae102ec52d80044e9d80259",
	"dungeon.yaml":     "da13a847e96b947b29b08950754e22fa",
	"epidemic.yaml":    "2a4a12d474d2f9913a9270c00c3732e5",
	"flock.yaml":       "b0f92d6b0aedcf334214554992c0b8cf",
	"fountain.yaml":    "cf7de96ae97bdd5767ec24d638107ca4",
	"guards.yaml":      "696857c05bb00d46b0c2f6a80920a559",
	"life.yaml":        "ea9cbd396fc7d55d5fba62c21df026c5",
	"predators.yaml":   "66de5a3c1a72ef3a9cfe987f8300c2cc",
	"segregation.yaml": "9aeb390d5b6564f3e5f954c2ed64cb2b",
	"tower.yaml":       "b8a32aec33ded059f3d7acce8ac8d785",
	"wires.yaml":       "1de06999566aca8ab8942bab1e84dccd",
	"wolves.yaml":      "e8d1b5e532fcd1769b2cc2dfc8b04af5",
}

// galleryFrames is where the implementations are compared, to the bit and to the line.
const galleryFrames = "80"

func TestGallery(t *testing.T) {
	files, err := filepath.Glob("../config/gallery/*.yaml")
	if err != nil || len(files) != len(galleryDigests) {
		t.Fatalf("%d worlds, %d digests, %v", len(files), len(galleryDigests), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			run := func(args ...string) string {
				t.Helper()
				var out, diagnostics bytes.Buffer
				if code := app.Main(append([]string{"run", file, "--quiet", "--hash"}, args...), strings.NewReader(""), &out, &diagnostics); code != 0 {
					t.Fatalf("%v: exit code %d: %s", args, code, diagnostics.String())
				}
				return out.String()
			}
			c, err := config.Load(file, config.Overrides{})
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(run()), "\n")
			if got, want := lines[len(lines)-1], "digest "+galleryDigests[filepath.Base(file)]; got != want {
				t.Errorf("it ends with %q, want %q", got, want)
			}
			var auto string
			for _, impl := range []string{config.ImplAuto, config.ImplClosures, config.ImplLua} {
				args := []string{"--frames", galleryFrames, "--hash-every", "1"}
				for _, s := range c.Systems {
					args = append(args, "--set", "systems."+s.Name+".impl="+impl)
				}
				got := run(args...)
				if impl == config.ImplAuto {
					auto = got
				} else if got != auto {
					t.Errorf("impl %s prints or computes something else than auto", impl)
				}
			}
		})
	}
}
