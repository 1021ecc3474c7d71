// Package uitest tests luahook ui from the outside, in a real browser.
package uitest
