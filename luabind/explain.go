package luabind

import "slices"

// A LoopReport says how a query loop of a script runs under [Closures].
type LoopReport struct {
	File   string // in the script folder
	Line   int
	Reason string // why it is interpreted; "": it is compiled
	At     int    // line of the reason, 0 without one
	Impls  []Impl // of the systems with that file, in the order of Add; none for a file that was required
}

// Explain lists the query loops of all files that were loaded, by file and line.
// What a loop works on is decided when it begins: a loop reported as compiled may
// be interpreted for a variable that holds a string by then.
func (r *Runtime) Explain() []LoopReport {
	var out []LoopReport
	for _, file := range keys(r.loops) {
		p := r.loops[file]
		if p == nil {
			continue
		}
		var impls []Impl
		for _, sys := range r.systems {
			if sys.Script == file && !slices.Contains(impls, sys.Impl) {
				impls = append(impls, sys.Impl)
			}
		}
		for _, l := range p.Loops {
			report := LoopReport{File: file, Line: l.Line, Impls: impls}
			if reason := l.Explain(r.world); reason != nil {
				report.Reason, report.At = reason.Text, reason.Line
			}
			out = append(out, report)
		}
	}
	return out
}
