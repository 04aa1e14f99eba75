/* SPDX-License-Identifier: MIT */
/* The built-in set `secrets`: which files hold them, by name. */
#include "guards/rules.h"

#include "base/glob.h"
#include "base/path.h"

static const char *const names[] = {
	".env",
	".env.*",
	".envrc",
	".dev.vars",
	".secrets",
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
	/* Directories, all of which a recursive command reads. */
	".ssh",
	".gnupg",
	".aws",
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

/* The patterns here have one wildcard, at an end or in the middle, or two around. */
static bool
matches(struct str pattern, struct str text)
{
	ptrdiff_t star = str_find_char(pattern, '*');

	if (star < 0)
		return str_eq(pattern, text);
	if (!str_starts(text, str_sub(pattern, 0, (size_t)star)))
		return false;
	return glob_match(pattern, text);
}

static bool
is_among(struct str text, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (matches(str_from(patterns[i]), text))
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
