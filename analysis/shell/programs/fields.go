package programs

// field is a field of a section as it is written in the files.
type field struct {
	key string
	to  any // *bool, *int, *Access, *string for options, one of the following, or a function that makes a section
}

// What is written in a string that doesn't list options.
type (
	letters *string // as for getopt
	long    *string // long options, as for getopt_long
	words   *string // any words
)

func (p *Program) fields() []field {
	return []field{
		{"options", func() []field { p.Options = new(Options); return p.Options.fields() }},
		{"paths", func() []field { p.Paths = new(Paths); return p.Paths.fields() }},
		{"runs", func() []field { p.Runs = new(Runs); return p.Runs.fields() }},
		{"launches", func() []field { p.Launches = new(Options); return p.Launches.fields() }},
		{"behind", func() []field { p.Behind = new(Behind); return p.Behind.fields() }},
		{"machine", func() []field { p.Machine = new(Machine); return p.Machine.fields() }},
		{"git", func() []field { p.Git = new(Git); return p.Git.fields() }},
		{"calls", func() []field { p.Calls = new(Calls); return p.Calls.fields() }},
		{"interprets", func() []field { p.Interprets = new(Interprets); return p.Interprets.fields() }},
		{"foreign", func() []field { p.Foreign = new(Foreign); return p.Foreign.fields() }},
		{"starts", &p.Starts},
		{"client", words(&p.Client)},
		{"output", &p.Output},
		{"versions", &p.Versions},
		{"output-folder", &p.OutputFolder},
		{"as", words(&p.As)},
		{"launches-as", words(&p.LaunchesAs)},
		{"subcommands-as", words(&p.SubcommandsAs)},
	}
}

func (o *Options) fields() []field {
	return []field{
		{"short", letters(&o.Short)},
		{"long", long(&o.Long)},
		{"rivals", words(&o.Rivals)},
		{"closed", &o.Closed},
		{"exact", &o.Exact},
		{"negates", &o.Negates},
		{"truth", &o.Truth},
		{"first", &o.First},
		{"whole", &o.Whole},
		{"bare", &o.Bare},
		{"plus", &o.Plus},
		{"dash", &o.Dash},
		{"global", &o.Global},
		{"open", &o.Open},
	}
}

func (u *Paths) fields() []field {
	return []field{
		{"first", &u.First},
		{"each", &u.Each},
		{"last", &u.Last},
		{"skip", &u.Skip},
		{"unless", &u.Unless},
		{"into", &u.Into},
		{"reads", &u.Reads},
		{"writes", &u.Writes},
		{"with", &u.With},
		{"then", &u.Then},
		{"also", &u.Also},
		{"guess", &u.Guess},
		{"dry", &u.Dry},
		{"dash", &u.Dash},
		{"hosts", &u.Hosts},
		{"tree", &u.Tree},
		{"fills", &u.Fills},
		{"exact", &u.Exact},
		{"unpacks", &u.Unpacks},
		{"by", words(&u.By)},
	}
}

func (r *Runs) fields() []field {
	return append(r.Options.fields(), []field{
		{"operands", &r.Operands},
		{"verbs", words(&r.Verbs)},
		{"assigns", &r.Assigns},
		{"stops", &r.Stops},
		{"text", &r.Text},
		{"also", &r.Also},
		{"text-only", &r.TextOnly},
		{"joins", &r.Joins},
		{"direct", &r.Direct},
		{"split", &r.Split},
		{"program", &r.Program},
		{"piped", &r.Piped},
		{"sets", &r.Sets},
		{"unsets", &r.Unsets},
		{"clears", &r.Clears},
		{"chdir", &r.Chdir},
		{"shell", &r.Shell},
		{"builtins", &r.Builtins},
		{"remote", &r.Remote},
		{"remote-by", &r.RemoteBy},
		{"mounts", &r.Mounts},
		{"lead", &r.Lead},
		{"unless-options", &r.UnlessOptions},
		{"digits", &r.Digits},
		{"dashes", &r.Dashes},
		{"behind", &r.Behind},
		{"package-name", &r.PackageName},
		{"environment-name", &r.EnvironmentName},
		{"by", words(&r.By)},
	}...)
}

func (c *Calls) fields() []field {
	return append(c.Options.fields(), []field{
		{"text", &c.Text},
		{"program", &c.Program},
		{"input", &c.Input},
	}...)
}

func (g *Git) fields() []field {
	return []field{
		{"letters", words(&g.Letters)},
		{"rivals", &g.Rivals},
		{"asks", &g.Asks},
		{"rules", words(&g.Rules)},
		{"network", &g.Network},
		{"uses", words(&g.Uses)},
		{"hooks", words(&g.Hooks)},
		{"text", &g.Text},
		{"remote-text", &g.RemoteText},
		{"paged", &g.Paged},
		{"edits", &g.Edits},
		{"edits-with", &g.EditsWith},
	}
}

func (i *Interprets) fields() []field {
	return append(i.Options.fields(), []field{
		{"language", words(&i.Language)},
		{"code", &i.Code},
		{"files", &i.Files},
		{"ends", &i.Ends},
		{"stops", &i.Stops},
		{"operand", &i.Operand},
		{"printing", &i.Printing},
		{"verb", words(&i.Verb)},
		{"tool", &i.Tool},
		{"verbs", words(&i.Verbs)},
		{"load", &i.Load},
		{"loaded", words(&i.Loaded)},
		{"arguments", words(&i.Arguments)},
		{"argument", words(&i.Argument)},
		{"from", &i.From},
		{"manages", &i.Manages},
		{"in-place", &i.InPlace},
		{"folder", &i.Folder},
		{"parts", &i.Parts},
	}...)
}

func (f *Foreign) fields() []field {
	return []field{
		{"text", words(&f.Text)},
		{"shell-like", &f.ShellLike},
	}
}

func (m *Machine) fields() []field {
	return []field{
		{"words", words(&m.Words)},
		{"text", &m.Text},
		{"values", &m.Values},
	}
}

func (b *Behind) fields() []field {
	return []field{
		{"words", &b.Words},
		{"text", &b.Text},
	}
}
