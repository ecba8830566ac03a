-- The transactions made for an order. All of them take the order's one slot on the chain, so that it takes one of them at most. What each is and when
-- it was asked for never changes; its bytes are written before they are signed, the signed ones before they are sent.
create table if not exists order_transaction (
  org_id uuid not null,
  order_id uuid not null,
  number integer not null check (number >= 1),
  -- `pay` carries the order out, `cancel` takes its slot and pays nobody.
  purpose text not null check (purpose in ('pay', 'cancel')),
  -- The order by which people allowed it; null where the order itself does.
  allowed_by uuid,
  -- Who asked for it; null for the first, which the order's approval asks for.
  asked_by uuid,
  tier integer not null check (tier between 0 and 2),
  fee_cap numeric(78,0) not null check (fee_cap >= 0),
  unsigned_tx bytea check (octet_length(unsigned_tx) between 1 and 262144),
  raw_tx bytea check (octet_length(raw_tx) between 1 and 262144),
  txid text check (char_length(txid) between 1 and 128),
  -- Why it was given up before it was signed.
  reason text check (char_length(reason) <= 1000),
  created_at bigint not null check (created_at >= 0),
  signed_at bigint check (signed_at >= created_at),
  ended_at bigint check (ended_at >= created_at),
  primary key (org_id, order_id, number),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  foreign key (org_id, allowed_by) references transfer_order (org_id, id),
  foreign key (org_id, asked_by) references person (org_id, id),
  check ((raw_tx is null) = (txid is null) and (raw_tx is null) = (signed_at is null)),
  check (raw_tx is null or unsigned_tx is not null),
  check (purpose = 'pay' or allowed_by is not null)
);
alter table order_transaction enable row level security;
alter table order_transaction force row level security;
drop policy if exists own_organisation on order_transaction;
create policy own_organisation on order_transaction to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_transaction;
create policy all_organisations on order_transaction to holdfast_system using (true);
grant select, insert, update (unsigned_tx, raw_tx, txid, reason, signed_at, ended_at) on order_transaction to holdfast_app;
grant select, insert, update (unsigned_tx, raw_tx, txid, reason, signed_at, ended_at) on order_transaction to holdfast_system;

create index if not exists order_transaction_due on order_transaction (created_at) where raw_tx is null and ended_at is null;
create index if not exists order_transaction_txid on order_transaction (org_id, txid) where txid is not null;

-- What proves the signature of a transaction after an order's first, whose bundle is in `evidence`.
create table if not exists replacement_evidence (
  org_id uuid not null,
  order_id uuid not null,
  number integer not null,
  bundle bytea not null check (octet_length(bundle) between 1 and 16777216),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, order_id, number),
  foreign key (org_id, order_id, number) references order_transaction (org_id, order_id, number)
);
alter table replacement_evidence enable row level security;
alter table replacement_evidence force row level security;
drop policy if exists own_organisation on replacement_evidence;
create policy own_organisation on replacement_evidence to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on replacement_evidence;
create policy all_organisations on replacement_evidence to holdfast_system using (true);
grant select, insert on replacement_evidence to holdfast_app;
grant select, insert on replacement_evidence to holdfast_system;

-- `txid` of an order is the transaction that stands for it: the one in a block, or the newest that was signed; its own columns for bytes stay empty.
-- `replaces` is the order whose transaction this one takes the place of: it has no transactions of its own.
alter table transfer_order add column if not exists replaces uuid;
create index if not exists transfer_order_replacements on transfer_order (org_id, replaces) where replaces is not null;

-- For which transaction of the order signers were asked.
alter table signing_attempt add column if not exists transaction_number integer not null default 1 check (transaction_number >= 1);
