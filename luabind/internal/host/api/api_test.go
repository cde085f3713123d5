package api

import (
	"slices"
	"strings"
	"testing"
)

// The lists are sorted, and Fields comes right behind a name that has fields.
func TestLists(t *testing.T) {
	for name, list := range map[string][]Function{"World": World, "Commands": Commands, "Module": Module, "Log": Log} {
		names := Names(list)
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("%s is not sorted: %v", name, names)
		}
		for _, f := range list {
			for i, r := range f.Args {
				if r == Nothing {
					t.Errorf("%s.%s: argument %d is nothing", name, f.Name, i)
				}
				if r == Fields && (i == 0 || f.Args[i-1] != Component && f.Args[i-1] != Event) {
					t.Errorf("%s.%s: argument %d are the fields of nothing", name, f.Name, i)
				}
			}
		}
	}
	if !slices.IsSorted(Properties) {
		t.Errorf("properties are not sorted: %v", Properties)
	}
}

func TestRole(t *testing.T) {
	set, has := Find(World, "set"), Find(World, "has")
	if set.Role(1) != Component || set.Role(2) != Fields || set.Role(3) != Nothing || has.Role(0) != Entity || has.Role(1) != Component || has.Role(7) != Component {
		t.Error("roles of set and has are wrong")
	}
	if Find(World, "sat") != nil {
		t.Error("there is a function sat")
	}
	for r := Nothing; r <= Parts; r++ {
		if want := slices.Contains([]Role{Component, Tag, Event, Relation, Grid, Index, Filter, Query, State, Prefab}, r); r.Name() != want {
			t.Errorf("role %d: %v", r, !want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown role was not refused")
		}
	}()
	(Parts + 1).Name()
}

// Every function has a text, and the text names as many arguments as the function takes.
func TestTexts(t *testing.T) {
	for _, o := range Objects {
		if len(o.Texts) != len(o.Functions) {
			t.Errorf("%s has %d functions and %d texts", o.Prefix, len(o.Functions), len(o.Texts))
		}
		for _, f := range o.Functions {
			text, ok := o.Texts[f.Name]
			if !ok || text.Doc == "" {
				t.Errorf("%s%s has no text", o.Prefix, f.Name)
				continue
			}
			named := text.List()
			rest := len(named) > 0 && named[len(named)-1].Name == "…"
			if rest {
				named = named[:len(named)-1]
			}
			if rest != (f.Rest != Nothing) || !rest && len(named) != len(f.Args) || len(named) > len(f.Args) {
				t.Errorf("%s%s takes %d arguments and more: %v; its text says %q", o.Prefix, f.Name, len(f.Args), f.Rest != Nothing, text.Params)
			}
			for i, p := range named {
				if (p.Type == "") != (f.Args[i] != Value) {
					t.Errorf("%s%s: argument %s has role %d and the type %q: one of them says what it is", o.Prefix, f.Name, p.Name, f.Args[i], p.Type)
				}
			}
		}
	}
	for i, p := range PropertyTexts {
		if len(PropertyTexts) != len(Properties) || p.Name != Properties[i] || p.Doc == "" {
			t.Errorf("property %s has no text in its place", p.Name)
		}
	}
	for _, list := range [][]Word{TestWords, TestModule, TestWorld, Asserts} {
		if !slices.IsSortedFunc(list, func(a, b Word) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("the words from %s on are not sorted", list[0].Name)
		}
		for _, w := range list {
			for _, p := range w.Text.List() {
				if p.Type == "" {
					t.Errorf("%s: argument %s has no type", w.Name, p.Name)
				}
			}
		}
	}
}
