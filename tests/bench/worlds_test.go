package main

import "testing"

func TestWorldLine(t *testing.T) {
	for _, c := range []struct {
		r    worldRow
		m    modTimes
		want string
	}{
		{worldRow{"a", "A", 1, 9, 0.5, false}, modTimes{"a", 2, 9, 4, "3 of 3", false}, "| A | 2 | 9 | 4 | 0.50 × | ≤ 0.5 × luajit | met | 3 of 3 |"},
		{worldRow{"a", "A", 1, 9, 1.2, true}, modTimes{"a", 5, 4, 9, "3 of 3", false}, "| A | 5 | 4 | 9 | 1.25 × | ≤ 1.2 × lua5.4 | **missed** | 3 of 3 |"},
		{worldRow{"a", "A", 1, 9, 1.2, true}, modTimes{"a", 5, 0, 9, "–", false}, "| A | 5 | – | 9 | – | ≤ 1.2 × lua5.4 |  | – |"},
		{worldRow{"a", "A", 1, 9, 9, true}, modTimes{"a", 5, 4, 9, "**2**", true}, "| A | 5 | 4 | 9 | 1.25 × | ≤ 9 × lua5.4 | **differs** | **2** |"},
	} {
		if got := c.r.line(c.m); got != c.want {
			t.Errorf("%+v of %+v:\n%s\nwant\n%s", c.r, c.m, got, c.want)
		}
	}
}
