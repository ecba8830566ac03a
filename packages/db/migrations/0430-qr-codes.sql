-- Codes that open the approval page at one item on another device, and whoever may be reminded of anything that people decide.

-- A code says no more than the hash of what it is about. A person has one for each item, the newest. Until it expires, the server notes whether the item was opened on an approval page after it was made.
create table if not exists qr_code (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  subject_id uuid not null,
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  created_at bigint not null check (created_at >= 0),
  expires_at bigint not null check (expires_at >= created_at),
  opened_at bigint check (opened_at >= created_at),
  primary key (org_id, person_id, subject_id),
  unique (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, subject_id) references proposal (org_id, subject_id)
);
alter table qr_code enable row level security;
alter table qr_code force row level security;
drop policy if exists own_organisation on qr_code;
create policy own_organisation on qr_code to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on qr_code;
create policy all_organisations on qr_code to holdfast_system using (true);
grant select, insert, update (id, created_at, expires_at, opened_at) on qr_code to holdfast_app;
grant select, insert, update (id, created_at, expires_at, opened_at) on qr_code to holdfast_system;
create index if not exists qr_code_hash on qr_code (org_id, intent_hash) where opened_at is null;

-- A reminder is of a proposal of any kind: whoever writes one holds the proposal.
alter table order_reminder drop constraint if exists order_reminder_org_id_order_id_fkey;
