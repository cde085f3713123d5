package luatest

import (
	"encoding/json"
	"io"

	"github.com/ecsrun/ecsrun/luabind"
)

// jsonLines writes one JSON object per line.
type jsonLines struct{ e *json.Encoder }

// NewJSON returns a reporter of JSON lines: one object of type "test" per result, as soon as there is one, and one
// of type "summary" at the end.
func NewJSON(w io.Writer) Reporter {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return jsonLines{e}
}

type jsonTest struct {
	Type     string        `json:"type"` // "test"
	File     string        `json:"file"`
	Line     int           `json:"line,omitempty"`
	Within   []string      `json:"within,omitempty"`
	Name     string        `json:"name,omitempty"`
	FullName string        `json:"full_name"`
	Status   string        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Seconds  float64       `json:"seconds"`
	Failures []jsonFailure `json:"failures,omitempty"`
	Output   string        `json:"output,omitempty"`
}

type jsonFailure struct {
	Phase   string      `json:"phase,omitempty"`
	File    string      `json:"file,omitempty"`
	Line    int         `json:"line,omitempty"`
	Message string      `json:"message"`
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

type jsonSummary struct {
	Type        string  `json:"type"` // "summary"
	Failed      int     `json:"failed"`
	Passed      int     `json:"passed"`
	Pending     int     `json:"pending"`
	Left        int     `json:"left_out,omitempty"`
	Seed        *uint64 `json:"seed,omitempty"` // if one was given or drawn
	Shuffled    bool    `json:"shuffled,omitempty"`
	Seconds     float64 `json:"seconds"`
	Interrupted bool    `json:"interrupted,omitempty"`
}

func (j jsonLines) Result(r Result) {
	out := jsonTest{
		Type: "test", File: r.File, Line: r.Line, Within: r.Within, Name: r.Name, FullName: r.FullName(),
		Status: r.Status.String(), Reason: r.Reason, Seconds: r.Elapsed.Seconds(), Output: r.Output,
	}
	for _, f := range r.Failures {
		one := jsonFailure{
			Phase: f.Phase, File: f.File, Line: f.Line, Message: f.Message, Diff: f.Diff,
			Excerpt: f.Excerpt, Stack: luabind.Traceback(f.Stack), GoStack: f.GoStack,
		}
		for _, c := range f.Causes {
			one.Causes = append(one.Causes, jsonCause{Message: c.Message, Path: c.Path, Excerpt: c.Excerpt, Stack: luabind.Traceback(c.Stack)})
		}
		out.Failures = append(out.Failures, one)
	}
	_ = j.e.Encode(out) // the writer remembers
}

func (j jsonLines) End(r *Report) {
	s := jsonSummary{
		Type: "summary", Failed: r.Count(Failed), Passed: r.Count(Passed), Pending: r.Count(Pending),
		Left: r.Left, Shuffled: r.Shuffled, Seconds: r.Elapsed.Seconds(), Interrupted: r.Interrupted,
	}
	if r.Seeded {
		s.Seed = &r.Seed
	}
	_ = j.e.Encode(s) // the writer remembers
}
