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
    prompt      INTEGER NOT NULL REFERENCES prompts (id),
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
    created     TEXT NOT NULL
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
    body        TEXT NOT NULL, -- JSON
    kind        TEXT AS (body ->> '$.change')
) STRICT;

-- What became of approvals, for `history approvals`.
CREATE INDEX events_of_approvals ON events (seq) WHERE kind IN ('approval-added', 'approval-confirmed', 'approval-moved');
