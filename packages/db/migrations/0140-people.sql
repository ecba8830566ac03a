-- When a member is not there, and whom to ask meanwhile. A deputy gets no vote by it: whose approval counts is the signed policy.
create table if not exists absence (
  org_id uuid not null,
  person_id uuid not null,
  from_at bigint not null check (from_at >= 0),
  to_at bigint not null check (to_at > from_at),
  deputy uuid check (deputy <> person_id),
  note text not null check (char_length(note) <= 200),
  -- Back before its time, or taken back before it began.
  ended_at bigint check (ended_at >= 0),
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, deputy) references person (org_id, id)
);
alter table absence enable row level security;
alter table absence force row level security;
drop policy if exists own_organisation on absence;
create policy own_organisation on absence to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on absence;
create policy all_organisations on absence to holdfast_system using (true);
grant select, insert, update (from_at, to_at, deputy, note, ended_at, updated_at) on absence to holdfast_app;
grant select, insert, update (from_at, to_at, deputy, note, ended_at, updated_at) on absence to holdfast_system;

-- Kinds of devices that a person has said are theirs, as the login history tells them apart: by browser and system.
create table if not exists trusted_device (
  org_id uuid not null,
  person_id uuid not null,
  device text not null check (char_length(device) <= 40),
  os text not null check (char_length(os) <= 40),
  trusted boolean not null,
  changed_at bigint not null check (changed_at >= 0),
  primary key (org_id, person_id, device, os),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table trusted_device enable row level security;
alter table trusted_device force row level security;
drop policy if exists own_organisation on trusted_device;
create policy own_organisation on trusted_device to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on trusted_device;
create policy all_organisations on trusted_device to holdfast_system using (true);
grant select, insert, update (trusted, changed_at) on trusted_device to holdfast_app;
grant select, insert, update (trusted, changed_at) on trusted_device to holdfast_system;
