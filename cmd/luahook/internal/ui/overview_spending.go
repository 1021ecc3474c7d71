package ui

import (
	"fmt"

	"github.com/luahook/luahook/cmd/luahook/internal/chart"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// spending shows what models have cost, as cost-tracker has counted it.
func (o *overview) spending() Node {
	const title = "Tokens and money"
	if len(o.costs.sessions) == 0 {
		return section(title, El("p", Text("No record here has costs. The built-in hook cost-tracker counts them where it is listed in hooks.yaml.")))
	}
	return section(title, o.spendingOverTime(), El("div", Class("tables"), o.sessionTable(), o.modelTable()))
}

// spendingOverTime shows tokens as they were used, and money as it has added up.
func (o *overview) spendingOverTime() Node {
	if o.buckets == nil {
		return Node{}
	}
	used := make([]logindex.Cost, o.buckets.len())
	for _, s := range o.costs.spent {
		if at := o.buckets.of(s.time); at >= 0 {
			used[at].USD += s.USD
			used[at].Tokens += s.Tokens
		}
	}
	tokens := &chart.Columns{
		Frame: chart.Frame{
			ID: "tokens", Title: "Tokens over time", Ticks: o.buckets.ticks(), Unit: chart.Short,
			Description: fmt.Sprintf("Tokens for each %s, %s together. The numbers are in the table below.", o.buckets.widthText(), grouped(o.costs.Tokens)),
		},
		Series: []chart.Series{{Class: "accent"}},
	}
	money := &chart.Line{
		Frame: chart.Frame{
			ID: "money", Title: "Money, added up", Ticks: o.buckets.ticks(), Unit: chart.Dollars,
			Description: fmt.Sprintf("Money that was spent since the beginning of this time, %s at its end. The numbers are in the table below.", dollars(o.costs.USD)),
		},
		Values: []float64{0},
	}
	var rows []Node
	total := 0.
	for i, u := range used {
		label := o.buckets.label(i)
		total += u.USD
		tokens.Columns = append(tokens.Columns, chart.Column{Label: label + ": " + grouped(u.Tokens) + " tokens, " + dollars(u.USD), Values: []int{int(u.Tokens)}})
		money.Values = append(money.Values, total)
		if u != (logindex.Cost{}) {
			rows = append(rows, El("tr", El("th", Attr("scope", "row"), El("a", Attr("href", o.now(o.buckets.bounds[i], o.buckets.bounds[i+1])), Text(label))),
				number(grouped(u.Tokens)), number(dollars(u.USD)), number(dollars(total))))
		}
	}
	return Group(
		El("div", Class("charts"), El("div", El("h3", Text("Tokens over time")), tokens.Node()),
			If(o.costs.USD > 0, El("div", El("h3", Text("Money, added up")), money.Node()))),
		numbersOf("tokens and money over time", []string{"Time", "Tokens", "Money", "Added up"}, rows))
}

// sessionTable shows the sessions that have cost most.
func (o *overview) sessionTable() Node {
	sessions := o.costs.sessions[:min(len(o.costs.sessions), maxSessions)]
	rows := Each(sessions, func(s *sessionCost) Node {
		name := o.v.Name(s.session)
		shown := El("span", Class("faint"), Text("no name"))
		if name != "" {
			shown = El("a", Attr("href", o.path("session", "id", name)), Attr("title", label(name)), Text(shortID(name)))
		}
		return El("tr", El("th", Attr("scope", "row"), shown, Text(" "), El("small", Text(label(o.v.Name(s.host))))), o.costBar(s.Cost, sessions[0].Cost), number(grouped(s.Tokens)), number(dollars(s.USD)))
	})
	return El("div", El("h3", Text("By session")), tableOf("Tokens and money, by session", []string{"Session", "", "Tokens", "Money"}, []Node{rows}), left(len(o.costs.sessions), maxSessions, "session"))
}

// costBar is what was used beside the most, in money where there is some.
func (o *overview) costBar(c, most logindex.Cost) Node {
	part, whole := c.Tokens, most.Tokens
	if most.USD > 0 {
		part, whole = int64(c.USD*1e6), int64(most.USD*1e6)
	}
	return El("td", Class("drawn"), chart.Bar(whole, chart.Share{Class: "accent", Value: part}))
}

// modelTable shows the models that have cost most.
func (o *overview) modelTable() Node {
	head := El("h3", Text("By model"))
	models, err := modelsOf(o.v, o.costs.sessions)
	if err != nil {
		return El("div", head, problem(err))
	}
	shown := models[:min(len(models), maxModels)]
	rows := Each(shown, func(m modelCost) Node {
		return El("tr", El("th", Attr("scope", "row"), Text(label(m.name))), o.costBar(m.Cost, models[0].Cost), number(grouped(m.calls)), number(grouped(m.Tokens)), number(dollars(m.USD)))
	})
	return El("div", head, tableOf("Tokens and money, by model", []string{"Model", "", "Calls", "Tokens", "Money"}, []Node{rows}), left(len(models), maxModels, "model"),
		If(len(o.costs.sessions) > maxModelSessions, El("p", Class("faint"), Text(fmt.Sprintf("Of the %d sessions that have cost most.", maxModelSessions)))))
}
