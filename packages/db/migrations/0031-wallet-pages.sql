-- What people set on the wallet pages, and tokens that arrived without anybody having asked for them.

-- What a person keeps at the top of their own lists.
create table if not exists wallet_pin (
  org_id uuid not null,
  person_id uuid not null,
  wallet_id uuid not null,
  pinned boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id, wallet_id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table wallet_pin enable row level security;
alter table wallet_pin force row level security;
drop policy if exists own_organisation on wallet_pin;
create policy own_organisation on wallet_pin to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet_pin;
create policy all_organisations on wallet_pin to holdfast_system using (true);
grant select, insert, update on wallet_pin to holdfast_app;
grant select, insert, update on wallet_pin to holdfast_system;

create table if not exists sub_wallet_pin (
  org_id uuid not null,
  person_id uuid not null,
  sub_wallet_id uuid not null,
  pinned boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id, sub_wallet_id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table sub_wallet_pin enable row level security;
alter table sub_wallet_pin force row level security;
drop policy if exists own_organisation on sub_wallet_pin;
create policy own_organisation on sub_wallet_pin to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on sub_wallet_pin;
create policy all_organisations on sub_wallet_pin to holdfast_system using (true);
grant select, insert, update on sub_wallet_pin to holdfast_app;
grant select, insert, update on sub_wallet_pin to holdfast_system;

-- Coins that a person marked in a sub-wallet.
create table if not exists coin_focus (
  org_id uuid not null,
  person_id uuid not null,
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  focused boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id, sub_wallet_id, chain, contract),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table coin_focus enable row level security;
alter table coin_focus force row level security;
drop policy if exists own_organisation on coin_focus;
create policy own_organisation on coin_focus to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on coin_focus;
create policy all_organisations on coin_focus to holdfast_system using (true);
grant select, insert, update on coin_focus to holdfast_app;
grant select, insert, update on coin_focus to holdfast_system;

-- A second name by which everybody sees a sub-wallet; empty where there is none.
create table if not exists sub_wallet_alias (
  org_id uuid not null,
  sub_wallet_id uuid not null,
  alias text not null check (char_length(alias) <= 100),
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, sub_wallet_id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table sub_wallet_alias enable row level security;
alter table sub_wallet_alias force row level security;
drop policy if exists own_organisation on sub_wallet_alias;
create policy own_organisation on sub_wallet_alias to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on sub_wallet_alias;
create policy all_organisations on sub_wallet_alias to holdfast_system using (true);
grant select, insert, update on sub_wallet_alias to holdfast_app;
grant select, insert, update on sub_wallet_alias to holdfast_system;

-- Which coins of the installation a wallet offers. Those without a row are offered.
create table if not exists wallet_coin (
  org_id uuid not null,
  wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  is_open boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, wallet_id, chain, contract),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table wallet_coin enable row level security;
alter table wallet_coin force row level security;
drop policy if exists own_organisation on wallet_coin;
create policy own_organisation on wallet_coin to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet_coin;
create policy all_organisations on wallet_coin to holdfast_system using (true);
grant select, insert, update on wallet_coin to holdfast_app;
grant select, insert, update on wallet_coin to holdfast_system;

-- Tokens no network of this installation pins, sent to addresses of ours: kept apart from every balance. One row for each transfer
-- and block; what a block that was given up said is taken out by the reader of the chain.
create table if not exists unverified_arrival (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  txid text not null check (char_length(txid) between 1 and 128),
  tx_index integer not null check (tx_index >= 0),
  block_hash text not null check (char_length(block_hash) between 1 and 128),
  height bigint not null check (height >= 0),
  sub_wallet_id uuid not null,
  contract text not null check (char_length(contract) between 1 and 128),
  from_address text not null check (char_length(from_address) <= 128),
  arrived_at bigint not null check (arrived_at >= 0),
  primary key (org_id, chain, txid, tx_index, block_hash),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table unverified_arrival enable row level security;
alter table unverified_arrival force row level security;
drop policy if exists own_organisation on unverified_arrival;
create policy own_organisation on unverified_arrival to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on unverified_arrival;
create policy all_organisations on unverified_arrival to holdfast_system using (true);
grant select, insert on unverified_arrival to holdfast_app;
grant select, insert, delete on unverified_arrival to holdfast_system;

create index if not exists unverified_arrival_newest on unverified_arrival (org_id, sub_wallet_id, contract, arrived_at);
create index if not exists unverified_arrival_height on unverified_arrival (chain, height);

-- How balances stood at a moment: what was posted since.
create index if not exists ledger_transfer_time on ledger_transfer (org_id, created_at);
create index if not exists deposit_address_newest on deposit (org_id, chain, address, created_at);
