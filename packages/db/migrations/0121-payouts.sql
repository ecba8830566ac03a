-- Whom an order pays where those are several: what its intent says, to be found by address.
create table if not exists order_output (
  org_id uuid not null,
  order_id uuid not null,
  place integer not null check (place >= 0),
  address text not null check (char_length(address) between 1 and 128),
  amount numeric(78,0) not null check (amount > 0),
  primary key (org_id, order_id, place),
  unique (org_id, order_id, address),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table order_output enable row level security;
alter table order_output force row level security;
drop policy if exists own_organisation on order_output;
create policy own_organisation on order_output to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_output;
create policy all_organisations on order_output to holdfast_system using (true);
grant select, insert on order_output to holdfast_app;
grant select, insert on order_output to holdfast_system;

create index if not exists order_output_address on order_output (org_id, address);
