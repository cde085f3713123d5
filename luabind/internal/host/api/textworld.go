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
	"components": {
		Params: "e", Returns: []string{"ecs.ComponentName[] names"},
		Doc: "Returns the names of the entity's components in the order of declaration, without relations and inherited components.",
	},
	"count": {
		Params: "…", Types: map[string]string{"…": "ecs.PartName|ecs.Query|ecs.Entity"}, Returns: []string{"integer count"},
		Doc: "Returns how many entities a loop over the same arguments would visit; without arguments, the number of living entities.",
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
		Doc: "Visits the entities that have all of these components, or that match a query: the entity first, then one view for each component. The order is the same in every run. Structure is locked inside the loop; use world.commands there.",
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
	"near": {
		Params: "name, x, y, radius", Types: map[string]string{"x": "number", "y": "number", "radius": "number"},
		Returns: []string{"fun(): ecs.Entity, number next"},
		Doc:     "Visits the entities of a grid within the radius, and yields each with its squared distance, cell by cell.",
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
		Doc: "Returns the target of the entity's relation, or nil.",
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
	"spawn": {
		Params: "parts", Returns: []string{"ecs.Entity e"},
		Doc: "Creates an entity. The named part gives components with their fields, or relations with their targets; the list part gives tags, and components with all fields at their defaults. Inside a query loop use world.commands:spawn.",
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
		Params: "e, relation", Returns: []string{"boolean related"},
		Doc: "Removes the target of the entity's relation. It returns true if there was one.",
	},
	"untag": {
		Params: "e, …", Returns: []string{"boolean tagged"},
		Doc: "Removes the tags; allowed inside loops. It returns true if the entity had at least one of them.",
	},
}

// commandTexts describes the methods of world.commands.
var commandTexts = map[string]Text{
	"add":      {Params: "e, …", Doc: "Queues world:add."},
	"despawn":  {Params: "e", Doc: "Queues world:despawn."},
	"relate":   {Params: "e, relation, target", Doc: "Queues world:relate. The target may itself be an entity that is still queued."},
	"remove":   {Params: "e, …", Doc: "Queues world:remove."},
	"send":     {Params: "event, fields?", Doc: "Queues world:send."},
	"set":      {Params: "e, component, fields", Doc: "Queues world:set."},
	"spawn":    {Params: "parts", Returns: []string{"ecs.Entity e"}, Doc: "Queues world:spawn, and returns the entity. Later commands may use it at once; until the queue is applied it is not alive."},
	"tag":      {Params: "e, …", Doc: "Queues world:tag."},
	"unrelate": {Params: "e, relation", Doc: "Queues world:unrelate."},
	"untag":    {Params: "e, …", Doc: "Queues world:untag."},
}
