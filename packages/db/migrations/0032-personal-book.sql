-- A person's own contacts. They suggest and name; no rule about who may be paid looks at them. A removed entry keeps its row, without its words,
-- so that the same address can come back.

create table if not exists personal_address (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null check (char_length(address) between 1 and 200),
  memo text not null check (char_length(memo) <= 200),
  name text not null check (char_length(name) <= 100),
  note text not null check (char_length(note) <= 1000),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  removed_at bigint check (removed_at >= created_at),
  primary key (org_id, id),
  unique (org_id, person_id, chain, address, memo),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table personal_address enable row level security;
alter table personal_address force row level security;
drop policy if exists own_organisation on personal_address;
create policy own_organisation on personal_address to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on personal_address;
create policy all_organisations on personal_address to holdfast_system using (true);
grant select, insert, update on personal_address to holdfast_app;
grant select, insert, update on personal_address to holdfast_system;
