package app

import (
	"slices"

	"github.com/ecsrun/ecsrun/config"
)

// A disabledSystem is a system that something else than the config has disabled, as the summary tells it.
type disabledSystem struct {
	name    string
	after   string // how much has happened
	why     string // "" where after says it
	leftOut bool   // by the parent of a supervision
}

// String returns a line of the summary.
func (d disabledSystem) String() string { return "disabled: " + d.name + " " + d.reason() }

func (d disabledSystem) reason() string {
	if d.why == "" {
		return d.after
	}
	return d.after + ": " + d.why
}

// noteLeftOut notes the systems that a supervision has left out, now or before the snapshot that the run goes on from.
func (r *run) noteLeftOut() {
	names := slices.Clone(r.without)
	if r.resumed != nil {
		names = append(names, r.resumed.meta.LeftOut...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if i := r.config.FindSystem(name); i >= 0 && !r.config.Systems[i].Enabled {
			r.disabled = append(r.disabled, disabledSystem{name: name, after: "after " + counted(mostDeaths, "death") + " of the process in its turn (--supervise)", leftOut: true})
		}
	}
}

// leftOut returns the names of those systems that are still disabled, for a snapshot.
func leftOut(c *config.Config, list []disabledSystem) (names []string) {
	for _, d := range list {
		if i := c.FindSystem(d.name); d.leftOut && i >= 0 && !c.Systems[i].Enabled {
			names = append(names, d.name)
		}
	}
	return names
}

// stillDisabled returns the systems that are to be told at the end: of those that were left out, an edit may have enabled some.
func (r *run) stillDisabled() []disabledSystem {
	kept := leftOut(r.config, r.disabled)
	return slices.DeleteFunc(slices.Clone(r.disabled), func(d disabledSystem) bool { return d.leftOut && !slices.Contains(kept, d.name) })
}
