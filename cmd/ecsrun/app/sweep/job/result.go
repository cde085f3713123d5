package job

import (
	"encoding/json"
	"math"
	"strconv"
)

// The statuses of a job.
const (
	OK           = "ok"           // it ran to its end
	Failed       = "failed"       // a script ended it
	Limit        = "limit"        // a limit that is counted ended it
	Unrepeatable = "unrepeatable" // a limit that is measured was passed, and again when the job ran alone
	Parked       = "parked"       // the process died three times
)

// A Result is what a job yields.
type Result struct {
	Status   string  `json:"status"`
	Values   []Value `json:"values,omitempty"` // of the measures; nil if there was no world to read
	Frames   uint64  `json:"frames"`
	Stop     string  `json:"stop,omitempty"` // why the world stopped, or what ended the job
	Failures uint64  `json:"failures,omitempty"`
	Digest   string  `json:"digest,omitempty"`
	Series   []Entry `json:"series,omitempty"`
}

// An Entry is a value of a series.
type Entry struct {
	Frame   uint64 `json:"f"`
	Measure int    `json:"m"`
	Value   Value  `json:"v"`
}

// Encode returns the result as bytes, equal for equal results.
func (r *Result) Encode() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic("job: " + err.Error()) // it is plain data
	}
	return b
}

// DecodeResult reads what Encode returns.
func DecodeResult(b []byte) (*Result, error) {
	r := &Result{}
	return r, json.Unmarshal(b, r)
}

// A Value is a number, true or false, a text in quotes, or "" for none. Numbers are the shortest texts that are read back as the same number.
type Value string

// Text returns the value of a text.
func Text(s string) Value { return Value(strconv.Quote(s)) }

// IsText reports whether the value is a text.
func (v Value) IsText() bool { return len(v) > 0 && v[0] == '"' }

// Plain returns the value without quotes.
func (v Value) Plain() string {
	if !v.IsText() {
		return string(v)
	}
	s, _ := strconv.Unquote(string(v))
	return s
}

// Number returns the number that stands for the value in statistics: 1 for true, 0 for false. It is false for a text, and for none.
func (v Value) Number() (float64, bool) {
	switch {
	case v == "" || v.IsText():
		return math.NaN(), false
	case v == "true":
		return 1, true
	case v == "false":
		return 0, true
	}
	x, err := strconv.ParseFloat(string(v), 64)
	return x, err == nil
}

// AppendJSON appends the value as JSON: null for none, and for numbers that JSON does not have their text.
func (v Value) AppendJSON(b []byte) []byte {
	switch {
	case v == "":
		return append(b, "null"...)
	case v == "nan", v == "inf", v == "-inf":
		return append(append(append(b, '"'), v...), '"')
	case v.IsText():
		text, _ := json.Marshal(v.Plain()) // a string can always be written
		return append(b, text...)
	}
	return append(b, v...)
}

// A Request asks a worker to run a job.
type Request struct {
	Key   string   `json:"key"`
	Seed  uint64   `json:"seed"`
	Set   []string `json:"set,omitempty"`
	Point int      `json:"point"`           // workers keep what they know of a point
	Alone bool     `json:"alone,omitempty"` // nothing else runs on the machine: it is the last try
}

// An Answer is that of a worker.
type Answer struct {
	Key        string  `json:"key"`
	Result     *Result `json:"result,omitempty"`
	Again      bool    `json:"again,omitempty"`      // a measured limit was passed: run the job once more, alone
	Refused    string  `json:"refused,omitempty"`    // why the worker does not run jobs of this sweep
	Unreadable string  `json:"unreadable,omitempty"` // what is wrong with the config at this point
}
