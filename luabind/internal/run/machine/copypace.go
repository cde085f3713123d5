package machine

// Copies of rows can cost more than machine code gains: a loop over a few entities that each look at another one of a large
// table with strings copies blocks of that table (mirrors.go), of which it uses single rows. Such loops rest for some walks, in
// which closures do all rows. The decision counts rows, copies and fuel, so a run is the same each time, and everything is as if
// code had done the walks.

// Costs and gains, in nanoseconds as they were measured on one machine. Only their ratios matter.
const (
	gainByFuel  = 2   // of an instruction
	gainByRow   = 5   // of a row
	fetchCost   = 150 // of a call of the host for rows
	copiedCost  = 2   // of a row that is copied
	textCost    = 3   // of a string in it
	askedCost   = 60  // of a string that is looked up in a Lua table, because a row might
	mostBalance = 1 << 20
	mayLose     = 20_000 // what a loop may lose before closures do walks: one that finds few rows at first copies all the same
	mayLoseMore = 2_000  // likewise after closures have done some
)

// A copyPace says whether machine code is worth what it copies.
type copyPace struct {
	balance int64 // gained so far, less what copies have cost; from -mayLose to mostBalance
	cost    int64 // of the copies of this run
	before  int64 // fuel that the turn had used when the run began
	rests   int   // walks that closures still do
	runs    bool  // code does the walk
	poor    bool  // it has rested, and no walk since then was better
}

// Copies reports whether code has copied so many rows that closures do most walks.
func (k *Kernel) Copies() bool { return k.pace.poor }

// neverRests reports whether code is to run also where closures would be faster.
func (k *Kernel) neverRests() bool { return k.instruments != nil && k.instruments.NeverRests }

// begin prepares a run of the code. used is the fuel that the turn has used.
func (p *copyPace) begin(used int64) { p.cost, p.before, p.runs = 0, used, true }

// resting reports whether closures are to do the walk that begins.
func (p *copyPace) resting() bool {
	if p.rests == 0 {
		return false
	}
	p.rests--
	return true
}

// fetched counts a call of the host for rows.
func (p *copyPace) fetched() { p.cost += fetchCost }

// copied counts rows that were copied, with some strings in each.
func (p *copyPace) copied(rows, texts int) { p.cost += int64(rows) * int64(copiedCost+texts*textCost) }

// end settles a run that has done some rows and looked up some strings, unless closures did all of it. used is the fuel that the turn
// has used.
func (p *copyPace) end(rows, asked int, used int64) {
	ran := p.runs
	p.runs = false
	if p.cost += int64(asked) * askedCost; !ran || p.cost == 0 {
		return
	}
	gain := (used-p.before)*gainByFuel + int64(rows)*gainByRow
	p.balance = min(p.balance+gain-p.cost, mostBalance)
	if p.poor = p.balance < -mayLose; p.poor {
		p.balance, p.rests = mayLoseMore-mayLose, restingWalks
	}
}
