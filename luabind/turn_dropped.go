package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// What becomes of the script of a system that the policy has disabled (turn_policy.go). Its variables, its observers and
// what its loops have met are dropped before the next call into Lua, so that the memory they hold is free, and no other
// system is blamed for it. What remains is the code: a reload runs the system again when one of its files has changed.

// dropDisabled drops the scripts of the systems that the policy has disabled since the last call. No Lua may be
// running. It costs nothing if there are none.
func (r *Runtime) dropDisabled() {
	if len(r.dropping) == 0 {
		return
	}
	for _, sys := range r.dropping {
		r.drop(sys)
	}
	clear(r.dropping)
	r.dropping = r.dropping[:0]
	r.releaseScripts()
}

// releaseScripts makes loops and the Lua state forget the values that they have met. No Lua may be running.
func (r *Runtime) releaseScripts() {
	for _, path := range r.scripts.Paths() {
		r.scripts.Lookup(path).Release()
	}
	r.state.Release()
	r.surface.ForgetSites()
}

// drop makes the system forget its instance, and stops its observers.
func (r *Runtime) drop(sys *system) {
	if sys.instance == nil || sys.entry.Enabled() {
		return
	}
	for _, o := range r.stopObservers(func(o *observer) bool { return o.what.Owner == sys.entry }) {
		o.fn = nil // the world may remember the observer for a while
	}
	sys.dropped = map[string]*script.Unit{}
	sys.instance.Units(sys.dropped)
	sys.instance = nil
}

// outdated reports whether the system needs a new instance because files have changed. One that was dropped needs
// none otherwise: its files would fail again.
func (s *system) outdated(changed map[string]bool) bool {
	if s.instance != nil {
		return s.instance.Uses(changed)
	}
	for path := range s.dropped {
		if changed[path] {
			return true
		}
	}
	return s.dropped == nil
}

// stopObservers ends the observers for which gone is true, and returns them.
func (r *Runtime) stopObservers(gone func(o *observer) bool) (stopped []*observer) {
	kept := r.observers[:0:0]
	for _, o := range r.observers {
		if gone(o) {
			o.in.Stop()
			stopped = append(stopped, o)
		} else {
			kept = append(kept, o)
		}
	}
	r.observers = kept
	return stopped
}
