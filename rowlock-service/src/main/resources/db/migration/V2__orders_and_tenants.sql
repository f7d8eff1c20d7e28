-- An order is written whole, with its stock, its payment, its audit entry and its job, in one transaction or not at all.

CREATE TABLE shop_order (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wallet_id  bigint      NOT NULL REFERENCES wallet,
    total      bigint      NOT NULL CHECK (total BETWEEN 0 AND 9007199254740991),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX shop_order_wallet_id ON shop_order (wallet_id);

CREATE TABLE order_line (
    order_id   bigint NOT NULL REFERENCES shop_order,
    line_no    int    NOT NULL CHECK (line_no >= 1),
    product_id bigint NOT NULL REFERENCES product,
    quantity   bigint NOT NULL CHECK (quantity BETWEEN 1 AND 9007199254740991),
    price      bigint NOT NULL CHECK (price BETWEEN 0 AND 9007199254740991),
    PRIMARY KEY (order_id, line_no),
    UNIQUE (order_id, product_id)
);

CREATE INDEX order_line_product_id ON order_line (product_id);

-- What was taken for which order: the books are right when it agrees with the balances.
CREATE TABLE audit_entry (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint      NOT NULL REFERENCES shop_order,
    wallet_id  bigint      NOT NULL,
    amount     bigint      NOT NULL,
    balance    bigint      NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- The key is what keeps an order from being confirmed twice, whatever the job queue does.
CREATE TABLE notification (
    order_id   bigint      PRIMARY KEY REFERENCES shop_order,
    text       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- platform > reseller > customer. A type may be skipped; nothing stands under a customer. The code that moves tenants holds the
-- rules that look at more than one row.
CREATE TABLE tenant (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name      text   NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    type      text   NOT NULL CHECK (type IN ('platform', 'reseller', 'customer')),
    parent_id bigint REFERENCES tenant,
    version   bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    CHECK (parent_id <> id)
);

CREATE INDEX tenant_parent_id ON tenant (parent_id);
