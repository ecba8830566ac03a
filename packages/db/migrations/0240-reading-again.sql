-- What the sources of a chain said and what of it was true.

-- Everything up to this block was compared with a second source, where there is one, and booked. Blocks above it are kept, however far the reader has gone on.
alter table chain_cursor add column if not exists booked_height bigint check (booked_height >= 0);

-- A payment that a source told of and that the block never had keeps its row, numbered from 1, so that what the block really has can stand beside it.
alter table deposit add column if not exists untrue smallint not null default 0 check (untrue >= 0);
alter table deposit drop constraint if exists deposit_org_id_chain_txid_tx_index_block_hash_key;
create unique index if not exists deposit_once on deposit (org_id, chain, txid, tx_index, block_hash, untrue);
grant update (untrue) on deposit to holdfast_app;
grant update (untrue) on deposit to holdfast_system;
-- No book takes more at once: of sums of 2^192 there is room for ten thousand million million million in 78 digits. A contract may say any number.
alter table deposit drop constraint if exists deposit_amount_bookable;
alter table deposit add constraint deposit_amount_bookable check (state <> 'credited' or amount < 6277101735386680763835789423207666416102355444464034512896) not valid;

-- `untold`: a source told of a payment that is not there, or left one out. `odd_log`: a listed token logged a transfer in a form of its own, which nobody can
-- read. `uncredited`: a payment is there and could not be booked. A person says of some that they were seen; of a surplus, up to which difference.
alter table asset_alarm drop constraint if exists asset_alarm_causes;
alter table asset_alarm add constraint asset_alarm_causes check (cause in ('books', 'missing', 'surplus', 'control', 'untold', 'odd_log', 'uncredited'));
alter table asset_alarm add column if not exists excess numeric(78,0) check (excess > 0);
alter table asset_alarm add column if not exists accepted numeric(78,0) not null default 0 check (accepted >= 0);
alter table asset_alarm add column if not exists acknowledged_by uuid;
alter table asset_alarm add column if not exists acknowledged_at bigint check (acknowledged_at is null or acknowledged_by is not null);
grant update (excess, accepted, acknowledged_by, acknowledged_at) on asset_alarm to holdfast_app;
grant update (excess) on asset_alarm to holdfast_system;

-- Blocks that somebody asked to have read again for an organisation; `read_height` is how far that has come.
create table if not exists block_reading (
  org_id uuid not null references organisation (id),
  id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  from_height bigint not null check (from_height >= 0),
  to_height bigint not null check (to_height >= from_height),
  read_height bigint check (read_height >= from_height),
  found integer not null default 0 check (found >= 0),
  asked_by uuid not null,
  asked_at bigint not null check (asked_at >= 0),
  done_at bigint check (done_at >= asked_at),
  primary key (org_id, id)
);
alter table block_reading enable row level security;
alter table block_reading force row level security;
drop policy if exists own_organisation on block_reading;
create policy own_organisation on block_reading to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on block_reading;
create policy all_organisations on block_reading to holdfast_system using (true);
grant select, insert on block_reading to holdfast_app;
grant select, insert, update (read_height, found, done_at) on block_reading to holdfast_system;
create unique index if not exists block_reading_open on block_reading (org_id, chain) where done_at is null;

-- Tokens whose balances are not the sum of what their logs say: with a fee on each transfer, or with balances that change by themselves. What comes of them is
-- held and credited to nobody, and no alarm compares them.
create table if not exists uneven_token (
  org_id uuid not null references organisation (id),
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) between 1 and 128),
  reason text not null check (char_length(reason) between 1 and 200),
  marked_by uuid not null,
  marked_at bigint not null check (marked_at >= 0),
  ended_by uuid,
  ended_at bigint check (ended_at is null or ended_by is not null),
  primary key (org_id, chain, contract)
);
alter table uneven_token enable row level security;
alter table uneven_token force row level security;
drop policy if exists own_organisation on uneven_token;
create policy own_organisation on uneven_token to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on uneven_token;
create policy all_organisations on uneven_token to holdfast_system using (true);
grant select, insert, update (reason, marked_by, marked_at, ended_by, ended_at) on uneven_token to holdfast_app;
grant select, insert on uneven_token to holdfast_system;
