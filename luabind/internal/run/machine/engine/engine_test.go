package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// A host counts the calls of code, and refuses the second snapshot.
type counter struct {
	fuel, snapshots int
	fetched         [3]int
	asked           [2]float64
	called          [2]int
}

func (c *counter) Refuel() bool { c.fuel++; return true }

func (c *counter) Fetch(component int, mirror uint32, row int) {
	c.fetched = [3]int{component, int(mirror), row}
}

func (c *counter) Sources(loop int, e float64) bool {
	c.asked = [2]float64{float64(loop), e}
	return false
}

func (c *counter) Call(call int, entry uint32) bool {
	c.called = [2]int{call, int(entry)}
	return true
}

func (c *counter) Snapshot(loop int) bool { c.snapshots += loop; return loop != 2 }

// module is one whose function adds the two arguments, and what the host answers.
func module(t *testing.T, m *memory.Memory, loop int32) []byte {
	t.Helper()
	f := &wasm.Function{Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}}
	f.Get(0)
	f.Get(1)
	f.Op(wasm.I32Add)
	f.Get(0)
	f.Call(abi.ImportRefuel)
	f.Op(wasm.I32Add)
	f.I32(loop)
	f.Call(abi.ImportSnapshot)
	f.Op(wasm.I32Add)
	f.I32(7)
	f.I32(-4096)
	f.I32(-1)
	f.Call(abi.ImportFetch)
	f.Op(wasm.I32Add)
	f.I32(3)
	f.F64(2.5)
	f.Call(abi.ImportSources)
	f.Op(wasm.I32Add)
	f.I32(11)
	f.I32(12)
	f.Call(abi.ImportCall)
	f.Op(wasm.I32Add)
	return (&wasm.Module{Pages: m.Pages(), Imports: abi.HostFunctions, Functions: []*wasm.Function{f}, Exports: []string{"run"}}).Bytes()
}

// Code runs over a memory, and its calls reach the host of the context.
func TestInstancesCallTheirHost(t *testing.T) {
	m := memory.New()
	for loop, want := range map[int32]uint64{1: 46, 2: 45} {
		code := module(t, m, loop)
		c, err := Compile(code)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := c.Instantiate(m)
		if err != nil {
			t.Fatal(err)
		}
		host := &counter{}
		got, err := instance.ExportedFunction("run").Call(Context(host), 40, 2)
		if err != nil || len(got) != 1 || got[0] != want || host.fuel != 1 || host.snapshots != int(loop) || host.fetched != [3]int{7, 1<<32 - 4096, -1} || host.asked != [2]float64{3, 2.5} || host.called != [2]int{11, 12} {
			t.Errorf("it returns %v, %v; host %+v", got, err, host)
		}
		_ = instance.Close(context.Background())
		c.Drop(code)
	}
}

// The same code is compiled and checked once, as long as somebody uses it.
func TestCodeIsShared(t *testing.T) {
	code := module(t, memory.New(), 1)
	a, err := Compile(code)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Compile(append([]byte(nil), code...))
	if err != nil || a != b {
		t.Fatalf("%p and %p, %v", a, b, err)
	}
	fault, checks := errors.New("a fault"), 0
	for range 2 {
		if err := b.Checked(func() error { checks++; return fault }); err != fault || checks != 1 {
			t.Errorf("%v after %d checks", err, checks)
		}
	}
	a.Use()
	for i := range 3 {
		if !Held(code) {
			t.Errorf("the code is dropped after %d of 3 uses", i)
		}
		a.Drop(code)
	}
	if Held(code) {
		t.Error("code that nobody uses is held")
	}
}

// A module that wazero refuses is a fault, and is not kept.
func TestInvalidModules(t *testing.T) {
	f := &wasm.Function{Results: []byte{wasm.I32}} // it returns nothing
	code := (&wasm.Module{Pages: 1, Functions: []*wasm.Function{f}, Exports: []string{"run"}}).Bytes()
	if _, err := Compile(code); !errors.Is(err, ErrInvalid) || Held(code) {
		t.Errorf("%v, held %v", err, Held(code))
	}
}
