package ecs

import (
	"encoding/json"
	"math"
	"testing"
)

// Values as JSON: one form for each, and no key twice.
func TestValuesAsJSON(t *testing.T) {
	table := func(entries ...any) Value {
		var list []DataEntry
		for i := 0; i < len(entries); i += 2 {
			list = append(list, DataEntry{anyValue(entries[i]), anyValue(entries[i+1])})
		}
		d, err := NewData(list)
		if err != nil {
			t.Fatal(err)
		}
		return TableOf(d)
	}
	for _, c := range []struct {
		value Value
		of    FieldType
		wants string
	}{
		{Number(1234567), 0, "1234567"},
		{Number(1 << 53), 0, "9007199254740992"},
		{Number(1e20), 0, "100000000000000000000"},
		{Number(1e21), 0, "1e+21"},
		{Number(math.Copysign(0, -1)), 0, "-0"},
		{Number(float64(float32(0.1))), F32, "0.1"},
		{Number(math.NaN()), 0, `"nan"`},
		{Number(math.Inf(-1)), 0, `"-inf"`},
		{Uint(math.MaxUint64), 0, "18446744073709551615"},
		{EntityOf(None), 0, "null"},
		{Value{}, 0, "null"},
		{Text("x\xffy\x1b"), 0, `"x` + "\ufffd" + `y\u001b"`},
		{table(), 0, "{}"},
		{table(1, "a", 2, "b"), 0, `["a","b"]`},
		{table("x", 1, "y", table(1, true)), 0, `{"x":1,"y":[true]}`},
		{table(1, "number", "1", "text"), 0, `{"$pairs":[[1,"number"],["1","text"]]}`},
		{table(true, 1, "true", 2), 0, `{"$pairs":[["true",2],[true,1]]}`},
		{table(1234567, "a"), 0, `{"$pairs":[[1234567,"a"]]}`},
		{table("a", 1, 2, table(3, 4)), 0, `{"$pairs":[[2,{"$pairs":[[3,4]]}],["a",1]]}`},
		{table("\xff", 1), 0, "{\"\ufffd\":1}"},
		{table("\xff", 1, "\xfe", 2), 0, "{\"$pairs\":[[\"\ufffd\",2],[\"\ufffd\",1]]}"},
		{table("\xff", 1, "\ufffd", 2), 0, "{\"$pairs\":[[\"\ufffd\",2],[\"\ufffd\",1]]}"},
		{table("$pairs", 1), 0, `{"$pairs":[["$pairs",1]]}`},
	} {
		got := string(c.value.AppendJSON(nil, c.of))
		if got != c.wants || !json.Valid([]byte(got)) {
			t.Errorf("%s, not %s", got, c.wants)
		}
	}
}

func anyValue(v any) Value {
	switch v := v.(type) {
	case int:
		return Number(float64(v))
	case string:
		return Text(v)
	case bool:
		return Boolean(v)
	default:
		return v.(Value)
	}
}
