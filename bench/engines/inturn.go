package engines

import (
	"fmt"

	"github.com/luahook/luahook/bench/policy"
)

// InTurn makes a run that judges the events of a case, one a call, and fails where the
// decision isn't to block or not to block as it should be.
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
		_    [15]int // two goroutines' turns in one cache line would slow each other
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
