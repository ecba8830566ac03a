-- A key that a wallet is getting after it was made, because a network came that its keys do not sign on. It is a key of the wallet (key_of_wallet) once it is
-- finished: until then nothing else knows of it. One at a time.
create table if not exists added_key (
  org_id uuid not null,
  wallet_id uuid not null,
  protocol text not null check (char_length(protocol) between 1 and 64),
  key_id bytea not null check (octet_length(key_id) = 32),
  -- Since when it is one of the wallet's keys; null while it is being made, and where that failed.
  owned_at bigint check (owned_at >= 0),
  primary key (org_id, wallet_id),
  unique (org_id, key_id),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table added_key enable row level security;
alter table added_key force row level security;
drop policy if exists own_organisation on added_key;
create policy own_organisation on added_key to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on added_key;
create policy all_organisations on added_key to holdfast_system using (true);
grant select, insert, update (protocol, key_id, owned_at) on added_key to holdfast_app;
grant select, insert on added_key to holdfast_system;
