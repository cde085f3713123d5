package ecs

import (
	"math"
	"strings"
	"testing"
)

// Integers of 64 bits are exact through Value, on both sides of the range of the other sign.
func TestIntegersOf64Bits(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "i", Type: I64}, Field{Name: "u", Type: U64}, Field{Name: "b", Type: I8}, Field{Name: "f", Type: F64}))
	id := must[ComponentID](t)(w.DeclareComponent("Wide", s))
	e := must[Entity](t)(w.Spawn(id))
	r := w.Ref(e, id)
	for _, c := range []struct {
		field   int
		value   Value
		text    string // as it is read back; "" when it is refused
		refusal string
	}{
		{0, Int(math.MinInt64), "-9223372036854775808", ""},
		{0, Int(math.MaxInt64), "9223372036854775807", ""},
		{0, Uint(math.MaxInt64), "9223372036854775807", ""},
		{0, Uint(math.MaxInt64 + 1), "", "9223372036854775808 does not fit i64 (-9223372036854775808 to 9223372036854775807)"},
		{1, Uint(math.MaxUint64), "18446744073709551615", ""},
		{1, Uint(1 << 63), "9223372036854775808", ""},
		{1, Int(5), "5", ""},
		{1, Int(0), "0", ""},
		{1, Int(-1), "", "-1 does not fit u64 (0 to 18446744073709551615)"},
		{1, Int(math.MinInt64), "", "-9223372036854775808 does not fit u64 (0 to 18446744073709551615)"},
		{1, Number(-1), "", "-1 does not fit u64 (0 to 9007199254740992)"},
		{2, Uint(math.MaxUint64), "", "18446744073709551616 does not fit i8 (-128 to 127)"},
		{2, Int(-128), "-128", ""},
		{3, Uint(math.MaxUint64), "1.8446744073709552e+19", ""},
	} {
		err := r.Set(c.field, c.value)
		got := must[Value](t)(r.Get(c.field))
		if c.refusal != "" {
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s into field %d: %v", c.value, c.field, err)
			}
			continue
		}
		if err != nil || got.String() != c.text {
			t.Errorf("%s into field %d reads as %s (%v), want %s", c.value, c.field, got, err, c.text)
		}
		if c.field < 2 && !got.Equal(c.value) {
			t.Errorf("%s is not what was stored, %s", got, c.value)
		}
		if _, err := w.Set(e, id, FieldValue{c.field, c.value}); err != nil {
			t.Errorf("World.Set: %v", err)
		}
	}
}

func TestIntegersOfAValue(t *testing.T) {
	for _, c := range []struct {
		v     Value
		i     int64
		isI   bool
		u     uint64
		isU   bool
		float float64
	}{
		{Int(-5), -5, true, 0, false, -5},
		{Int(5), 5, true, 5, true, 5},
		{Uint(5), 5, true, 5, true, 5},
		{Uint(1 << 63), 0, false, 1 << 63, true, 1 << 63},
		{Number(1 << 63), 0, false, 1 << 63, true, 1 << 63},
		{Number(-1 << 63), -1 << 63, true, 0, false, -1 << 63},
		{Number(1 << 64), 0, false, 0, false, 1 << 64},
		{Number(1.5), 0, false, 0, false, 1.5},
		{Number(math.Inf(1)), 0, false, 0, false, math.Inf(1)},
		{Number(math.NaN()), 0, false, 0, false, math.NaN()},
		{Text("5"), 0, false, 0, false, 0},
		{Value{}, 0, false, 0, false, 0},
	} {
		i, isI := c.v.Int()
		u, isU := c.v.Uint()
		if i != c.i || isI != c.isI || u != c.u || isU != c.isU || !Number(c.v.Float()).Equal(Number(c.float)) {
			t.Errorf("%s: %d %v, %d %v, %v", c.v, i, isI, u, isU, c.v.Float())
		}
	}
	if Uint(1<<63).Equal(Int(math.MinInt64)) || !Uint(7).Equal(Int(7)) {
		t.Error("integers compare by their bits")
	}
	if k := Uint(1 << 63).Kind(); k != UintValue || k.String() != "number" || Uint(1).Kind() != IntValue {
		t.Errorf("kind %v", k)
	}
}
