package loops

// When a kernel is worth it. A row that a kernel leaves to the interpreter costs more than a row that the
// interpreter runs anyway: the loop begins again for that row alone, and then the kernel begins again. So a kernel
// that leaves so many rows of a walk that the walk cannot pay, even if the kernel runs all that are still to come, is not resumed after them,
// and rests for some walks. So it does not matter where in a walk the rows are. The decision uses counts and no times, so that a run is the same
// each time.

// A pace keeps how often the kernel of a variant has left rows.
type pace struct {
	credit int // the gain from rows that the kernel has run, less the costs of leaving rows; between walks at most mostCredit
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

// leaves notes that the kernel has run some rows and left one, and that further rows of the walk are to come. It reports whether the kernel
// is to go on after that row, for which it has to read that many elements of tables again.
func (p *pace) leaves(rows, elements, further int) (goOn bool) {
	p.credit += rows - exitCost - elements/elementsCost
	if p.credit+further >= 0 {
		return true
	}
	p.rest()
	return false
}

// rest lets the interpreter run the next walks.
func (p *pace) rest() { p.credit, p.rests = exitCost, restingWalks }

// ends notes that the kernel has run some rows, up to the end of a walk.
func (p *pace) ends(rows int) {
	p.credit = min(p.credit+rows, mostCredit)
}

// mayRest reports whether resting might report true.
func (p *pace) mayRest() bool { return p.rests > 0 || p.credit < 0 }

// resting reports whether the interpreter is to run the walk that begins now.
func (p *pace) resting() bool {
	if p.credit < 0 { // the walk before was left before its end
		p.rest()
	}
	if p.rests == 0 {
		return false
	}
	p.rests--
	return true
}
