package worldfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// Open reports what is wrong with the file, with the overrides, with the world and with the scripts.
func TestOpenThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		text, set, want string
		script          bool // the error is one of a script
	}{
		"no such key":     {text: "version: 1\nsystms: []\n", want: `did you mean "systems"?`},
		"override":        {text: "version: 1\n", set: "run.sed=1", want: "run.sed"},
		"script":          {text: "version: 1\nscripts: .\nsystems: [{ name: a, script: gone.lua }]\n", want: `gone.lua: system "a": there is no such file in the script folder`, script: true},
		"native":          {text: "version: 1\nsystems: [{ name: a, native: move }]\n", want: `no native system "move" is registered`, script: true},
		"two of one name": {text: "version: 1\ncomponents: [{ name: A, fields: [x f64] }, { name: A, fields: [x f32] }]\n", want: `components[1]`},
	} {
		path := filepath.Join(t.TempDir(), "world.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		o := config.Overrides{}
		if c.set != "" {
			o.Set = []string{c.set}
		}
		rt, _, err := Open(path, o, luabind.Options{})
		if rt != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
		if script := (*luabind.ScriptError)(nil); errors.As(err, &script) != c.script {
			t.Errorf("%s: error %v of a script: %v", name, err, !c.script)
		}
	}
}

// Mods that are wrong by themselves make no Runtime: here the script folder has a folder of the same name.
func TestNewWithWrongOptions(t *testing.T) {
	c := config.Default()
	c.Mods = []config.Mod{{Name: "testdata"}}
	c.Scripts.Dir = "."
	rt, problems := New(c, luabind.Options{})
	if rt != nil || len(problems) != 1 || !strings.Contains(problems.Error(), `the script folder has a folder "testdata", which is the name of a mod`) {
		t.Errorf("runtime %v, problems %v", rt, problems)
	}
}
