-- Co-signers that run at the organisation's own: when each was here last, in which version, and how far it said that its journal has come (signed by its key).
create table if not exists machine_link (
  org_id uuid not null references organisation (id),
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  version text not null check (char_length(version) <= 64),
  seen_at bigint not null check (seen_at >= 0),
  place bigint not null check (place >= 0),
  mark bytea not null check (octet_length(mark) between 1 and 1024),
  primary key (org_id, machine_id)
);
alter table machine_link enable row level security;
alter table machine_link force row level security;
drop policy if exists own_organisation on machine_link;
create policy own_organisation on machine_link to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_link;
create policy all_organisations on machine_link to holdfast_system using (true);
grant select, insert, update (version, seen_at, place, mark) on machine_link to holdfast_app;
grant select on machine_link to holdfast_system;

-- Orders that a co-signer approved, and when it was told that they were sent: null before.
create table if not exists machine_told (
  org_id uuid not null,
  order_id uuid not null,
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  told_at bigint check (told_at >= 0),
  primary key (org_id, order_id, machine_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table machine_told enable row level security;
alter table machine_told force row level security;
drop policy if exists own_organisation on machine_told;
create policy own_organisation on machine_told to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_told;
create policy all_organisations on machine_told to holdfast_system using (true);
create index if not exists machine_told_untold on machine_told (org_id, machine_id, order_id) where told_at is null;
grant select, insert, update (told_at) on machine_told to holdfast_app;
grant select on machine_told to holdfast_system;
