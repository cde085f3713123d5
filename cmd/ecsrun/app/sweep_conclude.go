package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/results"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
)

// This file is the end of a sweep: the files of the results, the summary, and the exit code.

// mostNamed is how many failing rows, and how many of the worst ones, a report names.
const mostNamed = 10

// conclude writes the results that there are, and returns the exit of the sweep.
func (f *fleet) conclude() error {
	defer f.reader.Close()
	ctx, end := f.untilSignal()
	defer end()
	stderr := f.console.stderr()
	if f.failed != nil && len(f.differs) == 0 {
		return f.failed
	}
	in, err := f.input()
	if err != nil {
		return usageError("sweep: %w", err)
	}
	if err := f.write(in); err != nil {
		return f.unwritable(err)
	}
	if !f.reporting && f.shard.Of == 0 && !in.Part && len(f.differs) == 0 {
		if err := f.record(ctx, in); err != nil {
			return err
		}
	}
	for _, said := range f.died {
		fmt.Fprintf(stderr, "sweep: %s\n", withoutControls(said))
	}
	for _, d := range f.differs {
		fmt.Fprintf(stderr, "sweep: %s\n", d)
	}
	f.summarize(in)
	if f.unrecorded {
		fmt.Fprintf(stderr, "sweep: a signal came before all records were made; started again the sweep makes them\n")
		return &exit{code: exitInterrupted}
	}
	return f.exitOf(in)
}

// untilSignal returns a context that ends with a signal. Results that are being written are written first.
func (f *fleet) untilSignal() (ctx context.Context, end func()) {
	if f.reporting {
		return context.Background(), func() {}
	}
	return signal.NotifyContext(context.Background(), caughtSignals()...)
}

// input reads the results that there are.
func (f *fleet) input() (*results.Input, error) {
	counts := f.ledger.Counts()
	in := &results.Input{Plan: f.plan, Measures: f.names, Thresholds: f.thresholds, Rows: f.ledger.Until(), Early: f.early.at > 0, Part: counts.Done < counts.Jobs}
	f.early.table, f.early.kept = nil, nil
	in.Each = func(do func(int, *job.Result) error) error {
		return f.each(func(row int, _ *joblog.Record, r *job.Result) error { return do(row, r) })
	}
	in.Whole = !in.Part && f.shard.Of == 0
	in.Table = stats.NewTable(f.names, counts.Done, nil)
	var rows []int // of the table
	err := in.Each(func(row int, r *job.Result) error {
		in.Table.Add(r)
		if !in.Whole {
			rows = append(rows, row)
		}
		if (r.Status == job.Failed || r.Status == job.Limit || r.Status == job.Parked) && len(in.Failing) < mostNamed {
			in.Failing = append(in.Failing, row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if f.worst != nil {
		in.Worst = f.worst.Rows(in.Table, mostNamed)
		for i, at := range in.Worst {
			if rows != nil {
				in.Worst[i] = rows[at]
			}
		}
	}
	return in, nil
}

// exitOf returns the exit of a sweep whose results are written.
func (f *fleet) exitOf(in *results.Input) error {
	code := exitOK
	if f.shard.Of == 0 && !in.Part {
		for _, v := range in.Verdicts() {
			if !v.Holds {
				code = exitTest
			}
		}
	}
	if len(f.differs) > 0 {
		code = exitTest
	}
	counts := f.ledger.Counts()
	switch {
	case f.signaled && in.Part:
		code = exitInterrupted
	case counts.Parked > 0 && !f.reporting:
		code = exitScript
	case f.reporting && counts.Parked > 0 && !in.Part:
		code = exitScript
	}
	if code != exitOK {
		return &exit{code: code}
	}
	return nil
}

// write writes the files of the results.
func (f *fleet) write(in *results.Input) error {
	html := filepath.Join(f.dir, reportFile)
	if f.html != "" {
		html = f.html
	}
	series := false
	for _, m := range f.plan.Sweep.Measures {
		series = series || m.Every > 0
	}
	files := []struct {
		path  string
		write func(io.Writer, *results.Input) error
		skip  bool
	}{
		{filepath.Join(f.dir, csvFile), results.CSV, false},
		{filepath.Join(f.dir, jsonlFile), results.JSONL, false},
		{filepath.Join(f.dir, seriesCSVFile), results.SeriesCSV, !series},
		{filepath.Join(f.dir, seriesJSONLFile), results.SeriesJSONL, !series},
		{filepath.Join(f.dir, summaryFile), results.Summary, false},
		{html, results.HTML, false},
	}
	for _, file := range files {
		if file.skip {
			continue
		}
		err := durable.Write(durable.OS, file.path, func(w io.Writer) error { return file.write(w, in) })
		if err != nil && !errors.Is(err, durable.ErrNotSynced) {
			return err
		}
	}
	return nil
}

// summarize writes the summary to stdout.
func (f *fleet) summarize(in *results.Input) {
	w := f.console.stdout()
	if f.asJSON {
		if text, err := os.ReadFile(filepath.Join(f.dir, summaryFile)); err == nil {
			_, _ = w.Write(text) // the console notes what it loses
		}
		return
	}
	counts, c := in.Counts(), f.ledger.Counts()
	fmt.Fprintf(w, "%s of %s", grouped(in.Table.Len()), counted(f.plan.Rows(), "row"))
	for _, s := range []string{job.OK, job.Failed, job.Limit, job.Unrepeatable, job.Parked} {
		if counts[s] > 0 {
			fmt.Fprintf(w, ", %s %s", grouped(counts[s]), s)
		}
	}
	if c.Fresh > 0 && !f.reporting {
		fmt.Fprintf(w, "; ran %s in %.2f s", counted(c.Fresh, "job"), time.Since(f.began).Seconds())
	}
	fmt.Fprintln(w)
	if left := c.Jobs - c.Done; left > 0 {
		fmt.Fprintf(w, "left: %s; started again the sweep goes on\n", counted(left, "job"))
	}
	if in.Early {
		fmt.Fprintf(w, "ended early: %s at every point; intervals are nominal\n", f.stop.Text)
	}
	rows := [][]string{{"measure", "count", "mean", "interval", "sd", "min", "p50", "max"}}
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	for m, name := range f.names {
		if words, found, n := in.Table.Words(m, in.Table.All()); words != nil {
			for _, word := range words {
				i := stats.Wilson(found[word], n)
				rows = append(rows, []string{name + " = " + oneLine(word), strconv.Itoa(found[word]), number(float64(found[word]) / float64(n)), number(i.Low) + " to " + number(i.High), "", "", "", ""})
			}
			continue
		}
		s := stats.Of(in.Table.Numbers(m, in.Table.All()))
		rows = append(rows, []string{name, strconv.Itoa(s.Count), number(s.Mean), number(s.Interval.Low) + " to " + number(s.Interval.High), number(s.SD), number(s.Min), number(s.P50), number(s.Max)})
	}
	fmt.Fprintln(w)
	writeColumns(w, rows, 1)
	blank := "\n"
	for _, s := range in.Sensitivities() {
		if said := s.Dropped(); said != "" {
			fmt.Fprintf(w, "%s%s\n", blank, said)
			blank = ""
		}
	}
	if f.shard.Of == 0 {
		for i, v := range in.Verdicts() {
			if i == 0 {
				fmt.Fprintln(w)
			}
			word := "holds"
			if !v.Holds {
				word = "fails"
			}
			fmt.Fprintf(w, "%s: %s is %s\n", word, v.Text, number(v.Value))
		}
	}
	for i, row := range in.Worst {
		if i == 0 {
			fmt.Fprintf(w, "\nworst, by %s:\n", f.plan.Sweep.Worst.Text)
		}
		if i == 3 {
			break
		}
		fmt.Fprintf(w, "  row %d: %s\n", row, f.plan.Command(row))
	}
	for i, row := range in.Failing {
		if i == 0 {
			fmt.Fprintln(w, "\ndid not end well:")
		}
		if i == 3 {
			break
		}
		fmt.Fprintf(w, "  row %d: %s\n", row, f.plan.Command(row))
	}
	fmt.Fprintf(w, "\nresults in %s\n", f.dir)
}
