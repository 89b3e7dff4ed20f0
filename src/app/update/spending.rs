//! Model calls as they are counted: reserved before they are made, held back or refused by budgets, settled after.

use jiff::civil::Date;

use crate::app::{Effect, LaneBudget, NotKept, State, TurnMsg, TurnToken, WaitingCall};
use crate::domain::{
    Admission, Change, LaneId, Money, Price, PromptId, Spend, SpendAsk, SpendEnd, SpendId, SpendState, Usage, admit,
};

use super::step::Step;

/// No server has counted this many tokens in one call; what claims so is broken or hostile.
const TOKENS: u64 = 1 << 40;

/// What becomes of a call that a turn wants to make.
enum Decision {
    Go(Option<Price>, Option<Money>),
    Wait(String),
    Refuse(String),
}

/// A turn wants to call its model.
pub(super) fn reserve(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, token: TurnToken, ask: SpendAsk) {
    if step.live(lane).ending {
        return step.now.push(Effect::Reserved(token, Err("the prompt was cancelled".into())));
    }
    match decide(step.state, lane, &ask) {
        Decision::Go(price, most) => go(step, lane, WaitingCall { token, prompt, ask }, price, most),
        Decision::Wait(words) => {
            step.live(lane).feed.phase = words;
            step.live(lane).waiting_calls.push(WaitingCall { token, prompt, ask });
        }
        Decision::Refuse(words) => step.now.push(Effect::Reserved(token, Err(words))),
    }
}

fn go(step: &mut Step<'_>, lane: LaneId, call: WaitingCall, price: Option<Price>, most: Option<Money>) {
    let id = SpendId(step.state.model.last_ids.spend + 1);
    let spend = Spend {
        id,
        lane,
        prompt: call.prompt,
        usage: call.ask.usage(),
        provider: call.ask.provider,
        model: call.ask.model,
        at: step.env.now,
        day: step.state.today,
        price,
        state: SpendState::Reserved,
        cost: most,
    };
    step.change(Change::SpendReserved { spend: Box::new(spend) });
    step.then.push(Effect::Reserved(call.token, Ok(id)));
}

fn decide(state: &State, lane: LaneId, ask: &SpendAsk) -> Decision {
    let price = state.price_of(&ask.provider, &ask.model);
    let most = price.map(|price| price.most(&ask.usage()));
    let mut wait = None;
    for budget in state.budgets().filter(|budget| budget.rule.covers(lane, &ask.provider)) {
        let standing = budget.rule.standing(&state.model.ledger, state.today);
        match admit(&budget.rule, &standing, ask, most) {
            Admission::Fits => {}
            Admission::Waits => {
                wait = Some(format!("waiting for other calls to end, by budget {}", budget.name));
            }
            Admission::Passes => return Decision::Refuse(passes(state, &budget, ask, most)),
            Admission::Unpriced => return Decision::Refuse(unpriced(state, &budget, ask)),
        }
    }
    wait.map_or(Decision::Go(price, most), Decision::Wait)
}

fn passes(state: &State, budget: &LaneBudget, ask: &SpendAsk, most: Option<Money>) -> String {
    let standing = budget.rule.standing(&state.model.ledger, state.today);
    let could = match budget.rule.limit {
        crate::domain::Limit::Tokens(_) => format!("use up to {} tokens", ask.usage().total()),
        crate::domain::Limit::Money(_) => format!("cost up to {}", most.unwrap_or_default()),
    };
    format!(
        "stopped by budget {}: {} used, and this call to `{}` ({}) could {could}; {}, then retry",
        budget.words(state),
        budget.rule.used_words(&standing),
        ask.provider,
        ask.model,
        budget.way_out(),
    )
}

fn unpriced(state: &State, budget: &LaneBudget, ask: &SpendAsk) -> String {
    format!(
        "stopped by budget {}: it is in money, and the price of `{}` at `{}` is unknown; give it as `price` under \
         `[providers.{}]` (or under `prices` by model), or set a budget in tokens instead, then retry",
        budget.words(state),
        ask.model,
        ask.provider,
        ask.provider,
    )
}

/// A model call is over.
pub(super) fn settle(step: &mut Step<'_>, lane: LaneId, id: SpendId, end: SpendEnd) {
    let Some(spend) = step.state.model.ledger.open(id) else { return };
    let (state, usage) = match end {
        SpendEnd::Used(usage) => (SpendState::Settled, usage),
        SpendEnd::Estimated(usage) => (SpendState::Estimated, usage),
        SpendEnd::Nothing => (SpendState::Released, Usage::default()),
    };
    let usage = Usage {
        input: usage.input.min(TOKENS),
        cached: usage.cached.min(TOKENS),
        cache_write: usage.cache_write.min(TOKENS),
        output: usage.output.min(TOKENS),
        reasoning: usage.reasoning.min(TOKENS),
    };
    let cost = spend.price.map(|price| price.cost(&usage));
    step.change(Change::SpendSettled { spend: id, state, usage, cost });
    step.then.push(Effect::IfNotKept(NotKept::Turn(lane, TurnMsg::Settle(id, end))));
    warn(step);
}

/// Calls that nobody will settle any more stay counted at the most that they could come to. `alive` says of whom
/// there is still word to come.
pub(super) fn abandon(step: &mut Step<'_>, alive: impl Fn(&State, &Spend) -> bool) {
    let told = |id: SpendId| {
        step.state.unsaved.iter().any(|told| matches!(told, NotKept::Turn(_, TurnMsg::Settle(of, _)) if *of == id))
    };
    let open = step.state.model.ledger.all_open().filter(|spend| !alive(step.state, spend) && !told(spend.id));
    let lost: Vec<Spend> = open.cloned().collect();
    for spend in lost {
        let Spend { id, usage, cost, .. } = spend;
        step.change(Change::SpendSettled { spend: id, state: SpendState::Unsettled, usage, cost });
    }
}

/// Lets calls go on that waited for others to end, the oldest of each lane first.
pub(super) fn go_on(step: &mut Step<'_>) {
    let waits: Vec<LaneId> =
        step.state.live.iter().filter(|(_, live)| !live.waiting_calls.is_empty()).map(|(lane, _)| *lane).collect();
    for lane in waits {
        for call in std::mem::take(&mut step.live(lane).waiting_calls) {
            match decide(step.state, lane, &call.ask) {
                Decision::Go(price, most) => {
                    step.live(lane).feed.phase = "thinking".into();
                    go(step, lane, call, price, most);
                }
                Decision::Wait(_) => step.live(lane).waiting_calls.push(call),
                Decision::Refuse(words) => step.now.push(Effect::Reserved(call.token, Err(words))),
            }
        }
    }
}

/// Says which budgets are nearly or wholly used, once each.
pub(super) fn warn(step: &mut Step<'_>) {
    let due: Vec<(String, String)> = step.state.due_budgets().map(|due| (due.head, due.words)).collect();
    step.state.warned.retain(|head, _| due.iter().any(|(due, _)| due == head));
    for (head, words) in due {
        let now = step.env.now;
        if !step.state.warned.contains_key(&head) {
            let words = format!("{head}: {words}");
            step.ring(words.clone());
            step.activity(None, words);
            step.state.warned.insert(head, now);
        }
    }
}

/// The person's day at this moment.
pub(super) fn today(env: &crate::app::Env) -> Date {
    jiff::ZonedDateTime::new(env.now, env.zone.clone()).date()
}
