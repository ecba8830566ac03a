-- What the signers know together: their words on changes of the policy, orders to the signers themselves (that one is away, that freezes are lifted), and freezes.

-- The words of the signers that they would follow a change, kept before any of them is told to: a signer that was not there follows with them later, also where
-- one of the others is lost meanwhile. Absent in versions from before.
alter table policy_change add column if not exists endorsements bytea check (octet_length(endorsements) between 1 and 65536);
grant update (endorsements) on policy_change to holdfast_app;
grant update (endorsements) on policy_change to holdfast_system;
alter table policy_version add column if not exists endorsements bytea check (octet_length(endorsements) between 1 and 65536);

-- An order to the signers. The intent can never be changed. `places` says where in the log the intent and each approval stand; `endorsements` are the words of the
-- signers that they would follow it, `followed` the parties that do.
create table if not exists signer_order (
  org_id uuid not null references organisation (id),
  id uuid not null,
  kind text not null check (kind in ('absence', 'lift_freeze')),
  intent bytea not null check (octet_length(intent) between 1 and 65536),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  policy_version bigint not null check (policy_version >= 1),
  initiator uuid not null,
  state text not null check (state in ('approving', 'approved', 'followed', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded')),
  is_final boolean not null,
  reason text check (char_length(reason) <= 1000),
  places jsonb not null,
  endorsements bytea check (octet_length(endorsements) between 1 and 65536),
  followed jsonb not null,
  expires_at bigint not null check (expires_at >= created_at),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  version integer not null check (version >= 1),
  primary key (org_id, id),
  unique (org_id, intent_hash),
  foreign key (org_id, initiator) references person (org_id, id)
);
alter table signer_order enable row level security;
alter table signer_order force row level security;
drop policy if exists own_organisation on signer_order;
create policy own_organisation on signer_order to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on signer_order;
create policy all_organisations on signer_order to holdfast_system using (true);
grant select, insert, update (state, is_final, reason, places, endorsements, followed, updated_at, version) on signer_order to holdfast_app;
grant select, insert, update (state, is_final, reason, places, endorsements, followed, updated_at, version) on signer_order to holdfast_system;

create index if not exists signer_order_unfinished on signer_order (updated_at) where not is_final;
create index if not exists signer_order_newest on signer_order (org_id, created_at);
create index if not exists signer_order_hash on signer_order (intent_hash);

-- Every step an order to the signers took. Append-only.
create table if not exists signer_order_event (
  org_id uuid not null,
  order_id uuid not null,
  seq integer not null check (seq >= 1),
  state text not null check (state ~ '^[a-z][a-z0-9_]{0,39}$'),
  actor text not null check (char_length(actor) between 1 and 100),
  reason text check (char_length(reason) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, order_id, seq),
  foreign key (org_id, order_id) references signer_order (org_id, id)
);
alter table signer_order_event enable row level security;
alter table signer_order_event force row level security;
drop policy if exists own_organisation on signer_order_event;
create policy own_organisation on signer_order_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on signer_order_event;
create policy all_organisations on signer_order_event to holdfast_system using (true);
grant select, insert on signer_order_event to holdfast_app;
grant select, insert on signer_order_event to holdfast_system;

-- A person stopped all signing. `record` is what they signed; `told` the parties that have it; `lifted_by` the order that lifted it.
create table if not exists signing_freeze (
  org_id uuid not null references organisation (id),
  hash bytea not null check (octet_length(hash) = 32),
  record bytea not null check (octet_length(record) between 1 and 16384),
  person_id uuid not null,
  told jsonb not null,
  lifted_by uuid,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, hash),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, lifted_by) references signer_order (org_id, id)
);
alter table signing_freeze enable row level security;
alter table signing_freeze force row level security;
drop policy if exists own_organisation on signing_freeze;
create policy own_organisation on signing_freeze to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on signing_freeze;
create policy all_organisations on signing_freeze to holdfast_system using (true);
grant select, insert, update (told, lifted_by, updated_at) on signing_freeze to holdfast_app;
grant select, insert, update (told, lifted_by, updated_at) on signing_freeze to holdfast_system;

create index if not exists signing_freeze_in_force on signing_freeze (org_id) where lifted_by is null;
