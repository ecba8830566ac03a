-- What a wallet holds of each coin, over all its sub-wallets, so that a list of wallets costs what it shows. A sum that every posting changed would be one hot row
-- for a whole wallet: a posting adds a change, which waits for nobody, and the changes are drawn into the sum afterwards. What a wallet holds is both together.
-- Tokens of collections are left out: each is one of its kind.
create table if not exists wallet_sum (
  org_id uuid not null,
  wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  -- While changes wait to be drawn in, this alone may be less than nothing.
  amount numeric(78,0) not null,
  primary key (org_id, wallet_id, chain, contract),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table wallet_sum enable row level security;
drop policy if exists own_organisation on wallet_sum;
create policy own_organisation on wallet_sum to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet_sum;
create policy all_organisations on wallet_sum to holdfast_system using (true);
grant select on wallet_sum to holdfast_app;
grant select, insert, update on wallet_sum to holdfast_system;

create table if not exists wallet_change (
  org_id uuid not null,
  transfer_id uuid not null,
  wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  amount numeric(78,0) not null check (amount <> 0),
  primary key (org_id, transfer_id, wallet_id, chain, contract),
  foreign key (org_id, transfer_id) references ledger_transfer (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table wallet_change enable row level security;
drop policy if exists own_organisation on wallet_change;
create policy own_organisation on wallet_change to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wallet_change;
create policy all_organisations on wallet_change to holdfast_system using (true);
grant select, insert on wallet_change to holdfast_app;
grant select, insert, delete on wallet_change to holdfast_system;

create index if not exists wallet_change_wallet on wallet_change (org_id, wallet_id);

-- What is held already. The owner of the tables is let through the wall for as long as this takes.
alter table ledger_account no force row level security;
alter table sub_wallet no force row level security;
insert into wallet_sum (org_id, wallet_id, chain, contract, amount)
select a.org_id, s.wallet_id, a.chain, a.contract, sum(a.balance)
  from ledger_account a join sub_wallet s on s.org_id = a.org_id and s.id = a.sub_wallet_id
  where a.balance is not null and a.contract not like '%/%'
  group by a.org_id, s.wallet_id, a.chain, a.contract
on conflict do nothing;
alter table ledger_account force row level security;
alter table sub_wallet force row level security;
alter table wallet_sum force row level security;
alter table wallet_change force row level security;
