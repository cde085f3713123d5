package api

// worldTexts describes the methods of world.
var worldTexts = map[string]Text{
	"add": {
		Params: "e, …", Returns: []string{"boolean alive"},
		Doc: "Adds the components that the entity lacks, with default values, in one move. It returns false for a dead entity. Inside a query loop use world.commands:add.",
	},
	"alive": {
		Params: "e", Returns: []string{"boolean alive"},
		Doc: "Reports whether the entity is alive.",
	},
	"all": {
		Params: "index, …", Types: map[string]string{"…": "any"}, Returns: []string{"fun(): ecs.Entity next"},
		Doc: "Visits the entities at a place of an index, one value for each of its fields, in the order of arrival: those that were there when the loop began, and still are.",
	},
	"around": {
		Params: "index, x, y, r, neighbourhood?", Types: cell, Returns: []string{"fun(): ecs.Entity, integer, integer next"},
		Doc: "Visits the entities around a place of an index of two integer fields, without the place itself: the square (moore), or those with |dx| + |dy| <= r (neumann). It yields each with its place.",
	},
	"at": {
		Params: "index, …", Types: map[string]string{"…": "any"}, Returns: []string{"ecs.Entity? first"},
		Doc: "Returns the entity at a place of an index, one value for each of its fields: of several the first to arrive. It is nil if nobody is there.",
	},
	"child": {
		Params: "e, name", Types: map[string]string{"name": "string"}, Returns: []string{"ecs.Entity? child"},
		Doc: "Returns the child of an instance that was made for the child of that name of its prefab; of a prefab, the prefab's child. It is nil if there is none, or no longer.",
	},
	"components": {
		Params: "e", Returns: []string{"ecs.ComponentName[] names"},
		Doc: "Returns the names of the entity's components in the order of declaration, without relations and inherited components.",
	},
	"count": {
		Params: "…", Types: map[string]string{"…": "ecs.PartName|ecs.IndexName|ecs.Query|ecs.Entity|string"}, Returns: []string{"integer count"},
		Doc: "Returns how many entities a loop over the same arguments would visit; without arguments, the number of living entities; with an index and a place, how many are there.",
	},
	"despawn": {
		Params: "e", Returns: []string{"boolean alive"},
		Doc: "Removes the entity. It returns false if the entity was already dead. Inside a query loop use world.commands:despawn.",
	},
	"drain": {
		Params: "event", Returns: []string{"fun(): " + Message + " next"},
		Doc: "Takes all events of this frame and the previous one: nobody sees them again.",
	},
	"each": {
		Params: "…", Returns: []string{"fun(): " + Views + " next"},
		Doc: "Visits the entities that have all of these components, or that match a query: the entity first, then one view for each component. The order is the same in every run; a last table { order = \"Foe.seq\" } gives another one. Structure is locked inside the loop; use world.commands there.",
	},
	"first": {
		Params: "…", Returns: []string{Views},
		Doc: "Returns what the first turn of a loop over the same arguments would yield: the entity and its views, or nil.",
	},
	"get": {
		Params: "e, component", Returns: []string{View + "? view"},
		Doc: "Returns a live view of a component: reading and writing its fields reads and writes the world. It is nil if the entity is dead or lacks the component.",
	},
	"has": {
		Params: "e, …", Returns: []string{"boolean has"},
		Doc: "Reports whether the entity has all of these components.",
	},
	"instance": {
		Params: "prefab, parts?", Returns: []string{"ecs.Entity e"},
		Doc: "Creates an entity that IsA prefab, with parts of its own as world:spawn takes them, and children for the prefab's children. A component that is given in part begins with the prefab's values. Inside a query loop use world.commands:instance.",
	},
	"near": {
		Params: "name, x, y, radius, filter?", Types: map[string]string{"x": "number", "y": "number", "radius": "number"},
		Returns: []string{"fun(): ecs.Entity, number next"},
		Doc:     "Visits the entities of a grid within the radius, and yields each with its squared distance, cell by cell. A filter lets only the members of a tag through, or what matches a query, whose views then follow the distance.",
	},
	"nearest": {
		Params: "name, x, y, radius, filter?, except?", Types: map[string]string{"x": "number", "y": "number", "radius": "number"},
		Returns: []string{"ecs.Entity? nearest", "number? distance2"},
		Doc:     "Returns the entity of a grid that is nearest to a point, within the radius, and its squared distance; nil if there is none. The radius may be math.huge. A filter is that of world:near; one entity may be left out.",
	},
	"on": {
		Params: "kind, name, run", Types: map[string]string{
			"kind": `"added"|"removed"|"set"|"tagged"|"untagged"|"related"|"unrelated"|"spawned"|"despawned"`,
			"name": "ecs.PartName|fun(world: ecs.World, e: ecs.Entity, third: any)", "run?": "fun(world: ecs.World, e: ecs.Entity, third: any)", "run": "fun(world: ecs.World, e: ecs.Entity, third: any)",
		},
		Doc: "In init: calls the function right after each operation of that kind on a component, tag or relation, or right before one that takes something away. The third argument is the view, or the target of a relation. For spawned and despawned leave out the name. Structure is locked in the function; use world.commands there.",
	},
	"peek": {
		Params: "event", Returns: []string{"fun(): " + Message + " next"},
		Doc: "Visits every event of this frame and the previous one that nobody drained, however often it was seen.",
	},
	"pick": {
		Params: "…", Types: map[string]string{"…": "ecs.PartName|ecs.IndexName|ecs.Query|ecs.Entity|string"}, Returns: []string{Views},
		Doc: "Returns a turn of a loop over the same arguments by chance: the entity and its views; with an index and a place, one of those who are there; nil if there is none. It takes what world:count takes and draws one number from the stream of this system.",
	},
	"prefab": {
		Params: "prefab", Returns: []string{"ecs.Entity e"},
		Doc: "Returns the entity of a prefab, for reading and world:set: its instances see what it has. It cannot be despawned.",
	},
	"read": {
		Params: "event", Returns: []string{"fun(): " + Message + " next"},
		Doc: "Visits each event exactly once for this system, in the order of sending.",
	},
	"relate": {
		Params: "e, relation, target", Returns: []string{"boolean alive"},
		Doc: "Makes target the target of the entity; a previous target is replaced. It returns false if the entity is dead.",
	},
	"related": {
		Params: "e, relation", Returns: []string{"ecs.Entity? target"},
		Doc: "Returns the target of the entity's relation, or nil. Of many targets it is the first.",
	},
	"relates": {
		Params: "e, relation, target", Returns: []string{"boolean related"},
		Doc: "Returns whether that is the target of the entity's relation, or one of its targets.",
	},
	"remove": {
		Params: "e, …", Returns: []string{"boolean alive"},
		Doc: "Removes the components that the entity has, in one move. It returns false for a dead entity. Inside a query loop use world.commands:remove.",
	},
	"removed": {
		Params: "component", Returns: []string{"fun(): ecs.Entity next"},
		Doc: "Visits the entities that have lost the component, or died with it, since this system last ran. Write the name as a string literal.",
	},
	"send": {
		Params: "event, fields?",
		Doc:    "Sends an event at once. Fields that are left out take their defaults.",
	},
	"set": {
		Params: "e, component, fields", Returns: []string{"boolean alive"},
		Doc: "Writes the given fields; adds the component if the entity lacks it. It returns false for a dead entity.",
	},
	"sources": {
		Params: "relation, target", Returns: []string{"fun(): ecs.Entity next"},
		Doc: "Visits the entities that have this target, in the order in which they were related.",
	},
	"targets": {
		Params: "e, relation", Returns: []string{"fun(): ecs.Entity next"},
		Doc: "Visits the targets of the entity's relation, in the order in which they came.",
	},
	"spawn": {
		Params: "parts", Returns: []string{"ecs.Entity e"},
		Doc: "Creates an entity. The named part gives components with their fields, or relations with their targets: an entity, or a list of them if the relation has many; the list part gives tags, and components with all fields at their defaults. Inside a query loop use world.commands:spawn.",
	},
	"spawn_many": {
		Params: "n, template?, fn?", Types: map[string]string{"n": "integer", "fn": "fun(i: integer): ecs.Parts?"}, Returns: []string{"ecs.Entity[] entities"},
		Doc: "Creates n entities from the template. The entries of the table that fn(i) returns override those of the template.",
	},
	"stop": {
		Params: "reason?", Types: map[string]string{"reason": "string"},
		Doc: "Ends the run after this frame. The summary shows the reason.",
	},
	"tag": {
		Params: "e, …", Returns: []string{"boolean alive"},
		Doc: "Adds the tags; allowed inside loops. It returns false for a dead entity.",
	},
	"tagged": {
		Params: "e, …", Returns: []string{"boolean tagged"},
		Doc: "Reports whether the entity has all of these tags.",
	},
	"tags": {
		Params: "e", Returns: []string{"ecs.TagName[] names"},
		Doc: "Returns the names of the entity's tags in the order of declaration.",
	},
	"unrelate": {
		Params: "e, relation, target?", Returns: []string{"boolean related"},
		Doc: "Takes the target of the entity's relation away, all of them if it has many and none is given. It returns true if there was one.",
	},
	"untag": {
		Params: "e, …", Returns: []string{"boolean tagged"},
		Doc: "Removes the tags; allowed inside loops. It returns true if the entity had at least one of them.",
	},
}

// commandTexts describes the methods of world.commands.
var commandTexts = map[string]Text{
	"add": {Params: "e, …", Doc: "Queues world:add."},
	"cancel": {
		Params: "waiting, key?", Types: map[string]string{"key": "string"},
		Doc: "Queues the end of an event that waits: of the number that send has returned, or of the name of the event and the key. One that does not wait is skipped.",
	},
	"despawn": {Params: "e", Doc: "Queues world:despawn."},
	"instance": {
		Params: "prefab, parts?", Returns: []string{"ecs.Entity e"},
		Doc: "Queues world:instance, and returns the entity. Later commands may use it at once; until the queue is applied it is not alive, and its children are not there.",
	},
	"relate": {Params: "e, relation, target", Doc: "Queues world:relate. The target may itself be an entity that is still queued."},
	"remove": {Params: "e, …", Doc: "Queues world:remove."},
	"send": {
		Params: "event, fields?, when?", Types: map[string]string{"when": "{ after: number?, frames: integer?, at: integer?, key: string? }"}, Returns: []string{"integer? number"},
		Doc: "Queues world:send. With after (seconds), frames or at (the number of a frame) the event comes at the beginning of a later frame, and a number for cancel is returned; what waits under the same key is replaced.",
	},
	"set":      {Params: "e, component, fields", Doc: "Queues world:set."},
	"spawn":    {Params: "parts", Returns: []string{"ecs.Entity e"}, Doc: "Queues world:spawn, and returns the entity. Later commands may use it at once; until the queue is applied it is not alive."},
	"state":    {Params: "state, value", Types: map[string]string{"value": "string"}, Doc: "Asks for another value of a state. At the beginning of the next frame systems leave the old value, its entities end, and systems enter the new one."},
	"tag":      {Params: "e, …", Doc: "Queues world:tag."},
	"unrelate": {Params: "e, relation, target?", Doc: "Queues world:unrelate."},
	"untag":    {Params: "e, …", Doc: "Queues world:untag."},
}
