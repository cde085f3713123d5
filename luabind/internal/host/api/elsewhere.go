package api

import (
	"slices"
	"strings"
)

// What other engines and libraries call the functions here. Errors about a function that does not exist say with it what to write, while a script runs
// and when `ecsrun check` reads it.

// Elsewhere returns what to write for a name that the object with that prefix does not have, such as "write world:despawn(e)" for world:delete; "" if the
// name or the object is not known. Case and underscores do not count. For world.commands it names a command where there is one.
func Elsewhere(prefix, name string) string {
	if !slices.ContainsFunc(Objects, func(o Object) bool { return o.Prefix == prefix }) {
		return ""
	}
	name = strings.ReplaceAll(strings.ToLower(name), "_", "")
	for _, list := range [][]synonyms{own[prefix], common, own["ecs."], own["ecs.log."]} {
		for _, s := range list {
			if s.names[name] {
				return s.written(prefix)
			}
		}
	}
	return ""
}

// OfEntity returns what to write for a method that was called on an entity, a number, in a variable of that name: "write world:despawn(rat)" for
// rat:destroy(). It is "" if the method is not known, or is not about one entity.
func OfEntity(method, variable string) string {
	write, ok := strings.CutPrefix(Elsewhere("world:", method), "write world:")
	if !ok || !strings.Contains(write, "(e") {
		return ""
	}
	return "write world:" + strings.Replace(write, "(e", "("+variable, 1)
}

// Synonyms are names with what to write instead of them.
type synonyms struct {
	write string // what follows the word "write"
	names map[string]bool
}

func of(write, names string) synonyms {
	s := synonyms{write, map[string]bool{}}
	for name := range strings.FieldsSeq(names) {
		s.names[name] = true
	}
	return s
}

// written returns what to write, with the name of the command if a command was meant and exists.
func (s synonyms) written(prefix string) string {
	if prefix == "world.commands:" {
		if call, ok := strings.CutPrefix(s.write, "world:"); ok {
			function, _, _ := strings.Cut(strings.ReplaceAll(call, "{", "("), "(")
			if Find(Commands, function) != nil {
				return "write " + prefix + call
			}
		}
	}
	return "write " + s.write
}

// common has the names that any object may be asked for. Each function of world stands in it under its own name, too, for scripts that look for it in
// another object.
var common = []synonyms{
	of(`world:despawn(e)`, "despawn delete destroy kill removeentity deleteentity destroyentity killentity despawnentity despawnrecursive erase die free queuefree dispose destruct del removeobject"),
	of(`world:spawn{ … }`, "spawn create createentity newentity addentity spawnentity makeentity entity new insertentity spawnempty spawnbundle addobject createobject"),
	of(`world:instance("prefab", { … })`, "instance instantiate clone fromprefab spawnprefab createinstance isa"),
	of(`world:prefab("name"), for the entity of a prefab; ecs.prefab(name, { … }) declares one`, "prefab getprefab prefabs template archetype"),
	of(`world:child(e, "name"), of an instance; for child in world:sources("ChildOf", e) do, of all`, "child findchild childbyname childnamed"),
	of(`world:spawn_many(n, { … })`, "spawnmany spawnbatch createmany createentities spawnall batch bulk"),
	of(`world:alive(e)`, "alive isalive valid isvalid isvalidentity entityexists exists containsentity isdead"),
	of(`world:get(e, "Name")`, "get getcomponent fetch tryget getmut getref getview view"),
	of(`world:set(e, "Name", { … })`, "set setcomponent setcomponents addcomponentdata setcomponentdata insertcomponent insert assign replace patch emplace emplaceorreplace upsert setfield modify write"),
	of(`world:add(e, "Name")`, "add addcomponent addcomponents attach ensure"),
	of(`world:remove(e, "Name")`, "remove removecomponent removecomponents deletecomponent detach unset"),
	of(`world:has(e, "Name")`, "has hascomponent hascomponents contains includes"),
	of(`world:components(e)`, "components listcomponents componentsof getcomponents getallcomponents"),
	of(`for e, view in world:each("Name") do; conditions belong in ecs.query{ … }`, "each foreach query iterate iter find findall findentities entities select filter match family group getentities getallentities getentitieswith entitieswith alleach eachentity loop where queryall"),
	of(`world:first("Name"), which gives the entity and its view, or nil`, "first findfirst findone single getfirst getone firstentity one any"),
	of(`world:pick("Name") for an entity by chance, ecs.pick(list) for an item of a list`, "pick oneof anyof choose randomentity getrandom pickrandom"),
	of(`world:count("Name")`, "count size len length num entitycount getentitycount numentities"),
	of(`for e, d2 in world:near("grid", x, y, radius) do`, "near nearby within neighbors neighbours getneighbors overlap overlapcircle inradius findinradius getobjectsinsideradius findentitiesfiltered queryradius"),
	of(`world:nearest("grid", x, y, radius)`, "nearest closest nearestentity getnearest findnearest findclosest minoneof"),
	of(`world:at("index", x, y)`, "at entityat getat objectat turtlesat lookup findby"),
	of(`for e in world:all("index", x, y) do, of all entities at a place; for e, view in world:each("Name") do, of all with a component`, "all allat turtleshere agents"),
	of(`for e, x, y in world:around("index", x, y, r) do`, "around neighborhood neighbourhood turtleson getneighborhood"),
	of(`world:send("Event", { … })`, "send emit fire trigger publish dispatch raise sendevent postevent fireevent emitevent dispatchevent triggerevent raiseevent writeevent addevent pushevent post notify broadcast signal"),
	of(`for event in world:read("Event") do`, "read readevents events getevents receive poll pollevents eachevent consume eventreader"),
	of(`for event in world:peek("Event") do`, "peek peekevents"),
	of(`for event in world:drain("Event") do`, "drain takeevents clearevents flushevents"),
	of(`for event in world:read("Event") do in update; world:on(kind, name, run) in init observes entities`, "on subscribe listen connect addlistener addeventlistener bind onevent registerevent callback hook"),
	of(`world:on(kind, name, run) in init`, "observe observer addobserver onadd onadded onremove onremoved onset onchange onchanged onspawn ondespawn ondestroy addhook registerhook"),
	of(`for e in world:removed("Name") do`, "removed getremoved removedcomponents"),
	of(`world:tag(e, "tag")`, "tag addtag settag mark addflag setflag"),
	of(`world:untag(e, "tag")`, "untag removetag deletetag cleartag unmark removeflag clearflag"),
	of(`world:tagged(e, "tag")`, "tagged hastag istagged checktag hasflag"),
	of(`world:tags(e)`, "tags gettags listtags tagsof"),
	of(`world:relate(e, "Relation", target)`, "relate addrelation setrelation addrelationship addpair setpair link"),
	of(`world:relate(e, "ChildOf", parent)`, "setparent addchild attachto"),
	of(`world:related(e, "Relation")`, "related getrelation gettarget target getrelated"),
	of(`world:related(e, "ChildOf")`, "parent getparent parentof"),
	of(`world:unrelate(e, "Relation")`, "unrelate removerelation removerelationship removepair unlink"),
	of(`world:unrelate(e, "ChildOf")`, "removeparent clearparent removechild detachfrom"),
	of(`for t in world:targets(e, "Relation") do`, "targets gettargets eachtarget targetsof getpairs"),
	of(`world:relates(e, "Relation", target)`, "relates isrelated hasrelation haspair hastarget"),
	of(`for e in world:sources("Relation", target) do`, "sources getsources relations"),
	of(`for e in world:sources("ChildOf", parent) do`, "children getchildren childrenof eachchild getchild"),
	of(`world:stop(reason)`, "stop quit exit halt finish shutdown terminate close endgame gameover abort"),
	of(`world.resources.NAME; ecs.resource(name, field) declares one`, "resources getresource setresource insertresource addresource resource res singleton getsingleton setsingleton globals global storage"),
	of(`world.states.NAME; world.commands:state(name, value) changes one, and states in the config declares it`, "states state getstate setstate nextstate gamestate scene setscene switchscene changestate"),
	of(`world:each("Foe", { order = "Foe.seq" })`, "sorted sort sortby order orderby ordered eachsorted eachordered"),
	of(`world:at("index", x, y); ecs.index(name, options) declares one`, "index indexes"),
	of(`world.layers.NAME; ecs.layer(name, options) declares one`, "layers layer getlayer addlayer tilemap getnode setnode gettile settile patches"),
	of(`world.commands:despawn(e) and the like`, "commands defer deferred buffer commandbuffer cmd cmds queue getcommands"),
	of(`world.dt`, "dt deltatime delta getdelta getdeltatime timestep"),
	of(`world.time`, "time gettime now clock elapsed elapsedtime totaltime getworldtime"),
	of(`world.frame`, "frame tick ticks gettick getticks getframe framecount framenumber turn"),
	of(`world.commands:send("Ring", { … }, { after = 3 }), an event that comes by itself, or every: 60 at the system in the config`, "after delay wait sleep timer schedule every interval settimeout setinterval timeout addtimer afterdelay delayedcall ontick onnthtick"),
	of(`a file that returns a function, and list it under systems in the config`, "system systems addsystem addsystems registersystem createsystem newsystem runsystem process"),
	of(`ecsrun run --snapshot DIR, which saves the whole world`, "save load snapshot serialize deserialize restore savegame loadgame"),
}

// own has the names that mean something else in one object, by its prefix.
var own = map[string][]synonyms{
	"world:": {
		of(`world:get(e, "Name") for a view; ecs.component(name, fields) declares one`, "component"),
		of(`world:send("Event", { … }); ecs.event(name, fields) declares one`, "event"),
		of(`world:related(e, "Relation") for its target; ecs.relation(name) declares one`, "relation relationship pair"),
	},
	"ecs.": {
		of(`ecs.component(name, fields)`, "component register registercomponent definecomponent newcomponent createcomponent declare define struct"),
		of(`ecs.describe(world, e)`, "describe inspect dump info debuginfo"),
		of(`ecs.data("name"); data: [{ name, file }] in the config declares it`, "data datafile loaddata readdata readfile loadfile csv json"),
		of(`ecs.event(name, fields)`, "event registerevent defineevent newevent createevent declareevent"),
		of(`ecs.fields(view)`, "fields totable copy topairs values pairs"),
		of(`ecs.grid(name, options)`, "grid spatialhash quadtree spatial newgrid creategrid"),
		of(`ecs.index(name, options)`, "index newindex createindex declareindex addindex"),
		of(`ecs.layer(name, options)`, "layer newlayer createlayer declarelayer"),
		of(`ecs.name(e)`, "name tostring getname id getid entityname"),
		of(`ecs.query{ … }`, "query filter newquery createquery queryfor family aspect match"),
		of(`ecs.relation(name)`, "relation registerrelation definerelation newrelation relationship pair"),
		of(`ecs.resource(name, field)`, "resource registerresource defineresource newresource createresource"),
		of(`ecs.tag(name)`, "tag registertag definetag newtag createtag"),
		of(`ecs.random(m, n)`, "random rand randint randomint randrange randomfloat rng"),
		of(`ecs.shuffle(list)`, "shuffle shuffled randomize shufflelist"),
		of(`ecs.pick(list)`, "pick choice oneof choose randomchoice randomitem pickone"),
		of(`ecs.sample(list, n)`, "sample nof choices pickmany samples"),
		of(`ecs.normal(mean, sd)`, "normal gauss gaussian randomnormal normalvariate randn"),
		of(`ecs.none`, "none null nullentity invalid nil noentity"),
		of(`ecs.log.info(message)`, "log print printf logger trace debug warn warning error message"),
		of(`return function(world, dt) … end: a system is given the world`, "world newworld createworld getworld newecs"),
	},
	"ecs.log.": {
		of(`ecs.log.info(message)`, "info log print write notice message printf"),
		of(`ecs.log.debug(message)`, "debug trace verbose fine"),
		of(`ecs.log.warn(message)`, "warn warning"),
		of(`ecs.log.error(message)`, "error fatal critical err severe panic"),
	},
	"layer:": {
		of(`layer:get(x, y)`, "at value getvalue getcell getnode gettile read cell tile"),
		of(`layer:set(x, y, value)`, "put setvalue setcell setnode settile write"),
		of(`layer:size(), which returns width and height`, "width height w h getsize dimensions getwidth getheight"),
		of(`layer:fill(value)`, "clear reset setall fillall"),
		of(`for x, y, v in layer:each() do`, "cells iterate foreach pairs ipairs all every"),
		of(`for x, y, v in layer:around(x, y, r) do`, "neighbours neighbors neighbourhood neighborhood near adjacent"),
	},
}
