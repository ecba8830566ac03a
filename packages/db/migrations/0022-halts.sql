-- Why money stands still: of a whole chain, while the row is there, or of one asset of one organisation, until `over_at`.

-- The sources of a chain do not agree on what is final, or too few of them answer.
create table if not exists chain_halt (
  chain text primary key check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  reason text not null check (char_length(reason) between 1 and 1000),
  since_at bigint not null check (since_at >= 0)
);
alter table chain_halt enable row level security;
alter table chain_halt force row level security;
drop policy if exists own_organisation on chain_halt;
create policy own_organisation on chain_halt to holdfast_app using (true);
drop policy if exists all_organisations on chain_halt;
create policy all_organisations on chain_halt to holdfast_system using (true);
grant select on chain_halt to holdfast_app;
grant select, insert, update, delete on chain_halt to holdfast_system;

-- `books`: the ledger of an asset does not add up, which halts it. `missing` and `surplus`: an address, the `place`, has less or
-- more on its chain than the ledger says, which people must look into.
create table if not exists asset_alarm (
  org_id uuid not null references organisation (id),
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  cause text not null check (cause in ('books', 'missing', 'surplus')),
  place text not null check (char_length(place) <= 128),
  reason text not null check (char_length(reason) between 1 and 1000),
  since_at bigint not null check (since_at >= 0),
  over_at bigint check (over_at >= since_at),
  primary key (org_id, chain, contract, cause, place)
);
alter table asset_alarm enable row level security;
alter table asset_alarm force row level security;
drop policy if exists own_organisation on asset_alarm;
create policy own_organisation on asset_alarm to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on asset_alarm;
create policy all_organisations on asset_alarm to holdfast_system using (true);
grant select, insert, update (reason, since_at, over_at) on asset_alarm to holdfast_app;
grant select, insert, update (reason, since_at, over_at) on asset_alarm to holdfast_system;
