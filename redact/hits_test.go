package redact_test

// The secrets of these tables are made up. A ~| stands in each where scanners of
// repositories would take it for one; the tests take it out.
const (
	hex32 = "9f86d081884c7d659a2feaa0c55ad015"
	mix20 = "aB3dE5fG7hJ9kL1mN2pQ"
	mix36 = "16C7e42F292c6912E7710c838347Ae178B4a"
	mix40 = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzzzzz9KEY"
)

var hits = []struct{ text, want string }{
	// Tokens of known formats.
	{"gh~|p_" + mix36, "[redacted: github token]"},
	{"token is gh~|o_" + mix36 + ".", "token is [redacted: github token]."},
	{"gh~|u_" + mix36 + " gh~|s_" + mix36, "[redacted: github token] [redacted: github token]"},
	{"github_~|pat_11ABCDEFG0" + mix20 + "_" + mix36, "[redacted: github token]"},
	{`{"line":"\ngh~|p_` + mix36 + `\n"}`, `{"line":"\n[redacted: github token]\n"}`},
	{"x%3Dgh~|p_" + mix36, "x%3D[redacted: github token]"},
	{"-gh~|p_" + mix36, "-[redacted: github token]"},
	{"gl~|pat-" + mix20, "[redacted: gitlab token]"},
	{"AK~|IAIOSFODNN7EXAMPLE", "[redacted: aws key]"},
	{"AS~|IAY34FZKBOKMUTVV7A", "[redacted: aws key]"},
	{"AK~|IAY34FZKBOKMUTVV7A," + mix40, "[redacted: aws key],[redacted: aws secret]"},
	{"aws_secret_access_key = " + mix40, "aws_secret_access_key = [redacted: key]"},
	{`"SecretAccessKey": "` + mix40 + `"`, `"SecretAccessKey": "[redacted: key]"`},
	{"xo~|xb-123456789012-1234567890123-" + mix20, "[redacted: slack token]"},
	{"xo~|xp-123456789012-" + mix20, "[redacted: slack token]"},
	{"https://hooks.sl~|ack.com/services/T0123ABCD/B0123ABCD/" + mix20, "https://hooks.slack.com/[redacted: slack webhook]"},
	{"https://dis~|cord.com/api/webhooks/123456789012345678/" + mix36 + mix20, "https://discord.com/api/webhooks/[redacted: discord webhook]"},
	{"sk_~|live_" + mix20, "[redacted: stripe key]"},
	{"rk_~|live_" + mix20, "[redacted: stripe key]"},
	{"wh~|sec_" + mix36, "[redacted: webhook secret]"},
	{"sk-~|" + mix20 + "T3BlbkFJ" + mix20, "[redacted: openai key]"},
	{"sk-~|proj-" + mix20 + "_" + mix20, "[redacted: openai key]"},
	{"sk-~|ant-api03-" + mix20 + "-" + mix20, "[redacted: anthropic key]"},
	{"AI~|za" + mix20 + "SyD-9tSrK", "AIza" + mix20 + "SyD-9tSrK"}, // too short: a near miss that shows the border
	{"AI~|zaSyD-9tSrKe7_" + mix20 + "QR5", "[redacted: google key]"},
	{"ya~|29.a0AfH6SM" + mix20, "[redacted: google token]"},
	{"GOC~|SPX-" + mix20 + "abcd1234", "[redacted: google secret]"},
	{"npm~|_" + mix36, "[redacted: npm token]"},
	{"py~|pi-AgEIcHlwaS5vcmcCJ" + mix36, "[redacted: pypi token]"},
	{"hf~|_" + mix36, "[redacted: hugging face token]"},
	{"dop~|_v1_" + hex32 + hex32, "[redacted: digitalocean token]"},
	{"SK~|" + hex32, "[redacted: twilio key]"},
	{"SG~|." + mix20 + "." + mix36, "[redacted: sendgrid key]"},
	{"hv~|s." + mix36, "[redacted: vault token]"},
	{"dap~|i" + hex32, "[redacted: databricks token]"},
	{"shp~|at_" + hex32, "[redacted: shopify token]"},
	{"glsa~|_" + mix36, "[redacted: grafana token]"},
	{"ey~|JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P", "[redacted: jwt]"},
	{"ey~|JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "[redacted: jwt]"},

	// Headers.
	{"Authorization: Bearer " + mix36, "Authorization: Bearer [redacted: credentials]"},
	{"authorization: bearer gh~|p_" + mix36, "authorization: bearer [redacted: github token]"},
	{`curl -H "Authorization: token ` + hex32 + `" https://x`, `curl -H "Authorization: token [redacted: credentials]" https://x`},
	{"Authorization: Basic dXNlcjpodW50ZXIy", "Authorization: Basic [redacted: credentials]"},
	{"sent Basic dXNlcjpodW50ZXIyMg== to it", "sent Basic [redacted: basic credentials] to it"},
	{"the header is Bearer " + hex32, "the header is Bearer [redacted: bearer token]"},
	{"X-Api-Key: " + hex32, "X-Api-Key: [redacted: key]"},
	{`{"Authorization":"Bearer ` + mix36 + `"}`, `{"Authorization":"Bearer [redacted: credentials]"}`},
	{"PRIVATE-TOKEN: " + mix20, "PRIVATE-TOKEN: [redacted: token]"},

	// Addresses and connection strings.
	{"https://user:hunter2@example.com/x", "https://user:[redacted: password]@example.com/x"},
	{"postgres://app:s3cr3t@db:5432/app?sslmode=disable", "postgres://app:[redacted: password]@db:5432/app?sslmode=disable"},
	{"redis://:p4ssw0rd@cache:6379/0", "redis://:[redacted: password]@cache:6379/0"},
	{"mongodb+srv://u:p%40ss@c0.x.net", "mongodb+srv://u:[redacted: password]@c0.x.net"},
	{"Server=db;User Id=sa;Password=Sup3r!;Encrypt=true", "Server=db;User Id=sa;Password=[redacted: password];Encrypt=true"},
	{"AccountName=x;AccountKey=" + mix36 + mix36 + "abcd==;EndpointSuffix=y", "AccountName=x;AccountKey=[redacted: key];EndpointSuffix=y"},
	{"Endpoint=sb://x.net/;SharedAccessKey=" + mix36 + "=", "Endpoint=sb://x.net/;SharedAccessKey=[redacted: key]"},
	{"https://x.blob.net/a?sv=2022&sig=" + mix36 + "%3D", "https://x.blob.net/a?sv=2022&sig=[redacted: signature]"},
	{"https://x/cb?access_token=abcdefgh&y=1", "https://x/cb?access_token=[redacted: token]&y=1"},
	{"https://s3/x?X-Amz-Signature=" + hex32 + hex32, "https://s3/x?X-Amz-Signature=[redacted: signature]"},
	{"jdbc:mysql://h/db?user=u&password=hunter", "jdbc:mysql://h/db?user=u&password=[redacted: password]"},
	{"curl -u admin:letmein https://x", "curl -u admin:[redacted: password] https://x"},
	{"curl -s --user 'admin:let me in' https://x", "curl -s --user 'admin:[redacted: password]' https://x"},

	// Names that say secret.
	{"password=hunter2", "password=[redacted: password]"},
	{"DB_PASSWORD=correcthorse", "DB_PASSWORD=[redacted: password]"},
	{"export GITHUB_TOKEN=gh~|p_" + mix36, "export GITHUB_TOKEN=[redacted: github token]"},
	{"API_KEY='abcd1234efgh'", "API_KEY='[redacted: key]'"},
	{"mysql --password hunter2 -h db", "mysql --password [redacted: password] -h db"},
	{"mysql --password=hunter -h db", "mysql --password=[redacted: password] -h db"},
	{`gh auth login --token "abcd1234efgh"`, `gh auth login --token "[redacted: token]"`},
	{`{"user":"a","password":"hunter2","n":1}`, `{"user":"a","password":"[redacted: password]","n":1}`},
	{`{"password" : "correct horse battery"}`, `{"password" : "[redacted: password]"}`},
	{`{"client_secret": "a\"b-quoted-1"}`, `{"client_secret": "[redacted: secret]"}`},
	{`{\"password\":\"hunter2\",\"n\":1}`, `{\"password\":\"[redacted: password]\",\"n\":1}`},
	{`"body":"{\\\"apiKey\\\":\\\"abcd1234efgh\\\"}"`, `"body":"{\\\"apiKey\\\":\\\"[redacted: key]\\\"}"`},
	{`clientSecret: 'Zk3-abcdefgh'`, `clientSecret: '[redacted: secret]'`},
	{`password: str = "hunter2"`, `password: str = "[redacted: password]"`},
	{`const apiKey: string = "abcd1234efgh";`, `const apiKey: string = "[redacted: key]";`},
	{`os.environ["DB_PASSWORD"] = "hunter2"`, `os.environ["DB_PASSWORD"] = "[redacted: password]"`},
	{`password := "hunter2"`, `password := "[redacted: password]"`},
	{`'password' => 'hunter2',`, `'password' => '[redacted: password]',`},
	{"  password: hunter2\n  host: x", "  password: [redacted: password]\n  host: x"},
	{"password: $ecret1x", "password: $ecret1x"}, // may be a variable
	{"//registry.npmjs.org/:_authToken=abcd1234-ef", "//registry.npmjs.org/:_authToken=[redacted: token]"},
	{"PGPASSWORD=hunter psql -h db", "PGPASSWORD=[redacted: password] psql -h db"},
	{"a\npassword=Winter2024!\nb", "a\npassword=[redacted: password]\nb"},
	{`"x\npassword=Winter2024\n"`, `"x\npassword=[redacted: password]\n"`},

	// Keys.
	{"a\n-----BEGIN RSA PRIV~|ATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\nabc=\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted: private key]\nb"},
	{"-----BEGIN OPENSSH PRIV~|ATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAEbm9uZQ==\n-----END OPENSSH PRIVATE KEY-----", "[redacted: private key]"},
	{"-----BEGIN RSA PRIV~|ATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----\n", "[redacted: private key]\n"},
	{"-----BEGIN PRIV~|ATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSj", "[redacted: private key]"},
	{"-----BEGIN PRIV~|ATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n\nand more text follows\n", "[redacted: private key]\n\nand more text follows\n"},
	{`{"k": "-----BEGIN PRIV~|ATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n", "n": 1}`, `{"k": "[redacted: private key]\n", "n": 1}`},
	{"+-----BEGIN EC PRIV~|ATE KEY-----\n+MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKt\n+-----END EC PRIVATE KEY-----\n", "+[redacted: private key]\n"},
	{"------BEGIN EC PRIV~|ATE KEY-----\n-MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKt\n------END EC PRIVATE KEY-----\n", "-[redacted: private key]\n"},
	{"     1\t-----BEGIN EC PRIV~|ATE KEY-----\n     2\tMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKt\n     3\t-----END EC PRIVATE KEY-----\n", "     1\t[redacted: private key]\n"},
	{"-----BEGIN PGP PRIV~|ATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQOYBFIAAAABCADK8pZ1m7l1mQyX\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----", "[redacted: private key]"},
	{"KEY=-----BEGIN PRIV~|ATE KEY----- MIIEvQIBADANBgkqhkiG9w0BAQEFAASC -----END PRIVATE KEY-----", "KEY=[redacted: private key]"},
}

// stays are texts that look like secrets and hold none.
var stays = []string{
	// Sums, names and other data.
	"commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
	"sha256:" + hex32 + hex32,
	"id: 123e4567-e89b-12d3-a456-426614174000",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
	`"integrity": "sha512-oRjTw/97aTBN0RHbYCdtF1MQfvusSIBQM0IZEgzl6426+8jSC0nF1a/GmnVLpfB9yyr6g6FTqWqiZVbxrtaCIg=="`,
	"h1:4MZwV4ZHyv4yA5yvqZzCF0TvUVtQOZyMGFcUQ2e8x5A=",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host",
	"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq\n-----END CERTIFICATE-----",
	"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
	"grep -r -- '-----BEGIN RSA PRIVATE KEY-----' .",
	"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
	"pk_live_" + mix20,
	"AC" + hex32,
	"AKIAxxxx and AKIA1234",
	"SKYLINE and SKIP",
	"arn:aws:iam::123456789012:role/admin",
	"2024-05-01T10:00:00Z took 12ms",
	"main.go:12:5: undefined: token",
	"{\"cache_tokens\": 12345678, \"max_tokens\": 4096, \"token_count\": 99999999}",

	// Words with the beginning of a token in them.
	"sk-learn and task-force, sk-toggleable__control--hidden",
	"risk-assessment-2024-for-everyone-in-the-team",
	"sk-my-long-name-of-a-css-class-1",
	"npm_config_registry npm_lifecycle_event npm_package_version",
	"pypi-server-on-premise-installation-guide",
	"hf_transfer is fast, ghp_ is a prefix, gho_short",
	"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"glpat-xxxxxxxxxxxxxxxxxxxx",
	"glrt-runner-registration-of-a-group",
	"xoxb-your-token-goes-here",
	"https://hooks.slack.com/services/...",
	"eyJust a word.eyJ",
	"Bearer authentication is used; Bearer tokens too",
	"Bearer $TOKEN and Bearer ${TOKEN} and Bearer <token>",
	"Bearer xxxxxxxxxxxxxxxxxxxxxxxx",
	"Basic understanding of Basic authentication",
	"Basic programming1234",

	// Placeholders.
	"password=$PASSWORD", "password=${PASSWORD}", "PASSWORD=$(pass show db)", "TOKEN: ${{ secrets.TOKEN }}", "token=<token>",
	"API_KEY=xxxxxxxx", "API_KEY=your-api-key", "API_KEY=YOUR_API_KEY", "SECRET=changeme", "PASSWORD=********", "--password '***'",
	`"password": ""`, `"password": null`, `"password": "<redacted>"`, `"token": "{{token}}"`, `"apiKey": "%API_KEY%"`, `"secret": "..."`,
	`apiKey: "sk-..."`, "https://user:password@example.com", "https://user:$PASS@host", "https://user:${PASS}@host", "https://<user>:<pass>@host", "postgres://user:****@h/db",
	"Authorization: Bearer $TOKEN", "Authorization: Bearer <your token>", "-H \"Authorization: Bearer ${GITHUB_TOKEN}\"",
	"password=[redacted: password]", "--token $GITHUB_TOKEN",
	"curl -u $USER:$PASS https://x", "curl -u user https://x", "docker run -u 1000:1000 img", "chown -u root:wheel x",

	// Programs.
	"password = request.form.get('password')", "password=password", "password = getpass.getpass()", "login(user=user, password=pw)",
	"token := os.Getenv(\"TOKEN\")", "token = process.env.API_TOKEN_2", "apiKey: process.env.OPENAI_API_KEY,", "const token = await getToken(user1);",
	"password: string;", "password?: string", "token: Token1,", "Token::String(s)", "password: z.string().min(8)", "secret: SecretString",
	"if password == \"\" {", "password != confirm", "self.password = password", "self._token = config.token2", "type Password = string",
	"func (t *Token) Next() token.Token", "for token in tokens:", "secretName: my-tls-2024", "password_file: /run/secrets/db1", "passwordHash = bcrypt(password)",
	"token_type: bearer", "next_page_token=abcd1234efgh", "PWD=/home/me/src1", "OLDPWD=/home/me/src1", "secret: my-secret", "key: value1234567890", "\"key\": \"abcd1234efgh5678\"",
	"PASSWORD_MIN_LENGTH=12345678", "x?sort=token:asc",

	"--- PASS: TestOne (0.00s)", "UNRESERVED_PAT = 'abcd1234efgh'", `creds = "Basic " + auth`, `{"Output":"--- PASS: TestOne/sub1 (0.00s)\n"}`, `"PW": arm1.C_WBIT | arm.C_PBIT,`, `line.Suffix = []Comment{{Token: "// indirect", Suffix: true}}`,
	"config.Certificates[0].PrivateKey = testRSA2048PrivateKey", "PrivateKey:  testEd25519PrivateKey,", "var rsaPrivateKey = test2048Key", "TOKEN: Token12, AUTH: Basic2",

	// Prose.
	"Enter your password: ", "the password: it must have 8 characters", "use --password to set the password", "Password must be at least 12 characters",
	"password: required", "a token is what the lexer makes", "\"password\": \"Enter your password\"", "\"forgot\": \"Forgot your password?\"",
	"the secret: write tests", "no auth: see README2", "token: 12345678", "password: 8 characters",
	"see https://example.com/@user:abc", "mail a:b@example.com", "git@github.com:me/repo.git", "https://github.com/a/b@v1.2.3",
	"=====================", "-------------------", "::::::", "a=b", "",
}
