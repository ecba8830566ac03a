-- Every inscription of a chain that was read, whoever has it, and what those of BRC-20 come to: an index of our own over the blocks that were taken in. What
-- a chain says of everybody is no organisation's, so only the system writes these tables.

-- The first block that was read for inscriptions. Where it is later than the first inscription there can be, the index is not whole and nothing is credited by it.
create table if not exists inscription_reading (
  chain text primary key check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  from_height bigint not null check (from_height >= 0)
);
alter table inscription_reading enable row level security;
alter table inscription_reading force row level security;
drop policy if exists own_organisation on inscription_reading;
create policy own_organisation on inscription_reading to holdfast_app using (true);
drop policy if exists all_organisations on inscription_reading;
create policy all_organisations on inscription_reading to holdfast_system using (true);
grant select on inscription_reading to holdfast_app;
grant select, insert on inscription_reading to holdfast_system;

-- Where an inscription is, or was: one row for each coin that carried it. `head` is the beginning of its content, which is a stranger's.
create table if not exists inscribed (
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  inscription_id text not null check (inscription_id ~ '^[0-9a-f]{64}i[0-9]{1,10}$'),
  outpoint text not null check (outpoint ~ '^[0-9a-f]{64}:[0-9]{1,10}$'),
  place bigint not null check (place >= 0),
  content_type text check (char_length(content_type) <= 200),
  size bigint not null check (size >= 0),
  head bytea not null check (octet_length(head) <= 1024),
  is_cursed boolean not null,
  height bigint not null check (height >= 0),
  gone_height bigint check (gone_height >= height),
  primary key (chain, inscription_id, outpoint)
);
alter table inscribed enable row level security;
alter table inscribed force row level security;
drop policy if exists all_organisations on inscribed;
create policy all_organisations on inscribed to holdfast_system using (true);
grant select, insert, update (gone_height), delete on inscribed to holdfast_system;
create index if not exists inscribed_present on inscribed (chain, outpoint) where gone_height is null;
create index if not exists inscribed_height on inscribed (chain, height);
create index if not exists inscribed_gone on inscribed (chain, gone_height);

-- A BRC-20 transfer that moved is worth nothing any more, and its coin is coin like any other.
alter table inscription add column if not exists is_used boolean not null default false;

create table if not exists brc20_token (
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  ticker text not null check (octet_length(ticker) = 4),
  inscription_id text not null check (inscription_id ~ '^[0-9a-f]{64}i[0-9]{1,10}$'),
  max numeric(78,0) not null check (max > 0),
  per_mint numeric(78,0) not null check (per_mint > 0),
  decimals integer not null check (decimals between 0 and 18),
  height bigint not null check (height >= 0),
  primary key (chain, ticker)
);
alter table brc20_token enable row level security;
alter table brc20_token force row level security;
drop policy if exists all_organisations on brc20_token;
create policy all_organisations on brc20_token to holdfast_system using (true);
grant select, insert, delete on brc20_token to holdfast_system;

-- What an event changed for one holder, with what that holder has of the token after it: the last row of a holder is what it has, and what a block did goes with
-- its rows. `minted` is what was minted of the token after a mint.
create table if not exists brc20_entry (
  chain text not null,
  height bigint not null check (height >= 0),
  place integer not null check (place >= 0),
  holder text not null check (char_length(holder) <= 128),
  kind text not null check (kind in ('mint', 'inscribe', 'send')),
  ticker text not null,
  inscription_id text not null check (inscription_id ~ '^[0-9a-f]{64}i[0-9]{1,10}$'),
  amount numeric(78,0) not null check (amount > 0),
  available numeric(78,0) not null check (available >= 0),
  transferable numeric(78,0) not null check (transferable >= 0),
  minted numeric(78,0) check (minted > 0),
  primary key (chain, height, place, holder),
  check ((kind = 'mint') = (minted is not null))
);
alter table brc20_entry enable row level security;
alter table brc20_entry force row level security;
drop policy if exists all_organisations on brc20_entry;
create policy all_organisations on brc20_entry to holdfast_system using (true);
grant select, insert, delete on brc20_entry to holdfast_system;
create index if not exists brc20_entry_holder on brc20_entry (chain, holder, ticker, height desc, place desc);
create index if not exists brc20_entry_inscription on brc20_entry (chain, inscription_id);
create index if not exists brc20_entry_minted on brc20_entry (chain, ticker, height desc, place desc) where kind = 'mint';
