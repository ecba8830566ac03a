-- More of the life of a key: orders that the server proposes on its schedule, keys that are retired, and exports.

-- An order without an initiator was proposed by the server on its schedule. It becomes nothing without approvals, like any other.
alter table key_change alter column initiator drop not null;

-- Since when a wallet's key is retired: no new address is given out and nothing is paid from it.
alter table wallet add column if not exists retired_at bigint check (retired_at >= created_at);

-- What an approved export gave: the kit, sealed by each signer to the recipients that the order names. It is a ciphertext.
create table if not exists key_export (
  org_id uuid not null,
  change_id uuid not null,
  kit bytea not null check (octet_length(kit) between 1 and 16777216),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, change_id),
  foreign key (org_id, change_id) references key_change (org_id, id)
);
alter table key_export enable row level security;
alter table key_export force row level security;
drop policy if exists own_organisation on key_export;
create policy own_organisation on key_export to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on key_export;
create policy all_organisations on key_export to holdfast_system using (true);
grant select, insert on key_export to holdfast_app;
grant select, insert on key_export to holdfast_system;

-- The word of each person who is named as a recipient of an export: that the key it is sealed to is theirs, or that it is not.
create table if not exists key_export_word (
  org_id uuid not null,
  change_id uuid not null,
  person_id uuid not null,
  accepted boolean not null,
  at bigint not null check (at >= 0),
  primary key (org_id, change_id, person_id),
  foreign key (org_id, change_id) references key_change (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table key_export_word enable row level security;
alter table key_export_word force row level security;
drop policy if exists own_organisation on key_export_word;
create policy own_organisation on key_export_word to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on key_export_word;
create policy all_organisations on key_export_word to holdfast_system using (true);
grant select, insert on key_export_word to holdfast_app;
grant select, insert on key_export_word to holdfast_system;

-- Who asked for the last check of the shares; null where it was the server on its schedule.
alter table share_check add column if not exists asked_by uuid;
-- When the next check is made.
alter table share_check add column if not exists next_at bigint check (next_at >= 0);
