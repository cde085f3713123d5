package luatest

import (
	"html/template"
	"io"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// This file writes coverage as one HTML page that needs no other file.

// WriteCoverageHTML writes the covered files as one page: a table, and the text of each file with the lines that ran
// and those that did not. A file without a text has only its row in the table.
func WriteCoverageHTML(w io.Writer, files []luabind.CoveredFile) error {
	var page struct {
		Files []htmlFile
		All   htmlFile
	}
	ran, lines := 0, 0
	for i := range files {
		f := &files[i]
		h := htmlFile{ID: i, Name: f.Name, Lines: len(f.Lines), Ran: f.Ran(), Uncounted: f.Uncounted}
		h.Share = share(h.Ran, h.Lines)
		ran, lines = ran+h.Ran, lines+h.Lines
		if f.Source != "" {
			h.Text = htmlLines(f)
		}
		page.Files = append(page.Files, h)
	}
	page.All = htmlFile{Lines: lines, Ran: ran, Share: share(ran, lines)}
	return coveragePage.Execute(w, page)
}

type htmlFile struct {
	ID         int
	Name       string
	Lines, Ran int
	Share      string
	Uncounted  bool
	Text       []htmlLine
}

type htmlLine struct {
	Number     int
	Executable bool
	Count      uint64
	Text       string
}

// Class returns the class that colours the line.
func (l htmlLine) Class() string {
	switch {
	case !l.Executable:
		return "none"
	case l.Count > 0:
		return "ran"
	}
	return "not"
}

func htmlLines(f *luabind.CoveredFile) []htmlLine {
	source := strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n").Replace(f.Source)
	var out []htmlLine
	for i, text := range strings.Split(strings.TrimSuffix(source, "\n"), "\n") {
		out = append(out, htmlLine{Number: i + 1, Text: text})
	}
	for _, l := range f.Lines {
		if l.Number <= len(out) {
			out[l.Number-1].Executable, out[l.Number-1].Count = true, l.Count
		}
	}
	return out
}

var coveragePage = template.Must(template.New("coverage").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage: {{.All.Share}}</title>
<style>
:root { color-scheme: light dark; }
body { font-family: sans-serif; margin: 2em; }
table.files { border-collapse: collapse; }
.files th, .files td { padding: 0.2em 1em; text-align: right; border-bottom: 1px solid #8884; }
.files th:first-child, .files td:first-child { text-align: left; }
pre { overflow-x: auto; line-height: 1.35; }
pre span { display: block; min-height: 1.35em; }
i { display: inline-block; width: 4em; text-align: right; margin-right: 1em; font-style: normal; opacity: 0.6; }
.ran { background: #2a82; }
.not { background: #d334; }
</style>
</head>
<body>
<h1>Coverage: {{.All.Share}}</h1>
<p>{{.All.Ran}} of {{.All.Lines}} executable lines ran. The number in front of a line says how often it ran.</p>
<table class="files">
<tr><th>file</th><th>lines</th><th>ran</th><th></th></tr>
{{- range .Files}}
<tr><td>{{if .Text}}<a href="#file{{.ID}}">{{.Name}}</a>{{else}}{{.Name}}{{end}}</td>
{{- if .Uncounted}}<td colspan="3">not counted: the file is too large</td>{{else}}<td>{{.Lines}}</td><td>{{.Ran}}</td><td>{{.Share}}</td>{{end}}</tr>
{{- end}}
</table>
{{- range .Files}}{{if .Text}}
<h2 id="file{{.ID}}">{{.Name}}</h2>
<pre>
{{- range .Text}}<span class="{{.Class}}"><i>{{.Number}}</i><i>{{if .Executable}}{{.Count}}{{end}}</i>{{.Text}}</span>{{end -}}
</pre>
{{- end}}{{end}}
</body>
</html>
`))
