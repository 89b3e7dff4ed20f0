//! Programs in panes that tell and ask beside their screen, as the agents do that people run in them.

use crate::shop::Shop;

/// Reads keys, hides its cursor, and says what it is at by `say STATE`.
const AGENT: &str = r#"stty -icanon -echo
say() { printf '\033]7501;state=%s\033\\' "$1"; }
printf '\033[?25l'
"#;

/// A shop with a pane `agent` that runs this script.
fn agent(more: &str, script: &str) -> Shop {
    let shop = Shop::with(more);
    shop.bench.write("agent.sh", &format!("{AGENT}{script}"));
    shop.bench.commit("Bring an agent along");
    shop
}

#[test]
fn what_a_program_says_is_the_lanes_state_and_leads_the_persons_hand() {
    let shop = agent(
        "[ui]\nnotify = [\"osc9\"]\n",
        "say idle; echo up\nwhile read line; do say working; echo \"at $line\"\n\
         say blocked:kind=permission:msg=YXBwcm92ZSBscw==; head -c 1 >/dev/null; say working; say done; done",
    );
    let window = shop.bench.window(120, 40);
    shop.ok(&["lane", "new", "agent", "--", "sh", "agent.sh"]);
    shop.wait_lane("agent", "idle");
    shop.ok(&["lane", "new", "other"]);
    window.line("/lane focus other");
    window.wait_for_text("2 other");
    let first = shop.send("agent", "one");
    let lane = shop.wait_lane("agent", "needs-you");
    assert_eq!(lane["program"], serde_json::json!({ "state": "blocked", "message": "approve ls" }));
    window.wait_for_text("agent asks approve ls");
    shop.bench.wait_until("the ring", || window.notifications().contains(&"agent needs you: approve ls".to_owned()));
    // A prompt that comes meanwhile waits for the answer.
    let second = shop.send("agent", "two");
    window.keys("<C-g>1");
    window.wait_for_text("at one");
    window.keys("<C-g>i").keys("y");
    shop.wait_state(&first, "done");
    window.wait_for_text("at two");
    window.keys("y");
    shop.wait_state(&second, "done");
}

#[test]
fn a_copy_is_allowed_and_reaches_the_terminal() {
    let shop = agent(
        "",
        "printf '\\033]52;c;aGVsbG8=\\007\\033]52;c;?\\007'; echo asked; read line; echo \"got $line\"; read x",
    );
    let window = shop.bench.window(120, 40);
    shop.ok(&["lane", "new", "agent", "--", "sh", "agent.sh"]);
    window.wait_for_text("asked");
    shop.wait_lane("agent", "needs-you");
    let asked = &shop.json(&["approvals"])["approvals"][0];
    assert_eq!((asked["tool"].as_str(), asked["state"].as_str()), (Some("clipboard"), Some("pending")));
    assert_eq!(asked["action"], "copy 5 bytes: hello");
    assert_eq!(window.clipboard(), Vec::<String>::new());
    shop.ok(&["approve", asked["id"].as_str().unwrap()]);
    shop.bench.wait_until("the copy", || window.clipboard() == ["aGVsbG8="]);
    // It never waited, and what stands on the clipboard is not told to it.
    window.keys("<C-g>i").keys("x\r");
    window.wait_for_text("got x");
    assert!(shop.json(&["approvals"])["approvals"].as_array().unwrap().is_empty());
}

#[test]
fn a_program_hears_the_colours_that_are_seen() {
    let shop = agent(
        "",
        "printf '\\033[?2031h\\033]11;?\\033\\\\'; head -c 25 | od -c -An | tr -d ' \\n'; echo; head -c 9 | od -c -An; read x",
    );
    let window = shop.bench.window(120, 40);
    shop.ok(&["lane", "new", "agent", "--", "sh", "agent.sh"]);
    window.wait_for_text("]11;rgb:1414/1616/1b1b");
    window.line("/theme paralane-light");
    window.wait_for_text("7   ;   2   n");
}
