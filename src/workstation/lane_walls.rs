//! The walls around the commands of a lane's agent: what the configuration, the lane's place and the machine make of
//! them at the moment a command is started.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use super::home::Home;
use super::lane_git::SETTLED;
use super::shared::{Shared, blocking};
use crate::app::{Msg, Settings};
use crate::base::lock;
use crate::config;
use crate::domain::{LaneId, Sandbox, Tenant, Walls};
use crate::git;
use crate::policy::{Policy, host_listed};
use crate::sandbox::{Bounds, Confinement, Facts, Judge, Porter};

/// Looks at what the machine has to confine commands, which takes a process, once the first window is there.
pub(super) fn look_at_machine(shared: &Arc<Shared>) {
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let looking = async {
            tokio::time::sleep(SETTLED).await;
            if let Ok(facts) = blocking(|| Ok(Facts::of_machine())).await {
                shared
                    .tell(Msg::Walls { lacks: facts.lacks(), lines: facts.lines(), door: facts.namespaces.is_ok() })
                    .await;
            }
        };
        tokio::select! { () = looking => {}, () = shared.ending.cancelled() => {} }
    });
}

/// Secrets and histories below the home directory that no command reads.
const SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".npmrc",
    ".pgpass",
    ".vault-token",
    ".password-store",
    ".cargo/credentials.toml",
    ".cargo/credentials",
    ".config/paralane",
    ".config/gh",
    ".config/glab-cli",
    ".config/git/credentials",
    ".config/gcloud",
    ".config/rclone",
    ".config/op",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".mozilla",
    ".thunderbird",
    ".local/share/keyrings",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".copilot",
    ".local/share/opencode",
    ".config/opencode",
    ".local/share/amp",
];
/// Secrets of the machine, for who runs as its administrator.
const SYSTEM_SECRETS: &[&str] = &["/etc/shadow", "/etc/gshadow", "/etc/ssh"];
/// Where a tool's cache goes when the usual place is not there: its variable, that place, a name of its own.
const REDIRECTED: &[(&str, &str, &str)] = &[
    ("npm_config_cache", ".npm", "npm"),
    ("GOCACHE", ".cache/go-build", "go-build"),
    ("GOMODCACHE", "go/pkg/mod", "go-mod"),
    ("PIP_CACHE_DIR", ".cache/pip", "pip"),
    ("UV_CACHE_DIR", ".cache/uv", "uv"),
    ("YARN_CACHE_FOLDER", ".cache/yarn", "yarn"),
];
/// Bytes in a megabyte.
const MEGABYTE: u64 = 1024 * 1024;

/// What all lanes' walls are made of.
#[derive(Debug)]
pub(super) struct WallPlan {
    home: Home,
    settings: Mutex<(config::Sandbox, PathBuf)>,
    reach: Mutex<Reach>,
    temporary: PathBuf,
}

/// Which hosts commands reach while the network is off.
#[derive(Debug, Clone, Default)]
struct Reach {
    hosts: Vec<String>,
    private: Vec<String>,
    policy: Arc<Policy>,
}

impl Reach {
    fn new(sandbox: &config::Sandbox, settings: &Settings) -> Self {
        let policy = Arc::clone(&settings.policy);
        Self { hosts: sandbox.hosts.clone(), private: settings.web.private.clone(), policy }
    }

    /// Whether a host is open, and may lie in a private network.
    fn judge(&self, host: &str, port: u16) -> Result<bool, String> {
        let scheme = if port == 80 { "http" } else { "https" };
        let address = format!("{scheme}://{host}:{port}/");
        if !host_listed(&self.hosts, &address) {
            return Err(format!("`{host}:{port}` is not on the list `sandbox.hosts` of the configuration"));
        }
        if let Some(rule) = self.policy.keeps_from(&address) {
            return Err(format!("the rule {rule} keeps commands from `{host}`"));
        }
        Ok(self.private.iter().any(|known| known.eq_ignore_ascii_case(&format!("{host}:{port}"))))
    }
}

impl WallPlan {
    /// With the settings as they are; `state` is the project's part of the state directory.
    pub fn new(home: Home, sandbox: config::Sandbox, settings: &Settings, state: &Path) -> Self {
        let reach = Mutex::new(Reach::new(&sandbox, settings));
        let worktrees = settings.worktrees.clone();
        Self { home, settings: Mutex::new((sandbox, worktrees)), reach, temporary: state.join("tmp") }
    }

    /// Takes the settings as they are now.
    pub fn configure(&self, sandbox: config::Sandbox, settings: &Settings) {
        *lock(&self.reach) = Reach::new(&sandbox, settings);
        *lock(&self.settings) = (sandbox, settings.worktrees.clone());
    }

    /// Puts aside what lanes of an earlier run left in their temporary directories, before any command is started.
    /// The work that is returned removes it. Blocks.
    pub fn clear(&self) -> impl FnOnce() + Send + use<> {
        let old = self.temporary.with_extension("old");
        // What cannot be removed now is tried again at the next start.
        let _ = std::fs::rename(&self.temporary, &old);
        move || {
            let _ = std::fs::remove_dir_all(old);
        }
    }

    /// Removes a lane's temporary directory. Blocks.
    pub fn forget(&self, lane: LaneId) {
        let _ = std::fs::remove_dir_all(self.temporary_of(lane));
    }

    fn temporary_of(&self, lane: LaneId) -> PathBuf {
        self.temporary.join(lane.0.to_string())
    }
}

/// The walls of one lane.
pub(super) struct LaneWalls {
    lane: LaneId,
    shared: Weak<Shared>,
    /// For commands, and for programs of the configuration: their views differ.
    confinements: [Mutex<Option<Arc<Confinement>>>; 2],
}

impl LaneWalls {
    /// Of this lane, wherever it stands when a command is started.
    pub fn new(lane: LaneId, shared: &Arc<Shared>) -> Self {
        Self { lane, shared: Arc::downgrade(shared), confinements: Default::default() }
    }

    fn bounds(&self, shared: &Shared) -> Result<Option<Bounds>, String> {
        let plan = &shared.walls;
        let (settings, worktrees) = lock(&plan.settings).clone();
        if !settings.on {
            return Ok(None);
        }
        let Some(place) = shared.places.get(self.lane) else { return Err("the lane has no worktree".to_owned()) };
        let needs = git::needs(&shared.project, &place).map_err(|error| error.to_string())?;
        let home = etcetera::home_dir().ok();
        let at_home = |path: &str| match (path.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => place.directory.join(path),
        };
        let mut write = needs.write;
        write.extend(settings.write.iter().map(|path| at_home(path)));
        let mut hide = vec![plan.home.root().to_owned(), worktrees];
        hide.extend(plan.home.user_config().and_then(Path::parent).map(Path::to_owned));
        hide.extend(settings.hide.iter().map(|path| at_home(path)));
        hide.extend(SYSTEM_SECRETS.iter().map(PathBuf::from).filter(|_| rustix::process::geteuid().is_root()));
        let mut keep = vec![shared.project.root().to_owned(), shared.project.common_dir().to_owned()];
        let mut variables = Vec::new();
        if let Some(home) = &home {
            hide.extend(SECRETS.iter().map(|path| home.join(path)));
            keep.push(home.clone());
            for (name, usual, own) in REDIRECTED {
                if shared.environment.get(name).is_none() && !home.join(usual).is_dir() {
                    variables.push(((*name).to_owned(), format!("/tmp/{own}")));
                }
            }
        }
        Ok(Some(Bounds {
            worktree: place.directory,
            write,
            fixed: needs.fixed,
            hide,
            keep,
            temporary: plan.temporary_of(self.lane),
            network: settings.network,
            door: !settings.hosts.is_empty(),
            processes: settings.processes,
            memory: settings.memory.map_or_else(most_memory, |megabytes| megabytes * MEGABYTE),
            required: settings.required,
            variables,
        }))
    }
}

impl Sandbox for LaneWalls {
    fn prepare(&self, tenant: Tenant) -> Result<Option<Box<dyn Walls>>, String> {
        let Some(shared) = self.shared.upgrade() else { return Err("the workstation is ending".to_owned()) };
        if tenant == Tenant::Free {
            return Confinement::keep();
        }
        let Some(mut bounds) = self.bounds(&shared)? else { return Confinement::keep() };
        let [commands, programs] = &self.confinements;
        let confinement = match tenant {
            Tenant::Program => {
                bounds.network = true;
                programs
            }
            Tenant::Command | Tenant::Free => commands,
        };
        let confinement = Arc::clone(lock(confinement).get_or_insert_with(|| {
            Arc::new(Confinement::new(Facts::of_machine().clone()).with_porter(porter(&shared)))
        }));
        confinement.prepare(&bounds).map(Some)
    }
}

/// Lets through whom the settings name at the moment.
fn porter(shared: &Arc<Shared>) -> Porter {
    let of = Arc::downgrade(shared);
    let judge: Judge = Arc::new(move |host, port| match of.upgrade() {
        Some(shared) => lock(&shared.walls.reach).judge(host, port),
        None => Err("the workstation is ending".to_owned()),
    });
    Porter { judge, runtime: shared.background.clone() }
}

/// Three quarters of the machine's memory, in bytes.
fn most_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = total.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(u64::MAX, |kilobytes| kilobytes * 1024 / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Origin;
    use crate::policy::{Rule, Switches};

    #[test]
    fn a_listed_host_is_open_unless_a_rule_keeps_from_it() {
        let rule = |effect, host| Rule::new(effect, "net", host, None, Origin::BuiltIn).unwrap();
        let rules = vec![
            rule("deny", "evil.packages.example"),
            rule("ask", "slow.packages.example"),
            rule("allow", "open.example"),
        ];
        let reach = Reach {
            hosts: ["*.packages.example", "localhost:3000", "docs.rs"].map(str::to_owned).to_vec(),
            private: vec!["localhost:3000".to_owned()],
            policy: Arc::new(Policy::new(rules, Switches::default())),
        };
        for (host, port, open) in [
            ("index.packages.example", 443, Ok(false)),
            ("docs.rs", 80, Ok(false)),
            ("docs.rs", 8080, Err("is not on the list")),
            ("localhost", 3000, Ok(true)),
            ("packages.example", 443, Err("is not on the list")),
            ("open.example", 443, Err("is not on the list")),
            ("evil.packages.example", 443, Err("deny net evil.packages.example")),
            ("slow.packages.example", 443, Err("ask net slow.packages.example")),
        ] {
            match (reach.judge(host, port), open) {
                (Ok(private), Ok(wanted)) => assert_eq!(private, wanted, "{host}"),
                (Err(words), Err(wanted)) => assert!(words.contains(wanted), "{host}: {words}"),
                (judged, _) => panic!("{host}:{port}: {judged:?}"),
            }
        }
    }
}
