-- The pair of RSA keys by which the server answers at door two, of each API key that may call there. The private half is sealed.
create table if not exists machine_rsa (
  org_id uuid not null references organisation (id),
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  -- SPKI in base64, on one line.
  public_key text not null check (char_length(public_key) between 64 and 4096),
  sealed_secret text not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, machine_id)
);
alter table machine_rsa enable row level security;
alter table machine_rsa force row level security;
drop policy if exists own_organisation on machine_rsa;
create policy own_organisation on machine_rsa to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_rsa;
create policy all_organisations on machine_rsa to holdfast_system using (true);
grant select, insert on machine_rsa to holdfast_app;
grant select, insert, update (sealed_secret) on machine_rsa to holdfast_system;

-- The whole numbers by which door two names what has an id of its own here. They rise in the order in which they are given, and are never given twice.
create table if not exists wire_number (
  org_id uuid not null references organisation (id),
  kind text not null check (kind in ('sub_wallet', 'order', 'deposit')),
  number bigint not null check (number >= 1),
  subject_id uuid not null,
  primary key (org_id, kind, number),
  unique (org_id, kind, subject_id)
);
alter table wire_number enable row level security;
alter table wire_number force row level security;
drop policy if exists own_organisation on wire_number;
create policy own_organisation on wire_number to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on wire_number;
create policy all_organisations on wire_number to holdfast_system using (true);
grant select, insert on wire_number to holdfast_app;
grant select, insert on wire_number to holdfast_system;
