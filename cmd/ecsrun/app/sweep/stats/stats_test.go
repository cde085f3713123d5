package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/design"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/config"
)

func tableOf(measures []string, rows ...*job.Result) *Table {
	t := NewTable(measures, 0, nil)
	for _, r := range rows {
		t.Add(r)
	}
	return t
}

func ok(values ...job.Value) *job.Result { return &job.Result{Status: job.OK, Values: values} }

// Of 1,000 sweeps of numbers whose mean, median and rate are known, 93 to 97 % have it in their interval.
func TestIntervalsCover(t *testing.T) {
	const sweeps, rows = 1000, 40
	src := rand.New(rand.NewPCG(1, 2))
	mean, median, rate := 0, 0, 0
	for s := range sweeps {
		numbers := make([]float64, rows)
		hits := 0
		for i := range numbers {
			numbers[i] = 10 + 3*src.NormFloat64()
			if src.Float64() < 0.3 {
				hits++
			}
		}
		sum := Of(numbers)
		if sum.Interval.Low <= 10 && 10 <= sum.Interval.High {
			mean++
		}
		if i := quantileInterval(sum.sorted, 0.5, uint64(s)); i.Low <= 10 && 10 <= i.High {
			median++
		}
		if i := Wilson(hits, rows); i.Low <= 0.3 && 0.3 <= i.High {
			rate++
		}
	}
	for name, n := range map[string]int{"mean": mean, "median": median, "rate": rate} {
		if n < 930 || n > 970 {
			t.Errorf("%s: %d of 1000 intervals have the true value", name, n)
		}
	}
}

func TestStatistics(t *testing.T) {
	s := Of([]float64{4, 1, 3, 2})
	got := fmt.Sprintf("%d %v %.6f %v %v %v %v %.4f %.4f", s.Count, s.Mean, s.SD, s.Min, s.Max, s.P5, s.P50, s.Interval.Low, s.Interval.High)
	if want := "4 2.5 1.290994 1 4 1.15 2.5 0.4457 4.5543"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if i := Wilson(2, 10); fmt.Sprintf("%.4f %.4f", i.Low, i.High) != "0.0567 0.5098" {
		t.Errorf("Wilson: %v", i)
	}
	if s := Of(nil); s.Count != 0 || !math.IsNaN(s.Mean) || !math.IsInf(s.Interval.Half(), 1) {
		t.Errorf("of nothing: %v", s)
	}
}

// A number that is NaN is neither small nor large: no statistic but the count is a number then, and no threshold holds.
func TestStatisticsOfNaN(t *testing.T) {
	s := Of([]float64{1, math.NaN(), 3, 2})
	for name, v := range map[string]float64{"mean": s.Mean, "sd": s.SD, "min": s.Min, "max": s.Max, "p5": s.P5, "p50": s.P50, "p95": s.P95, "low": s.Interval.Low} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v", name, v)
		}
	}
	table := tableOf([]string{"v"}, ok("nan"), ok("nan"), ok("1"), ok("nan"))
	for text, want := range map[string]string{
		"p0(v) < 2":              "NaN false",
		"p50(v) < 2":             "NaN false",
		"p95(v) < 2":             "NaN false",
		"p100(v) < 2":            "NaN false",
		"halfwidth(p100(v)) > 2": "NaN false",
		"halfwidth(mean(v)) > 2": "NaN false",
		"count(v) == 4":          "4 true",
	} {
		th, err := ParseThreshold(text, table.Measures)
		if err != nil {
			t.Fatal(err)
		}
		if v := th.Of(table, table.All()); fmt.Sprint(v, th.Holds(v)) != want {
			t.Errorf("%s: got %v %v, want %s", text, v, th.Holds(v), want)
		}
	}
}

// A resample without variance has no indices; the interval is that of the others.
func TestSobolOfAResampleWithoutVariance(t *testing.T) {
	values := []float64{0, 1, 1, 0, 0, 0, 1, 1, 1}
	x := Sobol(1, len(values), func(p int) (float64, bool) { return values[p], true })[0]
	if math.IsNaN(x.FirstInterval.Low) || math.IsNaN(x.TotalInterval.High) {
		t.Errorf("no interval: %v", x)
	}
}

// The bootstrap of a quantile is that of resamples that are drawn number by number.
func TestBootstrapOfAQuantile(t *testing.T) {
	src := rand.New(rand.NewPCG(4, 4))
	numbers := make([]float64, 61)
	for i := range numbers {
		numbers[i] = src.ExpFloat64()
	}
	sorted := Of(numbers).sorted
	for _, p := range []float64{0.1, 0.5, 0.95} {
		found := make([]float64, 3000)
		for i := range found {
			again := make([]float64, len(sorted))
			for j := range again {
				again[j] = sorted[src.IntN(len(sorted))]
			}
			found[i] = quantile(Of(again).sorted, p)
		}
		want, got := percentiles(found), quantileInterval(sorted, p, 1)
		if width := want.High - want.Low; math.Abs(got.Low-want.Low) > width/7 || math.Abs(got.High-want.High) > width/7 {
			t.Errorf("p%v: %v, drawn one by one %v", 100*p, got, want)
		}
	}
}

func TestThresholds(t *testing.T) {
	table := tableOf([]string{"winner", "length", "over"},
		ok(`"red"`, "10", "true"), ok(`"blue"`, "20", "false"), ok(`"red"`, "30", "true"), ok(`"red"`, "", "true"),
		&job.Result{Status: job.Failed, Values: []job.Value{`"red"`, "1000", "true"}}, &job.Result{Status: job.Parked})
	for text, want := range map[string]string{
		`mean(length) < 25`:                          "20 true",
		`count(length) == 3`:                         "3 true",
		`max(length) <= 29`:                          "30 false",
		`min(length) > 10`:                           "10 false",
		`sd(length) == 10`:                           "10 true",
		`p50(length) >= 20`:                          "20 true",
		`p95(length) < 29`:                           "29 false",
		`rate(winner == "red") > 0.6`:                "0.6666666666666666 true",
		`rate(not winner == 'red') < 0.2`:            "0.16666666666666666 true",
		`rate(winner ~= "red") == 0.17`:              "0.16666666666666666 false",
		`rate(failed) == 0`:                          "0.16666666666666666 false",
		`rate(failed or parked) < 0.4`:               "0.3333333333333333 true",
		`rate(over and (length > 15 or failed)) < 1`: "0.3333333333333333 true",
		`rate(ok) ~= 0`:                              "0.6666666666666666 true",
		`halfwidth(mean(length)) < 25`:               "24.8413771175 true",
		`halfwidth(rate(over)) < 0.4`:                "0.3016176368779 true",
		`mean(winner) < 1`:                           "NaN false",
		`mean(winner) ~= 1`:                          "NaN false",
	} {
		th, err := ParseThreshold(text, table.Measures)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		v := th.Of(table, table.All())
		if got := fmt.Sprintf("%.13g %v", v, th.Holds(v)); got != strings.Replace(want, fmt.Sprint(v), fmt.Sprintf("%.13g", v), 1) && got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		`mean(lenght) < 5`:          `there is no measure "lenght"; did you mean "length"?`,
		`men(length) < 5`:           `there is no statistic "men"; did you mean "mean"?`,
		`mean(length)`:              `one of < <= > >= == ~= expected after mean(length), got ""`,
		`mean(length) < many`:       `a number expected, got "many"`,
		`mean(length) < 5 and 3`:    `"and" is too much`,
		`halfwidth(sd(length)) < 1`: `sd(length) has no interval`,
		`rate(winner < "red") > 0`:  `texts are compared by == and ~=`,
		`rate(winner == red) > 0`:   `a number, a text in quotes, true or false expected after ==, got "red"`,
		`rate(length > ) < 1`:       `a number, a text in quotes, true or false expected after >, got ")"`,
		`mean length < 1`:           `"(" expected, got "length"`,
		`mean(length < 1`:           `")" expected, got "<"`,
		`rate(winner == "red) > 0`:  `a text has no end`,
		`mean(length) < 5 % 2`:      `"%" means nothing here`,
	} {
		if _, err := ParseThreshold(text, table.Measures); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// A rate counts rows of each status by the measures that they have. What depends on a measure that a row does not have is not counted, whatever not says.
func TestRatesAreOverAllRows(t *testing.T) {
	table := tableOf([]string{"winner", "length", "over"},
		ok(`"red"`, "5", "true"),
		&job.Result{Status: job.Limit, Values: []job.Value{`"red"`, "1", "true"}},
		&job.Result{Status: job.Failed, Values: []job.Value{`"blue"`, "2", "false"}},
		&job.Result{Status: job.Failed, Values: []job.Value{"", "", ""}},
		&job.Result{Status: job.Parked})
	for expression, want := range map[string]float64{
		`over`:                                2,
		`not over`:                            1,
		`not not over`:                        2,
		`over or not over`:                    3,
		`winner == "red"`:                     2,
		`winner ~= "red"`:                     1,
		`not (winner == "red")`:               1,
		`length < 3`:                          2,
		`not (length < 3)`:                    1,
		`not (over and length < 3)`:           2,
		`parked or over`:                      3,
		`not (parked or over)`:                1,
		`not ok and not over`:                 1,
		`not (ok and length > 3)`:             4,
		`not (failed and winner == "purple")`: 4,
	} {
		th, err := ParseThreshold("rate("+expression+") >= 0", table.Measures)
		if err != nil {
			t.Fatal(err)
		}
		if got := th.Of(table, table.All()) * 5; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v rows of 5, want %v", expression, got, want)
		}
	}
}

func TestWorst(t *testing.T) {
	table := tableOf([]string{"x"}, ok("1"), ok("5"), ok(""), ok("5"), ok("nan"), &job.Result{Status: job.Failed, Values: []job.Value{"9"}}, ok("3"))
	for text, want := range map[string]string{"max(x)": "[1 3 6]", "min(x)": "[0 6 1]"} {
		w, err := ParseWorst(text, table.Measures)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(w.Rows(table, 3)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, err := ParseWorst("mean(x)", table.Measures); err == nil {
		t.Error("mean is no order")
	}
}

// ishigami is the function of Ishigami and Homma (1990) with a = 7 and b = 0.1, whose indices are known.
func ishigami(u []float64) float64 {
	x := func(i int) float64 { return math.Pi * (2*u[i] - 1) }
	return math.Sin(x(0)) + 7*math.Pow(math.Sin(x(1)), 2) + 0.1*math.Pow(x(2), 4)*math.Sin(x(0))
}

func TestSobolIndicesOfIshigami(t *testing.T) {
	d, err := design.New(config.Design{Kind: config.DesignSaltelli, Points: 1024, Seed: 1}, make([]int, 3))
	if err != nil {
		t.Fatal(err)
	}
	got := Sobol(3, d.Len(), func(p int) (float64, bool) {
		u := make([]float64, 3)
		d.At(p, u)
		return ishigami(u), true
	})
	first, total := []float64{0.3139, 0.4424, 0}, []float64{0.5576, 0.4424, 0.2437}
	for k, x := range got {
		if math.Abs(x.First-first[k]) > 0.02 || math.Abs(x.Total-total[k]) > 0.02 {
			t.Errorf("key %d: S1 %.4f ST %.4f, want %.4f %.4f", k, x.First, x.Total, first[k], total[k])
		}
		if x.FirstInterval.Low > first[k] || x.FirstInterval.High < first[k] || x.TotalInterval.Low > total[k] || x.TotalInterval.High < total[k] {
			t.Errorf("key %d: the intervals %v and %v miss %.4f and %.4f", k, x.FirstInterval, x.TotalInterval, first[k], total[k])
		}
	}
}

// A linear function has the same effect everywhere; a product has another at each place.
func TestMorrisEffects(t *testing.T) {
	d, err := design.New(config.Design{Kind: config.DesignMorris, Points: 40, Levels: 4, Seed: 1}, make([]int, 4))
	if err != nil {
		t.Fatal(err)
	}
	got := Morris(4, d.Len(), func(p int) (float64, bool) {
		u := make([]float64, 4)
		d.At(p, u)
		return 3*u[0] - 5*u[1] + 8*u[2]*u[3], true
	}, d.At)
	for k, want := range []float64{3, 5} {
		if e := got[k]; math.Abs(e.MuStar-want) > 1e-9 || e.Sigma > 1e-9 {
			t.Errorf("key %d: %v", k, e)
		}
	}
	for k := 2; k < 4; k++ {
		if e := got[k]; math.Abs(e.MuStar-4) > 1.2 || e.Sigma < 1 || e.Interval.Low > e.MuStar || e.Interval.High < e.MuStar {
			t.Errorf("key %d: %v", k, e)
		}
	}
}

// Blocks and trajectories in which a value is missing are left out, and counted.
func TestMissingValuesAreCounted(t *testing.T) {
	value := func(missing ...int) func(int) (float64, bool) {
		return func(p int) (float64, bool) { return float64(p * p % 7), !slices.Contains(missing, p) }
	}
	for _, x := range Sobol(2, 20, value(1, 5, 6)) {
		if x.Used != 3 {
			t.Errorf("%d blocks of 5, want 3", x.Used)
		}
	}
	d, err := design.New(config.Design{Kind: config.DesignMorris, Points: 5, Levels: 4, Seed: 1}, make([]int, 2))
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	for _, e := range Morris(2, d.Len(), value(1, 3), d.At) {
		used += e.Used
	}
	if used != 10-3 {
		t.Errorf("%d steps of 10, want 7", used)
	}
}
