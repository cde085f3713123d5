package luatest

import (
	"fmt"
	"io"
	"strings"
)

// github writes an annotation for each failure and each warning, as GitHub Actions reads them from the output of a
// step.
type github struct{ w io.Writer }

// NewGitHub returns a reporter of annotations: "::error file=…,line=…,title=…::message".
func NewGitHub(w io.Writer) Reporter { return github{w} }

func (g github) Result(r Result) {
	for _, f := range r.Failures {
		title := r.FullName()
		if r.Unloaded {
			title += " does not load"
		}
		text := f.details()
		file, line := f.File, f.Line
		if line == 0 || file != r.File {
			file, line = r.File, max(1, r.Line) // a file that the repository may not have
		}
		g.line("error", file, line, title, strings.TrimSuffix(text, "\n"))
	}
}

func (g github) End(r *Report) {
	for _, w := range r.Warnings {
		g.line("warning", w.File, w.Line, "test names", w.Message)
	}
}

func (g github) line(level, file string, line int, title, text string) {
	fmt.Fprintf(g.w, "::%s file=%s,line=%d,title=%s::%s\n", level, annotated(file), line, annotated(title), data(text))
}

// data escapes the text of an annotation, and replaces characters that control a terminal.
func data(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable(strings.ReplaceAll(line, "%", "%25"))
	}
	return strings.Join(lines, "%0A")
}

// annotated escapes the value of a property of an annotation.
func annotated(text string) string {
	text = printable(strings.ReplaceAll(text, "%", "%25"))
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(text)
}
