package luabind

import (
	"bytes"
	"strings"
	"testing"
)

// Systems of mods require in their own folder and in what their dependencies export; their files are named with the mod.
func TestMods(t *testing.T) {
	var out bytes.Buffer
	mods := []Mod{
		{Name: "combat", Scripts: files(map[string]string{"lib/damage": "return { n = 0 }", "ring": "return require('lib.ring')", "lib/ring": "return require('ring')"}), Exports: []string{"lib.damage", "ring"}},
		{Name: "poison", Scripts: files(map[string]string{
			"tick":    "local damage = require('combat.lib.damage')\nreturn function() damage.n = damage.n + 1 print('poison', damage.n, require('lib.own'))\n  if damage.n > 2 then local x x() end end",
			"lib/own": "return 'own'",
		}), Depends: []string{"combat"}},
	}
	scripts := files(map[string]string{"a": "local damage = require('combat.lib.damage') return function() damage.n = damage.n + 1 print('a', damage.n) end", "ring": "return require('combat.ring')"})
	_, err := run(t, Options{Scripts: scripts, Mods: mods, Stdout: &out}, 2, System{Name: "a"}, System{Name: "poison.tick", Script: "poison/tick.lua"})
	if got, want := out.String(), "a\t1\npoison\t2\town\na\t3\npoison\t4\town\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if want := `poison/tick.lua:3: system "poison.tick", frame 2: attempt to call a nil value (local "x")`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = run(t, Options{Scripts: scripts, Mods: mods}, 0, System{Name: "ring"})
	if want := `combat/lib/ring.lua:1: system "ring": require "ring": the files require each other in a circle`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = run(t, Options{Scripts: scripts, Mods: mods}, 0, System{Name: "x", Script: "posion/tick.lua"})
	if err == nil || !strings.Contains(err.Error(), `did you mean "poison/tick.lua"?`) {
		t.Errorf("error %v", err)
	}
}
