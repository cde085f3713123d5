package luatest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind"
)

var covered = []luabind.CoveredFile{
	{Name: "a<b>&\"c\".lua", Source: "local x = 1 < 2\r\nif x then\n\nend -- </pre><script>", Lines: []luabind.CoveredLine{{Number: 1, Count: 3}, {Number: 2, Count: 0}}},
	{Name: "big.lua", Uncounted: true},
	{Name: "é.lua", Lines: []luabind.CoveredLine{{Number: 1}, {Number: 3}, {Number: 5, Count: 1}, {Number: 9}}},
}

func TestCoverageTable(t *testing.T) {
	var b strings.Builder
	if err := WriteCoverage(&b, covered); err != nil {
		t.Fatal(err)
	}
	want := `coverage       lines     ran           not run
a<b>&"c".lua       2       1   50.0 %  2
big.lua            -       -           not counted: the file is too large
é.lua              4       1   25.0 %  1-3, 9
all files          6       2   33.3 %
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := WriteCoverage(&b, nil); err != nil || b.String() != "coverage: the tests ran no Lua file\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if got := share(9999, 10000); got != "99.9 %" {
		t.Error(got)
	}
}

func TestLCOV(t *testing.T) {
	var b strings.Builder
	if err := WriteLCOV(&b, covered); err != nil {
		t.Fatal(err)
	}
	want := "TN:\nSF:a<b>&\"c\".lua\nDA:1,3\nDA:2,0\nLF:2\nLH:1\nend_of_record\nTN:\nSF:é.lua\nDA:1,0\nDA:3,0\nDA:5,1\nDA:9,0\nLF:4\nLH:1\nend_of_record\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	files, err := ReadLCOV(strings.NewReader(b.String() + b.String()))
	if err != nil || len(files) != 2 || files[0].Lines[0].Count != 6 || len(files[1].Lines) != 4 {
		t.Errorf("%+v, %v", files, err)
	}
	for text, want := range map[string]string{
		"SF:a\nDA:1,1\n":         `the record of "a" has no end_of_record`,
		"SF:a\nSF:b\n":           "line 2: SF inside of a record; end_of_record is missing",
		"DA:1,1\n":               "line 1: DA before SF",
		"SF:a\nDA:0,1\n":         "line 2: DA:0,1 has no line number",
		"SF:a\nDA:1,-1\n":        "line 2: DA:1,-1 has no count",
		"SF:a\nDA:1\n":           "line 2: DA:1 is not DA:LINE,COUNT",
		"end_of_record\n":        "line 1: end_of_record before SF",
		"<html>\n":               "there is no record of a file; is it an LCOV trace?",
		strings.Repeat("x", 2e6): "bufio.Scanner: token too long",
	} {
		if _, err := ReadLCOV(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// The page is well-formed, and nothing of a file becomes markup.
func TestCoverageHTML(t *testing.T) {
	var b strings.Builder
	if err := WriteCoverageHTML(&b, covered); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		`<span class="ran"><i>1</i><i>3</i>local x = 1 &lt; 2</span>`, `<span class="not"><i>2</i><i>0</i>if x then</span>`,
		`<span class="none"><i>4</i><i></i>end -- &lt;/pre&gt;&lt;script&gt;</span>`, `a&lt;b&gt;&amp;`, "<td>é.lua</td>", "33.3 %",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	d := xml.NewDecoder(strings.NewReader(strings.Replace(page, "<!DOCTYPE html>", "", 1)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "http") {
		t.Error("the page has scripts or needs something from outside")
	}
}
