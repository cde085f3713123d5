package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file is the last step of reading a config: it checks the items against each other, with their final values.
// A name that was reported before is not reported again.

// Validate checks the items of a config against each other. It returns Problems, or nil if there are none: names
// that are missing, malformed or used twice, an after that cannot be satisfied, an impl that the system does not
// have. Load and Parse have done this already; Validate is for a Config that was made or changed in Go. It does
// not check the scalars.
func (c *Config) Validate() error {
	var r report
	c.check(&r)
	return r.problems.err()
}

func (c *Config) check(r *report) {
	k := &checker{report: r, c: c}
	k.names()
	k.renamed()
	k.systems()
	k.cycles()
}

type checker struct {
	*report
	c        *Config
	nameless bool // a system has no name
}

func (k *checker) problem(path, message, hint string) { k.add(k.c.At(path), path, message, hint) }

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	dashedName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	noIdent    = regexp.MustCompile(`[^A-Za-z0-9_]+`)
	noDashed   = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
)

// identifierHint returns "" for an identifier, and otherwise how to write one.
func identifierHint(name string) string { return nameHint(name, identifier, noIdent) }

func nameHint(name string, good, bad *regexp.Regexp) string {
	if good.MatchString(name) {
		return ""
	}
	fixed := strings.Trim(bad.ReplaceAllString(name, "_"), "_.-")
	if fixed != "" && fixed[0] >= '0' && fixed[0] <= '9' {
		fixed = "_" + fixed
	}
	if !good.MatchString(fixed) {
		return "a name has letters, digits and _, and no digit first"
	}
	return fmt.Sprintf("write %q", clip(fixed))
}

// A namespace holds names that must be different, with what is so named and where.
type namespace map[string]named

type named struct {
	what string
	pos  Pos
}

// take adds a name to a namespace, or reports why it cannot be used. It reports nothing if the name itself was
// reported before.
func (k *checker) take(ns namespace, name, what, path string, good, bad *regexp.Regexp) {
	if name == "" {
		if !k.broken(path) && !k.broken(parent(path)) {
			k.problem(path, what+" without a name", "give it one")
		}
		return
	}
	if hint := nameHint(name, good, bad); hint != "" {
		article := "a"
		if what == "event" || what == "index" {
			article = "an"
		}
		k.problem(path, fmt.Sprintf("%q is not a name for %s %s", clip(name), article, what), hint)
	}
	switch first, taken := ns[name]; {
	case taken && first.pos.Line > 0 && first.pos.File != k.c.At(path).File:
		k.problem(path, fmt.Sprintf("the name %q is taken by the %s at %s", name, first.what, first.pos), "rename or remove one of them")
	case taken && first.pos.Line > 0:
		k.problem(path, fmt.Sprintf("the name %q is taken by the %s on line %d", name, first.what, first.pos.Line), "rename or remove one of them")
	case taken && first.what == builtIn && what == "relation":
		k.problem(path, fmt.Sprintf("the relation %q is built in", name), "leave it out")
	case taken:
		k.problem(path, fmt.Sprintf("the name %q is taken by a %s", name, first.what), "rename or remove one of them")
	default:
		ns[name] = named{what, k.c.At(path)}
	}
}

const builtIn = "built-in relation"

func parent(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return path
}

// names checks all names except those of systems. Components, relations, tags and indexes share one namespace, because
// world:spawn takes all of them in one table: tags or components in its list part, components or relations in its
// named part.
func (k *checker) names() {
	c := k.c
	parts := namespace{"ChildOf": {what: builtIn}, "IsA": {what: builtIn}}
	for i, v := range c.Components {
		path := c.itemPath("components", i, v.Pos)
		k.take(parts, v.Name, "component", path+".name", identifier, noIdent)
		k.fields(v.Fields, path)
	}
	for i, v := range c.Relations {
		k.take(parts, v.Name, "relation", c.itemPath("relations", i, v.Pos), identifier, noIdent)
	}
	for i, v := range c.Tags {
		k.take(parts, v.Name, "tag", c.itemPath("tags", i, v.Pos), dashedName, noDashed)
	}
	k.indexes(parts)
	events := namespace{}
	for i, v := range c.Events {
		path := c.itemPath("events", i, v.Pos)
		k.take(events, v.Name, "event", path+".name", identifier, noIdent)
		k.fields(v.Fields, path)
	}
	k.states(parts)
	k.prefabs()
	k.layers()
	k.data()
	resources := namespace{}
	for i, v := range c.Resources {
		k.take(resources, v.Name, "resource", c.itemPath("resources", i, v.Pos)+".name", identifier, noIdent)
	}
}

func (k *checker) fields(fields []Field, path string) {
	names := namespace{}
	for i, f := range fields {
		k.take(names, f.Name, "field", index(path+".fields", i), identifier, noIdent)
	}
}

func (k *checker) systems() {
	names := namespace{}
	at := map[string]int{} // name -> first system that has it
	var all []string
	k.nameless = slices.ContainsFunc(k.c.Systems, func(s System) bool { return s.Name == "" })
	for i, s := range k.c.Systems {
		k.take(names, s.Name, "system", k.c.SystemPath(i)+".name", dashedName, noDashed)
		if _, there := at[s.Name]; !there && s.Name != "" {
			at[s.Name] = i
			all = append(all, s.Name)
		}
	}
	for i := range k.c.Systems {
		s, path := &k.c.Systems[i], k.c.SystemPath(i)
		k.implementation(s, path)
		k.in(s, path)
		seen := map[string]bool{}
		for j, name := range s.After {
			k.after(s, name, seen[name], index(path+".after", j), at, all)
			seen[name] = true
		}
	}
}

// implementation checks that the system has what its impl asks for. For a system that is only native, auto means
// native.
func (k *checker) implementation(s *System, path string) {
	quiet := k.broken(path+".script") || k.broken(path+".native")
	switch {
	case quiet:
	case s.Script == "" && s.Native == "" && s.Name == "":
		k.problem(path, "system has neither script nor native", `add script: "FILE.lua" or native: NAME`)
	case s.Script == "" && s.Native == "":
		if !k.unknownKeyIn(path) {
			k.problem(path, fmt.Sprintf("system %q has neither script nor native", s.Name), `add script: "FILE.lua" or native: NAME`)
		}
	case s.Impl == ImplNative && s.Native == "":
		k.problem(path+".impl", fmt.Sprintf("impl %q, but system %q names no native", s.Impl, s.Name), "add native: NAME, or use impl auto")
	case (s.Impl == ImplLua || s.Impl == ImplClosures) && s.Script == "":
		k.problem(path+".impl", fmt.Sprintf("impl %q, but system %q names no script", s.Impl, s.Name), `add script: "FILE.lua", or use impl native`)
	case s.Impl == ImplAuto && s.Script == "":
		s.Impl = ImplNative
	}
}

// unknownKeyIn reports whether an item has an unknown key. It may be a misspelling of a key that is missing.
func (k *checker) unknownKeyIn(path string) bool { return k.unknown[path] }

// after checks one entry of s.After.
func (k *checker) after(s *System, name string, again bool, path string, at map[string]int, all []string) {
	i, known := at[name]
	switch {
	case name == "" && k.broken(path): // reported when it was read
	case name == s.Name:
		k.problem(path, fmt.Sprintf("system %q cannot run after itself", name), "remove it from after")
	case again:
		k.problem(path, fmt.Sprintf("%q is listed twice", name), "remove one of them")
	case !known && k.unnamed(name, all): // one of those without a name may be meant
	case !known && k.c.listedUnread(name): // of a mod that was not read
	case !known:
		k.problem(path, fmt.Sprintf("no system %q", clip(name)), k.meant(name, "systems", k.others(s, name, all)))
	case k.c.Systems[i].Stage != s.Stage && !k.broken(k.c.SystemPath(i)+".stage") && !k.broken(parent(path)+".stage"):
		other := k.c.Systems[i].Stage
		k.problem(path, fmt.Sprintf("system %q is in stage %q and this one in %q", name, other, s.Stage),
			"after orders within a stage; stages run in the order startup, first, update, last")
	}
}

// others returns the systems that a name in the after of s may mean: all except s. If too many names have been
// compared already, it returns only the first few, for a list.
func (k *checker) others(s *System, name string, all []string) []string {
	var out []string
	for _, n := range all {
		if n != s.Name {
			out = append(out, n)
		}
		if k.exhausted() && len(out) > listed {
			break
		}
	}
	return out
}

// unnamed reports whether a system without a name may be meant: there is one, which was reported, and the name is
// not similar to that of any system in all.
func (k *checker) unnamed(name string, all []string) bool {
	if !k.nameless {
		return false
	}
	_, near := k.closest(name, all)
	return !near
}
