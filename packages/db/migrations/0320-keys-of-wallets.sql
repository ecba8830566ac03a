-- A wallet has a key of each kind that its networks need, at most one of a kind. Which key signs on a network follows from the kinds: it never changes.
create table if not exists key_of_wallet (
  org_id uuid not null,
  wallet_id uuid not null,
  protocol text not null check (char_length(protocol) between 1 and 64),
  -- Another one takes its place only while it is being made.
  key_id bytea not null check (octet_length(key_id) = 32),
  -- Since when nothing is done with the key any more.
  retired_at bigint check (retired_at >= 0),
  primary key (org_id, wallet_id, protocol),
  unique (org_id, key_id),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table key_of_wallet enable row level security;
drop policy if exists own_organisation on key_of_wallet;
create policy own_organisation on key_of_wallet to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on key_of_wallet;
create policy all_organisations on key_of_wallet to holdfast_system using (true);
grant select, insert, update (key_id, retired_at) on key_of_wallet to holdfast_app;
grant select, insert, update (key_id, retired_at) on key_of_wallet to holdfast_system;

-- Wallets there are stay what they are: each with its one key. The owner of the tables is let through the wall for as long as this takes.
alter table wallet no force row level security;
alter table wallet_key no force row level security;
alter table key_of_wallet no force row level security;
insert into key_of_wallet (org_id, wallet_id, protocol, key_id, retired_at)
select distinct w.org_id, w.id, k.protocol, w.key_id, w.retired_at
  from wallet w join wallet_key k on k.org_id = w.org_id and k.key_id = w.key_id
on conflict do nothing;
-- The columns of before stay as they are and nothing reads them any more: an active wallet needs no key in them.
alter table wallet drop constraint if exists wallet_check1;
alter table wallet force row level security;
alter table wallet_key force row level security;
alter table key_of_wallet force row level security;
