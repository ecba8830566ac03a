-- What a collection by contract takes of each address: held from when its order is opened until the chain has said what it took.
create table if not exists order_part (
  org_id uuid not null references organisation (id),
  order_id uuid not null,
  place integer not null check (place >= 0),
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) between 1 and 128),
  address text not null check (char_length(address) between 1 and 128),
  amount numeric(78,0) not null check (amount > 0),
  hold_id uuid not null,
  freed_at bigint check (freed_at >= 0),
  primary key (org_id, order_id, place),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
create index if not exists order_part_held on order_part (org_id, chain, address) where freed_at is null;

-- A collector contract and what it collects: the sub-wallet at whose first address its target is fixed, and the one that deploys and calls it.
create table if not exists collection_config (
  org_id uuid not null references organisation (id),
  id uuid not null,
  wallet_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  chain text not null check (chain ~ '^eip155:[0-9]{1,20}$'),
  target_sub_wallet_id uuid not null,
  payer_sub_wallet_id uuid not null,
  target_address text not null check (char_length(target_address) = 42),
  contract_address text not null check (char_length(contract_address) = 42),
  fee_max numeric(78,0) not null check (fee_max > 0),
  transactions integer not null check (transactions between 1 and 1000000),
  days integer not null check (days between 1 and 366),
  is_paused boolean not null default false,
  is_revoking boolean not null default false,
  collect_order_id uuid,
  allow_order_id uuid,
  fuel_order_id uuid,
  publish_txid text,
  published_at bigint,
  created_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  deleted_at bigint check (deleted_at >= created_at),
  primary key (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, target_sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, payer_sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, created_by) references person (org_id, id)
);

-- A token that a collector collects, in base units: from how much on an address is collected, and the most that it allows and that is taken at once.
create table if not exists collection_token (
  org_id uuid not null references organisation (id),
  config_id uuid not null,
  contract text not null check (char_length(contract) between 1 and 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  threshold numeric(78,0) not null check (threshold > 0),
  most numeric(78,0) not null check (most >= threshold),
  is_exact boolean not null,
  fee_share integer check (fee_share between 1 and 10000),
  schedule text not null check (char_length(schedule) <= 10),
  is_on boolean not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, config_id, contract),
  foreign key (org_id, config_id) references collection_config (org_id, id)
);

-- What the collector may take of an address, as a node said last; null if it has not said.
create table if not exists collection_allowance (
  org_id uuid not null references organisation (id),
  config_id uuid not null,
  contract text not null check (char_length(contract) between 1 and 128),
  address text not null check (char_length(address) = 42),
  sub_wallet_id uuid not null,
  allowance numeric(78,0),
  read_at bigint not null check (read_at >= 0),
  primary key (org_id, config_id, contract, address),
  foreign key (org_id, config_id) references collection_config (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);

alter table order_part enable row level security;
alter table order_part force row level security;
drop policy if exists own_organisation on order_part;
create policy own_organisation on order_part to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_part;
create policy all_organisations on order_part to holdfast_system using (true);
grant select, insert, update (freed_at) on order_part to holdfast_app;
grant select, insert, update (freed_at) on order_part to holdfast_system;
alter table collection_config enable row level security;
alter table collection_config force row level security;
drop policy if exists own_organisation on collection_config;
create policy own_organisation on collection_config to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collection_config;
create policy all_organisations on collection_config to holdfast_system using (true);
grant select, insert, update on collection_config to holdfast_app;
grant select, insert, update on collection_config to holdfast_system;
alter table collection_token enable row level security;
alter table collection_token force row level security;
drop policy if exists own_organisation on collection_token;
create policy own_organisation on collection_token to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collection_token;
create policy all_organisations on collection_token to holdfast_system using (true);
grant select, insert, update on collection_token to holdfast_app;
grant select, insert, update on collection_token to holdfast_system;
alter table collection_allowance enable row level security;
alter table collection_allowance force row level security;
drop policy if exists own_organisation on collection_allowance;
create policy own_organisation on collection_allowance to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collection_allowance;
create policy all_organisations on collection_allowance to holdfast_system using (true);
grant select, insert, update (allowance, read_at, sub_wallet_id) on collection_allowance to holdfast_app;
grant select, insert, update (allowance, read_at, sub_wallet_id) on collection_allowance to holdfast_system;
