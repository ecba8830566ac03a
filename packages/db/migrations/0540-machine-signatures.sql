-- What machines signed of orders: that they ask, or what a co-signer decided. Each machine signs one thing of an order, and it stands in the log.
create table if not exists machine_signature (
  org_id uuid not null references organisation (id),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  machine text not null check (char_length(machine) between 1 and 64),
  -- The id under which the machine stands where orders and steps name people.
  party uuid not null,
  decision text not null check (decision in ('ask', 'approve', 'reject')),
  bytes bytea not null check (octet_length(bytes) between 1 and 4096),
  sequence bigint not null check (sequence >= 0),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, intent_hash, machine)
);
alter table machine_signature enable row level security;
alter table machine_signature force row level security;
drop policy if exists own_organisation on machine_signature;
create policy own_organisation on machine_signature to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_signature;
create policy all_organisations on machine_signature to holdfast_system using (true);
grant select, insert on machine_signature to holdfast_app;
grant select on machine_signature to holdfast_system;
