// SPDX-License-Identifier: MIT
// The clients that are driven: package, version, how each is pointed at an API on loopback, and how one prompt is played
// without a terminal. Installs them from the npm registry into a cache outside the tree; what can't be installed is said,
// never guessed at.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawnSync } from "node:child_process";

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "holdfast-clients");
const install_ms = 300_000;
const start_ms = 60_000;

// Nobody is told anything; what a client looks for beside the API is refused by the API as its proxy.
export function quiet(url) {
	const loopback = "127.0.0.1,localhost";
	return {
		DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", DISABLE_ERROR_REPORTING: "1", DO_NOT_TRACK: "1", NO_COLOR: "1",
		HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, NO_PROXY: loopback, no_proxy: loopback,
	};
}

function write(file, text) {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, text);
}

// Keeps what is there already, such as hooks.
function merge(file, settings) {
	const there = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
	write(file, JSON.stringify({ ...there, ...settings }));
}

export const catalog = {
	// The protocol's own library, which a session imports: the client of `holdfast mcp` that follows the specification.
	"mcp-sdk": { package: "@modelcontextprotocol/sdk", version: "1.32.2", module: "@modelcontextprotocol/sdk/dist/esm/client/index.js" },
	claude: {
		package: "@anthropic-ai/claude-code", version: "2.1.325",
		env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" }),
		argv: (prompt, more) => ["-p", prompt, "--allowedTools", "Bash", ...more],
	},
	codex: {
		package: "@openai/codex", version: "0.166.0",
		env: (url, home) => ({ CODEX_HOME: path.join(home, ".codex"), FAKE_API_KEY: "none" }),
		prepare: (url, home) => write(path.join(home, ".codex", "config.toml"), [
			'model = "fake"', 'model_provider = "fake"', 'check_for_update_on_startup = false',
			"[analytics]", "enabled = false", "[feedback]", "enabled = false",
			"[model_providers.fake]", 'name = "fake"', `base_url = "${url}/v1"`, 'wire_api = "responses"', 'env_key = "FAKE_API_KEY"',
			"request_max_retries = 0", "stream_max_retries = 0", "",
		].join("\n")),
		// The hooks of a fresh home have not been reviewed by anybody, which is what the bypass is for; --no-bypass is ours.
		// The file is that of all sessions in one home, so each also names its own API.
		argv: (prompt, more, url) => ["exec", "-c", `model_providers.fake.base_url="${url}/v1"`, "--skip-git-repo-check",
			"--dangerously-bypass-approvals-and-sandbox", ...(more.includes("--no-bypass") ? [] : ["--dangerously-bypass-hook-trust"]),
			...more.filter((word) => word !== "--no-bypass"), prompt],
	},
	gemini: {
		package: "@google/gemini-cli", version: "0.61.0",
		env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_TELEMETRY_ENABLED: "false" }),
		prepare: (url, home) => merge(path.join(home, ".gemini", "settings.json"), {
			security: { auth: { selectedType: "gemini-api-key" } }, model: { name: "gemini-2.5-flash" }, privacy: { usageStatisticsEnabled: false },
			general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true }, telemetry: { enabled: false },
		}),
		// Its --sandbox starts a container from an image on the network, unless it is told that it is in one already.
		reviewer_env: { SANDBOX: "none" },
		argv: (prompt, more) => ["--yolo", ...more, "-p", prompt],
	},
	qwen: {
		package: "@qwen-code/qwen-code", version: "0.24.4",
		env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "fake" }),
		prepare: (url, home) => merge(path.join(home, ".qwen", "settings.json"), {
			security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false },
			general: { disableAutoUpdate: true, enableAutoUpdate: false }, telemetry: { enabled: false },
		}),
		argv: (prompt, more) => ["--yolo", "--auth-type", "openai", ...more, "-p", prompt],
		// It also keeps notes about the session by requests of its own, which offer tools.
		is_side: (body) => /memory/i.test(JSON.stringify(body.messages?.[0] ?? "")) && !/interactive CLI|CLI agent|software engineering/i.test(JSON.stringify(body.messages?.[0] ?? "")),
	},
	copilot: {
		package: "@github/copilot", version: "1.0.102",
		env: (url, home) => ({
			COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: "fake", COPILOT_ALLOW_ALL: "true",
			COPILOT_HOME: path.join(home, ".copilot"), COPILOT_AUTO_UPDATE: "false",
		}),
		argv: (prompt, more) => ["--no-color", "--allow-all-paths", ...more, "-p", prompt],
	},
};

function binary(name) {
	const { package: pack, version, module } = catalog[name];
	const root = path.join(cache, `${name}-${version}`);
	const file = path.join(root, "node_modules", module ?? path.join(".bin", name));
	return { root, file, spec: `${pack}@${version}`, is_there: fs.existsSync(file) && fs.existsSync(path.join(root, "complete")) };
}

function run(program, argv, timeout) {
	const done = spawnSync(program, argv, { encoding: "utf8", timeout, stdio: ["ignore", "pipe", "pipe"] });
	return { is_fine: !done.error && done.status === 0, said: (done.stderr ?? "").trim().split("\n")[0] };
}

// Puts the package into the cache, whole or not at all.
function fetch_package({ root, spec }) {
	const fresh = `${root}.new.${process.pid}`;
	fs.mkdirSync(fresh, { recursive: true });
	const { is_fine } = run("npm", ["install", "--silent", "--no-fund", "--no-audit", "--prefix", fresh, spec], install_ms);
	if (is_fine) {
		fs.writeFileSync(path.join(fresh, "complete"), "");
		fs.rmSync(root, { recursive: true, force: true });
		fs.renameSync(fresh, root);
	}
	fs.rmSync(fresh, { recursive: true, force: true });
	return is_fine;
}

// Returns {file} or {why}: the client's program, or why there is none.
export function install(name) {
	const wanted = binary(name);
	if (!wanted.is_there && !fetch_package(wanted))
		return { why: `${wanted.spec} can't be installed` };
	if (catalog[name].module)
		return { file: wanted.file };
	const { is_fine, said } = run(wanted.file, ["--version"], start_ms);
	return is_fine ? { file: wanted.file } : { why: `${wanted.spec} does not start here (node ${process.versions.node}): ${said}` };
}
