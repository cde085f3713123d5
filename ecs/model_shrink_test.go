package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// modelOps is a stream of operations that was cut into its operations, so that some can be left out. Each operation has bytes of its own: what it does not read
// is skipped, and what it lacks is 0. So leaving one out does not change what the bytes of the others mean.
type modelOps struct {
	setup byte
	ops   [][]byte
}

// cutModel cuts a stream that begins with n operations.
func cutModel(in []byte, n int) (list modelOps) {
	r := newMachine(in, false)
	defer r.closePools()
	defer func() {
		if recover() != nil {
			list.ops = append(list.ops, r.in) // the one that fails, and what nobody will read
		}
	}()
	list.setup = in[0]
	for range n {
		rest := r.in
		r.step()
		list.ops = append(list.ops, rest[:len(rest)-len(r.in)])
	}
	return list
}

// run makes the operations, as [runModel] does those of a stream.
func (list modelOps) run(every int, compare func(r *machine), tracing bool) (r *machine, err error) {
	r = newMachine([]byte{list.setup}, tracing)
	ops := list.ops
	err = r.run(func() bool { // what an operation leaves of its bytes is dropped here
		if len(ops) == 0 {
			return false
		}
		r.in, ops = ops[0], ops[1:]
		return true
	}, every, compare)
	return r, err
}

const (
	modelTries = 3000 // runs that shrinking a stream may take
	modelLooks = 64   // comparisons in each of them, if there are that many operations
)

// shrink leaves out what the failure does not need: operations, then what they read, then what is special about the world. Any failure counts as the same one.
func (list modelOps) shrink(compare func(r *machine)) modelOps {
	tries := modelTries
	bad := func(l modelOps) bool {
		tries--
		_, err := l.run(max(1, len(l.ops)/modelLooks), compare, false)
		return err != nil
	}
	list.ops = shortest(list.ops, func(ops [][]byte) bool { return tries > 0 && bad(modelOps{list.setup, ops}) })
	list.ops = slices.Clone(list.ops)
	for i, op := range list.ops {
		for _, simple := range simplerOps(op) {
			if list.ops[i] = simple; tries <= 0 || !bad(list) {
				list.ops[i] = op
				continue
			}
			op = simple
		}
	}
	for bit := range 8 {
		if plain := (modelOps{list.setup &^ (1 << bit), list.ops}); plain.setup != list.setup && tries > 0 && bad(plain) {
			list = plain
		}
	}
	list.ops = shortest(list.ops, func(ops [][]byte) bool { return tries > 0 && bad(modelOps{list.setup, ops}) })
	return list
}

// simplerOps returns operations of the same kind that read smaller numbers: none but zeros, and those with one number less.
func simplerOps(op []byte) (list [][]byte) {
	if len(op) < 2 {
		return nil
	}
	list = append(list, op[:1], op[:len(op)/2+1])
	for i := 1; i < min(len(op), 16); i++ {
		if op[i] != 0 {
			less := slices.Clone(op)
			less[i] = 0
			list = append(list, less)
		}
	}
	return list
}

// shortest leaves items of a list out as long as bad is true of the rest: first half of the list, then chunks half as large, down to single items, until none of
// them can be left out. It begins at the end, because what comes later is needed by less.
func shortest[T any](list []T, bad func([]T) bool) []T {
	for size := (len(list) + 1) / 2; size > 0; {
		less := false
		for to := len(list); to > 0; {
			from := max(0, to-size)
			if rest := slices.Concat(list[:from], list[to:]); bad(rest) {
				list, less = rest, true
			}
			to = from
		}
		if size > 1 {
			size = (size + 1) / 2
		} else if !less {
			break
		}
	}
	return list
}

// explain runs the operations with a trace, and says what was done and how it ended.
func (list modelOps) explain(compare func(r *machine)) string {
	r, err := list.run(1, compare, true)
	return fmt.Sprintf("%s\n%s\n%v", describeSetup(list.setup), strings.Join(r.trace, "\n"), err)
}

// What is left is what matters, in its order.
func TestShortest(t *testing.T) {
	numbers := make([]int, 1000)
	for i := range numbers {
		numbers[i] = i
	}
	all := func(wanted ...int) func([]int) bool {
		return func(list []int) bool {
			for _, n := range wanted {
				if !slices.Contains(list, n) {
					return false
				}
			}
			return true
		}
	}
	for name, c := range map[string]struct {
		list []int
		bad  func([]int) bool
		want []int
	}{
		"nothing is needed":   {numbers, all(), nil},
		"one":                 {numbers, all(500), []int{500}},
		"the first, the last": {numbers, all(0, 999), []int{0, 999}},
		"three":               {numbers, all(803, 17, 400), []int{17, 400, 803}},
		"neighbours":          {numbers, all(511, 512, 513), []int{511, 512, 513}},
		"all":                 {numbers[:20], all(numbers[:20]...), numbers[:20]},
		"an empty list":       {nil, all(), nil},
		"a number of them":    {numbers, func(l []int) bool { return len(l) >= 5 }, numbers[:5]},
		"one or two others":   {numbers, func(l []int) bool { return all(7)(l) || all(3, 990)(l) }, []int{7}},
		"one allows another": {numbers[:100], func(l []int) bool { // an even number is not left out before the odd one behind it
			for i := 0; i < 100; i += 2 {
				if all(i+1)(l) && !all(i)(l) {
					return false
				}
			}
			return all(40)(l)
		}, []int{40}},
	} {
		calls := 0
		got := shortest(c.list, func(l []int) bool { calls++; return c.bad(l) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
		if calls > 4000 {
			t.Errorf("%s: %d calls", name, calls)
		}
	}
	if numbers[0] != 0 || numbers[999] != 999 || numbers[512] != 512 {
		t.Error("the list itself was changed")
	}
}

// Operations by themselves do what they do in their stream.
func TestCutModel(t *testing.T) {
	for seed := range uint64(8) {
		in := modelBytes(seed*33, 3000)
		digest, ops, err := runModel(in, 1<<30, false)
		if err != nil {
			t.Fatal(err)
		}
		list := cutModel(in, ops)
		r, err := list.run(1<<30, (*machine).compare, false)
		if got := r.w.Digest(); err != nil || len(list.ops) != ops || got != digest {
			t.Errorf("seed %d: %d operations, digest %s, %v; the stream has %d, %s", seed, len(list.ops), got, err, ops, digest)
		}
	}
}

// Failures that need a few operations are shrunk to them, and what is printed names them.
func TestModelShrinks(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		compare func(r *machine)
		most    int // operations that are left
		lines   []string
	}{
		"a tag": {func(r *machine) {
			if len(r.w.TagMembers(0)) > 0 {
				r.fail("a tag")
			}
		}, 2, []string{"w := newWorld(Options{})", "Tag(", "operations: a tag"}},
		"a panic that is not the model's": {func(r *machine) {
			if r.w.Len() > 2 && len(r.m.events) > 0 {
				panic(broken)
			}
		}, 4, []string{"panic: broken"}},
		"a relation, a tag, and one that is gone": {func(r *machine) {
			for _, e := range r.handles {
				if r.w.Related(e, r.m.relations[1].id) != None && r.w.Len() < len(r.handles) && len(r.w.TagMembers(1)) > 0 {
					r.fail("%s likes", e)
				}
			}
		}, 6, []string{"Likes", "Despawn", "Tag(", " likes"}},
		"always": {func(r *machine) { r.fail("always") }, 0, []string{"newWorld(Options{})", "after 0 operations: always"}},
	} {
		in := modelBytes(7, 20_000)
		list := cutModel(in, 3000)
		if _, err := list.run(1, c.compare, false); err == nil {
			t.Errorf("%s: the stream does not fail", name)
			continue
		}
		short := list.shrink(c.compare)
		text := short.explain(c.compare)
		if len(short.ops) > c.most {
			t.Errorf("%s: %d operations are left\n%s", name, len(short.ops), text)
		}
		for _, line := range c.lines {
			if !strings.Contains(text, line) {
				t.Errorf("%s: %q is missing in\n%s", name, line, text)
			}
		}
	}
}
