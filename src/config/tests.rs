use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::*;
use crate::base::Report;
use crate::domain::{Key, Limit, Mode, Money, Period};

const THEMES: [&str; 2] = ["paralane-dark", "paralane-light"];

#[allow(clippy::unnecessary_wraps, reason = "every layer is an option")]
fn file(name: &str, text: &str) -> Option<LayerFile> {
    Some(LayerFile { file: name.to_owned(), text: text.to_owned() })
}

fn user(text: &str) -> Result<Config, Problems> {
    Config::load(&Layers { user: file("config.toml", text), ..Layers::default() }, &THEMES)
}

fn first(text: &str) -> Problem {
    user(text).unwrap_err().0.remove(0)
}

/// The model server that holds for lanes without their own.
fn provider(config: &Config) -> Option<&Provider> {
    config.providers.get(config.agent.provider.as_deref()?)
}

const WHOLE: &str = r#"
[providers.local]
dialect        = "openai-chat"
base_url       = "http://127.0.0.1:8080/v1/"
model          = "some-model"
api_key_env    = "LOCAL_KEY"
context_window = 128000
price          = { input = 3.0, cached = 0.3, output = 15.0 }
max_running    = 4

[agent]
provider = "local"
fallback = []
mode     = "auto-edit"

[scheduler]
max_running = 3

[web]
allow   = ["docs.rs", "*.example.com", "example.com:8443"]
private = ["localhost:3000"]

[lanes]
worktrees = "/wt"
copy      = [".env"]
init      = ["cargo", "fetch"]

[ui]
theme  = "paralane-light"
leader = "ctrl-b"
notify = ["bell", "osc9"]
"#;

#[test]
fn hosts_of_the_web_are_names_and_nothing_else() {
    for (text, words) in [
        ("allow = [\"https://docs.rs\"]", "`https://docs.rs` is no host"),
        ("allow = [\"*\"]", "is no host"),
        ("allow = [\"a.*.b\"]", "is no host"),
        ("allow = [\"docs.rs/x\"]", "is no host"),
        ("allow = [\"docs.rs:x\"]", "is no host"),
        ("private = [\"localhost\"]", "is no server"),
        ("private = [\"*:80\"]", "is no server"),
    ] {
        let problem = first(&format!("[web]\n{text}\n"));
        assert!(problem.to_string().contains(words), "{text}: {problem}");
    }
    let web = user(WHOLE).unwrap().web;
    assert_eq!((web.allow.len(), web.private), (3, vec!["localhost:3000".to_owned()]));
}

#[test]
fn every_key_is_read() {
    let config = user(WHOLE).unwrap();
    let provider = provider(&config).unwrap();
    assert_eq!((provider.base_url.as_str(), provider.max_running), ("http://127.0.0.1:8080/v1", Some(4)));
    assert_eq!(provider.price.unwrap().cached, Money::of_parts(300_000));
    assert_eq!((config.agent.mode, config.scheduler.max_running), (Mode::AutoEdit, 3));
    assert_eq!(config.lanes.init, ["cargo", "fetch"]);
    assert_eq!((config.ui.leader, config.ui.notify), (Key::ctrl('b'), vec![Notify::Bell, Notify::Osc9]));
}

#[test]
fn nothing_at_all_gives_the_defaults() {
    let config = user("").unwrap();
    assert_eq!((config.scheduler.max_running, config.scheduler.block_on_unmerged), (8, false));
    assert_eq!((config.ui.theme.as_str(), config.ui.leader), ("paralane-dark", Key::ctrl('g')));
    assert_eq!((config.agent.mode, provider(&config)), (Mode::Ask, None));
    assert_eq!(config.origin("ui.theme"), Origin::BuiltIn);
    assert!(config.settings.iter().any(|s| s.key == "scheduler.max_running" && s.value == 8));
}

#[test]
fn higher_layers_win_key_by_key_and_say_where() {
    let layers = Layers {
        managed: file("/etc/m.toml", "[scheduler]\nmax_running = 2\n"),
        user: file("u.toml", "[scheduler]\nmax_running = 5\n[ui]\n\ntheme = \"paralane-light\"\n"),
        project: file("p.toml", "[ui]\nleader = \"ctrl-a\"\ntheme = \"paralane-dark\"\n"),
        project_trusted: true,
    };
    let config = Config::load(&layers, &THEMES).unwrap();
    assert_eq!((config.scheduler.max_running, config.ui.theme.as_str()), (2, "paralane-light"));
    assert_eq!(config.ui.leader, Key::ctrl('a'));
    assert_eq!(config.origin("ui.theme").to_string(), "user u.toml:5");
    assert_eq!(config.origin("scheduler.max_running").to_string(), "managed /etc/m.toml:2");
    assert_eq!(config.origin("ui.leader").to_string(), "project p.toml:2");
    let untrusted = Layers { project: file("p.toml", "nonsense ["), project_trusted: false, ..layers };
    assert_eq!(Config::load(&untrusted, &THEMES).unwrap().ui.leader, Key::ctrl('g'));
}

#[test]
fn a_lower_layer_tightens_the_mode_but_never_loosens_it() {
    let effective = |managed: &str, user: &str, project: &str| {
        let layer = |mode: &str| if mode.is_empty() { None } else { file("f", &format!("agent.mode = \"{mode}\"")) };
        let layers =
            Layers { managed: layer(managed), user: layer(user), project: layer(project), project_trusted: true };
        let config = Config::load(&layers, &THEMES).unwrap();
        (config.agent.mode, config.notices.len())
    };
    assert_eq!(effective("", "full", ""), (Mode::Full, 0));
    assert_eq!(effective("", "full", "plan"), (Mode::Plan, 0));
    assert_eq!(effective("", "", "full"), (Mode::Ask, 1));
    assert_eq!(effective("ask", "full", ""), (Mode::Ask, 1));
    assert_eq!(effective("full", "ask", "auto-edit"), (Mode::Ask, 1));
    assert_eq!(effective("auto-edit", "", "ask"), (Mode::Ask, 0));
}

#[test]
fn faults_are_told_with_line_column_key_and_way_out() {
    let problem = first("[scheduler]\nmax_runing = 3\n");
    assert_eq!((problem.line, problem.column, problem.key.as_deref()), (2, 1, Some("scheduler.max_runing")));
    assert_eq!(problem.hint, "did you mean `max_running`?");
    let problem = first("[ui]\ntheme = \"paralane-drak\"\n");
    assert_eq!((problem.line, problem.column, problem.hint.as_str()), (2, 9, "did you mean `paralane-dark`?"));
    assert_eq!(
        first("[scheduler]\nmax_running = \"many\"\n").to_string(),
        "`config.toml` line 2, column 15, key `scheduler.max_running`: invalid type: string \"many\", expected a whole number"
    );
    let problem = first("[ui\ntheme = 1");
    assert_eq!((problem.line, problem.key), (1, None));
    let both = user("agnet = 1\n[ui]\nthem = 1\n").unwrap_err();
    let report = Report::from(both.clone());
    assert_eq!((both.0.len(), report.exit_status()), (2, 1));
    assert!(
        report.to_string().contains("did you mean `agent`?") && report.to_string().contains("did you mean `theme`?")
    );
}

#[test]
fn wrong_values_are_refused_at_their_line() {
    let local = "[providers.local]\nbase_url = \"http://h/v1\"\nmodel = \"m\"\n";
    for (text, line, wanted) in [
        (format!("{local}dialect = \"antropic\""), 4, "no dialect `antropic`"),
        (format!("{local}reasoning = \"hard\""), 4, "no length of reasoning"),
        (format!("{local}silence = 0"), 4, "1 to 86400"),
        (format!("{local}max_output = 0"), 4, "above 0"),
        (format!("{local}api_key_header = \"a b\""), 4, "no header's name"),
        (format!("{local}headers = {{ Authorization = \"SENTINEL\" }}"), 4, "never stands in the configuration"),
        (format!("{local}headers = {{ x-goog-api-key = \"SENTINEL\" }}"), 4, "never stands in the configuration"),
        (format!("{local}headers = {{ x = \"SENTINEL\\n\" }}"), 4, "no header has"),
        (format!("{local}headers_env = {{ x = \"sk-SENTINEL\" }}"), 4, "environment variable"),
        (format!("{local}query = {{ key = \"SENTINEL\" }}"), 4, "never stands in the configuration"),
        (format!("{local}dialect = \"smoke\""), 4, "no dialect"),
        (format!("{local}context_window = 0"), 4, "above 0"),
        (format!("{local}max_running = 0"), 4, "must be 1"),
        (format!("{local}api_key_env = \"sk-live-SENTINEL\""), 4, "name of an environment variable"),
        (format!("{local}api_key = \"sk-live-SENTINEL\""), 4, "never stands in the configuration"),
        (format!("{local}price = {{ input = -1.0, output = 1.0 }}"), 4, "0 or more"),
        (format!("{local}price = {{ input = 1.0, ouput = 1.0 }}"), 4, "no such key"),
        (format!("{local}[agent]\nprovider = \"locla\""), 5, "no provider"),
        ("[providers.x]\nmodel = \"m\"".to_owned(), 1, "lacks `base_url`"),
        ("[providers.x]\nbase_url = \"ftp://SENTINEL\"\nmodel = \"m\"".to_owned(), 2, "must begin"),
        ("[providers.x]\nbase_url = \"http://u:SENTINEL@h\"\nmodel = \"m\"".to_owned(), 2, "password"),
        ("[providers.x]\nbase_url = \"http://\"\nmodel = \"m\"".to_owned(), 2, "no host"),
        ("[providers.\"a/b\"]\nmodel = \"m\"".to_owned(), 1, "provider's name"),
        ("[[rule]]\neffekt = \"ask\"".to_owned(), 2, "no such key"),
        ("[[rule]]\neffect = 3".to_owned(), 2, "string"),
        ("[policy]\nfull = \"no\"".to_owned(), 2, "boolean"),
        ("[policy]\nshel = \"off\"".to_owned(), 2, "no such key"),
        ("[scheduler]\nmax_running = -1".to_owned(), 2, "must be 1"),
        ("[agent]\nmode = \"yolo\"".to_owned(), 2, "no mode"),
        ("[lanes]\ncopy = [\".env\", \"../x\"]".to_owned(), 2, "leads out"),
        ("[lanes]\ninit = [\"\"]".to_owned(), 2, "no program"),
        ("[lanes]\ninit_timeout = 3".to_owned(), 2, "no such key"),
        ("[ui]\nleader = \"ctrl-m\"".to_owned(), 2, "Enter"),
        ("[ui]\nnotify = [\"desktop\"]".to_owned(), 2, "no way to ring"),
    ] {
        let problem = first(&text);
        assert!(problem.line == line && problem.to_string().contains(wanted), "{text}\n{problem}");
        assert!(!format!("{problem} {}", problem.hint).contains("SENTINEL"), "{problem}");
        assert!(!problem.hint.is_empty(), "{problem}");
    }
}

#[test]
fn a_provider_is_added_beside_comments_and_becomes_the_default() {
    let new = NewProvider {
        name: "local".into(),
        base_url: "http://127.0.0.1:1/v1".into(),
        model: "m".into(),
        api_key_env: Some("LOCAL_KEY".into()),
        context_window: Some(8000),
    };
    let before = "# mine\n[ui]\ntheme = \"paralane-light\" # bright\n";
    let after = with_provider(before, &new).unwrap();
    assert!(after.starts_with(before), "{after}");
    let config = user(&after).unwrap();
    assert_eq!(provider(&config).unwrap().context_window, Some(8000));
    assert!(with_provider(&after, &new).unwrap_err().to_string().contains("one of that name"));
    let second = with_provider(&after, &NewProvider { name: "b".into(), ..new.clone() }).unwrap();
    assert_eq!(user(&second).unwrap().agent.provider.as_deref(), Some("local"));
    assert!(with_provider("[", &new).is_err());
    assert!(with_provider("", &NewProvider { base_url: "h".into(), ..new.clone() }).is_err());
    assert!(with_provider("", &NewProvider { name: "a b".into(), ..new.clone() }).is_err());
    assert!(user(&with_provider("", &NewProvider { api_key_env: None, context_window: None, ..new }).unwrap()).is_ok());
}

#[test]
fn every_dialect_and_what_a_gateway_wants_is_read() {
    for dialect in Dialect::ALL {
        let text = format!("[providers.x]\ndialect = \"{}\"\nbase_url = \"http://h\"\nmodel = \"m\"\n", dialect.word());
        let config = user(&text).unwrap();
        let provider = provider(&config).unwrap();
        assert_eq!((provider.dialect, provider.silence, provider.max_output), (dialect, 300, None));
    }
    let config = user(
        "[providers.azure]\nbase_url = \"https://h/openai/deployments/d\"\nmodel = \"m\"\napi_key_env = \"AZURE_KEY\"\n\
         api_key_header = \"Api-Key\"\nquery = { api-version = \"2024-10-21\" }\nheaders = { X-Team = \"blue\" }\n\
         headers_env = { x-gateway = \"GATEWAY_KEY\" }\nmax_output = 8000\nreasoning = \"high\"\nsilence = 60\n",
    )
    .unwrap();
    let provider = provider(&config).unwrap();
    assert_eq!(
        (provider.api_key_header.as_deref(), provider.query["api-version"].as_str()),
        (Some("api-key"), "2024-10-21")
    );
    assert_eq!((provider.headers["x-team"].as_str(), provider.silence), ("blue", 60));
    assert_eq!((provider.max_output, provider.reasoning), (Some(8000), Some(Effort::High)));
    assert_eq!(provider.key_variables(), ["AZURE_KEY", "GATEWAY_KEY"]);
}

#[test]
fn a_theme_is_written_in_place() {
    assert_eq!(with_theme("", "x").unwrap(), "[ui]\ntheme = \"x\"\n");
    assert!(with_theme("ui = 1", "x").is_err());
}

proptest! {
    #[test]
    fn no_text_panics(text in "(\\[(ui|agent|providers\\.a|[a-z]{1,5})\\]\n)?([a-z_]{1,8} ?= ?[\"\\[{0-9a-z'\\]}]{0,9}\n){0,3}\\PC{0,10}") {
        let _ = user(&text);
    }
}

#[test]
fn prices_and_budgets_are_read_exactly_and_faults_are_told() {
    let local = "[providers.local]\nbase_url = \"http://x/v1\"\nmodel = \"small\"\nprice = { input = 3, output = 15 }\n\
                 prices = { \"big/one\" = { input = 0.1, cached = 0.01, cache_write = 0.125, output = 1.5 } }\n";
    let config = user(&format!("{local}[budgets.night]\nmoney = 2.5\nlane = \"api\"\n")).unwrap();
    let prices = config.providers["local"].all_prices();
    let big = prices["big/one"];
    assert_eq!((big.input, big.cache_write), (Money::of_parts(100_000), Money::of_parts(125_000)));
    let small = prices["small"];
    assert_eq!(
        (small.cached, small.cache_write),
        (small.input, small.input),
        "what is not said costs what input costs"
    );
    let shown = |key: &str| config.settings.iter().find(|s| s.key == key).unwrap().value.clone();
    assert_eq!(shown("providers.local.price")["cached"], 3.0);
    assert_eq!(shown("providers.local.prices")["big/one"]["cache_write"], 0.125);
    let night = &config.budgets[0];
    assert_eq!((night.per, night.limit), (Period::Day, Limit::Money(Money::parse("2.5").unwrap())));
    assert_eq!((night.warn, night.stop, night.lane.as_deref()), (80, true, Some("api")));
    for (text, words) in [
        ("[budgets.x]\nper = \"day\"", "lacks a limit"),
        ("[budgets.x]\nmoney = 1.0\ntokens = 5", "both tokens and money"),
        ("[budgets.x]\nmoney = 0.0", "`money` must be above 0"),
        ("[budgets.x]\nmoney = -1.0", "`money` must be above 0"),
        ("[budgets.x]\ntokens = -5", "`tokens` must be above 0"),
        ("[budgets.x]\ntokens = 5\nper = \"dya\"", "did you mean `day`"),
        ("[budgets.x]\ntokens = 5\nwarn = 101", "1 to 100"),
        ("[budgets.x]\ntokens = 5\nprovider = \"locl\"", "did you mean `local`"),
        ("[budgets.x]\ntokens = 5\nprovider = \"local\"\nlane = \"a\"", "both a lane and a provider"),
        ("[budgets.x]\ntoken = 5", "did you mean `tokens`"),
        ("[budgets.\"a b\"]\ntokens = 5", "cannot be a budget's name"),
        ("[providers.local.prices.m]\ninput = 1.0", "missing field `output`"),
        ("[providers.local.prices.m]\ninput = 1.0\noutput = inf", "0 or more"),
    ] {
        let text =
            if text.contains("prices") { local.replace("prices = ", "# ") + text } else { format!("{local}{text}") };
        let problem = first(&text);
        let problem = format!("{problem}; {}", problem.hint);
        assert!(problem.contains(words), "{text}: {problem}");
    }
}

#[test]
fn a_lower_layer_cannot_loosen_a_budget() {
    let file = |text: &str| Some(LayerFile { file: "f".into(), text: text.into() });
    let layers = Layers {
        managed: file("[budgets.all]\ntokens = 100\n"),
        project: file("[budgets.all]\ntokens = 900\nstop = false\n[budgets.more]\ntokens = 5\n"),
        project_trusted: true,
        ..Layers::default()
    };
    let budgets = Config::load(&layers, &[]).unwrap().budgets;
    let all: Vec<_> = budgets.iter().map(|b| (b.name.as_str(), b.limit, b.stop)).collect();
    assert_eq!(all, [("all", Limit::Tokens(100), true), ("more", Limit::Tokens(5), true)]);
}

#[test]
fn rules_of_all_layers_count_and_say_where_they_stand() {
    let file = |text: &str| Some(LayerFile { file: "config.toml".into(), text: text.into() });
    let layers = Layers {
        managed: file(
            "[policy]\nremember = false\nfull = false\n\n[[rule]]\neffect = \"deny\"\ntool = \"shell\"\nmatch = \"rm *\"\n",
        ),
        user: file(
            "[policy]\nnetwork = \"off\"\nremember = true\n\n[[rule]]\neffect = \"allow\"\ntool = \"shell\"\nmatch = \"ls *\"\nreason = \"harmless\"\n",
        ),
        project: file(
            "# ours\n[[rule]]\neffect = \"ask\"\ntool = \"spawn\"\n[[rule]]\neffect = \"ask\"\n[policy]\ngit = \"maybe\"\n",
        ),
        project_trusted: true,
    };
    let rules = Config::load(&layers, &["paralane-dark"]).unwrap().rules;
    let shown: Vec<String> =
        rules.rules.iter().map(|r| format!("{} {} {} {}", r.effect, r.tool, r.matches, r.origin)).collect();
    assert_eq!(
        shown,
        [
            "deny shell rm * managed config.toml:5",
            "allow shell ls * user config.toml:5",
            "ask spawn * project config.toml:2"
        ]
    );
    let off: Vec<String> = rules.off.iter().map(|(switch, origin)| format!("{} {origin}", switch.word())).collect();
    assert_eq!(off, ["network user config.toml:2"]);
    assert_eq!(rules.forgetful.unwrap().to_string(), "managed config.toml:2");
    assert_eq!(rules.never_full.unwrap().to_string(), "managed config.toml:3");
    let broken: Vec<String> = rules.broken.iter().map(ToString::to_string).collect();
    assert_eq!(broken.len(), 2, "{broken:?}");
    assert!(
        broken[0].contains("line 5") && broken[0].contains("rule.1") && broken[0].contains("lacks `tool`"),
        "{broken:?}"
    );
    assert!(broken[1].contains("line 8") && broken[1].contains("policy.git"), "{broken:?}");
}

#[test]
fn a_rule_comes_and_goes_beside_comments() {
    let rule =
        |matches: &str| NewRule { effect: "ask".into(), tool: "shell".into(), matches: matches.into(), reason: None };
    let before = "# mine\n[ui]\ntheme = \"paralane-light\" # bright\n";
    let one = with_rule(before, &rule("git push *")).unwrap();
    assert!(one.starts_with(before), "{one}");
    let two = with_rule(&one, &NewRule { reason: Some("why \"so\"".into()), ..rule("rm *") }).unwrap();
    assert_eq!(user(&two).unwrap().rules.rules.len(), 2);
    let left = without_rule(&two, &rule("git push *")).unwrap();
    let rules = user(&left).unwrap().rules.rules;
    assert_eq!((rules.len(), rules[0].matches.as_str(), rules[0].reason.as_deref()), (1, "rm *", Some("why \"so\"")));
    assert!(left.starts_with(before), "{left}");
    assert!(without_rule(&left, &rule("git push *")).unwrap_err().to_string().contains("stands there no more"));
    assert!(with_rule("rule = 1", &rule("x")).unwrap_err().to_string().contains("not a list"));
    assert!(with_rule("= broken", &rule("x")).unwrap_err().to_string().contains("not valid TOML"));
}
