package inputs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// world declares the event All with a field of each type, the events Key {code, frame, event} and Plain {}, the resources score (i32), name
// (string), on (bool), big (i64), list (table), and wind, a Go struct.
func world(t testing.TB) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	var fields []ecs.Field
	for _, name := range ecs.FieldTypes() {
		ft, _ := ecs.ParseFieldType(name)
		fields = append(fields, ecs.Field{Name: name, Type: ft})
	}
	declare := func(name string, fields ...ecs.Field) {
		s, err := ecs.NewSchema(fields...)
		if err == nil {
			_, err = w.DeclareEvent(name, s)
		}
		ok(t, err)
	}
	declare("All", fields...)
	declare("Key", ecs.Field{Name: "code", Type: ecs.I32, Default: ecs.Number(7)}, ecs.Field{Name: "frame", Type: ecs.F32}, ecs.Field{Name: "event", Type: ecs.String})
	declare("Plain")
	for name, ft := range map[string]ecs.FieldType{"score": ecs.I32, "name": ecs.String, "on": ecs.Bool, "big": ecs.I64, "list": ecs.TableField} {
		_, err := w.DeclareResource(name, ft, ecs.Value{})
		ok(t, err)
	}
	_, err := ecs.RegisterResource[struct{ X, Y float64 }](w, "wind")
	ok(t, err)
	return w
}

// runtimeOf returns a Runtime over a world, which has started.
func runtimeOf(t testing.TB, w *ecs.World) *luabind.Runtime {
	t.Helper()
	rt, err := luabind.New(luabind.Options{World: w})
	ok(t, err)
	ok(t, rt.Load())
	ok(t, rt.Start(context.Background()))
	return rt
}

func apply(t testing.TB, rt *luabind.Runtime, in inputs.Input) {
	t.Helper()
	_, err := in.Apply(context.Background(), rt)
	ok(t, err)
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Each line is decoded and applied, and what it sends is emitted again.
func TestLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"send": "Key"}`: `{"frame":0,"event":"Key","code":7,"_frame":0,"_event":""}`,
		`{"send":"Key","with":{"code":-32,"frame":0.1,"event":"a\"b\u00e9\ud83d\ude00\n\u001b"}}`: `{"frame":0,"event":"Key","code":-32,"_frame":0.1,"_event":"a\"bé😀\n\u001b"}`,
		`{"with":{"code":1e2},"send":"Key"}`:                                                      `{"frame":0,"event":"Key","code":100,"_frame":0,"_event":""}`,
		` {"send" : "Plain", "with":{}} `:                                                         `{"frame":0,"event":"Plain"}`,
		`{"send":"All","with":{"f64":"-inf","f32":"nan","i64":-9223372036854775808,"u64":18446744073709551615,"i32":-2147483648,"u32":4294967295,"i16":1,"u16":2,"i8":3,"u8":4,"bool":true,"entity":"17v2","string":"x","table":{"a":[1,2,{"b":false}],"c":"nan"}}}`: `{"frame":0,"event":"All","f64":"-inf","f32":"nan","i64":-9223372036854775808,"u64":18446744073709551615,"i32":-2147483648,"u32":4294967295,"i16":1,"u16":2,"i8":3,"u8":4,"bool":true,"entity":"17v2","string":"x","table":{"a":[1,2,{"b":false}],"c":"nan"}}`,
		`{"send":"All","with":{"entity":null,"table":[],"f64":-0,"f32":1e99}}`: `{"frame":0,"event":"All","f64":-0,"f32":"inf","i64":0,"u64":0,"i32":0,"u32":0,"i16":0,"u16":0,"i8":0,"u8":0,"bool":false,"entity":null,"string":"","table":{}}`,
	} {
		w := world(t)
		e, err := inputs.NewEmitter(w, "Plain", "Key", "All")
		ok(t, err)
		d := inputs.Decoder{World: w, Next: 1}
		in, there, err := d.Decode([]byte(line))
		if err != nil || !there || in.Frame != 1 || in.Text != line {
			t.Errorf("%s: %+v, %v", line, in, err)
			continue
		}
		apply(t, runtimeOf(t, w), in)
		if got := strings.TrimSuffix(string(e.Lines()), "\n"); got != want {
			t.Errorf("%s\nemits %s\nnot   %s", line, got, want)
		}
		if len(e.Lines()) != 0 {
			t.Errorf("%s: emitted twice", line)
		}
	}
}

// A byte order mark before the first line is no part of it.
func TestByteOrderMark(t *testing.T) {
	d := inputs.Decoder{World: world(t), Next: 1}
	if in, ok, err := d.Decode([]byte("\ufeff" + `{"send":"Key"}`)); err != nil || !ok || in.Name != "Key" {
		t.Error(in, ok, err)
	}
	if _, _, err := d.Decode([]byte("\ufeff" + `{"send":"Key"}`)); err == nil {
		t.Error("in the middle it is wrong")
	}
}

// Resources take values of their type.
func TestSet(t *testing.T) {
	w := world(t)
	rt := runtimeOf(t, w)
	d := inputs.Decoder{World: w, Next: 1}
	for _, c := range [][3]string{
		{`{"set":"score","to":3}`, "score", "3"},
		{`{"set":"name","to":"x"}`, "name", `"x"`},
		{`{"set":"on","to":true}`, "on", "true"},
		{`{"set":"big","to":9007199254740993}`, "big", "9007199254740993"},
		{`{"set":"list","to":[1,{"a":true}]}`, "list", "{1, {a = true}}"},
		{`{"set":"wind","to":{"y":2.5}}`, "wind", "0"},
	} {
		in, _, err := d.Decode([]byte(c[0]))
		ok(t, err)
		apply(t, rt, in)
		id, _ := w.LookupResource(c[1])
		if got := w.Resource(id).Get(0).String(); got != c[2] || c[1] == "wind" && w.Resource(id).Number(1) != 2.5 {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}

// What is wrong is said with the line, and nothing is guessed.
func TestWrongLines(t *testing.T) {
	deep := strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100)
	for _, c := range [][2]string{
		{`{"send":"Kye"}`, `event "Kye" is not declared; did you mean "Key"?`},
		{`{"set":"scroe","to":1}`, `resource "scroe" is not declared; did you mean "score"?`},
		{`{"send":"Key","with":{"cod":1}}`, `there is no field of Key "cod"; did you mean "code"?`},
		{`{"send":"Plain","with":{"cod":1}}`, `there is no field of Plain "cod"; it has none`},
		{`{"sned":"Key"}`, `there is no key "sned"; did you mean "send"?`},
		{`{"send":"Key","with":{"code":true}}`, `Key.code: a number expected, got a boolean`},
		{`{"send":"Key","with":{"code":"1"}}`, `Key.code: a number expected, got a string`},
		{`{"send":"Key","with":{"code":1.5}}`, `Key.code: 1.5 is not a whole number, as i32 needs`},
		{`{"send":"Key","with":{"code":2147483648}}`, `Key.code: 2147483648 does not fit i32`},
		{`{"send":"Key","with":{"code":null}}`, `Key.code: a number expected, got null`},
		{`{"send":"Key","with":{"frame":"1"}}`, `Key.frame: a number expected, got the string "1"; only "nan", "inf" and "-inf" are written as strings`},
		{`{"send":"Key","with":{"event":7}}`, `Key.event: a string expected, got a number`},
		{`{"send":"Key","with":{"code":1,"code":2}}`, `column 32: the key "code" is there twice`},
		{`{"send":"Key","with":[]}`, `"with": an object with the fields of Key expected, got a list`},
		{`{"send":"All","with":{"bool":1}}`, `All.bool: true or false expected, got a number`},
		{`{"send":"All","with":{"entity":17}}`, `All.entity: an entity expected, got a number; entities are written as "17v2", and none as null`},
		{`{"send":"All","with":{"entity":"17v0"}}`, `All.entity: an entity expected, got "17v0"`},
		{`{"send":"All","with":{"entity":"017v1"}}`, `All.entity: an entity expected`},
		{`{"send":"All","with":{"entity":"1v2097152"}}`, `All.entity: an entity expected`},
		{`{"send":"All","with":{"table":[null]}}`, `All.table: null has no place in a table; leave it out`},
		{`{"send":"All","with":{"table":7}}`, `All.table: a list or an object expected, got a number`},
		{`{"send":"All","with":{"table":` + deep + `}}`, `values nest more than 98 deep`},
		{`{"send":"All","with":{"i64":1e300}}`, `All.i64: `},
		{`{"send":"All","with":{"f64":1e999}}`, `All.f64: 1e999 is beyond the numbers of 64 bits`},
		{`{"send":"All","with":{"u64":-1}}`, `All.u64: -1 does not fit u64`},
		{`{"set":"score"}`, `"score" has no "to", the value to set it to`},
		{`{"set":"wind","to":1}`, `"to": an object with the fields of wind expected, got a number`},
		{`{"set":"score","to":1,"with":{}}`, `"with" belongs to "send", and the line has "set"`},
		{`{"send":"Key","stop":"x"}`, `both "send" and "stop"; use a line for each`},
		{`{"frame":1}`, `nothing to do; a line has "send", "set", "stop", "spawn", "entity", "system" or "eval"`},
		{`{"stop":1}`, `"stop": a string expected, got a number`},
		{`{"frame":0,"stop":""}`, `"frame": a whole number from 1 expected`},
		{`{"frame":1.5,"stop":""}`, `"frame": a whole number from 1 expected`},
		{`{"frame":"1","stop":""}`, `"frame": a whole number from 1 expected`},
		{`[1]`, `an object expected, got a list`},
		{`nul`, `column 1: a value expected, got 'n'`},
		{`{"stop":"a"} x`, `column 14: 'x' after the end of the object; a line has one`},
		{`{"stop":"a}`, `column 9: a string without an end`},
		{`{"stop":"\ud800"}`, `half a character`},
		{`{"stop":"\x"}`, `this is no escape of JSON`},
		{"{\"stop\":\"\x01\"}", `a control character in a string; write it as \u0001`},
		{"{\"stop\":\"a\xff\"}", `column 11: a byte that is no UTF-8`},
		{`{"stop":01}`, `this is no number of JSON`},
		{`{"stop":-}`, `this is no number of JSON`},
		{`{"stop" "a"}`, `a colon expected, got '"'`},
		{`{"stop":"a" "b":1}`, `a comma or } expected`},
		{`{stop:1}`, `a key in quotes expected, got 's'`},
		{strings.Repeat(" ", inputs.MaxLine) + `{}`, `the line is longer than 1048576 bytes`},
	} {
		d := inputs.Decoder{World: world(t), Next: 1, File: "in.jsonl"}
		_, _, _ = d.Decode(nil) // a line without text counts
		_, there, err := d.Decode([]byte(c[0]))
		var e *inputs.Error
		if there || !errors.As(err, &e) || e.Line != 2 || !strings.HasPrefix(err.Error(), "in.jsonl:2: ") || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.80s: %v, want %s", c[0], err, c[1])
		}
	}
}

// The frame of a line is the one that it names, that of the line before, or the next one.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		live  bool
		lines string // frames of lines, - for none
		want  string
	}{
		{false, "- - 3 - 3 - 9 -", "5 5 3 3 3 3 9 9"},
		{false, "7 6", "7 in:2: frame 6 comes after frame 7; put the lines in the order of their frames"},
		{true, "- 5 - 8 - 8", "5 5 5 8 8 8"},
		{true, "- 9 back - 3 - 4", "5 9 2 3 3 4"},
		{false, "9 back - 3 -", "9 2 3 3"},
		{true, "4", `in:1: frame 4 has been run already; the next one is 5; leave out "frame" to apply a line as soon as possible`},
	} {
		d := inputs.Decoder{World: world(t), File: "in", Next: 5, Live: c.live}
		var got []string
		for _, frame := range strings.Fields(c.lines) {
			if frame == "back" {
				d.Rewind(2)
				continue
			}
			line := `{"stop":"x"}`
			if frame != "-" {
				line = `{"frame":` + frame + `,"stop":"x"}`
			}
			in, _, err := d.Decode([]byte(line))
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, fmt.Sprint(in.Frame))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v: %s", c, text)
		}
	}
}

// Lines end with \n or \r\n; the last one may have no end. A line that is too long takes no more memory than one that is not.
func TestSplitting(t *testing.T) {
	long := strings.Repeat("x", 3*inputs.MaxLine)
	l := inputs.NewLines(strings.NewReader("a\r\n\n" + long + "\nb"))
	for _, want := range []string{"a", "", "long", "b"} {
		line, err := l.Next()
		if err != nil || want == "long" && (len(line) <= inputs.MaxLine || cap(line) > 4*inputs.MaxLine) || want != "long" && string(line) != want {
			t.Fatalf("%d bytes, %v, want %s", len(line), err, want)
		}
	}
	if _, err := l.Next(); err != io.EOF {
		t.Error(err)
	}
}

// Names of events that are not declared are found before anything runs.
func TestEmitterOfAnUnknownEvent(t *testing.T) {
	if _, err := inputs.NewEmitter(world(t), "Key", "Pain"); err == nil || err.Error() != `event "Pain" is not declared; did you mean "Plain"?` {
		t.Error(err)
	}
}

// Keys of fields that are named like the line's own stay different.
func TestEmittedNames(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	s, err := ecs.NewSchema(ecs.Field{Name: "frame", Type: ecs.F64}, ecs.Field{Name: "_frame", Type: ecs.F64})
	ok(t, err)
	id, err := w.DeclareEvent("E", s)
	ok(t, err)
	e, err := inputs.NewEmitter(w, "E")
	ok(t, err)
	ok(t, w.Send(id, ecs.FieldValue{Value: ecs.Number(math.Pi)}, ecs.FieldValue{Index: 1, Value: ecs.Number(1e21)}))
	if got, want := string(e.Lines()), `{"frame":0,"event":"E","__frame":3.141592653589793,"_frame":1e+21}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whatever a line is, decoding it does not panic, and what is accepted can be applied and emitted.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{"frame":10,"send":"Key","with":{"code":32}}`, `{"set":"list","to":{"a":[1,"nan",{}]}}`, `{"stop":"\ud83d\ude00"}`, `{"send":"All","with":{"entity":"1v1","u64":18446744073709551615}}`,
		`{"spawn":{},"as":"boss"}`, `{"entity":"@boss","despawn":true}`, `{"entity":"1v1","relate":{"ChildOf":"@boss"}}`, `{"eval":"return 1"}`,
	} {
		f.Add([]byte(line))
	}
	w := world(f)
	rt := runtimeOf(f, w)
	e, err := inputs.NewEmitter(w, "Key", "All", "Plain")
	ok(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		d := inputs.Decoder{World: w, Next: 1}
		lines := inputs.NewLines(bytes.NewReader(data))
		for {
			line, err := lines.Next()
			if err != nil {
				break
			}
			in, there, err := d.Decode(line)
			if err != nil || !there {
				continue
			}
			if _, err := in.Apply(context.Background(), rt); errors.Is(err, luabind.ErrBug) {
				t.Fatal(err)
			}
		}
		for line := range bytes.Lines(e.Lines()) {
			if !bytes.HasPrefix(line, []byte(`{"frame":0,"event":`)) || !bytes.HasSuffix(line, []byte("}\n")) {
				t.Errorf("emitted %q", line)
			}
		}
		w.EndFrame()
	})
}

func ExampleDecoder() {
	w := ecs.NewWorld(ecs.Options{})
	_, _ = w.DeclareResource("score", ecs.I32, ecs.Number(0))
	d := inputs.Decoder{World: w, File: "keys.jsonl", Next: 1}
	in, _, err := d.Decode([]byte(`{"frame": 10, "set": "score", "to": 3}`))
	fmt.Println(in.Frame, in.Kind, in.Name, err)
	_, _, err = d.Decode([]byte(`{"set": "scroe", "to": 3}`))
	fmt.Println(err)
	// Output:
	// 10 set score <nil>
	// keys.jsonl:2: resource "scroe" is not declared; did you mean "score"?
}

func ExampleEmitter() {
	type Died struct {
		Who   ecs.Entity
		Cause string
	}
	w := ecs.NewWorld(ecs.Options{})
	died, _ := ecs.RegisterEvent[Died](w, "Died")
	e, _ := inputs.NewEmitter(w, "Died")
	who, _ := w.Spawn()
	died.Send(Died{Who: who, Cause: "poison"})
	fmt.Printf("%s", e.Lines())
	// Output: {"frame":0,"event":"Died","who":"0v1","cause":"poison"}
}
