-- People and what they may decide: changes of the policy on their way, the approval keys people have made, what became of
-- each member, and every try to sign in.

-- A change of the policy, from the proposal until the signers follow it. The intent can never be changed; it contains the
-- new policy whole.
create table if not exists policy_change (
  org_id uuid not null references organisation (id),
  id uuid not null,
  intent bytea not null check (octet_length(intent) between 1 and 2097152),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  base_version bigint not null check (base_version >= 1),
  initiator uuid not null,
  state text not null check (state in ('approving', 'approved', 'applied', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded')),
  is_final boolean not null,
  reason text check (char_length(reason) <= 1000),
  expires_at bigint not null check (expires_at >= created_at),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  version integer not null check (version >= 1),
  primary key (org_id, id),
  unique (org_id, intent_hash),
  foreign key (org_id, initiator) references person (org_id, id)
);
alter table policy_change enable row level security;
alter table policy_change force row level security;
drop policy if exists own_organisation on policy_change;
create policy own_organisation on policy_change to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on policy_change;
create policy all_organisations on policy_change to holdfast_system using (true);
grant select, insert, update (state, is_final, reason, updated_at, version) on policy_change to holdfast_app;
grant select, insert, update (state, is_final, reason, updated_at, version) on policy_change to holdfast_system;

create index if not exists policy_change_unfinished on policy_change (updated_at) where not is_final;
-- One change at a time is open: two that follow the same version could not both come into force. The program sees to it.
create index if not exists policy_change_newest on policy_change (org_id, created_at);
create index if not exists policy_change_hash on policy_change (intent_hash);

-- Every step a change took. Append-only.
create table if not exists policy_change_event (
  org_id uuid not null,
  change_id uuid not null,
  seq integer not null check (seq >= 1),
  state text not null check (state ~ '^[a-z][a-z0-9_]{0,39}$'),
  actor text not null check (char_length(actor) between 1 and 100),
  reason text check (char_length(reason) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, change_id, seq),
  foreign key (org_id, change_id) references policy_change (org_id, id)
);
alter table policy_change_event enable row level security;
alter table policy_change_event force row level security;
drop policy if exists own_organisation on policy_change_event;
create policy own_organisation on policy_change_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on policy_change_event;
create policy all_organisations on policy_change_event to holdfast_system using (true);
grant select, insert on policy_change_event to holdfast_app;
grant select, insert on policy_change_event to holdfast_system;

-- Approval keys that people made on the approval page. They approve nothing until a signed policy names them.
create table if not exists approval_key (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  credential bytea not null check (octet_length(credential) between 1 and 4096),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, id),
  unique (org_id, credential),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table approval_key enable row level security;
alter table approval_key force row level security;
drop policy if exists own_organisation on approval_key;
create policy own_organisation on approval_key to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on approval_key;
create policy all_organisations on approval_key to holdfast_system using (true);
grant select, insert on approval_key to holdfast_app;
grant select, insert on approval_key to holdfast_system;

create index if not exists approval_key_person on approval_key (org_id, person_id);

-- Links to make an approval key, of one use. The approval page has no session: the link itself says for whom.
create table if not exists key_invite (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  org_id uuid not null,
  person_id uuid not null,
  created_at bigint not null check (created_at >= 0),
  expires_at bigint not null check (expires_at > created_at),
  used_at bigint check (used_at >= created_at)
);
alter table key_invite enable row level security;
alter table key_invite force row level security;
drop policy if exists all_organisations on key_invite;
create policy all_organisations on key_invite to holdfast_system using (true);
grant select, insert, update, delete on key_invite to holdfast_system;

create index if not exists key_invite_person on key_invite (org_id, person_id);

-- What became of each member, and who did it. Append-only.
create table if not exists member_event (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('invited', 'invited_again', 'joined', 'role_changed', 'suspended', 'resumed', 'removed', 'key_link', 'key_enrolled')),
  actor uuid not null,
  detail jsonb not null,
  at bigint not null check (at >= 0),
  primary key (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table member_event enable row level security;
alter table member_event force row level security;
drop policy if exists own_organisation on member_event;
create policy own_organisation on member_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on member_event;
create policy all_organisations on member_event to holdfast_system using (true);
grant select, insert on member_event to holdfast_app;
grant select, insert on member_event to holdfast_system;

create index if not exists member_event_person on member_event (org_id, person_id, at);

-- Every sign-in, and the refused tries that were somebody's. Append-only; how many refused tries are written for one person in an
-- hour is bounded by the program, so that nobody can fill the disk with them.
create table if not exists login_event (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  method text not null check (method in ('passkey', 'password', 'device')),
  result text not null check (result in ('ok', 'refused')),
  reason text check (reason ~ '^[a-z][a-z0-9_]{0,39}$'),
  ip text not null check (char_length(ip) <= 64),
  user_agent text not null check (char_length(user_agent) <= 400),
  device text not null check (char_length(device) <= 40),
  os text not null check (char_length(os) <= 40),
  is_new_device boolean not null,
  session_id bytea check (octet_length(session_id) = 32),
  at bigint not null check (at >= 0),
  primary key (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id),
  check ((result = 'ok') = (reason is null)),
  check (result = 'ok' or session_id is null)
);
alter table login_event enable row level security;
alter table login_event force row level security;
drop policy if exists own_organisation on login_event;
create policy own_organisation on login_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on login_event;
create policy all_organisations on login_event to holdfast_system using (true);
grant select, insert on login_event to holdfast_app;
grant select, insert on login_event to holdfast_system;

create index if not exists login_event_newest on login_event (org_id, at, id);
create index if not exists login_event_person on login_event (org_id, person_id, at);
