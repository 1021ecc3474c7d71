package uitest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	pictures   = "../docs/ui"
	maxPicture = 150 << 10 // bytes
)

// pictured are the views that the documentation shows.
func pictured() (names []string) {
	for _, v := range views {
		if v.name != "sessions" {
			names = append(names, v.name)
		}
	}
	return names
}

// TestPictures has a picture of each view in docs/ui, light and dark; -update takes them anew.
func TestPictures(t *testing.T) {
	if *update {
		takePictures(t)
	}
	want := []string{"now-narrow-light.png", "now-narrow-dark.png"}
	for _, name := range pictured() {
		want = append(want, name+"-light.png", name+"-dark.png")
	}
	for _, name := range want {
		text, err := os.ReadFile(filepath.Join(pictures, name))
		if err != nil {
			t.Errorf("%v; go test -run TestPictures -update takes the pictures", err)
			continue
		}
		if _, err := png.DecodeConfig(bytes.NewReader(text)); err != nil || len(text) > maxPicture {
			t.Errorf("%s has %d bytes (%v), want a PNG of %d at most", name, len(text), err, maxPicture)
		}
	}
}

// takePictures shows the fixture as it would look to the one who played it: where there is no /home/kim, it is there
// for the time of the test.
func takePictures(t *testing.T) {
	home := "/home/kim"
	if err := os.Mkdir(home, 0o700); err != nil {
		if !errors.Is(err, fs.ErrPermission) {
			t.Fatalf("%v: the pictures are taken of a home of that name, which the test makes", err)
		}
		home = filepath.Join(t.TempDir(), "kim")
		if err := os.Mkdir(home, 0o700); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Cleanup(func() { os.RemoveAll(home) })
	}
	s := serveIn(t, home, "log")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		p := open(t, s).colours(scheme)
		for _, v := range views {
			if v.name == "sessions" {
				continue
			}
			v.at(p)
			if v.prepare != nil {
				v.prepare(p)
			}
			p.picture(v.name + "-" + scheme + ".png")
		}
		p.size(390, 800).visit("now")
		p.picture("now-narrow-" + scheme + ".png")
	}
}

// picture writes what the window shows.
func (p *tab) picture(name string) {
	p.t.Helper()
	p.eventually("that the page is whole", `document.readyState === "complete" && document.fonts.status === "loaded"`)
	text, err := within(p, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if text, err = fewColours(text); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pictures, name), text, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// fewColours is a PNG with its 256 commonest colours, which is a third as long: a page has few but for the edges of its
// letters.
func fewColours(text []byte) ([]byte, error) {
	whole, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	count := map[color.Color]int{}
	b := whole.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[whole.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		ar, ag, ab, _ := a.RGBA()
		br, bg, bb, _ := b.RGBA()
		return cmp.Or(count[b]-count[a], cmp.Compare(ar, br), cmp.Compare(ag, bg), cmp.Compare(ab, bb))
	})
	few := image.NewPaletted(b, colours[:min(256, len(colours))])
	draw.Draw(few, b, whole, b.Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few)
	return out.Bytes(), err
}
