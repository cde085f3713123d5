package ecs

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// This file notices that two goroutines use one world at the same time, which the rules of World forbid. Each
// change of structure sets World.changing while tables and slots do not fit together, and whatever begins meanwhile
// panics: it can only come from another goroutine, because no code of the caller runs in a change. Turns do the same
// with World.system. The marks are plain words: setting them costs a store, and what the race detector sees of a
// world is what it saw without them. So they find most uses that overlap, and never one that does not.

// beginChange marks the world as being changed. It panics if another goroutine is changing it.
func (w *World) beginChange() {
	if w.changing != 0 {
		w.meet()
	}
	w.changing = 1
}

// endChange ends what beginChange began.
func (w *World) endChange() { w.changing = 0 }

// notChanging panics if another goroutine is changing the world.
func (w *World) notChanging() {
	if w.changing != 0 {
		w.meet()
	}
}

// notInTurn panics if another goroutine runs a turn of the world, or one of its observers. A turn inside a turn of
// the same goroutine is allowed.
func (w *World) notInTurn() {
	if w.system == nil {
		return
	}
	turn := functionName((*World).call)
	observer := functionName((*observers).enter)
	pcs := make([]uintptr, 64)
	for n := 0; ; pcs = make([]uintptr, 2*len(pcs)) {
		if n = runtime.Callers(3, pcs); n < len(pcs) { // 3: the callers of call
			frames := runtime.CallersFrames(pcs[:n])
			for more := n > 0; more; {
				var f runtime.Frame
				if f, more = frames.Next(); f.Function == turn || f.Function == observer {
					return
				}
			}
			break
		}
	}
	w.meet()
}

// functionName returns the name that stacks have for a function.
func functionName(fn any) string {
	return runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
}

// meet panics with a sentence that names the two goroutines, and with the stack of the other one.
//
//go:noinline
func (w *World) meet() {
	own, other := w.goroutines()
	text := "ecs: two goroutines use one world at the same time: " + own.String() + " and " + other.String() +
		". A World belongs to one goroutine at a time: guard it with a mutex, or send what the other goroutine wants through a channel to the one that runs the systems"
	if other.stack != "" {
		text += "\n\n" + other.stack + "\n"
	} else {
		text += ". If there is only one goroutine, an earlier panic was recovered in the middle of a change of the world: then the world is damaged; make a new one"
	}
	panic(text)
}

// A goroutine is one entry of a dump of stacks.
type goroutine struct {
	id    string // "goroutine 17"
	stack string
}

// goroutines returns the goroutine that calls it and the other one that uses the world: one whose stack has the
// world in a call of this package, or, if there is none, any such call. The other one may be between two calls, so this
// looks for a while; meanwhile changing stays set, so that its next change brings it here, too.
func (w *World) goroutines() (own, other goroutine) {
	address := fmt.Sprintf("%#x", uintptr(unsafe.Pointer(w)))
	for range 50 {
		w.changing = 1
		all := allGoroutines()
		own = all[0]
		for _, g := range all[1:] {
			if !g.calls() {
				continue
			}
			if strings.Contains(g.stack, address) {
				return own, g
			}
			other = g
		}
		if len(all) == 1 {
			return own, other
		}
		time.Sleep(time.Millisecond)
	}
	return own, other
}

// allGoroutines returns all goroutines, the calling one first.
func allGoroutines() (all []goroutine) {
	const most = 16 << 20 // bytes
	buf := make([]byte, 64<<10)
	n := runtime.Stack(buf, true)
	for n == len(buf) && n < most {
		buf = make([]byte, 2*len(buf))
		n = runtime.Stack(buf, true)
	}
	for stack := range strings.SplitSeq(string(buf[:n]), "\n\n") {
		id, _, _ := strings.Cut(stack, " [")
		all = append(all, goroutine{id, strings.TrimSpace(stack)})
	}
	return all
}

// ownPackage is the prefix of the names of functions of this package.
var ownPackage = reflect.TypeFor[World]().PkgPath() + "."

// calls reports whether the goroutine is in a call of this package that is not the wait of a pool.
func (g goroutine) calls() bool {
	for line := range strings.Lines(g.stack) {
		if strings.HasPrefix(line, ownPackage) && !strings.HasPrefix(line, ownPackage+"(*Workers).help") {
			return true
		}
	}
	return false
}

// String returns the goroutine with the innermost function that is not of this package: "goroutine 17 (main.serve,
// /game/serve.go:31)".
func (g goroutine) String() string {
	if g.id == "" {
		return "one that has left package ecs since"
	}
	lines := strings.Split(g.stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		name, place := lines[i], strings.TrimSpace(lines[i+1])
		if at := strings.LastIndex(name, "("); at > 0 {
			name = name[:at]
		}
		if strings.HasPrefix(name, ownPackage) || strings.HasPrefix(name, "runtime.") || name == "panic" {
			continue
		}
		place, _, _ = strings.Cut(place, " +")
		return fmt.Sprintf("%s (%s, %s)", g.id, name, place)
	}
	return g.id
}
