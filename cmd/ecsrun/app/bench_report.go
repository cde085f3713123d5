package app

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
)

// A benchReport is the result of bench, in the form of its JSON.
type benchReport struct {
	Config  string        `json:"config"`
	Seed    uint64        `json:"seed"`
	WarmUp  uint64        `json:"warm_up"` // frames before those that were measured
	Frames  uint64        `json:"frames"`
	Repeat  uint64        `json:"repeat"`
	Version string        `json:"version"`
	CPUs    int           `json:"cpus"`
	Systems []benchSystem `json:"systems"`
	NoTurns []string      `json:"no_turns"` // systems that had no turn
}

type benchSystem struct {
	System   string      `json:"system"`
	Turns    int         `json:"turns"`
	Entities *float64    `json:"entities"` // entities that its query loops match, mean over its turns; nil if not known
	Impls    []benchImpl `json:"implementations"`
}

type benchImpl struct {
	Impl      string   `json:"impl"`
	PerTurn   float64  `json:"ns_per_turn"`
	PerEntity *float64 `json:"ns_per_entity"` // nil without entities
	Allocs    float64  `json:"allocs_per_turn"`
	Bytes     float64  `json:"bytes_per_turn"`
	Ratio     *float64 `json:"ratio"` // to the fastest implementation; nil if there is only one
}

func (b *bench) report() *benchReport {
	r := &benchReport{
		Config: b.path, Seed: b.config.Run.Seed, WarmUp: b.warmUp, Frames: b.passes[0].frames, Repeat: b.repeat,
		Version: versionLine(), CPUs: runtime.GOMAXPROCS(0), Systems: []benchSystem{}, NoTurns: []string{},
	}
	for _, i := range b.systems {
		if s := b.system(b.config.Systems[i].Name); s.Turns > 0 {
			r.Systems = append(r.Systems, s)
		} else {
			r.NoTurns = append(r.NoTurns, s.System)
		}
	}
	return r
}

// system summarizes the turns of one system.
func (b *bench) system(name string) benchSystem {
	s := benchSystem{System: name}
	if m := b.match[name]; m != nil && m.ok {
		mean := float64(m.sum) / float64(m.turns)
		s.Entities = &mean
	}
	quickest := 0.0
	for _, pass := range b.passes {
		turns := pass.turns[name]
		if len(turns) == 0 {
			continue
		}
		one := benchImpl{Impl: pass.impl}
		for _, t := range turns {
			one.PerTurn += float64(t.time.Nanoseconds())
			one.Allocs += float64(t.allocs)
			one.Bytes += float64(t.bytes)
		}
		n := float64(len(turns))
		one.PerTurn, one.Allocs, one.Bytes = one.PerTurn/n, one.Allocs/n, one.Bytes/n
		if s.Entities != nil && *s.Entities > 0 {
			each := one.PerTurn / *s.Entities
			one.PerEntity = &each
		}
		if quickest == 0 || one.PerTurn < quickest {
			quickest = one.PerTurn
		}
		s.Turns = len(turns)
		s.Impls = append(s.Impls, one)
	}
	if len(s.Impls) > 1 && quickest > 0 {
		for i := range s.Impls {
			ratio := s.Impls[i].PerTurn / quickest
			s.Impls[i].Ratio = &ratio
		}
	}
	return s
}

func (r *benchReport) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// write prints the table.
func (r *benchReport) write(w io.Writer) {
	fmt.Fprintf(w, "bench %s: %s after %d of warm-up, %s; a turn counts as its quickest, with its commands\n",
		r.Config, counted(r.Frames, "frame"), r.WarmUp, counted(r.Repeat, "repetition"))
	fmt.Fprint(w, "entities: what the query loops of its script match, mean of its turns; ratio: to the quickest\n\n")
	rows := [][]string{{"system", "impl", "turns", "entities", "µs/turn", "ns/entity", "allocs/turn", "ratio"}}
	for _, s := range r.Systems {
		for _, one := range s.Impls {
			rows = append(rows, []string{
				s.System, one.Impl, grouped(s.Turns), entities(s.Entities), fmt.Sprintf("%.1f", one.PerTurn/1e3),
				known(one.PerEntity, "%.1f"), fmt.Sprintf("%.1f", one.Allocs), known(one.Ratio, "%.2f"),
			})
		}
	}
	writeColumns(w, rows, 2)
	if len(r.NoTurns) > 0 {
		fmt.Fprintf(w, "\nno turns in these frames: %s\n", strings.Join(r.NoTurns, ", "))
	}
}

// known formats a number, or returns "-" for nil.
func known(v *float64, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

func entities(mean *float64) string {
	if mean != nil && *mean == float64(int(*mean)) {
		return grouped(int(*mean))
	}
	return known(mean, "%.1f")
}
