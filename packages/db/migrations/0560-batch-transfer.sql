-- Batches: many payments that people approve once. A row is a file that was read, and then the order that was made of its lines: `intent` is what people
-- approve, `places` where that and each approval stand in the log, `hold_id` what is still held for lines that no order was opened for.
create table if not exists batch_transfer (
  org_id uuid not null references organisation (id),
  id uuid not null,
  wallet_id uuid not null,
  sub_wallet_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  file_name text not null check (char_length(file_name) <= 255),
  initiator uuid not null,
  retry_of uuid,
  state text not null check (state in ('checked', 'approving', 'approved', 'stopped', 'finished', 'rejected', 'cancelled', 'expired', 'superseded')),
  is_final boolean not null,
  reason text check (char_length(reason) <= 1000),
  -- Why no further line is being paid right now.
  waits_for text check (waits_for ~ '^[a-z][a-z_]{0,39}$'),
  execution text check (execution in ('strict', 'partial')),
  tier integer check (tier between 0 and 2),
  fee_cap numeric(78,0) check (fee_cap > 0),
  remark text not null default '' check (char_length(remark) <= 200),
  intent bytea check (octet_length(intent) between 1 and 1048576),
  intent_hash bytea check (octet_length(intent_hash) = 32),
  policy_version bigint,
  rule_id text check (char_length(rule_id) between 1 and 64),
  places jsonb,
  parts integer not null default 0 check (parts between 0 and 1000),
  opened integer not null default 0 check (opened between 0 and parts),
  hold_id uuid,
  expires_at bigint check (expires_at >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  version integer not null check (version >= 1),
  primary key (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, initiator) references person (org_id, id),
  foreign key (org_id, retry_of) references batch_transfer (org_id, id),
  constraint batch_transfer_ordered check (
    intent is null
    or (intent_hash is not null and policy_version is not null and places is not null and expires_at is not null and fee_cap is not null and tier is not null and execution is not null)
  )
);
create index if not exists batch_transfer_open on batch_transfer (updated_at) where not is_final;
create index if not exists batch_transfer_newest on batch_transfer (org_id, created_at desc, id desc);

-- The lines of a file, as they were read. `faults` and `warnings` are what was found; `part` is the transaction that pays the line and `order_id` its order,
-- both from when the batch was put before people. `retried_in` is the batch that asks for the line again.
create table if not exists batch_transfer_line (
  org_id uuid not null references organisation (id),
  batch_id uuid not null,
  line integer not null check (line between 1 and 100000),
  given_address text not null check (char_length(given_address) <= 300),
  given_amount text not null check (char_length(given_amount) <= 120),
  address text check (char_length(address) between 1 and 128),
  memo text check (char_length(memo) between 1 and 256),
  amount numeric(78,0) check (amount > 0),
  faults jsonb not null,
  warnings jsonb not null,
  part integer check (part >= 0),
  order_id uuid,
  retried_in uuid,
  primary key (org_id, batch_id, line),
  foreign key (org_id, batch_id) references batch_transfer (org_id, id),
  foreign key (org_id, retried_in) references batch_transfer (org_id, id)
);
create index if not exists batch_transfer_line_part on batch_transfer_line (org_id, batch_id, part);

alter table batch_transfer enable row level security;
alter table batch_transfer force row level security;
drop policy if exists own_organisation on batch_transfer;
create policy own_organisation on batch_transfer to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on batch_transfer;
create policy all_organisations on batch_transfer to holdfast_system using (true);
grant select, insert, update on batch_transfer to holdfast_app;
grant select, insert, update on batch_transfer to holdfast_system;
alter table batch_transfer_line enable row level security;
alter table batch_transfer_line force row level security;
drop policy if exists own_organisation on batch_transfer_line;
create policy own_organisation on batch_transfer_line to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on batch_transfer_line;
create policy all_organisations on batch_transfer_line to holdfast_system using (true);
grant select, insert, update (part, order_id, retried_in) on batch_transfer_line to holdfast_app;
grant select, insert, update (part, order_id, retried_in) on batch_transfer_line to holdfast_system;

-- An order that pays lines of a batch: people approved the batch, and nothing of its own.
alter table transfer_order add column if not exists batch_id uuid;
alter table transfer_order drop constraint if exists transfer_order_of_batch;
alter table transfer_order add constraint transfer_order_of_batch foreign key (org_id, batch_id) references batch_transfer (org_id, id);
create index if not exists transfer_order_batch on transfer_order (org_id, batch_id) where batch_id is not null;
