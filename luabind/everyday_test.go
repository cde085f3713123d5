package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Everyday systems do the same interpreted by gopher-lua, as closures and as machine code.

// everydaySystems is the number of systems in one world.
const everydaySystems = 4

// everydayDeclarations declares what everydayWorld fills.
func everydayDeclarations(t testing.TB, w *ecs.World) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	component := func(name string, fields ...ecs.Field) ecs.ComponentID {
		s, err := ecs.NewSchema(fields...)
		must(err)
		id, err := w.DeclareComponent(name, s)
		must(err)
		return id
	}
	pos := component("Pos", ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64})
	component("Hp", ecs.Field{Name: "now", Type: ecs.F64}, ecs.Field{Name: "max", Type: ecs.F64}, ecs.Field{Name: "kind", Type: ecs.String})
	component("Unit", ecs.Field{Name: "side", Type: ecs.U8}, ecs.Field{Name: "level", Type: ecs.I32}, ecs.Field{Name: "state", Type: ecs.String}, ecs.Field{Name: "target", Type: ecs.EntityField}, ecs.Field{Name: "on", Type: ecs.Bool})
	component("Bag", ecs.Field{Name: "items", Type: ecs.TableField}, ecs.Field{Name: "count", Type: ecs.I32}, ecs.Field{Name: "n", Type: ecs.F64})
	event := func(name string, fields ...ecs.Field) {
		s, err := ecs.NewSchema(fields...)
		must(err)
		_, err = w.DeclareEvent(name, s)
		must(err)
	}
	event("Hit", ecs.Field{Name: "from", Type: ecs.EntityField}, ecs.Field{Name: "to", Type: ecs.EntityField}, ecs.Field{Name: "amount", Type: ecs.F64}, ecs.Field{Name: "kind", Type: ecs.String}, ecs.Field{Name: "data", Type: ecs.TableField})
	event("Note", ecs.Field{Name: "n", Type: ecs.F64}, ecs.Field{Name: "text", Type: ecs.String})
	_, err := w.DeclareTag("red")
	must(err)
	_, err = w.DeclareGrid(ecs.GridSpec{Name: "g", Component: pos, X: "x", Y: "y", Cell: 3})
	must(err)
	_, err = w.DeclareResource("gold", ecs.F64, ecs.Number(3))
	must(err)
	_, err = w.DeclareResource("title", ecs.String, ecs.Text("none"))
	must(err)
}

// everydayRun runs systems for some frames, and returns all that can be seen, and what was compiled. The error is that they do not load.
func everydayRun(t testing.TB, seed uint64, impl Impl, limit uint64, library string, sources []string) (account, error) {
	t.Helper()
	var out, warnings bytes.Buffer
	var a account
	w := ecs.NewWorld(ecs.Options{Seed: seed, Memory: memoryOf(seed), MaxEntities: 5000})
	everydayDeclarations(t, w)
	crowd, sparing := 40, false
	switch seed % 8 {
	case 0:
		crowd = 250
	case 4: // loops begin as the interpreter runs them, and are compiled in the second frame
		crowd, sparing = 100, impl == Auto && limit == 0
	}
	scripts := map[string]string{"lib": library, "start": fmt.Sprintf(everydayWorld, crowd)}
	for i, source := range sources {
		scripts[fmt.Sprint("a", i)] = source
	}
	r, err := New(Options{
		World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(scripts), Sparing: sparing,
		Report: func(e *ScriptError) {
			a.failed++
			fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack))
		},
		Log: slog.New(slog.NewTextHandler(&warnings, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	systems := []System{{Name: "start", Script: "start.lua", Impl: Lua, Stage: ecs.Startup}}
	for i := range sources {
		name := fmt.Sprint("a", i)
		systems = append(systems, System{Name: name, Script: name + ".lua", Impl: impl})
	}
	for _, s := range systems {
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		return a, err
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.options.Limits.Instructions = limit
	for range 3 {
		a.tried += len(sources)
		if err := r.Frame(context.Background(), 0.25); err != nil {
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
	if w := warnings.String(); strings.Contains(w, "runs as closures") {
		t.Errorf("seed %d: %v\n%s", seed, impl, w)
	}
	for _, p := range r.runners() {
		a.loops += p.Kernels()
		a.machine += p.MachineKernels()
	}
	return a, nil
}

// everydaySame compares the systems of a seed in all implementations.
func everydaySame(t testing.TB, seed uint64) (last account) {
	t.Helper()
	return everydayCompare(t, seed, everydayLibrary(seed), everydaySources(seed))
}

// everydaySources returns the systems of a seed.
func everydaySources(seed uint64) (sources []string) {
	for i := range uint64(everydaySystems) {
		sources = append(sources, everydaySystem(seed*everydaySystems+i))
	}
	return sources
}

// everydayCompare compares systems in all implementations.
func everydayCompare(t testing.TB, seed uint64, library string, sources []string) (last account) {
	t.Helper()
	run := func(impl Impl, limit uint64, library string, sources []string) account {
		a, err := everydayRun(t, seed, impl, limit, library, sources)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, library, strings.Join(sources, "\n"))
		}
		return a
	}
	compare := func(reference, impl Impl, limit uint64) account {
		want, got := run(reference, limit, library, sources), run(impl, limit, library, sources)
		if got.seen == want.seen {
			return got
		}
		differ := func(library string, sources []string) bool {
			x, err := everydayRun(t, seed, reference, limit, library, sources)
			y, err2 := everydayRun(t, seed, impl, limit, library, sources)
			return err == nil && err2 == nil && x.seen != y.seen
		}
		short := shrink(sources, func(sources []string) bool { return differ(library, sources) })
		lib := shrink([]string{library}, func(list []string) bool { return differ(list[0], short) })[0]
		t.Fatalf("seed %d, limit %d, %v:\n%s\n%v:\n%s\n%s\n-- lib.lua\n%s", seed, limit, impl, run(impl, limit, lib, short).seen, reference, run(reference, limit, lib, short).seen, strings.Join(short, "\n-- the next system\n"), lib)
		return got
	}
	compare(Lua, Closures, 0)
	last = compare(Lua, Auto, 0)
	if seed%5 == 0 {
		compare(Closures, Auto, 2000<<(seed/5%6))
	}
	return last
}

// Everyday systems do the same with every implementation.
func TestEverydaySystems(t *testing.T) {
	t.Parallel()
	var sum account
	n := seeds(60, func(seed uint64) {
		a := everydaySame(t, seed)
		sum.loops, sum.machine, sum.failed, sum.tried = sum.loops+a.loops, sum.machine+a.machine, sum.failed+a.failed, sum.tried+a.tried
	}) * everydaySystems
	t.Logf("%d systems, %d kernels, %d of them machine code; %d of %d turns failed", n, sum.loops, sum.machine, sum.failed, sum.tried)
	if effort.More() && (sum.loops < n/2 || sum.machine < n/6 || sum.failed > sum.tried*2/3) { // else there are too few systems to count on
		t.Error("the test tests little")
	}
}

func FuzzEverydaySystems(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { everydaySame(t, seed) })
}
