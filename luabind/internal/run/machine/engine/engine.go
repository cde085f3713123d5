package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// The wazero runtime of the process, compiled modules, and instances. All worlds of a process share compiled code:
// the same bytes are compiled once.

// engine returns the runtime that compiles modules, made at the first call, one for the process. It is nil where
// wazero has only its interpreter, which is slower than closures.
var engine = sync.OnceValue(func() (rt wazero.Runtime) {
	defer func() {
		if recover() != nil { // wazero has no compiler for this system
			rt = nil
		}
	}()
	ctx := context.Background()
	rt = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithDebugInfoEnabled(false))
	answer := func(ask func(h Host, args []uint64) bool) api.GoFunc {
		return func(ctx context.Context, stack []uint64) {
			if ask(ctx.(*call).host, stack) {
				stack[0] = 1
			} else {
				stack[0] = 0
			}
		}
	}
	functions := [...]api.GoFunc{
		abi.ImportRefuel:   answer(func(h Host, _ []uint64) bool { return h.Refuel() }),
		abi.ImportSnapshot: answer(func(h Host, args []uint64) bool { return h.Snapshot(int(uint32(args[0]))) }),
		abi.ImportFetch: answer(func(h Host, args []uint64) bool {
			h.Fetch(int(uint32(args[0])), uint32(args[1]), int(int32(uint32(args[2]))))
			return true
		}),
		abi.ImportSources: answer(func(h Host, args []uint64) bool {
			return h.Sources(int(uint32(args[0])), math.Float64frombits(args[1]))
		}),
		abi.ImportCall: answer(func(h Host, args []uint64) bool { return h.Call(int(uint32(args[0])), uint32(args[1])) }),
	}
	module := rt.NewHostModuleBuilder(wasm.HostName)
	for i, f := range functions {
		module.NewFunctionBuilder().WithGoFunction(f, abi.HostFunctions[i].Params, abi.HostFunctions[i].Results).Export(abi.HostFunctions[i].Name)
	}
	if _, err := module.Instantiate(ctx); err != nil {
		panic(err)
	}
	return rt
})

// Supported reports whether there is a compiler for this processor and system.
func Supported() bool { return engine() != nil }

// A Host answers the calls that code makes: see [abi.HostFunctions].
type Host interface {
	// Refuel charges the fuel that was used and grants more. It returns false if the row must be restored.
	Refuel() bool
	// Snapshot prepares a loop over near entities, given its number. It returns false if the row must be restored.
	Snapshot(loop int) bool
	// Fetch copies a row into a mirror of a component, given the address of the mirror, and perhaps others; all rows if row is -1.
	Fetch(component int, mirror uint32, row int)
	// Sources lists the sources of an entity for a loop, given its number. It returns false if the row must be restored.
	Sources(loop int, e float64) bool
	// Call does a call on strings, given its number, and the address of the entry of a cache, or 0. It returns false if the row must be
	// restored.
	Call(call int, entry uint32) bool
}

// A call is the context of a call of code. The functions of the host find their receiver in it.
type call struct {
	context.Context
	host Host
}

// Context returns the context for calls of code whose host is h. It can be used for any number of calls.
func Context(h Host) context.Context { return &call{context.Background(), h} }

// ErrInvalid is in the error of [Compile] if wazero refuses the module. That is a bug of the compiler of machine
// code.
var ErrInvalid = errors.New("machine code: the module of the loop is invalid")

// A Compiled is a compiled module in use. The same code is compiled and checked once, as long as there are uses of
// it.
type Compiled struct {
	users   int
	compile sync.Once
	module  wazero.CompiledModule
	refused error // by wazero
	check   sync.Once
	fault   error // the result of the check
}

var (
	compiledMu  sync.Mutex
	compiledAll = map[string]*Compiled{}
)

// Compile compiles the code of a module, unless it is in use already, and begins a use of it, which Drop ends. Its
// error wraps [ErrInvalid]. It may be called on several goroutines.
func Compile(code []byte) (*Compiled, error) {
	compiledMu.Lock()
	c := compiledAll[string(code)]
	if c == nil {
		c = &Compiled{}
		compiledAll[string(code)] = c
	}
	c.users++
	compiledMu.Unlock()
	c.compile.Do(func() {
		c.module, c.refused = engine().CompileModule(context.Background(), code)
	})
	if c.refused != nil {
		c.Drop(code)
		return nil, fmt.Errorf("%w: %w", ErrInvalid, c.refused)
	}
	return c, nil
}

// Checked calls check at the first call, and returns its result then and later.
func (c *Compiled) Checked(check func() error) error {
	c.check.Do(func() { c.fault = check() })
	return c.fault
}

// Held reports whether code is in use.
func Held(code []byte) bool {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	return compiledAll[string(code)] != nil
}

// Use begins another use, which Drop ends.
func (c *Compiled) Use() {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	c.users++
}

// Drop ends a use. With the last use the compiled code is freed.
func (c *Compiled) Drop(code []byte) {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	c.users--
	if c.users == 0 {
		delete(compiledAll, string(code))
		if c.module != nil {
			_ = c.module.Close(context.Background()) // it never fails
		}
	}
}

// A fixed is the memory of an instance: a whole mapping, which never grows.
type fixed []byte

// Reallocate implements experimental.LinearMemory. All pages exist from the start.
func (f fixed) Reallocate(size uint64) []byte {
	if size > uint64(len(f)) {
		return nil
	}
	return f[:size]
}

// Free does nothing, because the mapping outlives the instances. (wazero 1.12.0 calls it when any module is closed
// that shares a memory.)
func (f fixed) Free() {}

// Instantiate makes an instance of a module over a memory. The caller must close the instance, and keep the memory
// until then.
func (c *Compiled) Instantiate(m *memory.Memory) (api.Module, error) {
	mapping := fixed(m.Reserved()) // not m itself: instances must not keep the Memory alive
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return mapping }))
	return engine().InstantiateModule(ctx, c.module, wazero.NewModuleConfig().WithName(""))
}
