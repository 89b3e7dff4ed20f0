-- What is remembered for all projects of a person: the tables of the same names as in a project's store.

CREATE TABLE facts (
    number      INTEGER PRIMARY KEY,
    text        TEXT NOT NULL UNIQUE,
    author      TEXT NOT NULL, -- JSON
    created     TEXT NOT NULL,
    edited      TEXT
) STRICT;

CREATE VIRTUAL TABLE fact_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE counters (
    kind        TEXT PRIMARY KEY,
    last        INTEGER NOT NULL
) STRICT;

CREATE TABLE events (
    seq         INTEGER PRIMARY KEY,
    at          TEXT NOT NULL,
    lane        INTEGER,
    body        TEXT NOT NULL, -- JSON
    kind        TEXT AS (body ->> '$.change')
) STRICT;
