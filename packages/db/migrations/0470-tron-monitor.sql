-- What organisations watch of their addresses on networks that give resources for stake (TRON). A target that is not watched any more stays, switched off.
create table if not exists tron_target (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null check (char_length(address) between 1 and 128),
  sub_wallet_id uuid not null,
  watched boolean not null,
  -- Below these somebody is told; 0 tells nobody. Energy in units, bandwidth in bytes, coin in base units.
  energy_min numeric(78,0) not null check (energy_min >= 0),
  net_min numeric(78,0) not null check (net_min >= 0),
  coin_min numeric(78,0) not null check (coin_min >= 0),
  -- Whom to tell; none for the organisation's receivers.
  receivers uuid[] not null,
  -- What was low at the last look, and since when; both null where nothing is.
  low text[] check (low <@ array['energy', 'net', 'trx']),
  low_since bigint check (low_since >= 0),
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, chain, address),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table tron_target enable row level security;
alter table tron_target force row level security;
drop policy if exists own_organisation on tron_target;
create policy own_organisation on tron_target to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_target;
create policy all_organisations on tron_target to holdfast_system using (true);
grant select, insert, update (watched, energy_min, net_min, coin_min, receivers, low, low_since, updated_at) on tron_target to holdfast_app;
grant select, insert on tron_target to holdfast_system;

-- What the node said of each, one row for each of 720 hours (30 days), which are written over in turn.
create table if not exists tron_sample (
  org_id uuid not null,
  chain text not null,
  address text not null,
  slot integer not null check (slot between 0 and 719),
  at bigint not null check (at >= 0),
  energy_limit numeric(78,0) not null check (energy_limit >= 0),
  energy_used numeric(78,0) not null check (energy_used >= 0),
  net_limit numeric(78,0) not null check (net_limit >= 0),
  net_used numeric(78,0) not null check (net_used >= 0),
  coin numeric(78,0) not null check (coin >= 0),
  primary key (org_id, chain, address, slot),
  foreign key (org_id, chain, address) references tron_target (org_id, chain, address)
);
alter table tron_sample enable row level security;
alter table tron_sample force row level security;
drop policy if exists own_organisation on tron_sample;
create policy own_organisation on tron_sample to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_sample;
create policy all_organisations on tron_sample to holdfast_system using (true);
grant select, insert, update (at, energy_limit, energy_used, net_limit, net_used, coin) on tron_sample to holdfast_app;
grant select, insert on tron_sample to holdfast_system;

-- Who is told where a target names nobody of its own.
create table if not exists tron_receiver (
  org_id uuid not null,
  person_id uuid not null,
  told boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table tron_receiver enable row level security;
alter table tron_receiver force row level security;
drop policy if exists own_organisation on tron_receiver;
create policy own_organisation on tron_receiver to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_receiver;
create policy all_organisations on tron_receiver to holdfast_system using (true);
grant select, insert, update (told, updated_at) on tron_receiver to holdfast_app;
grant select, insert on tron_receiver to holdfast_system;
