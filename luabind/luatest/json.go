package luatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/luabind"
)

// jsonLines writes one JSON object per line.
type jsonLines struct{ w io.Writer }

// NewJSON returns a reporter of JSON lines: one object of type "test" per result, as soon as there is one, and at the
// end one of type "warning" for each warning, and one of type "summary".
func NewJSON(w io.Writer) Reporter { return jsonLines{w} }

// line writes an object.
func (j jsonLines) line(v any) { _, _ = j.w.Write(append(encoded(v), '\n')) } // the writer remembers

// encoded returns a value as JSON, on one line, in which characters that control a terminal are escaped. Without
// arrays and objects it is a scalar of YAML, too.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("luatest: " + err.Error()) // strings and numbers always encode
	}
	var out []byte
	for _, r := range string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))) {
		if r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff { // only inside of strings
			out = fmt.Appendf(out, `\u%04x`, r)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

type jsonTest struct {
	Type     string        `json:"type"` // "test"
	File     string        `json:"file"`
	Round    int           `json:"round,omitempty"` // from 2; the first has none
	Line     int           `json:"line,omitempty"`
	Within   []string      `json:"within,omitempty"`
	Name     string        `json:"name,omitempty"`
	FullName string        `json:"full_name"`
	Tags     []string      `json:"tags,omitempty"`
	Status   string        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Seconds  float64       `json:"seconds"`
	Failures []jsonFailure `json:"failures,omitempty"`
	Output   string        `json:"output,omitempty"`
	Bench    *jsonBench    `json:"bench,omitempty"`
	Alone    string        `json:"alone,omitempty"` // the command that runs it alone, of a failure
}

type jsonBench struct {
	Calls          int      `json:"calls"`
	SecondsPerCall float64  `json:"seconds_per_call"`
	AllocsPerCall  *float64 `json:"allocs_per_call,omitempty"`
	Error          string   `json:"error,omitempty"`
}

type jsonFailure struct {
	Phase   string      `json:"phase,omitempty"`
	File    string      `json:"file,omitempty"`
	Line    int         `json:"line,omitempty"`
	Message string      `json:"message"`
	Case    []string    `json:"case,omitempty"`
	Diff    []string    `json:"diff,omitempty"`
	Excerpt string      `json:"excerpt,omitempty"`
	Stack   []string    `json:"stack,omitempty"`
	Causes  []jsonCause `json:"causes,omitempty"`
	GoStack string      `json:"go_stack,omitempty"`
}

type jsonCause struct {
	Message string   `json:"message"`
	Path    string   `json:"path,omitempty"`
	Excerpt string   `json:"excerpt,omitempty"`
	Stack   []string `json:"stack,omitempty"`
}

type jsonWarning struct {
	Type    string `json:"type"` // "warning"
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

type jsonSummary struct {
	Type        string  `json:"type"` // "summary"
	Failed      int     `json:"failed"`
	Passed      int     `json:"passed"`
	Pending     int     `json:"pending"`
	Measured    int     `json:"measured,omitempty"`
	Listed      int     `json:"listed,omitempty"`
	Left        int     `json:"left_out,omitempty"`
	Seed        *uint64 `json:"seed,omitempty"` // if one was given or drawn
	Shuffled    bool    `json:"shuffled,omitempty"`
	Seconds     float64 `json:"seconds"`
	Stopped     bool    `json:"stopped,omitempty"` // after the first failure
	Interrupted bool    `json:"interrupted,omitempty"`
}

func (j jsonLines) Result(r Result) {
	out := jsonTest{
		Type: "test", File: r.File, Line: r.Line, Within: r.Within, Name: r.Name, FullName: r.FullName(),
		Tags: Tags(r.FullName()), Status: r.Status.String(), Reason: r.Reason, Seconds: r.Elapsed.Seconds(), Output: r.Output, Alone: r.Alone,
	}
	if r.Round > 0 {
		out.Round = r.Round + 1
	}
	if b := r.Bench; b != nil {
		out.Bench = &jsonBench{Calls: b.Calls, SecondsPerCall: b.PerCall.Seconds(), Error: b.Error}
		if b.Allocs >= 0 {
			out.Bench.AllocsPerCall = &b.Allocs
		}
	}
	for _, f := range r.Failures {
		one := jsonFailure{
			Phase: f.Phase, File: f.File, Line: f.Line, Message: f.Message, Case: f.Case, Diff: f.Diff,
			Excerpt: f.Excerpt, Stack: luabind.Traceback(f.Stack), GoStack: f.GoStack,
		}
		for _, c := range f.Causes {
			one.Causes = append(one.Causes, jsonCause{Message: c.Message, Path: c.Path, Excerpt: c.Excerpt, Stack: luabind.Traceback(c.Stack)})
		}
		out.Failures = append(out.Failures, one)
	}
	j.line(out)
}

func (j jsonLines) End(r *Report) {
	for _, w := range r.Warnings {
		j.line(jsonWarning{"warning", w.File, w.Line, w.Message})
	}
	s := jsonSummary{
		Type: "summary", Failed: r.Count(Failed), Passed: r.Count(Passed), Pending: r.Count(Pending),
		Measured: r.Count(Measured), Listed: r.Count(Listed), Left: r.Left, Shuffled: r.Shuffled, Seconds: r.Elapsed.Seconds(),
		Stopped: r.Stopped, Interrupted: r.Interrupted,
	}
	if r.Seeded {
		s.Seed = &r.Seed
	}
	j.line(s)
}
