-- Times are RFC 3339. Words and JSON are the serde forms of the domain types.
-- `ended` and `open` repeat what the domain says of a state, so that no rule is written twice.

PRAGMA application_id = 0x504c4e45;

CREATE TABLE lanes (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    kind        TEXT NOT NULL, -- JSON
    directory   TEXT NOT NULL,
    branch      TEXT,
    base_name   TEXT NOT NULL,
    base_sha    TEXT NOT NULL,
    mode        TEXT,
    stage       TEXT NOT NULL,
    error       TEXT,
    set_up      INTEGER NOT NULL,
    seen        INTEGER NOT NULL,
    created     TEXT NOT NULL,
    since       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX lanes_name ON lanes (name) WHERE stage <> 'closed';

CREATE TABLE prompts (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    text        TEXT NOT NULL,
    priority    TEXT NOT NULL,
    state       TEXT NOT NULL,
    ended       INTEGER NOT NULL,
    hold        TEXT, -- JSON
    position    INTEGER NOT NULL,
    started     TEXT,
    created     TEXT NOT NULL,
    since       TEXT NOT NULL,
    result      TEXT,
    error       TEXT,
    key         TEXT UNIQUE,
    overridden  TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX prompts_ended ON prompts (ended, id);

CREATE TABLE approvals (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    prompt      INTEGER REFERENCES prompts (id), -- none for a question of a pane's program
    call        TEXT NOT NULL,
    tool        TEXT NOT NULL,
    action      TEXT NOT NULL,
    arguments   TEXT NOT NULL, -- JSON
    diff        TEXT,
    directory   TEXT NOT NULL,
    rule        TEXT NOT NULL,
    rule_place  TEXT NOT NULL,
    state       TEXT NOT NULL,
    open        INTEGER NOT NULL,
    scope       TEXT,
    reason      TEXT,
    created     TEXT NOT NULL,
    ended       TEXT,
    expires     TEXT,
    needs       INTEGER NOT NULL, -- how many have to say yes
    confirmed_by TEXT, -- JSON: who said the first of two
    answered_by TEXT -- JSON
) STRICT;
CREATE INDEX approvals_open ON approvals (open, id);

CREATE TABLE conflicts (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    prompt      INTEGER NOT NULL REFERENCES prompts (id),
    call        TEXT,
    with_lane   INTEGER NOT NULL REFERENCES lanes (id),
    paths       TEXT NOT NULL, -- JSON
    cause       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    state       TEXT NOT NULL,
    open        INTEGER NOT NULL,
    created     TEXT NOT NULL
) STRICT;
CREATE INDEX conflicts_open ON conflicts (open, id);

CREATE TABLE reservations (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    pattern     TEXT NOT NULL,
    shared      INTEGER NOT NULL,
    created     TEXT NOT NULL,
    reason      TEXT,
    issue       INTEGER,
    lease       TEXT -- JSON
) STRICT;

-- Lanes that wait for reservations, in the order of their ids.
CREATE TABLE tickets (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    body        TEXT NOT NULL -- JSON
) STRICT;

-- Issues, known from the first time that they are named. `claim` is the ownership in force.
CREATE TABLE issues (
    id          INTEGER PRIMARY KEY,
    title       TEXT,
    claim       INTEGER REFERENCES claims (id),
    done        TEXT,
    since       TEXT NOT NULL
) STRICT;

-- Every ownership there was.
CREATE TABLE claims (
    id          INTEGER PRIMARY KEY,
    issue       INTEGER NOT NULL REFERENCES issues (id),
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    at          TEXT NOT NULL,
    due         TEXT,
    attempts    INTEGER NOT NULL,
    handoff     TEXT, -- JSON
    ended       TEXT,
    outcome     TEXT -- released, handed-over
) STRICT;
CREATE UNIQUE INDEX claims_one_owner ON claims (issue) WHERE ended IS NULL;
CREATE INDEX claims_issue ON claims (issue, id);
CREATE INDEX claims_lane ON claims (lane, id);

CREATE TABLE blockers (
    issue       INTEGER NOT NULL REFERENCES issues (id),
    on_issue    INTEGER NOT NULL REFERENCES issues (id),
    PRIMARY KEY (issue, on_issue)
) STRICT;

CREATE TABLE offers (
    id          INTEGER PRIMARY KEY,
    issue       INTEGER NOT NULL REFERENCES issues (id),
    body        TEXT NOT NULL, -- JSON
    state       TEXT NOT NULL,
    open        INTEGER NOT NULL,
    reason      TEXT,
    created     TEXT NOT NULL,
    ended       TEXT
) STRICT;
CREATE INDEX offers_open ON offers (id) WHERE open;
CREATE INDEX offers_issue ON offers (issue, id);

-- Plans that were applied; the last one is in force.
CREATE TABLE plans (
    number      INTEGER PRIMARY KEY,
    digest      TEXT NOT NULL,
    body        TEXT NOT NULL, -- JSON
    at          TEXT NOT NULL
) STRICT;

CREATE TABLE reports (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    issue       INTEGER,
    claim       INTEGER,
    state       TEXT NOT NULL,
    body        TEXT NOT NULL, -- JSON
    at          TEXT NOT NULL
) STRICT;
CREATE INDEX reports_lane ON reports (lane, id);
CREATE INDEX reports_issue ON reports (issue, id);

-- What was done under keys. Parties, here and below: a lane's id, 0 for the person, -1 for Paralane itself.
CREATE TABLE keys (
    number      INTEGER PRIMARY KEY,
    party       INTEGER NOT NULL,
    key         TEXT NOT NULL,
    body        TEXT NOT NULL -- JSON
) STRICT;
CREATE UNIQUE INDEX keys_party ON keys (party, key);
CREATE INDEX keys_order ON keys (party, number);

CREATE TABLE messages (
    id          INTEGER PRIMARY KEY,
    thread      INTEGER NOT NULL,
    reply_to    INTEGER,
    sender      INTEGER NOT NULL,
    subject     TEXT NOT NULL,
    body        TEXT NOT NULL,
    topic       TEXT,
    ack         INTEGER NOT NULL,
    ack_due     TEXT,
    decision    INTEGER NOT NULL,
    issue       INTEGER,
    created     TEXT NOT NULL
) STRICT;
CREATE INDEX messages_thread ON messages (thread, id);
CREATE INDEX messages_sender ON messages (sender, id);
CREATE INDEX messages_decision ON messages (id) WHERE decision;

-- `owed`: it is still to be acknowledged. `open`: something of it is still to be done. `topic`: the message has one.
CREATE TABLE recipients (
    message     INTEGER NOT NULL REFERENCES messages (id),
    party       INTEGER NOT NULL,
    read        TEXT,
    acked       TEXT,
    superseded  INTEGER,
    owed        INTEGER NOT NULL,
    open        INTEGER NOT NULL,
    topic       INTEGER NOT NULL,
    PRIMARY KEY (message, party)
) STRICT;
CREATE INDEX recipients_party ON recipients (party, message);
CREATE INDEX recipients_open ON recipients (message, party) WHERE open;

CREATE TABLE attachments (
    message     INTEGER NOT NULL REFERENCES messages (id),
    number      INTEGER NOT NULL,
    name        TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    content     BLOB NOT NULL,
    PRIMARY KEY (message, number)
) STRICT;

-- The words of messages, by their ids. Only the index is kept, the text stands above.
CREATE VIRTUAL TABLE mail_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Messages that go out later.
CREATE TABLE scheduled (
    id          INTEGER PRIMARY KEY,
    body        TEXT NOT NULL -- JSON
) STRICT;

-- What comes with them. It stays until nothing of the series is left.
CREATE TABLE scheduled_attachments (
    item        INTEGER NOT NULL REFERENCES scheduled (id),
    number      INTEGER NOT NULL,
    name        TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    content     BLOB NOT NULL,
    PRIMARY KEY (item, number)
) STRICT;

CREATE TABLE checkpoints (
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    number      INTEGER NOT NULL,
    prompt      INTEGER REFERENCES prompts (id),
    seq         INTEGER NOT NULL,
    files       TEXT,
    head        TEXT,
    at          TEXT NOT NULL,
    PRIMARY KEY (lane, number)
) STRICT;

CREATE TABLE entries (
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    seq         INTEGER NOT NULL,
    prompt      INTEGER REFERENCES prompts (id),
    at          TEXT NOT NULL,
    body        TEXT NOT NULL, -- JSON
    landmark    INTEGER NOT NULL, -- 1: it decides what of the entries before it counts
    PRIMARY KEY (lane, seq)
) STRICT;

CREATE INDEX landmarks ON entries (lane, seq) WHERE landmark;

-- Calls that are not finished.
CREATE TABLE calls (
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    call        TEXT NOT NULL,
    prompt      INTEGER NOT NULL REFERENCES prompts (id),
    state       TEXT NOT NULL,
    PRIMARY KEY (lane, call)
) STRICT;

-- Paths that turns which are not over have written.
CREATE TABLE written (
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    path        TEXT NOT NULL,
    PRIMARY KEY (lane, path)
) STRICT;

-- Layers of lanes' contexts that are switched off.
CREATE TABLE layers_off (
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    layer       TEXT NOT NULL,
    PRIMARY KEY (lane, layer)
) STRICT;

-- Rules of single lanes, beside those of the configuration.
CREATE TABLE lane_rules (
    lane        INTEGER PRIMARY KEY REFERENCES lanes (id),
    rules       TEXT NOT NULL -- JSON
) STRICT;

-- Exact calls that are allowed: in one lane, or in every lane (null).
CREATE TABLE remembered (
    lane        INTEGER REFERENCES lanes (id),
    tool        TEXT NOT NULL,
    action      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX remembered_once ON remembered (ifnull(lane, 0), tool, action);

-- Model calls, each counted before it is made. `sum` below is what those of one day, lane, provider and model, or of
-- one prompt, came to: they are kept beside the rows, so that a start reads no years of calls.
CREATE TABLE spends (
    id          INTEGER PRIMARY KEY,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    prompt      INTEGER NOT NULL REFERENCES prompts (id),
    provider    TEXT NOT NULL,
    model       TEXT NOT NULL,
    at          TEXT NOT NULL,
    day         TEXT NOT NULL,
    price       TEXT, -- JSON
    state       TEXT NOT NULL,
    open        INTEGER NOT NULL,
    usage       TEXT NOT NULL, -- JSON
    cost        INTEGER -- millionths of a millionth; null when the price is unknown
) STRICT;
CREATE INDEX spends_open ON spends (open) WHERE open;

CREATE TABLE spent (
    day         TEXT NOT NULL,
    lane        INTEGER NOT NULL REFERENCES lanes (id),
    provider    TEXT NOT NULL,
    model       TEXT NOT NULL,
    sum         TEXT NOT NULL, -- JSON
    PRIMARY KEY (day, lane, provider, model)
) STRICT;

CREATE TABLE spent_turns (
    prompt      INTEGER PRIMARY KEY REFERENCES prompts (id),
    sum         TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE budgets (
    id          INTEGER PRIMARY KEY,
    rule        TEXT NOT NULL -- JSON
) STRICT;

-- What is remembered.
CREATE TABLE facts (
    number      INTEGER PRIMARY KEY,
    text        TEXT NOT NULL UNIQUE,
    author      TEXT NOT NULL, -- JSON
    created     TEXT NOT NULL,
    edited      TEXT
) STRICT;

-- The words of facts, by their numbers. Only the index is kept, the text stands above.
CREATE VIRTUAL TABLE fact_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Hashes of project configurations that the person trusted.
CREATE TABLE trusted (
    hash        TEXT NOT NULL UNIQUE
) STRICT;

-- What the person chose for the whole project: `mode`, `model`.
CREATE TABLE settings (
    name        TEXT PRIMARY KEY,
    value       TEXT NOT NULL -- JSON
) STRICT;

-- The highest id ever given in each kind. Outlives the rows, so that no id is given twice.
CREATE TABLE counters (
    kind        TEXT PRIMARY KEY,
    last        INTEGER NOT NULL
) STRICT;

-- History: one row for each change. Only ever appended to; the oldest rows are dropped.
CREATE TABLE events (
    seq         INTEGER PRIMARY KEY,
    at          TEXT NOT NULL,
    lane        INTEGER,
    prompt      INTEGER,
    issue       INTEGER,
    body        TEXT NOT NULL, -- JSON
    kind        TEXT AS (body ->> '$.change')
) STRICT;
-- What a person asks for of a lane or a prompt, whatever the length of history. Transcripts stand in `entries`.
CREATE INDEX events_lane ON events (lane, kind, seq) WHERE kind <> 'entry-added' AND lane IS NOT NULL;
CREATE INDEX events_issue ON events (issue, kind, seq) WHERE kind <> 'entry-added' AND issue IS NOT NULL;
CREATE INDEX events_prompt ON events (prompt, kind, seq) WHERE kind <> 'entry-added' AND prompt IS NOT NULL;

-- What is exported of one lane, in order.
CREATE INDEX events_of_lane ON events (lane, seq) WHERE lane IS NOT NULL;

-- What became of approvals, for `history approvals`.
CREATE INDEX events_of_approvals ON events (seq) WHERE kind IN ('approval-added', 'approval-confirmed', 'approval-moved');
