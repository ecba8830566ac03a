-- How a collector gets at tokens: by allowances of the addresses, or by code that runs in their name (EIP-7702).
alter table collection_config add column if not exists way text not null default 'allowance';
alter table collection_config drop constraint if exists collection_config_way_check;
alter table collection_config add constraint collection_config_way_check check (way in ('allowance', 'delegation'));

-- Whose code runs in the name of an address, as a node said last; empty if nobody's does.
create table if not exists collection_delegate (
  org_id uuid not null references organisation (id),
  config_id uuid not null,
  address text not null check (char_length(address) = 42),
  sub_wallet_id uuid not null,
  delegate text not null check (char_length(delegate) in (0, 42)),
  read_at bigint not null check (read_at >= 0),
  primary key (org_id, config_id, address),
  foreign key (org_id, config_id) references collection_config (org_id, id),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);

-- The signed authorizations of addresses that an order's transaction carries, each an order of its own.
create table if not exists order_carried (
  org_id uuid not null references organisation (id),
  order_id uuid not null,
  place integer not null check (place >= 0),
  carried_id uuid not null,
  primary key (org_id, order_id, place),
  unique (org_id, order_id, carried_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  foreign key (org_id, carried_id) references transfer_order (org_id, id)
);
create index if not exists order_carried_by on order_carried (org_id, carried_id);

alter table collection_delegate enable row level security;
alter table collection_delegate force row level security;
drop policy if exists own_organisation on collection_delegate;
create policy own_organisation on collection_delegate to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on collection_delegate;
create policy all_organisations on collection_delegate to holdfast_system using (true);
grant select, insert, update (delegate, read_at, sub_wallet_id) on collection_delegate to holdfast_app;
grant select, insert, update (delegate, read_at, sub_wallet_id) on collection_delegate to holdfast_system;
alter table order_carried enable row level security;
alter table order_carried force row level security;
drop policy if exists own_organisation on order_carried;
create policy own_organisation on order_carried to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_carried;
create policy all_organisations on order_carried to holdfast_system using (true);
grant select, insert on order_carried to holdfast_app;
grant select, insert on order_carried to holdfast_system;
