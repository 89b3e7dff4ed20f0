//! Clients of the configured model servers, made when first used and again when their settings change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::agent::{ApiKey, ModelClient, Provider, ProxySettings};
use crate::base::{Report, lock};

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
        known.keys.extend(access.values().filter_map(|access| access.api_key_env.clone()));
        known.clients.retain(|name, _| access.contains_key(name));
        known.access = access;
    }

    /// Variables that hold keys: never given to a model's commands.
    pub fn key_names(&self) -> Vec<String> {
        self.lock().keys.iter().cloned().collect()
    }

    /// The client of a provider. Takes some milliseconds when it is made anew.
    pub fn client(&self, name: &str, environment: &SessionEnvironment) -> Result<ModelClient, Report> {
        let mut known = self.lock();
        let Some(access) = known.access.get(name) else {
            return Err(Report::refused(format!("the provider `{name}` is not configured any more"))
                .hint("choose another with `/model`"));
        };
        let provider = provider(&access.base_url, access.api_key_env.as_deref(), environment)
            .map_err(|report| Report { message: format!("provider `{name}`: {}", report.message), ..report })?;
        if let Some((_, client)) = known.clients.get(name).filter(|(made_of, _)| *made_of == provider) {
            return Ok(client.clone());
        }
        let client =
            ModelClient::new(provider.clone()).map_err(|e| Report::refused(format!("provider `{name}`: {e}")))?;
        known.clients.insert(name.to_owned(), (provider, client.clone()));
        Ok(client)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        lock(&self.0)
    }
}

/// How to reach a server, with its key from the environment.
pub(super) fn provider(
    base_url: &str,
    key_env: Option<&str>,
    environment: &SessionEnvironment,
) -> Result<Provider, Report> {
    let key = match key_env {
        Some(variable) => Some(environment.get(variable).map(|v| ApiKey::new(&v)).ok_or_else(|| {
            Report::refused(format!("the variable `{variable}` that holds its key is not set"))
                .hint(format!("set it and attach again: `export {variable}=…`, then `paralane`"))
        })?),
        None => None,
    };
    let mut provider = Provider::new(base_url, key);
    provider.proxies = ProxySettings::from_variables(|name| environment.get(name));
    Ok(provider)
}
