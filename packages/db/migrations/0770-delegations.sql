-- Who decides for whom, for some days: what a person signed at an approval page, as it is carried along with each word that is given for her. The highest
-- `sequence` of a person ends every lower one; one with `until_at` 0 only ends. `record` is what she signed; `told` the parties that have it.
create table if not exists delegation (
  org_id uuid not null references organisation (id),
  hash bytea not null check (octet_length(hash) = 32),
  record bytea not null check (octet_length(record) between 1 and 16384),
  person_id uuid not null,
  delegate_id uuid,
  from_at bigint not null check (from_at >= 0),
  until_at bigint not null check (until_at >= 0),
  sequence bigint not null check (sequence > 0),
  told jsonb not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, hash),
  unique (org_id, person_id, sequence),
  check (until_at = 0 or delegate_id is not null),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, delegate_id) references person (org_id, id)
);
alter table delegation enable row level security;
alter table delegation force row level security;
drop policy if exists own_organisation on delegation;
create policy own_organisation on delegation to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on delegation;
create policy all_organisations on delegation to holdfast_system using (true);
grant select, insert, update (told, updated_at) on delegation to holdfast_app;
grant select, insert, update (told, updated_at) on delegation to holdfast_system;

-- For whom somebody gave their word, where that is another: whose seat it fills. `person_id` is who signed it.
alter table approval add column if not exists for_person uuid;
alter table approval drop constraint if exists approval_for_another;
alter table approval add constraint approval_for_another check (for_person <> person_id);

alter table member_event drop constraint if exists member_event_kind_check;
alter table member_event add constraint member_event_kind_check check (kind in ('invited', 'invited_again', 'joined', 'role_changed', 'suspended', 'resumed', 'removed', 'key_link', 'key_enrolled', 'key_confirmed', 'key_denied', 'delegated', 'delegation_ended', 'decided_for'));
