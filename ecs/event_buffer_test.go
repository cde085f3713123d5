package ecs

import "testing"

// TestSendAll sends lists that fit the log's memory, that outgrow it, and the caller's own.
func TestSendAll(t *testing.T) {
	w := newWorld(Options{})
	gust, err := RegisterEvent[velocity](w, "Gust")
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for round, n := range []int{0, 1, 16, 3, 100, 40} {
		list := gust.Buffer()
		if round%2 == 1 {
			list = nil
		}
		for i := range n {
			list = append(list, velocity{float64(round), float64(i)})
			want += float64(round*1000 + i)
		}
		gust.SendAll(list)
		gust.Send(velocity{float64(round), 500})
		want += float64(round*1000 + 500)
	}
	got := 0.0
	for _, v := range gust.Read() {
		got += v.DX*1000 + v.DY
	}
	if held, sent := w.EventCount(gust.ID()); got != want || held != 166 || sent != 166 {
		t.Errorf("read %v of %v, %d held, %d sent", got, want, held, sent)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
