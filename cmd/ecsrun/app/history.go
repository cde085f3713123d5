package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/record"
)

// This file is what a run keeps of its frames, for history.goto: copies within a bound, and what was done to the world between frames.
// history_branch.go is the way that a run takes when something else is done in the past.

// A history is what a run keeps of its frames. All methods may be called on nil: nothing is kept then.
type history struct {
	run     *run
	most    uint64           // bytes
	copies  []kept           // in the order of frames
	bytes   uint64           // of the copies
	spare   []kept           // dropped copies, for the memory of the next ones; with copies they take no more than most
	unused  uint64           // bytes of the spare ones
	due     time.Time        // of the next copy
	apart   time.Duration    // the shortest time of running between two copies
	said    string           // why no copy was made, the last time that it was said
	inputs  []luabind.Inputs // of the frames after the first copy, in order, also those behind the one where the world stands
	now     []string         // what was done for the frame that comes, or within the one that runs
	reached uint64           // the last whole frame of the way that the run is on
	told    uint64           // the last frame of which lines have left the process
	ended   map[uint64]bool  // frames in which a turn was ended by a measurement
	frames  []*record.Frame  // of --record: those that run again since the last copy
}

// A kept is a copy, and what the process keeps beside it.
type kept struct {
	moment   *luabind.Moment
	frame    uint64
	bytes    uint64
	at       time.Duration // of running, since the beginning of the run
	config   *config.Config
	set      []string       // overrides of snapshots
	written  *config.Config // of --watch
	over     []string       // the same
	disabled int            // lines of the summary
	total    map[*ecs.System]time.Duration
	mark     *record.Mark
}

// copyShare says that copies take at most one part in so many of the time. Tests set it.
var copyShare time.Duration = 50

// What is older than the bound allows is first thinned out, as long as copies are closer
// than closest; after that the oldest go.
const (
	closest = time.Second
	fewest  = 64
)

// aHistory is the History of a run's control plane.
type aHistory struct{ run *run }

// Start implements [control.History].
func (a aHistory) Start(memory uint64) error {
	r := a.run
	if r.recording != nil && !r.recording.cut {
		return errors.New("--record names no regular file, and a record is cut when the run takes another way; record to a file")
	}
	if r.history == nil {
		h := &history{run: r, most: memory, reached: r.runtime.World().Frame(), told: r.runtime.World().Frame(), ended: map[uint64]bool{}}
		if err := h.copy(); err != nil {
			return fmt.Errorf("history.start: %w", err)
		}
		r.countTurns()
		r.history = h
		return nil
	}
	if n := len(r.history.copies); n > 0 && r.history.copies[n-1].bytes > memory {
		return fmt.Errorf("history.start: %w", tooLarge(r.history.copies[n-1].bytes, memory))
	}
	r.history.most = memory
	r.history.shrink(0)
	return nil
}

// Kept implements [control.History].
func (a aHistory) Kept() control.Kept {
	h := a.run.history
	out := control.Kept{On: h != nil, Copies: []uint64{}}
	if h == nil {
		return out
	}
	out.Last, out.Bytes, out.Memory = h.reached, h.bytes, h.most
	for i := range h.copies {
		out.Copies = append(out.Copies, h.copies[i].frame)
	}
	if len(out.Copies) > 0 {
		out.First = out.Copies[0]
	}
	return out
}

// startHistory begins to keep copies, for --history.
func (r *run) startHistory() {
	if r.flags.inspect.history == "" {
		return
	}
	size, _ := config.ParseSize(r.flags.inspect.history) // check has looked
	if err := (aHistory{r}).Start(size); err != nil {
		fmt.Fprintf(r.console.stderr(), "--history: frame %d is not kept: %v\n", r.runtime.World().Frame(), err)
	}
}

// copy keeps the present frame.
func (h *history) copy() error {
	r := h.run
	began := time.Now()
	if n := len(h.copies); n > 0 {
		h.shrink(h.copies[n-1].bytes)
	}
	m, err := r.runtime.Remember(h.reuse())
	if err != nil {
		h.shrink(0)
		h.due = time.Now().Add(copyShare * time.Since(began))
		return err
	}
	c := kept{moment: m, frame: m.Frame(), bytes: m.Bytes(), at: r.meter.busyTime(), config: r.config, disabled: len(r.disabled), total: maps.Clone(r.meter.total)}
	if c.bytes > h.most {
		h.shrink(0)
		h.due = time.Now().Add(copyShare * time.Since(began))
		return tooLarge(c.bytes, h.most)
	}
	if r.saver != nil {
		c.set = r.saver.from.Overrides
	}
	if r.watch != nil {
		c.written, c.over = r.watch.written, r.watch.over.Set
	}
	if r.recording != nil {
		c.mark = r.recording.w.Mark()
	}
	if n := len(h.copies); n > 0 && !h.copies[n-1].moment.SameDeclarations(m) {
		h.forget() // a turn has declared something
	}
	h.copies, h.bytes = append(h.copies, c), h.bytes+c.bytes
	h.frames = nil
	h.shrink(0)
	h.due = time.Now().Add((copyShare - 1) * time.Since(began))
	return nil
}

func tooLarge(bytes, most uint64) error {
	return fmt.Errorf("a copy takes %.1f MiB, and the history may take %.1f MiB", float64(bytes)/(1<<20), float64(most)/(1<<20))
}

// reuse returns a dropped copy for its memory, nil if there is none.
func (h *history) reuse() *luabind.Moment {
	n := len(h.spare)
	if n == 0 {
		return nil
	}
	c := h.spare[n-1]
	h.spare[n-1] = kept{}
	h.spare, h.unused = h.spare[:n-1], h.unused-c.bytes
	return c.moment
}

// drop drops a copy, and keeps its memory.
func (h *history) drop(c kept) {
	h.bytes -= c.bytes
	h.spare, h.unused = append(h.spare, kept{moment: c.moment, bytes: c.bytes}), h.unused+c.bytes
}

// shrink makes room for so many more bytes.
func (h *history) shrink(more uint64) {
	for h.bytes+more > h.most && len(h.copies) > 0 {
		if n := len(h.copies); n > fewest && h.apart < closest {
			h.apart = max(2*h.apart, 2*(h.copies[n-1].at-h.copies[0].at)/time.Duration(n))
			thin := h.copies[:1]
			for _, c := range h.copies[1:] {
				if c.at-thin[len(thin)-1].at >= h.apart || c.frame == h.copies[n-1].frame {
					thin = append(thin, c)
				} else {
					h.drop(c)
				}
			}
			clear(h.copies[len(thin):])
			h.copies = thin
			if len(thin) < n {
				continue
			}
		}
		h.drop(h.copies[0])
		h.copies = slices.Delete(h.copies, 0, 1)
	}
	for h.bytes+h.unused > h.most && len(h.spare) > 0 {
		h.reuse()
	}
	h.run.dog.keeps(h.bytes + h.unused)
	if len(h.copies) > 0 {
		h.inputs = laterThan(h.copies[0].frame, h.inputs)
	}
}

// forget drops all copies, because nothing leads back to them any more.
func (h *history) forget() {
	clear(h.copies)
	h.copies, h.bytes, h.spare, h.unused, h.inputs = h.copies[:0], 0, nil, 0, nil
	clear(h.ended)
}

// anew begins the history with the present frame.
func (h *history) anew() {
	if h == nil {
		return
	}
	h.forget()
	h.now = nil
	h.tryCopy()
}

// tryCopy keeps the present frame, and says once why it cannot.
func (h *history) tryCopy() {
	err := h.copy()
	if err == nil {
		h.said = ""
		return
	}
	if text := withoutNumbers(err.Error()); text != h.said {
		h.said = text
		h.run.logs.log.Warn(fmt.Sprintf("history: frame %d is not kept: %v", h.run.runtime.World().Frame(), err))
	}
}

// input notes what is done to the world.
func (h *history) input(line string) {
	if h == nil {
		return
	}
	if h.run.failure == nil { // nothing follows a failure
		h.now = append(h.now, line)
	}
}

// undone forgets the last line.
func (h *history) undone() {
	if h != nil && len(h.now) > 0 {
		h.now = h.now[:len(h.now)-1]
	}
}

// again reports whether the frame that comes was run before on this way, so that its lines have left the process.
func (h *history) again() bool { return h != nil && h.run.runtime.World().Frame() < h.told }

// past reports whether what is done before the frame that comes is known.
func (h *history) past() bool { return h != nil && h.run.runtime.World().Frame() < h.reached }

// of returns what was done before a frame, or within it.
func (h *history) of(frame uint64) []string {
	if h == nil {
		return nil
	}
	i := sort.Search(len(h.inputs), func(i int) bool { return h.inputs[i].Frame >= frame })
	if i == len(h.inputs) || h.inputs[i].Frame != frame {
		return nil
	}
	return h.inputs[i].Lines
}

// put notes what was done for a frame.
func (h *history) put(frame uint64, lines []string) {
	i := sort.Search(len(h.inputs), func(i int) bool { return h.inputs[i].Frame >= frame })
	if i < len(h.inputs) && h.inputs[i].Frame == frame {
		h.inputs = slices.Delete(h.inputs, i, i+1)
	}
	if len(lines) > 0 {
		h.inputs = slices.Insert(h.inputs, i, luabind.Inputs{Frame: frame, Lines: lines})
	}
}

// frameRan is called after a frame, also one that has failed: its lines have left the process.
func (h *history) frameRan() {
	if h != nil {
		h.told = max(h.told, h.run.runtime.World().Frame())
	}
}

// frameEnded is called after a whole frame, and keeps it if it is time.
func (h *history) frameEnded() {
	if h == nil {
		return
	}
	r := h.run
	frame := r.runtime.World().Frame()
	h.put(frame, h.now)
	h.now = nil
	h.reached = max(h.reached, frame)
	if n := len(h.copies); n > 0 && h.copies[n-1].frame >= frame {
		if slices.ContainsFunc(h.copies, func(c kept) bool { return c.frame == frame }) {
			h.frames = nil
		}
		return
	}
	if r.recording != nil && frame < h.told {
		return // the record has no place for a mark
	}
	n := len(h.copies)
	if h.ended[frame] || !time.Now().Before(h.due) && (n == 0 || r.meter.busyTime()-h.copies[n-1].at >= h.apart) {
		h.tryCopy()
	}
}

// ranAgain notes a frame of the record that has run again.
func (h *history) ranAgain(f *record.Frame) {
	c := *f
	c.Inputs, c.Marks, c.Turns, c.Parts = slices.Clone(f.Inputs), slices.Clone(f.Marks), slices.Clone(f.Turns), slices.Clone(f.Parts)
	h.frames = append(h.frames, &c)
}

// mark notes an error that may not end the same turn in another run.
func (h *history) mark(err error) {
	if h == nil {
		return
	}
	var m *measuredLimit
	if errors.As(err, &m) || errors.Is(err, errInterrupted) {
		frame := h.run.runtime.World().Frame()
		if h.run.doingAgain {
			h.leaveAfter(frame - 1)
		}
		h.ended[frame] = true
	}
}

// Back implements [control.History].
func (a aHistory) Back(frame uint64) error {
	r := a.run
	h, w := r.history, r.runtime.World()
	i := sort.Search(len(h.copies), func(i int) bool { return h.copies[i].frame > frame }) - 1
	c := &h.copies[i]
	if at := w.Frame(); len(h.now) == 0 && at <= h.reached && c.frame <= at && at <= frame && r.failure == nil {
		return nil
	}
	if err := r.runtime.GoBack(c.moment); err != nil {
		if errors.Is(err, ecs.ErrMismatch) || errors.Is(err, luabind.ErrReplaced) {
			return fmt.Errorf("there is no way back to frame %d, because something was declared or replaced since: %w", frame, err)
		}
		r.broken = err
		return err
	}
	if len(h.now) > 0 {
		h.put(h.reached+1, h.now)
		h.now = nil
	}
	r.backs++
	r.turnsDone, r.within, h.frames = 0, nil, nil
	r.config, r.disabled = c.config, r.disabled[:c.disabled]
	r.meter.total = maps.Clone(c.total)
	if r.trace != nil {
		r.trace.frame = record.Frame{}
	}
	if r.saver != nil {
		r.saver.hasSaved = false // what is done from now on may look like what was done then
		r.saver.from.Overrides = c.set
		r.saver.from.Inputs = slices.Concat(laterThan(c.frame, h.inputs), r.later)
	}
	if r.watch != nil {
		r.watch.written, r.watch.over.Set = c.written, c.over
	}
	if r.emit != nil {
		r.emit.emitter.Lines()
	}
	if r.feed != nil && r.feed.arrived != nil {
		r.feed.decoder.Rewind(frame + 1)
	}
	r.conduct.wentBack()
	return nil
}
