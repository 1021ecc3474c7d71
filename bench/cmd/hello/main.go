// Command hello is the least that a Go program can be: what others are compared with.
package main

import "fmt"

func main() { fmt.Println("hello, world") }
