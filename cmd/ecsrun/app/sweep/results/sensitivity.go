package results

import (
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
	"github.com/ecsrun/ecsrun/config"
)

// A Sensitivity is that of one measure: by Morris or by Sobol', an entry for each key.
type Sensitivity struct {
	Measure string
	Effects []stats.Effect
	Indices []stats.Index
}

// Sensitivities returns that of each measure with numbers, of the mean over seeds; nil for a design that has none.
func (in *Input) Sensitivities() []Sensitivity {
	kind := in.Plan.Sweep.Design.Kind
	if kind != config.DesignMorris && kind != config.DesignSaltelli || !in.Whole {
		return nil
	}
	k, points := len(in.Plan.Keys), in.Plan.Points()
	var out []Sensitivity
	for m, name := range in.Measures {
		if words, _, _ := in.Table.Words(m, in.Table.All()); words != nil {
			continue
		}
		mean := func(point int) (float64, bool) {
			s := stats.Of(in.Table.Numbers(m, in.Table.Point(point, points)))
			return s.Mean, s.Count > 0
		}
		values, known := make([]float64, points), make([]bool, points)
		for p := range points {
			values[p], known[p] = mean(p)
		}
		value := func(p int) (float64, bool) { return values[p], known[p] }
		s := Sensitivity{Measure: name}
		if kind == config.DesignMorris {
			s.Effects = stats.Morris(k, points, value, in.Plan.Unit)
		} else {
			s.Indices = stats.Sobol(k, points, value)
		}
		out = append(out, s)
	}
	return out
}

// appendSensitivity appends them as JSON: null for a design that has none.
func appendSensitivity(b []byte, in *Input) []byte {
	list := in.Sensitivities()
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '{')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendName(b, s.Measure), '{')
		for k, key := range in.Plan.Keys {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(appendName(b, key), '{')
			if s.Effects != nil {
				e := s.Effects[k]
				b = appendNumber(append(b, `"mu_star":`...), e.MuStar)
				b = appendInterval(append(b, `,"interval":`...), e.Interval)
				b = appendNumber(append(b, `,"sigma":`...), e.Sigma)
			} else {
				x := s.Indices[k]
				b = appendNumber(append(b, `"s1":`...), x.First)
				b = appendInterval(append(b, `,"s1_interval":`...), x.FirstInterval)
				b = appendNumber(append(b, `,"st":`...), x.Total)
				b = appendInterval(append(b, `,"st_interval":`...), x.TotalInterval)
			}
			b = append(b, '}')
		}
		b = append(b, '}')
	}
	return append(b, '}')
}
