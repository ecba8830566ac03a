-- What is known of a call of a contract beside its order: where it came from, by the caller's word, and what a node said it would do. None of it decides anything.
create table if not exists contract_call (
  org_id uuid not null,
  order_id uuid not null,
  dapp_name text not null check (char_length(dapp_name) <= 100),
  dapp_url text not null check (char_length(dapp_url) <= 500),
  dapp_img text not null check (char_length(dapp_img) <= 500),
  simulation jsonb not null,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, order_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table contract_call enable row level security;
alter table contract_call force row level security;
drop policy if exists own_organisation on contract_call;
create policy own_organisation on contract_call to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on contract_call;
create policy all_organisations on contract_call to holdfast_system using (true);
grant select, insert on contract_call to holdfast_app;
grant select, insert on contract_call to holdfast_system;
