package ecs

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// savingWorld has 200,000 entities with seven numbers each, as a simulation has them: places and speeds that are
// fractions, whole numbers, a reference, half of them changed one by one.
func savingWorld(tb testing.TB) (w *World, values int) {
	const n = 200_000
	w = newWorld(Options{Seed: 1})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	body := MustRegister[struct {
		HP     int32
		Side   uint8
		Target Entity
	}](w, "Body")
	rng := rand.New(rand.NewPCG(1, 2))
	w.BeginFrame(1)
	for i := range n {
		e := must[Entity](tb)(w.Spawn(pos.ID(), vel.ID(), body.ID()))
		*pos.Write(e) = position{rng.Float64() * 1000, rng.Float64() * 1000}
		*vel.Write(e) = velocity{rng.Float64() - 0.5, rng.Float64() - 0.5}
		b := body.Write(e)
		b.HP, b.Side, b.Target = int32(rng.IntN(100)), uint8(i%2), makeEntity(uint32(rng.IntN(n)), 1)
		if i%100 == 99 {
			w.advanceTick()
		}
	}
	for _, t := range w.tables {
		if c := t.Column(vel.ID()); c != nil {
			c.StampAll()
		}
		if c := t.Column(pos.ID()); c != nil {
			w.advanceTick()
			for i := range c.Len() {
				if rng.IntN(2) == 0 {
					c.Stamp(i)
				}
			}
		}
	}
	w.EndFrame()
	return w, 7 * n
}

// BenchmarkSave reports component values a second.
func BenchmarkSave(b *testing.B) {
	w, values := savingWorld(b)
	size := 0
	b.ResetTimer()
	cpu := cpuSeconds()
	for b.Loop() {
		if err := w.Save(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(values)*float64(b.N)/(cpuSeconds()-cpu), "values/cpu-s")
	size = len(saved(b, w))
	b.ReportMetric(float64(values)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
	b.ReportMetric(float64(size)/float64(values), "bytes/value")
}

func BenchmarkLoad(b *testing.B) {
	w, values := savingWorld(b)
	file := saved(b, w)
	b.ResetTimer()
	cpu := cpuSeconds()
	for b.Loop() {
		if _, err := Load(bytes.NewReader(file), Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(values)*float64(b.N)/(cpuSeconds()-cpu), "values/cpu-s")
	b.ReportMetric(float64(values)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
}

// BenchmarkFreeze is the part of a save that the frame waits for: a copy into a world that has the memory.
func BenchmarkFreeze(b *testing.B) {
	w, values := savingWorld(b)
	c := must[*World](b)(w.Copy())
	b.ResetTimer()
	cpu := cpuSeconds()
	for b.Loop() {
		if err := c.Restore(w); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(values)*float64(b.N)/(cpuSeconds()-cpu), "values/cpu-s")
	b.ReportMetric(float64(values)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
}
