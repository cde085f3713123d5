package machine

import (
	"context"
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
		if ctx.(*call).kernel.refuel() {
			stack[0] = 1
		} else {
			stack[0] = 0
		}
	})
	snapshot := api.GoFunc(func(ctx context.Context, stack []uint64) {
		if ctx.(*call).kernel.snapshot(int(uint32(stack[0]))) {
			stack[0] = 1
		} else {
			stack[0] = 0
		}
	})
	host := rt.NewHostModuleBuilder(wasm.HostName)
	for i, f := range []api.GoFunc{refuel, snapshot} {
		host.NewFunctionBuilder().WithGoFunction(f, abi.HostFunctions[i].Params, abi.HostFunctions[i].Results).Export(abi.HostFunctions[i].Name)
	}
	if _, err := host.Instantiate(ctx); err != nil {
		panic(err)
	}
	return rt
})

func supported() bool { return engine() != nil }

// call is the context of calls into a kernel, by which functions of the host find
// it.
type call struct {
	context.Context
	kernel *Kernel
}

// compiled is a compiled module in use. The same code is compiled, and checked,
// once as long as somebody uses it.
type compiled struct {
	users   int
	compile sync.Once
	module  wazero.CompiledModule
	refused error // by wazero
	check   sync.Once
	fault   error // what the check found
}

var (
	compiledMu  sync.Mutex
	compiledAll = map[string]*compiled{}
)

func compile(code []byte) (*compiled, error) {
	compiledMu.Lock()
	c := compiledAll[string(code)]
	if c == nil {
		c = &compiled{}
		compiledAll[string(code)] = c
	}
	c.users++
	compiledMu.Unlock()
	c.compile.Do(func() {
		c.module, c.refused = engine().CompileModule(context.Background(), code)
	})
	if c.refused != nil {
		c.drop(code)
		return nil, fmt.Errorf("%w: %w", ErrInvalid, c.refused)
	}
	return c, nil
}

// use begins another use.
func (c *compiled) use() {
	compiledMu.Lock()
	defer compiledMu.Unlock()
	c.users++
}

// drop ends a use.
func (c *compiled) drop(code []byte) {
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

// instantiate puts a compiled module over a memory.
func (c *compiled) instantiate(m *memory.Memory) (api.Module, error) {
	mapping := fixed(m.Reserved()) // and not m itself, which must not be held by its instances
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return mapping }))
	return engine().InstantiateModule(ctx, c.module, wazero.NewModuleConfig().WithName(""))
}
