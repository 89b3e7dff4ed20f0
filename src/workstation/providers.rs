//! Clients of the configured model servers, made when first used and again when their settings change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use crate::agent::{ApiKey, Backend, ModelClient, Provider, ProxySettings};
use crate::base::{Report, lock};
use crate::config;

use super::configuration::ProviderAccess;
use super::environment::SessionEnvironment;

/// Clients by provider.
#[derive(Debug, Default)]
pub(super) struct Providers(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    access: BTreeMap<String, ProviderAccess>,
    /// Every variable that was ever named as a key's: one that is not used any more is still a secret.
    keys: BTreeSet<String>,
    clients: BTreeMap<String, (Provider, ModelClient)>,
}

impl Providers {
    /// Takes the configuration as it is now.
    pub fn configure(&self, access: BTreeMap<String, ProviderAccess>) {
        let mut known = self.lock();
        known.keys.extend(access.values().flat_map(|access| access.settings.key_variables()));
        known.clients.retain(|name, _| access.contains_key(name));
        known.access = access;
    }

    /// Variables that hold keys: never given to a model's commands.
    pub fn key_names(&self) -> Vec<String> {
        self.lock().keys.iter().cloned().collect()
    }

    /// What the configuration says of a provider.
    pub fn settings(&self, name: &str) -> Option<config::Provider> {
        self.lock().access.get(name).map(|access| access.settings.clone())
    }

    /// The client of a provider. Takes some milliseconds when it is made anew.
    pub fn client(&self, name: &str, environment: &SessionEnvironment) -> Result<ModelClient, Report> {
        self.lock().client(name, environment)
    }

    /// Who is asked when a provider does not answer, in order. One that cannot be used (its key is not set) is
    /// passed over: the turn may well need none of them.
    pub fn fallback(&self, name: &str, environment: &SessionEnvironment) -> Vec<Backend> {
        let mut known = self.lock();
        let names = known.access.get(name).map(|access| access.fallback.clone()).unwrap_or_default();
        let others = names.into_iter().filter(|other| other != name);
        others
            .filter_map(|other| {
                let model = known.access.get(&other)?.settings.model.clone();
                Some(Backend { client: known.client(&other, environment).ok()?, model })
            })
            .collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        lock(&self.0)
    }
}

impl Known {
    fn client(&mut self, name: &str, environment: &SessionEnvironment) -> Result<ModelClient, Report> {
        let Some(access) = self.access.get(name) else {
            return Err(Report::refused(format!("the provider `{name}` is not configured any more"))
                .hint("choose another with `/model`"));
        };
        let provider = configured(&access.settings, environment)
            .map_err(|report| Report { message: format!("provider `{name}`: {}", report.message), ..report })?;
        if let Some((_, client)) = self.clients.get(name).filter(|(made_of, _)| *made_of == provider) {
            return Ok(client.clone());
        }
        let client =
            ModelClient::new(provider.clone()).map_err(|e| Report::refused(format!("provider `{name}`: {e}")))?;
        self.clients.insert(name.to_owned(), (provider, client.clone()));
        Ok(client)
    }
}

/// How to reach a configured server, with its secrets from the environment.
fn configured(settings: &config::Provider, environment: &SessionEnvironment) -> Result<Provider, Report> {
    let mut provider = provider(&settings.base_url, settings.api_key_env.as_deref(), environment)?;
    let secret = |(name, variable): (&String, &String)| Ok((name.clone(), key(variable, environment)?));
    provider.secret_headers = settings.headers_env.iter().map(secret).collect::<Result<_, Report>>()?;
    provider.name.clone_from(&settings.name);
    provider.dialect = settings.dialect;
    provider.api_key_header.clone_from(&settings.api_key_header);
    provider.headers.clone_from(&settings.headers);
    provider.query.clone_from(&settings.query);
    provider.max_output = settings.max_output;
    provider.context_window = settings.context_window;
    provider.compact_at = u64::from(settings.compact_at.unwrap_or(config::COMPACT_AT));
    provider.effort = settings.reasoning;
    provider.idle = Duration::from_secs(settings.silence);
    Ok(provider)
}

/// How to reach a server of chat completions, with its key from the environment.
pub(super) fn provider(
    base_url: &str,
    key_env: Option<&str>,
    environment: &SessionEnvironment,
) -> Result<Provider, Report> {
    let key = key_env.map(|variable| key(variable, environment)).transpose()?;
    let mut provider = Provider::new(base_url, key);
    provider.proxies = ProxySettings::from_variables(|name| environment.get(name));
    Ok(provider)
}

fn key(variable: &str, environment: &SessionEnvironment) -> Result<ApiKey, Report> {
    environment.get(variable).map(|value| ApiKey::new(&value)).ok_or_else(|| {
        Report::refused(format!("the variable `{variable}` that holds its key is not set"))
            .hint(format!("set it and attach again: `export {variable}=…`, then `paralane`"))
    })
}
