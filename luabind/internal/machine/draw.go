package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// The functions of the host, in the order of [module].imports.
const (
	// importRefuel charges what was used and grants more; 0: the row must be put back.
	importRefuel = iota
	// importDraw gives a random number: whole from the third argument to the fourth,
	// or below 1 when those are the wrong way round. The second argument is 0 for the
	// first one of a row.
	importDraw
	// importUndraw takes back the numbers that the row drew.
	importUndraw
	// importPicture takes the picture for a loop over what is near; 0: the row must be
	// put back.
	importPicture
)

var hostFunctions = []imported{
	{"refuel", []byte{i32}, []byte{i32}},
	{"draw", []byte{i32, i32, f64, f64}, []byte{f64}},
	{"undraw", []byte{i32}, nil},
	{"picture", []byte{i32}, []byte{i32}},
}

// draw is a random number. Bounds that raise stop the row.
func (e *emitter) draw(x *kernel.Expr) {
	lo, hi := e.local(f64), e.local(f64)
	if x.A == nil {
		e.constant(1)
		e.set(lo)
		e.constant(0)
		e.set(hi)
	} else {
		from, to := e.local(i64), e.local(i64)
		lower, upper := &kernel.Expr{Op: kernel.Const, N: 1}, x.A
		if x.B != nil {
			lower, upper = x.A, x.B
		}
		e.bound(lower, from, lo)
		e.bound(upper, to, hi)
		e.get(from)
		e.get(to)
		e.op(opI64GtS)
		e.jumpIf(e.stop)
	}
	e.get(argFrame)
	e.get(e.drawn)
	e.get(lo)
	e.get(hi)
	e.call(importDraw)
	e.i32(1)
	e.set(e.drawn)
}

// bound cuts a bound to a whole number.
func (e *emitter) bound(x *kernel.Expr, whole, number int) {
	e.number(x, false)
	e.saturating(satI64F64S)
	e.tee(whole)
	e.op(opF64ConvertI64S)
	e.set(number)
}

// undraw takes back what a row drew that is put back.
func (e *emitter) undraw() {
	if !e.p.Random {
		return
	}
	e.get(e.drawn)
	e.then(void)
	e.get(argFrame)
	e.call(importUndraw)
	e.end()
}
