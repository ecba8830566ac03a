-- Payments seen on a chain. One row for each transfer in each block: after a reorganisation the same transfer in another
-- block is another row, and the old one stays as reversed.

create table if not exists deposit (
  org_id uuid not null,
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  txid text not null check (char_length(txid) between 1 and 128),
  tx_index integer not null check (tx_index >= 0),
  block_hash text not null check (char_length(block_hash) between 1 and 128),
  height bigint not null check (height >= 0),
  sub_wallet_id uuid not null,
  address text not null,
  contract text not null check (char_length(contract) <= 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  amount numeric(78,0) not null check (amount > 0),
  from_address text not null check (char_length(from_address) <= 128),
  state text not null check (state in ('unconfirmed', 'confirmed', 'credited', 'reversed')),
  sub_status text check (sub_status ~ '^[a-z][a-z0-9_]{0,39}$'),
  confirmations bigint not null check (confirmations >= 0),
  credited_at bigint check (credited_at >= created_at),
  reversed_at bigint check (reversed_at >= created_at),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, chain, txid, tx_index, block_hash),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  check (state <> 'credited' or credited_at is not null),
  check ((state = 'reversed') = (reversed_at is not null))
);
alter table deposit enable row level security;
alter table deposit force row level security;
drop policy if exists own_organisation on deposit;
create policy own_organisation on deposit to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on deposit;
create policy all_organisations on deposit to holdfast_system using (true);
grant select, insert, update (state, sub_status, confirmations, credited_at, reversed_at, updated_at) on deposit to holdfast_app;
grant select, insert, update (state, sub_status, confirmations, credited_at, reversed_at, updated_at) on deposit to holdfast_system;

create index if not exists deposit_waiting on deposit (chain, height) where state in ('unconfirmed', 'confirmed');
create index if not exists deposit_height on deposit (chain, height) where state <> 'reversed';
create index if not exists deposit_newest on deposit (org_id, sub_wallet_id, created_at);
