package native

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
)

// The numbers by which a soldier decides. scripts/arena/targeting.lua has the same ones.
const (
	reaction = 8  // frames between two looks of one soldier
	elbow    = 2  // a comrade ahead within this distance is in the way
	crowd    = 3  // with more of them than this a soldier waits
	nearby   = 4  // how far everybody looks first
	sight    = 14 // how far those look who see no enemy close by and have room to go
)

// Targeting lets an eighth of the soldiers in each frame look around in the grid "field", choose the nearest enemy
// and turn towards it. A soldier that sees none marches towards the middle of the enemy, which is in the resources
// ravens_x … stags_y. Soldiers of a side that has broken run home. It is the native "targeting".
func Targeting(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	component[Weapon](&s, "Weapon")
	t := &targeting{
		position: component[Position](&s, "Position"),
		velocity: component[Velocity](&s, "Velocity"),
		soldier:  component[Soldier](&s, "Soldier"),
		target:   component[Target](&s, "Target"),
		goalX:    [2]*float64{resource[float64](&s, "stags_x"), resource[float64](&s, "ravens_x")},
		goalY:    [2]*float64{resource[float64](&s, "stags_y"), resource[float64](&s, "ravens_y")},
		broken:   resource[int32](&s, "broken"),
	}
	if err := s.err(); err != nil {
		return nil, err
	}
	var err error
	t.fighters, err = ecs.NewQuery4[Soldier, Position, Weapon, Target](w, ecs.Filter{Required: []ecs.ComponentID{t.velocity.ID()}})
	if err != nil {
		return nil, err
	}
	t.field, err = w.DeclareGrid(ecs.GridSpec{
		Name: "field", Component: t.position.ID(), X: "x", Y: "y", Cell: 5,
		Carry: ecs.Carried{Component: t.soldier.ID(), Field: "side"},
	})
	return t.turn, err
}

type targeting struct {
	position ecs.Component[Position]
	velocity ecs.Component[Velocity]
	soldier  ecs.Component[Soldier]
	target   ecs.Component[Target]
	fighters *ecs.Query4[Soldier, Position, Weapon, Target]
	field    *ecs.Grid

	goalX, goalY [2]*float64 // by side: the middle of its enemy
	broken       *int32      // 0, or the broken side plus 1
}

func (s *targeting) turn(w *ecs.World, _ float64) error {
	slot := uint8(w.Frame() % reaction)
	for e := s.fighters.Start(); e.Ok(); e = e.Next() {
		me, from, weapon, target := e.Get()
		if me.Slot != slot {
			continue
		}
		reach, enemy := weapon.Reach, target.Entity
		velocity := s.velocity.WriteOf(e.Visit)
		if *s.broken == int32(me.Side)+1 {
			s.target.WriteOf(e.Visit).Entity = ecs.None
			*velocity = Velocity{DX: plusZero(float64(home(me.Side) * me.Speed))}
			continue
		}
		if s.inReach(enemy, *from, reach) {
			*velocity = Velocity{} // stand and fight
			continue
		}
		enemy, crowded := s.look(*from, me.Side, reach)
		s.target.WriteOf(e.Visit).Entity = enemy
		*velocity = s.march(enemy, crowded, *from, *me, reach)
	}
	return nil
}

// home returns the direction of the side's own edge of the field.
func home(side uint8) float64 {
	if side == 0 {
		return -1
	}
	return 1
}

func (s *targeting) inReach(enemy ecs.Entity, from Position, reach float64) bool {
	at := s.position.Get(enemy)
	if at == nil {
		return false
	}
	dx, dy := at.X-from.X, at.Y-from.Y
	return float64(dx*dx)+float64(dy*dy) <= reach*reach
}

// look returns the nearest enemy in sight, None if there is none, and whether comrades block the way.
func (s *targeting) look(from Position, side uint8, reach float64) (enemy ecs.Entity, crowded bool) {
	best, comrades, mine := math.MaxFloat64, 0, float64(side)
	ahead := *s.goalX[side] - from.X // only its sign counts
	for near := s.field.Search(from.X, from.Y, elbow).Only(mine); near.Next(); {
		if near.D2() < elbow*elbow && float64((s.position.Get(near.Entity()).X-from.X)*ahead) > 0 {
			comrades++
		}
	}
	crowded = comrades > crowd
	for _, radius := range [...]float64{nearby, max(sight, reach)} {
		for near := s.field.Search(from.X, from.Y, radius).Except(mine); near.Next(); {
			if d2 := near.D2(); d2 < best {
				enemy, best = near.Entity(), d2
				near.Narrow(d2)
			}
		}
		// A soldier with an enemy close by, or without room to go, need not look further. This keeps a dense field
		// cheap.
		if enemy != ecs.None || (crowded && reach <= nearby) {
			break
		}
	}
	return enemy, crowded
}

// march returns the velocity towards the enemy, or towards the middle of the other army. Without an enemy it is
// mostly straight ahead, so that the lines keep their width.
func (s *targeting) march(enemy ecs.Entity, crowded bool, from Position, me Soldier, reach float64) Velocity {
	dx, dy := *s.goalX[me.Side]-from.X, float64((*s.goalY[me.Side]-from.Y)*0.25)
	if at := s.position.Get(enemy); at != nil {
		dx, dy = at.X-from.X, at.Y-from.Y
		if float64(dx*dx)+float64(dy*dy) <= reach*reach {
			return Velocity{}
		}
	}
	far := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if crowded || far == 0 {
		return Velocity{}
	}
	return Velocity{DX: plusZero(dx / far * me.Speed), DY: plusZero(dy / far * me.Speed)}
}
