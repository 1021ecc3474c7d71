package builtins_test

import "testing"

// What a tool of a service does there is judged by the words of its name, and by what its input says is to be done.
func TestCallsOfServices(t *testing.T) {
	t.Setenv("HOME", "/home/kim")
	e := guardWith(t, nil)
	for _, c := range []struct {
		tool  string
		input object
		want  string // the rule; "" for none
	}{
		{"mcp__supabase__delete_project", object{"project_id": "p"}, "calls.destroy"},
		{"mcp__supabase__reset_branch", object{"branch_id": "b"}, "calls.destroy"},
		{"mcp__github__delete_repository", object{"owner": "kim", "repo": "shop"}, "calls.destroy"},
		{"mcp__github__repositories_delete", object{"repo": "shop"}, "calls.destroy"},
		{"mcp__mongodb__drop-database", object{"database": "shop"}, "calls.destroy"},
		{"mcp__mongodb__dropCollection", object{"collection": "users"}, "calls.destroy"},
		{"mcp__redis__flushall", object{}, "calls.destroy"},
		{"mcp__terraform__destroy", object{"workspace": "prod"}, "calls.destroy"},
		{"mcp__docker__remove_volume", object{"volume_name": "pgdata"}, "calls.destroy"},
		{"mcp__k8s__kubectl_delete", object{"resourceType": "namespace", "name": "prod"}, "calls.destroy"},
		{"mcp__cloud__manage", object{"action": "delete", "resource_type": "database", "name": "shop"}, "calls.destroy"},
		{"mcp__s3__delete_bucket_by_name", object{"name": "shop"}, "calls.destroy"},
		{"delete_database", object{"name": "shop"}, "calls.destroy"},
		{"mcp__mongodb__delete-many", object{"collection": "users", "filter": object{}}, "calls.every-row"},
		{"mcp__mongodb__deleteMany", object{"collection": "users", "filter": "{}"}, "calls.every-row"},
		{"mcp__git__git_reset", object{"mode": "hard"}, "calls.git"},
		{"mcp__git__git_clean", object{"force": true}, "calls.git"},
		{"mcp__git__git_push", object{"force": true}, "calls.git"},
		{"mcp__git__git_branch", object{"operation": "delete", "force": true}, "calls.git"},
		{"mcp__git__git_stash", object{"mode": "drop"}, "calls.git"},

		// what only shows something, is small, is for tests, or only tries
		{"mcp__supabase__list_projects", object{}, ""},
		{"mcp__supabase__get_project", object{"project_id": "p"}, ""},
		{"mcp__github__delete_file", object{"path": "src/old.go"}, ""},
		{"mcp__slack__delete_message", object{"ts": "1"}, ""},
		{"mcp__notion__delete_block", object{"id": "1"}, ""},
		{"mcp__linear__remove_project_member", object{"id": "1"}, ""},
		{"mcp__figma__delete_node", object{"id": "1:2"}, ""},
		{"mcp__k8s__kubectl_delete", object{"resourceType": "pod", "name": "web-0"}, ""},
		{"mcp__mongodb__drop-database", object{"database": "shop_test"}, ""},
		{"mcp__cloud__delete_database", object{"name": "shop", "dry_run": true}, ""},
		{"mcp__mongodb__delete-many", object{"collection": "users", "filter": object{"_id": "3"}}, ""},
		{"mcp__git__git_reset", object{"mode": "mixed"}, ""},
		{"mcp__git__git_clean", object{"force": true, "dryRun": true}, ""},
		{"mcp__git__git_push", object{"remote": "origin"}, ""},
		{"mcp__git__git_branch", object{"operation": "delete", "name": "topic"}, ""},
		{"mcp__cache__reset_view", object{}, ""},
		{"mcp__db__create_database", object{"name": "shop"}, ""},

		// what names a program and hands it arguments is judged as that program's command
		{"mcp__kubernetes__kubectl", object{"args": "delete ns prod"}, "kubernetes.delete-broad"},
		{"mcp__kubernetes__kubectl", object{"args": []any{"delete", "ns", "prod"}}, "kubernetes.delete-broad"},
		{"mcp__aws__call_aws", object{"cli_command": "aws s3 rb s3://shop --force"}, "cloud.aws-bucket"},
		{"mcp__terraform__run", object{"args": []any{"destroy", "-auto-approve"}}, "terraform.destroy"},
		{"mcp__git__git", object{"args": []any{"reset", "--hard"}}, "git.reset-hard"},
		{"mcp__kubernetes__kubectl", object{"args": "get ns prod"}, ""},
		{"mcp__git__git", object{"args": []any{"commit", "-m", "no; git reset --hard"}}, ""},
		{"mcp__aws__call_aws", object{"cli_command": "aws s3 ls"}, ""},
	} {
		if got, r := judged(t, e, c.tool, c.input); got != c.want {
			t.Errorf("%s %v: got %q, want %q: %s", c.tool, c.input, got, c.want, r.Reason)
		}
	}
}
