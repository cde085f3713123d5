package worldfile

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The values of a file of a layer are the first ones of a run: others need a restart, and the same ones do not.
func TestReloadOfALayerFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func() *config.Config {
		t.Helper()
		c, err := config.Load(filepath.Join(dir, "world.yaml"), config.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write("world.yaml", "version: 1\nlayers: [{ name: h, type: f32, file: h.csv }]\n")
	write("h.csv", "1,2\n3,4\n")
	in := load()
	rt, problems := New(in, luabind.Options{})
	if len(problems) > 0 || rt.Load() != nil || rt.Start(context.Background()) != nil {
		t.Fatal(problems)
	}
	for _, step := range []struct {
		text    string
		restart []string
	}{
		{"1,2\n3,4\n", nil},
		{"1,2\n3,5\n", []string{"layers.h.file"}},
		{"1,2\n3,4\n", nil},
	} {
		write("h.csv", step.text)
		now, _, restart, err := Reload(context.Background(), rt, in, load())
		if err != nil || !slices.Equal(restart, step.restart) {
			t.Errorf("%q: restart needed: %v, error %v", step.text, restart, err)
		}
		in = now
	}
}
