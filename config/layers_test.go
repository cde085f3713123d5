package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layerFrom reads a layer with a file in a folder of its own.
func layerFrom(t *testing.T, layer, file, text string, set ...string) (Layer, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"c.yaml": "version: 1\nlayers:\n  - { name: ground, " + layer + " }\n", file: text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	c, err := Load("c.yaml", Overrides{Set: set})
	if err != nil {
		return Layer{}, err
	}
	return c.Layers[0], nil
}

// A file gives a layer its size and its first values.
func TestFilesOfLayers(t *testing.T) {
	for _, c := range []struct {
		layer, file, text string
		width             int
		cells             []float64
	}{
		{"type: u8, file: g.csv", "g.csv", "1,2,3\n4,5,255\n", 3, []float64{1, 2, 3, 4, 5, 255}},
		{"type: f32, file: g.csv", "g.csv", "\ufeff0.5, -1e3\r\n\r\n\"2\", 3", 2, []float64{0.5, -1000, 2, 3}},
		{"type: bool, file: g.csv, width: 2", "g.csv", "true,false\n0,1\n", 2, []float64{1, 0, 0, 1}},
		{"type: u8, file: g.pgm, height: 2", "g.pgm", "P2 # a map\n2 2 # size\n9\n0 9\n# row\n3\t4", 2, []float64{0, 9, 3, 4}},
		{"type: u16, file: g.PGM", "g.PGM", "P5\n2 1\n65535\n\x01\x02\xff\xff", 2, []float64{258, 65535}},
		{"type: u8, file: g.pgm", "g.pgm", "P5 1 2 255\n\x0a\xff", 1, []float64{10, 255}},
	} {
		v, err := layerFrom(t, c.layer, c.file, c.text)
		if err != nil || v.Width != c.width || v.Height != len(c.cells)/c.width || !slices.Equal(v.Cells, c.cells) {
			t.Errorf("%q: %d × %d %v, %v", c.text, v.Width, v.Height, v.Cells, err)
		}
		if again, _, err := pgmCells(PlainPGM([]byte(c.text)), func(float64) error { return nil }); strings.HasPrefix(c.text, "P") && (err != nil || !slices.Equal(again, c.cells)) {
			t.Errorf("plain: %v, %v", again, err)
		}
	}
	for _, c := range []struct{ layer, file, text, want string }{
		{"type: u8, file: g.csv", "g.csv", "1,2\n3\n", "g.csv:2:1: layers[0].file: the row has 1 values, and the first row has 2"},
		{"type: u8, file: g.csv", "g.csv", "1,2\n3,256\n", "g.csv:2:3: layers[0].file: 256 does not fit u8 (0 to 255)"},
		{"type: u8, file: g.csv", "g.csv", "1,x\n", `g.csv:1:3: layers[0].file: number expected, got "x"`},
		{"type: u8, file: g.csv", "g.csv", "1,\"2\n", `extraneous or missing "`},
		{"type: u8, file: g.csv", "g.csv", "", "the file has no rows"},
		{"type: bool, file: g.csv", "g.csv", "2\n", "g.csv:1:1: layers[0].file: 2 is no boolean: write true or false, 1 or 0"},
		{"type: u8, file: g.csv, width: 3", "g.csv", "1,2\n", "c.yaml:3:5: layers[0].file: the layer has 3 × 1 cells, and g.csv has 2 × 1"},
		{"type: u8, file: h.csv", "g.csv", "1", `c.yaml:3:5: layers[0].file: there is no file "h.csv"; paths start from the folder of the config`},
		{"type: entity, file: g.csv", "g.csv", "1", "a layer of entities has no first values"},
		{"type: u8, file: g.pgm", "g.pgm", "P3 1 1 255 1", "no grey image"},
		{"type: u8, file: g.pgm", "g.pgm", "P2 2 1 255\n1", "the image ends early"},
		{"type: u8, file: g.pgm", "g.pgm", "P2 1 1 9\n\n10", "g.pgm:3:1: layers[0].file: 10 is more than 9"},
		{"type: u8, file: g.pgm", "g.pgm", "P2 1 1 999\n300", "300 does not fit u8"},
		{"type: u8, file: g.pgm", "g.pgm", "P5 4 1 255\nab", "the image ends early"},
		{"type: u8, file: g.pgm", "g.pgm", "P2 0 1 255\n", "a size of 0"},
	} {
		if _, err := layerFrom(t, c.layer, c.file, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v\nwant %s", c.layer, c.text, err, c.want)
		}
	}
	if _, err := Parse("c.yaml", []byte("version: 1\nlayers: [{ name: g, type: u8, file: g.csv }]"), YAML); err == nil || !strings.Contains(err.Error(), "parsed from memory") {
		t.Error(err)
	}
}

// --set reaches what a layer is.
func TestSettingsOfLayers(t *testing.T) {
	v, err := layerFrom(t, "type: u8, width: 2, height: 3", "x", "", "layers.ground.width=5", "layers.ground.wrap=true", "layers.ground.default=7", "layers.ground.height=4")
	if got := fmt.Sprint(v.Width, v.Height, v.Wrap, v.Default); err != nil || got != "5 4 true 7" {
		t.Error(got, err)
	}
	for set, want := range map[string]string{
		"layers.grund.width=5": `no layer "grund"; did you mean "ground"?`, "layers.ground=5": "no key of the layer", "layers.ground.type=u8": `unknown key "type"`,
		"layers.ground.width=0": "out of range", "layers.ground.wrap=5": "true or false expected", "layers.ground.default=x": "number expected",
	} {
		if _, err := layerFrom(t, "type: u8, width: 2, height: 3", "x", "", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
}

// What two mods declare alike is one layer; what differs is an error that shows both.
func TestLayersOfMods(t *testing.T) {
	a, b := Layer{Type: "u8", Width: 8, Height: 4, Default: 1.0}, Layer{Type: "u8", Written: "maps/g.csv", Wrap: true}
	if got := layerText(a) + " and " + layerText(b); got != "u8 of 8 × 4 = 1 and u8 from maps/g.csv, wrapped" {
		t.Error(got)
	}
}
