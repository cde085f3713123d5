package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Stacks of call frames that grow. gopher-lua makes all frames of a thread at once: 1.2 MB for 15,000 calls within each other. The threads
// of a Machine begin with a few, and get more when they need them, up to Options.CallStackSize.

const (
	firstFrames = 16
	spareFrames = 4 // what gopher-lua's own code may push before it comes back to a Machine
)

// ShortStack makes a new thread begin with few frames, and sets how many calls fit within each other.
func ShortStack(L *lua.LState, most int) {
	th := threadOf(L)
	th.Options.CallStackSize = most
	if frames := th.frames(); frames.sp == 0 {
		frames.array = make([]callFrame, min(most, firstFrames))
	}
}

// mostFrames returns how many calls fit within each other on a thread.
func (th *thread) mostFrames() int { return max(th.Options.CallStackSize, len(th.frames().array)) }

// full reports whether gopher-lua has no room for a call inside that of a frame of the running thread.
func (m *Machine) full(frame *callFrame) bool {
	th := threadOf(m.L)
	return frame.Idx+1 >= len(th.frames().array) && !m.growFrames(th, 1)
}

// spare makes room for what gopher-lua may push, before its code runs.
func (m *Machine) spare(th *thread) {
	if frames := th.frames(); frames.sp+spareFrames > len(frames.array) {
		m.growFrames(th, spareFrames)
	}
}

// growFrames makes room for n more frames. It reports false if the thread may not have one more. All pointers to frames that are used to
// change them are renewed; others may still be read.
func (m *Machine) growFrames(th *thread, n int) bool {
	frames := th.frames()
	old := frames.array
	most := th.Options.CallStackSize
	if len(old) >= most {
		return false
	}
	array := make([]callFrame, min(most, max(2*len(old), frames.sp+n)))
	copy(array, old[:frames.sp])
	first := uintptr(unsafe.Pointer(unsafe.SliceData(old)))
	moved := func(f **callFrame) {
		if at := uintptr(unsafe.Pointer(*f)) - first; *f != nil && at < uintptr(len(old))*unsafe.Sizeof(old[0]) {
			*f = &array[at/unsafe.Sizeof(old[0])]
		}
	}
	for i := range frames.sp {
		moved(&array[i].Parent)
	}
	moved(&th.currentFrame)
	for act := m.act; act != nil; act = act.previous {
		moved(&act.frame)
	}
	frames.array = array
	return true
}
