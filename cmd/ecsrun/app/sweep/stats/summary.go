package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is that of all intervals.
const confidence = 0.95

// resamples is the number of resamples of a bootstrap.
const resamples = 2000

// A Summary has the statistics of numbers.
type Summary struct {
	Count              int
	Mean, SD, Min, Max float64 // NaN without numbers, and if one of them is NaN; the standard deviation with n − 1
	P5, P50, P95       float64
	Interval           Interval // of the mean
	sorted             []float64
}

// An Interval is a 95 % interval; its ends are NaN if there are too few numbers.
type Interval struct{ Low, High float64 }

// Half returns half of the width; infinite if there are too few numbers.
func (i Interval) Half() float64 {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) {
		return math.Inf(1)
	}
	return (i.High - i.Low) / 2
}

// Of returns the statistics of numbers.
func Of(numbers []float64) Summary {
	m := moments(numbers)
	s := Summary{Count: len(numbers), Mean: m.mean, SD: m.sd(), Min: math.NaN(), Max: math.NaN(), Interval: m.interval()}
	s.sorted = slices.Sorted(slices.Values(numbers)) // NaN comes first
	if s.Count > 0 {
		s.Min, s.Max = quantile(s.sorted, 0), quantile(s.sorted, 1)
	}
	s.P5, s.P50, s.P95 = quantile(s.sorted, 0.05), quantile(s.sorted, 0.5), quantile(s.sorted, 0.95)
	return s
}

// A moment keeps mean and variance of numbers that come one by one (Welford, Technometrics 4, 1962).
type moment struct {
	n        int
	mean, m2 float64
}

func moments(numbers []float64) moment {
	m := moment{mean: math.NaN()}
	for _, x := range numbers {
		m.add(x)
	}
	return m
}

func (m *moment) add(x float64) {
	if m.n++; m.n == 1 {
		m.mean = x
		return
	}
	d := x - m.mean
	m.mean += float64(d / float64(m.n)) // the conversions keep every platform from fusing two roundings into one
	m.m2 += float64(d * float64(x-m.mean))
}

func (m *moment) sd() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(m.m2 / float64(m.n-1))
}

// interval returns that of the mean, by Student's t.
func (m *moment) interval() Interval {
	if m.n < 2 {
		return Interval{math.NaN(), math.NaN()}
	}
	half := float64(studentT(m.n-1) * m.sd() / math.Sqrt(float64(m.n)))
	return Interval{m.mean - half, m.mean + half}
}

// studentT returns the 97.5 % quantile for degrees of freedom.
func studentT(degrees int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(degrees)}.Quantile(1 - (1-confidence)/2)
}

// quantile returns a quantile of sorted numbers, of type 7 (Hyndman and Fan, The American Statistician 50, 1996). NaN has no place among numbers: with one of them there is no quantile.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(sorted[0]) {
		return math.NaN()
	}
	h := float64(len(sorted)-1) * p
	at := int(h)
	if at+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	low, part := sorted[at], h-float64(at)
	if part == 0 {
		return low
	}
	return low + float64(part*(sorted[at+1]-low))
}

// quantileInterval returns the interval of a quantile by a bootstrap with percentiles. A resample is not drawn number by number: of n sorted uniform numbers,
// the k-th has a beta distribution, and the next one follows from it; so each resample costs the same however many numbers there are.
func quantileInterval(sorted []float64, p float64, seed uint64) Interval {
	n := len(sorted)
	if n < 2 || math.IsNaN(sorted[0]) {
		return Interval{math.NaN(), math.NaN()}
	}
	h := float64(n-1) * p
	at := int(h)
	part := h - float64(at)
	src := rand.New(rand.NewPCG(seed, uint64(n)))
	beta := distuv.Beta{Alpha: float64(at + 1), Beta: float64(n - at), Src: src}
	found := make([]float64, resamples)
	for i := range found {
		u := beta.Rand()
		low := sorted[min(int(u*float64(n)), n-1)]
		found[i] = low
		if part > 0 && at+1 < n {
			u = 1 - (1-u)*math.Pow(1-src.Float64(), 1/float64(n-at-1))
			found[i] += float64(part * (sorted[min(int(u*float64(n)), n-1)] - low))
		}
	}
	return percentiles(found)
}

// percentiles returns the interval between the percentiles 2.5 and 97.5.
func percentiles(found []float64) Interval {
	slices.Sort(found)
	tail := (1 - confidence) / 2
	return Interval{quantile(found, tail), quantile(found, 1-tail)}
}

// Wilson returns the interval of a rate of k in n (Wilson, Journal of the American Statistical Association 22, 1927).
func Wilson(k, n int) Interval {
	if n == 0 {
		return Interval{math.NaN(), math.NaN()}
	}
	z := distuv.UnitNormal.Quantile(1 - (1-confidence)/2)
	p, size := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return Interval{max(0, middle-half), min(1, middle+half)}
}
