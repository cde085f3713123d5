package api

import (
	"slices"
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
		if want := slices.Contains([]Role{Component, Tag, Event, Relation, Grid, Query}, r); r.Name() != want {
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
