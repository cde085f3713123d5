package sandbox

import (
	"errors"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// This file runs Lua functions for Go. A Call takes a thread for its depth, runs the function on it under the
// budget, and turns what the thread panics with into an *Error. A pcall of a script uses the same functions
// (baselib.go).

// Options configure a State. The zero value is right for scripts.
type Options struct {
	MaxString int         // longest string in bytes a script may build; 0: 16 MiB
	Plain     bool        // run functions with gopher-lua's own interpreter, not with package interp
	Without   without.Set // mechanisms that package interp does not use
}

const (
	deepCalls     = 15_000    // Lua calls within each other, in a Call from Go, a pcall or a coroutine
	deepThreads   = 8         // Calls and pcalls within each other that may be so deep
	callDepth     = 200       // Lua calls within each other, in a pcall inside of that many
	maxThreads    = 200       // pcalls and Calls within each other: PUC Lua's C levels
	maxResume     = 200       // coroutines resumed within each other
	maxCoroutines = 10_000    // created in one turn
	maxValues     = 256 << 10 // registers of one thread
	maxUnpack     = 8000      // values unpack and string.byte may return, as in Lua 5.1
)

func init() {
	// Process-wide in gopher-lua. A store just below it fills the array part:
	// 16 MB instead of 1 GB. Entities (from 2^32 on) are far above.
	lua.MaxArrayIndex = maxList + 1
}

// maxList is the largest number of items of a list.
const maxList = 1<<20 - 1

// MaxList is maxList for compiled loops.
const MaxList = maxList

// A State is one Lua state: the values of one world's scripts, and the threads that run them. It belongs to one
// goroutine at a time, starts none, and reads no clock. A thread that an error has left in an unknown condition is
// dropped, and the next Call starts on a new one, so a State never becomes unusable.
type State struct {
	arrayStep *lua.LFunction // see arrays.go
	base      *lua.LState    // never runs anything: the mother of the threads
	budget    Budget
	hook      func(*lua.LState)

	threads    []*lua.LState            // one per depth of Calls and pcalls; nil: to be made
	left       [deepThreads]*lua.LState // by depth: the thread that an error has left; its stack of frames is used again
	depth      int                      // how many of them are in use
	closing    bool                     // see CallAs
	active     []*lua.LState            // what runs, outermost first: threads and coroutines
	coroutines []*lua.LState            // the resumed ones, outermost first
	waited     []int                    // the number of calls in which each of them waited before

	last      *Error // the error raised last, for coroutines, whose edge loses it
	thrown    *thrown
	rethrown  *Error
	spent     *Error // the error of the spent budget, in turn spentTurn
	spentTurn uint64
	caught    caughtErrors

	machine   *interp.Machine // nil: gopher-lua's own interpreter
	host      Host            // nil when nobody describes values
	maxString int
	buf       []byte         // scratch of concat and format
	plain     PlainCall      // scratch of native forms
	many      []interp.Value // the same
	library   *library
	strings   map[*lua.LTable]*lua.LTable            // by environment: its table string
	methods   *lua.LTable                            // of strings, as Lua has them
	wrap      func(th *lua.LState) *lua.LFunction    // makes a function of coroutine.wrap
	launch    func(fn *lua.LFunction) *lua.LFunction // makes the first function of a coroutine
	frozen    *lua.LTable                            // metatable of frozen tables
	hidden    map[string]lua.LValue                  // what the repairs call, by a name no source can write
	chunks    map[string][]*Chunk                    // by name; of several the last one is the newest
	named     map[*lua.FunctionProto]*function       // functions that were given a name: see NameFunction
	texts     int                                    // how many functions load has made since the last sweep
	loops     map[*lua.FunctionProto][]loopBody

	hasCoroutines bool // see HasCoroutines
}

// New makes an empty State.
func New(o Options) *State {
	if o.MaxString <= 0 {
		o.MaxString = 16 << 20
	}
	s := &State{
		base: lua.NewState(lua.Options{
			SkipOpenLibs:     true,
			CallStackSize:    callDepth,
			RegistrySize:     256,
			RegistryMaxSize:  maxValues,
			RegistryGrowStep: 1024,
		}),
		maxString: o.MaxString,
		chunks:    map[string][]*Chunk{},
		named:     map[*lua.FunctionProto]*function{},
		loops:     map[*lua.FunctionProto][]loopBody{},
		strings:   map[*lua.LTable]*lua.LTable{},
	}
	s.hook = s.raised
	if !o.Plain {
		s.machine = interp.New(&s.budget)
		s.machine.Without = o.Without
		s.machine.Strings = s.strings
		s.many = make([]interp.Value, mostPlain)
		s.machine.Paths = pathsIn
		s.machine.SetOwner(&threads{s})
	}
	// gopher-lua takes the first thread that runs for the main one and gives it
	// another loop; that must be none of ours.
	s.base.G.MainThread, s.base.G.CurrentThread = s.base, s.base
	s.base.Panic = s.hook
	s.openLibraries()
	s.frozen = s.frozenMetatable()
	return s
}

// Budget returns the budget of the turn. All calls of the State share it.
func (s *State) Budget() *Budget { return &s.budget }

// Plain decides whether calls from now on run on gopher-lua's own interpreter, the reference, instead of package
// interp. Only the speed differs.
func (s *State) Plain(on bool) {
	if s.machine != nil {
		s.machine.Off = on
	}
}

// NewTable makes an empty table.
func (s *State) NewTable() *lua.LTable { return s.base.CreateTable(0, 0) }

// NewFunction makes a Lua function of fn.
func (s *State) NewFunction(fn lua.LGFunction) *lua.LFunction { return s.base.NewFunction(fn) }

// NewUserData makes a userdata of value with metatable mt (nil: none).
func (s *State) NewUserData(value any, mt *lua.LTable) *lua.LUserData {
	ud := &lua.LUserData{Value: value, Env: s.base.Env, Metatable: lua.LNil}
	if mt != nil {
		ud.Metatable = mt
	}
	return ud
}

// ErrTooDeep is the Cause if Calls and pcalls are nested more than 200 deep.
var ErrTooDeep = Limitf("stack overflow: calls are nested too deeply")

// Call runs fn with args and drops its results. The error is nil or an *Error. Call itself allocates nothing. A
// function that Lua has called may use it; the call then runs under the same budget.
func (s *State) Call(fn lua.LValue, args ...lua.LValue) error {
	th := s.thread()
	if th == nil {
		return s.tooDeep()
	}
	if e := s.run(th, fn, args, nil, 0, 0); e != nil {
		return s.leave(e)
	}
	return nil
}

// CallAs is Call. last says that fn is that with which a turn ends: its caller does nothing afterwards that could fail.
func (s *State) CallAs(last bool, fn lua.LValue, args ...lua.LValue) error {
	s.closing = last && s.depth == 0
	defer func() { s.closing = false }()
	return s.Call(fn, args...)
}

// Closing reports whether the Go function that runs on L was called by the last function of CallAs, or by one that it
// has called in a return: nothing of the turn follows but the rest of that function. The budget suffices for the rest
// if this call uses no more than is lent to it.
func (s *State) Closing(L *lua.LState) bool {
	return s.closing && L == s.threads[0] && interp.Depth(L) == 1 && s.budget.spares(s.budget.used)
}

// Room returns how many calls and pcalls fit within one another at least, inside the call that runs on L.
func (s *State) Room(L *lua.LState) int { return min(interp.Room(L), maxThreads-s.depth) }

// Aside calls run, which may use Call, in the middle of a turn, under an account of its own: what is left of the allowance.
// The call costs price, and what it uses. Both the allowance and the turn pay for it, so the turn may be over afterwards.
func (s *State) Aside(a *Allowance, price int64, run func()) {
	outer, spent := s.budget.suspend(a, price), s.spent
	s.spent = nil
	defer func() {
		s.budget.resume(a, outer)
		s.spent = spent
	}()
	run()
}

// CallResults is Call with the results of fn: n values, filled up with nil, or all of them for n < 0.
func (s *State) CallResults(fn lua.LValue, n int, args ...lua.LValue) ([]lua.LValue, error) {
	th := s.thread()
	if th == nil {
		return nil, s.tooDeep()
	}
	if n < 0 {
		n = lua.MultRet
	}
	if e := s.run(th, fn, args, nil, 0, n); e != nil {
		return nil, s.leave(e)
	}
	out := make([]lua.LValue, th.GetTop())
	for i := range out {
		out[i] = th.Get(i + 1)
	}
	th.SetTop(0)
	return out, nil
}

// thread returns an empty thread for the next depth, nil if calls are nested too deeply.
func (s *State) thread() *lua.LState {
	if s.texts >= mostTexts && len(s.active) == 0 {
		s.sweep()
	}
	if s.depth < len(s.threads) {
		if th := s.threads[s.depth]; th != nil {
			if th.GetTop() != 0 {
				th.SetTop(0)
			}
			return th
		}
	} else if s.depth >= maxThreads {
		return nil
	} else {
		s.threads = append(s.threads, nil)
	}
	size := s.deepest(s.depth)
	if s.machine == nil && s.depth < deepThreads && s.left[s.depth] != nil {
		size = 1
	}
	th := s.newThread(size)
	if s.depth < deepThreads && s.left[s.depth] != nil {
		interp.TakeFrames(th, s.left[s.depth])
		s.left[s.depth] = nil
	}
	s.threads[s.depth] = th
	return th
}

// newThread makes a thread on which so many calls fit within each other.
func (s *State) newThread(deepest int) *lua.LState {
	s.base.Options.CallStackSize = deepest
	if s.machine != nil {
		s.base.Options.CallStackSize = 1
	}
	th, _ := s.base.NewThread() // base has no context, so nothing is wrapped
	th.SetContext(&s.budget)
	th.Panic = s.hook
	if s.machine != nil {
		interp.ShortStack(th, deepest)
		s.machine.Install(th)
	}
	return th
}

// deepest returns how many calls fit within each other on the thread of a depth.
func (s *State) deepest(depth int) int {
	if depth < deepThreads {
		return deepCalls
	}
	return callDepth
}

// mark is the state in which a call began, to which run returns after an error.
type mark struct {
	active, coroutines, depth int
	current                   *lua.LState
	machine                   interp.Mark
}

// run calls fn on th, the thread of this depth. The arguments are args, or the values of from at 2 to last, with
// which pcall passes on its own. On success the results are on th. After an error th is dropped with everything
// that was unfinished on it; variables that closures have captured stay alive in its registers.
func (s *State) run(th *lua.LState, fn lua.LValue, args []lua.LValue, from *lua.LState, last, nret int) (e *Error) {
	m := mark{active: len(s.active), coroutines: len(s.coroutines), depth: s.depth, current: s.base.G.CurrentThread}
	if s.machine != nil {
		m.machine = s.machine.Mark()
	}
	s.active = append(s.active, th)
	s.depth++
	defer s.caughtAt(m, th, &e)
	if from == nil && nret == 0 && s.enter(th, fn, args) {
		if s.budget.cause != nil {
			return s.spentError(th, s.budget.cause)
		}
		return nil
	}
	th.Push(fn)
	nargs := len(args)
	for _, a := range args {
		th.Push(a)
	}
	if from != nil {
		for i := 2; i <= last; i++ {
			th.Push(from.Get(i))
		}
		nargs = last - 1
	}
	th.Call(nargs, nret)
	if s.budget.cause != nil { // it cannot be caught, so this is the last resort
		return s.spentError(th, s.budget.cause)
	}
	return nil
}

// enter calls fn on th without gopher-lua's stack. It reports false if that is not possible.
func (s *State) enter(th *lua.LState, fn lua.LValue, args []lua.LValue) bool {
	if s.machine == nil {
		return false
	}
	var values [4]interp.Value
	if len(args) > len(values) {
		return false
	}
	for i, v := range args {
		values[i] = interp.Of(v)
	}
	return s.machine.Enter(th, fn, values[:len(args)]...)
}

// CallShape calls fn for a Go function that runs on L; ok is false if gopher-lua has to call it. The result is v,
// or a table constructor, as [interp.Machine.CallShape] returns it.
func (s *State) CallShape(L *lua.LState, fn lua.LValue, args ...interp.Value) (v interp.Value, shape *interp.Shape, slots []interp.Value, ok bool) {
	if s.machine == nil {
		return v, nil, nil, false
	}
	return s.machine.CallShape(L, fn, args...)
}

// TableOf makes the table of a constructor that CallShape has returned.
func (s *State) TableOf(shape *interp.Shape, slots []interp.Value) *lua.LTable {
	return s.machine.Table(shape, slots)
}

func (s *State) caughtAt(m mark, th *lua.LState, e **Error) {
	if r := recover(); r != nil {
		*e = s.fromPanic(th, r)
		clear(s.threads[m.depth:max(s.depth, m.depth+1)])
		if m.depth < deepThreads {
			s.left[m.depth] = th
		}
		s.coroutines = s.coroutines[:m.coroutines]
		s.base.G.CurrentThread = m.current
		s.thrown, s.rethrown = nil, nil
		if s.machine != nil {
			s.machine.Unwind(m.machine)
		}
	}
	s.active = s.active[:m.active]
	s.depth = m.depth
}

func (s *State) tooDeep() error {
	return &Error{Stack: s.frames(), Message: ErrTooDeep.Error(), Cause: ErrTooDeep, Value: lua.LString(ErrTooDeep.Error())}
}

// leave completes an error that leaves Lua for Go. An error object with __tostring provides its own text, within
// the budget.
func (s *State) leave(e *Error) error {
	t, ok := e.Value.(*lua.LTable)
	if !ok || e.fatal {
		return e
	}
	mt, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return e
	}
	fn := mt.RawGetString("__tostring")
	if fn == lua.LNil {
		return e
	}
	if out, err := s.CallResults(fn, 1, t); err == nil {
		if text, ok := out[0].(lua.LString); ok {
			e.Message = cut(strings.TrimSpace(string(text)))
		}
	} else if x := new(Error); errors.As(err, &x) && x.fatal {
		return x
	}
	return e
}
