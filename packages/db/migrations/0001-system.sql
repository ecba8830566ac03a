-- Tables of the installation as a whole: organisations and what is needed before it is known which organisation speaks.
-- Only the system role enters them; an organisation sees its own row of `organisation`, the assets, and nothing else.
-- Times (`*_at`) are milliseconds since 1970. Ids are made by the program.

grant select on migration to holdfast_system;
grant select, insert, update on lease to holdfast_system;

create table if not exists organisation (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  state text not null check (state in ('draft', 'active')),
  genesis_hash bytea unique check (octet_length(genesis_hash) = 32),
  created_at bigint not null check (created_at >= 0),
  check (state <> 'active' or genesis_hash is not null)
);
alter table organisation enable row level security;
alter table organisation force row level security;
drop policy if exists own_organisation on organisation;
create policy own_organisation on organisation to holdfast_app using (id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on organisation;
create policy all_organisations on organisation to holdfast_system using (true);
grant select on organisation to holdfast_app;
grant select, insert, update, delete on organisation to holdfast_system;

-- `contract` is the chain's canonical text, or empty for the chain's own coin, here and in every table.
create table if not exists asset (
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  name text not null check (char_length(name) between 1 and 100),
  decimals smallint not null check (decimals between 0 and 36),
  created_at bigint not null check (created_at >= 0),
  primary key (chain, contract)
);
alter table asset enable row level security;
alter table asset force row level security;
drop policy if exists own_organisation on asset;
create policy own_organisation on asset to holdfast_app using (true);
drop policy if exists all_organisations on asset;
create policy all_organisations on asset to holdfast_system using (true);
grant select on asset to holdfast_app;
grant select, insert, update, delete on asset to holdfast_system;

-- `id` is the SHA-256 of the token in the visitor's cookie; the token itself is never stored.
create table if not exists session (
  id bytea primary key check (octet_length(id) = 32),
  org_id uuid not null,
  person_id uuid not null,
  ip text check (char_length(ip) <= 64),
  user_agent text check (char_length(user_agent) <= 500),
  created_at bigint not null check (created_at >= 0),
  last_seen_at bigint not null check (last_seen_at >= created_at),
  elevated_at bigint check (elevated_at >= created_at),
  expires_at bigint not null check (expires_at > created_at),
  revoked_at bigint check (revoked_at >= created_at)
);
alter table session enable row level security;
alter table session force row level security;
drop policy if exists all_organisations on session;
create policy all_organisations on session to holdfast_system using (true);
grant select, insert, update, delete on session to holdfast_system;

create index if not exists session_person on session (org_id, person_id);
create index if not exists session_live on session (expires_at) where revoked_at is null;

create table if not exists login_challenge (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
  data jsonb not null,
  created_at bigint not null check (created_at >= 0),
  expires_at bigint not null check (expires_at > created_at),
  used_at bigint check (used_at >= created_at)
);
alter table login_challenge enable row level security;
alter table login_challenge force row level security;
drop policy if exists all_organisations on login_challenge;
create policy all_organisations on login_challenge to holdfast_system using (true);
grant select, insert, update, delete on login_challenge to holdfast_system;

create index if not exists login_challenge_expiry on login_challenge (expires_at);

create table if not exists invite (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  org_id uuid not null,
  person_id uuid not null,
  created_at bigint not null check (created_at >= 0),
  expires_at bigint not null check (expires_at > created_at),
  used_at bigint check (used_at >= created_at)
);
alter table invite enable row level security;
alter table invite force row level security;
drop policy if exists all_organisations on invite;
create policy all_organisations on invite to holdfast_system using (true);
grant select, insert, update, delete on invite to holdfast_system;

create index if not exists invite_person on invite (org_id, person_id);

create table if not exists setup_draft (
  id uuid primary key,
  body jsonb not null,
  created_at bigint not null check (created_at >= 0),
  expires_at bigint not null check (expires_at > created_at)
);
alter table setup_draft enable row level security;
alter table setup_draft force row level security;
drop policy if exists all_organisations on setup_draft;
create policy all_organisations on setup_draft to holdfast_system using (true);
grant select, insert, update, delete on setup_draft to holdfast_system;

-- How far each chain has been read, and the blocks behind that, to find where a reorganisation began.
create table if not exists chain_cursor (
  chain text primary key check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  height bigint not null check (height >= 0),
  hash text not null check (char_length(hash) between 1 and 128),
  updated_at bigint not null check (updated_at >= 0)
);
alter table chain_cursor enable row level security;
alter table chain_cursor force row level security;
drop policy if exists all_organisations on chain_cursor;
create policy all_organisations on chain_cursor to holdfast_system using (true);
grant select, insert, update, delete on chain_cursor to holdfast_system;

create table if not exists chain_block (
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  height bigint not null check (height >= 0),
  hash text not null check (char_length(hash) between 1 and 128),
  parent_hash text not null check (char_length(parent_hash) between 1 and 128),
  primary key (chain, height)
);
alter table chain_block enable row level security;
alter table chain_block force row level security;
drop policy if exists all_organisations on chain_block;
create policy all_organisations on chain_block to holdfast_system using (true);
grant select, insert, update, delete on chain_block to holdfast_system;
