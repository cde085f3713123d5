package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

const cell = `document.querySelector("row-table .line:not(.waiting) [role=gridcell]")`

// TestEdit changes a field in the page; a query for changes in a script sees it in the next frame.
func TestEdit(t *testing.T) {
	w := start(t, "--inspect-wait")
	tab := open(t, w.address, 1280, 800, "light")
	tab.until(cell + `?.textContent.length > 1`)
	eval[any](tab, cell+`.click()`)
	const field = `document.querySelector("aside [aria-label='Health.current']")`
	tab.until(field)
	eval[any](tab, field+`.focus(), `+field+`.select()`)
	tab.do(chromedp.KeyEvent("42\r"))
	tab.until(field + `.value === "42"`)
	entity := eval[string](tab, `document.querySelector("aside h2").textContent`)
	got := w.call(t, "entity.get", map[string]any{"entity": entity}).(map[string]any)
	health := got["components"].(map[string]any)["Health"].(map[string]any)
	if set := fmt.Sprint(health["set"]); set != "map[current:42]" || health["by"] != "inspector" {
		t.Fatalf("the component is %v", health)
	}
	eval[any](tab, `document.activeElement.blur()`)
	tab.do(chromedp.KeyEvent("."))
	tab.until(`document.querySelector(".frame").textContent === "1"`)
	if seen := w.call(t, "lua.eval", map[string]any{"code": "return world.resources.seen", "as": "read"}).(map[string]any)["values"]; fmt.Sprint(seen) != "[1]" {
		t.Fatalf("the script saw %v changes", seen)
	}
	if w.info(t, "edited") != true {
		t.Fatal("the run does not say that it was edited")
	}
}

// TestSteps steps with the keyboard; the digests are those of a run that nobody watched.
func TestSteps(t *testing.T) {
	want := digests(t, 3)
	w := start(t, "--inspect-wait")
	tab := open(t, w.address, 1280, 800, "dark")
	tab.until(cell)
	for frame := range 3 {
		tab.do(chromedp.KeyEvent("."))
		tab.until(fmt.Sprintf(`document.querySelector(".frame").textContent === "%d"`, frame+1))
		if got := w.info(t, "digest"); got != want[fmt.Sprint(frame+1)] {
			t.Fatalf("frame %d has digest %v, not %s", frame+1, got, want[fmt.Sprint(frame+1)])
		}
	}
}

// TestHistory goes back by the slider and forward again: the digests are those of a run that nobody watched.
func TestHistory(t *testing.T) {
	want := digests(t, 12)
	w := start(t, "--inspect-wait", "--history", "64MiB")
	tab := open(t, w.address+"&view=history", 1280, 800, "light")
	tab.until(`document.querySelector("history-view input[type=range]")`)
	w.call(t, "run.step", map[string]any{"frames": 12})
	tab.until(`document.querySelector(".frame").textContent === "12" && document.querySelector("history-view input[type=range]").max === "12"`)
	for _, frame := range []int{5, 3, 11} {
		eval[any](tab, fmt.Sprintf(`(() => { const slider = document.querySelector("history-view input[type=range]"); slider.value = %d; slider.dispatchEvent(new Event("input")); slider.dispatchEvent(new Event("change")); })()`, frame))
		tab.until(fmt.Sprintf(`document.querySelector(".frame").textContent === "%d" && document.querySelector("history-view output").textContent === "frame %d"`, frame, frame))
		if got := w.info(t, "digest"); got != want[fmt.Sprint(frame)] {
			t.Fatalf("frame %d has digest %v, not %s", frame, got, want[fmt.Sprint(frame)])
		}
	}
	eval[any](tab, `document.activeElement?.blur()`)
	tab.do(chromedp.KeyEvent("."))
	tab.until(`document.querySelector(".frame").textContent === "12"`)
	if got := w.info(t, "digest"); got != want["12"] {
		t.Fatalf("forward again, frame 12 has digest %v, not %s", got, want["12"])
	}
	tab.picture("history")
}

// TestPlots plots two numbers; what is no number says why.
func TestPlots(t *testing.T) {
	w := start(t, "--inspect-wait")
	tab := open(t, w.address+"&view=plots", 1280, 800, "light")
	tab.until(`document.querySelector("plots-view input")`)
	for _, text := range []string{"sum(Health.current)", "walkers", "sum(Healt.current)"} {
		eval[any](tab, `document.querySelector("plots-view input").focus()`)
		tab.do(chromedp.KeyEvent(text + "\r"))
		tab.until(fmt.Sprintf(`[...document.querySelectorAll(".plot h3")].some((plot) => plot.textContent.startsWith(%q))`, text))
	}
	tab.until(`document.querySelectorAll(".plot output")[0].textContent === "6000" && document.querySelectorAll(".plot output")[1].textContent === "60"`)
	tab.until(`document.querySelectorAll(".plot .error")[2].textContent.includes("Health")`)
	tab.picture("plots")
}

// TestAddress looks that the token leaves the address and that a shared link opens the entity, which needs a token.
func TestAddress(t *testing.T) {
	w := start(t, "--inspect-wait")
	tab := open(t, w.address+"&entity=17v1", 1280, 800, "light")
	tab.until(`document.querySelector("aside h2")?.textContent === "17v1"`)
	if hash := eval[string](tab, `location.hash`); hash != "#entity=17v1" {
		t.Fatalf("the address has %q", hash)
	}
	stranger := open(t, "http://"+w.host+"/#entity=17v1", 1280, 800, "light")
	stranger.until(`!document.querySelector(".notice").hidden`)
	if text := eval[string](stranger, `document.querySelector(".notice").textContent`); !strings.Contains(text, "token") {
		t.Fatalf("without a token the page says %q", text)
	}
}

// TestLost ends the run; the page says so and keeps what it shows.
func TestLost(t *testing.T) {
	w := start(t, "--inspect-wait")
	tab := open(t, w.address, 1280, 800, "light")
	tab.until(cell)
	w.process.Process.Kill()
	tab.until(`!document.querySelector(".notice").hidden && document.querySelector(".badge").textContent === "lost"`)
	tab.until(cell)
}

// TestViews opens each view in both sizes and colours, looks for names and contrast, and takes pictures.
func TestViews(t *testing.T) {
	check, err := os.ReadFile("testdata/accessible.js")
	if err != nil {
		t.Fatal(err)
	}
	w := start(t, "--history", "64MiB")
	for _, width := range []int64{1280, 360} {
		for _, scheme := range []string{"light", "dark"} {
			tab := open(t, w.address, width, 720, scheme)
			tab.until(cell)
			for i, view := range []string{"entities", "entity", "schedule", "timeline", "plots", "log", "console", "map", "history"} {
				eval[any](tab, `document.activeElement?.blur()`)
				if view == "entity" {
					eval[any](tab, cell+`.click()`)
				}
				tab.do(chromedp.KeyEvent(fmt.Sprint(i + 1)))
				tab.until(`document.querySelector("` + view + `-view")`)
				time.Sleep(700 * time.Millisecond)
				tab.picture(fmt.Sprintf("%d-%s-%d-%s", width, scheme, i+1, view))
				for _, problem := range eval[[]string](tab, string(check)) {
					t.Errorf("%s, %d pixels, %s: %s", view, width, scheme, problem)
				}
				if view == "entity" {
					tab.do(chromedp.KeyEvent("\x1b"))
				}
			}
		}
	}
}

// TestSaved saves the page and opens the file: it asks nobody for anything, and has the rows.
func TestSaved(t *testing.T) {
	w := start(t, "--inspect-wait")
	tab := open(t, w.address, 1280, 800, "light")
	tab.until(cell)
	first := eval[string](tab, cell+`.textContent`)
	eval[any](tab, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.kept = text; }); return make.call(URL, blob); }; })()`)
	eval[any](tab, `[...document.querySelectorAll("header button")].find((button) => button.textContent === "Save page").click()`)
	tab.until(`window.kept`)
	file := filepath.Join(t.TempDir(), "saved.html")
	if err := os.WriteFile(file, []byte(eval[string](tab, `window.kept`)), 0o644); err != nil {
		t.Fatal(err)
	}
	saved := open(t, "file://"+file, 1280, 800, "dark")
	saved.until(cell + `?.textContent === "` + first + `"`)
	for i := range 9 {
		eval[any](saved, `document.activeElement?.blur()`)
		saved.do(chromedp.KeyEvent(fmt.Sprint(i + 1)))
	}
	time.Sleep(300 * time.Millisecond)
	for _, request := range saved.requests {
		if !strings.HasPrefix(request, "file://"+file) && request != "data:," {
			t.Errorf("the saved page asks for %s", request)
		}
	}
	saved.picture("saved")
}
