use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::*;
use crate::base::Report;
use crate::domain::{Key, Limit, Mode, Money, Period, RuleText};

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
    assert_eq!((config.events.keep, config.events.days, config.events.mail), (200_000, 90, 20_000));
}

#[test]
fn how_long_history_goes_back_is_bounded_itself() {
    let config = user("[events]\nkeep = 1000000\ndays = 7\nmail = 5000\n").unwrap();
    assert_eq!((config.events.keep, config.events.days, config.events.mail), (1_000_000, 7, 5_000));
    for (text, fault) in [
        ("keep = 5", "1000 to 100000000"),
        ("days = 0", "1 to 36500"),
        ("mail = 7", "1000 to 10000000"),
        ("day = 3", "there is no such key"),
    ] {
        let told = user(&format!("[events]\n{text}\n")).unwrap_err().to_string();
        assert!(told.contains(fault), "{told}");
    }
}

#[test]
fn a_provider_compacts_as_it_says_or_as_is_said_of_all() {
    let provider =
        |name: &str, more: &str| format!("[providers.{name}]\nbase_url = \"http://x/v1\"\nmodel = \"m\"\n{more}\n");
    let both = provider("a", "compact_at = 0") + &provider("b", "");
    let said = |config: &Config| config.providers.values().map(|p| p.compact_at).collect::<Vec<_>>();
    let config = user(&both).unwrap();
    assert_eq!((said(&config), config.agent.compact_idle), (vec![Some(0), Some(80)], None));
    let config = user(&format!("{both}[agent]\ncompact_at = 50\ncompact_idle = 900\n")).unwrap();
    assert_eq!((said(&config), config.agent.compact_idle), (vec![Some(0), Some(50)], Some(900)));
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
        (format!("{local}compact_at = 10"), 4, "must be 20 to 95, or 0"),
        ("[agent]\ncompact_at = 96".to_owned(), 2, "must be 20 to 95, or 0"),
        ("[agent]\ncompact_idle = 5".to_owned(), 2, "must be 60 to 86400, or 0"),
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
fn hooks_of_all_layers_run_and_each_knows_its_line() {
    let managed = "[[hook]]\nevent = \"stop\"\ncommand = [\"m\"]\n";
    let own = "[ui]\ntheme = \"paralane-light\"\n\n[[hook]]\nevent = \"before-tool\"\nmatch = \"shell\"\ncommand = [\"u\", \"x y\"]\ntimeout = 5\nlane = \"api\"\n\n[[hook]]\nevent = \"after-tool\"\nmatch = [\"git_*\", \"edit\"]\ncommand = [\"v\"]\n";
    let layers = Layers { managed: file("m.toml", managed), user: file("u.toml", own), ..Layers::default() };
    let hooks = Config::load(&layers, &THEMES).unwrap().hooks;
    let labels: Vec<String> = hooks.iter().map(Hook::label).collect();
    assert_eq!(labels, ["hook `m` (managed m.toml:1)", "hook `u x y` (user u.toml:4)", "hook `v` (user u.toml:11)"]);
    assert_eq!(
        (hooks[1].timeout, hooks[1].lane.as_deref(), &hooks[1].tools[..]),
        (5, Some("api"), &["shell".into()][..])
    );
    assert_eq!((hooks[0].timeout, hooks[2].tools.len()), (30, 2));
}

#[test]
fn a_wrong_hook_is_told_with_its_line() {
    for (text, line, words) in [
        ("[[hook]]\ncommand = [\"x\"]\n", 1, "lacks `event`"),
        ("[[hook]]\nevent = \"stop\"\n", 1, "lacks `command`"),
        ("[[hook]]\nevent = \"before-tol\"\ncommand = [\"x\"]\n", 2, "before-tol"),
        ("[[hook]]\nevent = \"stop\"\ncommand = []\n", 3, "names no program"),
        ("[[hook]]\nevent = \"stop\"\ncommand = \"x\"\n", 3, "expected a sequence"),
        ("[[hook]]\nevent = \"stop\"\ncommand = [\"x\"]\nmatch = \"shell\"\n", 4, "is about none"),
        ("[[hook]]\nevent = \"before-tool\"\ncommand = [\"x\"]\nmatch = []\n", 4, "names no tools"),
        ("[[hook]]\nevent = \"stop\"\ncommand = [\"x\"]\ntimeout = 0\n", 4, "must be from 1 to 600"),
        ("[[hook]]\nevent = \"stop\"\ncommand = [\"x\"]\ntimeuot = 1\n", 4, "no such key"),
        ("[hook]\nevent = \"stop\"\n", 1, "expected a sequence"),
    ] {
        let problem = first(text);
        assert!(problem.message.contains(words), "{text}: {problem}");
        assert_eq!(problem.line, line, "{text}: {problem}");
    }
}

const SERVER: &str = "[mcp.docs]\ncommand = [\"docs-server\", \"--stdio\"]\nenv = [\"DOCS_TOKEN\", \"LEVEL=3\"]\n\
    allow = [\"get_*\"]\ntimeout = 9\n[mcp.web]\nurl = \"https://x.test/mcp\"\nheaders_env = { Authorization = \"WEB_AUTH\" }\n";

#[test]
fn tool_servers_are_read() {
    let config = user(SERVER).unwrap();
    let [docs, web] = config.servers.as_slice() else { panic!("{:?}", config.servers) };
    assert_eq!(docs.reach, Reach::Command(vec!["docs-server".into(), "--stdio".into()]));
    assert_eq!((docs.timeout, web.timeout, docs.allow.as_slice()), (9, 60, &["get_*".to_owned()][..]));
    assert_eq!(docs.variables(), ["DOCS_TOKEN"]);
    assert_eq!(docs.env["LEVEL"].as_deref(), Some("3"));
    assert_eq!(web.secret_variables(), ["WEB_AUTH"]);
    assert_eq!(config.origin("mcp.web").to_string(), "user config.toml:6");
}

#[test]
fn what_no_tool_server_may_have_is_refused_and_no_secret_repeated() {
    for (lines, words) in [
        ("[mcp.docs]", "lacks `command` or `url`"),
        ("[mcp.docs]\ncommand = [\"x\"]\nurl = \"http://x/\"", "both `command` and `url`"),
        ("[mcp.docs]\ncommand = []", "names no program"),
        ("[mcp.Docs]\ncommand = [\"x\"]", "cannot be a tool server's name"),
        ("[mcp.a__b]\ncommand = [\"x\"]", "cannot be a tool server's name"),
        ("[mcp.docs]\ncommand = [\"x\"]\nenv = [\"API_TOKEN=sk-SENTINEL\"]", "a secret never stands"),
        ("[mcp.docs]\ncommand = [\"x\"]\nenv = [\"sk-SENTINEL\"]", "names no variable"),
        ("[mcp.docs]\ncommand = [\"x\"]\nenv = [\"PARALANE_PROJECT=x\"]", "Paralane's own"),
        ("[mcp.docs]\ncommand = [\"x\"]\nheaders_env = { a = \"B\" }", "is for a server with `url`"),
        ("[mcp.docs]\nurl = \"http://x/\"\nenv = [\"A\"]", "is for a server with `command`"),
        ("[mcp.docs]\nurl = \"http://u:sk-SENTINEL@x/\"", "user name or password"),
        ("[mcp.docs]\nurl = \"http://x/?token=sk-SENTINEL\"", "carries a secret"),
        ("[mcp.docs]\nurl = \"ftp://x/\"", "must begin with"),
        ("[mcp.docs]\nurl = \"http://x/\"\nheaders_env = { a = \"sk-SENTINEL\" }", "not a key itself"),
        ("[mcp.docs]\nurl = \"http://x/\"\nheaders = { a = \"sk-SENTINEL\" }", "never stands in the configuration"),
        ("[mcp.docs]\ncommand = [\"x\"]\nallow = [\"a*b\"]", "no tool's name"),
        ("[mcp.docs]\ncommand = [\"x\"]\ntimeout = 0", "1 to 3600"),
        ("[mcp.docs]\ncommand = [\"x\"]\nalow = []", "no such key"),
    ] {
        let problem = first(lines);
        let told = format!("{} {}", Report::from(Problems(vec![problem.clone()])).message, problem.hint);
        assert!(told.contains(words) && !told.contains("SENTINEL"), "{lines}: {told}");
    }
    let taken = "[providers.p]\nbase_url = \"http://x/\"\nmodel = \"m\"\napi_key_env = \"MODEL_KEY\"\n\
        [mcp.docs]\ncommand = [\"x\"]\nenv = [\"MODEL_KEY\"]";
    assert!(first(taken).message.contains("holds the key of a model server"));
    let many = (0..17).map(|n| format!("[mcp.s{n}]\ncommand = [\"x\"]\n")).collect::<Vec<_>>().concat();
    assert!(first(&many).message.contains("more than 16 servers"));
}

#[test]
fn a_lower_layer_can_deny_tools_of_a_server_and_change_nothing_else_of_it() {
    let layers = Layers {
        user: file("user.toml", "[mcp.docs]\ncommand = [\"mine\"]\nallow = [\"get\"]\ndeny = [\"drop\"]"),
        project: file(
            "project.toml",
            "[mcp.docs]\ncommand = [\"theirs\"]\nallow = [\"*\"]\ndeny = [\"get\"]\n[mcp.more]\ncommand = [\"x\"]",
        ),
        project_trusted: true,
        ..Layers::default()
    };
    let config = Config::load(&layers, &THEMES).unwrap();
    assert_eq!(config.servers.len(), 2);
    assert_eq!(config.servers[0].reach, Reach::Command(vec!["mine".into()]));
    assert_eq!(
        (config.servers[0].allow.join(","), config.servers[0].deny.join(",")),
        ("get".into(), "drop,get".into())
    );
    let untrusted = Config::load(&Layers { project_trusted: false, ..layers }, &THEMES).unwrap();
    assert_eq!(untrusted.servers.len(), 1);
}

#[test]
fn the_sandbox_is_only_ever_tightened_from_above_down() {
    let load = |managed: &str, own: &str, project: &str| {
        let layers = Layers {
            managed: file("managed.toml", managed),
            user: file("config.toml", own),
            project: file("project.toml", project),
            project_trusted: true,
        };
        Config::load(&layers, &THEMES)
    };
    let built_in = load("", "", "").unwrap().sandbox;
    assert!(built_in.on && !built_in.network && !built_in.required && built_in.processes == 4096);
    assert!(built_in.write.iter().any(|path| path == "~/.npm"));
    // The person decides for themselves; a repository does not.
    let own =
        "[sandbox]\nmode = \"off\"\nnetwork = \"on\"\nwrite = [\"~/.cargo\"]\nprocesses = 9000\nhide = [\"~/a\"]\n";
    let config = load("", own, "").unwrap();
    assert!(!config.sandbox.on && config.sandbox.network && config.sandbox.processes == 9000);
    assert_eq!(config.sandbox.write, ["~/.cargo"]);
    let shown = |key: &str| config.settings.iter().find(|setting| setting.key == key).unwrap().value.clone();
    assert_eq!((shown("sandbox.mode"), shown("sandbox.network")), ("off".into(), "on".into()));
    let config = load("", "", &own.replace("~/a", ".env")).unwrap();
    assert_eq!(Sandbox { hide: Vec::new(), ..config.sandbox.clone() }, built_in);
    assert_eq!((config.sandbox.hide, config.notices.len()), (vec![".env".to_owned()], 4));
    // Nobody loosens what the administrator says, and everybody may tighten it.
    let managed = "[sandbox]\nrequired = true\nnetwork = \"off\"\nmemory = 4096\nwrite = [\"~/.npm\", \"~/x\"]\n";
    let config = load(managed, own, "[sandbox]\nmemory = 1024\nwrite = [\"~/x\"]\nprocesses = 100\n").unwrap();
    assert!(config.sandbox.on && config.sandbox.required && !config.sandbox.network);
    assert_eq!((config.sandbox.memory, config.sandbox.processes), (Some(1024), 100));
    assert_eq!(config.sandbox.write, ["~/x"]);
    assert_eq!(user("").unwrap().sandbox, built_in);
    // Hosts are opened by the person, or by the administrator, who closes them with the network.
    let hosts = "[sandbox]\nhosts = [\"packages.example\", \"*.packages.example\"]\n";
    assert_eq!(load("", hosts, "").unwrap().sandbox.hosts, ["packages.example", "*.packages.example"]);
    assert_eq!(
        load("", hosts, "[sandbox]\nhosts = [\"packages.example\"]\n").unwrap().sandbox.hosts,
        ["packages.example"]
    );
    for config in [load("", "", hosts).unwrap(), load("[sandbox]\nnetwork = \"off\"\n", hosts, "").unwrap()] {
        assert!(config.sandbox.hosts.is_empty() && config.notices.len() == 1, "{:?}", config.notices);
    }
}

#[test]
fn programs_that_a_project_names_are_confined_unless_it_says_otherwise() {
    let programs = |more: &str| {
        format!("[mcp.docs]\ncommand = [\"docs-server\"]\n{more}[[hook]]\nevent = \"stop\"\ncommand = [\"x\"]\n{more}")
    };
    let confined = |layers: &Layers| {
        let config = Config::load(layers, &THEMES).unwrap();
        (config.servers[0].sandbox, config.hooks[0].sandbox)
    };
    for (more, of_project, of_user) in
        [("", true, false), ("sandbox = true\n", true, true), ("sandbox = false\n", false, false)]
    {
        let text = programs(more);
        let project = Layers { project: file("project.toml", &text), project_trusted: true, ..Layers::default() };
        assert_eq!(confined(&project), (of_project, of_project), "{more}");
        let user = Layers { user: file("config.toml", &text), ..Layers::default() };
        assert_eq!(confined(&user), (of_user, of_user), "{more}");
    }
    let problem = first("[mcp.x]\nurl = \"https://a.example\"\nsandbox = true\n");
    assert!(problem.to_string().contains("`sandbox` is for a server with `command`"), "{problem}");
}

#[test]
fn a_sandbox_that_makes_no_sense_is_refused() {
    for (line, key) in [
        ("network = \"perhaps\"", "sandbox.network"),
        ("mode = true", ""),
        ("write = [\"~\"]", "sandbox.write"),
        ("write = [\"/home\"]", "sandbox.write"),
        ("write = [\"cache\"]", "sandbox.write"),
        ("write = [\"~/../x\"]", "sandbox.write"),
        ("hide = [\"/\"]", "sandbox.hide"),
        ("processes = 1", "sandbox.processes"),
        ("hosts = [\"https://a.example\"]", "sandbox.hosts"),
        ("memory = 0", "sandbox.memory"),
    ] {
        let problem = first(&format!("[sandbox]\n{line}\n"));
        if !key.is_empty() {
            assert_eq!(problem.key.as_deref(), Some(key), "{problem}");
        }
        assert_eq!(problem.line, 2, "{problem}");
    }
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
        broken[0].contains("line 5") && broken[0].contains("rule[1]") && broken[0].contains("lacks `tool`"),
        "{broken:?}"
    );
    assert!(broken[1].contains("line 8") && broken[1].contains("policy.git"), "{broken:?}");
}

#[test]
fn a_rule_comes_and_goes_beside_comments() {
    let rule = |matches: &str| RuleText {
        effect: "ask".into(),
        tool: "shell".into(),
        matches: matches.into(),
        reason: None,
        two: false,
    };
    let before = "# mine\n[ui]\ntheme = \"paralane-light\" # bright\n";
    let one = with_rule(before, &rule("git push *")).unwrap();
    assert!(one.starts_with(before), "{one}");
    let two = with_rule(&one, &RuleText { reason: Some("why \"so\"".into()), ..rule("rm *") }).unwrap();
    assert_eq!(user(&two).unwrap().rules.rules.len(), 2);
    let left = without_rule(&two, &rule("git push *"), 0).unwrap();
    let rules = user(&left).unwrap().rules.rules;
    assert_eq!((rules.len(), rules[0].matches.as_str(), rules[0].reason.as_deref()), (1, "rm *", Some("why \"so\"")));
    assert!(left.starts_with(before), "{left}");
    assert!(without_rule(&left, &rule("git push *"), 0).unwrap_err().to_string().contains("stands there no more"));
    let twice =
        with_rule(&left, &rule("rm *")).and_then(|text| with_rule(&text, &RuleText { two: true, ..rule("rm *") }));
    let twice = with_rule(&twice.unwrap(), &rule("rm *")).unwrap();
    let lines = |text: &str| {
        user(text).unwrap().rules.rules.iter().map(|r| (r.reason.is_some(), r.confirm)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&twice), [(true, None), (false, None), (false, Some(2)), (false, None)]);
    let second = without_rule(&twice, &rule("rm *"), 1).unwrap();
    assert_eq!(
        lines(&second),
        [(true, None), (false, None), (false, Some(2))],
        "the second of those that say the same"
    );
    assert!(without_rule(&second, &rule("rm *"), 1).is_err());
    assert!(with_rule("rule = 1", &rule("x")).unwrap_err().to_string().contains("not a list"));
    assert!(with_rule("= broken", &rule("x")).unwrap_err().to_string().contains("not valid TOML"));
}

#[test]
fn a_name_for_a_native_cli_comes_and_goes_beside_comments() {
    let pair = |name: &str, text: &str| vec![(name.to_owned(), text.to_owned())];
    let new = NewCli {
        name: "local".into(),
        cli: Some("claude".into()),
        model: Some("big".into()),
        set: pair("ANTHROPIC_BASE_URL", "http://127.0.0.1:1"),
        from: pair("ANTHROPIC_AUTH_TOKEN", "MY_KEY"),
        args: vec!["--verbose".into()],
    };
    let before = "# mine\n[ui]\ntheme = \"paralane-light\" # bright\n";
    let one = with_cli(before, &new).unwrap();
    assert!(one.starts_with(before), "{one}");
    let made = |text: &str| user(text).unwrap().clis.presets;
    let local = made(&one).into_iter().find(|preset| preset.name == "local").unwrap();
    assert_eq!((local.model.as_deref(), local.from["ANTHROPIC_AUTH_TOKEN"].as_str()), (Some("big"), "MY_KEY"));
    assert_eq!((local.set.len(), local.args.len()), (1, 1));
    let off = with_cli(&one, &NewCli { name: "kimi".into(), ..NewCli::default() }).unwrap();
    assert!(made(&off).iter().all(|preset| preset.name != "kimi"));
    let back = without_cli(&off, "kimi").unwrap();
    assert!(made(&back).iter().any(|preset| preset.name == "kimi"));
    assert_eq!(without_cli(&back, "local").unwrap(), before);
    let fault = |text: &str, new: NewCli| with_cli(text, &new).unwrap_err().to_string();
    let named = |name: &str| NewCli { name: name.into(), ..new.clone() };
    for (told, said) in [
        (fault(&one, new.clone()), "has one already"),
        (fault("", named("claude")), "CLI's own name"),
        (fault("", NewCli { cli: Some("cloud".into()), ..new.clone() }), "must name the CLI"),
        (fault("", NewCli { set: pair("MY_TOKEN", "sk-1"), ..new.clone() }), "a secret never stands"),
        (fault("", NewCli { from: pair("A", "sk-1"), ..new.clone() }), "no variable"),
        (fault("clis = 1", new.clone()), "not a table"),
        (fault("= broken", new.clone()), "not valid TOML"),
        (without_cli(before, "local").unwrap_err().to_string(), "no `[clis.local]`"),
    ] {
        assert!(told.contains(said) && !told.contains("sk-1"), "{told}");
    }
}

#[test]
fn a_tool_goes_from_the_list_of_those_that_need_two() {
    let text = "# mine\n[approvals]\nexpire = \"1h\"\ntwo_person = [\"shell\", \"write\"] # both\n";
    let left = without_two_person(text, "shell").unwrap();
    assert!(left.contains("\"write\"]") && !left.contains("shell") && left.contains("# both"), "{left}");
    let left = without_two_person(&left, "write").unwrap();
    assert_eq!(left, "# mine\n[approvals]\nexpire = \"1h\"\n");
    assert!(without_two_person(&left, "write").unwrap_err().to_string().contains("stands there no more"));
    assert_eq!(without_two_person("[approvals]\ntwo_person = [\"git\"]\n", "git").unwrap(), "");
    assert_eq!(without_two_person("approvals = { two_person = [\"git\"] }\na = 1\n", "git").unwrap(), "a = 1\n");
}

#[test]
fn a_lanes_file_holds_rules_and_nothing_else() {
    let read = |text: &str| lane_rules(&LayerFile { file: "lane.toml".into(), text: text.into() });
    let rules = read("[[rule]]\neffect = \"ask\"\ntool = \"shell\"\nmatch = \"rm *\"\nconfirm = 2\n").unwrap();
    assert_eq!((rules.len(), rules[0].matches.as_str(), rules[0].two), (1, "rm *", true));
    assert_eq!(read("").unwrap(), []);
    for (text, words) in [
        ("[agent]\nmode = \"full\"\n", "line 1"),
        ("[[rule]]\neffect = \"ask\"\n", "lacks `tool`"),
        ("[[rule]]\neffect = \"ask\"\ntool = \"shell\"\nconfirm = 3\n", "neither 1 nor 2"),
        ("= broken", "line 1"),
    ] {
        let problems = read(text).unwrap_err().to_string();
        assert!(problems.contains(words) && problems.contains("lane.toml"), "{text}: {problems}");
    }
}
