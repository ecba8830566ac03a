-- Orders to pay, from the request to finality. What an order is can never be changed (no right to update those columns);
-- only how far it has come. States and their order live in the program; `is_final` is what the sweepers look at.

create table if not exists transfer_order (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
  wallet_id uuid not null,
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  amount numeric(78,0) not null check (amount >= 0),
  fee_cap numeric(78,0) not null check (fee_cap >= 0),
  address_from text not null check (char_length(address_from) between 1 and 128),
  address_to text not null check (char_length(address_to) between 1 and 128),
  memo text check (char_length(memo) between 1 and 256),
  remark text not null check (char_length(remark) <= 200),
  intent bytea not null check (octet_length(intent) between 1 and 65536),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  policy_version bigint not null check (policy_version >= 1),
  initiator uuid not null,
  state text not null check (state ~ '^[a-z][a-z0-9_]{0,39}$'),
  sub_status text check (sub_status ~ '^[a-z][a-z0-9_]{0,39}$'),
  is_final boolean not null,
  slot numeric(78,0) check (slot >= 0),
  unsigned_tx bytea check (octet_length(unsigned_tx) between 1 and 262144),
  raw_tx bytea check (octet_length(raw_tx) between 1 and 262144),
  txid text check (char_length(txid) between 1 and 128),
  block_height bigint check (block_height >= 0),
  block_hash text check (char_length(block_hash) between 1 and 128),
  fee_paid numeric(78,0) check (fee_paid >= 0),
  refusal jsonb,
  expires_at bigint not null check (expires_at >= created_at),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  version integer not null check (version >= 1),
  primary key (org_id, id),
  unique (org_id, intent_hash),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, initiator) references person (org_id, id),
  check (raw_tx is null or (unsigned_tx is not null and txid is not null)),
  check ((block_height is null) = (block_hash is null))
);
alter table transfer_order enable row level security;
alter table transfer_order force row level security;
drop policy if exists own_organisation on transfer_order;
create policy own_organisation on transfer_order to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on transfer_order;
create policy all_organisations on transfer_order to holdfast_system using (true);
grant select, insert, update (state, sub_status, is_final, slot, unsigned_tx, raw_tx, txid, block_height, block_hash, fee_paid, refusal, updated_at, version) on transfer_order to holdfast_app;
grant select, insert, update (state, sub_status, is_final, slot, unsigned_tx, raw_tx, txid, block_height, block_hash, fee_paid, refusal, updated_at, version) on transfer_order to holdfast_system;

create index if not exists transfer_order_unfinished on transfer_order (updated_at) where not is_final;
create index if not exists transfer_order_newest on transfer_order (org_id, wallet_id, created_at);
create index if not exists transfer_order_txid on transfer_order (org_id, chain, txid) where txid is not null;

-- Every step an order took, who made it and why. Append-only.
create table if not exists transfer_event (
  org_id uuid not null,
  order_id uuid not null,
  seq integer not null check (seq >= 1),
  state text not null check (state ~ '^[a-z][a-z0-9_]{0,39}$'),
  sub_status text check (sub_status ~ '^[a-z][a-z0-9_]{0,39}$'),
  actor text not null check (char_length(actor) between 1 and 100),
  reason text check (char_length(reason) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, order_id, seq),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table transfer_event enable row level security;
alter table transfer_event force row level security;
drop policy if exists own_organisation on transfer_event;
create policy own_organisation on transfer_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on transfer_event;
create policy all_organisations on transfer_event to holdfast_system using (true);
grant select, insert on transfer_event to holdfast_app;
grant select, insert on transfer_event to holdfast_system;

-- One decision of one person about one intent, signed. It also decides changes of the policy, which are no transfer orders.
create table if not exists approval (
  org_id uuid not null,
  id uuid not null,
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  person_id uuid not null,
  decision text not null check (decision in ('approve', 'reject')),
  bytes bytea not null check (octet_length(bytes) between 1 and 65536),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, id),
  unique (org_id, intent_hash, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table approval enable row level security;
alter table approval force row level security;
drop policy if exists own_organisation on approval;
create policy own_organisation on approval to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on approval;
create policy all_organisations on approval to holdfast_system using (true);
grant select, insert on approval to holdfast_app;
grant select, insert on approval to holdfast_system;

-- The place on the chain that two attempts to pay exclude each other from: for EVM the nonce of the address.
create table if not exists slot_lease (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null,
  slot numeric(78,0) not null check (slot >= 0),
  order_id uuid not null,
  state text not null check (state in ('leased', 'used', 'released')),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, chain, address, slot),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table slot_lease enable row level security;
alter table slot_lease force row level security;
drop policy if exists own_organisation on slot_lease;
create policy own_organisation on slot_lease to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on slot_lease;
create policy all_organisations on slot_lease to holdfast_system using (true);
grant select, insert, update (order_id, state, updated_at) on slot_lease to holdfast_app;
grant select, insert, update (order_id, state, updated_at) on slot_lease to holdfast_system;

create index if not exists slot_lease_order on slot_lease (org_id, order_id);

create table if not exists evidence (
  org_id uuid not null,
  order_id uuid not null,
  bundle bytea not null check (octet_length(bundle) between 1 and 16777216),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, order_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table evidence enable row level security;
alter table evidence force row level security;
drop policy if exists own_organisation on evidence;
create policy own_organisation on evidence to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on evidence;
create policy all_organisations on evidence to holdfast_system using (true);
grant select, insert on evidence to holdfast_app;
grant select, insert on evidence to holdfast_system;
