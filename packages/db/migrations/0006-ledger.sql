-- Double entry in base units. Transfers and entries can only be added, by anybody: no role holds the right to change or
-- delete one. A balance is kept for what a sub-wallet can spend or has promised, and can never be negative; accounts of the
-- outside and of fees would be one hot row for all, so theirs is the sum of their entries.

create table if not exists ledger_account (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('available', 'held', 'external', 'fee')),
  sub_wallet_id uuid,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  balance numeric(78,0) check (balance >= 0),
  primary key (org_id, id),
  unique (org_id, sub_wallet_id, chain, contract, kind),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  check ((kind in ('available', 'held')) = (sub_wallet_id is not null)),
  check ((kind in ('available', 'held')) = (balance is not null))
);
alter table ledger_account enable row level security;
alter table ledger_account force row level security;
drop policy if exists own_organisation on ledger_account;
create policy own_organisation on ledger_account to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on ledger_account;
create policy all_organisations on ledger_account to holdfast_system using (true);
grant select, insert, update (balance) on ledger_account to holdfast_app;
grant select, insert, update (balance) on ledger_account to holdfast_system;

-- `kind` and `reference` together make a transfer happen once. `closes` names the transfer that this one undoes or completes:
-- a hold ends in one release or settlement, and anything is reversed at most once.
create table if not exists ledger_transfer (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('credit', 'hold', 'release', 'settle', 'remainder', 'reversal')),
  reference text not null check (char_length(reference) between 1 and 200),
  closes uuid,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, id),
  unique (org_id, kind, reference),
  unique (org_id, closes),
  foreign key (org_id, closes) references ledger_transfer (org_id, id),
  check (closes <> id),
  check (kind not in ('release', 'settle', 'reversal') or closes is not null)
);
alter table ledger_transfer enable row level security;
alter table ledger_transfer force row level security;
drop policy if exists own_organisation on ledger_transfer;
create policy own_organisation on ledger_transfer to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on ledger_transfer;
create policy all_organisations on ledger_transfer to holdfast_system using (true);
grant select, insert on ledger_transfer to holdfast_app;
grant select, insert on ledger_transfer to holdfast_system;

create table if not exists ledger_entry (
  org_id uuid not null,
  transfer_id uuid not null,
  position smallint not null check (position >= 0),
  account_id uuid not null,
  amount numeric(78,0) not null check (amount <> 0),
  primary key (org_id, transfer_id, position),
  foreign key (org_id, transfer_id) references ledger_transfer (org_id, id),
  foreign key (org_id, account_id) references ledger_account (org_id, id)
);
alter table ledger_entry enable row level security;
alter table ledger_entry force row level security;
drop policy if exists own_organisation on ledger_entry;
create policy own_organisation on ledger_entry to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on ledger_entry;
create policy all_organisations on ledger_entry to holdfast_system using (true);
grant select, insert on ledger_entry to holdfast_app;
grant select, insert on ledger_entry to holdfast_system;

create index if not exists ledger_entry_account on ledger_entry (org_id, account_id);
