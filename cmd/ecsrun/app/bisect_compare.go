package app

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file says in what the two worlds of bisect differ. Parts are compared by name, because a mod that is on on one side
// only declares names that the other world does not have.

// bisectRules say what does not count as a difference.
type bisectRules struct {
	resources     map[string]bool // whose start value an override has set
	sameSystems   bool            // the same systems are on
	otherLanguage map[string]bool // systems that run natively on one side and as a script on the other
}

// bisectRulesOf compares the configs of the two sides.
func bisectRulesOf(a, b *config.Config) *bisectRules {
	r := &bisectRules{resources: map[string]bool{}, otherLanguage: map[string]bool{}}
	for _, x := range a.Resources {
		i := slices.IndexFunc(b.Resources, func(y config.Resource) bool { return y.Name == x.Name })
		if i >= 0 && !reflect.DeepEqual(x.Default, b.Resources[i].Default) {
			r.resources[x.Name] = true
		}
	}
	on := func(c *config.Config) (names []string) {
		for _, s := range c.Systems {
			if s.Enabled {
				names = append(names, s.Name)
			}
		}
		return names
	}
	r.sameSystems = slices.Equal(on(a), on(b))
	for _, x := range a.Systems {
		i := b.FindSystem(x.Name)
		if i >= 0 && runsInGo(x) != runsInGo(b.Systems[i]) {
			r.otherLanguage[x.Name] = true
		}
	}
	return r
}

// runsInGo reports whether a system runs its Go function.
func runsInGo(s config.System) bool { return s.Impl == config.ImplNative || s.Script == "" }

// without reports whether a part of a world does not count: a random stream, or a resource that an override has set.
func (r *bisectRules) without(part string) bool {
	kind, name, _ := strings.Cut(part, " ")
	return kind == "random" || kind == "resource" && r.resources[name]
}

// counts reports whether a difference counts. What only one world declares does not: that world was told to.
func (r *bisectRules) counts(d ecs.Difference) bool {
	switch d.Kind {
	case ecs.DifferentStream:
		return false
	case ecs.DifferentResource:
		return !r.resources[d.Name]
	case ecs.DifferentDeclaration:
		return d.A != "declared" && d.B != "declared"
	default:
		return true
	}
}

// A discrepancy is what differs, with both values; what is "" if nothing does.
type discrepancy struct{ what, a, b, note string }

// differ compares the two worlds as a whole. It costs O(both worlds).
func (b *bisection) differ() discrepancy {
	x, y := b.a.world(), b.b.world()
	part, digestX, digestY := b.rules.differentPart(x.PartDigests(nil), y.PartDigests(nil))
	lone := lonely(x, y, false)
	if lone.what == "" {
		lone = lonely(y, x, true)
	}
	switch {
	case lone.what != "":
		return lone
	case part == "" && b.a.ended() == b.b.ended():
		return discrepancy{}
	}
	for most := 16; ; most *= 4 {
		list := x.Differences(y, most)
		for _, d := range list {
			if b.rules.counts(d) {
				return discrepancy{what: d.What(), a: d.A, b: d.B}
			}
		}
		if len(list) < most {
			break
		}
	}
	return discrepancy{what: part, a: fmt.Sprintf("digest %016x", digestX), b: fmt.Sprintf("digest %016x", digestY)}
}

// differentPart returns the first part that both worlds have and that differs, "" if there is none.
func (r *bisectRules) differentPart(a, b []ecs.PartDigest) (part string, x, y uint64) {
	of := make(map[string]uint64, len(b))
	for _, p := range b {
		of[p.Part] = p.Digest
	}
	for _, p := range a {
		if other, both := of[p.Part]; both && other != p.Digest && !r.without(p.Part) {
			return p.Part, p.Digest, other
		}
	}
	return "", 0, 0
}

// lonely returns the first entity of a world that has a component or tag that the other world does not declare, or an event
// that the other does not declare. swapped says that world is B.
func lonely(world, other *ecs.World, swapped bool) (d discrepancy) {
	set := func(what, here, there string) discrepancy {
		if swapped {
			here, there = there, here
		}
		return discrepancy{what: what, a: here, b: there}
	}
	for id, name := range world.ComponentNames() {
		if _, ok := other.LookupComponent(name); ok {
			continue
		}
		for _, t := range world.Tables() {
			if t.Has(ecs.ComponentID(id)) && t.Len() > 0 {
				return set(fmt.Sprintf("entity %s, %s", t.Entities()[0], name), "there", "not declared")
			}
		}
	}
	for id, name := range world.TagNames() {
		if _, ok := other.LookupTag(name); !ok && len(world.TagMembers(ecs.TagID(id))) > 0 {
			return set(fmt.Sprintf("entity %s, tag %s", world.TagMembers(ecs.TagID(id))[0], name), "set", "not declared")
		}
	}
	for id, name := range world.EventNames() {
		if _, sent := world.EventCount(ecs.EventID(id)); sent > 0 {
			if _, ok := other.LookupEvent(name); !ok {
				return set("events "+name+" sent in all", strconv.FormatUint(sent, 10), "not declared")
			}
		}
	}
	return discrepancy{}
}

// This file decides after each turn of bisect whether the two runs still do the same: failures are compared first, then the
// worlds, then printed lines.

// judge looks at what is new on both sides: failures first, then the difference d between the worlds, then what scripts have
// printed. name is the system whose turn it was, "" for none. It reports false if the runs are over.
func (b *bisection) judge(name string, d discrepancy, newsA, newsB news) bool {
	for _, side := range []struct {
		s *bisectSide
		n news
	}{{b.a, newsA}, {b.b, newsB}} {
		for _, err := range side.n.failed {
			if errors.Is(err, errInterrupted) {
				b.stopped = true
				return false
			}
			if errors.Is(err, luabind.ErrBug) {
				side.s.fail(err)
				return false
			}
		}
	}
	if b.found = b.differentFailure(name, newsA.failed, newsB.failed); b.found != "" {
		return false
	}
	for _, err := range newsA.failed {
		b.a.failures.report(err, time.Now())
	}
	b.failed = b.a.err != nil || b.b.err != nil
	if d.what == "" {
		d.what, d.a, d.b = differentLine("printed line", newsA.printed, newsB.printed)
	}
	if d.what == "" {
		return !b.failed
	}
	b.nowhere = name == ""
	b.found = fmt.Sprintf("%s: %s: %s in A, %s in B%s", b.place(name), d.what, d.a, d.b, d.note)
	return false
}

// differentFailure returns a failure that one side has and the other has not, or that has another text, and shows it in
// full; "" if there is none.
func (b *bisection) differentFailure(name string, failedA, failedB []error) string {
	for i := range max(len(failedA), len(failedB)) {
		errA, errB := failureAt(failedA, i), failureAt(failedB, i)
		first := errA
		if first == nil {
			first = errB
		}
		var script *luabind.ScriptError
		if errors.As(first, &script) && script.System != "" {
			name = script.System
		}
		switch {
		case errB == nil:
			b.a.failures.report(errA, time.Now())
			return fmt.Sprintf("%s: a failure in A, and none in B: %v", b.place(name), errA)
		case errA == nil:
			b.b.failures.report(errB, time.Now())
			return fmt.Sprintf("%s: a failure in B, and none in A: %v", b.place(name), errB)
		}
		if b.failure(errA) != b.failure(errB) {
			b.a.failures.report(errA, time.Now())
			b.b.failures.report(errB, time.Now())
			return fmt.Sprintf("%s: another failure: %v in A, %v in B", b.place(name), errA, errB)
		}
	}
	return ""
}

func failureAt(list []error, i int) error {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// failure returns the text that is compared of a failure. A native system words its failures in its own way, so where it
// stands against a script, only the fact that it failed is compared.
func (b *bisection) failure(err error) string {
	var script *luabind.ScriptError
	if errors.As(err, &script) && b.rules.otherLanguage[script.System] {
		return fmt.Sprintf("system %q failed", script.System)
	}
	return err.Error()
}
