package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Relating costs little however deep the tree is: steps are counted, not seconds.
func TestRelatingInALongChainCostsLittle(t *testing.T) {
	const n = 20_000
	f := newFamily(t)
	es := make([]Entity, n)
	for i := range es {
		es[i] = f.spawn()
	}
	bound := func(what string, most uint64) {
		t.Helper()
		if work := Raw.Work(f.World); work > most {
			t.Errorf("%s: %d steps so far, more than %d", what, work, most)
		}
	}
	for i := n / 2; i < n-1; i++ { // downward, half of it
		f.relate(es[i+1], f.childOf, es[i])
	}
	bound("downward", 0)
	for i := n/2 - 1; i >= 0; i-- { // upward
		f.relate(es[i+1], f.childOf, es[i])
	}
	bound("upward", n)
	for i := range n { // an entity with a child moves to the end and back; the last is below it
		at := es[(i*7919)%(n-2)+1]
		if _, err := f.Relate(at, f.childOf, es[n-1]); !errors.Is(err, ErrCycle) {
			t.Fatalf("below its own descendant: %v", err)
		}
	}
	bound("refused", 100*n)
	q := f.Commands()
	mate, child := f.spawn(), f.spawn()
	f.relate(child, f.childOf, mate)
	for range n {
		ok(t, q.Relate(mate, f.childOf, es[n-1]))
		ok(t, q.Relate(mate, f.childOf, es[n/2]))
	}
	apply(t, q)
	bound("queued", 200*n)
	must[bool](t)(f.Despawn(es[0]))
	bound("despawned", 300*n)
	if f.Len() != 0 {
		t.Errorf("%d live", f.Len())
	}
}

// lineages is a world of two relations beside parents as they must be.
type lineages struct {
	*family
	living  []Entity
	parents [2]map[Entity]Entity // of ChildOf and of IsA
}

func (l *lineages) ids() [2]RelationID { return [2]RelationID{l.childOf, l.isA} }

// want says what relating e to a living target must answer.
func (l *lineages) want(kind int, e, target Entity) error {
	bases := 1
	for up := target; up != None; up = l.parents[kind][up] {
		if up == e {
			return ErrCycle
		}
		if up != target {
			bases++
		}
	}
	if kind == 1 && bases+l.height(e) > MaxBases {
		return ErrDepth
	}
	return nil
}

// height is how many generations of IsA are below e.
func (l *lineages) height(e Entity) int {
	most := 0
	for source := range l.parents[1] {
		n, up := 0, source
		for ; up != None && up != e; up = l.parents[1][up] {
			n++
		}
		if up == e {
			most = max(most, n)
		}
	}
	return most
}

func TestLineagesAgreeWithAModel(t *testing.T) {
	for _, patience := range []int{0, shortWalk} {
		t.Run(fmt.Sprint("patience ", patience), func(t *testing.T) {
			l := &lineages{family: newFamily(t), parents: [2]map[Entity]Entity{{}, {}}}
			l.components[l.childOf].relation.patience = patience
			random := rand.New(rand.NewPCG(1, uint64(patience)))
			refused := map[error]int{}
			for step := range 3_000 {
				l.step(random, refused)
				if step%100 == 0 {
					ok(t, l.Check())
				}
			}
			if refused[ErrCycle] < 50 || refused[ErrDepth] < 5 || l.components[l.childOf].relation.forest == nil {
				t.Errorf("little was tried: %v", refused)
			}
		})
	}
}

func (l *lineages) step(random *rand.Rand, refused map[error]int) {
	pick := func() Entity { return l.living[random.IntN(len(l.living))] }
	kind := random.IntN(2)
	switch n := random.IntN(100); {
	case len(l.living) < 150:
		l.living = append(l.living, l.spawn())
	case n < 1: // a chain of both kinds, so that trees are deep
		for _, e := range l.living[:101] {
			must[bool](l.t)(l.Unrelate(e, l.ids()[kind]))
			delete(l.parents[kind], e)
		}
		for i := range 100 {
			l.try(kind, l.living[i], l.living[i+1], refused)
		}
	case n < 3:
		l.despawn(pick())
	case n < 20:
		e := pick()
		_, had := l.parents[kind][e]
		if was := must[bool](l.t)(l.Unrelate(e, l.ids()[kind])); was != had {
			l.t.Fatalf("unrelate %s: %v", e, was)
		}
		delete(l.parents[kind], e)
	default:
		l.try(kind, pick(), pick(), refused)
	}
}

func (l *lineages) try(kind int, e, target Entity, refused map[error]int) {
	want := l.want(kind, e, target)
	queue := l.Commands()
	var err error
	if uint32(e)%2 == 0 {
		ok(l.t, queue.Relate(e, l.ids()[kind], target))
		err = queue.Apply()
	} else {
		_, err = l.Relate(e, l.ids()[kind], target)
	}
	if !errors.Is(err, want) || want == nil && err != nil {
		l.t.Fatalf("relate %s to %s: %v, want %v", e, target, err, want)
	}
	if want == nil {
		l.parents[kind][e] = target
	} else {
		refused[want]++
	}
	if got := l.Related(e, l.ids()[kind]); got != l.parents[kind][e] {
		l.t.Fatalf("%s is related to %s, want %s", e, got, l.parents[kind][e])
	}
}

// despawn ends an entity and its children, in the model, too.
func (l *lineages) despawn(e Entity) {
	must[bool](l.t)(l.Despawn(e))
	living := l.living[:0]
	for _, x := range l.living {
		up := x
		for up != None && up != e {
			up = l.parents[0][up]
		}
		if alive := up != e; alive != l.Alive(x) {
			l.t.Fatalf("%s lives: %v", x, !alive)
		}
		if l.Alive(x) {
			living = append(living, x)
		}
	}
	l.living = living
	for kind := range l.parents {
		for source, target := range l.parents[kind] {
			if !l.Alive(source) || !l.Alive(target) {
				delete(l.parents[kind], source)
			}
		}
	}
}

func TestAChainOfBasesIsBounded(t *testing.T) {
	f := newFamily(t)
	es := []Entity{f.spawn()}
	for len(es) <= MaxBases {
		e := must[Entity](t)(f.SpawnRelated([]Target{{f.isA, es[len(es)-1]}}))
		es = append(es, e)
	}
	last := es[MaxBases]
	wantDepth := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrDepth) || !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", what, err)
		}
	}
	other := f.spawn()
	_, err := f.Relate(other, f.isA, last)
	wantDepth("relate below the last", err)
	if want := fmt.Sprintf("relate IsA on %s: target %s: limit reached: a chain of IsA has at most 64 bases", other, last); err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = f.Relate(es[0], f.isA, other)
	wantDepth("relate above the first", err)
	_, err = f.SpawnRelated([]Target{{f.isA, last}})
	wantDepth("spawn", err)
	q := f.Commands()
	ok(t, q.Relate(other, f.isA, last))
	wantDepth("queued relate", q.Apply())
	e := must[Entity](t)(q.SpawnRelated([]Target{{f.isA, last}, {f.ownedBy, other}}))
	wantDepth("queued spawn", q.Apply())
	if f.Related(e, f.isA) != None || f.Related(e, f.ownedBy) != other {
		t.Errorf("the spawned entity is related to %s and %s", f.Related(e, f.isA), f.Related(e, f.ownedBy))
	}
	must[bool](t)(f.Unrelate(es[1], f.isA)) // two chains: of 0 and of 63 bases
	f.relate(other, f.isA, last)
	_, err = f.Relate(es[1], f.isA, es[0])
	wantDepth("join again", err)
}

func TestAnEntityMayBeSpawnedWithManyRelations(t *testing.T) {
	f := newFamily(t)
	a, b := f.spawn(), f.spawn()
	targets := make([]Target, 65_540)
	for i := range targets {
		targets[i] = Target{f.ownedBy, a}
	}
	targets[len(targets)-1].Entity = b
	q := f.Commands()
	e := must[Entity](t)(q.SpawnRelated(targets))
	apply(t, q)
	if got := f.Related(e, f.ownedBy); got != b {
		t.Errorf("owned by %s, want %s, the last of %d", got, b, len(targets))
	}
}
