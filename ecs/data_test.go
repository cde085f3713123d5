package ecs

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func data(t *testing.T, entries ...DataEntry) *Data {
	t.Helper()
	return must[*Data](t)(NewData(entries))
}

func TestTextOfData(t *testing.T) {
	list := data(t, DataEntry{Number(1), Text("a")}, DataEntry{Number(2), Boolean(true)}, DataEntry{Number(4), Number(0.5)})
	for _, c := range []struct {
		d    *Data
		want string
	}{
		{nil, "{}"},
		{list, `{"a", true, [4] = 0.5}`},
		{data(t, DataEntry{Number(0), Number(1)}, DataEntry{Number(1), Number(2)}), "{[0] = 1, 2}"},
		{data(t, DataEntry{Boolean(true), EntityOf(makeEntity(3, 2))}, DataEntry{Boolean(false), TableOf(nil)}), "{[false] = {}, [true] = 3v2}"},
		{data(t, DataEntry{Text("in"), TableOf(list)}, DataEntry{Int(7), Uint(1 << 63)}), `{[7] = 9223372036854775808, in = {"a", true, [4] = 0.5}}`},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for key, bare := range map[string]bool{
		"a": true, "z": true, "A": true, "Z": true, "_": true, "a0": true, "a9": true, "_1": true, "aZ_z": true,
		"": false, "0": false, "9a": false, "a b": false, "a/": false, "a:": false, "@": false, "[": false, "`": false, "{": false, "é": false,
	} {
		want := fmt.Sprintf("{[%q] = 1}", key)
		if bare {
			want = "{" + key + " = 1}"
		}
		if got := data(t, DataEntry{Text(key), Number(1)}).String(); got != want {
			t.Errorf("key %q: got %s, want %s", key, got, want)
		}
	}
}

func TestTextStopsEarly(t *testing.T) {
	long := Text(strings.Repeat("x", 100))
	for _, c := range []struct {
		v    Value
		buf  string
		most int
		want string
	}{
		{long, "", 10, `"xxxxxxxxxx"`},
		{long, "0123", 10, `0123"xxxxxx"`},
		{long, "0123456789ab", 10, `0123456789ab""`},
		{Text("xxxxxxxxxx"), "", 10, `"xxxxxxxxxx"`},
		{TableOf(data(t, DataEntry{Number(1), long}, DataEntry{Number(2), long})), "", 10, `{"xxxxxxxxx"`},
		{TableOf(data(t, DataEntry{Number(1), Number(1)}, DataEntry{Number(2), Number(2)})), "", 2, "{1, 2}"},
		{TableOf(data(t, DataEntry{Number(1), Number(1)}, DataEntry{Number(2), Number(2)})), "", 1, "{1"},
	} {
		if got := string(c.v.AppendText([]byte(c.buf), c.most)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestEntriesOfData(t *testing.T) {
	d := data(t, DataEntry{Boolean(true), Number(1)}, DataEntry{Text("b"), Number(2)}, DataEntry{Boolean(false), Number(3)}, DataEntry{Int(2), Number(4)},
		DataEntry{Text("a"), Number(5)}, DataEntry{Number(1), Number(6)}, DataEntry{Text("a"), Number(7)}, DataEntry{Text("c"), Number(8)}, DataEntry{Text("c"), Value{}})
	if got, want := d.String(), "{6, 4, a = 7, b = 2, [false] = 3, [true] = 1}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d.Len() != 6 || !d.Get(Text("a")).Equal(Number(7)) || d.Get(Text("c")).Kind() != NilValue || !d.Get(Number(2)).Equal(Number(4)) {
		t.Error(d)
	}
	if d.Entries()[1].Key.Kind() != NumberValue {
		t.Error("a whole number as a key is not a number")
	}
	if none := data(t, DataEntry{Text("a"), Value{}}); none != nil || none.Len() != 0 || none.Get(Text("a")).Kind() != NilValue {
		t.Error("the empty table is not nil")
	}
	nested, levels := (*Data)(nil), 1
	for ; levels < MaxDataDepth; levels++ {
		nested = data(t, DataEntry{Number(1), TableOf(nested)})
	}
	for want, entry := range map[string]DataEntry{
		"a table key must not be NaN":                                     {Number(math.NaN()), Number(1)},
		"a table key must be a number, a string or a boolean, not entity": {EntityOf(1), Number(1)},
		"a table key must be a number, a string or a boolean, not nil":    {Value{}, Number(1)},
		"plain data nests deeper than 32 tables":                          {Number(1), TableOf(nested)},
	} {
		if d, err := NewData([]DataEntry{entry}); err == nil || err.Error() != want || d != nil {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestEqualData(t *testing.T) {
	one := data(t, DataEntry{Number(1), Number(1)})
	for _, c := range []struct {
		a, b *Data
		want bool
	}{
		{nil, nil, true},
		{one, one, true},
		{one, nil, false},
		{nil, one, false},
		{one, data(t, DataEntry{Number(1), Number(1)}), true},
		{one, data(t, DataEntry{Number(1), Number(2)}), false},
		{one, data(t, DataEntry{Number(2), Number(1)}), false},
		{one, data(t, DataEntry{Number(1), Number(1)}, DataEntry{Number(2), Number(1)}), false},
		{data(t, DataEntry{Number(1), TableOf(one)}), data(t, DataEntry{Number(1), TableOf(data(t, DataEntry{Number(1), Number(1)}))}), true},
		{data(t, DataEntry{Number(1), TableOf(one)}), data(t, DataEntry{Number(1), TableOf(data(t, DataEntry{Number(1), Number(3)}))}), false},
	} {
		if got := TableOf(c.a).Equal(TableOf(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// Each kind of value, against each other one.
func TestKindsOfValues(t *testing.T) {
	list := []Value{
		{},
		Number(0), Number(1), Number(math.NaN()), Int(1), Int(-1), Uint(1 << 63), Boolean(false), Boolean(true), EntityOf(None), EntityOf(1),
		Text(""), Text("1"), TableOf(nil),
	}
	kinds := []string{"nil", "number", "number", "number", "number", "number", "number", "boolean", "boolean", "entity", "entity", "string", "string", "table"}
	for i, v := range list {
		if v.Kind().String() != kinds[i] {
			t.Errorf("%s is a %s, not a %s", v, v.Kind(), kinds[i])
		}
		for j, o := range list {
			if v.Equal(o) != (i == j) {
				t.Errorf("%s and %s: %v", v, o, v.Equal(o))
			}
		}
		if v.Bool() != (i == 8) || (v.Entity() == 1) != (i == 10) || (v.Str() == "1") != (i == 12) || v.Data() != nil {
			t.Errorf("%s gives %v, %s, %q, %s", v, v.Bool(), v.Entity(), v.Str(), v.Data())
		}
	}
	if !Number(0).Equal(Number(math.Copysign(0, -1))) {
		t.Error("0 is not -0")
	}
}

// TestDataWith compares With with making the data anew, for data of every shape and every kind of key.
func TestDataWith(t *testing.T) {
	keys := []Value{Number(-1), Number(0), Number(0.5), Number(1), Number(2), Number(2.5), Number(3), Number(4), Text("a"), Text("b"), Boolean(false), Boolean(true), Int(2)}
	values := []Value{{}, Number(7), Text("x"), TableOf(data(t, DataEntry{Number(1), TableOf(nil)}))}
	for mask := range 1 << len(keys) {
		if mask%7 != 0 && mask > 64 {
			continue
		}
		var entries []DataEntry
		for i, k := range keys {
			if mask&(1<<i) != 0 {
				entries = append(entries, DataEntry{k, Number(float64(i))})
			}
		}
		d := data(t, entries...)
		before := d.String()
		for _, k := range keys {
			for _, v := range values {
				got := must[*Data](t)(d.With(k, v))
				want := data(t, append(entries[:len(entries):len(entries)], DataEntry{k, v})...)
				if !got.Equal(want) || got.Items() != want.Items() || got.Total() != want.Total() || got.Levels() != want.Levels() {
					t.Fatalf("%s with [%s] = %s: got %s (%d items, %d in all, %d levels), want %s (%d, %d, %d)", d, k, v,
						got, got.Items(), got.Total(), got.Levels(), want, want.Items(), want.Total(), want.Levels())
				}
				if !got.Get(k).Equal(v) {
					t.Fatalf("%s: [%s] is %s, want %s", got, k, got.Get(k), v)
				}
			}
		}
		if d.String() != before {
			t.Fatalf("With changed the data: %s became %s", before, d)
		}
	}
	for _, c := range []struct {
		key, v Value
		want   string
	}{
		{Number(math.NaN()), Number(1), "must not be NaN"},
		{Value{}, Number(1), "must be a number, a string or a boolean, not nil"},
		{TableOf(nil), Value{}, "must be a number, a string or a boolean, not table"},
		{Number(1), TableOf(deepData(t, MaxDataDepth)), "nests deeper than 32 tables"},
	} {
		if _, err := data(t).With(c.key, c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("With %s: error %v, want %q", c.key, err, c.want)
		}
	}
	if got := data(t, DataEntry{Boolean(false), Number(1)}).Get(Value{}); got.Kind() != NilValue {
		t.Errorf("nil is no key, but has the value %s", got)
	}
}

// deepData is data that nests as deep as levels.
func deepData(t *testing.T, levels int) *Data {
	t.Helper()
	var d *Data
	for range levels - 1 {
		d = data(t, DataEntry{Number(1), TableOf(d)})
	}
	return d
}
