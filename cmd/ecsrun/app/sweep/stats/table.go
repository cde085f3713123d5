package stats

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
)

// statuses are the statuses of rows by number.
var statuses = []string{job.OK, job.Failed, job.Limit, job.Unrepeatable, job.Parked}

// A Table has the values of rows in plan order, by measure: 8 bytes a value and 1 a row.
type Table struct {
	Measures []string // their names
	status   []uint8
	numbers  [][]float64
	texts    [][]int32 // by measure: 1 + the number of a text, 0 for a value that is no text; nil if the measure has no texts
	words    []string
	index    map[string]int32
}

// none is the number of a value that is not there.
var none = math.Float64frombits(0x7ff8_0000_0000_0dad)

func isNone(v float64) bool { return math.Float64bits(v) == math.Float64bits(none) }

// NewTable returns an empty table for so many rows, or more. It keeps the measures for which used is true; nil stands for all.
func NewTable(measures []string, rows int, used func(measure int) bool) *Table {
	t := &Table{Measures: measures, index: map[string]int32{}, status: make([]uint8, 0, rows), numbers: make([][]float64, len(measures)), texts: make([][]int32, len(measures))}
	for m := range measures {
		if used == nil || used(m) {
			t.numbers[m] = make([]float64, 0, rows)
		}
	}
	return t
}

// Add adds the next row.
func (t *Table) Add(r *job.Result) {
	row := len(t.status)
	t.status = append(t.status, uint8(max(0, slices.Index(statuses, r.Status))))
	for m := range t.numbers {
		if t.numbers[m] == nil {
			continue
		}
		v := job.Value("")
		if m < len(r.Values) {
			v = r.Values[m]
		}
		x, ok := v.Number()
		if !ok {
			x = none
		}
		t.numbers[m] = append(t.numbers[m], x)
		if v.IsText() && t.texts[m] == nil {
			t.texts[m] = make([]int32, row, cap(t.numbers[m]))
		}
		if t.texts[m] != nil {
			t.texts[m] = append(t.texts[m], t.word(v))
		}
	}
}

func (t *Table) word(v job.Value) int32 {
	if !v.IsText() {
		return 0
	}
	text := v.Plain()
	n, ok := t.index[text]
	if !ok {
		t.words = append(t.words, text)
		n = int32(len(t.words))
		t.index[text] = n
	}
	return n
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.status) }

// Status returns the status of a row.
func (t *Table) Status(row int) string { return statuses[t.status[row]] }

// Number returns the number of a measure in a row; false if there is none.
func (t *Table) Number(row, measure int) (float64, bool) {
	v := t.numbers[measure][row]
	return v, !isNone(v)
}

// Text returns the text of a measure in a row; false if it is none.
func (t *Table) Text(row, measure int) (string, bool) {
	if t.texts[measure] == nil || t.texts[measure][row] == 0 {
		return "", false
	}
	return t.words[t.texts[measure][row]-1], true
}

// Rows are some rows of a table: From, From + Step and so on, below To.
type Rows struct{ From, To, Step int }

// All returns all rows.
func (t *Table) All() Rows { return Rows{0, t.Len(), 1} }

// Point returns the rows of a point, of so many points.
func (t *Table) Point(point, points int) Rows { return Rows{point, t.Len(), points} }

// Numbers returns the numbers of a measure in those rows that have status ok.
func (t *Table) Numbers(measure int, rows Rows) []float64 {
	var out []float64
	for r := rows.From; r < rows.To; r += rows.Step {
		if v := t.numbers[measure][r]; t.status[r] == 0 && !isNone(v) {
			out = append(out, v)
		}
	}
	return out
}

// Words returns the texts of a measure, sorted, with how many rows of status ok have each, and the number of those rows. It is nil for a measure without texts.
func (t *Table) Words(measure int, rows Rows) (words []string, counts map[string]int, n int) {
	if t.texts[measure] == nil {
		return nil, nil, 0
	}
	counts = map[string]int{}
	for r := rows.From; r < rows.To; r += rows.Step {
		if text, ok := t.Text(r, measure); ok && t.status[r] == 0 {
			counts[text]++
			n++
		}
	}
	for text := range counts {
		words = append(words, text)
	}
	slices.Sort(words)
	return words, counts, n
}
