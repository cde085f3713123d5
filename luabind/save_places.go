package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Queued commands carry the number of the line that has queued them (package surface, places.go). The numbers are those
// of one Runtime, so a snapshot has the lines.

// savePlaces numbers the lines of the queued commands of a copy from 1 on, and returns them.
func (r *Runtime) savePlaces(s *ecs.Schedule) (lines []savedPlace) {
	numbers := map[uint16]uint16{}
	ecs.Raw.MapPlaces(s, func(place uint16) uint16 {
		n, ok := numbers[place]
		if !ok {
			pos := r.surface.PosOf(place)
			lines = append(lines, savedPlace{pos.File, pos.Line})
			n = uint16(len(lines))
			numbers[place] = n
		}
		return n
	})
	return lines
}

// loadPlaces gives the queued commands of a snapshot the numbers that their lines have here.
func (r *Runtime) loadPlaces(s *ecs.Schedule, lines []savedPlace) {
	ecs.Raw.MapPlaces(s, func(place uint16) uint16 {
		if int(place) > len(lines) { // a snapshot of a version that has not saved the lines
			return 0
		}
		at := lines[place-1]
		return r.surface.Place(sandbox.Pos{File: at.File, Line: at.Line})
	})
}
