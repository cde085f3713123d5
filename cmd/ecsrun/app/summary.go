package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file formats the summary of a run, and the tables and counts of the other commands.

// A summary is what a run reports at its end.
type summary struct {
	frames   uint64
	world    float64 // seconds
	wall     time.Duration
	entities int
	events   uint64 // sent in total
	ended    string // the reason for the end of the run
	edits    uint64
	failures []string
	systems  []systemTime // in running order
}

type systemTime struct {
	name, impl string
	mod        string // "" for a system of the config itself
	turns      uint64
	total      time.Duration
	memory     memoryUse
}

func (s *summary) write(w io.Writer) {
	fmt.Fprintf(w, "%s, %.1f s of world time in %.2f s; %s, %s\n",
		counted(s.frames, "frame"), s.world, s.wall.Seconds(), counted(s.entities, "entity"), counted(s.events, "event"))
	fmt.Fprintf(w, "ended: %s\n", s.ended)
	if s.edits > 0 {
		fmt.Fprintf(w, "edited: %s from outside\n", counted(s.edits, "time"))
	}
	for _, f := range s.failures {
		fmt.Fprintln(w, f)
	}
	if len(s.systems) > 0 {
		fmt.Fprintln(w)
		s.table(w)
	}
	if slices.ContainsFunc(s.systems, func(t systemTime) bool { return t.mod != "" }) {
		fmt.Fprintln(w)
		s.modTable(w)
	}
}

// oneLine quotes a text that would take more than one line.
func oneLine(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return strconv.Quote(text)
	}
	return text
}

// modTable lists the mods, and the config itself, by the total time of their systems, the longest first. Its columns of
// memory are the bytes by which the systems made the world larger, and what they allocated on the heap.
func (s *summary) modTable(w io.Writer) {
	var groups []systemTime // name: the mod; turns: the number of its systems
	var all time.Duration
	for _, t := range s.systems {
		all += t.total
		i := slices.IndexFunc(groups, func(g systemTime) bool { return g.name == t.mod })
		if i < 0 {
			i, groups = len(groups), append(groups, systemTime{name: t.mod})
		}
		groups[i].turns++
		groups[i].total += t.total
		groups[i].memory.world += t.memory.world
		groups[i].memory.allocated += t.memory.allocated
	}
	slices.SortStableFunc(groups, func(a, b systemTime) int { return cmp.Compare(b.total, a.total) })
	rows := [][]string{{"mod", "systems", "total ms", "share", "world KB", "allocated MB"}}
	for _, g := range groups {
		rows = append(rows, []string{cmp.Or(g.name, "(config)"), grouped(g.turns), milliseconds(g.total), percent(g.total, all), fmt.Sprintf("%.1f", float64(g.memory.world)/1024), fmt.Sprintf("%.1f", float64(g.memory.allocated)/(1<<20))})
	}
	writeColumns(w, rows, 1)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Nanoseconds())/1e6) }

func percent(part, all time.Duration) string {
	if all == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(all))
}

// table lists the systems by total time, the longest first.
func (s *summary) table(w io.Writer) {
	var all time.Duration
	for _, t := range s.systems {
		all += t.total
	}
	systems := slices.Clone(s.systems)
	slices.SortStableFunc(systems, func(a, b systemTime) int { return cmp.Compare(b.total, a.total) })
	rows := [][]string{{"system", "impl", "turns", "total ms", "share", "µs/turn"}}
	for _, t := range systems {
		perTurn := 0.0
		if t.turns > 0 {
			perTurn = float64(t.total.Nanoseconds()) / 1e3 / float64(t.turns)
		}
		rows = append(rows, []string{
			t.name, t.impl, grouped(t.turns),
			milliseconds(t.total), percent(t.total, all), fmt.Sprintf("%.1f", perTurn),
		})
	}
	writeColumns(w, rows, 2)
}

// writeColumns aligns the columns: the first ones to the left, the others to the right.
func writeColumns(w io.Writer, rows [][]string, left int) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < left {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

type integer interface{ ~int | ~uint64 }

// grouped formats a count with a comma between thousands: 1,204.
func grouped[T integer](n T) string {
	s := strconv.FormatUint(uint64(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted returns "1 turn" or "1,204 turns".
func counted[T integer](n T, word string) string { return grouped(n) + " " + plural(n, word) }

func plural[T integer](n T, word string) string {
	switch {
	case n == 1:
		return word
	case strings.HasSuffix(word, "y"):
		return strings.TrimSuffix(word, "y") + "ies"
	case strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ss"):
		return word + "es"
	default:
		return word + "s"
	}
}

// finish writes the summary and the final digest.
func (r *run) finish() {
	r.failures.countUp()
	if r.verify != nil {
		fmt.Fprintln(r.console.stdout(), r.verify.result())
	}
	if rp := r.flags.replaying; rp != nil {
		fmt.Fprintln(r.console.stdout(), rp.result(r.runtime.World().Frame()))
	}
	if r.samples != nil {
		r.sampled.flush()
	}
	r.console.flush() // what is lost is known then
	if !r.flags.quiet && !r.flags.operate.json {
		r.summary().write(r.reports())
	}
	if r.flags.hash {
		fmt.Fprintf(r.console.stdout(), "digest %s\n", r.runtime.World().Digest())
	}
	if r.flags.operate.json {
		r.writeJSON()
	}
	r.console.flush()
	r.tellLosses()
}

// losses lists what a full disk, or one that has gone away, has lost.
func (r *run) losses() (lines []string) {
	if r.saver != nil && r.saver.failed > 0 {
		lines = append(lines, "lost: "+counted(r.saver.failed, "snapshot"))
	}
	if r.recording != nil && r.recording.w.Lost() > 0 {
		lines = append(lines, "lost: "+counted(r.recording.w.Lost(), "frame")+" of --record "+r.flags.io.record)
	}
	if r.emit != nil && r.emit.to != nil && r.emit.to.losses() > 0 {
		lines = append(lines, r.emit.to.loss())
	}
	if r.sampled != nil && r.sampled.losses() > 0 {
		lines = append(lines, r.sampled.loss())
	}
	if r.unread > 0 {
		lines = append(lines, "lost: "+counted(r.unread, "answer")+" of rpc")
	}
	return append(lines, r.console.losses()...)
}

// tellLosses says what was lost where the summary does not say it: there is none, or it was to be written to the same full
// disk.
func (r *run) tellLosses() {
	to := r.console.stderr()
	if r.console.log.losses() > 0 {
		to = r.console.stdout()
	}
	of := &r.console.out // the summary
	if r.reports() == r.console.stderr() {
		of = &r.console.log
	}
	if !r.flags.quiet && of.losses() == 0 {
		return
	}
	for _, line := range r.losses() {
		fmt.Fprintln(to, line)
	}
}

func (r *run) summary() *summary {
	w := r.runtime.World()
	s := &summary{frames: w.Frame(), world: w.Time() + w.DT(), wall: r.wall, entities: w.Len(), ended: r.ended, edits: r.runtime.Edits(), failures: failureLines(r.runtime.Failures())}
	if n := r.feed.failures(); n > 0 {
		s.failures = append(s.failures, "failed: "+counted(n, "input"))
	}
	for _, d := range r.stillDisabled() {
		s.failures = append(s.failures, d.String())
	}
	s.failures = append(s.failures, r.losses()...)
	for id := range w.EventNames() {
		_, sent := w.EventCount(ecs.EventID(id))
		s.events += sent
	}
	of := map[string]config.System{}
	for _, c := range r.config.Systems {
		of[c.Name] = c
	}
	for _, sys := range r.runtime.Schedule().Systems() {
		t := systemTime{name: sys.Name(), impl: of[sys.Name()].Impl, mod: of[sys.Name()].Mod, turns: sys.Turns(), total: r.meter.total[sys]}
		if use := r.meter.memory[sys]; use != nil {
			t.memory = *use
		}
		s.systems = append(s.systems, t)
	}
	return s
}

// writeJSON writes the summary as one line of JSON.
func (r *run) writeJSON() {
	s, f := r.summary(), r.runtime.Failures()
	type system struct {
		Name  string  `json:"name"`
		Impl  string  `json:"impl"`
		Mod   string  `json:"mod,omitempty"`
		Turns uint64  `json:"turns"`
		MS    float64 `json:"ms"`
	}
	list := make([]system, len(s.systems))
	for i, t := range s.systems {
		list[i] = system{t.name, t.impl, t.mod, t.turns, t.total.Seconds() * 1e3}
	}
	disabled, reasons := append([]string{}, f.Disabled...), map[string]string{}
	for _, d := range r.stillDisabled() {
		if reasons[d.name] = d.reason(); !slices.Contains(disabled, d.name) {
			disabled = append(disabled, d.name)
		}
	}
	text, err := json.Marshal(map[string]any{
		"version": version(), "seed": r.config.Run.Seed, "frames": s.frames, "world_seconds": s.world, "wall_seconds": s.wall.Seconds(), "entities": s.entities, "events": s.events,
		"ended": s.ended, "edited": s.edits, "failed": f.Errors, "failed_inputs": r.feed.failures(), "limits": f.Limits, "bugs": f.Bugs, "disabled": disabled, "disabled_reasons": reasons, "losses": append([]string{}, r.losses()...),
		"systems": list, "digest": r.runtime.World().Digest().String(), "code": r.code(),
	})
	if err != nil {
		panic("app: the summary: " + err.Error()) // a number that JSON does not have
	}
	fmt.Fprintf(r.console.objects(), "%s\n", text)
}

// failureLines returns the lines of the summary about failures.
func failureLines(f luabind.Failures) []string {
	var lines []string
	if f.Errors > 0 {
		lines = append(lines, "failed: "+counted(f.Errors, "turn"))
	}
	if f.Limits > 0 {
		lines = append(lines, "limits: passed "+counted(f.Limits, "time"))
	}
	if f.Bugs > 0 {
		lines = append(lines, "machine code was wrong: "+counted(f.Bugs, "loop")+"; a bug in ecsrun")
	}
	return lines
}

// code returns the exit code of the run.
func (r *run) code() int {
	failures := r.runtime.Failures()
	if rp := r.flags.replaying; rp != nil && !r.bug && r.wrong == 0 && !r.stopped { // a failure that the record has, too, is equal
		switch {
		case rp.found != "":
			return exitTest
		case rp.unmet, rp.from.Damaged():
			return exitUsage
		case r.saver != nil && r.saver.failed > 0:
			return exitScript
		}
		return exitOK
	}
	switch {
	case r.bug, r.wrong > 0:
		return exitBug
	case failures.Limits > 0, r.feed != nil && r.feed.full:
		return exitLimit
	case failures.Errors > 0, r.feed != nil && r.feed.failed, len(r.losses()) > 0:
		return exitScript
	case r.verify != nil && r.verify.found != "":
		return exitTest
	case r.stopped && r.config.Run.Frames != 0:
		return exitInterrupted
	default:
		return exitOK
	}
}
