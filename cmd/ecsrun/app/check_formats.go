package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode"
)

// What check writes: a line for each finding, or JSON, or annotations for GitHub. check_sarif.go has SARIF.

// A checkReport has the findings of all configs. What several configs share is in it once.
type checkReport struct {
	strict  bool
	configs []checked
	list    []finding
	seen    map[string]bool
}

// add adds the findings of one config.
func (r *checkReport) add(c checked) {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.configs = append(r.configs, c)
	for _, x := range c.findings.list {
		if text := x.text(); !r.seen[text] {
			r.seen[text] = true
			r.list = append(r.list, x)
		}
	}
}

// level returns how a finding counts: "error" if it fails the check, otherwise "warning".
func (r *checkReport) level(x finding) string {
	if codesOf[x.code].Error || r.strict {
		return "error"
	}
	return "warning"
}

// count returns how many findings fail the check, and how many do not.
func (r *checkReport) count() (errors, warnings int) {
	for _, x := range r.list {
		if r.level(x) == "error" {
			errors++
		}
	}
	return errors, len(r.list) - errors
}

func (r *checkReport) failed() bool {
	errors, _ := r.count()
	return errors > 0
}

// write writes the report in a format. Findings as text go to stderr, all else to stdout.
func (r *checkReport) write(format string, stdout, stderr io.Writer) error {
	switch format {
	case "text":
		r.text(stdout, stderr)
		return nil
	case "json":
		return r.json(stdout)
	case "sarif":
		return r.sarif(stdout)
	case "github":
		r.github(stdout)
		return nil
	}
	panic("app: unknown format " + format)
}

// text writes a line for each finding, and one for each config without a mistake.
func (r *checkReport) text(stdout, stderr io.Writer) {
	for _, x := range r.list {
		fmt.Fprintln(stderr, x.text())
	}
	for _, c := range r.configs {
		failed, warnings := false, 0
		for _, x := range c.findings.list {
			if r.level(x) == "error" {
				failed = true
			} else {
				warnings++
			}
		}
		switch {
		case failed:
		case warnings > 0:
			fmt.Fprintf(stdout, "%s: ok, with %s (%s)\n", c.path, counted(uint64(warnings), "warning"), c.contents)
		default:
			fmt.Fprintf(stdout, "%s: ok (%s)\n", c.path, c.contents)
		}
	}
}

// A checkFinding is a finding in the JSON of check.
type checkFinding struct {
	Code    string `json:"code"`
	Level   string `json:"level"` // error or warning
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// json writes one object.
func (r *checkReport) json(w io.Writer) error {
	out := struct {
		Configs  []string       `json:"configs"`
		Errors   int            `json:"errors"`
		Warnings int            `json:"warnings"`
		Findings []checkFinding `json:"findings"`
	}{Configs: []string{}, Findings: []checkFinding{}}
	out.Errors, out.Warnings = r.count()
	for _, c := range r.configs {
		out.Configs = append(out.Configs, filepath.ToSlash(c.path))
	}
	for _, x := range r.list {
		out.Findings = append(out.Findings, checkFinding{x.code, r.level(x), filepath.ToSlash(x.pos.File), x.pos.Line, x.pos.Column, x.message, x.fix})
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// github writes an annotation for each finding, as GitHub Actions reads them from the output of a step.
func (r *checkReport) github(w io.Writer) {
	for _, x := range r.list {
		var at strings.Builder
		if x.pos.File != "" {
			fmt.Fprintf(&at, "file=%s,line=%d,", property(filepath.ToSlash(x.pos.File)), max(x.pos.Line, 1))
			if x.pos.Column > 0 {
				fmt.Fprintf(&at, "col=%d,", x.pos.Column)
			}
		}
		text := x.message
		if x.fix != "" {
			text += "; " + x.fix
		}
		fmt.Fprintf(w, "::%s %stitle=%s::%s\n", r.level(x), at.String(), property(x.code+" "+strings.ReplaceAll(codesOf[x.code].Title, "`", "")), annotation(text))
	}
}

// annotation escapes the text of an annotation. Characters that control a terminal are replaced.
func annotation(text string) string {
	text = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '�'
		}
		return r
	}, text)
}

// property escapes the value of a property of an annotation.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(annotation(text))
}

// fileURI makes a URI of a path: relative to the current folder, or with a scheme if the path is absolute.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		if !strings.HasPrefix(slashed, "/") {
			slashed = "/" + slashed
		}
		return (&url.URL{Scheme: "file", Path: slashed}).String()
	}
	return (&url.URL{Path: slashed}).String()
}
