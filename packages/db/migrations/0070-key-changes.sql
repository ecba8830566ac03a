-- The life of a key: approved orders that give it new shares, and when each signer last showed that it still has its share.

-- An order for new shares. The intent can never be changed. `places` says where in the log the intent and each approval stand; `statements` are the words of
-- all three signers that the next epoch is on disk at each of them.
create table if not exists key_change (
  org_id uuid not null references organisation (id),
  id uuid not null,
  wallet_id uuid not null,
  key_id bytea not null check (octet_length(key_id) = 32),
  from_epoch bigint not null check (from_epoch >= 0),
  intent bytea not null check (octet_length(intent) between 1 and 65536),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  policy_version bigint not null check (policy_version >= 1),
  initiator uuid not null,
  state text not null check (state in ('approving', 'approved', 'active', 'done', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded')),
  is_final boolean not null,
  reason text check (char_length(reason) <= 1000),
  places jsonb not null,
  progress jsonb not null,
  statements bytea check (octet_length(statements) between 1 and 65536),
  expires_at bigint not null check (expires_at >= created_at),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  version integer not null check (version >= 1),
  primary key (org_id, id),
  unique (org_id, intent_hash),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, initiator) references person (org_id, id)
);
alter table key_change enable row level security;
alter table key_change force row level security;
drop policy if exists own_organisation on key_change;
create policy own_organisation on key_change to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on key_change;
create policy all_organisations on key_change to holdfast_system using (true);
grant select, insert, update (state, is_final, reason, places, progress, statements, updated_at, version) on key_change to holdfast_app;
grant select, insert, update (state, is_final, reason, places, progress, statements, updated_at, version) on key_change to holdfast_system;

create index if not exists key_change_unfinished on key_change (updated_at) where not is_final;
create index if not exists key_change_newest on key_change (org_id, created_at);
create index if not exists key_change_hash on key_change (intent_hash);
-- One order at a time is open for a key: two that begin with the same epoch could not both be carried out. The program sees to it.
create index if not exists key_change_key on key_change (org_id, key_id, created_at);

-- Every step an order took. Append-only.
create table if not exists key_change_event (
  org_id uuid not null,
  change_id uuid not null,
  seq integer not null check (seq >= 1),
  state text not null check (state ~ '^[a-z][a-z0-9_]{0,39}$'),
  actor text not null check (char_length(actor) between 1 and 100),
  reason text check (char_length(reason) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, change_id, seq),
  foreign key (org_id, change_id) references key_change (org_id, id)
);
alter table key_change_event enable row level security;
alter table key_change_event force row level security;
drop policy if exists own_organisation on key_change_event;
create policy own_organisation on key_change_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on key_change_event;
create policy all_organisations on key_change_event to holdfast_system using (true);
grant select, insert on key_change_event to holdfast_app;
grant select, insert on key_change_event to holdfast_system;

-- When the signers last tried to show each other that each has its share of a key, and when that last succeeded.
create table if not exists share_check (
  org_id uuid not null references organisation (id),
  key_id bytea not null check (octet_length(key_id) = 32),
  epoch bigint not null check (epoch >= 0),
  checked_at bigint check (checked_at >= 0),
  tried_at bigint not null check (tried_at >= 0),
  fault text check (char_length(fault) <= 1000),
  fault_party integer check (fault_party between 1 and 3),
  primary key (org_id, key_id)
);
alter table share_check enable row level security;
alter table share_check force row level security;
drop policy if exists own_organisation on share_check;
create policy own_organisation on share_check to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on share_check;
create policy all_organisations on share_check to holdfast_system using (true);
grant select, insert, update on share_check to holdfast_app;
grant select, insert, update on share_check to holdfast_system;
