-- When each API key was used last, and from where.
create table if not exists machine_use (
  org_id uuid not null references organisation (id),
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  used_at bigint not null check (used_at >= 0),
  used_from text not null check (char_length(used_from) <= 64),
  primary key (org_id, machine_id)
);
alter table machine_use enable row level security;
alter table machine_use force row level security;
drop policy if exists own_organisation on machine_use;
create policy own_organisation on machine_use to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_use;
create policy all_organisations on machine_use to holdfast_system using (true);
grant select, insert, update (used_at, used_from) on machine_use to holdfast_app;
grant select, insert on machine_use to holdfast_system;

-- What each API key may ask of the server, version by version. It only narrows what the policy allows. What widens waits for a second person, or for the change
-- of the policy (change_id) that it came with; the newest version that waits for nothing is the one in force.
create table if not exists machine_settings (
  org_id uuid not null references organisation (id),
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  version integer not null check (version >= 1),
  document jsonb not null,
  -- The version that was in force when this one was written; 0 where there was none.
  base_version integer not null check (base_version >= 0),
  change_id uuid,
  -- Null where the key itself wrote it.
  made_by uuid,
  made_at bigint not null check (made_at >= 0),
  state text not null check (state in ('waiting', 'with_policy', 'in_force', 'refused')),
  decided_by uuid,
  decided_at bigint check (decided_at >= 0),
  primary key (org_id, machine_id, version),
  check ((state = 'with_policy') = (change_id is not null)),
  check (base_version < version)
);
alter table machine_settings enable row level security;
alter table machine_settings force row level security;
drop policy if exists own_organisation on machine_settings;
create policy own_organisation on machine_settings to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_settings;
create policy all_organisations on machine_settings to holdfast_system using (true);
grant select, insert, update (state, decided_by, decided_at) on machine_settings to holdfast_app;
grant select, insert on machine_settings to holdfast_system;

-- Calls that programs made with an API key, also those that were refused.
create table if not exists machine_call (
  org_id uuid not null references organisation (id),
  id uuid not null,
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  at bigint not null check (at >= 0),
  method text not null check (char_length(method) <= 8),
  path text not null check (char_length(path) <= 200),
  request_id text check (char_length(request_id) <= 200),
  address text not null check (char_length(address) <= 64),
  http_status integer not null check (http_status between 0 and 999),
  code text not null check (char_length(code) <= 16),
  refused text check (char_length(refused) <= 16),
  duration_ms integer not null check (duration_ms >= 0),
  body text not null check (char_length(body) <= 4000),
  primary key (org_id, id)
);
create index if not exists machine_call_of on machine_call (org_id, machine_id, id);
create index if not exists machine_call_at on machine_call (org_id, at);
alter table machine_call enable row level security;
alter table machine_call force row level security;
drop policy if exists own_organisation on machine_call;
create policy own_organisation on machine_call to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_call;
create policy all_organisations on machine_call to holdfast_system using (true);
grant select, insert on machine_call to holdfast_app;
grant select, insert, delete on machine_call to holdfast_system;
