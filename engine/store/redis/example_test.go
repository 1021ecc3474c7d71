package redis_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
)

func ExampleOpen() {
	s, err := redis.Open("redis://hooks:s3cret@127.0.0.1:1/0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, err = s.Incr(context.Background(), store.Space{Name: "builds"}, "failures", 1, store.Keep)
	var unavailable *store.UnavailableError
	fmt.Println("unavailable:", errors.As(err, &unavailable)) // nobody listens there
	// Output: unavailable: true
}
