-- Chains of coins: coins that people keep from being spent, coins that an order has before its bytes are made, and what lies on single satoshis of coins.

-- A person's lock on one coin. Taken off, it stays here as it was; one is open for a coin at a time, since whoever locks holds the address meanwhile.
create table if not exists coin_lock (
  org_id uuid not null,
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null,
  outpoint text not null check (outpoint ~ '^[0-9a-f]{64}:[0-9]{1,10}$'),
  reason text not null check (char_length(reason) between 1 and 200),
  locked_by uuid not null,
  locked_at bigint not null check (locked_at >= 0),
  unlocked_by uuid,
  unlocked_at bigint check (unlocked_at >= locked_at),
  primary key (org_id, id),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, locked_by) references person (org_id, id),
  foreign key (org_id, unlocked_by) references person (org_id, id),
  check ((unlocked_by is null) = (unlocked_at is null))
);
alter table coin_lock enable row level security;
alter table coin_lock force row level security;
drop policy if exists own_organisation on coin_lock;
create policy own_organisation on coin_lock to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on coin_lock;
create policy all_organisations on coin_lock to holdfast_system using (true);
grant select, insert, update (unlocked_by, unlocked_at) on coin_lock to holdfast_app;
grant select, insert, update (unlocked_by, unlocked_at) on coin_lock to holdfast_system;

create index if not exists coin_lock_open on coin_lock (org_id, chain, address) where unlocked_at is null;

-- The coins that an order spends in any case, in their order. It has them from the moment it is asked for until it is final.
create table if not exists order_coin (
  org_id uuid not null,
  order_id uuid not null,
  place integer not null check (place >= 0),
  outpoint text not null check (outpoint ~ '^[0-9a-f]{64}:[0-9]{1,10}$'),
  primary key (org_id, order_id, place),
  unique (org_id, order_id, outpoint),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table order_coin enable row level security;
alter table order_coin force row level security;
drop policy if exists own_organisation on order_coin;
create policy own_organisation on order_coin to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_coin;
create policy all_organisations on order_coin to holdfast_system using (true);
grant select, insert on order_coin to holdfast_app;
grant select, insert on order_coin to holdfast_system;

-- Where an inscription is, or was, among our coins: one row for each coin that carried it, from the block that brought it there to the one that took it away.
-- Content is a stranger's: `head` holds its first bytes, `size` all of them.
create table if not exists inscription (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  inscription_id text not null check (inscription_id ~ '^[0-9a-f]{64}i[0-9]{1,10}$'),
  outpoint text not null check (outpoint ~ '^[0-9a-f]{64}:[0-9]{1,10}$'),
  place bigint not null check (place >= 0),
  address text not null,
  coin_amount numeric(78,0) not null check (coin_amount > 0),
  content_type text check (char_length(content_type) <= 200),
  size bigint not null check (size >= 0),
  head bytea not null check (octet_length(head) <= 1024),
  height bigint not null check (height >= 0),
  gone_height bigint check (gone_height >= height),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, chain, inscription_id, outpoint),
  foreign key (org_id, chain, address) references address (org_id, chain, address)
);
alter table inscription enable row level security;
alter table inscription force row level security;
drop policy if exists own_organisation on inscription;
create policy own_organisation on inscription to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on inscription;
create policy all_organisations on inscription to holdfast_system using (true);
grant select, insert on inscription to holdfast_app;
grant select, insert, update (gone_height), delete on inscription to holdfast_system;

create index if not exists inscription_present on inscription (chain, outpoint) where gone_height is null;
create index if not exists inscription_address on inscription (org_id, chain, address) where gone_height is null;
create index if not exists inscription_height on inscription (chain, height);
