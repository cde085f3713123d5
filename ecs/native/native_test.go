package native

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A field is a small battlefield for one native: what the arena declares, and a schedule with that native alone.
type field struct {
	*testing.T
	world    *ecs.World
	schedule *ecs.Schedule
	position ecs.Component[Position]
	velocity ecs.Component[Velocity]
	soldier  ecs.Component[Soldier]
	weapon   ecs.Component[Weapon]
	target   ecs.Component[Target]
	health   ecs.Component[Health]
	shield   ecs.Component[Shield]
	lifetime ecs.Component[Lifetime]
	hits     ecs.Event[Hit]
	burning  ecs.TagID
}

func newField(t *testing.T, natives ...string) *field {
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	f := &field{
		T: t, world: w, schedule: ecs.NewSchedule(w),
		position: ecs.MustRegister[Position](w, "Position"),
		velocity: ecs.MustRegister[Velocity](w, "Velocity"),
		soldier:  ecs.MustRegister[Soldier](w, "Soldier"),
		weapon:   ecs.MustRegister[Weapon](w, "Weapon"),
		target:   ecs.MustRegister[Target](w, "Target"),
		health:   ecs.MustRegister[Health](w, "Health"),
		shield:   ecs.MustRegister[Shield](w, "Shield"),
		lifetime: ecs.MustRegister[Lifetime](w, "Lifetime"),
	}
	f.burning = must(w.DeclareTag("burning"))(t)
	f.hits = must(ecs.RegisterEvent[Hit](w, "Hit"))(t)
	for name, v := range map[string]float64{
		"field_width": 100, "field_height": 50, "ravens_x": 10, "ravens_y": 25, "stags_x": 90, "stags_y": 25,
	} {
		must(w.DeclareResource(name, ecs.F64, ecs.Number(v)))(t)
	}
	must(w.DeclareResource("broken", ecs.I32, ecs.Value{}))(t)
	for _, name := range natives {
		f.schedule.Add(name, must(Systems()[name](w))(t))
	}
	return f
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (f *field) frame(dt float64) {
	f.Helper()
	if err := f.schedule.Run(dt); err != nil {
		f.Fatal(err)
	}
	if err := f.world.Check(); err != nil {
		f.Fatal(err)
	}
}

func (f *field) spawn(b *ecs.Builder) ecs.Entity {
	f.Helper()
	return must(b.Spawn())(f.T)
}

func (f *field) mover(p Position, v Velocity) ecs.Entity {
	f.Helper()
	return f.spawn(f.velocity.With(f.position.With(f.world.Build(), p), v))
}

func (f *field) fighter(p Position, s Soldier, wp Weapon) ecs.Entity {
	f.Helper()
	b := f.velocity.With(f.position.With(f.world.Build(), p), Velocity{})
	b = f.health.With(f.weapon.With(f.soldier.With(b, s), wp), Health{100, 100})
	return f.spawn(f.target.With(b, Target{}))
}

// changed returns who had the component written in the last frame.
func (f *field) changed(since ecs.Tick, id ecs.ComponentID) (es []ecs.Entity) {
	q := must(f.world.Query(ecs.Filter{Required: []ecs.ComponentID{id}}))(f.T)
	for t := range q.Tables {
		column := t.Column(id)
		for i, e := range t.Entities() {
			if column.Changed(i) > since {
				es = append(es, e)
			}
		}
	}
	return es
}

func same(a, b []ecs.Entity) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestMovement(t *testing.T) {
	f := newField(t, "movement")
	e := f.mover(Position{1, 2}, Velocity{10, -20})
	rock := f.spawn(f.position.With(f.world.Build(), Position{5, 5}))
	since := f.world.Tick()
	f.frame(0.5)
	if got := *f.position.Get(e); got != (Position{6, -8}) {
		t.Errorf("moved to %v", got)
	}
	if got := *f.position.Get(rock); got != (Position{5, 5}) {
		t.Errorf("a rock moved to %v", got)
	}
	if got := f.changed(since, f.position.ID()); !same(got, []ecs.Entity{e}) {
		t.Errorf("positions written: %v", got)
	}
	if got := f.changed(since, f.velocity.ID()); len(got) != 0 {
		t.Errorf("velocities written: %v", got)
	}
}

// The interpreter turns an arithmetic -0 into +0, and a digest sees the difference.
func TestMovementGivesNoMinusZero(t *testing.T) {
	f := newField(t, "movement")
	minus := math.Copysign(0, -1)
	e := f.mover(Position{minus, minus}, Velocity{minus, -5})
	f.frame(0) // -0 + -0*0 and -0 + -5*0
	if p := f.position.Get(e); math.Signbit(p.X) || math.Signbit(p.Y) {
		t.Errorf("position %v", *p)
	}
}

func TestBounce(t *testing.T) {
	f := newField(t, "bounce") // the field is 100 by 50
	cases := []struct {
		name   string
		p      Position
		v      Velocity
		want   Velocity
		writes bool
	}{
		{"inside", Position{50, 25}, Velocity{-3, 4}, Velocity{-3, 4}, false},
		{"out on the left", Position{-1, 25}, Velocity{-3, 4}, Velocity{3, 4}, true},
		{"left, on its way back", Position{-1, 25}, Velocity{3, 4}, Velocity{3, 4}, false},
		{"out on the right", Position{101, 25}, Velocity{3, 4}, Velocity{-3, 4}, true},
		{"out above", Position{50, 51}, Velocity{3, 4}, Velocity{3, -4}, true},
		{"out of a corner", Position{-1, -1}, Velocity{-3, -4}, Velocity{3, 4}, true},
		{"out, standing", Position{-1, -1}, Velocity{}, Velocity{}, false},
		{"on the line", Position{0, 50}, Velocity{-3, 4}, Velocity{-3, 4}, false},
	}
	var es, writes []ecs.Entity
	for _, c := range cases {
		e := f.mover(c.p, c.v)
		es = append(es, e)
		if c.writes {
			writes = append(writes, e)
		}
	}
	since := f.world.Tick()
	f.frame(1)
	for i, c := range cases {
		if got := *f.velocity.Get(es[i]); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := f.changed(since, f.velocity.ID()); !same(got, writes) {
		t.Errorf("velocities written: %v, want %v", got, writes)
	}
}

func TestLifetime(t *testing.T) {
	f := newField(t, "lifetime")
	short := f.spawn(f.lifetime.With(f.world.Build(), Lifetime{0.5}))
	long := f.spawn(f.lifetime.With(f.world.Build(), Lifetime{1}))
	f.frame(0.5)
	if f.world.Alive(short) || !f.world.Alive(long) || f.lifetime.Get(long).Left != 0.5 {
		t.Fatalf("after half a second: %v %v", f.world.Alive(short), f.world.Alive(long))
	}
	f.frame(0.5)
	if f.world.Alive(long) {
		t.Fatal("the long life goes on")
	}
}

func TestTargeting(t *testing.T) {
	f := newField(t, "targeting")
	sword := Weapon{Reach: 2}
	raven := f.fighter(Position{20, 20}, Soldier{Side: 0, Slot: 1, Speed: 6}, sword)
	idle := f.fighter(Position{20, 21}, Soldier{Side: 0, Slot: 2, Speed: 6}, sword)
	near := f.fighter(Position{23, 16}, Soldier{Side: 1, Slot: 1, Speed: 6}, sword)
	f.fighter(Position{32, 20}, Soldier{Side: 1, Slot: 2, Speed: 6}, sword)
	lonely := f.fighter(Position{60, 25}, Soldier{Side: 1, Slot: 1, Speed: 6}, sword)
	f.frame(1) // frame 1: slot 1 looks
	if got := f.target.Get(raven).Entity; got != near {
		t.Errorf("the raven sees %v, not %v", got, near)
	}
	if v := *f.velocity.Get(raven); math.Abs(v.DX-3.6) > 1e-9 || math.Abs(v.DY+4.8) > 1e-9 {
		t.Errorf("the raven goes %v", v)
	}
	if f.target.Get(idle).Entity != ecs.None {
		t.Error("a soldier looked round out of its turn")
	}
	if got, v := f.target.Get(lonely).Entity, *f.velocity.Get(lonely); got != ecs.None || v != (Velocity{DX: -6}) {
		t.Errorf("who sees nobody marches on the enemy's middle: target %v, velocity %v", got, v)
	}

	// In reach it stands; a broken side runs.
	f.position.Write(raven).X, f.position.Write(raven).Y = 22, 16
	for range 8 {
		f.frame(1)
	}
	if v := *f.velocity.Get(raven); v != (Velocity{}) {
		t.Errorf("in reach, the raven goes %v", v)
	}
	broken, err := ecs.RegisterResource[int32](f.world, "broken")
	if err != nil {
		t.Fatal(err)
	}
	*broken = 1
	for range 8 {
		f.frame(1)
	}
	if v := *f.velocity.Get(raven); v != (Velocity{DX: -6}) || f.target.Get(raven).Entity != ecs.None {
		t.Errorf("in a rout, the raven goes %v", v)
	}
}

// A soldier with too many comrades ahead waits instead of walking into them; whoever is in front goes on.
func TestTargetingWaitsInACrowd(t *testing.T) {
	f := newField(t, "targeting")
	var file []ecs.Entity
	for i := range crowd + 3 {
		file = append(file, f.fighter(Position{20 + float64(i)*0.1, 20}, Soldier{Side: 0, Slot: 1, Speed: 6}, Weapon{Reach: 2}))
	}
	f.frame(1)
	for i, e := range file {
		ahead := len(file) - 1 - i
		if waits := *f.velocity.Get(e) == (Velocity{}); waits != (ahead > crowd) {
			t.Errorf("with %d comrades ahead, it waits: %v", ahead, waits)
		}
	}
}

func TestAttackAndDamage(t *testing.T) {
	f := newField(t, "attack", "damage")
	foe := f.fighter(Position{21, 20}, Soldier{Side: 1}, Weapon{Reach: 2, Reload: 1, Ready: 1e9})
	f.shield.Set(foe, Shield{Strength: 1})
	raven := f.fighter(Position{20, 20}, Soldier{}, Weapon{Damage: 10, Reach: 2, Reload: 1, Fire: 1})
	far := f.fighter(Position{40, 20}, Soldier{}, Weapon{Damage: 10, Reach: 2, Reload: 1})
	f.target.Set(raven, Target{foe})
	f.target.Set(far, Target{foe})
	f.target.Set(foe, Target{raven})
	since := f.world.Tick()
	f.frame(0.1)
	hits := f.hits.Peek()
	if len(hits) != 1 || hits[0].Target != foe || !hits[0].Fire || hits[0].Amount < 5 || hits[0].Amount >= 15 {
		t.Fatalf("hits: %+v", hits)
	}
	if got := f.changed(since, f.weapon.ID()); !same(got, []ecs.Entity{raven}) {
		t.Errorf("weapons written: %v", got)
	}
	if ready := f.weapon.Get(raven).Ready; ready < 0.75 || ready >= 1.25 {
		t.Errorf("ready again at %v", ready)
	}
	if got, want := f.health.Get(foe).Current, 100-hits[0].Amount*0.4; got != want {
		t.Errorf("health %v, want %v: the shield takes most", got, want)
	}
	if f.shield.Has(foe) || !f.world.Tagged(foe, f.burning) {
		t.Errorf("shield there: %v, burning: %v", f.shield.Has(foe), f.world.Tagged(foe, f.burning))
	}
	if got := f.changed(since, f.health.ID()); !same(got, []ecs.Entity{foe}) {
		t.Errorf("healths written: %v", got)
	}
}

func TestDamageSparesTheFallen(t *testing.T) {
	f := newField(t, "damage")
	e := f.spawn(f.health.With(f.world.Build(), Health{5, 100}))
	since := f.world.Tick()
	f.hits.Send(Hit{Target: e, Amount: 8})
	f.hits.Send(Hit{Target: e, Amount: 8, Fire: true})
	f.hits.Send(Hit{Target: ecs.None, Amount: 8})
	f.frame(0.1)
	if got := f.health.Get(e).Current; got != -3 {
		t.Errorf("health %v: only the first blow counts", got)
	}
	if f.world.Tagged(e, f.burning) {
		t.Error("a fallen soldier caught fire")
	}
	if got := f.changed(since, f.health.ID()); !same(got, []ecs.Entity{e}) {
		t.Errorf("healths written: %v", got)
	}
}

func TestBurning(t *testing.T) {
	f := newField(t, "burning")
	bare := f.spawn(f.health.With(f.world.Build(), Health{1000, 1000}))
	covered := f.spawn(f.shield.With(f.health.With(f.world.Build(), Health{1000, 1000}), Shield{10}))
	calm := f.spawn(f.health.With(f.world.Build(), Health{1000, 1000}))
	f.world.Tag(bare, f.burning)
	f.world.Tag(covered, f.burning)
	since := f.world.Tick()
	f.frame(0.5)
	for e, want := range map[ecs.Entity]float64{bare: 985, covered: 994, calm: 1000} {
		if got := f.health.Get(e).Current; got != want {
			t.Errorf("%v has %v, want %v", e, got, want)
		}
	}
	if got := f.changed(since, f.health.ID()); !same(got, []ecs.Entity{bare, covered}) {
		t.Errorf("healths written: %v", got)
	}
	for i := 0; f.world.Tagged(bare, f.burning) || f.world.Tagged(covered, f.burning); i++ {
		if i == 1000 {
			t.Fatal("the fire never goes out")
		}
		f.frame(0.01)
	}
}

func TestNativesSayWhatIsMissing(t *testing.T) {
	for name, native := range Systems() {
		w := ecs.NewWorld(ecs.Options{})
		s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F32})
		if err != nil {
			t.Fatal(err)
		}
		for _, component := range []string{"Position", "Velocity", "Health", "Shield", "Lifetime"} {
			must(w.DeclareComponent(component, s))(t)
		}
		_, err = native(w)
		if !errors.Is(err, ecs.ErrMismatch) || !strings.Contains(err.Error(), "{x f32}") {
			t.Errorf("%s over other layouts: %v", name, err)
		}
	}
	if _, err := Bounce(ecs.NewWorld(ecs.Options{})); err == nil || !strings.Contains(err.Error(), `needs the resource "field_width"`) {
		t.Errorf("bounce without a field: %v", err)
	}
}

// A steady frame, where nobody dies or catches fire, allocates nothing.
func TestSteadyFramesAllocateNothing(t *testing.T) {
	f := newField(t, "targeting", "movement", "bounce", "attack", "damage", "burning", "lifetime")
	for i := range 400 {
		f.fighter(Position{float64(i % 100), float64(i / 8)}, Soldier{Side: uint8(i % 2), Slot: uint8(i % 8), Speed: 3},
			Weapon{Damage: 1e-9, Reach: 3, Reload: 0.2})
	}
	for range 20 {
		f.world.Tag(f.mover(Position{1, 1}, Velocity{1, 1}), f.burning)
		f.world.Tag(f.spawn(f.health.With(f.world.Build(), Health{1e9, 1e9})), f.burning)
		f.spawn(f.lifetime.With(f.world.Build(), Lifetime{1e9}))
	}
	for range 200 {
		f.frame(0.05)
	}
	if n := testing.AllocsPerRun(100, func() {
		if err := f.schedule.Run(0.05); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per frame", n)
	}
	if len(f.hits.Peek()) == 0 {
		t.Error("nobody fought: the frame measured nothing")
	}
}
