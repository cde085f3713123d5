package plan

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/design"
	"github.com/ecsrun/ecsrun/config"
)

// A Key names a job: a hash of everything that decides its result.
type Key [16]byte

// String returns the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey reads what String returns.
func ParseKey(text string) (k Key, ok bool) {
	n, err := hex.Decode(k[:], []byte(text[:min(len(text), 2*len(k))]))
	return k, err == nil && n == len(k) && len(text) == 2*len(k)
}

// A Plan is the list of the jobs of a sweep. Its methods may be called by several goroutines.
type Plan struct {
	Sweep *config.Sweep
	Set   []string // of the command line
	Keys  []string // those that vary, by their full names
	Base  [32]byte // what all keys of jobs have in common

	vary   []config.Vary
	design design.Design // nil for a list
	list   [][]string    // of a list
}

// New makes the plan of a sweep that was checked against its config. The error is a problem of the file, or of the file of a list.
func New(s *config.Sweep, set []string, base [32]byte) (*Plan, error) {
	p := &Plan{Sweep: s, Set: set, Base: base, vary: s.Vary}
	var err error
	if s.Design.Kind == config.DesignList {
		err = p.read()
	} else {
		levels := make([]int, len(s.Vary))
		for i, v := range s.Vary {
			p.Keys = append(p.Keys, v.Key)
			levels[i] = len(v.Values)
		}
		if p.design, err = design.New(s.Design, levels); err != nil {
			err = config.Problems{s.Problem("design", err.Error(), "")}
		}
	}
	if err != nil {
		return nil, err
	}
	if rows := uint64(p.Points()) * uint64(s.Seeds.Len()); rows > MostRows {
		return nil, config.Problems{s.Problem("seeds", fmt.Sprintf("the plan has %d rows", rows), fmt.Sprintf("a plan has at most %d; take fewer seeds or points", uint64(MostRows)))}
	}
	return p, nil
}

// MostRows is the largest number of rows of a plan.
const MostRows = 1 << 30

// read reads the points of a list: a CSV file whose first line has the keys.
func (p *Plan) read() error {
	s := p.Sweep
	f, err := os.Open(s.Design.File)
	if err != nil {
		return config.Problems{s.Problem("design.file", fmt.Sprintf("cannot be read: %v", errors.Unwrap(err)), "name a CSV file whose first line has the keys")}
	}
	defer f.Close() //nolint:errcheck // it is only read
	in := csv.NewReader(f)
	wrong := func(line int, format string, args ...any) error {
		return config.Problems{&config.Problem{Pos: config.Pos{File: s.Design.File, Line: line, Column: 1}, Message: fmt.Sprintf(format, args...)}}
	}
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return wrong(1, "the list is empty; its first line has the keys, as in resources.units,resources.wind")
	}
	for err == nil {
		if p.Keys == nil {
			head[0] = strings.TrimPrefix(head[0], "\ufeff") // as spreadsheets write it
			for i, key := range head {
				if slices.Contains(head[:i], key) {
					return wrong(1, "%q heads two columns; a point has one value of each key", key)
				}
			}
			p.Keys = head
		}
		var row []string
		if row, err = in.Read(); err == nil {
			p.list = append(p.list, row)
		}
	}
	var parse *csv.ParseError
	switch errors.As(err, &parse); {
	case errors.Is(err, csv.ErrFieldCount):
		return wrong(parse.Line, "the line has another number of values than the first line has keys, which is %d", len(p.Keys))
	case errors.As(err, &parse):
		return wrong(parse.Line, "%v", parse.Err)
	case !errors.Is(err, io.EOF):
		return wrong(1, "%v", err)
	case len(p.list) == 0:
		return wrong(1, "the list has no points below its keys")
	}
	return nil
}

// Points returns the number of points.
func (p *Plan) Points() int {
	if p.design == nil {
		return len(p.list)
	}
	return p.design.Len()
}

// Rows returns the number of rows.
func (p *Plan) Rows() int { return p.Points() * p.Sweep.Seeds.Len() }

// Row returns the point and the seed of a row.
func (p *Plan) Row(row int) (point int, seed uint64) {
	n := p.Points()
	return row % n, p.Sweep.Seeds.At(row / n)
}

// Unit writes the place of a point in the unit cube. A list has none.
func (p *Plan) Unit(point int, u []float64) {
	p.design.At(point, u)
	for k := range u {
		u[k] = min(max(u[k], 0), 1)
	}
}

// Params returns the value of each key that varies at a point, as --set takes it.
func (p *Plan) Params(point int) []string {
	if p.design == nil {
		return p.list[point]
	}
	u := make([]float64, len(p.vary))
	p.Unit(point, u)
	out := make([]string, len(u))
	for k, v := range p.vary {
		x := v.From + u[k]*(v.To-v.From)
		if n := float64(p.Sweep.Design.Steps - 1); p.Sweep.Design.Kind == config.DesignGrid && n > 0 { // 0.1 rather than 0.09999999999999999
			i := math.Round(u[k] * n)
			x, _ = strconv.ParseFloat(strconv.FormatFloat((v.From*(n-i)+v.To*i)/n, 'g', 15, 64), 64) // what was formatted
		}
		switch {
		case v.Values != nil:
			out[k] = v.Values[design.Index(p.Sweep.Design.Kind, u[k], len(v.Values))]
		case v.Whole:
			out[k] = config.ShortNumber(math.Round(x))
		default:
			out[k] = config.ShortNumber(x)
		}
	}
	return out
}

// Overrides returns KEY=VALUE of each --set of a point, those of the command line first.
func (p *Plan) Overrides(point int) []string {
	out := append([]string{}, p.Set...)
	for i, value := range p.Params(point) {
		out = append(out, p.Keys[i]+"="+value)
	}
	return out
}

// Key returns the key of the job of a row.
func (p *Plan) Key(row int) Key {
	point, seed := p.Row(row)
	return KeyOf(p.Base, p.Overrides(point), seed)
}

// KeyOf returns the key of a job from what all jobs have in common, its overrides and its seed.
func KeyOf(base [32]byte, overrides []string, seed uint64) Key {
	b := append(make([]byte, 0, 256), base[:]...)
	b = strconv.AppendUint(b, seed, 10)
	for _, set := range overrides {
		b = strconv.AppendQuote(append(b, ' '), set)
	}
	sum := sha256.Sum256(b)
	return Key(sum[:16])
}

// Command returns the command line that shows a row.
func (p *Plan) Command(row int) string {
	point, seed := p.Row(row)
	words := []string{"ecsrun", "run", quoted(p.Sweep.Config), "--seed", strconv.FormatUint(seed, 10)}
	if p.Sweep.Frames > 0 {
		words = append(words, "--frames", strconv.FormatUint(p.Sweep.Frames, 10))
	}
	for _, set := range p.Overrides(point) {
		words = append(words, "--set", quoted(set))
	}
	return strings.Join(words, " ")
}

// quoted quotes a word for a shell if that is necessary.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./=:,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
