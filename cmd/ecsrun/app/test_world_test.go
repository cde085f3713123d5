package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/config"
)

func TestKeepSystems(t *testing.T) {
	all := func() *config.Config {
		return &config.Config{Systems: []config.System{
			{Name: "a"},
			{Name: "b", After: []string{"a"}},
			{Name: "c", After: []string{"b"}},
			{Name: "d", After: []string{"b", "c", "a"}},
		}}
	}
	for _, c := range []struct {
		keep []string
		want string // NAME<AFTER,…
	}{
		{nil, ""},
		{[]string{"a"}, "a<"},
		{[]string{"d", "a"}, "a< d<a"},            // in the order of the file; by way of b and c
		{[]string{"d", "b"}, "b< d<b"},            // each once
		{[]string{"a", "c", "d"}, "a< c<a d<a,c"}, // by way of b, and directly
	} {
		cfg := all()
		if err := keepSystems(cfg, c.keep); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range cfg.Systems {
			got = append(got, s.Name+"<"+strings.Join(s.After, ","))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("keeping %q: %q, want %q", c.keep, got, c.want)
		}
		if whole := all(); slices.Equal(whole.Systems[3].After, []string{"b"}) {
			t.Error("the config was changed")
		}
	}
	err := keepSystems(all(), []string{"a", "B"})
	if err == nil || err.Error() != `systems: there is no system "B" in the config; did you mean "b"?` {
		t.Error(err)
	}
}
