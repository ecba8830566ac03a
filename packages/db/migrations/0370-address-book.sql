-- The organisation's address book: its entries and lists, who did what with them, and orders to the signers that change the whitelist.

alter table signer_order drop constraint if exists signer_order_kind_check;
alter table signer_order add constraint signer_order_kind_check check (kind in ('absence', 'lift_freeze', 'address_book'));
alter table signer_order drop constraint if exists signer_order_intent_check;
alter table signer_order add constraint signer_order_intent_check check (octet_length(intent) between 1 and 524288);

-- A list of entries. Its name is what signers know it by, so it never changes.
create table if not exists book_group (
  org_id uuid not null references organisation (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 40),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, id)
);
alter table book_group enable row level security;
alter table book_group force row level security;
drop policy if exists own_organisation on book_group;
create policy own_organisation on book_group to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on book_group;
create policy all_organisations on book_group to holdfast_system using (true);
grant select, insert on book_group to holdfast_app;
grant select, insert on book_group to holdfast_system;

-- An entry. Whether it is on the whitelist follows from the orders that put it on (`listed_by`) and take it off (`unlisted_by`): nothing says it twice.
-- `leaves`: what takes it off the whitelist takes it out of the book. `verified` says by what it was verified last, with `proof` of that.
create table if not exists book_entry (
  org_id uuid not null references organisation (id),
  id uuid not null,
  name text not null check (char_length(name) <= 50),
  address text not null check (char_length(address) between 1 and 128),
  chains jsonb not null,
  memo text not null check (char_length(memo) <= 200),
  group_id uuid,
  note text not null check (char_length(note) <= 200),
  vasp text not null check (char_length(vasp) <= 100),
  listed_by uuid,
  unlisted_by uuid,
  leaves boolean not null,
  verified text check (verified in ('satoshi_test', 'signature', 'call_back')),
  verified_by uuid,
  verified_at bigint,
  proof text check (char_length(proof) <= 2000),
  reviewed_at bigint not null check (reviewed_at >= 0),
  created_by uuid not null,
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  removed_at bigint,
  primary key (org_id, id),
  foreign key (org_id, group_id) references book_group (org_id, id),
  foreign key (org_id, listed_by) references signer_order (org_id, id),
  foreign key (org_id, unlisted_by) references signer_order (org_id, id),
  foreign key (org_id, created_by) references person (org_id, id),
  foreign key (org_id, verified_by) references person (org_id, id)
);
create index if not exists book_entry_address on book_entry (org_id, address);
alter table book_entry enable row level security;
alter table book_entry force row level security;
drop policy if exists own_organisation on book_entry;
create policy own_organisation on book_entry to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on book_entry;
create policy all_organisations on book_entry to holdfast_system using (true);
grant select, insert, update (name, memo, group_id, note, vasp, listed_by, unlisted_by, leaves, verified, verified_by, verified_at, proof, reviewed_at, updated_at, removed_at)
  on book_entry to holdfast_app;
grant select, insert on book_entry to holdfast_system;

-- Who did what with the book. Append-only.
create table if not exists book_event (
  org_id uuid not null references organisation (id),
  id uuid not null,
  entry_id uuid,
  action text not null check (action in ('added', 'imported', 'edited', 'removed', 'proposed', 'proposed_off', 'verified', 'reviewed', 'group_added')),
  name text not null check (char_length(name) <= 50),
  person_id uuid not null,
  order_id uuid,
  at bigint not null check (at >= 0),
  primary key (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id)
);
create index if not exists book_event_newest on book_event (org_id, at);
alter table book_event enable row level security;
alter table book_event force row level security;
drop policy if exists own_organisation on book_event;
create policy own_organisation on book_event to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on book_event;
create policy all_organisations on book_event to holdfast_system using (true);
grant select, insert on book_event to holdfast_app;
grant select, insert on book_event to holdfast_system;
