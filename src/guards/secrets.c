/* SPDX-License-Identifier: MIT */
/* The built-in set `secrets`: which files hold them, by name. */
#include "guards/rules.h"

#include "base/glob.h"
#include "base/path.h"

static const char *const names[] = {
	".env",
	".env.*",
	".envrc",
	"*.pem",
	"*.key",
	"*.p12",
	"*.pfx",
	"*.jks",
	"*.keystore",
	"id_rsa*",
	"id_dsa*",
	"id_ecdsa*",
	"id_ed25519*",
	".netrc",
	"_netrc",
	".pypirc",
	".npmrc",
	".git-credentials",
	".htpasswd",
	".pgpass",
	".my.cnf",
	".vault-token",
	"credentials.json",
	"secrets.yml",
	"secrets.yaml",
	"secrets.json",
	"secrets.toml",
	"service-account*.json",
	"*.kdbx",
	"*.ovpn",
	".dockercfg",
	"master.key",
	"*.tfstate",
};
static const char *const harmless[] = {
	"*.example",  "*.sample", "*.template", "*.dist",    "*.pub",
	"*.defaults", "*.schema", "*.md",       ".env.d.ts",
};
static const char *const places[] = {
	"*/.ssh/*",
	"*/.gnupg/*",
	"*/.aws/credentials",
	"*/.aws/config",
	"*/.kube/config",
	"*/.docker/config.json",
	"*/.config/gh/hosts.yml",
	"*/.azure/*",
	"*/.config/gcloud/*",
	"/etc/shadow",
	"/etc/gshadow",
	"/proc/*/environ",
};

static bool
is_among(struct str text, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (glob_match(str_from(patterns[i]), text))
			return true;
	return false;
}

bool
guard_is_secret(struct str path)
{
	struct str name = path_base(path);

	if (is_among(name, harmless, COUNT_OF(harmless)) || str_ends(path, STR("/known_hosts")))
		return false;
	return is_among(name, names, COUNT_OF(names)) || is_among(path, places, COUNT_OF(places));
}
