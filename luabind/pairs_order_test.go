package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// pairOrders store in an inner table in two ways by turns: at strings and at numbers, or at a name and at numbers.
var pairOrders = []string{
	`fixed[p.k][p.x + 0.5] = 1 fixed[p.k][p.s] = 1`,
	`if p.k > 1 then fixed[0][p.x + 0.5] = p.x else fixed[0][p.w] = p.x end`,
	`local row = fixed[p.k] row[p.x + 0.5] = 1 row.n = 1`,
}

// pairs gives the values of an inner table in the order in which rows stored them, for keys of all types.
func TestPairsInOrder(t *testing.T) {
	t.Parallel()
	for _, body := range pairOrders {
		sameCompiled(t, pairFile(pairLoop, body), body, func(Impl, loops.Tally) bool { return true })
	}
}
