-- Devices that are told that something waits for a person's decision, and the key by which push services know this server.

-- One for the installation: a browser takes pushes of no other key. It says nothing of any organisation.
create table if not exists push_key (
  id smallint primary key check (id = 1),
  public_key bytea not null check (octet_length(public_key) = 65),
  sealed_secret text not null,
  created_at bigint not null check (created_at >= 0)
);
alter table push_key enable row level security;
alter table push_key force row level security;
drop policy if exists all_organisations on push_key;
create policy all_organisations on push_key to holdfast_system using (true);
grant select, insert, update (sealed_secret) on push_key to holdfast_system;

create table if not exists push_subscription (
  org_id uuid not null,
  person_id uuid not null,
  -- Where the browser's push service takes a push for this device; whoever knows it can do nothing without the key above.
  endpoint text not null check (char_length(endpoint) between 1 and 2048),
  created_at bigint not null check (created_at >= 0),
  -- When the youngest proposal began to wait of which this device has been told.
  told_at bigint not null check (told_at >= 0),
  -- Nothing is sent before; it is moved on before anything is sent, so that it is the lease too.
  next_at bigint not null check (next_at >= 0),
  -- Tries in a row that the push service did not take.
  failures int not null check (failures >= 0),
  primary key (org_id, person_id, endpoint),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table push_subscription enable row level security;
alter table push_subscription force row level security;
drop policy if exists own_organisation on push_subscription;
create policy own_organisation on push_subscription to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on push_subscription;
create policy all_organisations on push_subscription to holdfast_system using (true);
grant select, insert on push_subscription to holdfast_app;
grant select, insert, update (told_at, next_at, failures), delete on push_subscription to holdfast_system;
create index if not exists push_subscription_next on push_subscription (next_at);
