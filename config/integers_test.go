package config

import "testing"

// Integers of 64 bits are read exactly, up to what a Lua number holds.
func TestIntegersOf64Bits(t *testing.T) {
	for text, want := range map[string]any{
		"n i64 = 9007199254740992":  float64(1 << 53),
		"n i64 = -9007199254740992": float64(-1 << 53),
		"n u64 = 9007199254740991":  float64(1<<53 - 1),
		"n u64 = 0":                 float64(0),
		"n i64":                     nil,
		"n i64 = 9007199254740993":  `9007199254740993 does not fit i64; it holds -9007199254740992 to 9007199254740992, and f64 would round it; use string`,
		"n u64 = -1":                `-1 does not fit u64; it holds 0 to 9007199254740992, use i8`,
		"n u32 = 4294967296":        `4294967296 does not fit u32; it holds 0 to 4294967295, use u64`,
		"n i32 = -2147483649":       `-2147483649 does not fit i32; it holds -2147483648 to 2147483647, use i64`,
		"n i64 = 0.5":               `0.5 is not a whole number, which i64 holds; use f64 or drop the fraction`,
		"n int64 = 1":               `unknown type "int64"; did you mean "i64"?`,
	} {
		f, err := ParseField(text)
		if message, wrong := want.(string); wrong {
			if err == nil || err.Error() != message {
				t.Errorf("%s: got %v, %v; want %s", text, f.Default, err, message)
			}
		} else if err != nil || f.Default != want {
			t.Errorf("%s: got %T %v, %v; want %T %v", text, f.Default, f.Default, err, want, want)
		}
	}
}
