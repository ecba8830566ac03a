-- Deposit addresses in number: a sub-wallet has an address of its own on each network (number 0), and as many more as people ask for. They are asked for in
-- requests, attested by the signers in batches, and numbered one after the other, so that no two have one path.
alter table address add column if not exists number integer not null default 0 check (number >= 0);
-- 1: given to people who pay in. 2: of the system, given to nobody.
alter table address add column if not exists addr_type smallint not null default 1 check (addr_type in (1, 2));
drop index if exists address_sub_wallet;
create unique index if not exists address_number on address (org_id, sub_wallet_id, chain, number);
create index if not exists address_since on address (org_id, sub_wallet_id, created_at);
create index if not exists address_first on address (org_id, chain, sub_wallet_id) where number = 0;

-- Addresses that somebody asked for: those of one sub-wallet on one network from number `first` on. `made` of them are there.
create table if not exists address_request (
  org_id uuid not null,
  id uuid not null,
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  first integer not null check (first > 0),
  count integer not null check (count > 0),
  addr_type smallint not null check (addr_type in (1, 2)),
  made integer not null check (made between 0 and count),
  label text check (char_length(label) between 1 and 50),
  requested_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, sub_wallet_id, chain, first),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, requested_by) references person (org_id, id)
);
alter table address_request enable row level security;
alter table address_request force row level security;
drop policy if exists own_organisation on address_request;
create policy own_organisation on address_request to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on address_request;
create policy all_organisations on address_request to holdfast_system using (true);
grant select, insert, update (made, updated_at) on address_request to holdfast_app;
grant select, insert, update (made, updated_at) on address_request to holdfast_system;
create index if not exists address_request_open on address_request (org_id, sub_wallet_id) where made < count;

-- What the three signers say of addresses that they attested together.
create table if not exists address_batch (
  org_id uuid not null,
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  first integer not null check (first > 0),
  count integer not null check (count > 0),
  statements bytea not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, sub_wallet_id, chain, first),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table address_batch enable row level security;
alter table address_batch force row level security;
drop policy if exists own_organisation on address_batch;
create policy own_organisation on address_batch to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on address_batch;
create policy all_organisations on address_batch to holdfast_system using (true);
grant select, insert on address_batch to holdfast_app;
grant select, insert on address_batch to holdfast_system;

-- What each address has by the ledger: `held` is what orders hold and what is staked. Written by the posting that moves the money, which has locked the sub-wallet.
-- A row that is added to is checked first as if it were new, so no check can say that none is below zero; the posting does.
alter table ledger_transfer add column if not exists address text check (char_length(address) between 1 and 128);
create table if not exists address_balance (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null check (char_length(address) between 1 and 128),
  contract text not null check (char_length(contract) <= 128),
  sub_wallet_id uuid not null,
  available numeric(78,0) not null,
  held numeric(78,0) not null,
  primary key (org_id, chain, address, contract),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table address_balance enable row level security;
drop policy if exists own_organisation on address_balance;
create policy own_organisation on address_balance to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on address_balance;
create policy all_organisations on address_balance to holdfast_system using (true);
grant select, insert, update (available, held) on address_balance to holdfast_app;
grant select, insert, update (available, held) on address_balance to holdfast_system;
-- The addresses that have something of an asset, the most first.
create index if not exists address_balance_most on address_balance (org_id, chain, contract, available desc, address) include (sub_wallet_id) where available > 0;

-- What moved before: until now a sub-wallet had one address on a network. The owner of the tables is let through the wall for as long as this takes.
alter table ledger_account no force row level security;
alter table ledger_transfer no force row level security;
alter table ledger_entry no force row level security;
alter table address no force row level security;
update ledger_transfer set address = own.address
  from (
    select distinct on (e.org_id, e.transfer_id) e.org_id, e.transfer_id, d.address
      from ledger_entry e
      join ledger_account a on a.org_id = e.org_id and a.id = e.account_id and a.sub_wallet_id is not null
      join address d on d.org_id = a.org_id and d.sub_wallet_id = a.sub_wallet_id and d.chain = a.chain and d.number = 0
      order by e.org_id, e.transfer_id
  ) own
  where ledger_transfer.org_id = own.org_id and ledger_transfer.id = own.transfer_id and ledger_transfer.address is null;
insert into address_balance (org_id, chain, address, contract, sub_wallet_id, available, held)
select a.org_id, a.chain, d.address, a.contract, a.sub_wallet_id,
    coalesce(sum(a.balance) filter (where a.kind = 'available'), 0), coalesce(sum(a.balance) filter (where a.kind <> 'available'), 0)
  from ledger_account a join address d on d.org_id = a.org_id and d.sub_wallet_id = a.sub_wallet_id and d.chain = a.chain and d.number = 0
  where a.balance is not null
  group by 1, 2, 3, 4, 5
on conflict do nothing;
alter table ledger_account force row level security;
alter table ledger_transfer force row level security;
alter table ledger_entry force row level security;
alter table address force row level security;
alter table address_balance force row level security;
