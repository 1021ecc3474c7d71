// Command hello is the smallest Go program: the baseline for others.
package main

import "fmt"

func main() { fmt.Println("hello, world") }
