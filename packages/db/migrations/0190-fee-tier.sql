-- What an order bids at first, as far as its cap allows: 0 economy, 1 normal, 2 fast.
alter table transfer_order add column if not exists tier integer not null default 1 check (tier between 0 and 2);
