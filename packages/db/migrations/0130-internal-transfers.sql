-- Where a deposit was found: sent by its transaction, moved inside one by a contract, or by what the address has at a final block, where no source shows
-- what contracts do; then it has no transaction, and `txid` names the block.
alter table deposit add column if not exists found_in text not null default 'transaction' check (found_in in ('transaction', 'inside', 'balance'));

-- The last block of which no source that was read from could show what contracts moved inside transactions.
alter table chain_cursor add column if not exists unseen_height bigint check (unseen_height >= 0);

-- Tokens that left an address by somebody else's transaction, whom the owner had allowed to take them. Booked with the block's finality; `settlement` is the
-- posting, taken back where the chain gives the block up.
create table if not exists token_pull (
  org_id uuid not null,
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  txid text not null check (char_length(txid) between 1 and 128),
  tx_index integer not null check (tx_index >= 0),
  block_hash text not null check (char_length(block_hash) between 1 and 128),
  height bigint not null check (height >= 0),
  sub_wallet_id uuid not null,
  address text not null,
  contract text not null check (char_length(contract) between 1 and 128),
  amount numeric(78,0) not null check (amount > 0),
  to_address text not null check (char_length(to_address) <= 128),
  taken_by text not null check (char_length(taken_by) between 1 and 128),
  settlement uuid,
  created_at bigint not null check (created_at >= 0),
  booked_at bigint check (booked_at >= created_at),
  reversed_at bigint check (reversed_at >= created_at),
  -- What people are told of it, until `told_until_at`.
  reason text check (char_length(reason) between 1 and 1000),
  told_until_at bigint check (told_until_at >= 0),
  primary key (org_id, id),
  unique (org_id, chain, txid, tx_index, block_hash),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  check ((settlement is null) = (booked_at is null))
);
alter table token_pull enable row level security;
alter table token_pull force row level security;
drop policy if exists own_organisation on token_pull;
create policy own_organisation on token_pull to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on token_pull;
create policy all_organisations on token_pull to holdfast_system using (true);
grant select, insert, update (settlement, booked_at, reversed_at, reason, told_until_at) on token_pull to holdfast_app;
grant select, insert, update (settlement, booked_at, reversed_at, reason, told_until_at), delete on token_pull to holdfast_system;

create index if not exists token_pull_waiting on token_pull (chain, height) where booked_at is null and reversed_at is null;
create index if not exists token_pull_newest on token_pull (org_id, sub_wallet_id, created_at);
