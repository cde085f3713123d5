package ecs

import "testing"

// What changes data in place does what With does, or nothing.
func TestDataInPlace(t *testing.T) {
	t.Parallel()
	list := func(n int, more ...DataEntry) *Data {
		for i := range n {
			more = append(more, DataEntry{Number(float64(i + 1)), Number(float64(i))})
		}
		return Must(NewData(more))
	}
	inner := TableOf(list(3))
	keys := []Value{Number(1), Number(16), Number(17), Number(18), Number(2.5), Number(nan()), Text("a"), Text("t"), Boolean(true)}
	for name, make := range map[string]func() *Data{
		"a list":     func() *Data { return list(16) },
		"named":      func() *Data { return list(16, DataEntry{Text("a"), Number(1)}, DataEntry{Text("t"), inner}) },
		"with a gap": func() *Data { return list(15, DataEntry{Number(17), Number(1)}) },
		"one name":   func() *Data { return list(0, DataEntry{Text("a"), Number(1)}) },
	} {
		for _, key := range keys {
			for _, v := range []Value{Number(7), Text("x"), Boolean(false), inner, {}} {
				before := make()
				want, wantErr := before.With(key, v)
				d := make()
				if Raw.Replace(d, key, v) && !d.Equal(want) {
					t.Errorf("%s: replaced at %s: %s, want %s", name, key, d, want)
				}
				if got := make(); Raw.Replace(got, key, v) && got.Total() != want.Total() {
					t.Errorf("%s: replaced at %s: %d entries, want %d", name, key, got.Total(), want.Total())
				}
				d, room, err := Raw.WithRoom(make(), key, v)
				if (err == nil) != (wantErr == nil) || !d.Equal(want) || room < d.Len() {
					t.Errorf("%s: with %s: %s and room for %d, want %s", name, key, d, room, want)
				}
				if err != nil {
					continue
				}
				for i := range room + 3 { // until there is no room
					next := Number(float64(d.Len() + 1))
					if i%2 == 1 {
						next = key
					}
					text := d.String()
					want, _ := d.With(next, v)
					switch {
					case !Raw.Append(d, room, next, v):
						if d.String() != text {
							t.Errorf("%s: not appended, and %s became %s", name, text, d)
						}
					case !d.Equal(want) || d.Total() != want.Total() || d.Items() != want.Items():
						t.Errorf("%s: appended: %s, want %s", name, d, want)
					}
				}
			}
		}
	}
}

func nan() float64 { n := 0.0; return n / n }
