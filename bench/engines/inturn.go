package engines

import (
	"fmt"

	"github.com/luahook/luahook/bench/policy"
)

// InTurn returns a run that judges the events of a case, one per call, and fails if the decision is wrong.
func InTurn(g Guard, c policy.Case) (func() error, error) {
	judges := make([]Judge, len(c.Events))
	for i, e := range c.Events {
		var err error
		if judges[i], err = g.Prepare(e); err != nil {
			return nil, err
		}
	}
	turn := new(struct {
		next int
		_    [15]int // counters of two goroutines in one cache line would slow each other down
	})
	return func() error {
		i := turn.next
		if turn.next++; turn.next == len(judges) {
			turn.next = 0
		}
		d, err := judges[i]()
		if err != nil {
			return err
		}
		if want := c.Want[i]; d.Block != want.Block || len(d.Output) != len(want.Output) {
			return fmt.Errorf("%s, event %d: the answer is wrong: block is %t, %s", c.Name, i, d.Block, d.Reason)
		}
		return nil
	}, nil
}
