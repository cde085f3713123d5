package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What each format becomes.
func TestReadData(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"csv":              {"a.csv", "kind,n\norc,3\nelf,-.5\n", `{{kind = "orc", n = 3}, {kind = "elf", n = -0.5}}`},
		"csv as Windows":   {"a.CSV", "\ufeffkind,n\r\n\"a \"\"b\"\", c\",1e2\r\n", `{{kind = "a \"b\", c", n = 100}}`},
		"cells":            {"a.csv", "a,b,c,d,e,f\n007,\"7\",0x10, 7,+7,5.\n", `{{a = 7, b = "7", c = "0x10", d = " 7", e = "+7", f = 5}}`},
		"empty cells":      {"a.csv", "a,b\n,\"\"\n,\n", `{{b = ""}, {}}`},
		"several lines":    {"a.csv", "a,b\n\"x\ny\",1\n\n2,3", `{{a = "x\ny", b = 1}, {a = 2, b = 3}}`},
		"no rows":          {"a.csv", "a,b\n", `{}`},
		"json":             {"a.json", `{ "list": [1, [], { "x": null, "y": true }], "s": "7" }`, `{list = {1, {}, {y = true}}, s = "7"}`},
		"a number":         {"a.json", "-7e1", "-70"},
		"yaml":             {"a.yaml", "a: [0x10, 1_000, .inf, text, 2026-01-02]\nb: { 1: x }\n", `{a = {16, 1000, +Inf, "text", "2026-01-02"}, b = {["1"] = "x"}}`},
		"toml":             {"a.toml", "z = 1\n[t]\nx = 'y'\n[[l]]\nn = 1\n[[l]]\nn = 2\n", `{l = {{n = 1}, {n = 2}}, t = {x = "y"}, z = 1}`},
		"text":             {"a.txt", "one\r\n\n three", `{"one", "", " three"}`},
		"text that ends":   {"a.txt", "one\n", `{"one"}`},
		"text of no lines": {"a.txt", "", `{}`},
	} {
		v, err := ReadData(c.file, c.text)
		if err != nil || v.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", name, v, err, c.want)
		}
	}
}

// What is wrong with a file has its place.
func TestWrongData(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.csv", "", "a.csv:1:1: the file has no header; begin with the names of the columns, as in kind,count"},
		{"a.csv", "a,b,a\n1,2,3\n", `a.csv:1:5: the columns 1 and 3 are both called "a"; give each column a name of its own`},
		{"a.csv", "ä,,b\n", "a.csv:1:3: column 2 has no name; give each column a name"},
		{"a.csv", "a,b\r\n1,2\r\n\"x\r\ny\"\r\n", "a.csv:3:1: the row has 1 cells, and the header has 2; write as many cells as the header has; an empty cell is nil"},
		{"a.csv", "a,b\nü,2,3\n", "a.csv:2:5: the row has 3 cells, and the header has 2; write as many cells as the header has; an empty cell is nil"},
		{"a.csv", "a\n\"x\"y\n", `a.csv:2:3: extraneous or missing " in quoted-field; write a quote inside of quotes twice, as in "a ""b"" c"`},
		{"a.csv", "a,b\n1,1e999\n", "a.csv:2:3: 1e999 is too large for a number; put it in quotes"},
		{"a.json", `{ "a": 1, "a": 2 }`, `a.json:1:11: the key "a" is written twice; keep this one or that of line 1`},
		{"a.json", "[1,\n null]", "a.json:2:2: a list has no place for nothing; leave the item out, or write false"},
		{"a.json", "[1,]", "a.json:1:4: invalid character ']' looking for beginning of value; look for a comma too many, or quotes that are missing"},
		{"a.json", strings.Repeat("[", 40) + strings.Repeat("]", 40), "a.json:1:34: nested too deeply; at most 32 levels are read"},
		{"a.yaml", "# nothing\n", "a.yaml: the file is empty; write a list or a table"},
		{"a.yaml", "a: 1\n---\nb: 2\n", `a.yaml:2:1: a second document begins here; a data file is one document; drop the "---"`},
		{"a.yaml", "a: &x 1\n", "a.yaml:1:4: YAML anchors and aliases are not supported; write the value out"},
		{"a.yaml", "a: 010\n", `a.yaml:1:4: "010" is no number here; put it in quotes, or write a number without leading zeros`},
		{"a.toml", "a = 1\na = 2\n", "a.toml:2:1: key a is already defined; define it once"},
		{"a.txt", "x\n\xff", "a.txt:2:1: not UTF-8 text; save the file as UTF-8"},
	} {
		_, err := ReadData(c.file, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %.20q: %v\nwant %s", c.file, c.text, err, c.want)
		}
	}
}

// Two mods may name the same data file if it has the same content; otherwise the problem shows both.
func TestDataFilesOfMods(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"c.yaml":       "version: 1\nmods: [a, b]\n",
		"mods/a/d.csv": "n\n1\n", "mods/b/e.csv": "n\n1\n",
		"mods/a/mod.yaml": "name: a\nversion: 1.0.0\ndata: [{ name: waves, file: d.csv }]\n",
		"mods/b/mod.yaml": "name: b\nversion: 1.0.0\ndata: [{ name: waves, file: e.csv }]\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	c, err := Load("c.yaml", Overrides{})
	if err != nil || len(c.Data) != 1 || c.Data[0].File != filepath.FromSlash("mods/a/d.csv") || c.Mods[0].Adds.Data != 1 || c.Mods[1].Adds.Data != 0 {
		t.Errorf("alike: %+v, %v", c, err)
	}
	if err := os.WriteFile("mods/b/e.csv", []byte("n\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := filepath.FromSlash("mods/b/mod.yaml:3:8: mods.b.data[0]: the data file \"waves\" is mods/b/e.csv here, which has another content than mods/a/d.csv at mods/a/mod.yaml:3:8; make them alike, or rename one of them")
	if _, err := Load("c.yaml", Overrides{}); err == nil || err.Error() != want {
		t.Errorf("unlike: %v\nwant %s", err, want)
	}
}
