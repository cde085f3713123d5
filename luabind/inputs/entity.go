package inputs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// Lines about entities and systems.

// spawn decodes {"spawn": {"Health": {"current": 3}}, "tags": ["enemy"], "as": "boss"}.
func (d *Decoder) spawn(in *Input, parts, n *node) (err error) {
	in.Edit.Kind = luabind.EditSpawn
	if in.Edit.Parts, err = d.parts("spawn", parts); err != nil {
		return err
	}
	if tags := n.field("tags"); tags != nil {
		if in.Edit.Tags, err = d.tags("tags", tags); err != nil {
			return err
		}
	}
	if as := n.field("as"); as != nil {
		if as.kind != stringNode || !isName(as.text) {
			return d.wrong(`"as": a name of 1 to %d letters, digits, _, - and . expected, without @`, longestName)
		}
		in.Edit.As = strings.Clone(as.text)
	}
	return nil
}

// actions are the keys of which a line about an entity has one.
var actions = map[string]luabind.EditKind{
	"set": luabind.EditSet, "despawn": luabind.EditDespawn, "add": luabind.EditAdd, "remove": luabind.EditRemove,
	"tag": luabind.EditTag, "untag": luabind.EditUntag, "relate": luabind.EditRelate, "unrelate": luabind.EditUnrelate,
}

// entity decodes {"entity": "17v2", "set": {…}} and the like.
func (d *Decoder) entity(in *Input, which, n *node) (err error) {
	if in.Edit.Entity, err = entityRef(which.text); err != nil {
		return d.wrong(`"entity": %v`, err)
	}
	key := ""
	for _, k := range n.keys {
		if _, ok := actions[k]; !ok {
			continue
		}
		if key != "" {
			return d.wrong("both %q and %q; use a line for each", key, k)
		}
		key = k
	}
	if key == "" {
		return d.wrong(`nothing to do with the entity; a line has "set", "despawn", "add", "remove", "tag", "untag", "relate" or "unrelate"`)
	}
	e, what := &in.Edit, n.field(key)
	e.Kind = actions[key]
	switch e.Kind {
	case luabind.EditSet:
		e.Parts, err = d.parts(key, what)
	case luabind.EditDespawn:
		if what.kind != boolNode || what.text == "" {
			return d.wrong(`"despawn": true expected`)
		}
	case luabind.EditAdd, luabind.EditRemove:
		e.Components, err = d.components(key, what)
	case luabind.EditTag, luabind.EditUntag:
		e.Tags, err = d.tags(key, what)
	default:
		e.Links, err = d.links(key, what)
	}
	return err
}

// parts decodes an object of components with objects of fields.
func (d *Decoder) parts(key string, n *node) ([]luabind.Part, error) {
	if n.kind != objectNode {
		return nil, d.wrong("%q: an object of components expected, got %s", key, n.kind)
	}
	list := make([]luabind.Part, len(n.keys))
	for i, name := range n.keys {
		id, schema, err := d.component(name)
		if err != nil {
			return nil, err
		}
		of := &n.list[i]
		if of.kind != objectNode {
			return nil, d.wrong("%s: an object of its fields expected, got %s", name, of.kind)
		}
		list[i].Component = id
		if list[i].Fields, err = d.fields(name, schema, of); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *Decoder) component(name string) (ecs.ComponentID, *ecs.Schema, error) {
	id, ok := d.World.LookupComponent(name)
	if _, relation := d.World.LookupRelation(name); relation {
		return 0, nil, d.wrong(`%s is a relation; use "relate" and "unrelate"`, quoted(name))
	}
	if !ok {
		return 0, nil, d.undeclared("component", name, d.componentNames())
	}
	info, _ := d.World.ComponentInfo(id)
	return id, info.Schema, nil
}

// componentNames returns the names of the components that are no relations.
func (d *Decoder) componentNames() []string {
	return slices.DeleteFunc(slices.Clone(d.World.ComponentNames()), func(name string) bool {
		_, relation := d.World.LookupRelation(name)
		return relation
	})
}

func (d *Decoder) components(key string, n *node) (list []ecs.ComponentID, err error) {
	err = d.each(key, "components", n, func(name string) error {
		id, _, err := d.component(name)
		list = append(list, id)
		return err
	})
	return list, err
}

func (d *Decoder) tags(key string, n *node) (list []ecs.TagID, err error) {
	err = d.each(key, "tags", n, func(name string) error {
		id, ok := d.World.LookupTag(name)
		if !ok {
			return d.undeclared("tag", name, d.World.TagNames())
		}
		list = append(list, id)
		return nil
	})
	return list, err
}

// each calls do for the names in a list, each of which may be there once.
func (d *Decoder) each(key, what string, n *node, do func(name string) error) error {
	if n.kind != listNode {
		return d.wrong("%q: a list of names of %s expected, got %s", key, what, n.kind)
	}
	seen := map[string]bool{}
	for i := range n.list {
		name := n.list[i].text
		switch {
		case n.list[i].kind != stringNode:
			return d.wrong("%q: a list of names of %s expected, got %s in it", key, what, n.list[i].kind)
		case seen[name]:
			return d.wrong("%q: %s is there twice", key, quoted(name))
		}
		seen[name] = true
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}

// links decodes an object of relations with their targets: lists where there may be many.
func (d *Decoder) links(key string, n *node) ([]luabind.Link, error) {
	if n.kind != objectNode {
		return nil, d.wrong(`%q: an object of relations with targets expected, as {"ChildOf": "3v1"}, got %s`, key, n.kind)
	}
	var list []luabind.Link
	for i, name := range n.keys {
		id, ok := d.World.LookupRelation(name)
		if !ok {
			return nil, d.undeclared("relation", name, d.World.RelationNames())
		}
		info, _ := d.World.ComponentInfo(id)
		targets := n.list[i : i+1]
		switch to := &n.list[i]; {
		case to.kind == listNode && info.Many:
			targets = to.list
		case to.kind == nullNode && key == "unrelate": // whatever it is
			list, targets = append(list, luabind.Link{Relation: id}), nil
		}
		for k := range targets {
			to := &targets[k]
			if to.kind != stringNode {
				return nil, d.wrong("%s: %v", name, errEntity(to.kind.String()))
			}
			target, err := entityRef(to.text)
			if err != nil {
				return nil, d.wrong("%s: %v", name, err)
			}
			list = append(list, luabind.Link{Relation: id, Target: target})
		}
	}
	return list, nil
}

// system decodes {"system": "poison", "enabled": false, "impl": "lua", "every": 2}.
func (d *Decoder) system(in *Input, name string, n *node) error {
	if !slices.Contains(d.Systems, name) {
		err := d.wrong("there is no system %s", quoted(name))
		err.Fix = meant(name, "there are", d.Systems)
		return err
	}
	in.Name = name
	e := &in.Edit
	e.Kind, e.Name = luabind.EditSystem, name
	if on := n.field("enabled"); on != nil {
		if on.kind != boolNode {
			return d.wrong(`"enabled": true or false expected, got %s`, on.kind)
		}
		is := on.text != ""
		e.Enabled = &is
	}
	if impl := n.field("impl"); impl != nil {
		names := []string{luabind.Auto.String(), luabind.Lua.String(), luabind.Closures.String(), luabind.Native.String()}
		at := slices.Index(names, impl.text)
		if impl.kind != stringNode || at < 0 {
			return d.wrong(`"impl": "auto", "lua", "closures" or "native" expected`)
		}
		is := luabind.Impl(at)
		e.Impl = &is
	}
	if every := n.field("every"); every != nil {
		v, err := strconv.ParseUint(every.text, 10, 31)
		if every.kind != numberNode || err != nil || v == 0 {
			return d.wrong(`"every": a whole number from 1 to 2147483647 expected`)
		}
		is := int(v)
		e.Every = &is
	}
	if e.Enabled == nil && e.Impl == nil && e.Every == nil {
		return d.wrong(`nothing to do with the system; a line has "enabled", "impl" or "every"`)
	}
	return nil
}

// longestName is the length of the longest name of an entity.
const longestName = 64

// isName reports whether a text may be the name of an entity.
func isName(text string) bool {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return text != "" && len(text) <= longestName
}

// entityRef returns the entity that a text means: "17v2", or "@boss".
func entityRef(text string) (ref luabind.EntityRef, err error) {
	if name, named := strings.CutPrefix(text, "@"); named {
		if !isName(name) {
			return ref, fmt.Errorf("%s is no name of an entity; one has 1 to %d letters, digits, _, - and . behind the @", quoted(text), longestName)
		}
		return luabind.EntityRef{Name: strings.Clone(name)}, nil
	}
	e, ok := parseEntity(text)
	if !ok {
		return ref, errEntity(quoted(text))
	}
	return luabind.EntityRef{Entity: e}, nil
}

func errEntity(got string) error {
	return fmt.Errorf(`an entity expected, got %s; entities are written as "17v2", or "@boss" with the name that "as" has given`, got)
}

// fieldFor returns the value of a node for a field, checked.
func fieldFor(schema *ecs.Schema, at int, n *node) (f luabind.Field, err error) {
	f.Index = at
	t := schema.Fields()[at].Type
	if name := nameIn(n); name != "" && t == ecs.EntityField {
		f.Name = name
		return f, nil
	}
	if t.Elem() == ecs.EntityField && slices.ContainsFunc(n.list, func(one node) bool { return nameIn(&one) != "" }) {
		f.Items, n = namesOut(n)
	}
	if f.Value, err = valueFor(t, n); err == nil {
		err = schema.Check(f.FieldValue)
	}
	if err == nil && f.Items != nil { // the others are entities now
		for i := range f.Items {
			if f.Items[i].Name == "" {
				_, v := f.Value.Data().At(i)
				f.Items[i].Entity = v.Entity()
			}
		}
	}
	return f, err
}

// nameIn returns the name of an entity that a node is, without @; "" if it is something else.
func nameIn(n *node) string {
	if name, named := strings.CutPrefix(n.text, "@"); named && n.kind == stringNode && isName(name) {
		return strings.Clone(name)
	}
	return ""
}

// namesOut returns the names in a list, one an item, and the list with null in their place.
func namesOut(n *node) ([]luabind.EntityRef, *node) {
	refs, without := make([]luabind.EntityRef, len(n.list)), *n
	without.list = slices.Clone(n.list)
	for i := range n.list {
		if refs[i].Name = nameIn(&n.list[i]); refs[i].Name != "" {
			without.list[i] = node{kind: nullNode}
		}
	}
	return refs, &without
}
