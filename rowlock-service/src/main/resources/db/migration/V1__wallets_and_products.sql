-- The service checks every rule in the statement that writes; the constraints are the back-stop for whoever else writes here.
-- 9007199254740991 is 2^53-1, the largest whole number that every JSON reader holds exactly.

CREATE TABLE wallet (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991)
);

CREATE TABLE product (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text   NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    price   bigint NOT NULL CHECK (price BETWEEN 0 AND 9007199254740991),
    stock   bigint NOT NULL CHECK (stock BETWEEN 0 AND 9007199254740991),
    version bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

CREATE TABLE reservation (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id bigint      NOT NULL REFERENCES product,
    quantity   bigint      NOT NULL CHECK (quantity BETWEEN 1 AND 9007199254740991),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX reservation_product_id ON reservation (product_id);
