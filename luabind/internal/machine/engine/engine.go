package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// engine is what compiles modules, one for the process: nil where wazero has only
// its interpreter, which is slower than closures.
var engine = sync.OnceValue(func() (rt wazero.Runtime) {
	defer func() {
		if recover() != nil { // no compiler for this system
			rt = nil
		}
	}()
	ctx := context.Background()
	rt = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithDebugInfoEnabled(false))
	refuel := api.GoFunc(func(ctx context.Context, stack []uint64) {
		if ctx.(*call).host.Refuel() {
			stack[0] = 1
		} else {
			stack[0] = 0
		}
	})
	snapshot := api.GoFunc(func(ctx context.Context, stack []uint64) {
		if ctx.(*call).host.Snapshot(int(uint32(stack[0]))) {
			stack[0] = 1
		} else {
			stack[0] = 0
		}
	})
	module := rt.NewHostModuleBuilder(wasm.HostName)
	for i, f := range []api.GoFunc{refuel, snapshot} {
		module.NewFunctionBuilder().WithGoFunction(f, abi.HostFunctions[i].Params, abi.HostFunctions[i].Results).Export(abi.HostFunctions[i].Name)
	}
	if _, err := module.Instantiate(ctx); err != nil {
		panic(err)
	}
	return rt
})

// Supported reports whether there is a compiler for this processor and system.
func Supported() bool { return engine() != nil }

// A Host answers the calls of code: see [abi.HostFunctions].
type Host interface {
	// Refuel charges the fuel that was used and grants more; false when the row must be put back.
	Refuel() bool
	// Snapshot prepares a loop over what is near a point, by its number; false when the row must be put back.
	Snapshot(loop int) bool
}

// call is the context of calls of code, by which functions of the host find their receiver.
type call struct {
	context.Context
	host Host
}

// Context is the context for calls of code whose host is h.
func Context(h Host) context.Context { return &call{context.Background(), h} }

// ErrInvalid is in the error of [Compile] when wazero refuses the module, which is a fault of the compiler of machine code, too.
var ErrInvalid = errors.New("machine code: the module of the loop is invalid")

// A Compiled is a compiled module in use. The same code is compiled, and checked,
// once as long as somebody uses it.
type Compiled struct {
	users   int
	compile sync.Once
	module  wazero.CompiledModule
	refused error // by wazero
	check   sync.Once
	fault   error // what the check found
}

var (
	compiledMu  sync.Mutex
	compiledAll = map[string]*Compiled{}
)

// Compile compiles the code of a module, unless somebody has that code in use, and begins a use of it. Drop ends the use. The
// error wraps [ErrInvalid].
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

// Checked runs a check of the code once, and returns what it found, then and later.
func (c *Compiled) Checked(check func() error) error {
	c.check.Do(func() { c.fault = check() })
	return c.fault
}

// Held reports whether somebody uses code.
func Held(code []byte) bool {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	return compiledAll[string(code)] != nil
}

// Use begins another use.
func (c *Compiled) Use() {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	c.users++
}

// Drop ends a use.
func (c *Compiled) Drop(code []byte) {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	c.users--
	if c.users == 0 {
		delete(compiledAll, string(code))
		if c.module != nil {
			_ = c.module.Close(context.Background()) // never fails
		}
	}
}

// fixed is the memory of an instance: all of a mapping, from the start.
type fixed []byte

func (f fixed) Reallocate(size uint64) []byte {
	if size > uint64(len(f)) {
		return nil
	}
	return f[:size]
}

// Free does nothing: the mapping outlives the instances. (wazero 1.12.0 calls it
// when any module that shares a memory is closed.)
func (f fixed) Free() {}

// Instantiate puts a module over a memory. The instance must be closed.
func (c *Compiled) Instantiate(m *memory.Memory) (api.Module, error) {
	mapping := fixed(m.Reserved()) // and not m itself, which must not be held by its instances
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return mapping }))
	return engine().InstantiateModule(ctx, c.module, wazero.NewModuleConfig().WithName(""))
}
