package luatest

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// This file writes a report as JUnit XML, after all tests have run.

// The elements of JUnit's XML, as CI systems read them.

type junitSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr"` // seconds
	Suites   []*junitSuite
}

type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"` // the file
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Cases    []junitCase
	elapsed  time.Duration
}

type junitCase struct {
	XMLName   xml.Name      `xml:"testcase"`
	Classname string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	File      string        `xml:"file,attr"`
	Line      int           `xml:"line,attr,omitempty"`
	Time      string        `xml:"time,attr"`
	Skipped   *junitSkipped `xml:"skipped"`
	Problem   *junitProblem // readers with a schema take at most one
	Output    string        `xml:"system-out,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr,omitempty"`
}

type junitProblem struct {
	XMLName xml.Name // failure, or error for a file that does not load
	Message string   `xml:"message,attr"`
	Type    string   `xml:"type,attr"`
	Text    string   `xml:",chardata"`
}

// WriteJUnit writes the results as JUnit XML: a testsuite per file. A file that
// does not load is a test case "(load)" with an error.
func WriteJUnit(w io.Writer, r *Report) error {
	all := junitSuites{Name: "ecsrun test", Time: seconds(r.Elapsed)}
	byFile := map[string]*junitSuite{}
	for _, one := range r.Results {
		name := one.File
		if one.Round > 0 {
			name += fmt.Sprintf(" (round %d)", one.Round+1)
		}
		s := byFile[name]
		if s == nil {
			s = &junitSuite{Name: printable(name)}
			byFile[name] = s
			all.Suites = append(all.Suites, s)
		}
		s.add(one)
	}
	for _, s := range all.Suites {
		s.Time = seconds(s.elapsed)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(r Result) {
	s.Tests++
	s.elapsed += r.Elapsed
	c := junitCase{
		Classname: printable(strings.Join(r.Within, " ")), Name: printable(r.Name), File: printable(r.File), Line: r.Line,
		Time: seconds(r.Elapsed), Output: r.Output,
	}
	if c.Classname == "" {
		c.Classname = c.File
	}
	element := "failure"
	switch {
	case r.Unloaded:
		c.Name, element = "(load)", "error"
		s.Errors++
	case r.Status == Failed:
		s.Failures++
	case r.Status == Pending:
		s.Skipped++
		c.Skipped = &junitSkipped{printable(r.Reason)}
	}
	for i, f := range r.Failures {
		if i == 0 {
			c.Problem = &junitProblem{XMLName: xml.Name{Local: element}, Message: printable(f.Error()), Type: kind(f)}
		} else {
			c.Problem.Text += "\n"
		}
		c.Problem.Text += f.details()
	}
	if c.Problem != nil && r.Alone != "" {
		c.Problem.Text += "run it alone: " + r.Alone + "\n"
	}
	if b := r.Bench; b != nil {
		c.Output += b.String() + "\n"
	}
	s.Cases = append(s.Cases, c)
}

// kind returns the kind of a failure, by which a reader of the XML can group failures.
func kind(f Failure) string {
	switch {
	case f.GoStack != "":
		return "bug"
	case f.Diff != nil:
		return "assertion"
	case len(f.Causes) > 0:
		return "script"
	case f.Phase != "":
		return f.Phase
	}
	return "error"
}

// details returns a failure in full, on several lines.
func (f Failure) details() string {
	var b strings.Builder
	for _, c := range f.Causes {
		writeLines(&b, c.Message)
		if c.Path != "" {
			writeLines(&b, "--> "+c.Path)
		}
		writeLines(&b, c.Excerpt)
		writeLines(&b, luabind.Traceback(c.Stack)...)
	}
	writeLines(&b, f.Error(), f.Excerpt)
	writeLines(&b, luabind.Traceback(f.Stack)...)
	writeLines(&b, f.Case...)
	writeLines(&b, f.Diff...)
	writeLines(&b, f.GoStack)
	return b.String()
}

func writeLines(b *strings.Builder, lines ...string) {
	for _, line := range lines {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
