package luabind

import "github.com/ecsrun/ecsrun/ecs"

// What an edit is.

// An EditKind says what an [Edit] does, and which of its fields count.
type EditKind uint8

// The kinds. Those from EditSet to EditUnrelate are about Edit.Entity.
const (
	EditSpawn    EditKind = iota // makes an entity with Parts and Tags, and names it As
	EditSet                      // writes the fields in Parts, and adds the components that are missing
	EditDespawn                  // removes the entity
	EditAdd                      // adds Components
	EditRemove                   // removes Components
	EditTag                      // sets Tags
	EditUntag                    // removes Tags
	EditRelate                   // sets the target of each of Links, or adds it if the relation has many
	EditUnrelate                 // ends each of Links, if that is the target or one of them; for no target, whatever there is
	EditSystem                   // changes the setting of the system Name: Enabled, Impl, Every, those that are not nil
	EditEval                     // runs Code
	EditSend                     // sends Event with Fields
	EditResource                 // sets Fields of Resource
)

// An Edit is one change from outside. Package inputs makes it of JSON. Ids and values have been checked against the
// declarations of the world.
type Edit struct {
	Kind       EditKind
	Entity     EntityRef
	Parts      []Part
	Components []ecs.ComponentID
	Tags       []ecs.TagID
	Links      []Link
	As         string // the name that the new entity gets, without @; "": none
	Name       string
	Enabled    *bool
	Impl       *Impl
	Every      *int
	Code       string
	Event      ecs.EventID
	Resource   ecs.ResourceID
	Fields     []Field
}

// An EntityRef is an entity, or the name that an edit has given to one.
type EntityRef struct {
	Entity ecs.Entity
	Name   string // without @; "": it is Entity
}

// A Field is a value of a field. If Name is not empty, the value is the entity of that name. If Items has something, the value is a list of these entities.
type Field struct {
	ecs.FieldValue
	Name  string
	Items []EntityRef
}

// A Part is a component with values.
type Part struct {
	Component ecs.ComponentID
	Fields    []Field
}

// A Link is a relation with its target.
type Link struct {
	Relation ecs.RelationID
	Target   EntityRef
}
