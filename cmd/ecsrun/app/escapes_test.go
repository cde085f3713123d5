package app

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostileTexts are what names and messages of scripts may contain.
var hostileTexts = map[string]string{
	"escape":   `\27[2J\27]0;owned\7`,
	"return":   `\rgone`,
	"zero":     `a\0b`,
	"bytes":    `\255\254\200`,
	"cdata":    `]]><x/>&amp;<!--`,
	"workflow": `\n::error file=x::owned%0A`,
	"quotes":   `\"'` + "`" + `\\`,
	"lines":    `one\ntwo\r\nthree`,
	"c1":       `\194\155 2J`,
	"bidi":     `\226\128\174 txt`,
}

// Names and messages of scripts may contain any bytes. No output of the program lets them control a terminal, and what
// machines read stays well-formed.
func TestOutputsStayWellFormed(t *testing.T) {
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				t.Helper()
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return path
			}
			write("bad.lua", "local ecs = require(\"ecs\")\nreturn function(world) ecs.log.warn(\""+text+"\", { key = \""+text+"\" }) error(\""+text+"\") end")
			write("says.lua", "return function(world) world:send(\"Said\", { text = \""+text+"\" }) end")
			write("typo.lua", "return function(world) world:get(1, \""+text+"\") end")
			config := write("world.yaml", "version: 1\nscripts: .\nrun: { frames: 2 }\nlimits: { on_error: skip }\nevents: [{ name: Said, fields: [text string] }]\nsystems: [{ name: bad, script: bad.lua }, { name: says, script: says.lua }]\n")
			wrong := write("wrong.yaml", "version: 1\nscripts: .\nsystems: [{ name: typo, script: typo.lua }]\n")
			tests := write("a_test.lua", "describe(\""+text+"\", function() it(\""+text+"\", function() error(\""+text+"\") end) it(\"compares "+text+"\", function() assert.equal(\""+text+"\", 1) end) end)")
			junit, emitted := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "emitted.jsonl")
			for _, c := range []struct {
				args []string
				read func([]byte) error // a strict reader of stdout; nil for text
			}{
				{[]string{"run", config}, nil},
				{[]string{"run", config, "--set", "log.format=json"}, nil},
				{[]string{"run", config, "--set", "limits.on_error=stop"}, nil},
				{[]string{"run", config, "--emit", "Said", "--emit-to", emitted}, nil},
				{[]string{"check", wrong}, nil},
				{[]string{"check", wrong, "--format", "json"}, readJSONText},
				{[]string{"check", wrong, "--format", "sarif"}, readJSONText},
				{[]string{"check", wrong, "--format", "github"}, readGitHub},
				{[]string{"explain", config}, nil},
				{[]string{"test", tests}, nil},
				{[]string{"test", "--tap", tests}, nil},
				{[]string{"test", "--json", tests}, readJSONText},
				{[]string{"test", "--junit", junit, tests}, nil},
			} {
				var out, err bytes.Buffer
				code := Main(c.args, strings.NewReader(""), &out, &err)
				if want := map[string]int{"run": 4, "check": 2, "explain": 0, "test": 1}[c.args[0]]; code != want {
					t.Errorf("%q ends with %d, want %d: %s%s", c.args, code, want, &out, &err)
				}
				if out.Len()+err.Len() == 0 {
					t.Errorf("%q says nothing", c.args)
				}
				if strings.HasSuffix(c.args[len(c.args)-1], "=json") { // for machines
					for line := range bytes.Lines(err.Bytes()) {
						if bytes.HasPrefix(line, []byte("{")) && readJSONText(line) != nil {
							t.Errorf("%q writes %q", c.args, line)
						}
					}
					continue
				}
				shown := append(out.Bytes(), err.Bytes()...)
				for _, r := range string(shown) {
					if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
						t.Errorf("%q writes the control character %U: %q", c.args, r, shown)
						break
					}
				}
				if c.read != nil {
					if e := c.read(out.Bytes()); e != nil {
						t.Errorf("%q: %v in %q", c.args, e, out.Bytes())
					}
				}
			}
			for path, read := range map[string]func([]byte) error{junit: readXML, emitted: readJSONText} {
				b, err := os.ReadFile(path)
				if err == nil {
					err = read(b)
				}
				if err != nil {
					t.Errorf("%s: %v in %q", filepath.Base(path), err, b)
				}
			}
		})
	}
}

// readJSONText reads JSON values until the end; there must be valid UTF-8 only.
func readJSONText(b []byte) error {
	if !utf8.Valid(b) {
		return io.ErrUnexpectedEOF
	}
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readXML reads a whole document.
func readXML(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readGitHub accepts workflow commands that the program writes itself.
func readGitHub(b []byte) error {
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "::error file=x") {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}
