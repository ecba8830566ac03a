-- Standing orders: approved once, kept by the signers, and followed without asking again until they are over or somebody stops them.
alter table signer_order drop constraint if exists signer_order_kind_check;
alter table signer_order add constraint signer_order_kind_check check (kind in ('absence', 'lift_freeze', 'address_book', 'standing_order'));

-- A person stopped standing orders. `record` is what they signed; `told` the parties that have it.
create table if not exists standing_stop (
  org_id uuid not null references organisation (id),
  hash bytea not null check (octet_length(hash) = 32),
  record bytea not null check (octet_length(record) between 1 and 16384),
  person_id uuid not null,
  told jsonb not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, hash),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table standing_stop enable row level security;
alter table standing_stop force row level security;
drop policy if exists own_organisation on standing_stop;
create policy own_organisation on standing_stop to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on standing_stop;
create policy all_organisations on standing_stop to holdfast_system using (true);
grant select, insert, update (told, updated_at) on standing_stop to holdfast_app;
grant select, insert, update (told, updated_at) on standing_stop to holdfast_system;

-- A transfer that a standing order asked for has no person who did: its `initiator` is the standing order.
alter table transfer_order add column if not exists standing_order_id uuid;
alter table transfer_order drop constraint if exists transfer_order_org_id_initiator_fkey;
alter table transfer_order drop constraint if exists transfer_order_asked_by_standing;
alter table transfer_order add constraint transfer_order_asked_by_standing check (standing_order_id is null or standing_order_id = initiator);
create index if not exists transfer_order_standing on transfer_order (org_id, standing_order_id, created_at) where standing_order_id is not null;

-- When each standing order was last looked at by this server, and of every address that had something why it was not moved. The reason is
-- null once nothing is left to say.
create table if not exists standing_look (
  org_id uuid not null references organisation (id),
  standing_order_id uuid not null,
  looked_at bigint not null check (looked_at >= 0),
  primary key (org_id, standing_order_id)
);
create table if not exists standing_reason (
  org_id uuid not null references organisation (id),
  standing_order_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null check (char_length(address) between 1 and 128),
  contract text not null check (char_length(contract) <= 128),
  sub_wallet_id uuid not null,
  amount numeric(78,0) not null check (amount >= 0),
  reason text check (reason ~ '^[a-z][a-z_]{0,39}$'),
  detail text check (char_length(detail) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, standing_order_id, chain, address, contract),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table standing_look enable row level security;
alter table standing_look force row level security;
drop policy if exists own_organisation on standing_look;
create policy own_organisation on standing_look to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on standing_look;
create policy all_organisations on standing_look to holdfast_system using (true);
grant select, insert, update (looked_at) on standing_look to holdfast_app;
grant select, insert, update (looked_at) on standing_look to holdfast_system;
alter table standing_reason enable row level security;
alter table standing_reason force row level security;
drop policy if exists own_organisation on standing_reason;
create policy own_organisation on standing_reason to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on standing_reason;
create policy all_organisations on standing_reason to holdfast_system using (true);
grant select, insert, update (amount, reason, detail, at) on standing_reason to holdfast_app;
grant select, insert, update (amount, reason, detail, at) on standing_reason to holdfast_system;
