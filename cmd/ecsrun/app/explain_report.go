package app

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// What explain prints: a line for each loop, and below it what the loop did, or one JSON object.

// An explanation is what is known of the loops of some files.
type explanation struct {
	path  func(file string) string // the path of a script as the reader sees it
	files []string                 // in the script folder, in the order in which they are shown
	asked bool                     // the files were named on the command line, so one without loops is mentioned
	loops []luabind.LoopReport
	live  *lively // nil without --live
	tried uint64  // the frames that were run to see the values that loops begin with; 0 if none was
	dump  bool
}

// shown returns the path of a script from the current folder.
func (e *explanation) shown(file string) string {
	return filepath.ToSlash(e.path(file))
}

// write prints the loops as text.
func (e *explanation) write(w io.Writer) {
	if e.live != nil {
		fmt.Fprintf(w, "after %s: %s\n", counted(e.live.frames, "frame"), e.live.ended)
	}
	if e.tried > 0 && len(e.loops) > 0 {
		fmt.Fprintf(w, "judged by the first %s; --live judges by a whole run\n", counted(e.tried, "frame"))
	}
	for _, file := range e.files {
		found := false
		for i, l := range e.loops {
			if l.File != file {
				continue
			}
			found = true
			if l.AtFile != "" {
				l.AtFile = e.shown(l.AtFile)
			}
			text := verdict(l)
			if e.live != nil {
				text = e.live.headline(i, l)
			}
			fmt.Fprintf(w, "%s:%d: %s\n", e.shown(file), l.Line, text)
			if e.live != nil {
				for _, line := range e.live.lines(i, e.loops) {
					fmt.Fprintf(w, "  %s\n", line)
				}
			}
			if e.dump && l.Dump != nil {
				fmt.Fprintf(w, "%s\n", strings.TrimRight(l.Dump(), "\n"))
			}
		}
		if !found && e.asked {
			fmt.Fprintf(w, "%s: no query loops\n", e.shown(file))
		}
	}
}

// An explainedLoop is a loop in the JSON of explain.
type explainedLoop struct {
	File     string       `json:"file"`
	Line     int          `json:"line"`
	Becomes  string       `json:"becomes"`          // machine code, closures or interpreted
	Mostly   string       `json:"mostly,omitempty"` // with --live: what most rows ran as, if that is something else
	Reason   string       `json:"reason,omitempty"`
	At       string       `json:"at,omitempty"` // file and line of the reason
	Advice   string       `json:"advice,omitempty"`
	Closures string       `json:"closures,omitempty"`         // why it is closures
	Partly   string       `json:"rows_by_closures,omitempty"` // what closures do of machine code, in the rows that reach it
	OneCore  string       `json:"one_core,omitempty"`         // why machine code runs on one core
	Unless   []string     `json:"unless,omitempty"`
	Rows     *loopRows    `json:"rows,omitempty"`      // with --live
	Long     string       `json:"long_list,omitempty"` // a list that is too long to be copied, in quotes
	Fallen   []fallenLoop `json:"interpreted_because,omitempty"`
}

// A loopRows counts the rows of a loop.
type loopRows struct {
	MachineCode int `json:"machine_code"`
	Shared      int `json:"on_several_cores"` // of the rows as machine code
	Closures    int `json:"closures"`
	Interpreted int `json:"interpreted"`
	Left        int `json:"left"`             // of the interpreted rows, those that a kernel left one by one
	Rested      int `json:"walks_without"`    // walks that ran interpreted because many rows had been left
	Inside      int `json:"inside,omitempty"` // line of the loop around it
}

// A fallenLoop says why the interpreter ran a compiled loop, or rows of it.
type fallenLoop struct {
	Times  int    `json:"times"`
	Rows   bool   `json:"rows"` // single rows, otherwise the whole loop
	Reason string `json:"reason"`
	Advice string `json:"advice,omitempty"`
}

// writeJSON prints the loops as one JSON object.
func (e *explanation) writeJSON(w io.Writer) error {
	out := struct {
		Frames *uint64         `json:"frames,omitempty"`
		Ended  string          `json:"ended,omitempty"`
		Loops  []explainedLoop `json:"loops"`
	}{Loops: []explainedLoop{}}
	if e.live != nil {
		out.Frames, out.Ended = &e.live.frames, e.live.ended
	} else if e.tried > 0 {
		out.Frames = &e.tried
	}
	for i, l := range e.loops {
		if !slices.Contains(e.files, l.File) {
			continue
		}
		x := explainedLoop{File: e.shown(l.File), Line: l.Line, Becomes: becomes(l), Reason: l.Reason, Advice: l.Advice, Unless: l.Unless, OneCore: l.OneCore}
		if l.Reason == "" {
			x.Closures, x.Partly = l.Closures, l.ByClosures
		} else {
			x.At = fmt.Sprintf("%s:%d", e.shown(first(l.AtFile, l.File)), l.At)
		}
		if e.live != nil {
			run := e.live.runs[i]
			x.Long = run.Long
			x.Mostly, _ = e.live.mostly(i, l)
			x.Rows = &loopRows{run.Machine, run.Shared, run.Closures, run.Interpreted, run.Left, run.Rested, run.Inside}
			for _, f := range e.live.falls {
				if f.File == l.File && f.Line == l.Line {
					x.Fallen = append(x.Fallen, fallenLoop{f.Times, f.Rows, f.Reason, f.Advice})
				}
			}
		}
		out.Loops = append(out.Loops, x)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// first returns a, or b if a is "".
func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
