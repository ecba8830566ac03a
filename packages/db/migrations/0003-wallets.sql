-- Keys, wallets and the addresses derived from them.

-- `statements` are the signed words of all signers about the key.
create table if not exists wallet_key (
  org_id uuid not null references organisation (id),
  key_id bytea not null check (octet_length(key_id) = 32),
  epoch bigint not null check (epoch >= 0),
  protocol text not null check (char_length(protocol) between 1 and 64),
  state text not null check (state in ('generating', 'setting_up', 'ready', 'failed')),
  public_key bytea check (octet_length(public_key) between 32 and 33),
  chain_code bytea check (octet_length(chain_code) = 32),
  statements bytea check (octet_length(statements) between 1 and 1048576),
  progress jsonb not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, key_id, epoch),
  check (state <> 'ready' or (public_key is not null and chain_code is not null))
);
alter table wallet_key enable row level security;
alter table wallet_key force row level security;
drop policy if exists own_organisation on wallet_key;
create policy own_organisation on wallet_key to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet_key;
create policy all_organisations on wallet_key to holdfast_system using (true);
grant select, insert, update (state, public_key, chain_code, statements, progress, updated_at) on wallet_key to holdfast_app;
grant select, insert, update (state, public_key, chain_code, statements, progress, updated_at) on wallet_key to holdfast_system;

create index if not exists wallet_key_unfinished on wallet_key (updated_at) where state in ('generating', 'setting_up');

create table if not exists recovery_kit (
  org_id uuid not null,
  key_id bytea not null,
  epoch bigint not null,
  kit bytea not null check (octet_length(kit) between 1 and 16777216),
  drill bytea check (octet_length(drill) between 1 and 65536),
  created_at bigint not null check (created_at >= 0),
  verified_at bigint check (verified_at >= created_at),
  primary key (org_id, key_id, epoch),
  foreign key (org_id, key_id, epoch) references wallet_key (org_id, key_id, epoch),
  check ((verified_at is null) = (drill is null))
);
alter table recovery_kit enable row level security;
alter table recovery_kit force row level security;
drop policy if exists own_organisation on recovery_kit;
create policy own_organisation on recovery_kit to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on recovery_kit;
create policy all_organisations on recovery_kit to holdfast_system using (true);
grant select, insert, update on recovery_kit to holdfast_app;
grant select, insert, update on recovery_kit to holdfast_system;

create table if not exists wallet (
  org_id uuid not null references organisation (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  alias text check (char_length(alias) between 1 and 100),
  key_id bytea check (octet_length(key_id) = 32),
  state text not null check (state in ('creating', 'active', 'failed')),
  request_id text not null check (char_length(request_id) between 1 and 128),
  created_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, request_id),
  foreign key (org_id, created_by) references person (org_id, id),
  check (state <> 'active' or key_id is not null)
);
alter table wallet enable row level security;
alter table wallet force row level security;
drop policy if exists own_organisation on wallet;
create policy own_organisation on wallet to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet;
create policy all_organisations on wallet to holdfast_system using (true);
grant select, insert, update on wallet to holdfast_app;
grant select, insert, update on wallet to holdfast_system;

create index if not exists wallet_key_id on wallet (org_id, key_id);
create index if not exists wallet_unfinished on wallet (updated_at) where state = 'creating';

create table if not exists sub_wallet (
  org_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  number integer not null check (number >= 0),
  name text not null check (char_length(name) between 1 and 100),
  hidden boolean not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, id),
  unique (org_id, wallet_id, number),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table sub_wallet enable row level security;
alter table sub_wallet force row level security;
drop policy if exists own_organisation on sub_wallet;
create policy own_organisation on sub_wallet to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on sub_wallet;
create policy all_organisations on sub_wallet to holdfast_system using (true);
grant select, insert, update on sub_wallet to holdfast_app;
grant select, insert, update on sub_wallet to holdfast_system;

-- `path` is derivation from the wallet key. The index without `org_id` is how the scanner finds whose address a block pays.
create table if not exists address (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null check (char_length(address) between 1 and 128),
  sub_wallet_id uuid not null,
  path integer[] not null check (cardinality(path) between 1 and 8),
  label text check (char_length(label) between 1 and 100),
  attestations jsonb not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table address enable row level security;
alter table address force row level security;
drop policy if exists own_organisation on address;
create policy own_organisation on address to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on address;
create policy all_organisations on address to holdfast_system using (true);
grant select, insert, update (label, attestations) on address to holdfast_app;
grant select, insert, update (label, attestations) on address to holdfast_system;

create index if not exists address_sub_wallet on address (org_id, sub_wallet_id);
create index if not exists address_watched on address (chain, address);
