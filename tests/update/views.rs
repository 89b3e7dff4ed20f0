//! `top` and `metrics`: what they show, and what they refuse.

use serde_json::Value;

use crate::support::Sim;

fn sim() -> Sim {
    let mut sim = Sim::with(&["api", "ui", "docs"]);
    sim.prompt("api", "spend:70");
    sim.prompt("docs", "spend:900");
    sim.prompt("ui", "shell:make");
    sim
}

/// The lanes' names, in the order of the rows.
fn lanes(text: &str) -> Vec<&str> {
    let rows = text.lines().skip(1).take_while(|line| !line.is_empty());
    rows.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "all").collect()
}

#[test]
fn rows_are_ordered_and_filtered_by_columns() {
    let mut sim = sim();
    assert_eq!(lanes(&sim.ok("top")), ["api", "ui", "docs"]);
    assert_eq!(lanes(&sim.ok("top --sort lane")), ["api", "docs", "ui"]);
    assert_eq!(lanes(&sim.ok("top --sort=-tokens")), ["docs", "api", "ui"]);
    assert_eq!(lanes(&sim.ok("top --filter state=needs")), ["ui"]);
    assert_eq!(lanes(&sim.ok("top --filter DOCS")), ["docs"]);
    assert!(sim.ok("top --filter lane=nobody").contains("no lane fits"));
    let head = |text: String| text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(head(sim.ok("top --columns tokens,lane")), ["tokens", "lane"]);
    let json: Value = serde_json::from_str(&sim.ok("--json top --sort=-tokens --filter state=i")).unwrap();
    assert!(json["lanes"].as_array().unwrap().iter().all(|lane| lane["age"].is_i64()), "{json}");
}

#[test]
fn columns_that_do_not_fit_go_and_the_state_has_its_mark() {
    let mut sim = sim();
    for width in [20, 40, 80, 120] {
        let text = sim.ok(&format!("top --width {width}"));
        let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        let wide = table.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(wide <= width.max(24), "{width}: {text}");
        assert!(table[2].contains("▲ needs you"), "{text}");
    }
    assert!(sim.ok("top").len() > sim.ok("top --width 40").len());
}

#[test]
fn what_there_is_not_is_refused_with_the_nearest_name() {
    let mut sim = sim();
    for (line, words) in [
        ("top --sort tokns", "did you mean `tokens`"),
        ("top --columns lane,stat", "did you mean `state`"),
        ("top --filter stat=x", "did you mean `state`"),
        ("top --columns ,", "names no column"),
    ] {
        let reply = sim.sh(line);
        let report = reply.error.unwrap();
        assert_eq!(reply.status, 2, "{line}");
        assert!(report.to_string().contains(words), "{line}: {report}");
    }
}

#[test]
fn metrics_are_in_the_form_that_is_read_everywhere() {
    let mut sim = sim();
    let text = sim.ok("metrics");
    let number = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {text}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!((number("paralane_lane_model_calls_total{lane=\"api\"}") - 1.0).abs() < f64::EPSILON);
    assert!((number("paralane_lane_state{lane=\"ui\",state=\"needs-you\"}") - 1.0).abs() < f64::EPSILON);
    assert!((number("paralane_approvals_pending") - 1.0).abs() < f64::EPSILON);
    assert!((number("paralane_problems{kind=\"approval\"}") - 1.0).abs() < f64::EPSILON);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let bare = name.split('{').next().unwrap();
        let declared = [format!("# HELP {bare} "), format!("# TYPE {bare} ")];
        assert!(declared.iter().all(|head| text.contains(head.as_str())), "{line}");
    }
    let json: Value = serde_json::from_str(&sim.ok("--json metrics")).unwrap();
    let all = json["metrics"].as_array().unwrap();
    assert_eq!(all.len(), text.lines().filter(|line| line.starts_with("# TYPE")).count());
}
