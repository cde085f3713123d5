package app

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/tests/effort"
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

// unescaped turns the escapes of hostileTexts into bytes.
var unescaped = strings.NewReplacer(`\27`, "\x1b", `\7`, "\a", `\r`, "\r", `\n`, "\n", `\0`, "\x00", `\255\254\200`, "\xff\xfe\xc8", `\"`, `"`, `\\`, `\`, `\194\155`, "\u009b", `\226\128\174`, "\u202e")

// Names and messages of scripts may contain any bytes. No output of the program lets them control a terminal, and what
// machines read stays well-formed.
func TestOutputsStayWellFormed(t *testing.T) {
	texts := hostileTexts
	if !effort.More() { // all of them in two
		texts = map[string]string{}
		for i, name := range slices.Sorted(maps.Keys(hostileTexts)) {
			texts[[]string{"even", "odd"}[i%2]] += hostileTexts[name] + " "
		}
	}
	for name, text := range texts {
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
			write("says.lua", "local kept = { \""+text+"\", [\""+text+"\"] = 1 }\nreturn function(world) kept[1] = kept[1] .. world.frame world:send(\"Said\", { text = \""+text+"\" }) world.resources.word = \""+text+"\" .. world.frame world:spawn{ Label = { text = \""+text+"\", more = { \""+text+"\" } } } end")
			write("typo.lua", "return function(world) world:get(1, \""+text+"\") end")
			config := write("world.yaml", "version: 1\nscripts: .\nrun: { frames: 2 }\nlimits: { on_error: skip }\ncomponents: [{ name: Label, fields: [text string, more table] }]\nresources: [{ name: word, type: string }]\nevents: [{ name: Said, fields: [text string] }]\nsystems: [{ name: bad, script: bad.lua }, { name: says, script: says.lua }]\n")
			wrong := write("wrong.yaml", "version: 1\nscripts: .\nsystems: [{ name: typo, script: typo.lua }]\n")
			tests := write("a_test.lua", "describe(\""+text+"\", function() it(\""+text+"\", function() error(\""+text+"\") end) it(\"compares "+text+"\", function() assert.equal(\""+text+"\", 1) end) end)")
			name := strconv.Quote(unescaped.Replace(text))
			named := write("named.yaml", "version: 1\nscripts: .\ntags: ["+name+"]\ncomponents: [{ name: "+name+", fields: ["+name+"] }]\nevents: [{ name: "+name+", fields: ["+name+" f64] }]\nsystems: [{ name: "+name+", script: "+name+", when: "+name+" }]\n"+name+": 1\n")
			write("covered\x1b]0;owned\x07\u009b2J\nSF.lua", "return function() end")
			ran := write("covers_test.lua", "local f = require(\"covered\\27]0;owned\\7\\194\\1552J\\nSF\") it(\""+text+"\", function() f() end)")
			lcov, saved, record, tables := filepath.Join(dir, "cov.info"), filepath.Join(dir, "saved"), filepath.Join(dir, "run.rec"), filepath.Join(dir, "tables")
			first, last := filepath.Join(saved, "frame-0000000001.snap"), filepath.Join(saved, "frame-0000000002.snap")
			junit, emitted := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "emitted.jsonl")
			for _, c := range []struct {
				args []string
				code int
				read func([]byte) error // a strict reader of stdout; nil for text
			}{
				{[]string{"run", config}, 4, nil},
				{[]string{"run", config, "--set", "log.format=json"}, 4, nil},
				{[]string{"run", config, "--set", "limits.on_error=stop"}, 4, nil},
				{[]string{"run", config, "--emit", "Said", "--emit-to", emitted}, 4, nil},
				{[]string{"check", wrong}, 2, nil},
				{[]string{"check", wrong, "--format", "json"}, 2, readJSONText},
				{[]string{"check", wrong, "--format", "sarif"}, 2, readJSONText},
				{[]string{"check", wrong, "--format", "github"}, 2, readGitHub},
				{[]string{"check", named}, 2, nil},
				{[]string{"check", named, "--format", "json"}, 2, readJSONText},
				{[]string{"check", named, "--format", "sarif"}, 2, readJSONText},
				{[]string{"check", named, "--format", "github"}, 2, readGitHub},
				{[]string{"run", named}, 2, nil},
				{[]string{"run", named, "--set", unescaped.Replace(text) + "=1"}, 2, nil},
				{[]string{"explain", config}, 0, nil},
				{[]string{"test", tests}, 1, nil},
				{[]string{"test", "--tap", tests}, 1, nil},
				{[]string{"test", "--json", tests}, 1, readJSONText},
				{[]string{"test", "--junit", junit, tests}, 1, nil},
				{[]string{"test", "--coverage", "--coverage-out", lcov, ran}, 0, nil},
				{[]string{"run", config, "--snapshot", saved, "--snapshot-every", "1"}, 4, nil},
				{[]string{"snapshot", "show", last}, 0, nil},
				{[]string{"snapshot", "show", last, "--json"}, 0, readJSONText},
				{[]string{"snapshot", "diff", first, last}, 1, nil},
				{[]string{"snapshot", "export", last, "--format", "jsonl", "--out", tables}, 0, nil},
				{[]string{"run", config, "--record", record}, 4, nil},
				{[]string{"replay", record}, 0, nil},
			} {
				var out, err bytes.Buffer
				code := Main(c.args, strings.NewReader(""), &out, &err)
				if code != c.code {
					t.Errorf("%q ends with %d, want %d: %s%s", c.args, code, c.code, &out, &err)
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
			for path, read := range map[string]func([]byte) error{junit: readXML, emitted: readJSONText, lcov: readLCOV, filepath.Join(tables, "Label.jsonl"): readJSONText} {
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

// readLCOV accepts lines of the form WORD:values, and one file.
func readLCOV(b []byte) error {
	if !bytes.Contains(b, []byte("/covered_]0;owned__2J_SF.lua\n")) {
		return fmt.Errorf("the covered file is missing")
	}
	for line := range strings.Lines(string(b)) {
		word, _, values := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if !values && word != "end_of_record" || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }) {
			return fmt.Errorf("a line %q", line)
		}
	}
	return nil
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
