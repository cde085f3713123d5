package surface

import (
	"errors"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Choices by chance: ecs.shuffle, pick, sample and normal, and world:pick. They draw from the stream of the running system. How many numbers each
// draws, and in which order, decides later draws, so docs/lua-api.md says it.

var errNoDraw = errors.New("there are no random numbers here: a file that is being loaded draws only with ecs.random and math.random; call it in init or update")

// draws returns the stream of the running system. It raises an error if none runs.
func (c call) draws() *ecs.Random {
	host := c.host
	if c.w != nil {
		host = c.w.host
	}
	if c.surface.loading > 0 {
		sandbox.Raise(c.LState, errNoDraw)
	}
	r := host.Random()
	if r == nil {
		sandbox.Raise(c.LState, errNoStream)
	}
	return r
}

// between draws a whole number from lo to hi.
func between(r *ecs.Random, lo, hi int) int { return int(r.Between(float64(lo), float64(hi))) }

// shuffle is ecs.shuffle(list). A list in storage is changed there, and returned as a copy.
func shuffle(c call) int {
	list := c.surface.state.ListAt(c.LState)
	r := c.draws()
	n := list.Len()
	c.charge(n)
	for i := n; i > 1; i-- {
		list.Swap(i, between(r, 1, i))
	}
	list.Store(c.LState)
	c.Push(list.Table())
	return 1
}

// pickItem is ecs.pick(list).
func pickItem(c call) int {
	t := c.items(1)
	r := c.draws()
	n := interp.Length(t)
	if n == 0 {
		c.Push(lua.LNil)
		return 1
	}
	c.Push(t.RawGet(lua.LNumber(between(r, 1, n))))
	return 1
}

// sample is ecs.sample(list, n): the first n steps of a shuffle from the front.
func sample(c call) int {
	t, count := c.items(1), c.number(2)
	if count != math.Floor(count) || count < 0 || math.IsInf(count, 0) {
		c.bad(2, "a whole number from 0 on expected, got %s", sandbox.NumberText(count))
	}
	r := c.draws()
	n := interp.Length(t)
	most := int(min(count, float64(n)))
	c.charge(n + most)
	items := make([]lua.LValue, n)
	for i := range items {
		items[i] = t.RawGet(lua.LNumber(i + 1))
	}
	for i := 0; i < most && i < n-1; i++ {
		j := between(r, i+1, n) - 1
		items[i], items[j] = items[j], items[i]
	}
	if !c.surface.state.Budget().Allocate(interp.TableBytes + interp.EntryBytes*int64(most)) {
		sandbox.Raise(c.LState, c.surface.state.Budget().Err())
	}
	out := interp.NewTable(most, 0)
	for _, v := range items[:most] {
		out.Append(v)
	}
	c.Push(out.Table())
	return 1
}

// normal is ecs.normal(mean, sd).
func normal(c call) int {
	mean, sd := 0.0, 1.0
	if c.arg(1) != lua.LNil {
		mean = c.number(1)
	}
	if c.arg(2) != lua.LNil {
		sd = c.number(2)
	}
	c.Push(number(normalOf(c.draws(), mean, sd)))
	return 1
}

var logarithm, cosine = sandbox.MathOne["log"], sandbox.MathOne["cos"]

// normalOf computes mean + sd * sqrt(-2 * log(1 - u)) * cos(2 * pi * v), rounded as Lua code rounds it.
func normalOf(r *ecs.Random, mean, sd float64) float64 {
	u, v := r.Float64(), r.Float64()
	root := math.Sqrt(float64(-2*logarithm(1-u)) + 0)
	return mean + float64(float64(sd*root)*cosine(float64(2*math.Pi*v))) + 0
}

// pick is world:pick(…).
func pick(c call) int {
	if x := c.indexAsked(); x != nil {
		return pickAt(c, x)
	}
	p, to := c.plan()
	r := c.draws()
	c.charge(ecs.Raw.SharedSteps(p.query))
	n := 0
	if to.relation == nil {
		n = p.query.Count()
	} else {
		for cur := p.begin(c.w, to); cur.Next(); {
			n++
		}
	}
	if n == 0 {
		c.Push(lua.LNil)
		return 1
	}
	cur := p.begin(c.w, to)
	defer cur.End()
	cur.Nth(between(r, 1, n) - 1)
	return c.w.yield(c.LState, p, &cur)
}

// pickAt is world:pick(index, …): one of the entities at a place, or nil.
func pickAt(c call, x *ecs.Index) int {
	var values keyValues
	walk, err := x.All(c.key(x, &values)...)
	c.check(err)
	n := walk.Len()
	if n == 0 {
		c.Push(lua.LNil)
		return 1
	}
	c.charge(n)
	for range between(c.draws(), 1, n) {
		walk.Next()
	}
	c.Push(c.w.entity(walk.Entity()))
	return 1
}

// chanceForm returns the native form of a function that chooses by chance; nil for other functions.
func (s *Surface) chanceForm(name string, host Host) interp.Native {
	stream := func() *ecs.Random {
		if s.loading > 0 {
			return nil
		}
		return host.Random()
	}
	switch name {
	case "shuffle": // it declines always: the form marks a function that changes its argument
		return func(*interp.Machine, []interp.Value) (interp.Value, bool) { return interp.Value{}, false }
	case "normal":
		return func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			values := [2]float64{0, 1}
			for i := range args {
				if i >= len(values) || !args[i].IsNumber() {
					return interp.Value{}, false
				}
				values[i] = args[i].Num
			}
			r := stream()
			if r == nil {
				return interp.Value{}, false
			}
			return interp.Number(normalOf(r, values[0], values[1])), true
		}
	case "pick":
		return func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			if len(args) != 1 {
				return interp.Value{}, false
			}
			t, ok := args[0].Ref.(*lua.LTable)
			r := stream()
			if !ok || r == nil {
				return interp.Value{}, false
			}
			n := interp.Length(t)
			if n == 0 {
				return interp.Nil, true
			}
			return interp.Of(t.RawGet(lua.LNumber(between(r, 1, n)))), true
		}
	}
	return nil
}
