package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A tab is a page in the browser. Errors of its scripts fail the test at the end.
type tab struct {
	t        *testing.T
	ctx      context.Context
	requests []string
}

// open opens an address in a window of a size.
func open(t *testing.T, address string, width, height int64, scheme string) *tab {
	t.Helper()
	path := ""
	for _, name := range []string{"/usr/bin/chromium-headless-shell", "/usr/bin/chromium"} {
		if _, err := os.Stat(name); err == nil {
			path = name
			break
		}
	}
	if path == "" {
		t.Fatal("no browser: apt-get install chromium-headless-shell")
	}
	allocator, end := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)...)
	t.Cleanup(end)
	tab := &tab{t: t}
	ctx, end := chromedp.NewContext(allocator, chromedp.WithListener(func(event any) {
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			tab.requests = append(tab.requests, event.Request.URL)
		case *runtime.EventExceptionThrown:
			t.Errorf("%s: %s", address, (&chromedp.ExceptionError{ExceptionDetails: event.ExceptionDetails}).Error())
		case *runtime.EventConsoleAPICalled:
			if event.Type == "error" {
				t.Errorf("%s: the page logs an error: %s", address, event.Args[0].Value)
			}
		}
	}))
	t.Cleanup(end)
	ctx, end = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(end)
	tab.ctx = ctx
	tab.do(chromedp.EmulateViewport(width, height))
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	tab.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media)
		return err
	}))
	tab.do(chromedp.Navigate(address))
	return tab
}

func (tab *tab) do(action chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	if err := chromedp.Do(tab.ctx, action); err != nil {
		tab.t.Fatal(err)
	}
}

// eval evaluates JavaScript.
func eval[T any](tab *tab, code string) T {
	tab.t.Helper()
	found, err := chromedp.Run(tab.ctx, chromedp.Evaluate[T](code))
	if err != nil {
		tab.t.Fatalf("%s: %v", code, err)
	}
	return found
}

// until waits until JavaScript gives true.
func (tab *tab) until(code string) {
	tab.t.Helper()
	ctx, end := context.WithTimeout(tab.ctx, time.Minute)
	defer end()
	for {
		found, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool]("!!("+code+")"))
		if err == nil && found {
			return
		}
		select {
		case <-ctx.Done():
			text, _ := chromedp.Run(tab.ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 2000)"))
			tab.t.Fatalf("never true: %s (%v); the page has:\n%s", code, err, text)
		case <-time.After(30 * time.Millisecond):
		}
	}
}

// picture leaves a picture in the folder PICTURES, if there is one.
func (tab *tab) picture(name string) {
	tab.t.Helper()
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(tab.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tab.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		tab.t.Fatal(err)
	}
}
