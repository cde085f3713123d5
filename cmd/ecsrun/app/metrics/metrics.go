// Package metrics serves the vitals of a run to Prometheus and to whoever watches its health: /metrics, /healthz and /readyz, for GET only.
// No value of the world is in them.
package metrics

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

// A Server serves the vitals of a run.
type Server struct {
	version string
	watch   *vitals.Watch
	http    *http.Server
	on      net.Listener
}

// Listen begins to serve at an address. The error is that of the address.
func Listen(addr, version string, watch *vitals.Watch) (*Server, error) {
	on, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{version: version, watch: watch, on: on}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, watch.Unhealthy()) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { answer(w, watch.Unready()) })
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 1 << 14}
	go func() { _ = s.http.Serve(on) }() // until Close
	return s, nil
}

// Addr returns the address, with the port that the system has chosen.
func (s *Server) Addr() string { return s.on.Addr().String() }

// Close ends the server, after at most a second for answers that are under way.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
}

func answer(w http.ResponseWriter, problem string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if problem == "" {
		problem = "ok"
	} else {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintln(w, problem)
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("ecsrun_"+name, help, labels, nil)
}

var (
	frames           = desc("frames_total", "Frames that were run.")
	frameSeconds     = desc("frame_seconds", "Wall clock of each frame.")
	behind           = desc("behind_seconds", "How far the run is behind the clock that run.realtime asks for.")
	entities         = desc("entities", "Living entities.")
	events           = desc("events_total", "Events that were sent.")
	turnSeconds      = desc("turn_seconds_total", "Wall clock of the turns of a system under an implementation.", "system", "impl")
	turns            = desc("turns_total", "Turns of a system.", "system")
	turnFailures     = desc("turn_failures_total", "Turns of a system that have failed.", "system")
	scriptBytes      = desc("script_bytes", "Memory that scripts hold beyond the world, as limits.memory measures it.")
	worldBytes       = desc("world_bytes", "Memory of tables, tags, grids, relations and events, as limits.world counts it.")
	snapshots        = desc("snapshots_total", "Snapshots that were written.")
	snapshotFailures = desc("snapshot_failures_total", "Snapshots that could not be written.")
	snapshotFrame    = desc("snapshot_frame", "The frame of the newest snapshot that this run has written; 0: none.")
	information      = desc("info", "What runs; always 1.", "version", "config_digest", "seed")
)

// Describe implements [prometheus.Collector].
func (s *Server) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{frames, frameSeconds, behind, entities, events, turnSeconds, turns, turnFailures, scriptBytes, worldBytes, snapshots, snapshotFailures, snapshotFrame, information} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (s *Server) Collect(ch chan<- prometheus.Metric) {
	t := s.watch.Totals()
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter(frames, float64(t.Frames))
	buckets, n := map[float64]uint64{}, uint64(0)
	for i, bound := range vitals.Buckets {
		n += t.FrameTimes[i]
		buckets[bound] = n
	}
	ch <- prometheus.MustNewConstHistogram(frameSeconds, n+t.FrameTimes[len(vitals.Buckets)], t.FrameSeconds, buckets)
	gauge(behind, t.Behind)
	gauge(entities, float64(t.Entities))
	counter(events, float64(t.Events))
	done, failed := map[string]uint64{}, map[string]uint64{}
	for _, sys := range t.Systems {
		counter(turnSeconds, sys.Seconds, sys.Name, sys.Impl)
		done[sys.Name] += sys.Turns
		failed[sys.Name] += sys.Failures
	}
	for name := range done {
		counter(turns, float64(done[name]), name)
		counter(turnFailures, float64(failed[name]), name)
	}
	gauge(scriptBytes, float64(t.ScriptBytes))
	gauge(worldBytes, float64(t.WorldBytes))
	counter(snapshots, float64(t.Snapshots))
	counter(snapshotFailures, float64(t.SnapshotFailures))
	gauge(snapshotFrame, float64(t.SnapshotFrame))
	gauge(information, 1, s.version, t.ConfigDigest, strconv.FormatUint(t.Seed, 10))
}
