-- Idempotency keys and what was answered. A row without a status belongs to a request that is under way: it is never committed.
CREATE TABLE IF NOT EXISTS rowlock_once (
    scope       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint bytea            NOT NULL,
    status      integer,
    headers     text COLLATE "C",
    body        bytea,
    created_at  timestamptz      NOT NULL DEFAULT now(),
    expires_at  timestamptz      NOT NULL,
    PRIMARY KEY (scope, key)
);

CREATE INDEX IF NOT EXISTS rowlock_once_expires_at ON rowlock_once (expires_at);
