package results

import (
	"fmt"
	"strconv"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
	"github.com/ecsrun/ecsrun/config"
)

// A Sensitivity is that of one measure: by Morris or by Sobol', an entry for each key.
type Sensitivity struct {
	Measure string
	Effects []stats.Effect
	Indices []stats.Index
	Of      int // trajectories of Morris, or base points of Saltelli's design with their values, which is a block
}

// used returns how many trajectories or blocks the numbers of a key are from.
func (s Sensitivity) used(key int) int {
	if s.Effects != nil {
		return s.Effects[key].Used
	}
	return s.Indices[key].Used
}

// Dropped says how many trajectories or blocks are used, for people; "" if all are.
func (s Sensitivity) Dropped() string {
	what := "blocks"
	if s.Effects != nil {
		what = "trajectories"
	}
	least, most := s.used(0), s.used(0)
	for key := range max(len(s.Effects), len(s.Indices)) {
		least, most = min(least, s.used(key)), max(most, s.used(key))
	}
	used := strconv.Itoa(least)
	if least != most {
		used = fmt.Sprintf("%d to %d", least, most)
	}
	if least == s.Of {
		return ""
	}
	return fmt.Sprintf("sensitivity of %s: from %s of %d %s; the others have a point without a value", s.Measure, used, s.Of, what)
}

// Sensitivities returns that of each measure with numbers, of the mean over seeds; nil for a design that has none.
func (in *Input) Sensitivities() []Sensitivity {
	if in.sensitivities == nil {
		in.sensitivities = in.sensitivity()
	}
	return in.sensitivities
}

func (in *Input) sensitivity() []Sensitivity {
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
			s.Effects, s.Of = stats.Morris(k, points, value, in.Plan.Unit), points/(k+1)
		} else {
			s.Indices, s.Of = stats.Sobol(k, points, value), points/(k+2)
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
			b = strconv.AppendInt(append(b, `,"used":`...), int64(s.used(k)), 10)
			b = strconv.AppendInt(append(b, `,"of":`...), int64(s.Of), 10)
			b = append(b, '}')
		}
		b = append(b, '}')
	}
	return append(b, '}')
}
