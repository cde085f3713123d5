package results

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/plot"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
)

//go:embed report.html
var reportText string

var report = template.Must(template.New("report").Parse(reportText))

// A page is what the template shows.
type page struct {
	Title, Lead    string
	Notes          []string
	Statuses       []named
	Thresholds     []Verdict
	Statistics     [][]string
	Distributions  []template.HTML
	Curves         []template.HTML
	Sensitivity    []template.HTML
	Dropped        []string
	Worst, Failing []command
	WorstOf        string
}

type named struct {
	Name  string
	Count int
}

type command struct {
	Row     int
	Command string
}

// HTML writes the report: one file without scripts.
func HTML(to io.Writer, in *Input) error {
	p := page{Title: "Sweep of " + in.Plan.Sweep.Config, WorstOf: in.Plan.Sweep.Worst.Text, Thresholds: in.Verdicts()}
	p.Lead = fmt.Sprintf("%d rows of %d: %d points with %d seeds each, chosen by %s.", in.Table.Len(), in.Plan.Rows(), in.Plan.Points(), in.Plan.Sweep.Seeds.Len(), in.Plan.Sweep.Design.Kind)
	if in.Part {
		p.Notes = append(p.Notes, "Rows are missing: the sweep is not done. Statistics are over the rows that are there, and not by point.")
	}
	if in.Early {
		p.Notes = append(p.Notes, "The sweep ended early, because "+in.Plan.Sweep.Stop.When.Text+" held at every point. Intervals are nominal: the rows that ended it are also those they are made of.")
	}
	counts := in.Counts()
	for _, s := range statuses {
		p.Statuses = append(p.Statuses, named{s, counts[s]})
	}
	p.Statistics = statistics(in)
	for _, row := range in.Worst {
		p.Worst = append(p.Worst, command{row, in.Plan.Command(row)})
	}
	for _, row := range in.Failing {
		p.Failing = append(p.Failing, command{row, in.Plan.Command(row)})
	}
	if err := p.draw(in); err != nil {
		return err
	}
	return report.Execute(to, p)
}

func statistics(in *Input) [][]string {
	rows := [][]string{{"measure", "count", "mean", "95 % interval", "sd", "min", "p5", "p50", "p95", "max"}}
	for m, name := range in.Measures {
		if words, found, n := in.Table.Words(m, in.Table.All()); words != nil {
			for _, w := range words {
				i := stats.Wilson(found[w], n)
				rows = append(rows, []string{fmt.Sprintf("%s = %q", name, w), strconv.Itoa(found[w]), short(float64(found[w]) / float64(n)), interval(i), "", "", "", "", "", ""})
			}
			continue
		}
		s := stats.Of(in.Table.Numbers(m, in.Table.All()))
		rows = append(rows, []string{name, strconv.Itoa(s.Count), short(s.Mean), interval(s.Interval), short(s.SD), short(s.Min), short(s.P5), short(s.P50), short(s.P95), short(s.Max)})
	}
	return rows
}

// Short returns a number with five digits for people.
func (v Verdict) Short() string { return short(v.Value) }

func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

func interval(i stats.Interval) string {
	if math.IsNaN(i.Low) {
		return "–"
	}
	return short(i.Low) + " to " + short(i.High)
}

// drawn returns a figure for a page: svgo begins with the declaration of a file.
func drawn(draw func(io.Writer) error) (template.HTML, error) {
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return "", err
	}
	text := b.Bytes()
	return template.HTML(text[max(0, bytes.Index(text, []byte("<svg"))):]), nil //nolint:gosec // svgo escapes what it is given
}

// draw makes the figures.
func (p *page) draw(in *Input) error {
	add := func(to *[]template.HTML, draw func(io.Writer) error) error {
		figure, err := drawn(draw)
		*to = append(*to, figure)
		return err
	}
	for m, name := range in.Measures {
		numbers := in.Table.Numbers(m, in.Table.All())
		if words, _, _ := in.Table.Words(m, in.Table.All()); words != nil || len(numbers) == 0 {
			continue
		}
		if err := add(&p.Distributions, func(w io.Writer) error { return plot.Histogram(w, name, numbers) }); err != nil {
			return err
		}
	}
	for _, c := range in.Curves() {
		if err := add(&p.Curves, c.Draw); err != nil {
			return err
		}
	}
	for _, s := range in.Sensitivities() {
		if said := s.Dropped(); said != "" {
			p.Dropped = append(p.Dropped, said)
		}
		if err := add(&p.Sensitivity, func(w io.Writer) error { return s.Draw(w, in.Plan.Keys) }); err != nil {
			return err
		}
	}
	return nil
}
