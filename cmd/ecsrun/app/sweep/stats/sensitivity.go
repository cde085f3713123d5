package stats

import (
	"math"
	"math/rand/v2"
)

// An Effect is the influence of a key on a measure, by Morris: the mean of the sizes of elementary effects and their standard deviation, per unit of the unit cube.
type Effect struct {
	MuStar, Sigma float64
	Interval      Interval // of μ*
	Used          int      // trajectories in which both ends of the step of the key have a value
}

// Morris returns the effects of k keys. value returns a measure at a point, false if there is none; unit its place. Trajectories have k + 1 points each.
func Morris(k, points int, value func(point int) (float64, bool), unit func(point int, u []float64)) []Effect {
	found := make([][]float64, k)
	before, after := make([]float64, k), make([]float64, k)
	for p := range points {
		if p%(k+1) == 0 {
			continue
		}
		a, okA := value(p - 1)
		b, okB := value(p)
		if !okA || !okB {
			continue
		}
		unit(p-1, before)
		unit(p, after)
		for i := range k {
			if step := after[i] - before[i]; math.Abs(step) > 1e-9 {
				found[i] = append(found[i], (b-a)/step)
			}
		}
	}
	out := make([]Effect, k)
	for i, list := range found {
		sizes := make([]float64, len(list))
		for j, v := range list {
			sizes[j] = math.Abs(v)
		}
		all, size := moments(list), moments(sizes)
		out[i] = Effect{size.mean, all.sd(), bootstrap(sizes), len(list)}
	}
	return out
}

// bootstrap returns the interval of the mean of numbers by percentiles.
func bootstrap(numbers []float64) Interval {
	n := len(numbers)
	if n < 2 {
		return Interval{math.NaN(), math.NaN()}
	}
	src := rand.New(rand.NewPCG(bootstrapSeed, uint64(n)))
	found := make([]float64, resamples)
	for i := range found {
		sum := 0.0
		for range n {
			sum += numbers[src.IntN(n)]
		}
		found[i] = sum / float64(n)
	}
	return percentiles(found)
}

// An Index is the influence of a key on a measure, by Sobol': the share of the variance that the key alone explains, and that with all its interactions.
type Index struct {
	First, Total                 float64
	FirstInterval, TotalInterval Interval
	Used                         int // base points of which all values are there
}

// Sobol returns the indices of k keys from a design of Saltelli's: of each of n base points k + 2 values, A, B and A with a coordinate of B. First is by Saltelli and
// others (Computer Physics Communications 181, 2010), Total by Jansen (Computer Physics Communications 117, 1999). Base points with a missing value are left out.
func Sobol(k, points int, value func(point int) (float64, bool)) []Index {
	var rows [][]float64
	for base := 0; base+k+2 <= points; base += k + 2 {
		row := make([]float64, k+2)
		whole := true
		for i := range row {
			v, ok := value(base + i)
			row[i], whole = v, whole && ok
		}
		if whole {
			rows = append(rows, row)
		}
	}
	pick := make([]int, len(rows))
	for i := range pick {
		pick[i] = i
	}
	out := make([]Index, k)
	first, total := indices(rows, pick, k)
	for i := range out {
		out[i].First, out[i].Total, out[i].Used = first[i], total[i], len(rows)
	}
	src := rand.New(rand.NewPCG(bootstrapSeed, uint64(len(rows))))
	firsts, totals := make([][]float64, k), make([][]float64, k)
	for range resamples {
		for i := range pick {
			pick[i] = src.IntN(len(rows))
		}
		first, total := indices(rows, pick, k)
		if math.IsNaN(total[0]) && !math.IsNaN(out[0].Total) {
			continue // this resample has no variance
		}
		for i := range k {
			firsts[i], totals[i] = append(firsts[i], first[i]), append(totals[i], total[i])
		}
	}
	for i := range out {
		out[i].FirstInterval, out[i].TotalInterval = percentiles(firsts[i]), percentiles(totals[i])
	}
	return out
}

// indices returns those of the picked rows; NaN if all values are equal, or there are too few rows.
func indices(rows [][]float64, pick []int, k int) (first, total []float64) {
	first, total = make([]float64, k), make([]float64, k)
	var all moment
	for _, i := range pick {
		all.add(rows[i][0])
		all.add(rows[i][1])
	}
	variance := all.m2 / float64(all.n)
	n := float64(len(pick))
	for _, i := range pick {
		a, b := rows[i][0]-all.mean, rows[i][1]-all.mean
		for key := range k {
			ab := rows[i][2+key] - all.mean
			first[key] += float64(b * (ab - a))
			total[key] += float64((a - ab) * (a - ab))
		}
	}
	for key := range k {
		first[key] /= n * variance
		total[key] /= 2 * n * variance
	}
	return first, total
}
