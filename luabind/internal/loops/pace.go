package loops

// A row that a kernel leaves to the interpreter costs more than a row that the interpreter runs anyway: the loop begins once more, for that row
// alone, and then the kernel. So a kernel that leaves too often does not go on behind its rows. What decides are counts, and not times: the same
// rows are run in the same way in every run.

// pace is what a variant of a loop knows of how often its kernel leaves.
type pace struct {
	credit int // what the rows have gained that the kernel has run; at most mostCredit
	rests  int // walks that the interpreter is still to run as a whole
}

// Costs in rows: what the kernel gains with a row is about what running one more row in the interpreter costs.
const (
	exitCost     = 12   // of leaving and going on
	elementsCost = 8    // elements of tables that are read in the time of a row
	firstCredit  = 64   // what a loop may lose before it has gained
	mostCredit   = 1024 // so that a loop which begins to leave often is noticed soon
	restingWalks = 32   // walks between two attempts
)

// leaves notes that the kernel has run some rows and left one. It reports whether the kernel is to go on behind it, which reads that many elements
// of tables.
func (p *pace) leaves(rows, elements int) (goOn bool) {
	p.credit = min(p.credit+rows, mostCredit) - exitCost - elements/elementsCost
	if p.credit >= 0 {
		return true
	}
	p.credit, p.rests = exitCost, restingWalks
	return false
}

// ends notes that the kernel has run some rows, to the end of a walk.
func (p *pace) ends(rows int) { p.credit = min(p.credit+rows, mostCredit) }

// resting reports whether the interpreter is to run a walk that begins now.
func (p *pace) resting() bool {
	if p.rests == 0 {
		return false
	}
	p.rests--
	return true
}
