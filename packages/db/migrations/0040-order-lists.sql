-- What people add to a list of transactions, and what makes the list quick to ask: nothing here is part of an order.

-- How an organisation files a payment or a deposit. `suspicious` is a person's word; null leaves the judgement to the program.
create table if not exists transaction_mark (
  org_id uuid not null references organisation (id),
  kind text not null check (kind in ('withdraw', 'deposit')),
  transaction_id uuid not null,
  category text check (char_length(category) between 1 and 50),
  tags text[] not null check (cardinality(tags) <= 10),
  note text not null check (char_length(note) <= 500),
  suspicious boolean,
  updated_by uuid not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, transaction_id),
  foreign key (org_id, updated_by) references person (org_id, id)
);
alter table transaction_mark enable row level security;
alter table transaction_mark force row level security;
drop policy if exists own_organisation on transaction_mark;
create policy own_organisation on transaction_mark to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on transaction_mark;
create policy all_organisations on transaction_mark to holdfast_system using (true);
grant select, insert, update (category, tags, note, suspicious, updated_by, updated_at) on transaction_mark to holdfast_app;
grant select, insert, update (category, tags, note, suspicious, updated_by, updated_at) on transaction_mark to holdfast_system;

create index if not exists transaction_mark_category on transaction_mark (org_id, category) where category is not null;

-- The filters a person has kept under a name, a list for each page of the console.
create table if not exists saved_view (
  org_id uuid not null,
  person_id uuid not null,
  page text not null check (page ~ '^[a-z][a-z0-9_]{0,39}$'),
  views jsonb not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id, page),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table saved_view enable row level security;
alter table saved_view force row level security;
drop policy if exists own_organisation on saved_view;
create policy own_organisation on saved_view to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on saved_view;
create policy all_organisations on saved_view to holdfast_system using (true);
grant select, insert, update (views, updated_at) on saved_view to holdfast_app;
grant select, insert, update (views, updated_at) on saved_view to holdfast_system;

-- Who last asked the approvers of an order to look at it, and when.
create table if not exists order_reminder (
  org_id uuid not null,
  order_id uuid not null,
  person_id uuid not null,
  times integer not null check (times >= 1),
  reminded_at bigint not null check (reminded_at >= 0),
  primary key (org_id, order_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table order_reminder enable row level security;
alter table order_reminder force row level security;
drop policy if exists own_organisation on order_reminder;
create policy own_organisation on order_reminder to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_reminder;
create policy all_organisations on order_reminder to holdfast_system using (true);
grant select, insert, update (person_id, times, reminded_at) on order_reminder to holdfast_app;
grant select, insert, update (person_id, times, reminded_at) on order_reminder to holdfast_system;

-- A page of the list is read from the end of one of these; counting under a filter reads nothing else.
create index if not exists transfer_order_recent on transfer_order (org_id, created_at, id)
  include (wallet_id, sub_wallet_id, chain, contract, symbol, amount, state, sub_status, initiator);
create index if not exists deposit_recent on deposit (org_id, created_at, id)
  include (sub_wallet_id, chain, contract, symbol, amount, state, sub_status, credited_at, txid, tx_index);

-- Exact addresses and transaction ids, and addresses by the end that people compare.
create index if not exists transfer_order_address_to on transfer_order (org_id, address_to);
create index if not exists transfer_order_any_txid on transfer_order (org_id, txid) where txid is not null;
create index if not exists transfer_order_paid_end on transfer_order (org_id, lower(right(address_to, 4)), address_to, created_at) where txid is not null;
create index if not exists transfer_order_initiator on transfer_order (org_id, initiator, created_at);
create index if not exists transfer_order_approving on transfer_order (org_id, created_at) where state = 'approving';
create index if not exists deposit_from on deposit (org_id, from_address);
create index if not exists deposit_txid on deposit (org_id, txid);
create index if not exists address_end on address (org_id, lower(right(address, 4)));
create index if not exists approval_person on approval (org_id, person_id, created_at);
