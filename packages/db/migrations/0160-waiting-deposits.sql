-- Payments to us that wait for a block, as the pool of a node shows them. Nothing here is money: whoever sent one can replace it. No balance and no credit looks
-- at this table; a payment counts once a block has it, by its row in `deposit`.
create table if not exists waiting_deposit (
  org_id uuid not null,
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  txid text not null check (txid ~ '^[0-9a-f]{64}$'),
  tx_index integer not null check (tx_index >= 0),
  sub_wallet_id uuid not null,
  address text not null,
  contract text not null check (char_length(contract) <= 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  amount numeric(78,0) not null check (amount > 0),
  from_address text not null check (char_length(from_address) <= 128),
  -- The coins that the transaction spends: whatever else spends one of them takes its place.
  spends text[] not null check (cardinality(spends) >= 1),
  state text not null check (state in ('waiting', 'gone', 'in_block')),
  -- mempool: a node has it. replaced: `replaced_by` spends one of its coins. dropped: no node has it, and nobody knows why. confirming: a block has it.
  sub_status text not null check (sub_status in ('mempool', 'replaced', 'dropped', 'confirming')),
  replaced_by text check (replaced_by ~ '^[0-9a-f]{64}$'),
  -- The block that has it, or what replaced it.
  height bigint check (height >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, chain, txid, tx_index),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  check ((sub_status = 'replaced') = (replaced_by is not null)),
  check (state <> 'in_block' or height is not null)
);
alter table waiting_deposit enable row level security;
alter table waiting_deposit force row level security;
drop policy if exists own_organisation on waiting_deposit;
create policy own_organisation on waiting_deposit to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on waiting_deposit;
create policy all_organisations on waiting_deposit to holdfast_system using (true);
grant select, insert, update (state, sub_status, replaced_by, height, updated_at) on waiting_deposit to holdfast_app;
grant select, insert, update (state, sub_status, replaced_by, height, updated_at) on waiting_deposit to holdfast_system;

create index if not exists waiting_deposit_open on waiting_deposit (chain) where height is null;
create index if not exists waiting_deposit_height on waiting_deposit (chain, height) where height is not null;
create index if not exists waiting_deposit_newest on waiting_deposit (org_id, created_at) where state <> 'in_block';

-- Which order has a coin.
create index if not exists order_coin_outpoint on order_coin (org_id, outpoint);
