-- What belongs to one organisation: every primary key, unique constraint and foreign key begins with `org_id`, so that a
-- distributed engine can place an organisation whole. Row-level security is the second wall behind the queries themselves.

create table if not exists person (
  org_id uuid not null references organisation (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  login text not null check (char_length(login) between 1 and 254 and login = lower(login)),
  role text not null check (role in ('owner', 'admin', 'finance', 'approver', 'compliance', 'viewer')),
  state text not null check (state in ('invited', 'active', 'suspended', 'removed')),
  language text not null check (language in ('en-US', 'zh-CN')),
  failed_logins integer not null check (failed_logins >= 0),
  delayed_until_at bigint check (delayed_until_at >= 0),
  last_login_at bigint check (last_login_at >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, login)
);
alter table person enable row level security;
alter table person force row level security;
drop policy if exists own_organisation on person;
create policy own_organisation on person to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on person;
create policy all_organisations on person to holdfast_system using (true);
grant select, insert, update on person to holdfast_app;
grant select, insert, update, delete on person to holdfast_system;

create index if not exists person_login on person (login);

-- `lookup` finds a credential before its person is known: a passkey's credential id, a device's public key; none for a password.
create table if not exists login_credential (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('passkey', 'password', 'device')),
  label text not null check (char_length(label) <= 100),
  lookup bytea check (octet_length(lookup) between 1 and 1023),
  data jsonb not null,
  created_at bigint not null check (created_at >= 0),
  last_used_at bigint check (last_used_at >= created_at),
  revoked_at bigint check (revoked_at >= created_at),
  primary key (org_id, id),
  unique (org_id, lookup),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table login_credential enable row level security;
alter table login_credential force row level security;
drop policy if exists own_organisation on login_credential;
create policy own_organisation on login_credential to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on login_credential;
create policy all_organisations on login_credential to holdfast_system using (true);
grant select, insert, update on login_credential to holdfast_app;
grant select, insert, update, delete on login_credential to holdfast_system;

create index if not exists login_credential_person on login_credential (org_id, person_id);
create index if not exists login_credential_lookup on login_credential (lookup) where revoked_at is null;

-- The founding document and every version of the policy, append-only.
create table if not exists genesis (
  org_id uuid not null primary key references organisation (id),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  hash bytea not null check (octet_length(hash) = 32),
  created_at bigint not null check (created_at >= 0)
);
alter table genesis enable row level security;
alter table genesis force row level security;
drop policy if exists own_organisation on genesis;
create policy own_organisation on genesis to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on genesis;
create policy all_organisations on genesis to holdfast_system using (true);
grant select, insert on genesis to holdfast_app;
grant select, insert on genesis to holdfast_system;

-- `change` is the signed record that put the version in force; version 1 stands in the founding document itself.
create table if not exists policy_version (
  org_id uuid not null references organisation (id),
  version bigint not null check (version >= 1),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  hash bytea not null check (octet_length(hash) = 32),
  change bytea check (octet_length(change) between 1 and 4194304),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, version),
  unique (org_id, hash),
  check ((version = 1) = (change is null))
);
alter table policy_version enable row level security;
alter table policy_version force row level security;
drop policy if exists own_organisation on policy_version;
create policy own_organisation on policy_version to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on policy_version;
create policy all_organisations on policy_version to holdfast_system using (true);
grant select, insert on policy_version to holdfast_app;
grant select, insert on policy_version to holdfast_system;

-- The keys that callers make for their orders: the same key twice is one order, and another body under the same key is an error.
create table if not exists idempotency (
  org_id uuid not null,
  request_id text not null check (char_length(request_id) between 1 and 128),
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
  body_hash bytea not null check (octet_length(body_hash) = 32),
  result_id text not null check (char_length(result_id) between 1 and 128),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, request_id)
);
alter table idempotency enable row level security;
alter table idempotency force row level security;
drop policy if exists own_organisation on idempotency;
create policy own_organisation on idempotency to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on idempotency;
create policy all_organisations on idempotency to holdfast_system using (true);
grant select, insert on idempotency to holdfast_app;
grant select, insert, delete on idempotency to holdfast_system;

-- Numbers without gaps. Taking one locks the row until the transaction ends, so their order is the order of commits.
create table if not exists counter (
  org_id uuid not null references organisation (id),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  value bigint not null check (value >= 0),
  primary key (org_id, name)
);
alter table counter enable row level security;
alter table counter force row level security;
drop policy if exists own_organisation on counter;
create policy own_organisation on counter to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on counter;
create policy all_organisations on counter to holdfast_system using (true);
grant select, insert, update on counter to holdfast_app;
grant select, insert, update on counter to holdfast_system;
