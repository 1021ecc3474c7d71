package redact

import (
	"slices"
	"strings"
	"sync"
)

// format is a kind of token that is recognised by its beginning.
type format struct {
	prefix string
	body   class  // of the text after the prefix
	least  int    // bytes of it
	what   string // the token is
	check  check
	form   form
}

// form says what a token needs beyond a prefix and a body.
type form uint8

const (
	simple form = iota
	amazonID
	webhook
	exact // the body has exactly the given length
	sendgrid
	jwt
	afterBearer
	afterBasic
	uuid       // the body is a uuid
	parts      // the body continues after a dot
	discord    // three parts of base64
	salesforce // an organization, ! and a session
	encoded    // base64 of a block of PEM
	phrase     // a secret after certain words of a command or a file; see phrase.go
)

var known = []format{
	{prefix: "ghp_", body: letters, least: 20, what: "github token"},
	{prefix: "gho_", body: letters, least: 20, what: "github token"},
	{prefix: "ghu_", body: letters, least: 20, what: "github token"},
	{prefix: "ghs_", body: letters, least: 20, what: "github token"},
	{prefix: "ghr_", body: letters, least: 20, what: "github token"},
	{prefix: "github_pat_", body: wordly, least: 20, what: "github token"},
	{prefix: "glpat-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "gldt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glrt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glptt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glcbt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glsoat-", body: url64, least: 16, what: "gitlab token", check: random},

	{prefix: "AKIA", body: capitals, least: 16, form: amazonID},
	{prefix: "ASIA", body: capitals, least: 16, form: amazonID},
	{prefix: "AIza", body: url64, least: 35, what: "google key"},
	{prefix: "ya29.", body: url64, least: 20, what: "google token"},
	{prefix: "GOCSPX-", body: url64, least: 20, what: "google secret"},

	{prefix: "xoxb-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxa-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxp-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxr-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxs-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxo-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxe-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxe.", body: bearer, least: 10, what: "slack token", check: digital},
	{prefix: "xoxc-", body: url64, least: 10, what: "slack token", check: digital},
	{prefix: "xoxd-", body: bearer, least: 10, what: "slack token", check: digital},
	{prefix: "xapp-", body: url64, least: 20, what: "slack token", check: digital},
	{prefix: "hooks.slack.com/", body: bearer, least: 20, what: "slack webhook", check: digital, form: webhook},
	{prefix: "discord.com/api/webhooks/", body: bearer, least: 40, what: "discord webhook", check: digital, form: webhook},
	{prefix: "discordapp.com/api/webhooks/", body: bearer, least: 40, what: "discord webhook", check: digital, form: webhook},

	{prefix: "sk_live_", body: letters, least: 10, what: "stripe key"},
	{prefix: "rk_live_", body: letters, least: 10, what: "stripe key"},
	{prefix: "sk_test_", body: letters, least: 10, what: "stripe key"},
	{prefix: "rk_test_", body: letters, least: 10, what: "stripe key"},
	{prefix: "whsec_", body: base64s, least: 24, what: "webhook secret"},

	{prefix: "sk-ant-", body: url64, least: 20, what: "anthropic key", check: random},
	{prefix: "sk-proj-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-svcacct-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-admin-", body: url64, least: 20, what: "openai key", check: random},
	{prefix: "sk-or-v1-", body: hexadecimal, least: 32, what: "openrouter key"},
	{prefix: "sk-", body: url64, least: 20, what: "openai key", check: longRandom},

	{prefix: "npm_", body: letters, least: 30, what: "npm token", check: digital},
	{prefix: "pypi-", body: url64, least: 32, what: "pypi token", check: random},
	{prefix: "rubygems_", body: hexadecimal, least: 32, what: "rubygems key"},
	{prefix: "hf_", body: letters, least: 24, what: "hugging face token"},
	{prefix: "dop_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "doo_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "dor_v1_", body: hexadecimal, least: 32, what: "digitalocean token"},
	{prefix: "SK", body: hexadecimal, least: 32, what: "twilio key", form: exact},
	{prefix: "SG.", body: url64, least: 16, what: "sendgrid key", form: sendgrid},
	{prefix: "hvs.", body: url64, least: 24, what: "vault token", check: digital},
	{prefix: "hvb.", body: url64, least: 24, what: "vault token", check: digital},
	{prefix: "dapi", body: hexadecimal, least: 32, what: "databricks token"},
	{prefix: "shpat_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shpss_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shpca_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shppa_", body: letters, least: 32, what: "shopify token"},
	{prefix: "sq0csp-", body: url64, least: 20, what: "square token"},
	{prefix: "sq0atp-", body: url64, least: 20, what: "square token"},
	{prefix: "lin_api_", body: letters, least: 32, what: "linear key"},
	{prefix: "ntn_", body: letters, least: 32, what: "notion token", check: digital},
	{prefix: "ATATT3", body: bearer, least: 32, what: "atlassian token"},
	{prefix: "PMAK-", body: url64, least: 32, what: "postman key"},
	{prefix: "NRAK-", body: capitals, least: 24, what: "new relic key"},
	{prefix: "glsa_", body: wordly, least: 32, what: "grafana token"},
	{prefix: "dckr_pat_", body: url64, least: 20, what: "docker token"},
	{prefix: "tskey-", body: url64, least: 20, what: "tailscale key", check: digital},
	{prefix: "gsk_", body: letters, least: 32, what: "groq key", check: digital},
	{prefix: "xai-", body: letters, least: 32, what: "xai key", check: digital},
	{prefix: "pplx-", body: letters, least: 32, what: "perplexity key", check: digital},
	{prefix: "sbp_", body: hexadecimal, least: 32, what: "supabase token"},
	{prefix: "figd_", body: url64, least: 32, what: "figma token"},
	{prefix: "AGE-SECRET-KEY-1", body: capitals, least: 40, what: "age key"},

	{prefix: "glffct-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glft-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glimt-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "glagent-", body: url64, least: 24, what: "gitlab token", check: random},
	{prefix: "gloas-", body: url64, least: 24, what: "gitlab token", check: random},
	{prefix: "glrtr-", body: url64, least: 16, what: "gitlab token", check: random},
	{prefix: "GR1348941", body: url64, least: 16, what: "gitlab token"},
	{prefix: "v1.", body: hexadecimal, least: 40, what: "github token", form: exact},
	{prefix: "ATBB", body: letters, least: 28, what: "bitbucket token", check: random},
	{prefix: "ATCTT3", body: bearer, least: 32, what: "bitbucket token"},
	{prefix: "BBDC-", body: base64s, least: 32, what: "bitbucket token", check: digital},
	{prefix: "ATTA", body: letters, least: 60, what: "trello token", check: random},

	{prefix: "ABIA", body: capitals, least: 16, form: amazonID},
	{prefix: "ACCA", body: capitals, least: 16, form: amazonID},
	{prefix: "ABSK", body: base64s, least: 60, what: "aws key", check: random},
	{prefix: "bedrock-api-key-", body: base64s, least: 40, what: "aws key"},
	{prefix: "1//0", body: url64, least: 40, what: "google token", check: digital},
	{prefix: "GOOG1", body: capitals, least: 50, what: "google key", check: digital},
	{prefix: "LTAI", body: letters, least: 12, what: "alibaba key", check: random},
	{prefix: "AKID", body: letters, least: 32, what: "tencent key", form: exact, check: digital},
	{prefix: "AQVN", body: url64, least: 32, what: "yandex key", check: random},
	{prefix: "y0_", body: url64, least: 50, what: "yandex token", check: digital},
	{prefix: "t1.9eu", body: bearer, least: 60, what: "yandex token"},
	{prefix: "sha256~", body: url64, least: 43, what: "openshift token", form: exact},
	{prefix: "K10", body: hexadecimal, least: 48, what: "k3s token"},
	{prefix: "AVNS_", body: url64, least: 16, what: "aiven password"},
	{prefix: "mdb_sa_sk_", body: url64, least: 24, what: "mongodb key"},
	{prefix: "CCDB1_", body: url64, least: 24, what: "cockroachdb key"},
	{prefix: "4b1d", body: letters, least: 38, what: "clickhouse key", form: exact, check: random},
	{prefix: "pscale_tkn_", body: bearer, least: 24, what: "planetscale token"},
	{prefix: "pscale_oauth_", body: bearer, least: 24, what: "planetscale token"},
	{prefix: "pscale_pw_", body: bearer, least: 24, what: "planetscale password"},
	{prefix: "napi_", body: letters, least: 40, what: "neon key", check: digital},
	{prefix: "sb_secret_", body: url64, least: 20, what: "supabase key"},

	{prefix: "nfp_", body: letters, least: 30, what: "netlify token", check: digital},
	{prefix: "nfc_", body: letters, least: 30, what: "netlify token", check: digital},
	{prefix: "nfo_", body: letters, least: 30, what: "netlify token", check: digital},
	{prefix: "nfu_", body: letters, least: 30, what: "netlify token", check: digital},
	{prefix: "nfb_", body: letters, least: 30, what: "netlify token", check: digital},
	{prefix: "fo1_", body: url64, least: 32, what: "fly token", check: digital},
	{prefix: "fm1a_", body: base64s, least: 40, what: "fly token", check: digital},
	{prefix: "fm1r_", body: base64s, least: 40, what: "fly token", check: digital},
	{prefix: "fm2_", body: base64s, least: 40, what: "fly token", check: digital},
	{prefix: "dp.pt.", body: letters, least: 32, what: "doppler token", check: digital},
	{prefix: "dp.ct.", body: letters, least: 32, what: "doppler token", check: digital},
	{prefix: "dp.sa.", body: letters, least: 32, what: "doppler token", check: digital},
	{prefix: "dp.scim.", body: letters, least: 32, what: "doppler token", check: digital},
	{prefix: "dp.audit.", body: letters, least: 32, what: "doppler token", check: digital},
	{prefix: "dp.st.", body: dotted, least: 32, what: "doppler token", check: digital},
	{prefix: "HRKU-", body: url64, least: 32, what: "heroku key"},
	{prefix: "vcp_", body: letters, least: 24, what: "vercel token", check: digital},
	{prefix: "vci_", body: letters, least: 24, what: "vercel token", check: digital},
	{prefix: "vca_", body: letters, least: 24, what: "vercel token", check: digital},
	{prefix: "vcr_", body: letters, least: 24, what: "vercel token", check: digital},
	{prefix: "vck_", body: letters, least: 24, what: "vercel token", check: digital},
	{prefix: "rnd_", body: letters, least: 28, what: "render key", check: digital},
	{prefix: "v1.0-", body: url64, least: 100, what: "cloudflare key", check: random},
	{prefix: "pul-", body: hexadecimal, least: 40, what: "pulumi token", form: exact},
	{prefix: "hvr.", body: url64, least: 24, what: "vault token", check: digital},
	{prefix: "s.", body: letters, least: 24, what: "vault token", form: exact, check: random},

	{prefix: "cio", body: letters, least: 32, what: "crates.io token", form: exact, check: random},
	{prefix: "oy2", body: letters, least: 43, what: "nuget key", form: exact, check: digital},
	{prefix: "CLOJARS_", body: letters, least: 60, what: "clojars token"},
	{prefix: "AKCp", body: letters, least: 60, what: "artifactory key", check: random},
	{prefix: "cmVmd", body: letters, least: 59, what: "artifactory token", form: exact, check: random},
	{prefix: "dckr_oat_", body: url64, least: 20, what: "docker token"},
	{prefix: "api_org_", body: letters, least: 30, what: "hugging face token"},
	{prefix: "packagist_", body: wordly, least: 32, what: "packagist token", check: digital},

	{prefix: "sntrys_", body: bearer, least: 40, what: "sentry token"},
	{prefix: "sntryu_", body: hexadecimal, least: 40, what: "sentry token"},
	{prefix: "glc_", body: base64s, least: 32, what: "grafana token", check: random},
	{prefix: "eyJrIjoi", body: base64s, least: 60, what: "grafana key", check: random},
	{prefix: "NRIQ-", body: url64, least: 24, what: "new relic key"},
	{prefix: "NRII-", body: url64, least: 24, what: "new relic key"},
	{prefix: "NRRA-", body: letters, least: 32, what: "new relic key"},
	{prefix: "hcaik_", body: letters, least: 40, what: "honeycomb key"},
	{prefix: "hcbik_", body: letters, least: 40, what: "honeycomb key"},
	{prefix: "dt0c01.", body: dotted, least: 60, what: "dynatrace token"},
	{prefix: "dt0s01.", body: dotted, least: 60, what: "dynatrace token"},
	{prefix: "dt0s16.", body: dotted, least: 60, what: "dynatrace token"},
	{prefix: "sdk-", body: url64, least: 36, what: "launchdarkly key", form: uuid},
	{prefix: "api-", body: url64, least: 36, what: "launchdarkly key", form: uuid},
	{prefix: "bkua_", body: letters, least: 32, what: "buildkite token", check: digital},
	{prefix: "bkct_", body: letters, least: 32, what: "buildkite token", check: digital},
	{prefix: "CCIPAT_", body: wordly, least: 40, what: "circleci token", check: digital},
	{prefix: "CCIPRJ_", body: wordly, least: 40, what: "circleci token", check: digital},
	{prefix: "snyk_uat.", body: dotted, least: 24, what: "snyk token", check: digital},
	{prefix: "squ_", body: hexadecimal, least: 40, what: "sonarqube token", form: exact},
	{prefix: "sqa_", body: hexadecimal, least: 40, what: "sonarqube token", form: exact},
	{prefix: "sqp_", body: hexadecimal, least: 40, what: "sonarqube token", form: exact},
	{prefix: "API-", body: capitals, least: 26, what: "octopus key", form: exact, check: random},
	{prefix: "sgp_", body: wordly, least: 40, what: "sourcegraph token", check: random},
	{prefix: "pnu_", body: letters, least: 32, what: "prefect key", check: digital},
	{prefix: "pnb_", body: letters, least: 32, what: "prefect key", check: digital},
	{prefix: "tk-us-", body: url64, least: 40, what: "scalingo token", check: random},
	{prefix: "ico-", body: letters, least: 32, what: "infracost key", form: exact, check: digital},
	{prefix: "rdme_", body: letters, least: 60, what: "readme key", check: digital},
	{prefix: "ops_eyJ", body: base64s, least: 100, what: "1password token"},
	{prefix: "A3-", body: url64, least: 31, what: "1password key", check: shouting},
	{prefix: "AGE-PLUGIN-", body: url64, least: 40, what: "age key", check: shouting},

	{prefix: "key-", body: hexadecimal, least: 32, what: "mailgun key", form: exact, check: random},
	{prefix: "xkeysib-", body: url64, least: 60, what: "brevo key"},
	{prefix: "xsmtpsib-", body: url64, least: 60, what: "brevo key"},
	{prefix: "re_", body: wordly, least: 28, what: "resend key", check: mixed},
	{prefix: "access_token$", body: plain, least: 30, what: "paypal token", check: random},
	{prefix: "sk_prod_", body: letters, least: 20, what: "stripe key"},
	{prefix: "rk_prod_", body: letters, least: 20, what: "stripe key"},
	{prefix: "sk_", body: hexadecimal, least: 48, what: "elevenlabs key", form: exact},
	{prefix: "pk_", body: hexadecimal, least: 34, what: "klaviyo key", form: exact},
	{prefix: "EAAA", body: url64, least: 60, what: "square token", form: exact, check: random},
	{prefix: "EAA", body: letters, least: 90, what: "facebook token", check: random},
	{prefix: "FLWSECK", body: bearer, least: 20, what: "flutterwave key", check: digital},
	{prefix: "shpua_", body: letters, least: 32, what: "shopify token"},
	{prefix: "shippo_live_", body: hexadecimal, least: 32, what: "shippo token"},
	{prefix: "shippo_test_", body: hexadecimal, least: 32, what: "shippo token"},
	{prefix: "EZAK", body: letters, least: 50, what: "easypost key", check: random},
	{prefix: "EZTK", body: letters, least: 50, what: "easypost key", check: random},
	{prefix: "duffel_live_", body: url64, least: 32, what: "duffel token"},
	{prefix: "duffel_test_", body: url64, least: 32, what: "duffel token"},
	{prefix: "access-production-", body: url64, least: 36, what: "plaid token", form: uuid},
	{prefix: "access-sandbox-", body: url64, least: 36, what: "plaid token", form: uuid},
	{prefix: "access-development-", body: url64, least: 36, what: "plaid token", form: uuid},
	{prefix: "live_", body: hexadecimal, least: 35, what: "lob key", form: exact},
	{prefix: "pdl_live_apikey_", body: wordly, least: 24, what: "paddle key"},
	{prefix: "pdl_sdbx_apikey_", body: wordly, least: 24, what: "paddle key"},
	{prefix: "polar_oat_", body: letters, least: 24, what: "polar token"},

	{prefix: "lin_oauth_", body: letters, least: 32, what: "linear key"},
	{prefix: "secret_", body: letters, least: 43, what: "notion token", form: exact, check: random},
	{prefix: "pat", body: letters, least: 14, what: "airtable token", form: parts},
	{prefix: "pat-na1-", body: url64, least: 36, what: "hubspot token", form: uuid},
	{prefix: "pat-na2-", body: url64, least: 36, what: "hubspot token", form: uuid},
	{prefix: "pat-eu1-", body: url64, least: 36, what: "hubspot token", form: uuid},
	{prefix: "pat.", body: dotted, least: 64, what: "harness token", check: random},
	{prefix: "sat.", body: dotted, least: 64, what: "harness token", check: random},
	{prefix: "tfp_", body: dotted, least: 32, what: "typeform token", check: digital},
	{prefix: "fio-u-", body: url64, least: 40, what: "frame.io token"},
	{prefix: "CFPAT-", body: url64, least: 32, what: "contentful token"},
	{prefix: "dG9rOj", body: letters, least: 40, what: "intercom token", check: random},
	{prefix: "sl.", body: dotted, least: 100, what: "dropbox token", check: random},
	{prefix: "figo_", body: url64, least: 32, what: "figma token"},
	{prefix: "oauth:", body: letters, least: 30, what: "twitch token", form: exact, check: digital},
	{prefix: "sk.eyJ", body: dotted, least: 60, what: "mapbox token"},
	{prefix: "apify_api_", body: letters, least: 30, what: "apify token"},
	{prefix: "mfa.", body: url64, least: 60, what: "discord token", check: random},
	{prefix: "MD", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "MT", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "Mj", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "Mz", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "ND", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "NT", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "Nj", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "Nz", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "OD", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "OT", body: url64, least: 20, what: "discord token", form: discord},
	{prefix: "00D", body: letters, least: 12, what: "salesforce token", form: salesforce},
	{prefix: "webhook.office.com/webhookb2/", body: plain, least: 40, what: "teams webhook", check: digital, form: webhook},
	{prefix: "hooks.zapier.com/hooks/catch/", body: bearer, least: 12, what: "zapier webhook", check: digital, form: webhook},

	{prefix: "sk-lf-", body: url64, least: 36, what: "langfuse key", form: uuid},
	{prefix: "r8_", body: letters, least: 32, what: "replicate token", check: digital},
	{prefix: "csk-", body: letters, least: 40, what: "cerebras key", check: digital},
	{prefix: "jina_", body: url64, least: 40, what: "jina key", check: digital},
	{prefix: "lsv2_pt_", body: wordly, least: 32, what: "langsmith key"},
	{prefix: "lsv2_sk_", body: wordly, least: 32, what: "langsmith key"},
	{prefix: "pcsk_", body: wordly, least: 40, what: "pinecone key"},
	{prefix: "nvapi-", body: url64, least: 40, what: "nvidia key"},
	{prefix: "tgp_v1_", body: url64, least: 32, what: "together key"},
	{prefix: "pa-", body: url64, least: 40, what: "voyage key", check: longRandom},
	{prefix: "sess-", body: letters, least: 36, what: "openai key", check: random},
	{prefix: "esecret_", body: letters, least: 24, what: "anyscale key", check: digital},
	{prefix: "tvly-", body: url64, least: 24, what: "tavily key", check: random},
	{prefix: "fc-", body: hexadecimal, least: 32, what: "firecrawl key", form: exact},
	{prefix: "BSA", body: url64, least: 28, what: "brave key", form: exact, check: random},
	{prefix: "e2b_", body: hexadecimal, least: 32, what: "e2b key"},
	{prefix: "KGAT_", body: letters, least: 32, what: "kaggle token"},
	{prefix: "wandb_v1_", body: url64, least: 32, what: "wandb key"},
	{prefix: "ak-", body: letters, least: 22, what: "modal token", form: exact, check: mixed},
	{prefix: "as-", body: letters, least: 22, what: "modal token", form: exact, check: mixed},

	{prefix: "$2a$", body: hashed, least: 50, what: "password hash"},
	{prefix: "$2b$", body: hashed, least: 50, what: "password hash"},
	{prefix: "$2y$", body: hashed, least: 50, what: "password hash"},
	{prefix: "$6$", body: hashed, least: 60, what: "password hash"},
	{prefix: "$5$", body: hashed, least: 40, what: "password hash"},
	{prefix: "$1$", body: hashed, least: 26, what: "password hash"},
	{prefix: "$apr1$", body: hashed, least: 26, what: "password hash"},
	{prefix: "$y$", body: hashed, least: 40, what: "password hash"},
	{prefix: "$argon2", body: hashed, least: 50, what: "password hash"},

	{prefix: "ZXlK", body: base64s, least: 60, what: "jwt", check: random},
	{prefix: "LS0tLS1CRUdJTi", body: base64s, least: 60, what: privateKey, form: encoded},

	{prefix: "eyJ", body: url64, least: 12, what: "jwt", form: jwt},
	{prefix: "Bearer ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "bearer ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "BEARER ", body: bearer, least: 16, what: "bearer token", form: afterBearer},
	{prefix: "Basic ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
	{prefix: "basic ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
	{prefix: "BASIC ", body: base64s, least: 12, what: "basic credentials", form: afterBasic},
}

// formats are the known formats by their first two bytes, longer prefixes first.
var formats = sync.OnceValue(func() map[[2]byte][]*format {
	table := map[[2]byte][]*format{}
	for i := range phrases {
		phrases[i].form = phrase
	}
	for i := range len(known) + len(phrases) {
		f := (*format)(nil)
		if i < len(known) {
			f = &known[i]
		} else {
			f = &phrases[i-len(known)]
		}
		key := [2]byte{f.prefix[0], f.prefix[1]}
		table[key] = append(table[key], f)
	}
	for _, list := range table {
		slices.SortStableFunc(list, func(a, b *format) int { return len(b.prefix) - len(a.prefix) })
	}
	return table
})

// labels are the names of everything that is found outside the environment.
var labels = sync.OnceValue(func() map[string]bool {
	table := map[string]bool{
		privateKey: true, awsKey: true, awsSecret: true, cookie: true,
		"azure key": true, "azure secret": true, "firebase key": true, "telegram token": true, "mailchimp key": true, "terraform token": true,
	}
	for _, what := range kinds {
		table[what] = true
	}
	for _, f := range known {
		table[f.what] = true
	}
	delete(table, "")
	return table
})

// format finds a token at i, which begins a word.
func (x *scan) format(i int) (secret, bool) {
	for _, f := range formats()[[2]byte{x.s[i], x.s[i+1]}] {
		if !strings.HasPrefix(x.s[i:], f.prefix) {
			continue
		}
		if hit, ok := x.formed(i, f); ok {
			return hit, true
		}
	}
	return secret{}, false
}

// formed finds a token of a format whose prefix is at i.
func (x *scan) formed(i int, f *format) (secret, bool) {
	if len(f.prefix) <= 3 && f.form != jwt && i > x.last && strings.IndexByte("-+/", x.s[i-1]) >= 0 {
		return secret{}, false // in the middle of base64
	}
	switch f.form {
	case amazonID:
		return x.amazonID(i, f)
	case webhook:
		hit, ok := f.token(x, i)
		hit.from += len(f.prefix) // the host stays
		return hit, ok
	case exact:
		return x.exact(i, f)
	case sendgrid:
		return x.sendgrid(i, f)
	case jwt:
		return x.jwt(i, f)
	case afterBearer:
		return x.bearer(i, f)
	case afterBasic:
		return x.basic(i, f)
	case uuid:
		return x.uuid(i, f)
	case parts:
		return x.airtable(i, f)
	case discord:
		return x.discord(i, f)
	case salesforce:
		return x.salesforce(i, f)
	case encoded:
		return x.encodedPEM(i, f)
	case phrase:
		return x.phrase(i, f)
	}
	return f.token(x, i)
}

// token finds a prefix and a long enough body that isn't a placeholder.
func (f *format) token(x *scan, i int) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from < f.least || !x.good(f, from, to) {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

// looked is how much of a value is examined if the rest makes no difference.
const looked = 256

// check is a condition on a body, apart from its length. If a text fails one, so does every end of it (except
// for shouting, whose beginnings are capital letters themselves).
type check uint8

const (
	anything   check = iota
	digital          // has a digit
	random           // is neither a word nor a name
	longRandom       // has a long part that is random
	mixed            // is random, with small and capital letters
	shouting         // has capital letters and digits, no small ones
	checks
)

func (c check) holds(body string) bool {
	switch c {
	case digital:
		return hasDigit(body)
	case random:
		return isRandom(body)
	case longRandom:
		return oneLongRandom(body)
	case mixed:
		return isRandom(body) && strings.ContainsAny(body, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ContainsAny(body, "abcdefghijklmnopqrstuvwxyz")
	case shouting:
		return hasDigit(body) && !strings.ContainsAny(body, "abcdefghijklmnopqrstuvwxyz")
	}
	return true
}

// good checks the body of a token, which is the rest of a run. A failed run isn't read again, so that many
// beginnings in one run cost no more than one.
func (x *scan) good(f *format, from, to int) bool {
	if x.failed[f.body][f.check] == to {
		return false
	}
	x.again += to - from
	if body := x.s[from:to]; oneByte(body) || !f.check.holds(body) {
		x.failed[f.body][f.check] = to
		return false
	}
	return true
}

// oneByte reports whether s is like xxxxxxxx.
func oneByte(s string) bool {
	return s != "" && s[1:] == s[:len(s)-1]
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// isRandom reports whether s mixes letters and digits as no word or name does.
func isRandom(s string) bool {
	turns, before, digit := 0, 0, false
	for i := range len(s) {
		kind := kindOf(s[i])
		if kind != before && kind != 0 && before != 0 {
			turns++
		}
		before, digit = kind, digit || kind == 1
		if digit && turns >= 3 {
			return true
		}
	}
	return false
}

func kindOf(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return 1
	case b >= 'a' && b <= 'z':
		return 2
	case b >= 'A' && b <= 'Z':
		return 3
	}
	return 0
}

// oneLongRandom wants a long part without - and _, which names of several words don't have.
func oneLongRandom(s string) bool {
	for len(s) >= 20 {
		end := strings.IndexAny(s, "-_")
		if end < 0 {
			end = len(s)
		}
		if end >= 20 && isRandom(s[:end]) {
			return true
		}
		s = s[min(end+1, len(s)):]
	}
	return false
}

// formatAt is format for a place that the scan hasn't reached.
func (x *scan) formatAt(i int) (secret, bool) {
	if i+1 >= len(x.s) {
		return secret{}, false
	}
	near := x.near
	hit, ok := x.format(i)
	x.near = near
	return hit, ok
}
