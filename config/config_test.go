package config

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// everything is what testdata/full.* says, without positions.
func everything() *Config {
	return &Config{
		Version: 1,
		Run:     Run{Frames: 10, DT: 0.25, Realtime: true, Seed: 9223372036854775807, Settle: true},
		Scripts: Scripts{Dir: "scripts", Written: "../scripts"},
		Components: []Component{
			{Name: "Position", Fields: []Field{{Name: "x", Type: "f64"}, {Name: "y", Type: "f64"}}},
			{Name: "position", Fields: []Field{{Name: "X", Type: "f32", Default: 0.5}, {Name: "x", Type: "i32", Default: float64(-7)}}},
			{Name: "All", Fields: []Field{
				{Name: "a", Type: "f64", Default: 100.0},
				{Name: "b", Type: "u32", Default: float64(4294967295)},
				{Name: "c", Type: "i16", Default: float64(-32768)},
				{Name: "d", Type: "u16", Default: float64(65535)},
				{Name: "e", Type: "i8", Default: float64(-128)},
				{Name: "f", Type: "u8", Default: float64(255)},
				{Name: "g", Type: "bool", Default: true},
				{Name: "h", Type: "string", Default: "two words"},
				{Name: "i", Type: "entity"},
				{Name: "j", Type: "table"},
			}},
			{Name: "Empty"},
		},
		Tags:      []Tag{{Name: "player"}, {Name: "team.red-1"}},
		Relations: []Relation{{Name: "OwnedBy"}},
		Events:    []Event{{Name: "Hit", Fields: []Field{{Name: "target", Type: "entity"}, {Name: "amount", Type: "f64", Default: 1.0}}}},
		Resources: []Resource{{Name: "score", Type: "i32", Default: float64(0)}, {Name: "title", Type: "string", Default: "none"}},
		States:    []State{{Name: "game", Values: []string{"menu", "playing"}, First: "menu"}},
		Systems: []System{
			{Name: "populate", Stage: StageStartup, Script: "arena/populate.lua", Impl: ImplAuto, Every: 1, Enabled: true},
			{Name: "movement", Stage: StageUpdate, Script: "arena/movement.lua", Native: "movement", Impl: ImplNative, Every: 1, Enabled: true},
			{Name: "hit.test", Stage: StageUpdate, Native: "grid", Impl: ImplNative, After: []string{"movement"}, Every: 1, Enabled: true},
			{Name: "regen", Stage: StageLast, Script: "regen.lua", Impl: ImplLua, Every: 10, In: []string{"game.menu", "game.playing"}, When: "resources.score < 100", Enabled: false, Random: "luck", Hot: true},
		},
		Limits:  Limits{OnError: OnErrorSkip, Errors: 3, Instructions: 1000, SystemTime: 1500 * time.Millisecond, Memory: 64 << 20, World: 2 << 30, Entities: 4294967295, Allocations: 3 << 30, Events: 7, Tags: 8, Script: 3 << 20},
		Log:     Log{Level: "debug", Format: "json", Every: time.Minute},
		Inspect: Inspector{Addr: "127.0.0.1:0"},
	}
}

func TestFormatsAgree(t *testing.T) {
	for _, path := range []string{"testdata/full.yaml", "testdata/full.toml", "testdata/full.json"} {
		t.Run(path, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Parse("config/"+filepath.Base(path), data, FormatOf(path))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := plainly(c), plainly(everything()); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			for i, s := range c.Systems {
				if s.Pos.Line == 0 || s.Pos.File == "" {
					t.Errorf("system %d is nowhere", i)
				}
			}
			if err := c.Validate(); err != nil {
				t.Errorf("a loaded config is not valid: %v", err)
			}
		})
	}
}

// plainly prints a config without its positions.
func plainly(c *Config) string {
	copied := *c
	copied.where, copied.items, copied.file, copied.listed, copied.modsDir, copied.unread = nil, nil, "", nil, "", false
	v := reflect.ValueOf(&copied).Elem()
	dropPositions(v)
	return fmt.Sprintf("%#v", copied)
}

// dropPositions zeroes every Pos below v; slices are copied, not changed.
func dropPositions(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[Pos]():
		v.SetZero()
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				dropPositions(v.Field(i))
			}
		}
	case v.Kind() == reflect.Slice:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		for i := range own.Len() {
			dropPositions(own.Index(i))
		}
	}
}

func TestDefaults(t *testing.T) {
	c, err := Parse("c.yaml", []byte("version: 1\n"), YAML)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plainly(c), plainly(Default()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.Run.Frames != 600 || c.Run.DT != 0.016666666666666666 || c.Run.Seed != 42 || c.Limits.Memory != 512<<20 || c.Limits.World != 4<<30 {
		t.Errorf("defaults are %+v %+v", c.Run, c.Limits)
	}
	for _, empty := range []string{"run:", "systems:", "components:\ntags: []\nlog: {}"} {
		c, err := Parse("c.yaml", []byte("version: 1\n"+empty+"\n"), YAML)
		if err != nil || plainly(c) != plainly(Default()) {
			t.Errorf("%q: %v, %v", empty, c, err)
		}
	}
}

func TestAt(t *testing.T) {
	c, err := ParseWith("config/c.yaml", []byte("version: 1\nsystems:\n  - { name: a, script: a.lua }\n"), YAML, Overrides{Set: []string{"systems.a.every=2"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ path, want string }{
		{"systems[0].script", "config/c.yaml:3:24"},
		{"systems[0].native", "config/c.yaml:3:5"},
		{"systems[7]", "config/c.yaml:3:3"},
		{"run.seed", "config/c.yaml:1:1"},
		{"systems[0].every", "--set systems.a.every=2"},
		{"", "config/c.yaml:1:1"},
	} {
		if got := c.At(x.path).String(); got != x.want {
			t.Errorf("%q is at %s, want %s", x.path, got, x.want)
		}
	}
	p := c.Problem("systems[0].script", `no script "a.lua"`, `did you mean "b.lua"?`)
	if want := `config/c.yaml:3:24: systems[0].script: no script "a.lua"; did you mean "b.lua"?`; p.Error() != want {
		t.Errorf("got %s", p)
	}
	if got := Default().At("run.seed"); got != (Pos{}) {
		t.Errorf("a value made in Go is at %v", got)
	}
}

func TestValidateMadeInGo(t *testing.T) {
	c := Default()
	c.Components = []Component{{Name: "A", Fields: []Field{{Name: "x", Type: "f64"}}}, {Name: "A"}}
	c.Systems = []System{{Name: "m", Stage: StageUpdate, Impl: ImplNative, Script: "m.lua", Every: 1, Enabled: true, After: []string{"n"}}}
	const want = `components[1].name: the name "A" is taken by a component; rename or remove one of them
systems[0].impl: impl "native", but system "m" names no native; add native: NAME, or use impl auto
systems[0].after[0]: no system "n"; there are no other systems`
	if got := fmt.Sprint(c.Validate()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseField(t *testing.T) {
	for _, c := range []struct {
		text string
		want Field
		err  string
	}{
		{"x f64", Field{Name: "x", Type: "f64"}, ""},
		{"  x   f64=1 ", Field{Name: "x", Type: "f64", Default: 1.0}, ""},
		{"x f64 = 1e3", Field{Name: "x", Type: "f64", Default: 1000.0}, ""},
		{"x f64 = -inf", Field{Name: "x", Type: "f64", Default: math.Inf(-1)}, ""},
		{"x i32 = 0x1F", Field{Name: "x", Type: "i32", Default: float64(31)}, ""},
		{"x i32 = 2.0", Field{Name: "x", Type: "i32", Default: float64(2)}, ""},
		{"x u8 = 1_0", Field{Name: "x", Type: "u8", Default: float64(10)}, ""},
		{"x string = bare words", Field{Name: "x", Type: "string", Default: "bare words"}, ""},
		{`x string = "a = \"b\""`, Field{Name: "x", Type: "string", Default: `a = "b"`}, ""},
		{"x string = 'it'", Field{Name: "x", Type: "string", Default: "it"}, ""},
		{"x string =", Field{Name: "x", Type: "string", Default: ""}, ""},
		{"x bool = false", Field{Name: "x", Type: "bool", Default: false}, ""},
		{"", Field{}, `"" is not a field; write NAME TYPE or NAME TYPE = DEFAULT, as in "x f64 = 1"`},
		{"= 1", Field{}, `"= 1" is not a field; write NAME TYPE or NAME TYPE = DEFAULT, as in "x f64 = 1"`},
		{"x f64 =", Field{}, `number expected for f64, got ""; write a number, as in 1 or 0.5`},
		{"x f64 = 0x1p4", Field{}, `number expected for f64, got "0x1p4"; write a number, as in 1 or 0.5`},
		{"x i32 = nan", Field{}, `nan is not a whole number, which i32 holds; use f64 or drop the fraction`},
		{"x string = 'a", Field{}, `string expected, got "'a"; close the quote; where a comma ends it, put the whole field in quotes, as in 'name string = "a, b"'`},
		{"x-y f64", Field{}, `"x-y" is not a name for a field; write "x_y"`},
		{"x F64", Field{}, `unknown type "F64"; did you mean "f64"?`},
	} {
		f, err := ParseField(c.text)
		if f != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q: got %#v, %v\nwant %#v, %s", c.text, f, err, c.want, c.err)
		}
	}
}

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"1B", 1},
		{"64 KiB", 64 << 10},
		{"512MiB", 512 << 20},
		{"2GiB", 2 << 30},
		{"1TiB", 1 << 40},
		{"5kB", 5000},
		{"5MB", 5e6},
		{"1_000B", 1000},
		{"", 0},
		{"MiB", 0},
		{"1.5GiB", 0},
		{"-1B", 0},
		{"1 Mi B", 0},
		{"16777216TiB", 0},
		{"0x10B", 0},
	} {
		got, hint := parseSize(c.text)
		if got != c.want || (hint == "") != (c.want > 0) {
			t.Errorf("%q is %d (%s), want %d", c.text, got, hint, c.want)
		}
	}
}

func TestParseSizeAdvises(t *testing.T) {
	for text, want := range map[string]string{
		"1PB":           "no machine has that much; " + sizeHint,
		"1 EiB":         "no machine has that much; " + sizeHint,
		"1MIB":          `did you mean "1MiB"?`,
		"9999kib":       `did you mean "9999KiB"?`,
		"9999999999gib": "no machine has that much; " + sizeHint,
	} {
		if _, hint := parseSize(text); hint != want {
			t.Errorf("%s: %s, want %s", text, hint, want)
		}
	}
}
