-- The append-only log of an organisation, its checkpoints, and the events that wait to be told to others.

create table if not exists log_entry (
  org_id uuid not null,
  sequence bigint not null check (sequence >= 0),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  primary key (org_id, sequence)
);
alter table log_entry enable row level security;
alter table log_entry force row level security;
drop policy if exists own_organisation on log_entry;
create policy own_organisation on log_entry to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on log_entry;
create policy all_organisations on log_entry to holdfast_system using (true);
grant select, insert on log_entry to holdfast_app;
grant select, insert on log_entry to holdfast_system;

-- `note` gains the cosignatures of signers as they arrive.
create table if not exists log_checkpoint (
  org_id uuid not null,
  size bigint not null check (size >= 0),
  note text not null check (char_length(note) between 1 and 65536),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, size)
);
alter table log_checkpoint enable row level security;
alter table log_checkpoint force row level security;
drop policy if exists own_organisation on log_checkpoint;
create policy own_organisation on log_checkpoint to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on log_checkpoint;
create policy all_organisations on log_checkpoint to holdfast_system using (true);
grant select, insert, update (note) on log_checkpoint to holdfast_app;
grant select, insert, update (note) on log_checkpoint to holdfast_system;

-- `sequence` comes from `counter`: the order of an organisation's events is the order of the commits that made them.
create table if not exists outbox (
  org_id uuid not null,
  sequence bigint not null check (sequence >= 1),
  id uuid not null,
  topic text not null check (topic ~ '^[a-z][a-z0-9_.]{0,63}$'),
  payload jsonb not null,
  created_at bigint not null check (created_at >= 0),
  published_at bigint check (published_at >= 0),
  primary key (org_id, sequence),
  unique (org_id, id)
);
alter table outbox enable row level security;
alter table outbox force row level security;
drop policy if exists own_organisation on outbox;
create policy own_organisation on outbox to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on outbox;
create policy all_organisations on outbox to holdfast_system using (true);
grant select, insert on outbox to holdfast_app;
grant select, insert, delete, update (published_at) on outbox to holdfast_system;

create index if not exists outbox_waiting on outbox (org_id, sequence) where published_at is null;
