package loops

// When a kernel is worth it. A row that a kernel leaves to the interpreter costs more than a row that the
// interpreter runs anyway: the loop begins again for that row alone, and then the kernel begins again. So a kernel
// that leaves rows too often is not resumed after them, and rests for some walks. The decision uses counts and no
// times, so that a run is the same each time.

// A pace keeps how often the kernel of a variant has left rows.
type pace struct {
	credit int // the gain from rows that the kernel has run, less the costs of leaving rows; at most mostCredit
	rests  int // the number of walks that the interpreter still has to run
}

// Costs and gains, in rows. One row in a kernel gains about what it costs to run one more row in the interpreter.
const (
	exitCost     = 12   // the cost of leaving a row and going on
	elementsCost = 8    // elements of tables that can be read in the time of one row
	firstCredit  = 64   // what a loop may lose before it has gained anything
	mostCredit   = 1024 // bounds the credit, so that a loop that begins to leave often is noticed soon
	restingWalks = 32   // walks until the kernel is tried again
)

// leaves notes that the kernel has run some rows and left one. It reports whether the kernel is to go on after
// that row, for which it has to read that many elements of tables again.
func (p *pace) leaves(rows, elements int) (goOn bool) {
	p.credit = min(p.credit+rows, mostCredit) - exitCost - elements/elementsCost
	if p.credit >= 0 {
		return true
	}
	p.credit, p.rests = exitCost, restingWalks
	return false
}

// ends notes that the kernel has run some rows, up to the end of a walk.
func (p *pace) ends(rows int) {
	p.credit = min(p.credit+rows, mostCredit)
}

// resting reports whether the interpreter is to run the walk that begins now.
func (p *pace) resting() bool {
	if p.rests == 0 {
		return false
	}
	p.rests--
	return true
}
