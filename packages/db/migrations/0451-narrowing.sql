-- What the organisation lets the server do of what a standing order would let it do: a narrower choice, that nobody approves and that signers do not know.
create table if not exists standing_narrowing (
  org_id uuid not null references organisation (id),
  standing_order_id uuid not null,
  document jsonb not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, standing_order_id)
);
alter table standing_narrowing enable row level security;
alter table standing_narrowing force row level security;
drop policy if exists own_organisation on standing_narrowing;
create policy own_organisation on standing_narrowing to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on standing_narrowing;
create policy all_organisations on standing_narrowing to holdfast_system using (true);
grant select, insert, update (document, updated_at) on standing_narrowing to holdfast_app;
grant select, insert, update (document, updated_at) on standing_narrowing to holdfast_system;

-- How a wallet's coins are collected: every change is a version of its own, the last one counts, and who made it stands beside it.
create table if not exists collecting_plan (
  org_id uuid not null references organisation (id),
  wallet_id uuid not null,
  version integer not null check (version >= 1),
  document jsonb not null,
  action text not null check (action ~ '^[a-z][a-z_]{0,39}$'),
  remark text not null check (char_length(remark) <= 200),
  changed_by uuid not null,
  changed_at bigint not null check (changed_at >= 0),
  primary key (org_id, wallet_id, version),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, changed_by) references person (org_id, id)
);
alter table collecting_plan enable row level security;
alter table collecting_plan force row level security;
drop policy if exists own_organisation on collecting_plan;
create policy own_organisation on collecting_plan to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collecting_plan;
create policy all_organisations on collecting_plan to holdfast_system using (true);
grant select, insert on collecting_plan to holdfast_app;
grant select, insert on collecting_plan to holdfast_system;

-- A file of coin rules that somebody handed in: what each line says, and whether it was taken in.
create table if not exists collecting_import (
  org_id uuid not null references organisation (id),
  id uuid not null,
  wallet_id uuid not null,
  lines jsonb not null,
  state text not null check (state in ('checked', 'taken')),
  asked_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id),
  foreign key (org_id, asked_by) references person (org_id, id)
);
alter table collecting_import enable row level security;
alter table collecting_import force row level security;
drop policy if exists own_organisation on collecting_import;
create policy own_organisation on collecting_import to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collecting_import;
create policy all_organisations on collecting_import to holdfast_system using (true);
grant select, insert, update (state, updated_at) on collecting_import to holdfast_app;
grant select, insert, update (state, updated_at) on collecting_import to holdfast_system;
