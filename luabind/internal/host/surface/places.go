package surface

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Places: numbers for lines of scripts, so that a queued command can carry where it was queued in two bytes.

// A places gives the numbers. Lines beyond the largest number get 0, which means that the place is not known.
type places struct {
	list   []sandbox.Pos // by number - 1
	byPos  map[sandbox.Pos]uint16
	bySite map[sandbox.Site]uint16
}

// Place returns the number of a line, and gives it one if it has none.
func (s *Surface) Place(pos sandbox.Pos) uint16 {
	p := &s.places
	n, ok := p.byPos[pos]
	if !ok && pos.Line > 0 && len(p.list) < math.MaxUint16 {
		p.list = append(p.list, pos)
		n = uint16(len(p.list))
		p.byPos[pos] = n
	}
	return n
}

// PosOf returns the line of a number; the zero Pos for 0, and for a number of a Go function's own.
func (s *Surface) PosOf(place uint16) sandbox.Pos {
	if place == 0 || int(place) > len(s.places.list) {
		return sandbox.Pos{}
	}
	return s.places.list[place-1]
}

// place returns the number of the line that is calling. After the first call from a place in the code it is only a
// lookup.
func (s *Surface) place(L *lua.LState) uint16 {
	site := sandbox.CallSite(L)
	n, ok := s.places.bySite[site]
	if !ok {
		n = s.Place(site.Pos())
		s.places.bySite[site] = n
	}
	return n
}

// ForgetSites forgets the places of calls in code, because some of the code is no longer in use. The numbers of
// lines stay.
func (s *Surface) ForgetSites() {
	clear(s.places.bySite)
	s.absences = absences{}
}
