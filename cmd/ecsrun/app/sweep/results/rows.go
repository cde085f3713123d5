package results

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
)

// CSV writes a line for each row: row, point, seed, each key that varies, each measure, status, frames, stop, failures, digest. A value that is none is empty.
func CSV(to io.Writer, in *Input) error {
	w := csv.NewWriter(to)
	head := append([]string{"row", "point", "seed"}, in.Plan.Keys...)
	head = append(append(head, in.Measures...), "status", "frames", "stop", "failures", "digest")
	if err := w.Write(head); err != nil {
		return err
	}
	var line []string
	err := in.Each(func(row int, r *job.Result) error {
		point, seed := in.Plan.Row(row)
		line = append(line[:0], strconv.Itoa(row), strconv.Itoa(point), strconv.FormatUint(seed, 10))
		line = append(line, in.Plan.Params(point)...)
		for m := range in.Measures {
			value := ""
			if m < len(r.Values) {
				value = r.Values[m].Plain()
			}
			line = append(line, value)
		}
		return w.Write(append(line, r.Status, strconv.FormatUint(r.Frames, 10), r.Stop, strconv.FormatUint(r.Failures, 10), r.Digest))
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// SeriesCSV writes a line for each value of a series: row, frame, name, value.
func SeriesCSV(to io.Writer, in *Input) error {
	w := csv.NewWriter(to)
	if err := w.Write([]string{"row", "frame", "name", "value"}); err != nil {
		return err
	}
	err := in.Each(func(row int, r *job.Result) error {
		for _, e := range r.Series {
			if err := w.Write([]string{strconv.Itoa(row), strconv.FormatUint(e.Frame, 10), in.Measures[e.Measure], e.Value.Plain()}); err != nil {
				return err
			}
		}
		return nil
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// JSONL writes an object for each row, with the keys of CSV; a value that is none is null.
func JSONL(to io.Writer, in *Input) error {
	w := bufio.NewWriter(to)
	var b []byte
	err := in.Each(func(row int, r *job.Result) error {
		point, seed := in.Plan.Row(row)
		b = append(b[:0], `{"row":`...)
		b = strconv.AppendInt(b, int64(row), 10)
		b = strconv.AppendInt(append(b, `,"point":`...), int64(point), 10)
		b = strconv.AppendUint(append(b, `,"seed":`...), seed, 10)
		for i, v := range in.Plan.Params(point) {
			b = appendSetting(appendName(append(b, ','), in.Plan.Keys[i]), v)
		}
		for m, name := range in.Measures {
			v := job.Value("")
			if m < len(r.Values) {
				v = r.Values[m]
			}
			b = v.AppendJSON(appendName(append(b, ','), name))
		}
		b = appendText(append(b, `,"status":`...), r.Status)
		b = strconv.AppendUint(append(b, `,"frames":`...), r.Frames, 10)
		b = appendText(append(b, `,"stop":`...), r.Stop)
		b = strconv.AppendUint(append(b, `,"failures":`...), r.Failures, 10)
		b = appendText(append(b, `,"digest":`...), r.Digest)
		_, err := w.Write(append(b, "}\n"...))
		return err
	})
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

// SeriesJSONL writes an object for each value of a series.
func SeriesJSONL(to io.Writer, in *Input) error {
	w := bufio.NewWriter(to)
	var b []byte
	err := in.Each(func(row int, r *job.Result) error {
		for _, e := range r.Series {
			b = strconv.AppendInt(append(b[:0], `{"row":`...), int64(row), 10)
			b = strconv.AppendUint(append(b, `,"frame":`...), e.Frame, 10)
			b = appendText(append(b, `,"name":`...), in.Measures[e.Measure])
			b = e.Value.AppendJSON(append(b, `,"value":`...))
			if _, err := w.Write(append(b, "}\n"...)); err != nil {
				return err
			}
		}
		return nil
	})
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

func appendText(b []byte, text string) []byte {
	t, _ := json.Marshal(text) // a string can always be written
	return append(b, t...)
}

func appendName(b []byte, name string) []byte { return append(appendText(b, name), ':') }

// AppendParams appends the values of the keys of a point as a JSON object.
func AppendParams(b []byte, keys, values []string) []byte {
	b = append(b, '{')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendSetting(appendName(b, keys[i]), v)
	}
	return append(b, '}')
}

// appendSetting appends the value of a key: a number, true or false, or a text.
func appendSetting(b []byte, value string) []byte {
	if value == "true" || value == "false" || json.Valid([]byte(value)) && value != "null" && value[0] != '"' && value[0] != '[' && value[0] != '{' {
		return append(b, value...)
	}
	return appendText(b, value)
}
