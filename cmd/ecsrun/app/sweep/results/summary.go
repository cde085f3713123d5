package results

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
	"github.com/ecsrun/ecsrun/config"
)

// statuses are the counts of summary.json.
var statuses = []string{job.OK, job.Failed, job.Limit, job.Unrepeatable, job.Parked}

// Counts returns how many rows have each status, in the order of the statuses.
func (in *Input) Counts() map[string]int {
	counts := map[string]int{}
	for row := range in.Table.Len() {
		counts[in.Table.Status(row)]++
	}
	return counts
}

// Summary writes summary.json. A number that JSON does not have is null.
func Summary(to io.Writer, in *Input) error {
	w := bufio.NewWriter(to)
	var b []byte
	b = strconv.AppendInt(append(b, `{"rows":`...), int64(in.Table.Len()), 10)
	counts := in.Counts()
	for _, s := range statuses {
		b = strconv.AppendInt(appendName(append(b, ','), s), int64(counts[s]), 10)
	}
	b = strconv.AppendInt(append(b, `,"planned":`...), int64(in.Plan.Rows()), 10)
	b = strconv.AppendBool(append(b, `,"early":`...), in.Early)
	b = append(b, `,"points":[`...)
	points := in.Plan.Points()
	for point := range points {
		if !in.Whole {
			break
		}
		if point > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, "\n{\"point\":"...), int64(point), 10)
		b = AppendParams(append(b, `,"params":`...), in.Plan.Keys, in.Plan.Params(point))
		b = appendMeasures(append(b, `,"measures":`...), in, in.Table.Point(point, points))
		if _, err := w.Write(append(b, '}')); err != nil {
			return err
		}
		b = b[:0]
	}
	b = appendMeasures(append(b, "],\n\"all\":"...), in, in.Table.All())
	b = append(b, ",\n\"thresholds\":["...)
	for i, v := range in.Verdicts() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, "\n{\"text\":"...), v.Text)
		b = appendNumber(append(b, `,"value":`...), v.Value)
		b = append(strconv.AppendBool(append(b, `,"holds":`...), v.Holds), '}')
	}
	b = append(b, "],\n\"sensitivity\":"...)
	b = appendSensitivity(b, in)
	b = append(b, ",\n\"worst\":["...)
	for i, row := range in.Worst {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, "\n{\"row\":"...), int64(row), 10)
		b = append(appendText(append(b, `,"command":`...), in.Plan.Command(row)), '}')
	}
	if _, err := w.Write(append(b, "]}\n"...)); err != nil {
		return err
	}
	return w.Flush()
}

// appendMeasures appends the statistics of each measure over rows.
func appendMeasures(b []byte, in *Input, rows stats.Rows) []byte {
	b = append(b, '{')
	for m, name := range in.Measures {
		if m > 0 {
			b = append(b, ',')
		}
		b = append(appendName(b, name), '{')
		if words, found, n := in.Table.Words(m, rows); words != nil || n > 0 {
			b = strconv.AppendInt(append(b, `"count":`...), int64(n), 10)
			b = append(b, `,"rates":{`...)
			for i, word := range words {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendNumber(append(appendName(b, word), `{"rate":`...), float64(found[word])/float64(n))
				b = append(appendInterval(append(b, `,"interval":`...), stats.Wilson(found[word], n)), '}')
			}
			b = append(b, "}}"...)
			continue
		}
		s := stats.Of(in.Table.Numbers(m, rows))
		b = strconv.AppendInt(append(b, `"count":`...), int64(s.Count), 10)
		for _, v := range []struct {
			name string
			x    float64
		}{{"mean", s.Mean}, {"sd", s.SD}, {"min", s.Min}, {"max", s.Max}, {"p5", s.P5}, {"p50", s.P50}, {"p95", s.P95}} {
			b = appendNumber(appendName(append(b, ','), v.name), v.x)
		}
		b = append(appendInterval(append(b, `,"interval":`...), s.Interval), '}')
	}
	return append(b, '}')
}

func appendNumber(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	return append(b, config.ShortNumber(v)...)
}

func appendInterval(b []byte, i stats.Interval) []byte {
	b = appendNumber(append(b, '['), i.Low)
	return append(appendNumber(append(b, ','), i.High), ']')
}
