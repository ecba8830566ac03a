-- Tokens that an organisation asked for and that whoever runs the server did not list. `applied` waits for a version of the policy that names it; `open` counts
-- for this organisation from the block after `opened_height` on, and from `from_height` on where that was asked for: `read_height` says how far that has come.
create table if not exists added_token (
  org_id uuid not null,
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) between 1 and 128),
  symbol text not null check (char_length(symbol) between 1 and 32),
  decimals integer not null check (decimals between 0 and 36),
  name text not null check (char_length(name) <= 64),
  reason text not null check (char_length(reason) <= 200),
  state text not null check (state in ('applied', 'open')),
  from_height bigint check (from_height >= 0),
  opened_height bigint check (opened_height >= 0),
  read_height bigint check (read_height >= 0),
  requested_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  opened_at bigint check (opened_at >= created_at),
  primary key (org_id, id),
  unique (org_id, chain, contract),
  foreign key (org_id, requested_by) references person (org_id, id),
  check ((state = 'open') = (opened_at is not null))
);
alter table added_token enable row level security;
alter table added_token force row level security;
drop policy if exists own_organisation on added_token;
create policy own_organisation on added_token to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on added_token;
create policy all_organisations on added_token to holdfast_system using (true);
grant select, insert, update (state, opened_at) on added_token to holdfast_app;
grant select, insert, update (state, opened_at, opened_height, read_height) on added_token to holdfast_system;

create index if not exists added_token_open on added_token (chain, contract) where state = 'open';
