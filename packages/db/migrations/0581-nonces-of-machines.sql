-- Nonces of calls that machines signed, for as long as the time in such a call is taken: none is used twice.
create table if not exists machine_nonce (
  org_id uuid not null references organisation (id),
  machine_id text not null check (char_length(machine_id) between 1 and 64),
  nonce text not null check (char_length(nonce) between 16 and 64),
  -- From when on it is forgotten.
  over_at bigint not null check (over_at >= 0),
  primary key (org_id, machine_id, nonce)
);
create index if not exists machine_nonce_over on machine_nonce (over_at);
alter table machine_nonce enable row level security;
alter table machine_nonce force row level security;
drop policy if exists own_organisation on machine_nonce;
create policy own_organisation on machine_nonce to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on machine_nonce;
create policy all_organisations on machine_nonce to holdfast_system using (true);
grant select, insert on machine_nonce to holdfast_app;
grant select, insert, delete on machine_nonce to holdfast_system;

-- Further addresses of a sub-wallet may be asked for by a machine too, by the id under which it stands where orders name people.
alter table address_request drop constraint if exists address_request_org_id_requested_by_fkey;
