package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Each construct does as closures and as machine code what it does interpreted, in worlds of hard values; systems that raise included.
func TestConstructsAlike(t *testing.T) {
	t.Parallel()
	const most = 16 // systems in one world
	seed := uint64(1)
	for list := range slices.Chunk(constructs, most) {
		if !effort.More() && seed%8 != 1 { // every fourth chunk
			seed += 2
			continue
		}
		var sources []string
		for _, body := range list {
			if strings.Contains(body, "while ") || strings.Contains(body, "repeat ") || strings.Contains(body, "1, p.x, k do") || strings.Contains(body, "1, 0.5, 0 do") || strings.Contains(body, "goto here") || strings.Contains(body, "soon(") || strings.Contains(body, "late(") {
				continue // without an end for some values
			}
			sources = append(sources, constructHead+body+"\nend print(found, n, best, text, k, flag, list[1], list[2], rows[1].x, rows[1].y, conf.speed, world:count(\"A\")) end")
		}
		want, _ := kernelTrace(t, seed, Lua, sources...)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := kernelTrace(t, seed, impl, sources...); got != want {
				t.Errorf("seed %d, %v: got\n%s\ninterpreted\n%s\n%s", seed, impl, got, want, strings.Join(list, "\n"))
			}
		}
		seed += 2
	}
}
