// Package sql says what SQL statements would do.
package sql

import _ "github.com/DataDog/go-sqllexer"
