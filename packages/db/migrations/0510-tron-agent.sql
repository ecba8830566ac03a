-- How an organisation has energy lent to its addresses before they pay, on a network that gives it for stake (TRON).
create table if not exists tron_agent (
  org_id uuid not null references organisation (id),
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  is_on boolean not null,
  -- Whose first address lends.
  sub_wallet_id uuid not null,
  -- What is done where nothing can be lent: burn coin within the two bounds, wait until it can, or stop until somebody decides.
  fallback text not null check (fallback in ('burn', 'wait', 'stop')),
  -- Base units of coin: the most that is burned without asking, in 24 hours and for one payment.
  budget_day numeric(78,0) not null check (budget_day >= 0),
  burn_max numeric(78,0) not null check (burn_max >= 0),
  updated_by uuid not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, chain),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id),
  foreign key (org_id, updated_by) references person (org_id, id)
);
alter table tron_agent enable row level security;
alter table tron_agent force row level security;
drop policy if exists own_organisation on tron_agent;
create policy own_organisation on tron_agent to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_agent;
create policy all_organisations on tron_agent to holdfast_system using (true);
grant select, insert, update (is_on, sub_wallet_id, fallback, budget_day, burn_max, updated_by, updated_at) on tron_agent to holdfast_app;
grant select, insert on tron_agent to holdfast_system;

-- Addresses whose payments of tokens wait until they have energy.
create table if not exists tron_account (
  org_id uuid not null,
  chain text not null,
  address text not null check (char_length(address) between 1 and 128),
  is_on boolean not null,
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, chain, address)
);
alter table tron_account enable row level security;
alter table tron_account force row level security;
drop policy if exists own_organisation on tron_account;
create policy own_organisation on tron_account to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_account;
create policy all_organisations on tron_account to holdfast_system using (true);
grant select, insert, update (is_on, updated_at) on tron_account to holdfast_app;
grant select, insert on tron_account to holdfast_system;

-- What was lent for one payment, or because somebody asked for it, and what came of it.
create table if not exists tron_supply (
  org_id uuid not null references organisation (id),
  id uuid not null,
  chain text not null,
  address text not null check (char_length(address) between 1 and 128),
  -- The payment it is for; null where somebody asked for it.
  order_id uuid,
  state text not null check (state in ('waiting', 'lending', 'ready', 'burning', 'stopped', 'returning', 'over')),
  reason text check (char_length(reason) between 1 and 40),
  -- Units of energy: what the payment uses by its trial, and what its address lacked of that; base units of coin for one unit.
  needed numeric(78,0) not null check (needed >= 0),
  lacked numeric(78,0) not null check (lacked >= 0),
  price numeric(78,0) not null check (price >= 0),
  lender text check (char_length(lender) between 1 and 128),
  -- Base units of coin whose energy was lent; null where none was.
  stake numeric(78,0) check (stake > 0),
  lend_order_id uuid,
  return_order_id uuid,
  -- By the receipt of the payment: units of energy it used, units of them that nobody paid for, and base units of coin that were burned for the others.
  used numeric(78,0) check (used >= 0),
  covered numeric(78,0) check (covered >= 0),
  burned numeric(78,0) check (burned >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, id),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  foreign key (org_id, lend_order_id) references transfer_order (org_id, id),
  foreign key (org_id, return_order_id) references transfer_order (org_id, id),
  check ((lender is null) = (stake is null))
);
create unique index if not exists tron_supply_of_order on tron_supply (org_id, order_id) where order_id is not null;
create index if not exists tron_supply_open on tron_supply (org_id, created_at) where state <> 'over';
create index if not exists tron_supply_newest on tron_supply (org_id, created_at desc, id);
alter table tron_supply enable row level security;
alter table tron_supply force row level security;
drop policy if exists own_organisation on tron_supply;
create policy own_organisation on tron_supply to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on tron_supply;
create policy all_organisations on tron_supply to holdfast_system using (true);
grant select, insert, update (state, reason, needed, lacked, price, lender, stake, lend_order_id, return_order_id, used, covered, burned, updated_at)
  on tron_supply to holdfast_app;
grant select, insert on tron_supply to holdfast_system;
