package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Random programs with observers of all kinds, which do everything that scripts can do, and fail: under all policies, with
// entities that Go makes and observers in Go. They do the same under all implementations, and when they are saved after any frame
// and resumed.
//
//	OBSERVER_SEEDS=0+10000 go test ./luabind -run TestRandomObservers -timeout 2h

const observedFrames = 5

// An observedProgram is a random program.
type observedProgram struct {
	sources map[string]string
	systems []System
	limits  Limits
	native  []int // what the native system does in each frame
	goes    ecs.ObserverKind
}

func randomObserved(seed uint64) *observedProgram {
	g := &observerWriter{Rand: rand.New(rand.NewPCG(seed, 36))}
	g.endless = g.IntN(5) == 0
	x := &observedProgram{sources: map[string]string{"hub.lua": observerHub}, goes: ecs.ObserverKind(g.IntN(9))}
	x.limits = Limits{OnError: []Policy{Stop, Disable, Skip, Skip}[g.IntN(4)], Errors: 1 + g.IntN(3), Instructions: 2_000_000, Allocations: 10_000_000}
	if g.endless {
		x.limits.Instructions = 50_000
	}
	for i := range 1 + g.IntN(3) {
		name := fmt.Sprintf("s%d", i)
		x.sources[name+".lua"] = g.system(name)
		s := System{Name: name, Script: name + ".lua"}
		if g.IntN(4) == 0 {
			s.Every = 2
		}
		x.systems = append(x.systems, s)
	}
	if g.IntN(2) == 0 {
		x.systems = append(x.systems, System{Name: "go", Native: "go"})
		for range 8 {
			x.native = append(x.native, g.IntN(100))
		}
	}
	g.Shuffle(len(x.systems), func(i, j int) { x.systems[i], x.systems[j] = x.systems[j], x.systems[i] })
	return x
}

// drive is the native system: it makes, changes and ends entities, and has an observer that queues a command for some.
func (x *observedProgram) drive(w *ecs.World) (ecs.SystemFunc, error) {
	a, _ := w.LookupComponent("A")
	likes, _ := w.LookupRelation("Likes")
	red, _ := w.LookupTag("red")
	spec := ecs.ObserverSpec{Kind: x.goes, Run: func(w *ecs.World, c ecs.Change) error {
		if c.Entity.Index()%3 == 0 && c.Chain < 3 {
			w.Commands().Tag(c.Entity, red)
		}
		return nil
	}}
	switch x.goes.Subject() {
	case "component":
		spec.Name = "A"
	case "tag":
		spec.Name = "red"
	case "relation":
		spec.Name = "Likes"
	}
	if _, err := w.Observe(spec); err != nil {
		return nil, err
	}
	q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{a}})
	return func(w *ecs.World, _ float64) error {
		todo := x.native[w.Frame()%uint64(len(x.native))]
		e, err := w.Spawn(a)
		if err != nil {
			return err
		}
		first := q.First()
		switch todo % 8 {
		case 0:
			_, err = w.Set(e, a, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(todo))})
		case 1:
			w.Tag(first, red)
		case 2:
			_, err = w.Relate(e, likes, first)
		case 3:
			_, err = w.Despawn(first)
		case 4:
			_, err = w.Commands().SpawnRelated([]ecs.Target{{Relation: likes, Entity: first}}, a)
		case 5:
			_, err = w.Remove(first, a)
		case 6:
			w.Untag(first, red)
			w.Commands().Despawn(first)
		default:
			return fmt.Errorf("go fails in frame %d", w.Frame())
		}
		return err
	}, err
}

// open makes a Runtime that prints and reports to out.
func (x *observedProgram) open(t *testing.T, impl Impl, out *bytes.Buffer) *Runtime {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range x.sources {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rt, err := New(Options{
		World: ecs.NewWorld(ecs.Options{Seed: 5, Memory: restlessMemory()}), Scripts: fsys, Stdout: out, Limits: x.limits,
		Report:  func(e *ScriptError) { fmt.Fprintf(out, "reported: %v\n", e) },
		Natives: map[string]ecs.NativeFunc{"go": x.drive},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rt.Close() })
	for _, s := range x.systems {
		if s.Native == "" {
			s.Impl = impl
		}
		if err := rt.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return rt
}

// frames runs up to n frames. It returns a digest for each that was whole, and whether the run goes on.
func (x *observedProgram) frames(t *testing.T, rt *Runtime, out *bytes.Buffer, n int) (digests []string, on bool) {
	t.Helper()
	for range n {
		err := rt.Frame(context.Background(), 0.5)
		if errors.Is(err, ErrBug) {
			t.Fatalf("a bug: %v\n%s", err, errorStack(err))
		}
		if err := rt.World().Check(); err != nil {
			t.Fatalf("frame %d: the world is broken: %v", rt.World().Frame(), err)
		}
		digests = append(digests, fmt.Sprintf("%x", rt.World().Digest()))
		fmt.Fprintf(out, "frame %d\n", rt.World().Frame())
		if why, stopped := rt.World().Stopped(); err != nil || stopped {
			fmt.Fprintf(out, "ended: %v %s\n", err, why)
			return digests, false
		}
	}
	return digests, true
}

// errorStack returns where a bug was, if the error knows.
func errorStack(err error) string {
	if se := (*ScriptError)(nil); errors.As(err, &se) {
		return fmt.Sprintf("%+v", se.Err)
	}
	return ""
}

// same fails unless two texts are equal, and shows where they differ.
func (x *observedProgram) same(t *testing.T, what string, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	t.Fatalf("%s: line %d differs:\n got %s\nwant %s", what, i+1, strings.Join(a[max(0, i-3):min(len(a), i+4)], "\n     "), strings.Join(b[max(0, i-3):min(len(b), i+4)], "\n     "))
}

// check runs the program in all ways.
func (x *observedProgram) check(t *testing.T, at int) {
	t.Helper()
	var want string
	var digests []string
	for i, impl := range []Impl{Lua, Closures, Auto} {
		var out bytes.Buffer
		rt := x.open(t, impl, &out)
		if err := errors.Join(rt.Load(), rt.Start(context.Background())); err != nil {
			if errors.Is(err, ErrBug) || !errors.Is(err, ErrInit) {
				t.Fatalf("%v: %v\n%s", impl, err, errorStack(err))
			}
			fmt.Fprintln(&out, "not begun:", err)
			if i == 0 {
				want = out.String()
			}
			x.same(t, impl.String(), out.String(), want)
			continue
		}
		var file bytes.Buffer
		got, on := x.frames(t, rt, &out, at)
		before := out.Len()
		if on {
			if err := rt.Save(&file); err != nil {
				t.Fatalf("%v: %v", impl, err)
			}
			var more []string
			more, _ = x.frames(t, rt, &out, observedFrames-at)
			got = append(got, more...)
		}
		if i == 0 {
			want, digests = out.String(), got
		}
		x.same(t, impl.String(), out.String(), want)
		if !slices.Equal(got, digests) {
			t.Fatalf("%v: digests %v, interpreted %v", impl, got, digests)
		}
		if !on {
			continue
		}
		var after bytes.Buffer
		resumed := x.open(t, impl, &after)
		if err := resumed.Restore(&file); err != nil {
			t.Fatalf("%v: resumed: %v", impl, err)
		}
		more, _ := x.frames(t, resumed, &after, observedFrames-at)
		x.same(t, impl.String()+" resumed", after.String(), out.String()[before:])
		if !slices.Equal(more, got[at:]) {
			t.Fatalf("%v: digests of the resumed run %v, of the other %v", impl, more, got[at:])
		}
	}
}

func TestRandomObservers(t *testing.T) {
	n, from := effort.Of(900), 0
	if text := os.Getenv("OBSERVER_SEEDS"); text != "" {
		if _, err := fmt.Sscanf(text, "%d+%d", &from, &n); err != nil {
			t.Fatal(err)
		}
	}
	for seed := from; seed < from+n; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			x := randomObserved(uint64(seed))
			defer func() {
				if t.Failed() {
					for _, s := range x.systems {
						t.Logf("%+v\n%s", s, x.sources[s.Script])
					}
					t.Logf("limits %+v, saved after frame %d", x.limits, 1+seed%(observedFrames-1))
				}
			}()
			x.check(t, 1+seed%(observedFrames-1))
		})
	}
}
