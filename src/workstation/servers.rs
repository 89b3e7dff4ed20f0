//! A lane's tool servers with all that starting them needs: the variables that they are handed.
//!
//! A server's process gets a few variables that every program needs, our marks, and what the configuration names. So it
//! gets no key that it is not meant to have, whatever stands in the person's environment.

use std::path::Path;
use std::sync::Arc;

use super::environment::{INSTANCE_MARK, PROJECT_MARK, SessionEnvironment};
use crate::agent::{ApiKey, ProxySettings, ServerSpec};
use crate::config::{Reach, Server};
use crate::domain::Sandbox;

/// What every program needs: where it finds others, its person's directories, its language.
const BASE: [&str; 17] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    PROJECT_MARK,
    INSTANCE_MARK,
];

/// The server of a lane that works in this directory.
pub(super) fn spec(
    settings: Server,
    directory: &Path,
    environment: &SessionEnvironment,
    sandbox: Option<&Arc<dyn Sandbox>>,
) -> ServerSpec {
    let mut fault = None;
    let mut named = |variable: &str| {
        let value = environment.get(variable);
        if value.is_none() && fault.is_none() {
            fault = Some(format!("the variable `{variable}` that it needs is not set; export it and attach again"));
        }
        value
    };
    let given = settings.env.iter().filter_map(|(name, value)| {
        let value = value.clone().or_else(|| named(name))?;
        Some((name.clone(), value))
    });
    let given = given.collect();
    let headers = match &settings.reach {
        Reach::Command(_) => Vec::new(),
        Reach::Url { headers_env, .. } => {
            let header = |(name, variable): (&String, &String)| Some((name.clone(), ApiKey::new(&named(variable)?)));
            headers_env.iter().filter_map(header).collect()
        }
    };
    let base = BASE.iter().filter_map(|name| Some(((*name).to_owned(), environment.get(name)?))).collect();
    let proxies = ProxySettings::from_variables(|name| environment.get(name));
    ServerSpec {
        settings,
        directory: directory.to_owned(),
        base,
        given,
        headers,
        proxies,
        sandbox: sandbox.cloned(),
        fault,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::config::Origin;

    #[test]
    fn a_server_gets_the_few_and_what_is_named_and_says_what_is_missing() {
        let environment = SessionEnvironment::new("/h/store", "i1");
        let set = [("PATH", "/bin"), ("MODEL_KEY", "sk-model"), ("DOCS_TOKEN", "sk-docs")];
        environment.renew(set.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
        let server = |env: &[(&str, Option<&str>)]| Server {
            name: "docs".into(),
            reach: Reach::Command(vec!["x".into()]),
            env: env.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect(),
            allow: Vec::new(),
            deny: Vec::new(),
            timeout: 60,
            sandbox: false,
            origin: Origin::BuiltIn,
        };
        let made = spec(server(&[("DOCS_TOKEN", None), ("LEVEL", Some("3"))]), Path::new("/w"), &environment, None);
        let all: BTreeMap<String, String> = made.base.iter().chain(&made.given).cloned().collect();
        assert_eq!(all.get("DOCS_TOKEN").map(String::as_str), Some("sk-docs"));
        assert_eq!(all.get("LEVEL").map(String::as_str), Some("3"));
        assert_eq!(all.get(INSTANCE_MARK).map(String::as_str), Some("i1"));
        assert!(!all.values().any(|value| value.contains("sk-model")) && made.fault.is_none());
        assert!(!format!("{made:?}").contains("sk-docs"));
        let lacks = spec(server(&[("ABSENT_TOKEN", None)]), Path::new("/w"), &environment, None);
        assert!(lacks.fault.is_some_and(|fault| fault.contains("`ABSENT_TOKEN`")));
    }
}
