package metrics

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

func get(t *testing.T, s *Server, method, path string) (code int, body string) {
	t.Helper()
	request, err := http.NewRequest(method, "http://"+s.Addr()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, strings.TrimSpace(string(text))
}

func parsed(t *testing.T, s *Server) map[string]*dto.MetricFamily {
	t.Helper()
	code, body := get(t, s, "GET", "/metrics")
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(body + "\n"))
	if code != http.StatusOK || err != nil {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	return families
}

// value returns the value of a metric with these labels, NAME=VALUE.
func value(t *testing.T, families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	t.Helper()
	for _, m := range families["ecsrun_"+name].GetMetric() {
		same := len(m.GetLabel()) == len(labels)
		for i, l := range m.GetLabel() {
			same = same && l.GetName()+"="+l.GetValue() == labels[i]
		}
		if same {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	t.Errorf("no %s %q", name, labels)
	return -1
}

// What is served is what the parser of client_golang reads. Counters go on over the processes of a run.
func TestMetrics(t *testing.T) {
	v := &vitals.Vitals{}
	watch := vitals.NewWatch(v, time.Second)
	s, err := Listen("127.0.0.1:0", "v1", watch)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(parsed(t, s)) == 0 {
		t.Error("nothing before the run begins")
	}
	run := func() {
		v.Config("abc", 7)
		v.Enter(vitals.Ready)
		v.Frame(3 * time.Millisecond)
		v.Frame(20 * time.Second)
		v.Behind(1.5)
		v.Entities.Store(5)
		v.Events.Add(4)
		v.Turns(v.System("move", "auto"), 2, time.Second)
		v.Turns(v.System("move", "lua"), 1, 3*time.Second)
		v.Failed(v.System("move", "lua"))
		v.ScriptBytes.Store(100)
		v.WorldBytes.Store(200)
		v.Saving(true)
		v.Saved(12, true)
		v.SnapshotFailures.Add(1)
	}
	run()
	for _, died := range []float64{0, 1} {
		f := parsed(t, s)
		n := 1 + died
		for _, c := range []struct {
			name   string
			want   float64
			labels []string
		}{
			{"frames_total", 2 * n, nil},
			{"frame_seconds", 2 * n, nil},
			{"behind_seconds", 1.5, nil},
			{"entities", 5, nil},
			{"events_total", 4 * n, nil},
			{"turn_seconds_total", n, []string{"impl=auto", "system=move"}},
			{"turn_seconds_total", 3 * n, []string{"impl=lua", "system=move"}},
			{"turns_total", 3 * n, []string{"system=move"}},
			{"turn_failures_total", n, []string{"system=move"}},
			{"script_bytes", 100, nil},
			{"world_bytes", 200, nil},
			{"snapshots_total", n, nil},
			{"snapshot_failures_total", n, nil},
			{"snapshot_frame", 12, nil},
			{"info", 1, []string{"config_digest=abc", "seed=7", "version=v1"}},
		} {
			if got := value(t, f, c.name, c.labels...); got != c.want {
				t.Errorf("%s %v: %v, want %v", c.name, c.labels, got, c.want)
			}
		}
		if len(f) != 14 {
			t.Errorf("%d families", len(f))
		}
		if h := f["ecsrun_frame_seconds"].GetMetric()[0].GetHistogram(); h.GetSampleSum() != n*20.003 || h.GetBucket()[0].GetCumulativeCount() != 0 || h.GetBucket()[5].GetCumulativeCount() != uint64(n) {
			t.Errorf("%v", h)
		}
		watch.Next(true, func() { *v = vitals.Vitals{} })
		run()
	}
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		if code, _ := get(t, s, "POST", path); code != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: %d", path, code)
		}
	}
	if code, _ := get(t, s, "GET", "/"); code != http.StatusNotFound {
		t.Errorf("/: %d", code)
	}
	if _, err := Listen(s.Addr(), "v1", watch); err == nil {
		t.Error("a busy port")
	}
}

// The states of a run, as health checks see them.
func TestHealth(t *testing.T) {
	v := &vitals.Vitals{}
	const limit = 5 * time.Millisecond
	watch := vitals.NewWatch(v, limit)
	s, err := Listen("127.0.0.1:0", "v1", watch)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := func(healthy, ready string) {
		t.Helper()
		for path, want := range map[string]string{"/healthz": healthy, "/readyz": ready} {
			code, body := get(t, s, "GET", path)
			if body != want || (code == http.StatusOK) != (want == "ok") || code != http.StatusOK && code != http.StatusServiceUnavailable {
				t.Errorf("%s: %d %s, want %s", path, code, body, want)
			}
		}
	}
	want("ok", "starting")
	v.Begin()
	v.Busy(false) // a turn of the startup
	time.Sleep(2 * limit)
	want("the startup takes longer than 5ms", "starting")
	v.Enter(vitals.Ready)
	want("ok", "ok")
	v.Busy(true)
	time.Sleep(2 * limit)
	want("a turn takes longer than 5ms", "ok")
	v.Busy(false)
	want("ok", "ok")
	v.Saving(true)
	time.Sleep(2 * limit)
	want("a save takes longer than 5ms", "ok")
	v.Saved(1, false)
	want("ok", "ok")
	watch.Next(true, func() { *v = vitals.Vitals{} })
	want("the run is being restarted", "starting")
	v.Enter(vitals.Ready)
	want("ok", "ok")
	v.Enter(vitals.Stopping)
	want("ok", "stopping")
}
