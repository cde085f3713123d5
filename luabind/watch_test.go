package luabind

import (
	"context"
	"fmt"
	"io"
	"testing"
)

// watchFrames loads and starts a Runtime and runs some frames. It writes what the
// world is after each: its digest, all change stamps, and whether it is whole.
func watchFrames(t testing.TB, out io.Writer, r *Runtime, frames int) {
	t.Helper()
	err := r.Load()
	if err == nil {
		err = r.Start(context.Background())
	}
	w := r.World()
	for range frames {
		if err == nil {
			err = r.Frame(context.Background(), 0.25)
		}
		stamps := uint64(0)
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					stamps = stamps*31 + uint64(table.Column(id).Changed(row))
				}
			}
		}
		fmt.Fprintln(out, w.Digest(), stamps, w.Check())
	}
	if err != nil {
		t.Fatal(err)
	}
}
