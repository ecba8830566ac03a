-- What the payer wrote for the one who is paid: text of a stranger, cut to what people read.
alter table deposit add column if not exists memo text check (char_length(memo) between 1 and 1024);

-- What a chain took of an address besides the fees of its own orders: for its storage, and for taking payments in. Booked with the block's finality, in one
-- posting for all of a sub-wallet.
create table if not exists chain_charge (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null,
  height bigint not null check (height >= 0),
  block_hash text not null check (char_length(block_hash) between 1 and 128),
  sub_wallet_id uuid not null,
  amount numeric(78,0) not null check (amount > 0),
  booked_at bigint check (booked_at >= 0),
  primary key (org_id, chain, address, block_hash),
  foreign key (org_id, chain, address) references address (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table chain_charge enable row level security;
alter table chain_charge force row level security;
drop policy if exists own_organisation on chain_charge;
create policy own_organisation on chain_charge to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on chain_charge;
create policy all_organisations on chain_charge to holdfast_system using (true);
grant select, insert, update (booked_at) on chain_charge to holdfast_app;
grant select, insert, update (booked_at), delete on chain_charge to holdfast_system;

create index if not exists chain_charge_waiting on chain_charge (chain, height) where booked_at is null;
create index if not exists chain_charge_sub_wallet on chain_charge (org_id, sub_wallet_id) where booked_at is null;
