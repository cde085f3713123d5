package selfcheck

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// The rounds of a check. In each, both kernels run once as a system over the same rows of edge values, and everything that
// they did is compared: compare has the list.

// ErrDiffers is in the error of [Check] if the code did not do what closures do. That is a fault of the compiler of machine
// code.
var ErrDiffers = errors.New("machine code: the compiled loop differs from the interpreted one")

// Before code is used for the first time it runs over some rows of hard values, in
// a scratch world, and so do the closures. Random testing found two faults of
// wazero's compiler; this finds those that a program of a user meets.

const (
	checkedRounds = 6
	tameRound     = 2
	checkedAtMost = 16      // rounds, where loops end early
	checkedTries  = 12      // of a round: a row that was put back gets other values
	checkedFuel   = 1 << 13 // of a try
	checkedWork   = 1 << 16 // fuel after which no further try begins
)

// errNoRoom is returned by a round in which a row did more than there is room to record. Code left it to the interpreter
// and closures did not, so the worlds differ and the check ends.
var errNoRoom = errors.New("no room")

// A selfTest is code and closures for a Program, each in a world of its own.
type selfTest struct {
	*subject
	want, got *trial
	closures  kernel.Kernel
	code      kernel.Kernel
	rng       *rand.Rand
	column    *ecs.Column // of the events, nil for a loop over entities
	inputs    []input     // registers, as a run begins
	sides     *sides      // of the conditions of the body
	read      []*ir.Expr  // fields that it reads
	work      int64       // fuel of all tries, those of a search counted anew
}

// A Maker makes a kernel of the code under test, for a Program that was moved to a scratch world, with its frame in a
// memory. done frees what the kernel has taken there.
type Maker func(p *ir.Program, w *ecs.World, m *memory.Memory, b *sandbox.Budget) (code kernel.Kernel, done func(), err error)

// Check runs code and closures over rows of edge values in scratch worlds, and compares everything that both do. The code
// is that of a Program over q in w, nil for events; w is only read. The seed decides which rows there are. The error wraps
// [ErrDiffers] if the code is wrong; any other says that it cannot be checked.
func Check(p *ir.Program, q *ecs.Query, w *ecs.World, seed uint64, maker Maker) error {
	return CheckWith(p, q, w, seed, maker, nil)
}

// CheckWith is Check, and reports to ended what was done: for tests.
func CheckWith(p *ir.Program, q *ecs.Query, w *ecs.World, seed uint64, maker Maker, ended func(Report)) error {
	of, own := memory.For(w)
	m := memory.TakeScratch(uintptr(len(of.Reserved())))
	if m == nil {
		return abi.Refusal("no memory to check it in")
	}
	defer memory.GiveBack(m)
	d := &selfTest{subject: subjectOf(p, q, w), rng: rand.New(rand.NewPCG(1, seed))}
	options := ecs.Options{Seed: 1}
	if own { // otherwise rows are copied here, too
		options.Memory = m
	}
	var err error
	if d.want, err = newTrial(d.subject, w, ecs.Options{Seed: 1}); err != nil {
		return err
	}
	if d.got, err = newTrial(d.subject, w, options); err != nil {
		return err
	}
	k, done, err := maker(d.got.program, d.got.world, m, &d.got.budget)
	if err != nil {
		return err
	}
	defer done()
	d.sides, d.read = sidesOf(p), readBy(p)
	d.closures, d.code = closures.CompileProbed(d.want.program, &d.want.budget, d.probe), k
	d.closures.SetTableWriter(&d.want.sinks)
	d.code.SetTableWriter(&d.got.sinks)
	if slices.ContainsFunc(p.Effects, func(e *ir.Effect) bool { return e.Op == ir.Print }) {
		d.want.sinks.prints(d.closures)
		d.got.sinks.prints(d.code)
	}
	if p.Events != nil {
		if d.column, err = eventsOf(p.Events); err != nil {
			return err
		}
	}
	if ended != nil {
		defer func() { ended(d.report()) }()
	}
	if more, err := d.run(); !more {
		return err
	}
	return d.drive()
}

// run makes rounds with random rows. more is false after an error, and when the worlds differ.
func (d *selfTest) run() (more bool, err error) {
	rounds, least, enough := checkedRounds, int64(checkedFuel), int64(0)
	if d.column == nil {
		if d.changes { // rounds of these cost more
			rounds = 4
		}
		enough = int64(rounds) * d.program.Price * int64(d.layouts[0].rows) / 2
	}
	for round := range checkedAtMost {
		if round >= rounds && d.work >= enough || d.work > checkedWork {
			break
		}
		for _, t := range [...]*trial{d.want, d.got} {
			if err := t.prepare(round); err != nil {
				return false, err
			}
		}
		d.tame = round == tameRound
		d.want.fillAll(d.rng, round%2 == 0)
		d.got.copyFrom(d.want)
		if d.column != nil {
			for row := range d.column.Len() {
				d.want.fill(d.column.Row(row), d.rng, round%2 == 0)
			}
		}
		d.setInputs()
		fuel := int64(checkedFuel)
		switch round {
		case 0: // once it is granted twice
			fuel += abi.Grain
		case 3: // some row is the last one that can be paid
			fuel = 1 + d.rng.Int64N(least)
		}
		if more, err := d.tries(fuel); !more {
			return false, err
		}
		d.tame = false
		used := d.want.budget.Used()
		least = min(least, max(1, used))
	}
	return true, nil
}

// tries runs both until they finish, or a few times: the row at which they stop gets other values. more is false after an
// error, and when the worlds differ.
func (d *selfTest) tries(fuel int64) (more bool, err error) {
	for range checkedTries {
		again, err := d.runOnce(fuel)
		if errors.Is(err, errNoRoom) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("%w: %w", ErrDiffers, err)
		}
		if d.work += min(d.want.budget.Used(), checkedFuel); d.work > checkedWork || !again || fuel > abi.Grain {
			break
		}
	}
	return true, nil
}

// runOnce runs both once, as a system. again says that they stopped at a row, which has got other values.
func (d *selfTest) runOnce(fuel int64) (again bool, err error) {
	if d.column != nil {
		return d.runEvents(fuel, d.column)
	}
	var failed, b error
	want, got := d.want, d.got
	a := want.call(fuel, func() {
		x := ecs.Raw.Begin(want.query)
		how := d.closures.Run(&x)
		b = got.call(fuel, func() {
			y := ecs.Raw.Begin(got.query)
			also := d.code.Run(&y)
			again, failed = d.compare(how, also, &x, &y)
			y.End()
		})
		x.End()
	})
	if failed = errors.Join(failed, sameFailure(a, b)); failed != nil {
		return false, failed
	}
	if d.effects && want.world.Digest() != got.world.Digest() {
		return false, errors.New("its effects leave another world")
	}
	return again, nil
}

// sameFailure compares how the commands of both runs ended when they were applied. The values of a check may make a command
// fail, for instance by a circle of relations: then it must fail in both.
func sameFailure(want, got error) error {
	text := func(err error) string {
		if err == nil {
			return "no error"
		}
		return err.Error()
	}
	if w, g := text(want), text(got); w != g {
		return fmt.Errorf("its commands end with %s, not with %s", g, w)
	}
	return nil
}

// compare compares everything that both runs did, and gives other values to the row at which they stopped.
func (d *selfTest) compare(how, also kernel.Ending, x, y *ecs.Cursor) (again bool, err error) {
	stopped, early := how.Leaves(), false
	if also.Leaves() {
		early = !stopped || before(y, x)
	}
	if early && d.records {
		return false, errNoRoom
	}
	if how != also && !(how.Leaves() && also.Leaves()) { // code may lack room where closures lack fuel
		return false, fmt.Errorf("it ends by %d, not by %d", also, how)
	}
	if stopped && (x.Table().ID() != y.Table().ID() || x.RowIndex() != y.RowIndex()) {
		return false, fmt.Errorf("it stops at row %d of table %d, not at row %d of table %d", y.RowIndex(), y.Table().ID(), x.RowIndex(), x.Table().ID())
	}
	if err := d.compareResults(how, also); err != nil {
		return false, err
	}
	if err := d.want.compare(d.got); err != nil {
		return false, err
	}
	if stopped {
		d.want.fillRow(x.Table(), x.RowIndex(), d.rng, true)
		d.got.copyFrom(d.want)
	}
	return stopped, nil
}

// before reports whether cursor a stands before b. Tables are visited in the order of their ids.
func before(a, b *ecs.Cursor) bool {
	if a.Table().ID() != b.Table().ID() {
		return a.Table().ID() < b.Table().ID()
	}
	return a.RowIndex() < b.RowIndex()
}
