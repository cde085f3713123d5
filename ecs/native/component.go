package native

import "github.com/ecsrun/ecsrun/ecs"

// A Position is where something is, in world units. Component "Position".
type Position struct{ X, Y float64 }

// A Velocity is in world units per second. Component "Velocity".
type Velocity struct{ DX, DY float64 }

// A Lifetime counts down. Component "Lifetime".
type Lifetime struct {
	Left float64 // seconds until the entity despawns
}

// Health is what damage takes away. Component "Health".
type Health struct{ Current, Max float64 }

// A Soldier fights for one of two sides. Component "Soldier".
type Soldier struct {
	Side  uint8   // 0 or 1
	Slot  uint8   // in which of every eight frames it looks around
	Speed float64 // world units per second
}

// A Weapon strikes what is in reach, again and again. Component "Weapon".
type Weapon struct {
	Damage float64 // of an average blow
	Reach  float64 // world units
	Reload float64 // seconds between two blows, on average
	Ready  float64 // world time from which it can strike again
	Fire   float64 // probability that a blow sets its target on fire, 0 to 1
}

// A Target is the enemy that a soldier has chosen. Component "Target".
type Target struct {
	Entity ecs.Entity // None while it sees nobody
}

// A Shield takes most of a blow until it breaks. Component "Shield".
type Shield struct{ Strength float64 }

// A Hit says that a blow has landed. Event "Hit".
type Hit struct {
	Target ecs.Entity
	Amount float64
	Fire   bool
}
