package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// A setting is a way to run systems in which nothing may differ.
type setting struct {
	impl  Impl
	cores int // of a pool, 0: none
	limit uint64
	off   without.Set
}

func (s setting) String() string {
	return fmt.Sprintf("%v, %d cores, limit %d, without %v", s.impl, s.cores, s.limit, s.off)
}

// An account is all that can be seen of a run, and how much of it was compiled.
type account struct {
	seen          string
	loops         int // kernels
	machine       int // of them as machine code
	failed, tried int // turns of systems
}

// watch is a system that shows what others leave to be seen. It is interpreted.
func (l *landscape) watch() string {
	line := func(object string, fields []ecs.Field) string {
		list := []string{`"` + object + `"`}
		for _, f := range fields {
			list = append(list, object+"."+f.Name)
		}
		return "print(" + strings.Join(list, ", ") + ")"
	}
	return "return function(world)\n  local res = world.resources\n  " + line("res", l.resources) +
		"\n  for ev in world:peek(\"Hit\") do " + line("ev", l.hit) + " end\n  for ev in world:peek(\"Note\") do print(\"note\") end\nend\n"
}

// run runs systems in a world of their own for four frames. The error is that they
// do not load.
func (l *landscape) run(t testing.TB, s setting, sources []string) (account, error) {
	t.Helper()
	var out, warnings bytes.Buffer
	var a account
	w := l.world(t)
	scripts := map[string]string{"watch": l.watch()}
	for i, source := range sources {
		scripts[fmt.Sprintf("a%d", i)] = source
	}
	o := Options{
		World: w, Stdout: &out, Limits: Limits{OnError: Skip, Instructions: s.limit}, Settle: l.settle, without: s.off,
		Report: func(e *ScriptError) {
			a.failed++
			fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack))
		},
		Scripts: files(scripts),
		Log:     slog.New(slog.NewTextHandler(&warnings, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if s.cores > 0 {
		pool := ecs.NewPool(s.cores)
		defer pool.Close()
		o.Pool, o.Compiled = pool, &l.together
		if i := memory.InstrumentsOf(w); i != nil {
			i.ShareFrom = 1 + int(l.seed%3)*40
		}
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sources {
		name := fmt.Sprintf("a%d", i)
		if err := r.Add(System{Name: name, Script: name + ".lua", Impl: s.impl}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(System{Name: "watch", Script: "watch.lua", Impl: Lua}); err != nil {
		t.Fatal(err)
	}
	if err := r.Load(); err != nil {
		return a, err
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		a.tried += len(sources)
		if err := r.Frame(context.Background(), 0.25); err != nil { // the same is seen in each setting, then
			fmt.Fprintln(&out, err)
			break
		}
		h := fnv.New64a()
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					fmt.Fprintln(h, table.Column(id).Changed(row), table.Column(id).Added(row))
				}
			}
		}
		fmt.Fprintf(&out, "digest %v stamps %x locked %v check %v\n", w.Digest(), h.Sum64(), w.Locked(), w.Check())
	}
	a.seen = out.String()
	if w := warnings.String(); strings.Contains(w, "runs as closures") { // a fault of machine code, or of its check
		t.Errorf("seed %d: %v\n%s\n%s", l.seed, s, w, strings.Join(sources, "\n-- the next system\n"))
	}
	for file, p := range r.runners() {
		if file != "watch.lua" {
			a.loops += p.Kernels()
			a.machine += p.MachineKernels()
		}
	}
	return a, nil
}

// without draws some of the mechanisms to do without.
func (l *landscape) without(of without.Set) (off without.Set) {
	rng := rand.New(rand.NewPCG(l.seed, 14))
	for m := without.Set(1); m < without.All; m <<= 1 {
		if of.Has(m) && rng.IntN(4) == 0 && (rng.IntN(4) == 0 || !(without.Loops | without.Interp).Has(m)) { // without these, others have nothing to do
			off |= m
		}
	}
	return off &^ without.Forged
}

// settings are the ways to run that a seed compares: each list against its first.
// Spent budgets are compared among compiled ones: the interpreter counts otherwise.
func (l *landscape) settings() [][]setting {
	all := [][]setting{{{impl: Lua}, {impl: Closures}, {impl: Auto}, {impl: Auto, off: l.without(without.All)}}}
	if l.large || l.seed%8 == 1 {
		all[0] = append(all[0], setting{impl: Auto, cores: 2 + int(l.seed/8%2)})
	}
	if l.seed%3 == 0 {
		limit := uint64(250) << (l.seed / 3 % 10)
		limit += limit * (l.seed / 7 % 8) / 8
		all = append(all, []setting{{impl: Closures, limit: limit}, {impl: Auto, limit: limit}, {impl: Auto, limit: limit, off: l.without(without.Counted)}})
		if l.large {
			all[1] = append(all[1], setting{impl: Auto, cores: 3, limit: limit})
		}
	}
	return all
}

// differ reports whether systems do something else in one setting than in another.
func (l *landscape) differ(t testing.TB, a, b setting, sources []string) bool {
	x, err := l.run(t, a, sources)
	y, err2 := l.run(t, b, sources)
	return err == nil && err2 == nil && x.seen != y.seen
}

// same compares random systems in all settings. It returns the run of the last one.
func (l *landscape) same(t testing.TB, sources []string) (last account) {
	t.Helper()
	for _, list := range l.settings() {
		want, err := l.run(t, list[0], sources)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", l.seed, err, strings.Join(sources, "\n"))
		}
		for _, s := range list[1:] {
			got, err := l.run(t, s, sources)
			if err != nil {
				t.Fatal(err)
			}
			if got.seen != want.seen {
				short := shrink(sources, func(sources []string) bool { return l.differ(t, list[0], s, sources) })
				want, _ := l.run(t, list[0], short)
				got, _ := l.run(t, s, short)
				t.Fatalf("seed %d: %v\n%s\n%v\n%s\n%s", l.seed, s, got.seen, list[0], want.seen, strings.Join(short, "\n-- the next system\n"))
			}
			if s.limit == 0 && s.off == 0 {
				last = got
			}
		}
	}
	return last
}
